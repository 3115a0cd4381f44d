"""Kinds of data that each side holds, and how to collect those that are missing."""

from __future__ import annotations

import pytest
from small_fabric import checked, story

from ibforensic.diff.collected import KINDS
from ibforensic.model.tables import TABLES


def collected(comparison):
    return {(one["table"], one["column"]): one for one in comparison.document["coverage"]["collected"]}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.what)
def test_each_kind_is_a_column_of_a_table_and_is_collected_somehow(kind):
    assert kind.column in TABLES[kind.table].schema.names
    assert kind.help


def test_what_both_sides_hold_needs_no_help():
    counters = collected(story().compare())["counters_pma", "symbol_error_counter"]
    assert counters["baseline"] == counters["current"] > 0
    assert counters["help"] == ""


def test_what_a_side_lacks_is_told_with_the_option_that_collects_it():
    comparison = story().compare()
    hosts = collected(comparison)["hosts", "state"]
    assert (hosts["baseline"], hosts["current"]) == (0, 0)
    assert "ibforensic collect with --hosts" in hosts["help"]
    ratios = collected(comparison)["phy", "raw_ber_none"]
    assert ratios["current"] == 0
    assert "--get_phy_info" in ratios["help"]


def test_a_side_on_its_own_has_no_baseline():
    kinds = collected(checked(story()))
    assert {one["baseline"] for one in kinds.values()} == {None}
    assert kinds["nodes", "fw_version"]["current"] > 0
