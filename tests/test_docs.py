"""Documents say what is true: generated ones are up to date, examples run, links lead somewhere."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
_spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)


@pytest.mark.parametrize("name", generate.DOCUMENTS)
def test_generated_documents_are_up_to_date(name):
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == generate.render(name), "run: make docs"


def test_the_man_page_has_every_command_and_option_and_no_stray_requests():
    page = generate.render("ibforensic.1")
    context = generate.group.make_context("ibforensic", [], resilient_parsing=True)
    for name in generate.group.list_commands(context):
        assert f".SS ibforensic {name}\n" in page
        for param in generate.group.get_command(context, name).params:
            assert param.param_type_name == "argument" or param.opts[0].replace("-", "\\-") in page
    assert page.isascii()
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests == {'.\\"', ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_the_man_page_is_typeset_without_a_warning():
    page = ROOT / "docs" / "ibforensic.1"
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "ibforensic diff" in re.sub(r"\x1b\[\d*m|.\x08", "", done.stdout)


def test_the_example_of_the_readme_runs(tmp_path):
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    run = subprocess.run(
        [sys.executable, "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert run.stdout.startswith("suspects - ")
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert (tmp_path / "healthy.ibf" / "manifest.json").is_file()


def test_the_verdict_shown_in_the_readme_is_the_one_of_the_demo():
    from ibforensic import pipeline

    pair = [pipeline.load(ROOT / "samples" / "uplink-errors" / side) for side in ("baseline", "current")]
    document = pipeline.diff(*pair).document
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"The first lines say it all:\n\n```\n(.*?)```", readme, re.S)[1]
    assert pipeline.render(document, "text").startswith(shown)
    assert f"and {len(document['suspects'][0]['victims'])} ports with large numbers" in readme


def test_the_readme_lists_every_command():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in generate.group.list_commands(None):
        assert f"| `ibforensic {command}" in text


@pytest.mark.parametrize(
    "path",
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))],
    ids=lambda p: p.name,
)
def test_links_lead_somewhere(path):
    prose = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", prose):
        if "://" not in target:
            assert (path.parent / target).exists(), target


CLEARING = re.compile(
    r"--(?:pc|pm_clear_all|reset_phy_info|clear\w*|scr)\b"
    r"|perfquery -[rR]\b|ibqueryerrors -[kK]\b|ibclear\w+"
)
MAY_NAME_THEM = {
    "parsers/clearing.py",  # recognises that a run cleared counters
    "simulate/spelling.py",  # prints the command line of a made-up run that had cleared counters
    "snapshot/fitness.py",  # advises to collect without them
}


def test_no_text_of_the_program_names_an_option_that_clears():
    found = set()
    for path in (ROOT / "ibforensic").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {
            ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, DOCUMENTED)
        }
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        if any(isinstance(text, str) and text not in docs and CLEARING.search(text) for text in texts):
            found.add(path.relative_to(ROOT / "ibforensic").as_posix())
    assert found == MAY_NAME_THEM


def test_no_page_for_people_names_an_option_that_clears():
    pages = [ROOT / "README.md", *(ROOT / "templates").rglob("*.j2"), *(ROOT / "samples").rglob("*.md")]
    assert [path for path in pages if CLEARING.search(path.read_text(encoding="utf-8"))] == []
