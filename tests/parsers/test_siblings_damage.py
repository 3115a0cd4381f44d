"""Hostile files of all siblings: very long lines, bytes that are not UTF-8, repeated files, cuts anywhere."""

from __future__ import annotations

import random

import pytest
from siblings_files import FIXTURES, fixture

from ibforensic.parsers import parsers

NAMES = ("cables", "net_dump_ext", "pm", "lst", "nodes_info", "sm", "pkey", "vports", "rnc2")
SIBLINGS = {parser.spec.name: parser for parser in parsers() if parser.spec.name in NAMES}
WHOLE = [
    (name, path.relative_to(FIXTURES).as_posix())
    for name in NAMES
    for path in sorted((FIXTURES / name).glob("small.*"))
]
EACH = pytest.mark.parametrize(("name", "file"), WHOLE)
LONG = 1_000_000
LINES = (
    b" " * LONG,
    b"a" * LONG,
    b"  Full a" + b" " * LONG,
    b"\t" + b"VPort1: Guid=" + b"0" * LONG,
    b"# Running version   :" + b" " * LONG + b"x",
    b"{ CA Ports:01 SystemGUID:1 NodeGUID:1 PortGUID:1 VenID:1 DevID:1 Rev:1 {" + b"} LID:1 " * (LONG // 8),
    b"Port=1 Lid=0x1 GUID=" + b"f" * LONG,
    b"RX1 Power: " + b"1" * LONG,
    b"link_down_counter=0x" + b"f" * LONG,
    b" : " * (LONG // 3),
    b"-" * LONG,
)


def rows(parsed) -> int:
    """Count all rows but those of runs."""
    return sum(table.num_rows for name, table in parsed.tables.items() if name != "runs")


@EACH
@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:12].decode().strip() or "blank")
def test_a_line_of_a_million_characters_does_no_harm(name, file, line):
    data = fixture(file)
    whole = SIBLINGS[name].parse("f", data)
    at = data.index(b"\n", len(data) * 2 // 3) + 1
    parsed = SIBLINGS[name].parse("f", data[:at] + line + b"\n" + data[at:])
    assert rows(parsed) <= rows(whole) + 1
    assert all(len(note.message) < 500 for note in parsed.notes)


@EACH
def test_bytes_that_are_not_utf8_are_told(name, file):
    data = fixture(file)
    parsed = SIBLINGS[name].parse(
        "f", data.replace(b"mlx5_0", b"mlx\xff_0").replace(b"generated", b"gener\xe4ted")
    )
    assert f"{name}.not_utf8" in [note.code for note in parsed.notes]
    assert rows(parsed) == rows(SIBLINGS[name].parse("f", data))


@EACH
def test_a_file_twice_in_one_adds_nothing_new(name, file):
    data = fixture(file)
    parsed, once = (SIBLINGS[name].parse("f", text) for text in (data + data, data))
    if name == "net_dump_ext":  # flat rows carry their line: both are kept, as read
        assert rows(parsed) == 2 * rows(once)
    else:
        assert rows(parsed) == rows(once)


@EACH
def test_a_file_cut_anywhere_gives_no_more_than_the_whole(name, file):
    data = fixture(file)
    whole = rows(SIBLINGS[name].parse("f", data))
    chance = random.Random(file)
    for at in sorted(chance.sample(range(len(data)), 60)):
        parsed = SIBLINGS[name].parse("f", data[:at])
        assert rows(parsed) <= whole
        assert parsed.whole == (at >= data.index(b"# File closed at :") + 18)


@EACH
def test_a_value_that_is_cut_is_never_used(name, file):
    data = fixture(file)
    whole = SIBLINGS[name].parse("f", data)
    known = {
        table: {tuple(map(repr, row.items())) for row in whole.tables[table].to_pylist()}
        for table in whole.tables
    }
    body = data.index(b"\n\n\n")
    for at in range(body, data.index(b"# File closed"), 7):
        for table, found in SIBLINGS[name].parse("f", data[:at]).tables.items():
            if table == "runs":
                continue
            for row in found.to_pylist():
                kept = {key: value for key, value in row.items() if value is not None}
                assert any(all(f"{item!r}" in full for item in kept.items()) for full in known[table])
