"""The command ``check`` as a user runs it."""

from __future__ import annotations

import csv
import json

import pytest

from ibforensic.cli.main import main
from ibforensic.model.resources import samples_dir
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident

CURRENT = str(samples_dir() / "uplink-errors" / "current")


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as leaving:
        main(list(args))
    return int(leaving.value.code or 0)


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A small fabric in which nothing ever went wrong."""
    folder = tmp_path_factory.mktemp("calm")
    write_incident(
        folder, seed=3, faults=[Fault(FaultKind.RENAME_HOST)], leaves=1, spines=1, hosts_per_leaf=2
    )
    return folder / "current"


def test_the_bad_link_is_named_first_and_the_inventory_follows(capsys):
    assert run("check", "-q", CURRENT) == 1
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert "spine-01/U1 port 4" in lines[0]
    assert len(lines) <= 25
    assert any(line.startswith("Inventory") and "switches" in line for line in lines)
    assert any("baseline  none" in line for line in lines)
    assert said.err == ""


def test_nobody_exits_0(calm, capsys):
    assert run("check", "-q", str(calm)) == 0
    assert capsys.readouterr().out.startswith("Nobody stands out")


def test_what_holds_no_counters_exits_3(calm, tmp_path, capsys):
    text = (calm / "ibdiagnet2.db_csv").read_text()
    head, _, rest = text.partition("START_PM_INFO")
    (tmp_path / "ibdiagnet2.db_csv").write_text(head + rest.partition("END_PM_INFO")[2])
    assert run("check", "-q", str(tmp_path)) == 3
    assert capsys.readouterr().out.startswith("Cannot judge")


def test_what_cannot_be_read_exits_2(tmp_path, capsys):
    assert run("check", "-q", str(tmp_path)) == 2
    assert "help: " in capsys.readouterr().err


def test_exit_zero_and_strict(calm, tmp_path, capsys):
    assert run("check", "-q", "--exit-zero", CURRENT) == 0
    whole = (calm / "ibdiagnet2.db_csv").read_text()
    (tmp_path / "ibdiagnet2.db_csv").write_text(whole[: len(whole) // 2])
    assert run("check", "-q", "--strict", str(tmp_path)) == 2
    assert "cut" in capsys.readouterr().err


def test_the_files_that_were_asked_for(tmp_path, capsys):
    html, ports = tmp_path / "report.html", tmp_path / "ports.csv"
    assert run("check", "-q", CURRENT, "--html", str(html), "--ports", str(ports), "--json", "-") == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["kind"]) == ("ibforensic.diff/1", "check")
    assert document["baseline"] is None
    assert {"id", "title", "columns", "rows", "count", "unit", "note", "level"} == set(
        document["inventory"][0]
    )
    page = html.read_text(encoding="utf-8")
    assert "spine-01/U1 port 4" in page
    assert "Links that went down" in page
    rows = list(csv.DictReader(ports.read_text().splitlines()))
    assert "rate_gbps_before" not in rows[0]
    assert rows[0]["suspect"] == "1"


def test_all_prints_every_list(capsys):
    assert run("check", "-q", "--all", CURRENT) == 1
    out = capsys.readouterr().out
    assert "Rates of links" in out
    assert "(0 " not in out
    assert "(- " not in out
    assert "ports judged" not in out


def test_a_snapshot_is_judged_like_the_raw_output_it_was_made_of(tmp_path, capsys):
    path = str(tmp_path / "current.ibf")
    assert run("snapshot", "-q", CURRENT, "--output", path) == 0
    capsys.readouterr()
    found = []
    for source in (CURRENT, path):
        run("check", "-q", source, "--json", "-")
        document = json.loads(capsys.readouterr().out)
        found.append((document["suspects"], document["inventory"]))
    assert found[0] == found[1]


def test_an_input_is_never_written_over(calm, capsys):
    assert run("check", "-q", str(calm), "--html", str(calm / "ibdiagnet2.db_csv")) == 2
    assert "not written" in capsys.readouterr().err
