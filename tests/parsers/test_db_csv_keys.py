"""Rows of a db_csv that cannot be about anything, or say two things about one."""

from __future__ import annotations

import pytest
from db_csv_files import HOST, LEAF, NODES, RUN, build, codes, column

from ibforensic.model.ids import guid
from ibforensic.parsers.db_csv import parse

PORTS = "NodeGuid,PortGuid,PortNum,LID,PortState"
LINKS = "NodeGuid1,PortNum1,NodeGuid2,PortNum2"


def ports(*rows):
    return parse("x", build(("RUN_INFO", RUN), ("PORTS", (PORTS, *rows))))


def test_the_first_of_two_conflicting_rows_is_said_to_count():
    data = build(("RUN_INFO", RUN), ("PORTS", (PORTS, f"{HOST},{HOST},1,6,4", f"{HOST},{HOST},1,7,1")))
    parsed = parse("x", data)
    (note,) = [note for note in parsed.notes if note.code == "db_csv.conflicting_row"]
    assert column(parsed, "ports", "lid") == [6, 7]
    assert note.line == data[: data.index(b",7,1")].count(b"\n") + 1
    assert note.message.startswith("1 row of PORTS")


def test_a_node_with_two_names_is_told():
    twin = NODES[1].replace("MF0;row-1, east", "MF0;row-9, west")
    parsed = parse("x", build(("RUN_INFO", RUN), ("NODES", (*NODES, twin))))
    assert codes(parsed) == ["db_csv.conflicting_row"]


@pytest.mark.parametrize(
    "rows",
    [
        (f"{HOST},{HOST},1,6,4", f"{HOST},{HOST},1,6,4"),
        (f"{HOST},{HOST},1,6,4", f"{HOST},{HOST},2,6,4"),
        (f"{HOST},{HOST},1,6,4", f"{LEAF},{LEAF},1,6,4"),
    ],
    ids=["the same again", "another port", "another node"],
)
def test_rows_that_agree_are_no_conflict(rows):
    assert codes(ports(*rows)) == []


@pytest.mark.parametrize(
    "row",
    [
        f"{HOST}0,{HOST},1,6,4",
        f"0x{'a' * 17},{HOST},1,6,4",
        f"{HOST},{HOST},255,6,4",
        f"{HOST},{HOST},300,6,4",
        f"{HOST},{HOST},-1,6,4",
        f"nonsense,{HOST},1,6,4",
    ],
)
def test_a_row_about_no_port_is_left_out_with_its_line(row):
    data = build(("RUN_INFO", RUN), ("PORTS", (PORTS, f"{LEAF},{LEAF},254,5,4", row)))
    parsed = parse("x", data)
    assert column(parsed, "ports", "port_num") == [254]
    (note,) = [note for note in parsed.notes if note.code == "db_csv.no_key"]
    assert note.line == data[: data.index(row.encode())].count(b"\n") + 1
    assert note.message.startswith("1 row of PORTS")


def test_a_link_to_no_port_is_left_out():
    parsed = parse(
        "x", build(("RUN_INFO", RUN), ("LINKS", (LINKS, f"{LEAF},1,{HOST},1", f"{LEAF},2,{HOST},255")))
    )
    assert column(parsed, "links", "port_num_a") == [1]
    assert codes(parsed) == ["db_csv.no_key"]


def test_masked_guids_are_kept_and_long_ones_are_none():
    assert guid("0xHost1") == "0xhost1"
    assert guid("0x" + "0" * 17) is None
    assert guid("0x" + "f" * 40) is None
