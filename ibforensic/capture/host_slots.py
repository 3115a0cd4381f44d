"""Which HCA of the fabric sits in which slot of a host: its name tells the host, its label the place.

``lspci`` and ``ibdev2netdev`` print addresses on the PCI bus and no GUID. ibdiagnet calls an HCA
``gpu-7 mlx5_3`` and labels its port with the place on the bus, without the domain. Both must agree exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import NodeType
from ibforensic.model.node_names import host_in
from ibforensic.model.pci_label import pci_address, short_host

__all__ = ["hcas"]

_ETHERNET = "Ethernet"
Slot = tuple[str, str]
"""Host in lower case without its domain, and address with its domain."""


def hcas(tables: Mapping[str, pa.Table], stale: frozenset[str]) -> dict[Slot, str]:
    """Find the HCAs in the slots that rows of hosts without a GUID name.

    Args:
        tables: Tables of the collection.
        stale: Files of other runs: they tell nothing here.

    Returns:
        Slot → node GUID. A slot that more than one HCA may be in is left out. Where the fabric labels no HCA
        of a host, and knows one alone, it is the one in the only slot.
    """
    asked = _asked(tables["hosts"]) if "hosts" in tables else {}
    boxes = _boxes(tables, stale, asked.keys()) if asked else {}
    labels = _labels(tables, stale, {guid for box in boxes.values() for guid in box}) if boxes else {}
    found: dict[Slot, str] = {}
    for host, box in boxes.items():
        full: dict[str, set[str]] = defaultdict(set)
        for address in asked[host]:
            full[address.partition(":")[2]].add(address)
        placed: dict[str, set[str]] = defaultdict(set)
        for guid in box:
            for address in labels.get(guid, ()):
                placed[address].add(guid)
        if not placed and len(box) == len(asked[host]) == 1:
            found[host, next(iter(asked[host]))] = next(iter(box))
        for address, guids in placed.items():
            if len(guids) == 1 and len(full.get(address, ())) == 1:
                found[host, next(iter(full[address]))] = next(iter(guids))
    return found


def _asked(table: pa.Table) -> dict[str, set[str]]:
    """Host → slots of its InfiniBand adapters, of hosts with a slot that no GUID is known of."""
    rows = table.select(["host", "pci_address", "link_layer", "node_guid"])
    told = rows.filter(pc.and_(pc.is_valid(rows["host"]), pc.is_valid(rows["pci_address"])))
    found: dict[str, set[str]] = defaultdict(set)
    open_ones = set()
    for row in told.to_pylist():
        host = short_host(row["host"])
        if row["link_layer"] != _ETHERNET:
            found[host].add(row["pci_address"])
            open_ones |= {host} if row["node_guid"] is None else set()
    return {host: slots for host, slots in found.items() if host in open_ones}


def _boxes(
    tables: Mapping[str, pa.Table], stale: frozenset[str], hosts: Iterable[str]
) -> dict[str, set[str]]:
    """Host → its HCAs, as their names in the fabric tell it."""
    wanted, found = frozenset(hosts), defaultdict(set)
    table = tables.get("nodes")
    if table is None:
        return {}
    for row in table.select(["node_guid", "node_desc", "node_name", "node_type", "source"]).to_pylist():
        name = row["node_name"] or row["node_desc"]
        host = short_host(host_in(name)) if name and row["node_type"] != NodeType.SWITCH else ""
        if host in wanted and row["node_guid"] and row["source"] not in stale:
            found[host].add(row["node_guid"])
    return dict(found)


def _labels(tables: Mapping[str, pa.Table], stale: frozenset[str], guids: set[str]) -> dict[str, set[str]]:
    """Node GUID → places on the bus that the labels of its ports tell."""
    found: dict[str, set[str]] = defaultdict(set)
    table = tables.get("ports")
    if table is None:
        return {}
    mine = table.filter(pc.is_in(table["node_guid"], value_set=pa.array(sorted(guids), pa.string())))
    for row in mine.select(["node_guid", "port_label", "source"]).to_pylist():
        address = pci_address(row["port_label"] or "")
        if address and row["source"] not in stale:
            found[row["node_guid"]].add(address)
    return found
