"""Ports that only one of two runs of ibqueryerrors lists: at the other they counted nothing.

A list of ports with errors names no port without. Two complete runs that checked the same numbers of nodes
and ports checked the same ports: what one of them lists and the other does not counted 0 there.
"""

from __future__ import annotations

from dataclasses import replace

from ibforensic.capture import quiet_ports
from ibforensic.diff.view import ALL_PORTS
from ibforensic.snapshot.records import Sample

__all__ = ["filled"]

_SAME = ("nodes_checked", "ports_checked")


def filled(baseline: Sample, current: Sample) -> tuple[Sample, Sample]:
    """Return two samples, each with zeros for the ports that the other's list names and its own does not.

    Args:
        baseline: The earlier sample.
        current: The later one.

    Returns:
        Both; as they were where their own run is not complete, the runs did not check the same, or
        they list no node in common and may be of two fabrics.
    """
    then, now = (
        quiet_ports.checked(sample.tables, [source.path for source in sample.info.sources if source.stale])
        for sample in (baseline, current)
    )
    if then is None or now is None or any(then[name] != now[name] for name in _SAME):
        return baseline, current
    before, after = quiet_ports.listed(baseline.tables, then), quiet_ports.listed(current.tables, now)
    if before and after and not ({port.node_guid for port in before} & {port.node_guid for port in after}):
        return baseline, current
    missing = [
        {port for port in ports if port.port_num != ALL_PORTS} for ports in (after - before, before - after)
    ]
    return (
        replace(baseline, tables=quiet_ports.with_zeros(baseline.tables, then, missing[0])),
        replace(current, tables=quiet_ports.with_zeros(current.tables, now, missing[1])),
    )
