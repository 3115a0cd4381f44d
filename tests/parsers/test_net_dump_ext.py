"""The net_dump_ext parser: all ports with their bit error ratios; blank is not zero."""

from __future__ import annotations

from collections import Counter

import pytest
from conftest import mini_file, real_file
from hypothesis import given, settings
from hypothesis import strategies as st
from siblings_files import HOST_A, LEAF, SPINE, by_port, fixture

from ibforensic.model.enums import Quality
from ibforensic.parsers.net_dump_ext import SPEC, parse

SMALL = fixture("net_dump_ext/small.net_dump_ext")
OLD = fixture("net_dump_ext/old_and_cut.net_dump_ext")
KINDS = ("raw", "effective", "symbol")


def rows(table: str, data: bytes = SMALL) -> dict[tuple[str, int], dict]:
    """Return the rows of a table by port."""
    return by_port(parse("f", data).tables[table])


def ratios(row: dict) -> list[tuple[float | None, bool | None]]:
    """Return the bit error ratios of a row of phy."""
    return [(row[f"{kind}_ber_log10"], row[f"{kind}_ber_none"]) for kind in KINDS]


def test_a_whole_file_gives_no_notes():
    parsed = parse("f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())
    assert parsed.tables["runs"].num_rows == 1


def test_ports():
    row = rows("ports")[LEAF, 2]
    assert (row["state"], row["phys_state"], row["rate_gbps"]) == ("active", "link_up", 400.0)
    assert (row["width_active"], row["speed_active"]) == ("4x", "NDR")
    assert (row["fec"], row["retransmission"]) == ("MLNX_RS_271_257_PLR", "PLR")
    assert (row["port_label"], row["peer_label"]) == ("1/1/2", "B24D0F0/0/0/1")
    assert (row["lid"], row["x_Conn LID"], row["line"]) == (24, "12", 15)
    assert (row["x_Ty"], row["x_Node Desc"]) == ("SW", "MF0;leaf-1:MQM9700/U1")


def test_a_port_that_is_down():
    row = rows("ports")[LEAF, 3]
    assert (row["state"], row["phys_state"], row["port_label"]) == ("down", "polling", "1/2/1")
    for name in ("width_active", "speed_active", "rate_gbps", "fec", "retransmission", "peer_label"):
        assert row[name] is None


def test_a_description_may_hold_the_separator():
    assert rows("ports")[HOST_A, 1]["x_Node Desc"] == "calc-1 : blue mlx5_0"


def test_ratios_and_no_error_seen():
    phy = rows("phy")
    assert ratios(phy[LEAF, 1]) == [(-5.69897, False), (None, True), (None, True)]
    assert ratios(phy[LEAF, 2]) == [(-4.69897, False), (-7.0, False), (-8.522879, False)]


def test_blank_is_not_zero():
    assert set(rows("phy")) == {(LEAF, 1), (LEAF, 2), (LEAF, 4)}
    assert ratios(rows("phy")[LEAF, 4]) == [(None, None), (None, None), (None, True)]
    assert set(rows("counters_phy")) == {(LEAF, 1), (LEAF, 2), (LEAF, 4)}


def test_counts():
    counts = rows("counters_phy")
    assert (counts[LEAF, 2]["phy_symbol_errors"], counts[LEAF, 2]["phy_effective_errors"]) == (12, 44)
    assert (counts[LEAF, 1]["phy_symbol_errors"], counts[LEAF, 1]["phy_symbol_errors_q"]) == (0, Quality.WIDE)
    odd = counts[LEAF, 4]
    assert (odd["phy_symbol_errors"], odd["phy_symbol_errors_q"]) == (None, Quality.UNSUPPORTED)
    assert (odd["phy_effective_errors"], odd["phy_effective_errors_q"]) == (None, Quality.CORRUPT)
    assert (odd["phy_corrected_bits"], odd["phy_corrected_bits_q"]) == (None, Quality.NOT_COLLECTED)
    assert odd["basis"] == "cumulative"


def test_an_old_version_without_symbol_ratio_that_is_cut():
    parsed = parse("f", OLD)
    assert set(by_port(parsed.tables["ports"])) == {(SPINE, 20)}
    assert ratios(by_port(parsed.tables["phy"])[SPINE, 20]) == [
        (-8.0, False),
        (-11.69897, False),
        (None, None),
    ]
    assert by_port(parsed.tables["counters_phy"])[SPINE, 20]["phy_symbol_errors"] == 7
    assert (parsed.whole, [note.code for note in parsed.notes]) == (False, ["net_dump_ext.file_cut"])


def test_one_line_a_plane():
    planes = SMALL.replace(b"SW : 1/1/1            : 1 ", b"SW : sw1p1            : 1 ").replace(
        b"SW : 1/1/2            : 2 ", b"SW : sw1p1            : 2 "
    )
    ports = rows("ports", planes)
    assert [ports[LEAF, number]["port_label"] for number in (1, 2)] == ["sw1p1", "sw1p1"]
    assert rows("phy", planes)[LEAF, 2]["raw_ber_log10"] == -4.69897


def test_columns_are_found_by_name():
    lines = SMALL.decode().split("\n")
    moved = [
        " : ".join([cells[0], "7" if cells[0] != "Ty" else "Plane", *cells[1:]]) if len(cells) > 9 else line
        for line in lines
        for cells in [line.split(" : ")]
    ]
    ports = rows("ports", "\n".join(moved).encode())
    assert ports[LEAF, 1]["x_Plane"] == "7"
    assert ports[HOST_A, 1]["x_Node Desc"] == "calc-1 : blue mlx5_0"
    assert ports[LEAF, 1]["rate_gbps"] == 400.0


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b": 4x      : 100     : 10 ", b": 4x      : 999     : 10 ", "unknown_speed_active"),
        (b": 2e-06 ", b": 2f-06 ", "bad_ber"),
        (b": 44  ", b": 4x4 ", "bad_count"),
        (b": 1   : 0x0abc000000000100", b": 1   : nothing           ", "bad_row"),
        (b"#IB : GUID", b"#IX : GUID", "bad_row"),
    ],
)
def test_what_is_not_known_is_told(old, new, code):
    changed = SMALL.replace(old, new)
    assert changed != SMALL
    notes = parse("f", changed).notes
    assert [note.code for note in notes] == [f"net_dump_ext.{code}"]
    assert notes[0].line >= 13


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("x", SMALL, True),
        ("x", OLD, True),
        ("ibdiagnet2.net_dump_ext", SMALL[: SMALL.index(b"Ty :")], True),
        ("x", SMALL[: SMALL.index(b"Ty :")], False),
        ("ibdiagnet2.net_dump_ext", fixture("net_dump/small.net_dump"), False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


@settings(max_examples=60, deadline=None)
@given(
    at=st.integers(0, len(SMALL)),
    junk=st.binary(max_size=12) | st.sampled_from([b" : ", b"\nTy : #IB : GUID"]),
)
def test_no_edit_raises_and_no_row_is_made_up(at, junk):
    assert parse("f", SMALL[:at] + junk).tables["ports"].num_rows <= 5


def test_a_real_fabric_whose_ratios_were_not_collected():
    parsed = parse("f", (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.net_dump_ext").read_bytes())
    ports = parsed.tables["ports"]
    assert Counter(ports["state"].to_pylist()) == {"active": 528, "down": 313}
    assert parsed.notes == ()
    assert not {"phy", "counters_phy"} & parsed.tables.keys()


def test_the_example():
    data = mini_file("ibdiagnet2.net_dump_ext").read_bytes()
    ports, phy = rows("ports", data), rows("phy", data)
    assert len(ports) == 12
    assert [port for port, row in ports.items() if row["state"] == "down"] == [
        ("0x0200000000000100", 3),
        ("0xf200000000000200", 3),
    ]
    assert len(phy) == 10
    sick = phy["0x020000000000b000", 1]
    assert ratios(sick) == [(-4.69897, False), (-7.0, False), (-8.522879, False)]
    others = [row for port, row in phy.items() if port != ("0x020000000000b000", 1)]
    assert all(ratios(row) == [(-8.0, False), (None, True), (None, True)] for row in others)
