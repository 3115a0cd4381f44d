"""Counters of the group phy."""

from __future__ import annotations

from ibforensic.model.counters.base import Counter

COUNTERS: tuple[Counter, ...] = ()
