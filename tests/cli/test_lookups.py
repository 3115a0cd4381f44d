"""What people type to find something: sections, codes, tables, words that are nearly right."""

from __future__ import annotations

import pytest

from ibforensic.cli.main import main
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.note_codes import FINDINGS, KINDS
from ibforensic.model.resources import samples_dir
from ibforensic.model.tables import TABLES
from ibforensic.model.terms import OTHER_WORDS
from ibforensic.model.terms import TERMS as FIELD
from ibforensic.parsers import parsers
from ibforensic.parsers.db_csv.registry import MAPPERS
from ibforensic.parsers.overview import facts_of
from ibforensic.report.sections.how_to_read import TERMS

CURRENT = str(samples_dir() / "uplink-errors" / "current")


def run(*args) -> int:
    with pytest.raises(SystemExit) as leaving:
        main(list(args))
    return int(leaving.value.code or 0)


@pytest.mark.parametrize(
    ("name", "tables"),
    [("NODES", "nodes"), ("pm_info", "counters_detail, counters_pma"), ("LINKS", "links")],
)
def test_a_mapped_section_leads_to_its_tables(name, tables, capsys):
    assert run("show", "-q", CURRENT, name) == 2
    assert f"{name} is in the tables: {tables}" in capsys.readouterr().err


def test_no_rows_are_said(capsys):
    assert run("show", "-q", CURRENT, "nodes", "--where", "nobody has this") == 0
    assert capsys.readouterr().out == "0 rows\n"


@pytest.mark.parametrize(
    ("columns", "wide"), [("60", 60), ("200", 200), ("1", 40), ("nonsense", 100), ("", 100)]
)
def test_columns_are_honoured_when_piped(columns, wide, monkeypatch):
    from ibforensic.cli.base import terminal_width

    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("os.get_terminal_size", lambda *_: (_ for _ in ()).throw(OSError()))
    assert terminal_width() == wide


@pytest.mark.parametrize(
    "topic", [*FINDINGS, *(kind for kind in KINDS if "_" in kind), "capture.link", "db_csv.no_key"]
)
def test_every_code_can_be_explained(topic, capsys):
    assert run("explain", topic.replace("*", "links")) == 0
    assert "." in capsys.readouterr().out


@pytest.mark.parametrize("section", sorted(MAPPERS))
def test_every_mapped_section_can_be_explained(section, capsys):
    assert run("explain", section) == 0
    assert section in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "meant"),
    [("por", "ports"), ("symbol_eror_counter", "symbol_error_counter"), ("PM_INF", "PM_INFO")],
)
def test_a_word_that_is_nearly_right_finds_something_near(word, meant, capsys):
    assert run("explain", word) == 2
    assert meant in capsys.readouterr().err


def test_formats_lists_every_format_with_its_versions_and_tables(capsys):
    assert run("explain", "formats") == 0
    said = capsys.readouterr().out
    for parser in parsers():
        spec = parser.spec
        assert f"{spec.name}: {spec.title}" in said
        assert facts_of(spec) in said


def test_show_tells_when_files_without_a_time_were_collected(tmp_path, capsys):
    (tmp_path / "2031-01-05").mkdir()
    (tmp_path / "2031-01-05" / "sminfo.txt").write_text(
        "sminfo: sm lid 1 sm guid 0x0200000000000001, activity count 7 priority 15 state 3 SMINFO_MASTER\n"
    )
    assert run("show", "-q", str(tmp_path)) == 0
    assert "; 2031-01-05 00:00:00 UTC by its name" in capsys.readouterr().out


@pytest.mark.parametrize(
    "word",
    ["severity", "Confidence", "score", "evidence", "suspects", "victim", "baseline", "coverage", "at_least"],
)
def test_words_of_a_report_can_be_explained(word, capsys):
    assert run("explain", word) == 0
    assert "as reports use it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("NIC", "word hca, as reports use it"),
        ("rails", "word rail\n"),
        ("node_guid", "word node GUID\n"),
        ("pre-fec ber", "word raw BER\n"),
        ("EBP", "also called: EBP, end bad packet"),
    ],
)
def test_words_of_the_field_are_explained_by_any_name_they_have(word, told, capsys):
    assert run("explain", word) == 0
    assert told in capsys.readouterr().out


def test_a_word_has_one_meaning_and_is_explained_in_one_place():
    own = [term.word.lower() for terms in FIELD.values() for term in terms]
    reports = [word.lower() for words, _ in TERMS for word in words.split(", ")]
    also = [name.lower() for terms in FIELD.values() for term in terms for name in term.others]
    also += [name.lower() for names in OTHER_WORDS.values() for name in names]
    assert len({*own, *reports, *also}) == len([*own, *reports, *also])
    assert set(OTHER_WORDS) <= set(reports)


def test_a_word_is_explained_as_the_report_explains_it(capsys):
    run("explain", "victim")
    assert dict(TERMS)["victim"] in capsys.readouterr().out
    run("explain", "confidence")
    assert "very likely" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "told"),
    [("dif", "Did you mean diff?"), ("snapshoot", "Did you mean snapshot?"), ("zzz", "diff, explain,")],
)
def test_a_command_that_does_not_exist_leads_to_those_that_do(word, told, capsys):
    assert run(word) == 2
    assert told in capsys.readouterr().err


COLUMNS = sorted(
    {
        (column.name, column.doc)
        for name, table in TABLES.items()
        if "counters_" in name
        for column in table.columns
    }
)


@pytest.mark.parametrize(("column", "doc"), [one for one in COLUMNS if not one[0].endswith("_q")])
def test_every_column_of_a_table_of_counters_can_be_explained(column, doc, capsys):
    assert run("explain", column.upper()) == 0
    told = capsys.readouterr().out
    counted = any(column in {counter.name, counter.ext_name} for counter in CATALOGUE.values())
    assert counted or doc in told


def test_a_column_is_found_in_all_its_tables_at_once(capsys):
    assert run("explain", "retransmission_per_sec") == 0
    assert "in: counters_pma" in capsys.readouterr().out


@pytest.mark.parametrize(("topic", "times"), [("symbol_error_counter", 1), ("severity", 0)])
def test_sources_that_nobody_has_are_explained_once(topic, times, capsys):
    assert run("explain", topic) == 0
    told = capsys.readouterr().out
    assert ("KNOWLEDGE §" in told) is bool(times)
    assert told.count("docs/sources.md") == times
