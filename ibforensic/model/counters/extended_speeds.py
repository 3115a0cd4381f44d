"""Counters of the group extended_speeds."""

from __future__ import annotations

from ibforensic.model.counters.base import Counter

COUNTERS: tuple[Counter, ...] = ()
