"""Looking for words of tools in a text before patterns are tried."""

from __future__ import annotations

import pytest

from ibforensic.parsers.telling_words import TellingWords

WORDS = {
    "dashes": (b"-" * 60,),
    "link": (b"link ", b"subnet_prefix"),
    "nccl": (b" NCCL ", b"busbw"),
    "wide": (b"SW  ",),
}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"", ()),
        (b"link mlx5_0/1 state ACTIVE", ("link",)),
        (b"node07:12:12 [0] NCCL INFO and time algbw busbw", ("nccl",)),
        (b"SW  12 4\n" + b"-" * 60, ("dashes", "wide")),
        (b"-" * 59, ()),
    ],
)
def test_a_tool_is_named_where_one_of_its_words_stands(text: bytes, names: tuple[str, ...]) -> None:
    assert TellingWords(WORDS).names_in(text) == names


@pytest.mark.parametrize(
    "text", [b"l i n k e d", b"lin.k 1", b"S W  ", b"SW 1", b"N C C L", b"bu.sbw", b"NCCL"]
)
def test_the_bytes_of_a_word_apart_are_not_the_word(text: bytes) -> None:
    assert TellingWords(WORDS).names_in(text) == ()
