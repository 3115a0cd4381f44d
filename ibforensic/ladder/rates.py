"""What a bandwidth is worth: against the rate of the port, and host memory against that of a GPU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from ibforensic.ladder.runs import BenchRun

__all__ = ["Memories", "gpudirect_lost", "memories", "share_of_rate"]

_SAME_AS_HOST = 0.15
"""GPU memory without GPUDirect is copied through the host, and comes this near its bandwidth."""
_FELL = 0.85


def share_of_rate(gbps: float, rate_gbps: float | None, direction: str | None = "one") -> float | None:
    """Return a bandwidth as a share of what the port can carry.

    Args:
        gbps: Bandwidth, Gb/s.
        rate_gbps: Active rate of the slower of the two ports; None where not known.
        direction: one or both, as in the settings of a run; both count the two directions together.

    Returns:
        The share; None where rate or direction is not known.
    """
    if not rate_gbps or direction not in ("one", "both"):
        return None
    return gbps / (rate_gbps * (2 if direction == "both" else 1))


@dataclass(frozen=True, slots=True)
class Memories:
    """Bandwidth out of host memory and out of the memory of a GPU, over the same path.

    Attributes:
        host: Median out of host memory, Gb/s.
        gpu: Median out of the memory of a GPU, Gb/s.
    """

    host: float
    gpu: float

    @property
    def ratio(self) -> float | None:
        """Host against GPU."""
        return self.host / self.gpu if self.gpu else None


def memories(runs: Iterable[BenchRun]) -> dict[tuple[str, ...], Memories]:
    """Pair tests that differ in the kind of memory alone.

    Args:
        runs: Runs of one side; those of other programs than perftest are passed over.

    Returns:
        (kind, host, device, peer, direction, size) → both bandwidths, where both were measured.
    """
    found: dict[tuple[str, ...], dict[str, list[float]]] = {}
    for run in runs:
        memory = run.settings.get("memory")
        for curve, values in run.curves.items():
            if curve.metric == "bandwidth" and curve.qualifier == "average" and memory in ("host", "gpu"):
                place = tuple(_text(run.settings, name) for name in ("host", "device", "peer", "direction"))
                path = (run.kind, *place, str(curve.size))
                found.setdefault(path, {}).setdefault(memory, []).extend(values.values)
    return {
        path: Memories(median(values["host"]), median(values["gpu"]))
        for path, values in found.items()
        if len(values) == 2
    }


def gpudirect_lost(before: Memories, after: Memories) -> bool:
    """Whether the GPU fell to what the host reaches, while it was well above it before.

    Args:
        before: Bandwidths of the baseline.
        after: Bandwidths of now, over the same path.
    """
    fell = after.gpu < _FELL * before.gpu
    was_apart = abs(before.gpu - before.host) > _SAME_AS_HOST * before.host
    return fell and was_apart and abs(after.gpu - after.host) <= _SAME_AS_HOST * after.host


def _text(settings: Mapping[str, object], name: str) -> str:
    return str(settings.get(name) or "")
