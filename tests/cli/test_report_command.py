"""``report`` and the outputs of ``diff`` and ``check``: what is written, and what is refused at once."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

from ibforensic import pipeline
from ibforensic.cli.main import main
from ibforensic.model.resources import samples_dir

DOCUMENTS = Path(__file__).parents[1] / "fixtures" / "documents"
DOCUMENT = DOCUMENTS / "1-diff.json"
SLOW = samples_dir() / "slow-host"
PAIR = (SLOW / "baseline", SLOW / "current")


def run(*args) -> int:
    with pytest.raises(SystemExit) as leaving:
        main([str(arg) for arg in args])
    return int(leaving.value.code or 0)


def test_a_saved_document_is_shown_as_it_was(capsys):
    assert run("report", DOCUMENT) == 0
    assert capsys.readouterr().out.startswith("Link spine-01/U1 port 4")


def test_a_document_becomes_a_report_and_a_report_the_document(tmp_path, capsys):
    assert run("report", DOCUMENT, "--html", tmp_path / "r.html") == 0
    capsys.readouterr()
    assert run("report", tmp_path / "r.html", "--json", "-") == 0
    assert capsys.readouterr().out == DOCUMENT.read_text("utf-8")


def test_every_form_is_written(tmp_path, capsys):
    forms = {
        "--html": "r.html",
        "--markdown": "r.md",
        "--json": "r.json",
        "--xlsx": "r.xlsx",
        "--csv": "tables",
    }
    words = [word for option, name in forms.items() for word in (option, tmp_path / name)]
    assert run("report", DOCUMENTS / "1-check.json", *words) == 0
    assert "Report      " in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == set(forms.values())
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"suspects.csv", "changes.csv"}
    assert zipfile.is_zipfile(tmp_path / "r.xlsx")


def test_a_document_may_come_through_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DOCUMENT.read_bytes())))
    assert run("report", "-", "--markdown", "-") == 0
    assert capsys.readouterr().out.startswith("## Link spine-01/U1 port 4")


def test_what_is_no_document_is_refused(tmp_path, capsys):
    cut = tmp_path / "cut.json"
    cut.write_bytes(DOCUMENT.read_bytes()[:5000])
    assert run("report", cut) == 2
    assert "cut short" in capsys.readouterr().err
    assert run("report", PAIR[0]) == 2
    assert "ibforensic diff" in capsys.readouterr().err
    assert run("report", PAIR[0] / "ibdiagnet2.db_csv") == 2
    assert run("report", tmp_path / "none.json") == 2


def test_a_document_is_not_overwritten(tmp_path, capsys):
    copy = tmp_path / "d.json"
    copy.write_bytes(DOCUMENT.read_bytes())
    for option in ("--json", "--html", "--markdown"):
        assert run("report", copy, option, copy) == 2
    assert "input" in capsys.readouterr().err
    assert copy.read_bytes() == DOCUMENT.read_bytes()


def test_diff_writes_tables_a_workbook_and_a_ticket(tmp_path, capsys):
    written = ("--csv", tmp_path / "a" / "b", "--xlsx", tmp_path / "r.xlsx", "--markdown", "-")
    assert run("diff", "-q", *PAIR, *written) == 1
    said = capsys.readouterr()
    assert said.out.startswith("## node00020 mlx5_0 is likely")
    assert said.err == ""
    folder = tmp_path / "a" / "b"
    tables = {path.stem: list(csv.DictReader(io.StringIO(path.read_text()))) for path in folder.iterdir()}
    assert set(tables) == {"suspects", "changes", "ports"}
    assert tables["suspects"][0]["node"] == "node00020 mlx5_0"
    assert tables["ports"][0]["rank"] == "1"
    assert len(tables["ports"]) > 100
    assert b'name="Ports"' in zipfile.ZipFile(tmp_path / "r.xlsx").read("xl/workbook.xml")


def test_check_writes_its_inventory(tmp_path):
    assert run("check", "-q", PAIR[1], "--xlsx", tmp_path / "r.xlsx", "--exit-zero") == 0
    assert b'name="Inventory"' in zipfile.ZipFile(tmp_path / "r.xlsx").read("xl/workbook.xml")


@pytest.mark.parametrize(
    ("option", "name", "word"),
    [
        ("--ports", "ports.xlsx", ".parquet"),
        ("--ports", "-", ".parquet"),
        ("--xlsx", "report.xls", ".xlsx"),
        ("--xlsx", "-", ".xlsx"),
    ],
)
def test_a_name_of_no_use_is_refused_before_anything_is_read(
    option, name, word, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(pipeline, "load", lambda *_, **__: pytest.fail("it was read"))
    monkeypatch.chdir(tmp_path)
    assert run("diff", *PAIR, option, name) == 2
    said = capsys.readouterr().err
    assert word in said
    assert "comparing" not in said
    assert list(tmp_path.iterdir()) == []


def test_two_results_do_not_share_standard_output(monkeypatch, capsys):
    monkeypatch.setattr(pipeline, "load", lambda *_, **__: pytest.fail("it was read"))
    assert run("diff", *PAIR, "--json", "-", "--markdown", "-") == 2
    assert "standard output" in capsys.readouterr().err


def test_html_on_standard_output_is_the_page_alone(capsys):
    assert run("report", DOCUMENT, "--html", "-") == 0
    assert capsys.readouterr().out.rstrip().endswith("</html>")


def test_tables_do_not_go_where_they_would_change_a_snapshot(tmp_path, capsys):
    snapshot = tmp_path / "x.ibf"
    assert run("snapshot", "-q", PAIR[1], "-o", snapshot) == 0
    before = sorted(path for path in snapshot.rglob("*"))
    assert run("diff", "-q", PAIR[0], snapshot, "--csv", snapshot / "tables") == 2
    assert run("report", DOCUMENT, "--csv", DOCUMENT) == 2
    assert sorted(path for path in snapshot.rglob("*")) == before
    assert "snapshot" in capsys.readouterr().err


def test_documents_of_the_fixtures_are_documents():
    assert all("suspects" in json.loads(path.read_text("utf-8")) for path in DOCUMENTS.iterdir())


def test_a_result_given_as_raw_output_is_called_what_it_is(tmp_path, capsys):
    assert run("report", DOCUMENT, "-q", "--html", tmp_path / "r.html") == 0
    for result in (DOCUMENT, tmp_path / "r.html"):
        capsys.readouterr()
        assert run("check", "-q", result) == 2
        assert f"ibforensic report {result}" in capsys.readouterr().err


def test_input_of_no_use_gets_one_short_line_of_help(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("nothing to see\n")
    for source in (tmp_path, tmp_path / "notes.txt"):
        assert run("check", "-q", source) == 2
        error, help_ = capsys.readouterr().err.splitlines()
        assert "nothing in it can be used" in error
        assert "ibdiagnet" in help_
        assert len(help_) <= 160


def test_a_count_that_nothing_tells_is_called_unknown():
    from ibforensic.cli.base import count_text

    assert [count_text("ports_down", count) for count in (None, 0, 1)] == [
        "ports down not known",
        "0 ports down",
        "1 port down",
    ]
