"""Counters of the group ethtool."""

from __future__ import annotations

from ibforensic.model.counters.base import Counter

COUNTERS: tuple[Counter, ...] = ()
