"""Runs of one side that differ in what the user switched: by label, or by one setting."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ibforensic.ladder.bands import Change, judge
from ibforensic.ladder.runs import BenchRun, Curve

__all__ = ["Switched", "switched"]


@dataclass(frozen=True, slots=True)
class Switched:
    """Runs with something off and on, otherwise like for like.

    Attributes:
        off: Runs without it.
        on: Runs with it.
    """

    off: tuple[BenchRun, ...]
    on: tuple[BenchRun, ...]

    def at(self, curve: Curve, better: str | None) -> Change | None:
        """Compare one point; None where a side does not have it."""
        off, on = (
            [
                sum(run.curves[curve].values) / len(run.curves[curve].values)
                for run in runs
                if _has(run, curve)
            ]
            for runs in (self.off, self.on)
        )
        return judge(off, on, better) if off and on else None

    @property
    def common(self) -> set[Curve]:
        """Points that all runs have."""
        return set.intersection(*({*run.curves} for run in (*self.off, *self.on)))


def switched(
    runs: Iterable[BenchRun], state: Callable[[BenchRun], bool | None], ignored: Sequence[str]
) -> dict[str, Switched]:
    """Pair runs with something off and on.

    Args:
        runs: Runs of one side.
        state: Whether it is on; None for runs that do not tell.
        ignored: Settings of the key that the switch itself changes.

    Returns:
        Key without these settings → the runs, where there are both.
    """
    found: dict[str, tuple[list[BenchRun], list[BenchRun]]] = {}
    for run in runs:
        on = state(run)
        if on is not None and run.curves:
            key = {name: value for name, value in run.key.items() if name not in ignored}
            found.setdefault(json.dumps(key, sort_keys=True), ([], []))[on].append(run)
    return {key: Switched(tuple(off), tuple(on)) for key, (off, on) in found.items() if off and on}


def _has(run: BenchRun, curve: Curve) -> bool:
    return curve in run.curves and bool(run.curves[curve].values)
