"""What the ladder stands on: the tables of both sides, and what the comparison of the fabric found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import pyarrow as pa

from ibforensic.ladder.compare import Compared, Unmatched, compare, unmatched
from ibforensic.ladder.places import Places, places_of
from ibforensic.ladder.runs import BenchRun, runs_of
from ibforensic.ladder.uplinks import Leaf, leaves_of
from ibforensic.ladder.ways import Ways
from ibforensic.model.enums import Role, Verdict
from ibforensic.model.ids import PortKey
from ibforensic.model.message import Message
from ibforensic.model.records import Change, Suspect

__all__ = ["Fabric", "Grounds", "Side"]


@dataclass(frozen=True)
class Side:
    """One side.

    Attributes:
        tables: Canonical tables; those that are not there are not asked for.
        rates: Port that is active → rate, Gb/s.
        states: Port that is told not to be active → its logical state.
        peers: Port → port at the other end.
        taken_at: When it was collected; None where nothing tells.
        earlier: Tables of earlier collections of this side: their runs count, too.
    """

    tables: Mapping[str, pa.Table]
    rates: Mapping[PortKey, float] = field(default_factory=dict)
    states: Mapping[PortKey, str] = field(default_factory=dict)
    peers: Mapping[PortKey, PortKey] = field(default_factory=dict)
    earlier: Sequence[Mapping[str, pa.Table]] = ()
    taken_at: datetime | None = None

    @cached_property
    def runs(self) -> Sequence[BenchRun]:
        """Runs of benchmarks, those of the last collection at the end."""
        return [run for tables in (*self.earlier, self.tables) for run in runs_of(tables)]

    @cached_property
    def places(self) -> Places:
        """Where the ports of the runs are found."""
        return places_of(self.tables)

    @cached_property
    def nodes(self) -> frozenset[str]:
        """Nodes with a link."""
        return frozenset(port.node_guid for port in self.peers)

    @cached_property
    def hosts(self) -> dict[tuple[str, str, int], Mapping[str, object]]:
        """(host, device, port) → what the host says of it; a later row fills what an earlier one lacks."""
        table = self.tables.get("hosts")
        found: dict[tuple[str, str, int], dict[str, object]] = {}
        for row in table.to_pylist() if table is not None else ():
            if row["host"] and row["device"]:
                told = {name: value for name, value in row.items() if value is not None}
                key = (row["host"], row["device"], row["port_num"] or 1)
                found[key] = {**told, **found.get(key, {})}
        return dict(found)


@dataclass(frozen=True)
class Fabric:
    """What the comparison of the fabric found.

    Attributes:
        call: Names a port in a sentence.
        name: Names a node.
        roles: Node → role.
        hosts: HCA → name of its host.
        suspects: Who is to blame, by rank.
        verdict: Outcome of the comparison.
        headline: The same as a sentence.
        ports: judged, expected: ports whose error counters could be compared, and all of them.
        changes: Facts.
        sent: Port → octets it sent since the baseline, where that is known.
        sent_before: Port → octets it had sent by the time of the baseline.
        waited: Port → ticks it waited since the baseline.
        seconds: Time between the samples; None where it is not known.
        related: Whether both sides show one fabric.
    """

    call: Callable[[PortKey], str]
    name: Callable[[str], str]
    roles: Mapping[str, Role] = field(default_factory=dict)
    hosts: Mapping[str, str] = field(default_factory=dict)
    suspects: Sequence[Suspect] = ()
    verdict: Verdict = Verdict.CANNOT_JUDGE
    headline: Message | None = None
    ports: Mapping[str, int] = field(default_factory=dict)
    changes: Sequence[Change] = ()
    sent: Mapping[PortKey, float] = field(default_factory=dict)
    sent_before: Mapping[PortKey, float] = field(default_factory=dict)
    waited: Mapping[PortKey, float] = field(default_factory=dict)
    seconds: float | None = None
    related: bool = True


@dataclass(frozen=True)
class Grounds:
    """Both sides, and the fabric between them.

    Attributes:
        before: The baseline.
        after: What is judged.
        fabric: The comparison of the fabric; None where there are benchmarks alone.
    """

    before: Side
    after: Side
    fabric: Fabric | None = None

    @cached_property
    def compared(self) -> list[Compared]:
        """Like runs of both sides."""
        return compare(self.before.runs, self.after.runs)

    @cached_property
    def unmatched(self) -> list[Unmatched]:
        """Runs of now without a like one before."""
        return unmatched(self.before.runs, self.after.runs)

    @cached_property
    def ways(self) -> Ways:
        """Ways through the fabric as it is now."""
        lids = {ports[0]: lid for lid, ports in self.after.places.by_lid.items() if len(ports) == 1}
        peers = self.after.peers or self.before.peers
        roles = self.fabric.roles if self.fabric else {}
        return Ways.of(peers, roles, lids, self.after.tables.get("routes"))

    @cached_property
    def leaves(self) -> tuple[dict[str, Leaf], dict[str, Leaf]]:
        """Leaves of the baseline and of now, with their links."""
        roles = self.fabric.roles if self.fabric else {}
        before, after = (leaves_of(side.peers, side.rates, roles) for side in (self.before, self.after))
        return before, after

    def call(self, port: PortKey) -> str:
        """Name a port in a sentence."""
        return self.fabric.call(port) if self.fabric else f"{port.node_guid} port {port.port_num}"

    def name(self, node_guid: str) -> str:
        """Name a node."""
        return self.fabric.name(node_guid) if self.fabric else node_guid
