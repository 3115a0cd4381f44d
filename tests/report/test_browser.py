"""The report in a real browser: it draws, its script runs, and nothing is complained about."""

from __future__ import annotations

import os
import shutil
import subprocess

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
    assert len([attrs for attrs in page.named("button") if attrs.get("class") == "copy"]) == 20
