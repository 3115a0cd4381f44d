from __future__ import annotations

import math

import pytest

from ibforensic.report import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (0, "0"),
        (0.0, "0"),
        (1204, "1,204"),
        (1234567.0, "1,234,567"),
        (1.2e-9, "1.2e-9"),
        (1e-15, "1e-15"),
        (3.1e15, "3.1e15"),
        (0.25, "0.25"),
        (-9.1, "-9.1"),
        (12345.678, "12,345.7"),
        (math.nan, "?"),
        (math.inf, "?"),
        ("NDR", "NDR"),
    ],
)
def test_numbers_for_people(value, text):
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "unknown"),
        (0, "0 s"),
        (0.25, "0.25 s"),
        (59, "59 s"),
        (720, "12 min"),
        (3600 * 24, "1 d"),
        (615600, "7 d 3 h"),
        (86400 * 7 + 59, "7 d"),
        (-60, "−1 min"),
    ],
)
def test_durations_by_their_two_largest_units(seconds, text):
    assert words.duration(seconds) == text


@pytest.mark.parametrize(
    ("share", "word"),
    [
        (1.0, "very likely"),
        (0.9, "very likely"),
        (0.89, "likely"),
        (0.5, "more likely than not"),
        (0.3, "possibly"),
        (0.0, "perhaps"),
    ],
)
def test_confidence_in_words(share, word):
    assert words.confidence(share) == word


@pytest.mark.parametrize(
    ("share", "text"),
    [(None, "?"), (0, "0 %"), (0.001, "under 1 %"), (0.5, "50 %"), (0.9999, "over 99 %"), (1, "100 %")],
)
def test_rounding_claims_neither_all_nor_nothing(share, text):
    assert words.percent(share) == text


def test_a_printed_percentage_has_one_word():
    said = {}
    for thousandth in range(1001):
        said.setdefault(words.percent(thousandth / 1000), set()).add(words.confidence(thousandth / 1000))
    assert {percent for percent, told in said.items() if len(told) > 1} == set()
    assert said["70 %"] == {"likely"}
    assert said["69 %"] == {"more likely than not"}


def test_every_share_has_one_band():
    assert [text for _, text in words.bands()] == ["90–100 %", "70–90 %", "50–70 %", "30–50 %", "0–30 %"]


def test_times_and_amounts():
    assert words.when("2024-05-01T08:03:00Z") == "2024-05-01 08:03 UTC"
    assert words.when(None) == words.when("yesterday") == "time unknown"
    assert words.amount(615600.0, "seconds") == "7 d 3 h"
    assert words.amount(3.1e15, "bits") == "3.1e15 bits"
    assert words.amount(None, "bits") == "-"
    assert [words.size(n) for n in (0, 812, 4_200_000, 3 * 10**15)] == ["0 B", "812 B", "4.2 MB", "3000 TB"]
    assert words.count(1, "port") == "1 port"
    assert words.count(3000, "port") == "3,000 ports"
