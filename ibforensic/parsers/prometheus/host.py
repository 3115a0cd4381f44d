"""Metrics of node_exporter about the HCAs of its own host."""

from __future__ import annotations

from ibforensic.model.counters import by_spelling
from ibforensic.model.enums import CounterGroup
from ibforensic.model.link_terms import PHYS_STATE, PORT_STATE
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.prometheus.gathered import Gathered, add_count, row_of
from ibforensic.parsers.prometheus.lines import Sample, whole_number
from ibforensic.parsers.readings import decimal

__all__ = ["HOST_METRIC", "PREFIXES", "add"]

_COUNTERS = by_spelling("node_exporter")
_STEM = "node_infiniband_"
HOST_METRIC = "node_uname_info"
"""Names the host."""
PREFIXES = (_STEM, HOST_METRIC)


def add(sample: Sample, host: str | None, found: Gathered, troubles: Gathering) -> bool:
    """Add a sample; tell whether its metric is known.

    Args:
        sample: The sample.
        host: Host, where another metric names it.
        found: Takes what it tells.
        troubles: Takes samples that tell nothing.
    """
    device = sample.labels.get("device")
    instance = sample.labels.get("instance")
    owner = instance.rpartition(":")[0] or instance if instance else host
    if sample.name == f"{_STEM}info" and device:
        _info(sample, owner, device, found)
        return True
    port = decimal(sample.labels.get("port", ""), 4)
    if device is None or port is None:
        troubles.add(
            "no_key", sample.line, "the sample names no device and port; it is left out", "look there"
        )
        return True
    row = row_of(found, "hosts", (owner, device, port), sample.line, host=owner, device=device, port_num=port)
    if sample.name == f"{_STEM}state_id":
        row["state"] = PORT_STATE.get(whole_number(sample.text) or 0)
    elif sample.name == f"{_STEM}physical_state_id":
        row["phys_state"] = PHYS_STATE.get(whole_number(sample.text) or 0)
    elif sample.name == f"{_STEM}rate_bytes_per_second":
        value = sample.number
        row["rate_gbps"] = round(value * 8 / 1e9, 3) if value else None
    else:
        return _count(sample, owner, device, port, found, troubles)
    return True


def _info(sample: Sample, host: str | None, device: str, found: Gathered) -> None:
    """Keep firmware, board and type of a device for its ports, whichever comes first."""
    labels = sample.labels
    columns = {
        "fw_version": labels.get("firmware_version"),
        "psid": labels.get("board_id"),
        "hca_type": labels.get("hca_type"),
    }
    found.rows.setdefault("devices", {})[host, device] = columns


def _count(
    sample: Sample, host: str | None, device: str, port: int, found: Gathered, troubles: Gathering
) -> bool:
    """Add a counter: tables of hosts have columns for host and device, the others keep them as text."""
    entry = _COUNTERS.get(sample.name)
    if entry is None:
        return False
    names = ("host", "device") if entry[0].group is CounterGroup.HW else ("x_host", "x_device")
    where = {"port_num": port, names[0]: host, names[1]: device}
    if not add_count(found, entry, (host, device, port), where, sample):
        message = f"{sample.name} cannot be {sample.text}: left out"
        troubles.add("bad_value", sample.line, message, "look there")
    return True
