"""The shape of a catalogue entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ibforensic.model.enums import CounterClass, CounterGroup, Exposure, Side


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter: what it counts, how wide it is, and how each tool spells it.

    Attributes:
        name: Snake case of the perfquery name; the column in ``counters_<group>``.
        group: Table it stands in.
        cleared_with: Counters with the same word here are cleared by one command. Finer than the table:
            ``perfquery`` and OpenSM clear errors and leave the data counters alone.
        bits: Width of the register; it sticks at all ones when full.
        unit: What one count is.
        exposure: What the count must be divided by.
        side: Direction of the link it speaks about, seen from the counting port.
        kind: What it speaks about when it grows.
        says: One sentence for people.
        source: Where the meaning and the width come from.
        ext_bits: Width of the twin that some devices offer besides; None: there is no twin.
        aliases: Spellings by tool. ``db_csv`` also serves perfquery where that has none of its own.
        ext_aliases: Spellings of the twin by tool.
    """

    name: str
    group: CounterGroup
    cleared_with: str
    bits: int
    unit: str
    exposure: Exposure
    side: Side
    kind: CounterClass
    says: str
    source: str
    ext_bits: int | None = None
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ext_aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def full(self) -> int:
        """The value at which the register sticks."""
        return (1 << self.bits) - 1

    @property
    def ext_name(self) -> str:
        """Column of the twin."""
        return f"{self.name}_ext"

    @property
    def columns(self) -> tuple[str, ...]:
        """Value columns of this counter: itself, and its twin where there is one."""
        return (self.name, self.ext_name) if self.ext_bits is not None else (self.name,)


def quality_column(column: str) -> str:
    """Return the name of the column that holds the quality codes of a counter column."""
    return f"{column}_q"
