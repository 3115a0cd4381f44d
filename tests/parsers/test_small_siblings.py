"""The parsers of .sm, .pkey, .vports, .vports_pkey and .rnc2."""

from __future__ import annotations

import json

import pytest
from conftest import mini_file, real_file
from siblings_files import HOST_A, HOST_B, LEAF, fixture

from ibforensic.parsers import pkey, rnc2, sm, vports
from ibforensic.parsers.db_csv import parse as parse_db_csv

SM = fixture("sm/small.sm")
PKEY = fixture("pkey/small.pkey")
VPORTS = fixture("vports/small.vports")
VPORTS_PKEY = fixture("vports/small.vports_pkey")
RNC2 = fixture("rnc2/small.rnc2")
WHOLE = [(sm, SM), (pkey, PKEY), (vports, VPORTS), (vports, VPORTS_PKEY), (rnc2, RNC2)]


def documents(parser, data: bytes) -> dict[str, dict]:
    """Return the settings documents by entity."""
    found = parser.parse("f", data).tables["settings"].to_pylist()
    return {row["entity"]: json.loads(row["document"]) for row in found}


@pytest.mark.parametrize(("parser", "data"), WHOLE)
def test_a_whole_file_gives_no_notes(parser, data):
    parsed = parser.parse("f", data)
    assert (parsed.whole, parsed.notes, parsed.tables["runs"].num_rows) == (True, (), 1)


@pytest.mark.parametrize(("parser", "data"), WHOLE)
def test_files_are_claimed_by_content(parser, data):
    assert parser.SPEC.claims("x", data)
    assert parser.SPEC.claims("x", data.replace(b"\n", b"\r\n"))
    for other, text in WHOLE:
        assert other is parser or not other.SPEC.claims("x", data)
        assert other is parser or not parser.SPEC.claims(f"ibdiagnet2.{parser.SPEC.name}", text)


@pytest.mark.parametrize("name", ["sm/cut.sm", "pkey/cut.pkey", "vports/cut.vports", "rnc2/cut.rnc2"])
def test_a_cut_file_is_told(name):
    parser = {"sm": sm, "pkey": pkey, "vports": vports, "rnc2": rnc2}[name.partition("/")[0]]
    parsed = parser.parse("f", fixture(name))
    assert (parsed.whole, [note.code for note in parsed.notes]) == (False, [f"{parser.SPEC.name}.file_cut"])


def test_subnet_managers():
    assert documents(sm, SM) == {
        HOST_A: {"GUID": HOST_A, "SmState": "master", "Priority": "14"},
        HOST_B: {"GUID": HOST_B, "SmState": "standby", "Priority": "3"},
    }
    rows = {row["node_guid"]: row for row in sm.parse("f", SM).tables["settings"].to_pylist()}
    assert (rows[HOST_A]["topic"], rows[HOST_A]["line"]) == ("sm_info", 14)
    assert json.loads(rows[HOST_A]["rest"]) == {"Port": "1", "lid": "0x000a", "dev": "4129"}


def test_no_subnet_manager_is_no_document():
    none = SM[: SM.index(b"  SM -")] + SM[SM.index(b"# File closed") :]
    assert documents(sm, none) == {}
    odd = SM.replace(b"guid=" + HOST_B.encode(), b"guid=?")
    assert set(documents(sm, odd)) == {HOST_A}
    assert [note.code for note in sm.parse("f", odd).notes] == ["sm.bad_line"]


@pytest.mark.parametrize(("parser", "data"), [(sm, SM), (pkey, PKEY)])
def test_a_list_that_is_cut_gives_no_documents(parser, data):
    assert documents(parser, data)
    assert documents(parser, data[: data.index(b"# File closed")]) == {}


def test_partitions():
    full, limited = {"Membership": "full"}, {"Membership": "limited"}
    assert documents(pkey, PKEY) == {
        LEAF: {"PKey=0x7fff": full},
        HOST_A: {"PKey=0x7fff": limited, "PKey=0x00a1": full},
        HOST_B: {"PKey=0x7fff": full},
    }
    rows = {row["entity"]: row for row in pkey.parse("f", PKEY).tables["settings"].to_pylist()}
    assert rows[HOST_A]["topic"] == "pkey"
    assert json.loads(rows[HOST_A]["rest"]) == {
        "name": "calc : 1/mlx5_0/B24D0F0/0/0/1",
        "lid": "0x000a",
        "dev": "4129",
    }


def test_a_member_twice_has_both_memberships_and_a_wrong_count_is_told():
    again = PKEY.replace(
        b"GROUP PKey:0x00A1", b"  Full x lid=0x1 guid=" + HOST_A.encode() + b"\nGROUP PKey:0x00A1"
    )
    assert documents(pkey, again)[HOST_A]["PKey=0x7fff"] == {"Membership": "full,limited"}
    (note,) = pkey.parse("f", again).notes
    assert (note.code, note.line) == ("pkey.wrong_count", 13)
    (note,) = pkey.parse("f", PKEY.replace(b"guid=" + LEAF.encode(), b"guid=none")).notes[:1]
    assert (note.code, note.line) == ("pkey.bad_line", 14)


def test_virtual_ports_are_kept_as_text():
    table = vports.parse("f", VPORTS).raw["VPORTS_TEXT"].to_pylist()
    assert [(row["port_guid"], row["vport"], row["state"]) for row in table] == [
        (HOST_A, "0", "INI"),
        (HOST_A, "1", "ACT"),
        (HOST_B, "0", "ACT"),
    ]
    assert (table[0]["vnode_description"], table[0]["index_top"], table[0]["line"]) == (
        "calc-1, blue HCA-7",
        "1",
        "14",
    )
    members = vports.parse("f", VPORTS_PKEY).raw["VPORTS_PKEY_TEXT"].to_pylist()
    assert [(row["pkey"], row["membership"], row["guid"]) for row in members] == [
        ("0x7fff", "Full", HOST_A),
        ("0x7fff", "Limited", HOST_B),
    ]


def test_a_list_without_virtual_ports_is_claimed_by_name_and_head():
    empty = fixture("vports/none.vports")
    assert vports.SPEC.claims("ibdiagnet2.vports", empty)
    assert vports.SPEC.claims("ibdiagnet2.vports_pkey", empty)
    assert not vports.SPEC.claims("ibdiagnet2.pkey", empty)
    assert not vports.SPEC.claims("ibdiagnet2.vports", b"# some other file\n")
    parsed = vports.parse("f", empty)
    assert (dict(parsed.raw), parsed.notes, parsed.whole) == ({}, (), True)


def test_a_line_without_its_heading_is_told():
    parsed = vports.parse("f", VPORTS.replace(b"Port Name=calc-1", b"Name=calc-1"))
    assert parsed.raw["VPORTS_TEXT"].num_rows == 1
    assert [note.code for note in parsed.notes] == ["vports.bad_line"]
    assert "(and 2 more)" in parsed.notes[0].message


def test_highest_values_are_kept_as_text():
    rows = rnc2.parse("f", RNC2).raw["RNC2_TEXT"].to_pylist()
    assert [(row["heading"], row["name"], row["value"]) for row in rows] == [
        ("", "File version", "1"),
        ("Max Values", "Max Rcv RN Pkt", "0"),
        ("Max Values", "Max Xmit RN Pkt", "17"),
        ("Max Values", "Max Port AR Trails", "N/A"),
    ]


@pytest.mark.parametrize("name", ["gary-ndr", "gary-ndr-ufm-default"])
@pytest.mark.parametrize(("parser", "suffix", "members"), [(sm, "sm", 1), (pkey, "pkey", 272)])
def test_documents_of_a_real_file_equal_those_of_db_csv(name, parser, suffix, members):
    folder = real_file(f"ibdiagnet/{name}")
    parsed = parser.parse("f", (folder / f"ibdiagnet2.{suffix}").read_bytes())
    whole = parse_db_csv("f", (folder / "ibdiagnet2.db_csv").read_bytes())
    ours = parsed.tables["settings"].to_pylist()
    topic = ours[0]["topic"]
    theirs = [row for row in whole.tables["settings"].to_pylist() if row["topic"] == topic]
    compared = ("entity", "node_guid", "port_num", "topic", "document", "fingerprint", "fields")
    one, other = ({row["entity"]: [row[key] for key in compared] for row in rows} for rows in (ours, theirs))
    assert len(one) == members
    assert one == other
    assert parsed.notes == ()


@pytest.mark.parametrize(("name", "vports_found"), [("gary-ndr", 0), ("gary-ndr-ufm-default", 248)])
def test_real_virtual_ports(name, vports_found):
    folder = real_file(f"ibdiagnet/{name}")
    for suffix, section in (("vports", "VPORTS_TEXT"), ("vports_pkey", "VPORTS_PKEY_TEXT")):
        parsed = vports.parse("f", (folder / f"ibdiagnet2.{suffix}").read_bytes())
        assert sum(table.num_rows for table in parsed.raw.values()) == vports_found
        assert set(parsed.raw) <= {section}
        assert (parsed.notes, parsed.whole) == ((), True)


def test_real_highest_values():
    parsed = rnc2.parse("f", (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.rnc2").read_bytes())
    assert parsed.raw["RNC2_TEXT"]["value"].to_pylist() == ["1", "0", "0", "0", "0", *["N/A"] * 5]


def test_the_examples():
    leaf = "0x0200000000000100"
    assert documents(sm, mini_file("ibdiagnet2.sm").read_bytes()) == {
        leaf: {"GUID": leaf, "SmState": "master", "Priority": "12"}
    }
    members = documents(pkey, mini_file("ibdiagnet2.pkey").read_bytes())
    assert len(members) == 6
    assert members["0xf200000000000200"] == {"PKey=0x7fff": {"Membership": "full"}}
