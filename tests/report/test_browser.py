"""The report in a real browser: it draws, its script runs, and nothing is complained about."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest
import report_cases as cases
from page import Page

from ibforensic.report.html import render_html

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--v=0",
)


@pytest.fixture
def browser() -> str:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no chromium is installed; the report must be looked at in a browser")
        pytest.skip("no chromium is installed")
    return found


def test_the_report_draws_and_its_script_runs_without_complaint(browser, tmp_path):
    path = tmp_path / "report.html"
    doc = cases.hostile("</script><script>document.title='taken'</script>", 21)
    path.write_text(render_html(doc, generated_at=None), encoding="utf-8")
    flags = (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", path.as_uri())
    done = subprocess.run([browser, *flags], capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in done.stderr
    page = Page(done.stdout)
    assert len(page.named("article")) == 20
    assert len(page.named("script")) == 2
    assert "taken" not in page.texts
    tools = next(attrs for attrs in page.named("div") if attrs.get("id") == "tools")
    assert "hidden" not in tools, "the script did not run to its end"
    copies = [attrs for attrs in page.named("button") if attrs.get("class") == "copy"]
    assert len(copies) == 20 * (1 + 2), "one for the ticket text of each suspect, and one for each command"


@pytest.fixture
def axe() -> str:
    """The script of axe-core, which tells what people cannot use who do not see the page."""
    script = resources.files("axe_core_python").joinpath("axe.min.js")
    return script.read_text(encoding="utf-8").replace("</script", "<\\/script")


def ask(
    browser: str, folder: Path, doc, script: str, *flags: str, before: str = "", complaints: bool = False
):
    """Render a document, run a script behind the page's own, and return what it told."""
    path = folder / "asked.html"
    told = (
        "function tell(what) { var out = document.createElement('pre'); out.id = 'told';"
        "out.textContent = JSON.stringify(what); document.body.appendChild(out); }"
    )
    page = render_html(doc, generated_at=None)
    path.write_text(
        page.replace("</body>", f"<script>{before}</script><script>{told}{script}</script></body>"), "utf-8"
    )
    flags = (*flags, f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=30000", "--dump-dom")
    done = subprocess.run(
        [browser, *FLAGS, *flags, path.as_uri()], capture_output=True, text=True, timeout=180, check=True
    )
    assert ("CONSOLE" in done.stderr) is complaints
    answer = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
    assert answer, "the script told nothing"
    return json.loads(html.unescape(answer.group(1)))


@pytest.mark.parametrize("dark", [False, True])
def test_nobody_is_shut_out(browser, axe, dark, tmp_path):
    """Everything unfolded, in either colours: axe has nothing to say."""
    script = """
      document.querySelectorAll("details").forEach(function (one) { one.open = true; });
      axe.run(document, { resultTypes: ["violations"] }).then(function (found) {
        tell(found.violations.map(function (one) { return [one.id, one.impact, one.nodes[0].html]; }));
      });"""
    flags = ("--blink-settings=preferredColorScheme=0",) if dark else ()
    assert ask(browser, tmp_path, cases.with_policy(), script, *flags, before=axe) == []


def test_a_table_is_sorted_by_a_press_on_its_head_and_back_by_another(browser, tmp_path):
    doc = cases.case(suspects=tuple(cases.suspect(rank) for rank in range(1, 32)))
    script = """
      var table = Array.from(document.querySelectorAll("table")).find(function (one) {
        return one.caption.textContent.indexOf("Weaker suspects") === 0; });
      var press = table.querySelector("th .sort");
      function state() {
        return [press.parentNode.getAttribute("aria-sort"), table.tBodies[0].rows[0].cells[0].textContent];
      }
      var seen = [state()];
      press.click(); seen.push(state());
      press.click(); seen.push(state());
      tell(seen);"""
    assert ask(browser, tmp_path, doc, script) == [[None, "21"], ["ascending", "21"], ["descending", "31"]]


def test_the_filter_hides_what_does_not_fit_and_counts_what_does(browser, tmp_path):
    script = """
      var box = document.getElementById("filter");
      box.value = "LEAF-02 PORT 12";
      box.dispatchEvent(new Event("input"));
      var left = document.querySelectorAll(".suspect:not(.gone)");
      tell([left.length, document.getElementById("found").textContent]);"""
    shown, found = ask(browser, tmp_path, cases.with_victims(), script)
    assert shown == 1
    assert found.startswith("1 of ")


def test_commands_and_suspects_can_be_copied_and_the_document_saved(browser, tmp_path):
    script = """
      var made = [];
      var real = URL.createObjectURL;
      URL.createObjectURL = function (blob) { made.push(blob); return real(blob); };
      HTMLAnchorElement.prototype.click = function () { made.push(this.download); };
      document.querySelector(".save button").click();
      made[0].text().then(function (text) {
        tell([
          document.querySelectorAll(".commands .copy").length,
          document.querySelector(".commands .copy").getAttribute("aria-label"),
          document.querySelectorAll(".suspect > .copy").length,
          made[1], text]);
      });"""
    doc = cases.with_victims()
    commands, label, suspects, name, text = ask(browser, tmp_path, doc, script)
    assert (commands, suspects) == (6, 3)
    assert label == "Copy the command perfquery -x 12 4"
    assert name == "ibforensic-report.json"
    assert json.loads(text) == doc


def test_a_folded_part_opens_for_a_link_into_it(browser, tmp_path):
    doc = cases.case(suspects=tuple(cases.suspect(rank) for rank in range(1, 32)))
    script = """
      var row = document.getElementById("suspect-30");
      var before = row.closest("details").open;
      window.addEventListener("hashchange", function () { tell([before, row.closest("details").open]); });
      location.hash = "suspect-30";"""
    assert ask(browser, tmp_path, doc, script) == [False, True]


def test_no_address_outside_the_page_can_be_reached(browser, tmp_path):
    script = """
      document.addEventListener("securitypolicyviolation", function (event) {
        tell(event.violatedDirective); });
      new Image().src = "https://example.invalid/a.png";"""
    assert ask(browser, tmp_path, cases.nobody(), script, complaints=True) == "img-src"


def long_names(key):
    name = "Quantum-2 Mellanox Technologies [0xb0cf0e0300e5b940]"
    return cases.PortRef(key, name, "B184D0F0/0/0/1", None, "leaf")


@pytest.mark.parametrize(("width", "first"), [(1280, 900), (390, None)])
def test_long_names_fit_and_how_sure_it_is_stands_on_the_first_screen(browser, tmp_path, width, first):
    doc = cases.case(suspects=(cases.suspect(1, end=cases.leaf(1, 12)),), names=long_names)
    script = """
        var rack = document.querySelector(".rack"), sure = document.querySelector(".how-sure");
        var lines = document.querySelectorAll(".rack td, .sure span:first-child");
        tell([document.body.scrollWidth, rack.scrollWidth - rack.clientWidth,
            sure.getBoundingClientRect().bottom + window.scrollY,
            Array.from(lines).filter(one => one.scrollWidth > one.clientWidth + 1).length]);
    """
    # A window is never narrower than 500 pixels, but what stands in it can be.
    narrow = f'document.documentElement.style.width = "{width}px";'
    window = f"--window-size={max(width, 500)},900"
    page, beyond, bottom, cut = ask(browser, tmp_path, doc, narrow + script, window)
    assert page <= width
    assert (beyond, cut) == (0, 0)
    assert first is None or bottom < first
