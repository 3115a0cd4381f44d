"""Ports that only one of two runs of ibqueryerrors lists: at the other they counted nothing.

A list of ports with errors names no port without. Two complete runs that checked the same numbers of nodes
and ports checked the same ports: what one of them lists and the other does not counted 0 there.
"""

from __future__ import annotations

from dataclasses import replace

from ibforensic.capture import quiet_ports
from ibforensic.diff.view import ALL_PORTS
from ibforensic.model.ids import PortKey
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
    stale = [
        [source.path for source in sample.info.sources if source.stale] for sample in (baseline, current)
    ]
    then = quiet_ports.checked(baseline.tables, stale[0])
    now = quiet_ports.checked(current.tables, stale[1])
    if then is None or now is None or any(then[name] != now[name] for name in _SAME):
        return baseline, current
    before, after = quiet_ports.listed(baseline.tables, then), quiet_ports.listed(current.tables, now)
    if before and after and not ({port.node_guid for port in before} & {port.node_guid for port in after}):
        return baseline, current
    return (
        _with_zeros(baseline, then, stale[0], after - before),
        _with_zeros(current, now, stale[1], before - after),
    )


def _with_zeros(sample: Sample, run: quiet_ports.Run, stale: list[str], ports: set[PortKey]) -> Sample:
    """Add zeros for the ports that answered; the sum over a switch is no port."""
    missing = {port for port in ports if port.port_num != ALL_PORTS}
    missing = quiet_ports.answering(sample.tables, run, stale, missing)
    return replace(sample, tables=quiet_ports.with_zeros(sample.tables, run, missing))
