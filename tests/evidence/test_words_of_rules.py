"""Sentences of the catalogue as parts of other sentences."""

from __future__ import annotations

import pytest

from ibforensic.evidence.base import lower


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("Symbols that arrived damaged.", "symbols that arrived damaged"),
        ("A word", "a word"),
        ("PCIe errors seen by the card.", "PCIe errors seen by the card"),
        ("FEC repaired them", "FEC repaired them"),
    ],
)
def test_a_name_at_the_begin_keeps_its_letters(sentence, part):
    assert lower(sentence) == part
