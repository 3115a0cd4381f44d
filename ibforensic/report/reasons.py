"""Which reasons of a suspect are shown where there is room for a few: the strongest of each kind.

Four counters that grew say less than one of them with the heat beside it; all of them are in the full report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["telling"]

Json = Mapping[str, Any]
_OF_PART = {"cooling": "heat"}
_OF_REASON = {"because.hot": "heat"}
"""What a part, or the sentence that singles it out, is named for: kind of evidence that holds the number."""


def telling(suspect: Json) -> Sequence[Json]:
    """Put the evidence of a suspect into the order in which it tells most.

    Args:
        suspect: A suspect of a document.

    Returns:
        The strongest; what its part is named for; the strongest of each other kind; then the rest.
    """
    evidence = suspect["evidence"]
    because = (suspect.get("because") or {}).get("message")
    decisive = _OF_PART.get(suspect["component"]) or _OF_REASON.get(str(because))
    first: dict[str, Json] = {}
    for item in evidence:
        first.setdefault(item["kind"], item)
    leading = evidence[:1] + ([first[decisive]] if decisive in first else []) + list(first.values())
    shown: list[Json] = []
    for item in [*leading, *evidence]:
        if not any(item is other for other in shown):
            shown.append(item)
    return shown
