"""The page of budgets: each is compared with what was measured, and processes are measured by themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.speed import measure as m
from bench.speed.inputs import SIZES
from bench.speed.measure import Measured, Sized, largest_section, unit_lines
from bench.speed.page import budgets, page
from bench.speed.processes import Took, command
from ibforensic.simulate.topology_spec import parse_spec

NAMES = (m.PYARROW, m.PANDAS, m.DICTS, m.SNAPSHOT, m.WHOLE_SNAPSHOT, m.DIFF, m.DIFF_PHY, m.COMPARE, m.JUDGE)
FAST = Took(1.0, 1.2, 0.5)


def sized(ports: int, **took: Took) -> Sized:
    names = dict.fromkeys((*NAMES, m.PORTS, m.CHECK, m.REPORT), FAST)
    return Sized(ports, 100.0, 40.0, {**names, **took}, 300.0)


@pytest.fixture
def measured():
    return Measured((sized(98_304), sized(196_608)), Took(0.1, 0.1, 0.02), {"pm": 12.0}, (40, 80, 200))


def missed(found: Measured) -> list[str]:
    return [budget.what for budget in budgets(found) if budget.met is False]


def test_all_budgets_are_met_where_everything_is_fast(measured):
    assert missed(measured) == []
    assert len(list(budgets(measured))) == 14


def test_what_is_slow_or_large_is_missed(measured):
    slow = sized(98_304, **{m.DIFF: Took(6.0, 6.0, 0.5), m.SNAPSHOT: Took(2.6, 3.0, 0.5)})
    large = sized(196_608, **{m.DIFF_PHY: Took(2.0, 2.0, 4.5)})
    found = replace(measured, sizes=(slow, large), formats={"pm": 12.0, "sm": 7.0})
    assert missed(found) == [
        "snapshot, 98,304 ports",
        "text formats",
        "`ibforensic diff`, counters only, 98,304 ports",
        "`ibforensic diff`, with PHY and modules, 196,608 ports",
    ]


def test_a_small_file_is_not_held_to_the_ratio(measured):
    small = sized(4_096, **{m.SNAPSHOT: Took(9.0, 9.0, 0.1)})
    assert missed(replace(measured, sizes=(small,))) == []


def test_the_page_has_every_figure(measured):
    text = page(measured)
    assert "| `ibforensic --help` | 0.15 s | 0.10 s | yes |" in text
    assert "## 98,304 ports" in text
    assert f"| {m.SNAPSHOT} | 1.00 | 1.20 | 0.50 | 100.0 | 1.00 |" in text
    assert "| pm | 12.0 |  |" in text


def test_the_largest_section_of_a_file_is_found(tmp_path):
    path = tmp_path / "ibdiagnet2.db_csv"
    path.write_bytes(b"# head\n\nSTART_A\nx\nEND_A\n\nSTART_B\nx,y\n1,2\n3,4\nEND_B\n")
    assert largest_section(path) == len(b"x,y\n1,2\n3,4\nEND_B\n")


def test_a_command_is_measured_and_must_end_as_it_should():
    took = command("--version", codes=(0,))
    assert 0 < took.cpu_s < 30
    assert 0.005 < took.peak_gb < 1
    with pytest.raises(SystemExit, match="exit 2"):
        command("no-such-command", codes=(0,))


def test_every_size_can_be_built():
    cables = {"4k": 2_048, "98k": 49_152, "200k": 98_304}
    for size in SIZES:
        spec = parse_spec(size.topology)
        pods, leaves = spec["pod"] or 1, spec["leaf"]
        up = leaves * spec["spine"] + (spec["core"] * 1 if spec["core"] else 0)
        assert pods * (leaves * spec["hosts"] + up) == cables[size.name]


def test_lines_of_the_package_are_counted():
    lines = unit_lines()
    assert lines == tuple(sorted(lines))
    assert len(lines) > 500
