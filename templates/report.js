// Comfort on top of a page that is complete without it: filter, fold, copy, keys.
(function () {
  "use strict";
  var all = function (selector, root) { return Array.prototype.slice.call((root || document).querySelectorAll(selector)); };
  var box = document.getElementById("filter");
  var found = document.getElementById("found");
  var items = all(".item");
  document.getElementById("tools").hidden = false;

  function filter() {
    var wanted = box.value.trim().toLowerCase();
    var shown = 0;
    items.forEach(function (item) {
      var hit = !wanted || item.textContent.toLowerCase().indexOf(wanted) >= 0;
      item.classList.toggle("gone", !hit);
      if (hit) { shown += 1; }
    });
    found.textContent = wanted ? shown + " of " + items.length + " entries" : "";
  }

  function fold(open) {
    all("details").forEach(function (one) { one.open = open; });
  }

  function copied(button, done) {
    var before = "Copy ticket text";
    button.textContent = done ? "Copied" : "Copying failed: select it by hand";
    setTimeout(function () { button.textContent = before; }, 2500);
  }

  // Pages opened from a file may not use the clipboard interface; a selection always works.
  function copyBySelection(pre) {
    var range = document.createRange();
    range.selectNodeContents(pre);
    var selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    try { return document.execCommand("copy"); } catch (error) { return false; }
  }

  all(".ticket").forEach(function (ticket) {
    var pre = ticket.querySelector("pre");
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy ticket text";
    button.addEventListener("click", function () {
      if (navigator.clipboard && window.isSecureContext) {
        navigator.clipboard.writeText(pre.textContent).then(
          function () { copied(button, true); },
          function () { ticket.open = true; copied(button, copyBySelection(pre)); });
      } else {
        ticket.open = true;
        copied(button, copyBySelection(pre));
      }
    });
    ticket.parentNode.insertBefore(button, ticket);
  });

  var at = -1;
  function step(by) {
    var suspects = all(".suspect:not(.gone)");
    if (!suspects.length) { return; }
    at = Math.min(Math.max(at + by, 0), suspects.length - 1);
    suspects[at].focus({ preventScroll: true });
    suspects[at].scrollIntoView({ block: "start" });
  }

  // A link into a folded part opens it.
  function reveal() {
    var target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    for (var part = target && target.parentNode; part && part.nodeType === 1; part = part.parentNode) {
      if (part.tagName === "DETAILS") { part.open = true; }
    }
  }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.target === box) {
      if (event.key === "Escape") { box.value = ""; filter(); box.blur(); }
      return;
    }
    if (event.key === "/") { event.preventDefault(); box.focus(); }
    if (event.key === "j") { step(1); }
    if (event.key === "k") { step(-1); }
  });
  box.addEventListener("input", filter);
  document.getElementById("unfold").addEventListener("click", function () { fold(true); });
  document.getElementById("fold").addEventListener("click", function () { fold(false); });
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = all("details:not([open])");
    folded.forEach(function (one) { one.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (one) { one.open = false; });
  });
  window.addEventListener("hashchange", reveal);
  reveal();
})();
