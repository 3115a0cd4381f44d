"""Heads, times, options and names that the text files of ibdiagnet share."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibforensic.parsers.text_heads import (
    head_of,
    option_seconds,
    options_of,
    readable_name,
    run_row,
    time_of,
    version_of,
)


@pytest.mark.parametrize(
    ("text", "when", "zone"),
    [
        ("2031-05-06 07:08:09 UTC +0000", datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC), "UTC +0000"),
        ("2031-05-06 07:08:09 IST +0530", datetime(2031, 5, 6, 1, 38, 9, tzinfo=UTC), "IST +0530"),
        ("2031-05-06 07:08:09 -08:00", datetime(2031, 5, 6, 15, 8, 9, tzinfo=UTC), "-0800"),
        ("2031-05-06T07:08:09Z", datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC), "Z"),
        ("2031-05-06 07:08:09 GMT", datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC), "GMT"),
        ("2031-05-06 07:08:09 IST", None, "IST"),
        ("2031-05-06 07:08:09", None, None),
        ("2031-13-06 07:08:09 UTC +0000", None, "UTC +0000"),
        ("2031-05-06 07:08:09 XYZ +9900", None, "XYZ +9900"),
        ("yesterday", None, None),
    ],
)
def test_times_need_an_offset(text, when, zone):
    assert time_of(text) == (when, zone)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("", {}),
        ("/usr/bin/ibdiagnet", {}),
        ("ibdiagnet -r --pc", {"-r": True, "--pc": True}),
        (" --skip pm,lids -o /x", {"--skip": "pm,lids", "-o": "/x"}),
        ("ibdiagnet --pm_pause_time=5 -P all=1", {"--pm_pause_time": "5", "-P": "all=1"}),
        ("ibdiagnet -P a=1 -P b=2 -P c=3", {"-P": ["a=1", "b=2", "c=3"]}),
        ("ibdiagnet - -- --x 'y'", {"--x": "y"}),
        ("ibdiagnet --x= --pc --pc", {"--x": "", "--pc": True}),
    ],
)
def test_options(command, options):
    assert options_of(command) == options


@given(st.text(max_size=60))
def test_options_never_raise(command):
    assert all(name.startswith("-") for name in options_of(command))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("5", 5.0), ("0.5", 0.5), ("-1", None), ("x", None), (True, None), (["1", "2"], None)],
)
def test_seconds_of_an_option(value, seconds):
    assert option_seconds({"--t": value}, "--t") == seconds
    assert option_seconds({}, "--t") is None


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("MF0;leaf-9:MQM9700/U1", "leaf-9/U1"),
        ("MF0;a:b:MQM9700/U2", "a:b/U2"),
        ("MF0;leaf-9:MQM9700", "leaf-9"),
        ("MF0;leaf-9", "MF0;leaf-9"),
        ("calc-1 mlx5_0  ", "calc-1 mlx5_0"),
        ("", ""),
    ],
)
def test_names(description, name):
    assert readable_name(description) == name


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('"IBDIAGNET 2.12.0.X","IBDIAG 2.1"', "2.12.0.X"),
        ("IBDIAGNET 2.12.0", "2.12.0"),
        ("1.5.7", "1.5.7"),
        ("", ""),
    ],
)
def test_versions(text, version):
    assert version_of(text) == version


def test_a_head_says_where_its_facts_stand():
    head = head_of(
        "x\n# Running version   : 1.0\n#Running: tool -a \nFile closed at : 2031-05-06 07:08:09 UTC\n"
    )
    assert (head.version, head.command, head.closed) == ("1.0", "tool -a", True)
    assert head.lines == {"version": 2, "command": 3, "closed": 4}
    assert head.closed_at == datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


def test_a_file_without_head_tells_of_no_run():
    assert run_row(head_of("nothing\n"), "f", "p") is None
