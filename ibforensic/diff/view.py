"""One sample as a whole: one row for each node, port and link, whoever told about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.merge import Cells, by_precedence, cells, collapse, first_known, together, with_key
from ibforensic.model.counters import in_group
from ibforensic.model.enums import Basis, CounterGroup, PortState
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.tables import TABLES
from ibforensic.snapshot.records import Sample

COMPARED_GROUPS = (CounterGroup.PMA, CounterGroup.DETAIL)
ALL_PORTS = 255
"""perfquery's number for the sum over all ports: never a port."""

_OF_THE_MOMENT = ("counters_", "phy", "links", "events")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Counters:
    """Counters of one group and basis at the ports of a sample.

    Attributes:
        keys: Port keys, ``node_guid/port_num``.
        cells: Counter → one cell a port.
        source: File of each row.
        line: Line of each row, -1 where unknown.
        window_s: Length of the window, seconds; NaN for cumulative values.
    """

    keys: pa.Array
    cells: Mapping[str, Cells]
    source: pa.Array
    line: npt.NDArray[np.int64]
    window_s: npt.NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """One sample, sources merged.

    Attributes:
        sample: The sample as read.
        lids: LID → node GUID as the other sample tells it, for counters that only tell a LID.
    """

    sample: Sample
    lids: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def stale(self) -> frozenset[str]:
        """Sources that belong to another run."""
        return frozenset(source.path for source in self.sample.info.sources if source.stale)

    @cached_property
    def cut(self) -> tuple[str, ...]:
        """Files that are cut: what they lack is not observed, not absent."""
        return tuple(source.path for source in self.sample.info.sources if not source.whole)

    @property
    def empty(self) -> bool:
        """Whether it tells of no node and no port: what it lacks was not looked for."""
        counted = any(self.counters(group) for group in CounterGroup)
        return not (self.nodes or len(self.ports) or counted)

    @cached_property
    def nodes(self) -> dict[str, Row]:
        """Node GUID → what is known of the node."""
        table = self.table("nodes")
        told = table.filter(pc.is_valid(table["node_guid"]))
        return {row["node_guid"]: row for row in first_known(told, "node_guid", self.stale).to_pylist()}

    @cached_property
    def host_names(self) -> dict[str, str]:
        """Node GUID of an HCA → host and device, as a host's own tools name it."""
        table = self.table("hosts")
        columns = (table[name].to_pylist() for name in ("node_guid", "host", "device"))
        found: dict[str, str] = {}
        for guid, host, device in zip(*columns, strict=True):
            if guid and device:
                found.setdefault(guid, f"{host} {device}" if host else device)
        return found

    @cached_property
    def boots(self) -> dict[str, tuple[str, float | None]]:
        """Node GUID of an HCA → boot id of its host and its uptime in seconds, where the host tells."""
        table = self.table("hosts")
        columns = (table[name].to_pylist() for name in ("node_guid", "boot_id", "uptime_s", "source"))
        return {
            guid: (boot, uptime)
            for guid, boot, uptime, source in zip(*columns, strict=True)
            if guid and boot and source not in self.stale
        }

    @cached_property
    def ports(self) -> pa.Table:
        """One row a port, with the column ``key``; Ethernet ports are no part of the fabric."""
        found = first_known(with_key(self.table("ports")), "key", self.stale)
        return found.filter(pc.fill_null(pc.not_equal(found["link_layer"], "Ethernet"), True))

    @cached_property
    def links(self) -> dict[LinkKey, str]:
        """Link → ``file:line`` it was read from."""
        table = by_precedence(self.table("links"), self.stale)
        columns = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b", "source", "line")
        found: dict[LinkKey, str] = {}
        for a, pa_, b, pb, source, line in zip(*(table[name].to_pylist() for name in columns), strict=True):
            if None not in (a, pa_, b, pb):
                found.setdefault(LinkKey(PortKey(a, pa_), PortKey(b, pb)), f"{source}:{line}")
        return found

    @cached_property
    def up(self) -> frozenset[PortKey]:
        """Ports that are active."""
        active = self.ports.filter(pc.equal(self.ports["state"], PortState.ACTIVE.value))
        return frozenset(_port_keys(active["key"]))

    @cached_property
    def speaking(self) -> frozenset[PortKey]:
        """Ports that the sample holds counters of, or calls active: their nodes are there."""
        counted = [self.counters(group) for group in COMPARED_GROUPS]
        keys = [key for counters in counted if counters for key in _port_keys(counters.keys)]
        return self.up | frozenset(keys)

    @cached_property
    def in_use(self) -> frozenset[PortKey]:
        """Ports that lead somewhere; where no links are told, those that are active or counted."""
        ports = frozenset(self.peers) if self.links else self.speaking
        return frozenset(port for port in ports if port.port_num > 0)

    @cached_property
    def peers(self) -> dict[PortKey, PortKey]:
        """Port → port at the other end of its link, as the most trusted source has it."""
        found: dict[PortKey, PortKey] = {}
        for a, b in self.links:
            found.setdefault(a, b)
            found.setdefault(b, a)
        return found

    @cached_property
    def _read(self) -> dict[tuple[CounterGroup, Basis], Counters | None]:
        return {}

    def counters(self, group: CounterGroup, basis: Basis = Basis.CUMULATIVE) -> Counters | None:
        """Return the counters of a group and basis, one row a port; None where none were collected."""
        if (group, basis) not in self._read:
            self._read[group, basis] = self._counters(group, basis)
        return self._read[group, basis]

    def _counters(self, group: CounterGroup, basis: Basis) -> Counters | None:
        table = self.table(f"counters_{group}")
        wanted = pc.equal(table["basis"], basis.value)
        rows = pc.and_(wanted, pc.not_equal(table["port_num"], ALL_PORTS))
        table = by_precedence(with_key(self._by_lid(table.filter(rows))), self.stale)
        if not table.num_rows:
            return None
        keys = table["key"].combine_chunks()
        names = [name for entry in in_group(group) for name in entry.columns]
        first, columns = collapse(keys, {name: cells(table, name) for name in names})
        merged = {
            entry.name: together(columns[entry.name], columns[entry.ext_name])
            if entry.ext_bits
            else columns[entry.name]
            for entry in in_group(group)
        }
        positions = pa.array(first)
        return Counters(
            keys.take(positions),
            merged,
            table["source"].combine_chunks().take(positions),
            pc.fill_null(table["line"], -1).to_numpy()[first].astype(np.int64),
            pc.fill_null(table["window_s"], float("nan")).to_numpy()[first],
        )

    def _by_lid(self, table: pa.Table) -> pa.Table:
        """Give rows that only tell a LID the node the other sample knows under it, else the LID."""
        nameless = pc.and_(pc.is_null(table["node_guid"]), pc.is_valid(table["lid"]))
        if not pc.any(nameless).as_py():
            return table
        lids = table["lid"].to_pylist()
        guids = [
            guid or (None if lid is None else self.lids.get(lid, f"lid:{lid}"))
            for guid, lid in zip(table["node_guid"].to_pylist(), lids, strict=True)
        ]
        at = table.schema.get_field_index("node_guid")
        return table.set_column(at, table.schema.field(at), pa.array(guids, pa.string()))

    @cached_property
    def told_lids(self) -> dict[int, str]:
        """LID → node GUID, as this sample tells it."""
        found: dict[int, str] = {}
        for name in ("ports", "nodes"):
            table = self.table(name)
            told = table.filter(pc.and_(pc.is_valid(table["lid"]), pc.is_valid(table["node_guid"])))
            for lid, guid in zip(told["lid"].to_pylist(), told["node_guid"].to_pylist(), strict=True):
                found.setdefault(lid, guid)
        return found

    @cached_property
    def lids_only(self) -> int:
        """Rows of counters that tell a LID and no node."""
        table = self.table(f"counters_{CounterGroup.PMA}")
        nameless = pc.and_(pc.is_null(table["node_guid"]), pc.is_valid(table["lid"]))
        return int(pc.sum(nameless).as_py() or 0)

    def table(self, name: str) -> pa.Table:
        """The declared columns of a canonical table; empty where the sample has none.

        Rows of another run count only where this run tells nothing of the kind, and never where the
        moment matters: counters, errors and links of two weeks ago are not those of now.
        """
        schema = TABLES[name].schema
        found = self.sample.tables.get(name)
        if found is None:
            return schema.empty_table()
        found = found.select(schema.names)
        stale = pc.is_in(found["source"], value_set=pa.array(sorted(self.stale), pa.string()))
        fresh = found.filter(pc.invert(stale))
        return fresh if fresh.num_rows or name.startswith(_OF_THE_MOMENT) else found


def _port_keys(keys: pa.Array | pa.ChunkedArray) -> Iterator[PortKey]:
    """Turn the text keys of ports into records."""
    for key in keys.to_pylist():
        guid, _, number = key.rpartition("/")
        yield PortKey(guid, int(number))
