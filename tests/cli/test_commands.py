"""The commands as a user runs them: exit status, what goes to which stream, files that are written."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ibforensic.cli.main import main
from ibforensic.model.resources import samples_dir
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident

SCENARIO = samples_dir() / "uplink-errors"
BASELINE, CURRENT = str(SCENARIO / "baseline"), str(SCENARIO / "current")


def run(*args: str) -> int:
    """Run a command and return its exit status."""
    with pytest.raises(SystemExit) as leaving:
        main(list(args))
    return int(leaving.value.code or 0)


@pytest.fixture(scope="module")
def healthy(tmp_path_factory):
    """Two samples of a fabric in which nothing went wrong."""
    folder = tmp_path_factory.mktemp("healthy")
    write_incident(folder, seed=3, faults=[Fault(FaultKind.RENAME_HOST), Fault(FaultKind.LID_RESHUFFLE)])
    return folder


def test_the_same_folder_twice_is_read_once_and_said(tmp_path, capsys):
    again = f"{BASELINE}/../{Path(BASELINE).name}"
    assert run("snapshot", BASELINE, again, "--output", str(tmp_path / "x.ibf")) == 0
    said = capsys.readouterr()
    assert "given more than once" in said.err
    assert said.out.endswith(", 1 sample\n")


def test_snapshot_then_diff_names_the_port_first(tmp_path, capsys):
    path = str(tmp_path / "healthy.ibf")
    assert run("snapshot", BASELINE, "--output", path) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"{path}: ")
    assert "59 nodes" in said.out
    assert "reading" in said.err
    html = tmp_path / "report.html"
    assert run("diff", path, CURRENT, "--html", str(html)) == 1
    said = capsys.readouterr()
    first = said.out.splitlines()[0]
    assert "spine-01/U1 port 4" in first
    assert "leaf-02/U1 port 34" in first
    assert len(said.out.splitlines()) <= 25
    assert "spine-01/U1 port 4" in html.read_text(encoding="utf-8")


def test_quiet_prints_the_result_only(capsys):
    assert run("diff", "-q", BASELINE, CURRENT) == 1
    assert capsys.readouterr().err == ""


def test_json_on_standard_output_is_the_document_alone(capsys):
    assert run("diff", "-q", BASELINE, CURRENT, "--json", "-") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "ibforensic.diff/1"
    truth = json.loads((SCENARIO / "truth.json").read_text())["suspect"]
    assert document["suspects"][0]["end"]["node_guid"] == truth["end"]["node_guid"]
    assert document["suspects"][0]["end"]["port"] == truth["end"]["port"]
    assert len(document["suspects"]) == 1


def test_ports_are_written_with_rank_and_rates(tmp_path, capsys):
    path = tmp_path / "ports.csv"
    assert run("diff", "-q", BASELINE, CURRENT, "--ports", str(path)) == 1
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["suspect"] for row in rows[:2]] == ["1", "1"]
    assert float(rows[0]["symbol_error_counter_per_hour"]) > 100
    assert [int(row["rank"]) for row in rows] == list(range(1, len(rows) + 1))
    assert run("diff", "-q", BASELINE, CURRENT, "--ports", str(tmp_path / "ports.doc")) == 2
    assert ".csv" in capsys.readouterr().err


def test_exit_status_follows_the_verdict(healthy, capsys):
    pair = [str(healthy / "baseline"), str(healthy / "current")]
    assert run("diff", "-q", *pair) == 0
    assert run("diff", "-q", BASELINE, CURRENT, "--exit-zero") == 0
    assert run("diff", "-q", *reversed(pair)) == 2
    assert "swapped" in capsys.readouterr().err
    assert run("diff", "-q", pair[0], CURRENT) == 3
    assert "different fabrics" in capsys.readouterr().out


def test_strict_stops_at_what_is_not_understood(tmp_path, capsys):
    folder = tmp_path / "raw"
    folder.mkdir()
    names = ("SymbolErrorCounter", "PortXmitDiscards", "PortXmitData", "PortRcvPkts")
    values = "".join(f"{name}:".ljust(33, ".") + "1\n" for name in names)
    wait = "PortXmitWait:....................0\n"
    block = f"# Port counters: Lid 6 port 1 (CapMask: 0x5A00)\n{values}{{}}{wait}"
    (folder / "perfquery.txt").write_text(block.format("PortNovelty:.....................9\n"))
    order = ("snapshot", "-q", str(folder), "-o", str(tmp_path / "x.ibf"), "--strict", "--force")
    assert run(*order) == 2
    assert "PortNovelty is not known" in capsys.readouterr().err
    (folder / "perfquery.txt").write_text(block.format(""))
    (folder / "poem.txt").write_text("words\n")
    assert run(*order) == 2
    assert "not understood: poem.txt" in capsys.readouterr().err
    (folder / "poem.txt").unlink()
    assert run(*order) == 0


def test_strict_stops_at_a_cut_file(tmp_path, capsys):
    data = (SCENARIO / "current" / "ibdiagnet2.db_csv").read_bytes()
    cut = tmp_path / "ibdiagnet2.db_csv"
    cut.write_bytes(data[: len(data) // 2])
    assert run("snapshot", str(cut), "-o", str(tmp_path / "x.ibf"), "--strict") == 2
    assert not (tmp_path / "x.ibf").exists()
    assert run("snapshot", str(cut), "-o", str(tmp_path / "x.ibf")) == 0
    assert "cut" in capsys.readouterr().err


def test_an_output_that_exists_is_kept_unless_forced(tmp_path, capsys):
    path = tmp_path / "x.ibf"
    assert run("snapshot", "-q", BASELINE, "-o", str(path)) == 0
    assert run("snapshot", "-q", CURRENT, "-o", str(path)) == 2
    assert "--force" in capsys.readouterr().err
    assert run("snapshot", "-q", CURRENT, "-o", str(path), "--force") == 0
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "precious").touch()
    assert run("snapshot", "-q", CURRENT, "-o", str(tmp_path / "folder"), "--force") == 2
    assert (tmp_path / "folder" / "precious").exists()


def test_verify_tells_whole_from_damaged(tmp_path, capsys):
    path = tmp_path / "x.ibf"
    run("snapshot", "-q", BASELINE, "-o", str(path))
    assert run("verify", str(path)) == 0
    table = path / "sample=0000" / "nodes.parquet"
    table.write_bytes(table.read_bytes()[:-10])
    assert run("verify", str(path)) == 2
    assert "nodes.parquet" in capsys.readouterr().out
    assert run("show", "-q", str(path), "nodes") == 2


def test_show_finds_rows_by_any_cell(capsys):
    assert run("show", "-q", BASELINE) == 0
    assert "counters_pma" in capsys.readouterr().out
    assert run("show", "-q", BASELINE, "ports", "--where", "B24D0F0", "--csv") == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert rows
    assert all("B24D0F0" in row["port_label"] + (row["peer_label"] or "") for row in rows)
    assert run("show", "-q", BASELINE, "nonsense") == 2
    assert "counters_pma" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("topic", "word"),
    [
        ("SymbolErrorCounter", "16 bits"),
        ("link_down", "reboot"),
        ("db_csv", "START_"),
        ("PORTXMITWAIT", "ticks"),
    ],
)
def test_explain_knows_counters_rules_and_formats(topic, word, capsys):
    assert run("explain", topic) == 0
    assert word in capsys.readouterr().out


def test_explain_suggests_what_was_meant(capsys):
    assert run("explain", "symbol_eror_counter") == 2
    assert "symbol_error_counter" in capsys.readouterr().err


def test_demo_writes_everything(tmp_path, capsys):
    assert run("demo", "-q", "--output", str(tmp_path / "demo")) == 1
    assert run("demo", "-q", "--output", str(tmp_path / "demo")) == 1
    assert {path.name for path in (tmp_path / "demo").iterdir()} == {
        "baseline.ibf",
        "current.ibf",
        "ports.csv",
        "report.html",
        "report.json",
    }
    assert str(tmp_path / "demo" / "report.html") in capsys.readouterr().out


def test_demo_runs_the_incident_that_is_named(tmp_path, capsys):
    assert run("demo", "-q", "healthy-busy", "--output", str(tmp_path / "demo")) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Nobody")
    assert said.err == ""


def test_demo_lists_every_sample_and_runs_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("demo", "--list") == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert sorted(listed) == sorted(path.name for path in samples_dir().iterdir())
    assert not list(tmp_path.iterdir())


def test_demo_knows_no_other_incidents(tmp_path, capsys):
    assert run("demo", "../samples", "-o", str(tmp_path / "demo")) == 2
    assert "slow-host" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "args", [["diff"], ["nonsense"], ["snapshot", "/does/not/exist", "-o", "x"], ["--wrong"]]
)
def test_wrong_usage_exits_2_with_a_hint(args, capsys):
    assert run(*args) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "--help" in said.err


def test_a_closed_pipe_ends_quietly():
    command = f"{sys.executable} -m ibforensic explain | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("formats:")
    assert done.stderr == ""


def test_a_fault_of_ours_is_one_line_and_exit_70(monkeypatch, capsys):
    from ibforensic import pipeline

    monkeypatch.setattr(pipeline, "load", lambda *_, **__: 1 / 0)
    assert run("diff", "-q", BASELINE, CURRENT) == 70
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert "Traceback" not in said


def test_an_interrupt_exits_130(monkeypatch):
    from ibforensic import pipeline

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "load", interrupted)
    assert run("diff", "-q", BASELINE, CURRENT) == 130


def test_hostile_names_cannot_drive_the_terminal(tmp_path, capsys):
    for side in ("baseline", "current"):
        folder = tmp_path / side
        folder.mkdir()
        data = (SCENARIO / side / "ibdiagnet2.db_csv").read_bytes()
        (folder / "ibdiagnet2.db_csv").write_bytes(data.replace(b"spine-01", b"\x1b[31m{0}<b>"))
    assert (
        run("diff", str(tmp_path / "baseline"), str(tmp_path / "current"), "--html", str(tmp_path / "r.html"))
        == 1
    )
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "{0}" in said.out
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "\x1b" not in page
    assert "{0}<b>" not in page


def test_the_same_input_gives_the_same_json(tmp_path):
    run("diff", "-q", BASELINE, CURRENT, "--json", str(tmp_path / "a.json"))
    env = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Seoul", "LC_ALL": "C"}
    subprocess.run(
        [
            sys.executable,
            "-m",
            "ibforensic",
            "diff",
            "-q",
            BASELINE,
            CURRENT,
            "--json",
            str(tmp_path / "b.json"),
        ],
        env=env,
        check=False,
        capture_output=True,
    )
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_paths_are_anything(tmp_path: Path):
    folder = tmp_path / "Ergebnis 한글\nzwei"
    folder.mkdir()
    (folder / "db csv (1).txt").write_bytes((SCENARIO / "current" / "ibdiagnet2.db_csv").read_bytes())
    assert run("snapshot", str(folder), "-o", str(folder / "x.ibf")) == 0
    assert run("diff", "-q", BASELINE, str(folder / "x.ibf")) == 1


@pytest.mark.parametrize("option", ["-o", "--output", "--out"])
@pytest.mark.parametrize("command", [("diff", BASELINE, CURRENT), ("check", CURRENT)])
def test_who_looks_for_an_output_option_is_told_those_that_write(command, option, capsys):
    assert run(*command, option, "report.html") == 2
    said = capsys.readouterr().err
    assert "--html" in said
    assert "--json" in said


def test_a_table_of_ports_in_no_known_form_is_called_by_the_name_that_was_given(tmp_path, capsys):
    assert run("check", "-q", CURRENT, "--ports", str(tmp_path / "rates.xlsx")) == 2
    assert capsys.readouterr().err.startswith("error: rates.xlsx: ")
