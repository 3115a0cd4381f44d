"""Looking for words of which one is in every output of a tool, before patterns are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["TellingWords"]


class TellingWords:
    """Words of several tools.

    A single byte is found, or missed, ten times as fast as a word, and most words hold a byte that few texts
    have: a word is looked for only where all of its bytes are met.
    """

    def __init__(self, words: Mapping[str, Sequence[bytes]]) -> None:
        """Split the words into bytes.

        Args:
            words: Name of a tool → words of which one is in every output of it.
        """
        self._words = {name: [(word, frozenset(word)) for word in own] for name, own in words.items()}
        self._all = frozenset(letter for own in words.values() for word in own for letter in word)

    def names_in(self, data: bytes) -> tuple[str, ...]:
        """Name the tools of which a text holds a word, in the order in which they were given."""
        met = frozenset(letter for letter in self._all if letter in data)
        return tuple(
            name
            for name, own in self._words.items()
            if any(letters <= met and word in data for word, letters in own)
        )
