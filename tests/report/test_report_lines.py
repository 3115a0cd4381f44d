from __future__ import annotations

import pytest

from ibforensic.report.lines import keep, pack, wrap
from ibforensic.report.text import cells


def test_a_piece_stays_on_one_line_where_it_fits_on_one():
    assert pack(["Link leaf-01 port 4", "↔ spine-02 port 3", "is to blame"], 30, 4) == [
        "Link leaf-01 port 4",
        "    ↔ spine-02 port 3",
        "    is to blame",
    ]


def test_a_port_keeps_its_number():
    assert wrap("errors at port 12 of leaf", 14) == ["errors at", "port 12 of", "leaf"]
    assert wrap("the port is down", 8) == ["the port", "is down"]


@pytest.mark.parametrize("text", ["n" * 300, "節" * 100, "ab " * 90, "port 1 " * 40, "port " + "1" * 90])
@pytest.mark.parametrize("room", [3, 7, 40])
def test_no_line_is_too_long_and_nothing_is_lost(text, room):
    lines = wrap(text, room, 1)
    assert max(map(cells, lines)) <= room
    assert "".join("".join(lines).split()) == text.replace(" ", "")


def test_what_is_left_out_is_shown_by_an_ellipsis():
    assert keep(["onetwo", "three"], 1) == ["onet …"]
    assert keep(["one", "two"], 2) == ["one", "two"]
    assert keep(["one two", "three"], 1) == ["one …"]
