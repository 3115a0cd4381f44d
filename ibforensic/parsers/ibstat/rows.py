"""Devices of ibstat made into the tables hosts, nodes and ports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import pyarrow as pa

from ibforensic.model.devices import device_name
from ibforensic.model.enums import NodeType, PhysState
from ibforensic.model.table import EXTRA_PREFIX
from ibforensic.parsers.ibstat.facts import Row, Seen
from ibforensic.parsers.ibstat.text_blocks import Failure
from ibforensic.parsers.kernel_words import real_lid
from ibforensic.parsers.rows import table_of

_MOST_EXTRAS = 50
_CA = str(NodeType.CA)
_UP = (str(PhysState.LINK_UP), None)
"""States of a port whose rate is one in use."""
_CA_TYPE = re.compile(r"MT(\d{3,6})\b", re.ASCII)
_HOMES = frozenset(("State", "Physical state", "Rate", "Base lid", "SM lid", "Port GUID", "Link layer"))


def hosts(devices: Sequence[Seen], failures: Sequence[Failure], path: str) -> pa.Table:
    """Make the host's view: one row a port, one for a device without ports, one for a failed device.

    Args:
        devices: Devices with their values.
        failures: Devices that did not answer.
        path: File, for provenance.

    Returns:
        The table ``hosts``; values as printed, LIDs included.
    """
    found: list[Row] = []
    extras: dict[str, str] = {}
    for seen in devices:
        for port, columns in seen.ports:
            row = seen.columns | columns
            for name, value in port.fields.items():
                if name not in _HOMES and (name in extras or len(extras) < _MOST_EXTRAS):
                    if name not in extras:
                        extras[name] = f"{EXTRA_PREFIX}{name.lower().replace(' ', '_')}"
                    row[extras[name]] = value
            found.append(row)
        if not seen.ports:
            found.append(seen.columns)
    found += [
        {"host": fail.host, "device": fail.name, "query_error": fail.text, "line": fail.line}
        for fail in failures
    ]
    return table_of("hosts", found, path, "ibstat")


def nodes(devices: Sequence[Seen], path: str) -> pa.Table:
    """Make the HCAs as nodes of the fabric; a device without a node GUID gives none.

    Args:
        devices: Devices with their values.
        path: File, for provenance.

    Returns:
        The table ``nodes``; node_desc is null, for ibstat does not print it.
    """
    found: list[Row] = []
    for seen in devices:
        if seen.columns["node_guid"] is None:
            continue
        first = seen.ports[0][1] if seen.ports else {}
        device_id = _device_id(seen.columns["hca_type"] or "")
        found.append(
            {
                "node_guid": seen.columns["node_guid"],
                "node_type": _CA,
                "system_guid": seen.columns["system_guid"],
                "port_guid": first.get("port_guid"),
                "device_id": device_id,
                "generation": device_name(device_id),
                "fw_version": seen.columns["fw_version"],
                "hw_revision": seen.columns["hw_version"],
                "num_ports": seen.device.ports_told,
                "lid": real_lid(first.get("lid")) if len(seen.ports) == 1 else None,
                "line": seen.device.line,
            }
        )
    return table_of("nodes", found, path, "ibstat")


@lru_cache(maxsize=256)
def _device_id(hca_type: str) -> int | None:
    """Return the number of a kind of HCA, such as ``MT4129``."""
    kind = _CA_TYPE.match(hca_type)
    return int(kind.group(1)) if kind else None


def ports(devices: Sequence[Seen], path: str) -> pa.Table:
    """Make the ports of the HCAs; a device without a node GUID gives none.

    Args:
        devices: Devices with their values.
        path: File, for provenance.

    Returns:
        The table ``ports``; the rate of a port that is not up is null.
    """
    found: list[Row] = []
    for seen in devices:
        node_guid = seen.columns["node_guid"]
        for port, columns in seen.ports if node_guid else ():
            up = columns["phys_state"] in _UP
            fdr10 = up and "FDR10" in port.fields.get("Rate", "")
            row = {
                **columns,
                "node_guid": node_guid,
                "lid": real_lid(columns["lid"]),
                "rate_gbps": columns["rate_gbps"] if up else None,
                "speed_active": "FDR10" if fdr10 else None,
            }
            del row["sm_lid"]
            found.append(row)
    return table_of("ports", found, path, "ibstat")
