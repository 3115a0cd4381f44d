"""The simulator's numbers stay what they were when the verdict was measured."""

from __future__ import annotations

from frozen import fingerprint, numbers

FROZEN = "3feb53c88529fc5e"


def test_there_are_numbers_to_freeze():
    found = numbers()
    assert {"phy_ber", "faults", "healthy", "victims", "optics"} <= set(found)
    assert sum(len(values) for values in found.values()) > 500


def test_the_numbers_of_the_simulator_are_the_frozen_ones():
    assert fingerprint() == FROZEN, "see tests/simulate/frozen.py: measure again, then freeze again"
