"""The .pm parser: counters in hexadecimal, and why a cell has no value."""

from __future__ import annotations

import pyarrow as pa
import pytest
from conftest import mini_file, real_file
from siblings_files import HOST_A, LEAF, by_port, fixture

from ibforensic.model.counters import in_group, quality_column
from ibforensic.model.enums import CounterGroup, Quality
from ibforensic.parsers.db_csv import parse as parse_db_csv
from ibforensic.parsers.pm import SPEC, parse

SMALL = fixture("pm/small.pm")
CUT = fixture("pm/cut.pm")


def cell(name: str, port: tuple[str, int], table: str = "pma", data: bytes = SMALL) -> tuple:
    """Return value and quality of a counter."""
    row = by_port(parse("f", data).tables[f"counters_{table}"])[port]
    return row[name], row[quality_column(name)]


def test_a_whole_file_gives_no_notes():
    parsed = parse("f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())
    assert set(parsed.tables) == {"counters_pma", "counters_detail", "counters_extended_speeds", "runs"}


@pytest.mark.parametrize(
    ("name", "port", "expected"),
    [
        ("link_downed_counter", (LEAF, 1), (3, Quality.NARROW)),
        ("excessive_buffer_overrun_errors", (LEAF, 1), (15, Quality.SATURATED)),
        ("port_xmit_data", (LEAF, 1), (0xFFFFFFFF, Quality.SATURATED)),
        ("port_xmit_data_ext", (LEAF, 1), (1 << 36, Quality.WIDE)),
        ("port_rcv_errors", (LEAF, 2), (None, Quality.FAILED)),
        ("port_rcv_errors_ext", (LEAF, 2), (None, Quality.FAILED)),
        ("symbol_error_counter", (HOST_A, 1), (65535, Quality.SATURATED)),
        ("symbol_error_counter_ext", (HOST_A, 1), (0, Quality.WIDE)),
        ("port_rcv_errors_ext", (HOST_A, 1), (None, Quality.CORRUPT)),
        ("port_xmit_wait_ext", (HOST_A, 1), (None, Quality.UNSUPPORTED)),
        ("port_rcv_pkts", (LEAF, 1), (None, Quality.NOT_COLLECTED)),
    ],
)
def test_cells(name, port, expected):
    assert cell(name, port) == expected


@pytest.mark.parametrize(
    ("name", "port", "expected"),
    [
        ("sync_header_error_counter", (LEAF, 1), (2, Quality.NARROW)),
        ("sync_header_error_counter", (LEAF, 2), (None, Quality.UNSUPPORTED)),
        ("sync_header_error_counter", (HOST_A, 1), (None, Quality.NOT_COLLECTED)),
        ("fec_correctable_symbol_ctr_lane0", (LEAF, 1), (17, Quality.NARROW)),
        ("fec_correctable_symbol_ctr_lane1", (LEAF, 1), (34, Quality.NARROW)),
        ("fec_corrected_symbol_ctr_total", (LEAF, 1), (51, Quality.NARROW)),
        ("port_fec_uncorrectable_block_ctr", (LEAF, 1), (0xFFFFFFFF, Quality.SATURATED)),
    ],
)
def test_names_with_brackets(name, port, expected):
    assert cell(name, port, "extended_speeds") == expected


def test_details():
    assert cell("port_looping_errors", (LEAF, 1), "detail") == (None, Quality.UNSUPPORTED)
    assert cell("port_local_physical_errors", (LEAF, 1), "detail") == (0, Quality.NARROW)
    assert cell("port_sw_lifetime_limit_discards", (HOST_A, 1), "detail") == (None, Quality.UNSUPPORTED)


def test_levels_and_names_without_a_home():
    rows = by_port(parse("f", SMALL).tables["counters_pma"])
    assert [rows[port]["retransmission_per_sec"] for port in rows] == [0, 500, None]
    assert [rows[port]["x_port_of_tomorrow"] for port in rows] == ["0x07", None, None]
    assert (rows[LEAF, 2]["x_Port Name"], rows[LEAF, 2]["lid"], rows[LEAF, 2]["line"]) == (
        "leaf-1/U1/P1/1/2",
        24,
        43,
    )
    assert {row["basis"] for row in rows.values()} == {"cumulative"}


def test_without_extended_speeds_there_is_no_such_table():
    data = b"\n".join(
        line for line in SMALL.split(b"\n") if not line.startswith((b"fec_", b"sync_", b"port_fec"))
    )
    assert "counters_extended_speeds" not in parse("f", data).tables


def test_a_value_that_is_no_counter_is_told():
    changed = SMALL.replace(b"link_down_counter=0x00000003", b"link_down_counter=three")
    assert cell("link_downed_counter", (LEAF, 1), data=changed) == (None, Quality.FAILED)
    (note,) = parse("f", changed).notes
    assert (note.code, note.line) == ("pm.bad_value", 14)


def test_decimal_is_not_taken_for_hexadecimal():
    changed = SMALL.replace(b"link_down_counter=0x00000003", b"link_down_counter=12")
    assert cell("link_downed_counter", (LEAF, 1), data=changed) == (None, Quality.FAILED)


def test_a_cut_file_keeps_its_whole_blocks():
    parsed = parse("f", CUT)
    assert set(by_port(parsed.tables["counters_pma"])) == {(LEAF, 1), (LEAF, 2)}
    assert (parsed.whole, [note.code for note in parsed.notes]) == (False, ["pm.file_cut", "pm.block_cut"])


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("x", SMALL, True),
        ("x", CUT, True),
        ("ibdiagnet2.pm", SMALL[: SMALL.index(b"---")], True),
        ("ibdiagnet2.pm", b"port_xmit_data: 5\n", False),
        ("ibdiagnet2.pm", fixture("cables/small.cables"), False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


def _counters(table: pa.Table, group: CounterGroup) -> dict[tuple[str, int], tuple]:
    """Return values and qualities of all counters of a group by port, cumulative rows alone."""
    names = [
        name for counter in in_group(group) for column in counter.columns for name in (column, f"{column}_q")
    ]
    return {
        (row["node_guid"], row["port_num"]): tuple(row[name] for name in names)
        for row in table.to_pylist()
        if row["basis"] == "cumulative"
    }


@pytest.mark.parametrize("group", [CounterGroup.PMA, CounterGroup.DETAIL])
def test_a_real_file_equals_pm_info_on_every_port(group):
    folder = real_file("ibdiagnet/gary-ndr")
    name = f"counters_{group}"
    parsed = parse("f", (folder / "ibdiagnet2.pm").read_bytes())
    ours = _counters(parsed.tables[name], group)
    theirs = _counters(parse_db_csv("f", (folder / "ibdiagnet2.db_csv").read_bytes()).tables[name], group)
    assert len(ours) == 542
    assert ours == theirs
    assert parsed.notes == ()


def test_levels_of_a_real_file_equal_pm_info():
    folder = real_file("ibdiagnet/gary-ndr")
    ours, theirs = (
        {
            (row["node_guid"], row["port_num"]): (
                row["retransmission_per_sec"],
                row["max_retransmission_rate"],
            )
            for row in parsed.tables["counters_pma"].to_pylist()
            if row["basis"] == "cumulative"
        }
        for parsed in (
            parse("f", (folder / "ibdiagnet2.pm").read_bytes()),
            parse_db_csv("f", (folder / "ibdiagnet2.db_csv").read_bytes()),
        )
    )
    assert ours == theirs


def test_the_example_has_its_planted_cases():
    data = mini_file("ibdiagnet2.pm").read_bytes()
    leaf, host = ("0x0200000000000100", 33), ("0x020000000000b000", 1)
    assert parse("f", data).tables["counters_pma"].num_rows == 10
    for name in ("port_xmit_data", "port_rcv_data", "port_xmit_wait"):
        assert cell(name, leaf, data=data) == (0xFFFFFFFF, Quality.SATURATED)
        assert cell(f"{name}_ext", leaf, data=data)[0] > 0xFFFFFFFF
    assert cell("symbol_error_counter", host, data=data) == (65535, Quality.SATURATED)
    assert cell("symbol_error_counter_ext", host, data=data) == (0, Quality.WIDE)
    assert cell("port_rcv_errors_ext", host, data=data) == (None, Quality.CORRUPT)
    assert (
        cell("link_downed_counter", host, data=data)[0],
        cell("link_downed_counter_ext", host, data=data)[0],
    ) == (
        3,
        0,
    )
