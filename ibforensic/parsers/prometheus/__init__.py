"""Metrics in the text format of Prometheus: infiniband_exporter, node_exporter, UFM and NMX telemetry.

**Who writes it:** treydock's infiniband_exporter and its forks; the exporter that names its metrics after
ibqueryerrors (``infiniband_linkdownedcounter_total``); node_exporter; UFM and NMX at their metrics endpoints.

**Sample**::

    infiniband_switch_port_link_downed_total{guid="0x0200000000000100",port="2"} 3
    node_infiniband_link_downed_total{device="mlx5_0",port="1"} 0
    Effective_BER{Port_Number="2", Node_GUID="0x0200000000000100"} 1.5e-254

**Tables:** the tables of counters, nodes, ports, links, sensors, phy, and hosts (node_exporter).

**Odd input:** data counters are octets here and words of 4 octets in the tables. Numbers beyond 2**53 are
rounded by the exporter itself. A collector that failed or timed out leaves ports out: the file counts as
cut. node_exporter names its host in ``node_uname_info`` or the label ``instance``, and no GUID anywhere:
its port counters wait for a file that tells whose device it is. Metrics of other programs are passed over.

**Source:** atlas §10 and §11; real scrapes; the exporters' own documentation for names that no scrape had.
"""

from __future__ import annotations

import re

from ibforensic.model.enums import Level
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.host_paths import host_before, host_in_name
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.prometheus import fabric, host
from ibforensic.parsers.prometheus.gathered import Gathered, tables
from ibforensic.parsers.prometheus.lines import scan

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb"# (?:HELP|TYPE) (?:infiniband_|node_|go_gc_)\w+ "
    rb"|[ \t]*(?:infiniband_|node_infiniband_)\w+\{[^\r\n]*\}[ \t]+\S"
    rb'|[ \t]*[A-Z]\w{3,60}\{[^\r\n]{0,400}\b(?:Node_GUID|node_guid)="0x[0-9a-fA-F]{1,16}"'
    rb"[^\r\n]{0,400}\}[ \t]+\S"
)
_IN_NAMES = ("prom", "metrics", "node_exporter")
"""Words beside the host in the name of a file."""
_UNAME = re.compile(r'\nnode_uname_info\{[^\n]{0,1000}\bnodename="([^"\n]{1,253})"')


def _claims(_name: str, head: bytes) -> bool:
    return b"\0" not in head and _CLAIM.found_in(head.replace(b"\r", b"\n"))


SPEC = Spec(
    name="prometheus",
    title="metrics in the text format of Prometheus",
    tool="an exporter",
    order=60,
    claims=_claims,
    tables=(
        "counters_pma",
        "counters_detail",
        "counters_hw",
        "counters_phy",
        "counters_plr",
        "nodes",
        "ports",
        "links",
        "sensors",
        "phy",
        "hosts",
    ),
    versions="infiniband_exporter 0.7 to 0.13, node_exporter 1.x",
)


def _host_of(path: str) -> str | None:
    """Return the host that the path of a scrape names."""
    in_name = (host_in_name(path, word) for word in _IN_NAMES)
    return next(filter(None, in_name), None) or host_before(path.rpartition("/")[0])


def parse(path: str, data: bytes) -> Parsed:
    """Read one scrape.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        What it tells of ports, nodes, links, sensors and hosts.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    found = Gathered()
    named = _UNAME.search(f"\n{text}")
    owner = named[1] if named else _host_of(path)
    for sample in scan(text, (*fabric.PREFIXES, *host.PREFIXES), troubles):
        if sample.name == host.HOST_METRIC:
            continue
        if sample.name.startswith(host.PREFIXES):
            known = host.add(sample, owner, found, troubles)
        else:
            known = fabric.add(sample, found, troubles)
        if not known:
            troubles.add(
                "unknown_metric", sample.line, f"{sample.name} is not known: not used", level=Level.INFO
            )
    devices = found.rows.pop("devices", {})
    for row in found.rows.get("hosts", {}).values():
        row.update(devices.get((row["host"], row["device"]), {}))
    for sample in found.failed:
        collector = sample.labels.get("collector", "?")
        message = f"the collector {collector} failed or timed out: ports it should tell of are missing"
        troubles.add("collector_failed", sample.line, message, "look at the log of the exporter")
    whole = not found.failed and "line_cut" not in troubles
    return Parsed(tables(found, path, SPEC.name), notes=(*undecoded, *troubles.notes()), whole=whole)
