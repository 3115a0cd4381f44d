from __future__ import annotations

import pytest

from ibforensic.report.text import cells, cut, cut_words, tidy, visible


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("leaf-01 mlx5_0", "leaf-01 mlx5_0"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\u202eabc", "\\u202eabc"),
        ("x\udc80", "x\\udc80"),
        ("\U000e0041", "\\U000e0041"),
        ("Zürich 節点", "Zürich 節点"),
    ],
)
def test_what_cannot_be_printed_is_an_escape(raw, shown):
    assert visible(raw) == shown


def test_the_middle_goes_and_both_ends_stay():
    assert (
        cut("cluster-a-very-long-rack12-node07", 21)
        == "cluster-a-…ack12-node07"[:10] + "…" + "ack12-node07"[-10:]
    )
    assert cut("short", 5) == "short"


@pytest.mark.parametrize("limit", [1, 2, 7, 48])
@pytest.mark.parametrize("text", ["n" * 10_000, "節" * 300, "\x1b" * 300, "ab"])
def test_cut_text_never_takes_more_columns_than_allowed(text, limit):
    assert cells(cut(text, limit)) <= limit


def test_only_overlong_words_of_a_sentence_are_cut():
    assert cut_words("port of " + "x" * 50 + " is bad", 9) == "port of xxxx…xxxx is bad"


def test_tidy_reaches_keys_and_lists_and_leaves_numbers():
    assert tidy({"a\n": ["\x07", 1, None, 2.5, True]}, 20) == {"a\\n": ["\\x07", 1, None, 2.5, True]}


def test_two_keys_that_look_alike_when_cut_are_both_kept():
    tidied = tidy({"a" + "x" * 50 + "b": 1, "a" + "y" * 50 + "b": 2}, 3)
    assert sorted(tidied.values()) == [1, 2]
