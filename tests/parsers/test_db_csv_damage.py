"""Damaged db_csv files: the good part is used, each damage is told once with its line, nothing raises."""

from __future__ import annotations

import pytest
from conftest import MINI, mini_file
from db_csv_files import HOST, LEAF, NODES, RUN, build, codes, column
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.parsers.db_csv import parse

LINKS = ("NodeGuid1,PortNum1,NodeGuid2,PortNum2", f"{LEAF},1,{HOST},1", f"{LEAF},2,{HOST},2")
WHOLE = build(("RUN_INFO", RUN), ("NODES", NODES), ("LINKS", LINKS))


def test_crlf_is_told_once_and_the_index_still_holds():
    parsed = parse("x", WHOLE.replace(b"\n", b"\r\n"))
    assert codes(parsed) == ["db_csv.line_ends"]
    assert parsed.whole
    assert parsed.tables["links"].drop_columns(["source"]) == parse("x", WHOLE).tables["links"].drop_columns(
        ["source"]
    )


def test_a_byte_order_mark_does_not_matter():
    assert parse("x", b"\xef\xbb\xbf" + WHOLE).notes == ()


def test_a_cut_file_is_known_by_its_head():
    cut = WHOLE[: WHOLE.index(f"{LEAF},2".encode()) + 25]
    parsed = parse("x", cut)
    assert not parsed.whole
    assert column(parsed, "links", "port_num_a") == [1]
    assert codes(parsed) == ["db_csv.file_cut", "db_csv.section_cut"]
    assert "LINKS has no END_ line; 1 of" in parsed.notes[1].message
    assert parsed.notes[0].line == cut.count(b"\n") + 1


def test_a_file_cut_between_sections_is_known_by_its_head():
    parsed = parse("x", WHOLE[: WHOLE.index(b"START_LINKS")])
    assert not parsed.whole
    assert codes(parsed) == ["db_csv.file_cut"]


def test_a_section_cut_in_its_header_is_not_an_empty_section():
    parsed = parse("x", WHOLE[: WHOLE.index(b"PortNum2\n")])
    assert "links" not in parsed.tables
    assert "db_csv.header_cut" in codes(parsed)


def test_a_lost_end_line_costs_no_row():
    parsed = parse("x", WHOLE.replace(b"END_NODES\n", b"# a comment\n"))
    assert column(parsed, "nodes", "node_guid") == [LEAF, HOST]
    cut = next(note for note in parsed.notes if note.code == "db_csv.section_cut")
    assert "2 of 2 rows" in cut.message
    assert cut.line == WHOLE[: WHOLE.index(b"START_NODES")].count(b"\n") + 1


@pytest.mark.parametrize("title", [b"NODES\n", b"_NODES\n", b"ODES\n"])
def test_a_damaged_start_line_costs_no_row(title):
    parsed = parse("x", WHOLE.replace(b"START_NODES\n", title))
    assert column(parsed, "nodes", "node_guid") == [LEAF, HOST]
    assert "db_csv.start_rebuilt" in codes(parsed)


def test_a_lost_start_line_is_found_by_the_index():
    parsed = parse("x", WHOLE.replace(b"START_NODES\n", b""))
    assert column(parsed, "nodes", "node_guid") == [LEAF, HOST]
    assert "db_csv.start_rebuilt" in codes(parsed)


@pytest.mark.parametrize("title", [b"NODES", b"_NODES", b"ALL_OF_THEM"])
def test_a_title_without_start_is_found_without_an_index(title):
    whole = build(("NODES", NODES), ("NODES_AGAIN", ("A",)), index=False)
    parsed = parse("x", whole.replace(b"START_NODES\n", title + b"\n"))
    assert parsed.tables["nodes"].num_rows == 2
    assert codes(parsed) == ["db_csv.start_rebuilt"]


def test_a_lost_start_line_is_told_where_no_index_helps():
    whole = build(("NODES", NODES), index=False)
    parsed = parse("x", whole.replace(b"START_NODES\n", b""))
    assert "nodes" not in parsed.tables
    note = next(note for note in parsed.notes if note.code == "db_csv.end_without_start")
    assert note.line == whole[: whole.index(b"END_NODES")].count(b"\n")
    assert not parsed.whole


def test_both_copies_of_a_section_are_used():
    parsed = parse("x", build(("NODES", NODES), ("NODES", NODES)))
    assert column(parsed, "nodes", "line") == [6, 7, 13, 14]
    assert codes(parsed) == ["db_csv.section_twice"]


def test_the_index_finds_an_edited_section_once():
    edited = WHOLE.replace(b"calc-1", b"calc-1000")
    (note,) = parse("x", edited).notes
    assert (note.code, "NODES holds" in note.message) == ("db_csv.index_differs", True)


def test_the_index_finds_a_shift_once():
    edited = WHOLE.replace(b"START_NODES", b"# added by hand\nSTART_NODES")
    (note,) = parse("x", edited).notes
    assert "NODES begins 16 bytes and 1 lines off" in note.message


@pytest.mark.parametrize("name", [b"a", b"a-much-longer-name"])
def test_an_edited_file_is_not_cut_and_told_once(name):
    names = ("Name", "calc-1")
    sections = [(f"NAMES_{number}", names) for number in range(5)]
    edited = build(("RUN_INFO", RUN), ("LINKS", LINKS), *sections).replace(b"calc-1", name)
    parsed = parse("x", edited)
    assert parsed.whole
    (note,) = parsed.notes
    assert note.code == "db_csv.index_differs"
    assert "5 sections have as many rows" in note.message
    assert note.message.endswith("NAMES_0, NAMES_1, NAMES_2 and 2 more")


def test_rows_taken_out_are_told_of_their_section_and_the_file_is_not_cut():
    row = f"{LEAF},1,{HOST},1\n".encode()
    edited = (
        WHOLE.replace(row, b"")
        .replace(b"calc-1", b"c")
        .replace(b"# INDEX_TABLE offset:", b"# INDEX_TABLE offset:9")
    )
    parsed = parse("x", edited)
    assert parsed.whole
    assert codes(parsed) == ["db_csv.index_differs", "db_csv.index_differs"]
    assert "LINKS holds 1 rows" in parsed.notes[0].message


def test_the_index_finds_sections_that_came_and_went():
    entry = WHOLE[WHOLE.index(b"LINKS,") :].split(b"\n")[0]
    gone = WHOLE.replace(entry, entry.replace(b"LINKS", b"LOOPS"))
    messages = [note.message for note in parse("x", gone).notes]
    assert messages == [
        "LINKS is not in the INDEX_TABLE",
        "the INDEX_TABLE lists LOOPS, which is not in the file",
    ]


def test_a_cut_index_denies_no_section():
    parsed = parse("x", WHOLE[: WHOLE.index(b"LINKS,")])
    assert codes(parsed) == ["db_csv.section_cut"]
    assert "INDEX_TABLE is cut" in parsed.notes[0].message
    assert not parsed.whole


def test_a_promised_index_that_is_missing_is_told():
    begin = WHOLE.index(b"START_INDEX_TABLE")
    parsed = parse("x", WHOLE[:begin] + b"# " + b"-" * 300 + b"\n")
    assert codes(parsed) == ["db_csv.no_index"]
    assert not parsed.whole


@pytest.mark.parametrize(
    "bad",
    [
        '"calc-2 mlx5_0",1,1',
        '"calc-2, mlx5_0,1,1,1,0x1,0x1,0x1,4129,713',
        f'"calc-2",1,1,1,{HOST},{HOST},{HOST},4129,713,1,2,3',
    ],
)
def test_a_bad_row_costs_itself_only(bad):
    parsed = parse("x", build(("NODES", (NODES[0], NODES[1], bad, NODES[2]))))
    assert column(parsed, "nodes", "node_guid") == [LEAF, HOST]
    assert column(parsed, "nodes", "line") == [6, 8]
    (note,) = parsed.notes
    assert (note.code, note.line) == ("db_csv.bad_row", 7)


def test_many_bad_rows_are_counted():
    parsed = parse("x", build(("NODES", (NODES[0], *["0x1"] * 400, NODES[2]))))
    assert column(parsed, "nodes", "node_guid") == [HOST]
    assert codes(parsed) == ["db_csv.bad_row"] * 5 + ["db_csv.bad_rows"]
    assert parsed.notes[-1].message.startswith("395 more rows")


def test_blank_lines_and_comments_between_rows_are_no_rows():
    parsed = parse(
        "x", build(("NODES", (NODES[0], "", NODES[1], "# words, and, more", NODES[2])), index=False)
    )
    assert column(parsed, "nodes", "line") == [4, 6]
    assert parsed.notes == ()


def test_bytes_that_are_not_utf8_are_shown():
    data = build(("NODES", NODES), ("ODD", ("A", "b\u00e4")), index=False).replace("\u00e4".encode(), b"\xe4")
    parsed = parse("x", data.replace(b"calc-1", b"c\xfflc-1"))
    assert column(parsed, "nodes", "node_name")[1] == "c\\xfflc-1 mlx5_0"
    assert parsed.raw["ODD"]["A"].to_pylist() == ["b\\xe4"]
    (note,) = parsed.notes
    assert (note.code, note.line) == ("db_csv.not_utf8", 4)


def test_rows_without_identity_are_left_out_and_told():
    rows = (f"{LEAF},1,{HOST},1", f"nobody,1,{HOST},2", f"{LEAF},N/A,{HOST},3", f"0x0,1,{HOST},4")
    parsed = parse("x", build(("LINKS", (LINKS[0], *rows))))
    assert column(parsed, "links", "line") == [6]
    (note,) = parsed.notes
    assert (note.code, note.line) == ("db_csv.no_key", 7)


def test_masked_guids_are_kept_and_told_once():
    parsed = parse("x", build(("LINKS", (LINKS[0], "0xSW1,1,0xhost1,1", "0xSW1,2,0xhost2,1"))))
    assert set(column(parsed, "links", "node_guid_b")) == {"0xsw1"}
    assert codes(parsed) == ["db_csv.masked_guids"]


def test_unpadded_guids_are_the_same_guids():
    parsed = parse("x", build(("LINKS", (LINKS[0], "0xABC000000000100,1,abc00000000a000,1"))))
    assert column(parsed, "links", "node_guid_a") == [LEAF]
    assert column(parsed, "links", "node_guid_b") == [HOST]


def test_repeated_and_nameless_header_cells_are_kept_apart():
    parsed = parse("x", build(("ODD", ("A,A,,A", "1,2,3,4"))))
    assert parsed.raw["ODD"].column_names[2:] == ["A", "A__2", "column_3", "A__3"]
    assert parsed.raw["ODD"].to_pylist()[0]["A__3"] == "4"


@pytest.mark.parametrize("data", [b"", b"\n", b"START_", b"START_X", b"START_X\nEND_X", b"END_X", b"\0" * 99])
def test_scraps_do_not_raise(data):
    parsed = parse("x", data)
    assert set(parsed.tables) == {"runs"}
    assert parsed.raw == {}
    assert "db_csv.no_sections" in codes(parsed)
    assert not parsed.whole


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, len(WHOLE)))
def test_every_whole_row_before_a_cut_is_kept(at):
    parsed = parse("x", WHOLE[:at])
    for name, rows in (("nodes", NODES[1:]), ("links", LINKS[1:])):
        whole = sum(0 <= WHOLE.find(f"{row}\n".encode()) <= at - len(row.encode()) - 1 for row in rows)
        assert (parsed.tables[name].num_rows if name in parsed.tables else 0) == whole
    assert parsed.whole is (at >= len(WHOLE) - 1)


@pytest.mark.skipif(not MINI.exists(), reason="the reference corpus is not beside this checkout")
@settings(max_examples=40, deadline=None)
@given(share=st.floats(0, 1))
def test_the_example_may_be_cut_anywhere(share):
    data = mini_file("ibdiagnet2.db_csv").read_bytes()
    cut = data[: int(len(data) * share)]
    begin = data.index(b"PortNumber,", data.index(b"START_PM_INFO"))
    begin = data.index(b"\n", begin)
    end = min(len(cut), data.index(b"END_PM_INFO"))
    expected = max(0, data.count(b"\n", begin + 1, end))
    parsed = parse("mini", cut)
    found = (
        [basis for basis in column(parsed, "counters_pma", "basis") if basis == "cumulative"]
        if ("counters_pma" in parsed.tables)
        else []
    )
    assert len(found) == expected


@settings(max_examples=80, deadline=None)
@given(
    at=st.integers(0, len(WHOLE) - 1),
    length=st.integers(0, 40),
    junk=st.binary(max_size=20) | st.sampled_from([b'"', b"\n", b",", b"\r", b"START_", b"END_NODES\n"]),
)
def test_no_edit_raises(at, length, junk):
    parsed = parse("x", WHOLE[:at] + junk + WHOLE[at + length :])
    assert parsed.tables["runs"].num_rows == 1
