"""The package itself against the checks: layers, fences, side effects, docstrings, size of files."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from source_checks import (
    LOWER,
    defines,
    defines_command,
    fence_faults,
    impurities,
    lacks_future_annotations,
    layer_faults,
    layer_of,
    undocumented,
    unit_faults,
)

import ibforensic

ROOT = Path(ibforensic.__file__).resolve().parent
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))
MAX_LINES = 600
MAX_MEDIAN_LINES = 120
HEAVY = ("pandas", "pyarrow", "jinja2", "deepdiff", "numpy", "scipy", "xlsxwriter")

SOURCES = {file: (ROOT / file).read_text("utf-8") for file in FILES}
EVERY_FILE = pytest.mark.parametrize("file", FILES)


@EVERY_FILE
def test_imports_only_from_lower_layers(file):
    assert layer_of(file) in LOWER, "a new top-level module needs its place among the layers"
    assert layer_faults(file, SOURCES[file]) == []


@EVERY_FILE
def test_packages_from_outside_stay_behind_their_fences(file):
    assert fence_faults(file, SOURCES[file]) == []


@EVERY_FILE
def test_no_side_effects_below_the_command_line(file):
    assert impurities(file, SOURCES[file]) == []


@EVERY_FILE
def test_everything_public_has_a_docstring(file):
    assert undocumented(file, SOURCES[file]) == []


@EVERY_FILE
def test_annotations_are_not_evaluated(file):
    assert not lacks_future_annotations(SOURCES[file])


def test_parsers_do_not_import_each_other():
    assert unit_faults("parsers", SOURCES, lambda text: defines(text, "SPEC")) == []


def test_rules_do_not_import_each_other():
    assert unit_faults("evidence", SOURCES, lambda text: defines(text, "RULE")) == []


def test_report_sections_do_not_import_each_other():
    assert unit_faults("report/sections", SOURCES, lambda text: defines(text, "SECTION")) == []


def test_commands_do_not_import_each_other():
    assert unit_faults("cli", SOURCES, defines_command, frozenset({"main", "base"})) == []


def test_files_are_small():
    lines = {file: text.count("\n") for file, text in SOURCES.items()}
    assert {file: count for file, count in lines.items() if count > MAX_LINES} == {}
    assert statistics.median(lines.values()) <= MAX_MEDIAN_LINES


def test_the_package_can_be_run_as_a_module():
    assert "__main__.py" in FILES


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from ibforensic.cli.main import main; main(['--help'], standalone_mode=False); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_opening_snapshots_loads_neither_statistics_nor_made_up_fabrics():
    code = (
        "import sys; import ibforensic.pipeline; "
        "print([name for name in ('scipy', 'ibforensic.simulate') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
