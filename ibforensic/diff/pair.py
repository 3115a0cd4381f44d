"""Two samples side by side: ports aligned by (node GUID, port number), times and restarts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.merged import Merged
from ibforensic.diff.ports import Ports
from ibforensic.diff.view import COMPARED_GROUPS, View
from ibforensic.diff.whole_hosts import rebooted
from ibforensic.model.enums import NodeType
from ibforensic.model.ids import PortKey

CLOCK_SLACK_S = 120.0
"""An uptime this much shorter than the time between the samples may still be clock skew."""


@dataclass(frozen=True)
class Pair:
    """The baseline and the current sample.

    Attributes:
        baseline: The earlier one.
        current: The later one.
        alone: Whether the baseline is but the empty past of the current sample: see ``diff/alone.py``.
    """

    baseline: View
    current: View
    alone: bool = False

    @cached_property
    def keys(self) -> pa.Array:
        """Keys of all ports that either side tells about, sorted."""
        both = [view.ports.keys for view in (self.baseline, self.current)]
        counted = [
            view.counters(group) for view in (self.baseline, self.current) for group in COMPARED_GROUPS
        ]
        chunks = [*both, *(counters.keys for counters in counted if counters is not None)]
        found = pc.unique(pa.chunked_array(chunks, pa.string()))
        return found.take(pc.array_sort_indices(found))

    @cached_property
    def ports(self) -> Ports:
        """The ports behind those keys."""
        return Ports(self.keys)

    @property
    def port_keys(self) -> list[PortKey]:
        """The same keys as records, in the same order."""
        return self.ports.records

    @cached_property
    def positions(self) -> dict[PortKey, int]:
        """Port → its position in ``keys``."""
        return {key: position for position, key in enumerate(self.port_keys)}

    @cached_property
    def in_use(self) -> npt.NDArray[np.bool_]:
        """Ports that are in use now."""
        return np.array([key in self.current.in_use for key in self.port_keys], dtype=np.bool_)

    @cached_property
    def before(self) -> Merged:
        """Ports of the baseline, in the order of ``keys``; null where it does not tell of them."""
        return self.baseline.ports.aligned(self.ports)

    @cached_property
    def after(self) -> Merged:
        """Ports of the current sample, in the order of ``keys``."""
        return self.current.ports.aligned(self.ports)

    @property
    def sides(self) -> tuple[tuple[str, View], ...]:
        """Name and content of each side that somebody collected."""
        if self.alone:
            return (("sample", self.current),)
        return (("baseline", self.baseline), ("current sample", self.current))

    @property
    def empty(self) -> tuple[str, ...]:
        """Sides that tell of no node and no port."""
        return tuple(side for side, view in self.sides if view.empty)

    @cached_property
    def related(self) -> bool:
        """Whether both samples show one fabric: a switch in common, or a port where one has none."""
        if self.alone:
            return True
        switches = [
            {guid for guid, node in view.nodes.items() if node["node_type"] == NodeType.SWITCH}
            for view in (self.baseline, self.current)
        ]
        if all(switches):
            return bool(switches[0] & switches[1])
        nodes = set(self.baseline.nodes) & set(self.current.nodes)
        told = [set(view.ports.keys.to_pylist()) for view in (self.baseline, self.current)]
        for view, keys in zip((self.baseline, self.current), told, strict=True):
            for group in COMPARED_GROUPS:
                counters = view.counters(group)
                keys |= set(counters.keys.to_pylist()) if counters else set()
        return bool(nodes or told[0] & told[1] or self.baseline.slots & self.current.slots)

    @cached_property
    def clock_gap_s(self) -> float | None:
        """Seconds between the two samples as their clocks tell; negative where they run against time."""
        begun = self.baseline.sample.info.window.began_at
        ended = self.current.sample.info.window.began_at
        return (ended - begun).total_seconds() if begun and ended else None

    @property
    def gap_s(self) -> float | None:
        """Seconds between the two samples; None where a time is missing or a clock was wrong."""
        gap = self.clock_gap_s
        return gap if gap is not None and gap >= 0 else None

    @cached_property
    def later_by_uptime(self) -> bool:
        """Whether most nodes have been up for longer in the current sample, whatever the clocks say."""
        both = [
            (node["uptime_s"], self.current.nodes[guid]["uptime_s"])
            for guid, node in self.baseline.nodes.items()
            if guid in self.current.nodes
        ]
        told = [(then, now) for then, now in both if then is not None and now is not None]
        return bool(2 * sum(now > then for then, now in told) > len(told))

    @cached_property
    def restarted(self) -> Mapping[str, float]:
        """Nodes that were reset in between → their uptime now, in seconds.

        An uptime below the earlier one, or well below the time between the samples, proves it; and so
        does a host's other boot id, for its HCAs began anew with it.
        """
        found: dict[str, float] = {}
        young = -math.inf if self.gap_s is None else self.gap_s - CLOCK_SLACK_S
        before = self.baseline.nodes
        for guid, node in self.current.nodes.items():
            now = node["uptime_s"]
            if now is None or guid not in before:
                continue
            then = before[guid]["uptime_s"]
            if now < young or (then is not None and now < then):
                found[guid] = float(now)
        return {**rebooted(self.baseline, self.current, self.gap_s), **found}

    @cached_property
    def newborn(self) -> Mapping[str, float]:
        """Nodes that are new and younger than the time between the samples → their uptime, in seconds.

        Everything they have counted, they counted since the baseline.
        """
        if self.gap_s is None or not self.baseline.speaks:
            return {}
        return {
            guid: float(node["uptime_s"])
            for guid, node in self.current.nodes.items()
            if guid not in self.baseline.nodes
            and node["uptime_s"] is not None
            and node["uptime_s"] < self.gap_s - CLOCK_SLACK_S
        }

    @cached_property
    def counting(self) -> Mapping[str, float]:
        """Nodes of which all that they count is growth → for how long they may have counted, in seconds.

        Those that were reset, and new ones; for a sample on its own, all whose uptime is known. Counters
        may have been cleared since a node came up, so it is the longest time.
        """
        if self.alone:
            uptimes = ((guid, node["uptime_s"]) for guid, node in self.current.nodes.items())
            return {guid: float(uptime) for guid, uptime in uptimes if uptime is not None}
        return {**self.restarted, **self.newborn}

    @cached_property
    def uptime_s(self) -> npt.NDArray[np.float64]:
        """Uptime now of each port's node that was reset, or is new; NaN for the others."""
        restarted = {**self.restarted, **self.newborn}
        return self.ports.of_nodes(restarted, math.nan)

    @cached_property
    def cleared_by_run(self) -> Mapping[str, datetime | None]:
        """Groups that the current run itself cleared before it read them → when."""
        clears = self.current.sample.tables.get("clears")
        if clears is None:
            return {}
        begun = self.baseline.sample.info.window.began_at
        return {
            row["group"]: row["cleared_at"]
            for row in clears.to_pylist()
            if row["scope"] == "fabric" and (not begun or not row["cleared_at"] or row["cleared_at"] >= begun)
        }

    @cached_property
    def lost_files(self) -> tuple[str, ...]:
        """Cut files of the current sample that may lack the fault: nodes, links or counters of ports."""
        current = self.current
        return tuple(path for path in current.cut if path in (*current.cut_fabric, *current.cut_counters))
