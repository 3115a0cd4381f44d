"""Warnings of the old ibcheckerrors."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import real_file

from ibforensic.model.enums import Quality
from ibforensic.parsers import claimant
from ibforensic.parsers.ibcheckerrors import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "ibcheckerrors"


def test_counters_by_lid_and_what_is_not_printed_is_not_known():
    data = (FIXTURES / "old.txt").read_bytes()
    assert claimant("x", data).spec.name == "ibcheckerrors"
    parsed = parse("x", data)
    switch, other = parsed.tables["counters_pma"].to_pylist()
    assert (switch["lid"], switch["port_num"], switch["node_guid"]) == (193, 4, None)
    assert (switch["symbol_error_counter"], switch["symbol_error_counter_q"]) == (65535, Quality.SATURATED)
    assert (switch["port_rcv_errors"], switch["link_downed_counter"]) == (109, None)
    assert switch["link_downed_counter_q"] == Quality.NOT_COLLECTED
    assert (other["lid"], other["link_downed_counter"]) == (7, 11)
    summary = json.loads(parsed.tables["runs"]["summary"][0].as_py())
    assert summary["bad_ports"] == parsed.tables["counters_pma"].num_rows
    assert [note.code for note in parsed.notes] == ["ibcheckerrors.skipped"]
    assert parsed.whole


def test_without_a_summary_the_text_is_cut():
    data = (FIXTURES / "old.txt").read_bytes()
    assert not parse("x", data[: data.index(b"##")]).whole


def test_real_warnings():
    parsed = parse("x", real_file("diags/issues/ibcheckerrors-old.txt").read_bytes())
    rows = {row["port_num"]: row for row in parsed.tables["counters_pma"].to_pylist()}
    assert rows[3]["link_error_recovery_counter"] == 103
    assert rows[3]["port_rcv_switch_relay_errors"] == 64670
    assert rows[4]["symbol_error_counter"] == 13151
    assert json.loads(parsed.tables["runs"]["summary"][0].as_py())["ports_checked"] == 716
    assert "ibcheckerrors.wrong_count" in {note.code for note in parsed.notes}  # an excerpt
