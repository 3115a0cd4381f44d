"""What holds for all sections: each question of the field has an answer, whatever was collected."""

from __future__ import annotations

from handmade import sample
from stock import stock

from ibforensic.diff.facts import look
from ibforensic.inventory import take_stock
from ibforensic.model.inventory import MOST_ROWS, inventory_json

ASKED = {
    "devices",
    "minorities",
    "invalid_lids",
    "silent_peers",
    "link_downs",
    "xmit_discards",
    "fec_uncorrectable",
    "buffer_overruns",
    "retransmission",
    "symbol_ber",
    "effective_ber",
    "raw_ber",
    "congestion",
    "lost_bandwidth",
    "traffic",
    "busiest",
    "device_temperatures",
    "module_temperatures",
    "far_warmer",
    "third_party",
    "power_supplies",
    "planes",
    "link_rates",
    "links_below",
    "rails",
    "pci",
    "speed_checks",
    "tool_complaints",
}


def test_every_question_has_one_answer_even_where_nothing_was_collected():
    nothing = take_stock(look(sample()))
    assert {section.id for section in nothing} == ASKED
    assert len(nothing) == len(ASKED)
    silent = {section.id for section in nothing if section.count is None}
    assert silent == ASKED - {"devices", "minorities"}
    assert all(section.note for section in nothing if section.id in silent)
    assert not any(section.rows for section in nothing)


def test_rows_fit_their_columns_and_are_plain():
    for section in inventory_json(tuple(stock().values())):
        assert len(section["rows"]) <= MOST_ROWS
        for row in section["rows"]:
            assert len(row) == len(section["columns"])
            assert all(cell is None or isinstance(cell, str | int | float) for cell in row)
