// Comfort on top of a page that is complete without it: filter, sort, fold, copy, save, keys.
(function () {
  "use strict";
  var all = function (selector, root) { return Array.prototype.slice.call((root || document).querySelectorAll(selector)); };
  var box = document.getElementById("filter");
  var found = document.getElementById("found");
  var items = all(".item");
  document.getElementById("tools").hidden = false;

  function button(text, name) {
    var made = document.createElement("button");
    made.type = "button";
    made.className = name;
    made.textContent = text;
    return made;
  }

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

  // A number with its separators, or nothing; "-" and "?" are no numbers and stand last.
  function figure(text) {
    var plain = text.replace(/,/g, "").replace(/\u2212/g, "-").trim();
    return /^-?\d/.test(plain) ? parseFloat(plain) : NaN;
  }

  function sort(table, head, at) {
    var up = head.getAttribute("aria-sort") !== "ascending";
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows).map(function (row, place) {
      var text = row.cells[at] ? row.cells[at].textContent.trim() : "";
      return { row: row, place: place, text: text, figure: figure(text) };
    });
    var numbers = head.classList.contains("num");
    rows.sort(function (one, other) {
      var order = 0;
      if (numbers && isNaN(one.figure) !== isNaN(other.figure)) { return isNaN(one.figure) ? 1 : -1; }
      if (numbers && !isNaN(one.figure)) { order = one.figure - other.figure; }
      else { order = one.text.localeCompare(other.text, "en", { numeric: true }); }
      return (up ? order : -order) || one.place - other.place;
    });
    all("th[aria-sort]", table).forEach(function (one) { one.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.forEach(function (one) { body.appendChild(one.row); });
  }

  all("table").forEach(function (table) {
    if (!table.tHead || table.tBodies[0].rows.length < 3) { return; }
    all("th", table.tHead).forEach(function (head, at) {
      var made = button(head.textContent, "sort");
      head.textContent = "";
      head.appendChild(made);
      made.addEventListener("click", function () { sort(table, head, at); });
    });
  });

  // Pages opened from a file may not use the clipboard interface; a selection always works.
  function copyBySelection(source) {
    var range = document.createRange();
    range.selectNodeContents(source);
    var selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    try { return document.execCommand("copy"); } catch (error) { return false; }
  }

  function copies(text, source, inside) {
    var made = button(text, "copy");
    var done = function (well) {
      made.textContent = well ? "Copied" : "Copying failed: select it by hand";
      setTimeout(function () { made.textContent = text; }, 2500);
    };
    var select = function () {
      if (inside) { inside.open = true; }
      done(copyBySelection(source));
    };
    made.setAttribute("aria-live", "polite");
    made.addEventListener("click", function () {
      if (navigator.clipboard && window.isSecureContext) {
        navigator.clipboard.writeText(source.textContent).then(function () { done(true); }, select);
      } else { select(); }
    });
    return made;
  }

  all(".ticket").forEach(function (ticket) {
    ticket.parentNode.insertBefore(copies("Copy ticket text", ticket.querySelector("pre"), ticket), ticket);
  });
  all(".commands li").forEach(function (item) {
    var code = item.querySelector("code");
    var made = copies("Copy", code, null);
    made.setAttribute("aria-label", "Copy the command " + code.textContent);
    item.insertBefore(made, item.firstChild);
  });

  var data = document.getElementById("ibforensic-report");
  var save = button("Save the JSON", "save");
  save.addEventListener("click", function () {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([data.textContent], { type: "application/json" }));
    link.download = "ibforensic-report.json";
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  });
  document.getElementById("save").appendChild(save);

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
    if (event.key === "?") { location.hash = "how_to_read"; }
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
