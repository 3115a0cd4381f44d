"""What copying does to text: UTF-16, NUL bytes, CR; and files that by their name should be known."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest
from raw_output import db_csv, ibstat, net_dump, perfquery, write

from ibforensic.capture import capture

FORMATS = {
    "ibdiagnet2.db_csv": (db_csv(), "nodes"),
    "ibdiagnet2.net_dump": (net_dump(), "ports"),
    "port.txt": (perfquery(), "counters_pma"),
    "node.ibstat": (ibstat(), "hosts"),
}
CODINGS = {
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be with mark": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "utf-16-le without mark": lambda text: text.encode("utf-16-le"),
    "utf-16-be without mark": lambda text: text.encode("utf-16-be"),
    "utf-32": lambda text: text.encode("utf-32"),
    "as PowerShell writes it": lambda text: text.replace("\n", "\r\n").encode("utf-16"),
}


def one(folder, name, data):
    """Capture one file; return its record, tables and notes."""
    sample = capture(write(folder, {name: data}) / name).samples[0]
    return sample.sources[0], sample.tables, {note.code: note for note in sample.notes}


def content(tables, name):
    return tables[name].to_pydict()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("coding", CODINGS)
def test_wide_text_is_read_by_every_parser_and_kept_as_it_was(tmp_path, name, coding):
    data, table = FORMATS[name]
    wide = CODINGS[coding](data.decode())
    source, tables, notes = one(tmp_path / "wide", name, wide)
    assert source.outcome == "parsed"
    assert source.sha256 == hashlib.sha256(wide).hexdigest()
    assert content(tables, table) == content(one(tmp_path / "plain", name, data)[1], table)
    assert "capture.utf16" in notes


@pytest.mark.parametrize("name", FORMATS)
def test_cr_alone_ends_lines(tmp_path, name):
    data, table = FORMATS[name]
    source, tables, notes = one(tmp_path / "cr", name, data.replace(b"\n", b"\r"))
    assert source.outcome == "parsed"
    assert content(tables, table) == content(one(tmp_path / "plain", name, data)[1], table)
    assert "capture.line_ends" in notes


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("nul", [b"\0", b"\0" * 4096], ids=["one", "a block"])
def test_nul_bytes_in_a_text_are_left_out_and_told(tmp_path, name, nul):
    data, table = FORMATS[name]
    at = data.index(b"\n", len(data) // 3)
    source, tables, notes = one(tmp_path / "nul", name, data[:at] + nul + data[at:])
    assert source.outcome == "parsed"
    assert content(tables, table) == content(one(tmp_path / "plain", name, data)[1], table)
    note = notes["capture.nul_bytes"]
    assert (note.level, note.path, note.line) == ("warning", name, data.count(b"\n", 0, at) + 1)


def test_programs_and_pictures_are_no_text(tmp_path):
    binary = bytes(range(256)) * 20 + db_csv()
    folder = write(tmp_path, {"ibdiagnet2.db_csv": db_csv(), "core.bin": binary, "zeros": b"\0" * 100})
    sample = capture(folder).samples[0]
    assert {one.path: one.outcome for one in sample.sources} == {
        "core.bin": "unknown",
        "ibdiagnet2.db_csv": "parsed",
        "zeros": "unknown",
    }
    assert not [note for note in sample.notes if note.code == "capture.nul_bytes"]


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("ibdiagnet2.db_csv", b"<html>moved</html>\n", "begins with: <html>moved"),
        ("old.db_csv", bytes(range(256)), "no text"),
        ("ibdiagnet2.net_dump", b"\0" * 50, "NUL bytes alone"),
        ("x.net_dump_ext", b" \n\n", "blanks alone"),
        ("ibdiagnet2.log", b"\x1b[31mhello\n", "\\x1b"),
        ("ibdiagnet2.pm", b"nothing\n", "nothing"),
    ],
)
def test_a_known_name_with_other_content_is_a_warning_that_says_why(tmp_path, name, data, why):
    folder = write(tmp_path, {"port.txt": perfquery(), name: data})
    notes = [note for note in capture(folder).samples[0].notes if note.path == name]
    assert [(note.code, note.level) for note in notes] == [("capture.not_understood", "warning")]
    assert why in notes[0].message


@pytest.mark.parametrize("name", ["opensm.log", "readme.txt", "db_csv.md"])
def test_other_names_promise_nothing(tmp_path, name):
    folder = write(tmp_path, {"ibdiagnet2.db_csv": db_csv(), name: b"words\n"})
    assert [note.code for note in capture(folder).samples[0].notes] == ["capture.unknown_format"]


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ("2031-01-01 10:00:00", "without a time zone"),
        ("2031-01-01 10:00:00 KST", "time zone KST"),
        ("Jan  1 10:00:00 2031", "no known form"),
        ("99999-01-01 10:00:00 UTC +0000", "no known form"),
        ("2031-02-30 10:00:00 UTC +0000", "no date"),
    ],
)
def test_a_date_that_cannot_be_used_is_told_with_its_line(tmp_path, printed, why):
    for name, data, code in (
        ("ibdiagnet2.db_csv", db_csv(), "db_csv.time_unknown"),
        ("ibdiagnet2.net_dump", net_dump(), "capture.time_unknown"),
    ):
        whole = b"2031-01-01 10:00:00 UTC +0000"
        line = data[: data.index(whole)].count(b"\n") + 1
        source, _, notes = one(tmp_path / name, name, data.replace(whole, printed.encode(), 1))
        assert source.own_time is None
        assert (notes[code].level, notes[code].path, notes[code].line) == ("warning", name, line)
        assert printed in notes[code].message
        assert why in notes[code].message


@pytest.mark.parametrize(
    ("db", "sibling", "odd"),
    [
        ("2031-01-01 10:00:00", "2031-01-01 10:00:00", None),
        ("2031-01-01 10:00:00", "2040-01-01 10:00:00", None),
        ("2031-01-01 10:00:00", "2061-01-01 10:00:00", "ibdiagnet2.net_dump"),
        ("2061-01-01 10:00:00", "2031-01-01 10:00:00", "ibdiagnet2.db_csv"),
        ("2101-01-01 10:00:00", "2101-01-01 10:00:00", "ibdiagnet2.db_csv"),
    ],
)
def test_a_time_in_the_far_future_is_a_warning(tmp_path, db, sibling, odd):
    folder = write(
        tmp_path, {"ibdiagnet2.db_csv": db_csv(db), "ibdiagnet2.net_dump": net_dump(sibling, sibling)}
    )
    sample = capture(folder).samples[0]
    notes = [note for note in sample.notes if note.code == "capture.far_future"]
    assert sample.window.began_at == datetime.fromisoformat(db).replace(tzinfo=UTC)
    assert bool(notes) is (odd is not None)
    assert all(note.level == "warning" and odd in note.message for note in notes)
