"""``perf`` of runs that got no verdict says so first, with the largest change."""

from __future__ import annotations

import pytest

from ibforensic.cli.main import main
from ibforensic.model.document import Json
from ibforensic.pipeline import perf, snapshot
from ibforensic.report.ladder import headline, render_ladder

HEAD = "host,metric,value,unit,better\n"


def table(path, **metrics: float):
    """Write a table of results of one host: metric → value, higher is better."""
    rows = (f"gpu01,{metric},{value},Gb/s,higher\n" for metric, value in metrics.items())
    path.write_text(HEAD + "".join(rows))
    return path


def document(folder, before: dict[str, float], after: dict[str, float]) -> Json:
    sides = [table(folder / f"{name}.csv", **values) for name, values in (("b", before), ("c", after))]
    return perf(snapshot([sides[0]]), [snapshot([sides[1]])])


def said_by(*arguments: object, capsys) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as leaving:
        main(["perf", *map(str, arguments)])
    said = capsys.readouterr()
    return int(leaving.value.code or 0), said.out, said.err


def test_single_runs_are_said_first_with_the_largest_change(tmp_path, capsys):
    document(tmp_path, {"bandwidth": 200.0, "gemm": 100.0}, {"bandwidth": 142.0, "gemm": 99.0})
    code, out, _ = said_by(tmp_path / "b.csv", tmp_path / "c.csv", capsys=capsys)
    assert code == 3
    first = " ".join(out.split("\n\n")[0].split())
    assert first.startswith("No verdict: single runs only; the largest change is -29.0 % (")
    assert "200 → 142 Gb/s" in first


def test_an_improvement_can_be_the_largest_change(tmp_path):
    made = document(tmp_path, {"bandwidth": 100.0, "gemm": 100.0}, {"bandwidth": 150.0, "gemm": 95.0})
    assert "+50.0 %" in headline(made["ladder"])


def test_where_no_value_has_a_like_one_nothing_could_be_compared(tmp_path):
    made = document(tmp_path, {"bandwidth": 100.0}, {"gemm": 100.0})
    assert headline(made["ladder"]) == "Nothing could be compared rung by rung."


def test_rungs_without_data_share_a_line_unless_all_is_wanted(tmp_path):
    made = document(tmp_path, {"bandwidth": 100.0}, {"bandwidth": 90.0})
    bare = [rung for rung in made["ladder"]["rungs"] if rung["state"] == "not_collected"]
    short = render_ladder(made, width=100)
    assert f"- {len(bare)} rungs without any data (--all says what to collect)" in short
    assert not any(rung["title"]["text"] in short for rung in bare)
    long = render_ladder(made, width=1000, every=True)
    assert all(rung["help"]["text"] in long for rung in bare)


def test_copies_of_a_file_count_once_and_that_is_said(tmp_path, capsys):
    before = table(tmp_path / "b.csv", bandwidth=200.0)
    after = table(tmp_path / "c.csv", bandwidth=142.0)
    copy = table(tmp_path / "d.csv", bandwidth=142.0)
    lists = ("--baseline", before, before, before, "--current", after, copy, after)
    code, out, err = said_by(*lists, capsys=capsys)
    assert code == 3
    assert "single runs only" in out
    told = [line for line in err.splitlines() if "the same content" in line]
    assert len(told) == 2
    assert "d.csv" in told[1]
