"""Counters of the group hw."""

from __future__ import annotations

from ibforensic.model.counters.base import Counter

COUNTERS: tuple[Counter, ...] = ()
