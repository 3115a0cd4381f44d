"""Metrics about ports of the fabric: infiniband_exporter in its variants, and UFM's and NMX's telemetry."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from ibforensic.model.counters import Counter, by_spelling
from ibforensic.model.enums import NodeType
from ibforensic.model.ids import PortKey, guid, link_key
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.prometheus.gathered import Gathered, add_count, row_of
from ibforensic.parsers.prometheus.lines import Sample, whole_number
from ibforensic.parsers.readings import ber as read_ber
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.text_heads import readable_name

__all__ = ["PREFIXES", "add"]

_TELEMETRY = by_spelling("ufm", extended=True)
_BERS = {
    "Raw_BER": "raw",
    "Total_Raw_BER": "raw",
    "Effective_BER": "effective",
    "Symbol_BER": "symbol",
}
PREFIXES = ("infiniband_", *_TELEMETRY, *_BERS)
_GUIDS = ("guid", "node_guid", "Node_GUID", "local_guid")
_PORTS = ("port", "port_num", "Port_Number", "local_port")
_TYPES = {"CA": NodeType.CA, "SW": NodeType.SWITCH, "RT": NodeType.ROUTER}
_STATES = {
    "infiniband_switch_power_supply_status_info": "AlertState",
    "infiniband_switch_power_supply_dc_power_status_info": "DCState",
    "infiniband_switch_power_supply_fan_status_info": "FanState",
}
_guid = lru_cache(maxsize=1 << 16)(guid)


def add(sample: Sample, found: Gathered, troubles: Gathering) -> bool:
    """Add a sample; tell whether its metric is known.

    Args:
        sample: The sample.
        found: Takes what it tells.
        troubles: Takes samples that tell nothing.
    """
    name = sample.name
    if name.startswith("infiniband_exporter_collect_"):
        if name.endswith(("_errors", "_timeouts")) and sample.number:
            found.failed.append(sample)
        return True
    node = _guid(_first(sample, _GUIDS) or "")
    entry = _counter(name, sample.text)
    kind = _BERS.get(name)
    if entry is None and kind is None and name not in _OTHERS:
        return name.endswith("_seconds") and "collector" in sample.labels
    if node is None:
        troubles.add(
            "no_key", sample.line, "the sample names no node by its GUID; it is left out", "look there"
        )
        return True
    if name in _OTHERS:
        _OTHERS[name](sample, node, found)
        return True
    port = decimal(_first(sample, _PORTS) or "", 4)
    if port is None:
        troubles.add("no_key", sample.line, "the sample names no port; it is left out", "look there")
        return True
    where = {"node_guid": node, "port_num": port}
    if kind is not None:
        log10, none = read_ber(sample.text)
        columns = {f"{kind}_ber_log10": log10, f"{kind}_ber_none": none, "observed_at": sample.at}
        row_of(found, "phy", (node, port), sample.line, **where, **columns)
    elif entry is not None and not add_count(found, entry, (node, port), where, sample):
        troubles.add("bad_value", sample.line, f"{name} cannot be {sample.text}: left out", "look there")
    return True


def _first(sample: Sample, names: tuple[str, ...]) -> str | None:
    """Return the first of some labels that a sample has."""
    labels = sample.labels
    for name in names:
        if name in labels:
            return labels[name]
    return None


@lru_cache(maxsize=1)
def _by_printed_name() -> tuple[dict[str, tuple[Counter, str]], dict[str, tuple[Counter, str]]]:
    """Return the counters that one exporter names after ibqueryerrors: narrow registers, and wide ones."""
    narrow, wide = (
        {
            f"infiniband_{name.lower()}_total": entry
            for name, entry in by_spelling("ibqueryerrors", extended=extended).items()
        }
        for extended in (False, True)
    )
    return narrow, wide


_EXPORTER = by_spelling("treydock", extended=True)


def _counter(name: str, text: str) -> tuple[Counter, str] | None:
    """Return the counter of a metric; what does not fit into the narrow register is the wide one's."""
    entry = _EXPORTER.get(name) or _TELEMETRY.get(name)
    if entry is not None:
        return entry
    narrow, wide = _by_printed_name()
    entry = narrow.get(name)
    value = whole_number(text) if entry is not None else None
    if entry is not None and value is not None and value > entry[0].full:
        return wide.get(name, entry)
    return entry


def _node(kind: NodeType, label: str, sample: Sample, node: str, found: Gathered) -> None:
    """Add a node with what ``_info`` metrics tell of it."""
    labels = sample.labels
    name = labels.get(label)
    row_of(
        found,
        "nodes",
        node,
        sample.line,
        node_guid=node,
        node_type=str(kind),
        node_desc=name,
        node_name=readable_name(name) if name else None,
        lid=decimal(labels.get("lid", "")),
        fw_version=labels.get("firmware_version"),
        psid=labels.get("psid"),
        serial=labels.get("serial_number"),
        part_number=labels.get("part_number"),
    )


def _uplink(sample: Sample, node: str, found: Gathered) -> None:
    """Add a link with the neighbour."""
    labels = sample.labels
    peer = _guid(labels.get("uplink_guid", ""))
    num, peer_num = decimal(labels.get("port", ""), 4), decimal(labels.get("uplink_port", ""), 4)
    if peer is None or num is None or peer_num is None:
        return
    row_of(found, "links", link_key(PortKey(node, num), PortKey(peer, peer_num)), sample.line)
    row_of(found, "ports", (node, num), sample.line, node_guid=node, port_num=num, peer_node_guid=peer)
    kind, name = _TYPES.get(labels.get("uplink_type", "")), labels.get("uplink")
    row_of(
        found,
        "nodes",
        peer,
        sample.line,
        node_guid=peer,
        node_type=str(kind) if kind else None,
        node_desc=name,
        node_name=readable_name(name) if name else None,
        lid=decimal(labels.get("uplink_lid", "")),
    )


def _rate(sample: Sample, node: str, found: Gathered) -> None:
    """Add the rate of a port; an HCA's has no port number where it has one port alone."""
    num, value = decimal(sample.labels.get("port", "1"), 4), sample.number
    if num is not None and value:
        rate = round(value * 8 / 1e9, 3)
        row_of(found, "ports", (node, num), sample.line, node_guid=node, port_num=num, rate_gbps=rate)


def _sensor(kind: str, unit: str, label: str, sample: Sample, node: str, found: Gathered) -> None:
    """Add a reading."""
    name = f"{kind}/{sample.labels.get(label, 'asic')}"
    row_of(
        found,
        "sensors",
        (node, name),
        sample.line,
        node_guid=node,
        sensor=name,
        kind=kind,
        value=sample.number,
        unit=unit,
    )


def _state(sample: Sample, node: str, found: Gathered) -> None:
    """Add a state of a power supply, or of all fans; the one that is true has the value 1."""
    status = sample.labels.get("status")
    if sample.number != 1 or not status:
        return
    word, psu = _STATES.get(sample.name), sample.labels.get("psu")
    kind, name = ("fan", "fan") if word is None else ("psu", f"psu/{psu}")
    row = row_of(found, "sensors", (node, name), sample.line, node_guid=node, sensor=name, kind=kind)
    said = status if word is None else f"{word} {status}"
    row["status"] = f"{row['status']}; {said}" if row.get("status") else said


def _uptime(sample: Sample, node: str, found: Gathered) -> None:
    """Add the time since a switch was reset."""
    uptime = whole_number(sample.text)
    row_of(found, "nodes", node, sample.line, node_guid=node, uptime_s=uptime)


def _nothing(_sample: Sample, _node: str, _found: Gathered) -> None:
    """Pass over a metric that repeats another."""


_OTHERS: dict[str, Callable[[Sample, str, Gathered], None]] = {
    "infiniband_switch_info": partial(_node, NodeType.SWITCH, "switch"),
    "infiniband_switch_hardware_info": partial(_node, NodeType.SWITCH, "switch"),
    "infiniband_hca_info": partial(_node, NodeType.CA, "hca"),
    "infiniband_switch_uplink_info": _uplink,
    "infiniband_hca_uplink_info": _uplink,
    "infiniband_switch_port_rate_bytes_per_second": _rate,
    "infiniband_hca_port_rate_bytes_per_second": _rate,
    "infiniband_hca_rate_bytes_per_second": _rate,
    "infiniband_switch_port_raw_rate_bytes_per_second": _nothing,
    "infiniband_hca_port_raw_rate_bytes_per_second": _nothing,
    "infiniband_hca_raw_rate_bytes_per_second": _nothing,
    "infiniband_switch_uptime_seconds": _uptime,
    "infiniband_switch_fan_rpm": partial(_sensor, "fan", "rpm", "fan"),
    "infiniband_switch_temperature_celsius": partial(_sensor, "temperature", "°C", "sensor"),
    "infiniband_switch_power_supply_watts": partial(_sensor, "power", "W", "psu"),
    "infiniband_switch_fan_status_info": _state,
    **dict.fromkeys(_STATES, _state),
}
"""Metric → what adds it."""
