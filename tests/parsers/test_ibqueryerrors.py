"""Ports with errors, as ibqueryerrors lists them: what is printed, and what a counter left out means."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.compute as pc
import pytest
from conftest import mini_file, real_file

from ibforensic.model.counters import in_group
from ibforensic.model.enums import CounterGroup, Quality
from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.ibqueryerrors import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "ibqueryerrors"
WHOLE = (FIXTURES / "whole.txt").read_text()
COUNTED = [name for counter in in_group(CounterGroup.PMA) for name in counter.columns]
LEAF = "0x0200000000000100"


def rows(parsed: Parsed, table: str = "counters_pma") -> dict[int, dict]:
    return {row["port_num"]: row for row in parsed.tables[table].to_pylist()}


def read(name: str) -> Parsed:
    return parse(name, (FIXTURES / name).read_bytes())


def cell(row: dict, column: str) -> tuple[int | None, Quality]:
    return row[column], Quality(row[f"{column}_q"])


def codes(parsed: Parsed) -> set[str]:
    return {note.code.partition(".")[2] for note in parsed.notes}


UNKNOWN = (None, Quality.NOT_COLLECTED)


def test_narrow_and_64_bit_registers_are_told_by_the_second_spelling():
    found = rows(parse("a", WHOLE.encode()))
    assert cell(found[1], "symbol_error_counter") == (65535, Quality.SATURATED)
    assert cell(found[1], "symbol_error_counter_ext") == UNKNOWN
    assert cell(found[2], "port_rcv_errors_ext") == (70_000, Quality.WIDE)
    assert cell(found[2], "port_rcv_errors") == UNKNOWN
    assert found[2]["node_guid"] == LEAF
    assert found[2]["line"] == 5


def test_the_sum_over_a_switch_is_no_port():
    found = rows(parse("a", WHOLE.encode()))
    assert cell(found[255], "port_xmit_wait_ext") == (9463628588, Quality.WIDE)
    assert sorted(found) == [1, 2, 33, 255]


def test_what_is_left_out_is_0_below_a_complete_summary():
    found = rows(parse("a", WHOLE.encode()))
    assert cell(found[33], "symbol_error_counter_ext") == (0, Quality.WIDE)
    assert cell(found[33], "symbol_error_counter") == UNKNOWN
    assert cell(found[1], "port_xmit_discards") == (0, Quality.NARROW)
    assert cell(found[2], "port_xmit_wait_ext") == (0, Quality.WIDE)
    # Whether this HCA has the optional counter, nothing tells.
    assert cell(found[1], "port_xmit_wait") == UNKNOWN
    assert cell(found[33], "port_rcv_data_ext") == (0, Quality.WIDE)
    assert cell(found[2], "port_rcv_data_ext") == UNKNOWN


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("## Summary: 6 nodes checked, 2 bad nodes found\n", "", "no_thresholds"),
        ("##          10 ports checked, 3 ports have errors beyond threshold\n## \n", "", "no_summary"),
        ("## \n", "", "no_thresholds"),
        ("Errors for 0x", "ibpanic: [7] main: invented failure\nErrors for 0x", "tool_failed"),
    ],
    ids=["no nodes", "no ports", "no thresholds", "failed"],
)
def test_what_is_left_out_is_unknown_where_the_tool_did_not_come_to_its_end(old, new, code):
    assert old in WHOLE
    parsed = parse("a", WHOLE.replace(old, new).encode())
    found = rows(parsed)
    assert cell(found[33], "symbol_error_counter_ext") == UNKNOWN
    assert cell(found[1], "port_rcv_errors") == (12, Quality.NARROW)
    assert not parsed.whole
    assert code in codes(parsed) or code == "no_thresholds"


TIMEOUT = "ibwarn: [7] _do_madrpc: recv failed: Connection timed out\n"
NAMED = "ibwarn: [7] mad_rpc: _do_madrpc failed; dport (Lid 18)\n"
QUERY = "ibwarn: [7] print_errors: IB_GSI_PORT_COUNTERS query failed on host-z mlx5_0, Lid 18 port 1\n"
OPTIONAL = "ibwarn: [7] query_and_dump: PortXmitWait not indicated so ignore this counter\n"
UNFOUND = "src/query_smp.c:228; umad (DR path slid 0; dlid 0; 0,1,5 Attr 0x11:0) bad status 110; timed out\n"


def warned(warning: str, failures: int = 0) -> Parsed:
    end = f"## \n## {failures} PMA query failures\n" if failures else "## \n"
    return parse("a", (warning + WHOLE.replace("## \n", end)).encode())


def run_of(parsed: Parsed) -> dict:
    return json.loads(parsed.tables["runs"]["summary"][0].as_py())


@pytest.mark.parametrize(
    ("warning", "failures"),
    [
        (NAMED, 0),
        (TIMEOUT + NAMED + QUERY, 1),
        (TIMEOUT + TIMEOUT + NAMED + QUERY, 1),
        ("src/sa.c: " + NAMED + OPTIONAL + UNFOUND, 0),
    ],
)
def test_a_node_that_did_not_answer_is_named_and_the_list_is_whole(warning, failures):
    parsed = warned(warning, failures)
    assert parsed.whole
    assert "query_failures" not in codes(parsed)
    assert "LID 18 did not answer" in next(
        note.message for note in parsed.notes if note.code == "ibqueryerrors.silent_nodes"
    )
    assert run_of(parsed)["silent_lids"] == [18]
    assert "port_rcv_errors" in run_of(parsed)["zero_where_not_listed"]
    assert cell(rows(parsed)[33], "symbol_error_counter_ext") == (0, Quality.WIDE)


@pytest.mark.parametrize(
    ("warning", "failures"),
    [
        (TIMEOUT, 0),
        (NAMED + TIMEOUT, 0),
        ("", 2),
        (TIMEOUT + NAMED + QUERY, 2),
        (NAMED.replace("Lid 18", "DR path slid 0; dlid 0; 0,1,5"), 0),
        (UNFOUND.replace("0x11", "0x15"), 0),
        ("ibwarn: [7] pma_query: invented failure\n", 0),
    ],
)
def test_where_nobody_tells_who_did_not_answer_what_is_not_listed_is_unknown(warning, failures):
    parsed = warned(warning, failures)
    assert parsed.whole
    assert "query_failures" in codes(parsed)
    assert run_of(parsed)["zero_where_not_listed"] == []
    # A port that is listed did answer.
    assert cell(rows(parsed)[33], "symbol_error_counter_ext") == (0, Quality.WIDE)


@pytest.mark.parametrize("warning", [OPTIONAL, UNFOUND])
def test_warnings_that_tell_of_no_silence_change_nothing(warning):
    parsed = warned(warning)
    assert parsed.tables == {
        name: table.set_column(
            table.schema.get_field_index("line"),
            table.schema.field("line"),
            pc.cast(pc.add(table["line"], 1), table.schema.field("line").type),
        )
        for name, table in warned("").tables.items()
    }


@pytest.mark.parametrize("at", range(0, WHOLE.index("## Summary"), 37))
def test_a_warning_may_stand_in_the_middle_of_a_line(at):
    parsed = parse("a", (WHOLE[:at] + TIMEOUT + NAMED + WHOLE[at:]).encode())
    assert parsed.whole
    expected = rows(parse("a", WHOLE.encode()))
    kept = [name for name in COUNTED if name in expected[1]]
    assert {port: [row[name] for name in kept] for port, row in rows(parsed).items()} == {
        port: [row[name] for name in kept] for port, row in expected.items()
    }


@pytest.mark.parametrize(
    "line",
    [
        "## Thresholds: [SymbolErrorCounter == 10] [LinkDownedCounter == 0]",
        "## Thresholds:  SymbolErrorCounter=10 LinkDownedCounter=0",
        "## Suppressed: SymbolErrorCounter\n## ",
    ],
)
def test_a_threshold_or_suppression_hides_its_counter_alone(line):
    parsed = parse("a", WHOLE.replace("## \n", f"{line}\n").encode())
    found = rows(parsed)
    assert cell(found[33], "symbol_error_counter_ext") == UNKNOWN
    assert cell(found[33], "link_downed_counter_ext") == (0, Quality.WIDE)
    assert cell(found[33], "port_rcv_errors_ext") == (0, Quality.WIDE)
    assert "values_hidden" in codes(parsed)


def test_details_under_each_others_names_are_read_by_their_place():
    parsed = read("details_swapped.txt")
    swapped, own = (rows(parsed, "counters_detail")[port] for port in (7, 8))
    assert cell(swapped, "port_local_physical_errors") == (8, Quality.NARROW)
    assert cell(swapped, "port_dlid_mapping_errors") == (1, Quality.NARROW)
    assert cell(swapped, "port_buffer_overrun_errors") == (0, Quality.NARROW)
    assert cell(swapped, "port_looping_errors") == UNKNOWN
    assert cell(swapped, "port_inactive_discards") == (2, Quality.NARROW)
    assert cell(swapped, "port_sw_hoq_lifetime_limit_discards") == (3, Quality.NARROW)
    assert cell(own, "port_local_physical_errors") == (4, Quality.NARROW)
    assert cell(own, "port_looping_errors") == (0, Quality.NARROW)
    assert cell(own, "port_inactive_discards") == UNKNOWN
    assert {"swapped_details", "query_failures", "unknown_field", "values_hidden"} <= codes(parsed)
    assert rows(parsed)[8]["x_FutureErrors"] == "6"


def test_data_counters_alone_say_nothing_of_errors():
    found = rows(read("data_counters.txt"))
    # Port 2 prints a counter of the 64-bit attribute: so did the same device at port 1.
    assert cell(found[1], "port_xmit_data_ext") == (4294967295, Quality.WIDE)
    assert cell(found[1], "port_rcv_errors") == UNKNOWN
    assert cell(found[1], "port_rcv_data_ext") == (0, Quality.WIDE)


def test_what_data_counters_do_not_list_is_no_zero():
    end = """
## Summary: 2 nodes checked, 0 bad nodes found
##          4 ports checked, 0 ports have errors beyond threshold
## Thresholds:
## Suppressed:
"""
    parsed = parse("q", (FIXTURES / "data_counters.txt").read_bytes() + end.encode())
    summary = json.loads(parsed.tables["runs"]["summary"][0].as_py())
    assert summary["zero_where_not_listed"] == []


def test_the_link_below_a_port_gives_the_port_but_no_link():
    parsed = parse("a", WHOLE.encode())
    (port,) = parsed.tables["ports"].to_pylist()
    shown = [port[name] for name in ("port_num", "lid", "state", "width_active", "speed_active")]
    assert shown == [2, 1, "active", "2x", "NDR"]
    assert (port["rate_gbps"], port["peer_node_guid"]) == (200.0, "0x020000000000b000")
    assert "links" not in parsed.tables


def test_totals_are_those_of_the_summary():
    (run,) = parse("a", WHOLE.encode()).tables["runs"].to_pylist()
    summary = json.loads(run["summary"])
    assert summary["ports_checked"] == 10
    assert summary["bad_ports"] == len([port for port in rows(parse("a", WHOLE.encode())) if port != 255])
    assert "port_rcv_errors" in summary["zero_where_not_listed"]


def test_a_list_that_is_shorter_than_its_totals_makes_no_zeros():
    line = next(line for line in WHOLE.splitlines(keepends=True) if "port 33" in line)
    parsed = parse("a", WHOLE.replace(line, "").encode())
    assert "wrong_count" in codes(parsed)
    assert not parsed.whole
    assert cell(rows(parsed)[2], "symbol_error_counter_ext") == UNKNOWN


def test_a_fabric_without_errors_is_read():
    end = WHOLE[WHOLE.index("## Summary") :]
    data = end.replace("2 bad nodes", "0 bad nodes").replace("3 ports have", "0 ports have").encode()
    assert claimant("x", data).spec.name == "ibqueryerrors"
    parsed = parse("a", data)
    assert parsed.whole
    assert parsed.tables["runs"].num_rows == 1


@pytest.mark.parametrize("cut", range(150, len(WHOLE) - 3, 41))
def test_truncation_never_makes_a_zero(cut):
    whole, found = rows(parse("a", WHOLE.encode())), rows(parse("a", WHOLE[:cut].encode()))
    found.pop(33, None)  # its data counters are 0 by the line itself
    for port, row in found.items():
        values = {name: value for name, value in row.items() if name in COUNTED and value is not None}
        assert 0 not in values.values()
        assert values.items() <= whole[port].items()


def test_real_data_counters_of_two_ports():
    parsed = parse("q", real_file("diags/comment/ibqueryerrors-counters-report-port.txt").read_bytes())
    found = rows(parsed)
    assert cell(found[1], "port_xmit_data_ext") == (19892634015130, Quality.WIDE)
    assert cell(found[2], "port_multicast_rcv_pkts") == (113246412, Quality.WIDE)
    assert cell(found[2], "symbol_error_counter") == UNKNOWN
    assert [row["lid"] for row in parsed.tables["ports"].to_pylist()] == [122, 123]
    assert parsed.tables["ports"]["speed_active"].to_pylist() == ["QDR", "QDR"]
    assert parsed.tables["nodes"].num_rows == 5


def test_mini_file_is_whole_and_its_totals_agree():
    parsed = parse("q", mini_file("ibqueryerrors.txt").read_bytes())
    summary = json.loads(parsed.tables["runs"]["summary"][0].as_py())
    assert summary["bad_ports"] == sum(
        port != 255 for port in parsed.tables["counters_pma"]["port_num"].to_pylist()
    )
    assert parsed.whole
