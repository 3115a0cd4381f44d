"""Looking for words of which one is in every output of a tool, before patterns are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["TellingWords"]

_COMMON = b" \t\n0123456789.,:-aeiou"
"""What most of the bytes of a text are; what is left of a word without them tells it still."""


class TellingWords:
    """Words of several tools.

    Looking for fifty words in a large text takes longer than much else that is done with it. So a word is
    looked for only where all of its bytes are met, and where it is found without the common bytes in the text
    without them, which is short.
    """

    def __init__(self, words: Mapping[str, Sequence[bytes]]) -> None:
        """Split the words into bytes.

        Args:
            words: Name of a tool → words of which one is in every output of it.
        """
        self._words = {
            name: [(word, frozenset(word), word.translate(None, _COMMON)) for word in own]
            for name, own in words.items()
        }
        self._bytes = frozenset(byte for own in words.values() for word in own for byte in word)

    def names_in(self, data: bytes) -> tuple[str, ...]:
        """Name the tools of which a text holds a word, in the order in which they were given."""
        met = frozenset(byte for byte in self._bytes if byte in data)
        short = data.translate(None, _COMMON)
        return tuple(
            name
            for name, own in self._words.items()
            if any(kept <= met and left in short and word in data for word, kept, left in own)
        )
