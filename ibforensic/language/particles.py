"""Korean particles, which depend on whether the word before them ends in a consonant."""

from __future__ import annotations

import re

_FIRST, _LAST = "가", "힣"
_FINALS = 28
"""Final consonants of a syllable, none being the first; ㄹ is the eighth."""
_RIEUL = 8
_PAIRS = {
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "을(를)": ("을", "를"),
    "와(과)": ("과", "와"),
    "(으)로": ("으로", "로"),
    "(이)라고": ("이라고", "라고"),
}
_OPEN = re.compile(rf"([{_FIRST}-{_LAST}])({'|'.join(map(re.escape, _PAIRS))})")


def settled(text: str) -> str:
    """Choose the form of each particle that stands behind a Korean word; behind names both forms stay.

    Args:
        text: A sentence, in which ``이(가)`` stands for either form.
    """
    return _OPEN.sub(_settle, text)


def _settle(found: re.Match[str]) -> str:
    word, particle = found.groups()
    final = (ord(word) - ord(_FIRST)) % _FINALS
    closed = final not in (0, _RIEUL) if particle == "(으)로" else final != 0
    return word + _PAIRS[particle][0 if closed else 1]
