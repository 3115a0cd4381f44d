"""One sample as a whole: one row for each node, port and link, whoever told about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff import cut_files
from ibforensic.diff.merge import by_precedence, first_known, kept
from ibforensic.diff.merged import CellsOf, Merged, merge, numbered
from ibforensic.diff.ports import Ports
from ibforensic.model.enums import Basis, CounterGroup, PortState
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.pci_label import host_and_address, stand_in
from ibforensic.model.tables import TABLES
from ibforensic.snapshot.records import Sample

COMPARED_GROUPS = (CounterGroup.PMA, CounterGroup.DETAIL)
ALL_PORTS = 255
"""perfquery's number for the sum over all ports: never a port."""

_ENDS = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b")
_OF_THE_MOMENT = ("counters_", "phy", "modules", "sensors", "links", "events")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Counters:
    """Counters of one group and basis at the ports of a sample.

    Attributes:
        keys: Port keys, ``node_guid/port_num``.
        cells: Counter → one cell a port, read when it is asked for.
        source: File of each row.
        line: Line of each row, -1 where unknown.
        window_s: Length of the window, seconds; NaN for cumulative values.
    """

    keys: pa.Array
    cells: CellsOf
    source: pa.Array
    line: npt.NDArray[np.int64]
    window_s: npt.NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """One sample, sources merged.

    Attributes:
        sample: The sample as read.
        other: The sample it is compared with: it may know the node of counters that only tell a LID.
    """

    sample: Sample
    other: Sample | None = None

    @cached_property
    def lids(self) -> Mapping[int, str]:
        """LID → node GUID as the other sample tells it."""
        return View(self.other).told_lids if self.other else {}

    @cached_property
    def stale(self) -> frozenset[str]:
        """Sources that belong to another run."""
        return frozenset(source.path for source in self.sample.info.sources if source.stale)

    @cached_property
    def cut(self) -> tuple[str, ...]:
        """Files that are cut: what they lack is not observed, not absent."""
        return cut_files.cut(self.sample)

    @cached_property
    def cut_fabric(self) -> tuple[str, ...]:
        """Those without which nodes, ports and links may be missing: no whole file tells of all of them."""
        return cut_files.doubtful(self.sample, cut_files.FABRIC)

    @cached_property
    def cut_counters(self) -> tuple[str, ...]:
        """Those without which counters of ports may be missing."""
        return cut_files.doubtful(self.sample, cut_files.COUNTERS)

    @property
    def empty(self) -> bool:
        """Whether it tells of no node and no port: what it lacks was not looked for."""
        counted = any(self.counters(group) for group in CounterGroup)
        return not (self.nodes or len(self.ports) or counted or self.slots)

    @property
    def sums_alone(self) -> bool:
        """Whether all counters of ports that it holds are sums over the ports of a node."""
        ports = pc.unique(self.table(f"counters_{CounterGroup.PMA}", ("port_num",))["port_num"])
        return bool(ports.to_pylist() == [ALL_PORTS])

    @cached_property
    def nodes(self) -> dict[str, Row]:
        """Node GUID → what is known of the node."""
        table = self.table("nodes")
        told = table.filter(pc.is_valid(table["node_guid"]))
        nodes = first_known(told, "node_guid", self.stale)
        # Column by column, which takes half as long as to let Arrow make the rows.
        names, columns = nodes.column_names, [column.to_pylist() for column in nodes.columns]
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        return {row["node_guid"]: row for row in rows}

    @cached_property
    def host_names(self) -> dict[str, str]:
        """Node GUID of an HCA → host and device, as a host's own tools name it."""
        read = ("node_guid", "host", "device", "pci_address")
        table = self.table("hosts", read)
        found: dict[str, str] = {}
        beside: dict[str, str] = {}
        for guid, host, device, address in zip(*(table[name].to_pylist() for name in read), strict=True):
            if guid and device:
                found.setdefault(guid, f"{host} {device}" if host else device)
            elif guid and address and guid == stand_in(host or "", address):
                beside.setdefault(guid, f"{host} (PCI {address.removeprefix('0000:')})")
        return {**beside, **found}

    @property
    def slots(self) -> frozenset[str]:
        """HCAs of which nothing is known but the host and the slot they are in."""
        return frozenset(guid for guid in self.host_names if host_and_address(guid))

    @cached_property
    def ports(self) -> Merged:
        """One row a port; Ethernet ports are no part of the fabric."""
        found = self._all_ports
        return found.where(pc.fill_null(pc.not_equal(found["link_layer"], "Ethernet"), True))

    @cached_property
    def ethernet(self) -> Merged:
        """Those that were left out: one row a port whose link layer is Ethernet."""
        found = self._all_ports
        return found.where(pc.fill_null(pc.equal(found["link_layer"], "Ethernet"), False))

    @cached_property
    def _all_ports(self) -> Merged:
        return self.merged("ports")

    def merged(self, name: str) -> Merged:
        """Make one row a port of a table; its columns are read when they are asked for.

        Args:
            name: Name of the table.
        """
        if name not in self._merged:
            table = numbered(self.table(name, ("node_guid", "port_num", "origin", "source"), coded=True))
            self._merged[name] = merge(table, self.stale, partial(self._column, name))
        return self._merged[name]

    @cached_property
    def _merged(self) -> dict[str, Merged]:
        return {}

    @cached_property
    def links(self) -> dict[LinkKey, int]:
        """Link → the first of its rows in ``_link_rows``."""
        columns = (self._link_rows[name].to_pylist() for name in _ENDS)
        guid_a, num_a, guid_b, num_b = columns
        found: dict[LinkKey, int] = {}
        ends = zip(map(PortKey, guid_a, num_a), map(PortKey, guid_b, num_b), strict=True)
        for row, (a, b) in enumerate(ends):
            found.setdefault(LinkKey(a, b), row)
        return found

    @cached_property
    def _link_rows(self) -> pa.Table:
        """Links that tell both of their ends, the most trusted first."""
        table = by_precedence(self.table("links", (*_ENDS, "source", "line", "origin")), self.stale)
        return kept(table, reduce(pc.and_, [pc.is_valid(table[name]) for name in _ENDS]))

    def link_source(self, link: LinkKey) -> str:
        """``file:line`` that a link was read from; empty where the sample does not tell of it."""
        row = self.links.get(link)
        if row is None:
            return ""
        return f"{self._link_rows['source'][row].as_py()}:{self._link_rows['line'][row].as_py()}"

    @cached_property
    def up(self) -> frozenset[PortKey]:
        """Ports that are active."""
        active = pc.equal(self.ports["state"], PortState.ACTIVE.value)
        return frozenset(Ports(self.ports.keys.filter(active.combine_chunks())).records)

    @cached_property
    def speaking(self) -> frozenset[PortKey]:
        """Ports that the sample holds counters of, or calls active: their nodes are there."""
        counted = [self.counters(group) for group in COMPARED_GROUPS]
        keys = [key for counters in counted if counters for key in Ports(counters.keys).records]
        return self.up | frozenset(keys)

    @property
    def speaks(self) -> bool:
        """Whether there is any such port."""
        return any(self.counters(group) for group in COMPARED_GROUPS) or bool(self.up)

    @cached_property
    def in_use(self) -> frozenset[PortKey]:
        """Ports that lead somewhere; where no links are told, those that are active or counted."""
        ports = self.peers if self.links else self.speaking
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
        name = f"counters_{group}"
        columns = ("node_guid", "port_num", "lid", "basis", "origin", "source")
        table = numbered(self.table(name, columns, coded=True))
        wanted = pc.and_(pc.equal(table["basis"], basis.value), pc.not_equal(table["port_num"], ALL_PORTS))
        rows = merge(self._by_lid(kept(table, wanted)), self.stale, partial(self._column, name))
        if not len(rows):
            return None
        return Counters(
            rows.keys,
            CellsOf(group, rows),
            rows.first("source"),
            pc.fill_null(rows.first("line"), -1).to_numpy().astype(np.int64),
            pc.fill_null(rows.first("window_s"), float("nan")).to_numpy(),
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
            table = self.table(name, ("lid", "node_guid"))
            told = table.filter(pc.and_(pc.is_valid(table["lid"]), pc.is_valid(table["node_guid"])))
            for lid, guid in zip(told["lid"].to_pylist(), told["node_guid"].to_pylist(), strict=True):
                found.setdefault(lid, guid)
        return found

    @cached_property
    def lids_only(self) -> int:
        """Rows of counters that tell a LID and no node."""
        table = self.table(f"counters_{CounterGroup.PMA}", ("node_guid", "lid"))
        nameless = pc.and_(pc.is_null(table["node_guid"]), pc.is_valid(table["lid"]))
        return int(pc.sum(nameless).as_py() or 0)

    def table(self, name: str, wanted: Sequence[str] | None = None, coded: bool = False) -> pa.Table:
        """Declared columns of a canonical table, all or those that are wanted; empty where there is none.

        Texts may come as dictionaries where ``coded`` says so.

        Rows of another run count only where this run tells nothing of the kind, and never where the
        moment matters: counters, errors, light and modules of two weeks ago are not those of now.
        """
        schema = TABLES[name].schema
        columns = list(schema.names if wanted is None else wanted)
        found = self.sample.columns(name, columns, coded)
        if found is None:
            return schema.empty_table().select(columns)
        fresh = self._fresh(name) if self.stale else None
        return found if fresh is None else found.filter(fresh)

    def _column(self, name: str, column: str) -> pa.ChunkedArray:
        return self.table(name, (column,), coded=True)[column]

    def _fresh(self, name: str) -> pa.Array | None:
        """Rows of a table that are of this run; None where all rows count."""
        if name not in self._fresh_rows:
            found = self.sample.columns(name, ("source",))
            if found is None:
                return None
            stale = pc.is_in(found["source"], value_set=pa.array(sorted(self.stale), pa.string()))
            fresh = pc.invert(stale)
            all_count = not pc.any(fresh).as_py() and not name.startswith(_OF_THE_MOMENT)
            self._fresh_rows[name] = None if all_count else fresh
        return self._fresh_rows[name]

    @cached_property
    def _fresh_rows(self) -> dict[str, pa.Array | None]:
        return {}
