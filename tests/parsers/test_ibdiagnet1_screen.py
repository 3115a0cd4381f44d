"""Saved screens of ibdiagnet 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibforensic.parsers.ibdiagnet1_screen import SPEC, parse

SMALL = (Path(__file__).parents[1] / "fixtures/ibdiagnet1_screen/small.txt").read_bytes()


def events(data: bytes = SMALL) -> list[dict]:
    """Return the events of a screen."""
    return parse("f", data).tables["events"].to_pylist()


def test_warnings_and_errors_are_events_with_their_stage():
    said = [(e["line"], e["level"], e["scope"], e["port_num"], e["stage"]) for e in events()]
    assert said == [
        (3, "warning", "cluster", None, None),
        (18, "warning", None, 1, "PM Counters Info"),
        (22, "error", "cluster", None, "PM Counters Info"),
    ]
    assert events()[1]["x_subject"].startswith("lid=0x000b guid=0x0abc00000000a001")


def test_indented_lines_belong_to_the_event_above():
    assert events()[0]["text"].endswith("specified.; Reports regarding cluster links will use direct routes.")
    assert events()[1]["text"].endswith("symbol_error_counter : 0xffff")


def test_the_run_has_a_version_and_no_time():
    (run,) = parse("f", SMALL).tables["runs"].to_pylist()
    assert (run["tool"], run["tool_version"], run["began_at"]) == ("ibdiagnet", "1.5.7", None)


def test_a_screen_with_colours_and_progress():
    screen = SMALL.replace(b"-W- lid", b"\x1b[33m-W-\x1b[0m lid").replace(
        b"-I- Discovering ...",
        b"-I- Discovering ... 1 nodes\r-I- Discovering ... 2 nodes\r-I- Discovering ...",
    )
    assert [e["text"] for e in events(screen)] == [e["text"] for e in events()]
    assert [e["line"] for e in events(screen)] == [e["line"] for e in events()]


@pytest.mark.parametrize(
    ("head", "claimed"),
    [
        (SMALL, True),
        (b"-I- Bad Guids/LIDs Info\r\n", True),
        (b"-I- Fabric Discover finished successfully\n", False),
        (SMALL + b"\0", False),
    ],
)
def test_what_is_claimed(head, claimed):
    assert SPEC.claims("x", head) is claimed
