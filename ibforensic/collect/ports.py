"""perfquery of every port, planned from what ibnetdiscover found: LIDs are only known by then."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from ibforensic.capture.parsing import read
from ibforensic.capture.records import RawFile
from ibforensic.collect.plan import Options
from ibforensic.collect.records import Scope, Step
from ibforensic.model.enums import NodeType
from ibforensic.model.read_only import command

__all__ = ["MOST_QUERIES", "Asked", "port_steps", "ports_found"]

MOST_QUERIES = 2000
"""Most times that perfquery is started unasked; ibqueryerrors asks all ports in any case."""
_LIMIT_S = 60.0

Asked = tuple[int, int, int]
"""LID, first and last port."""


def ports_found(netfile: Path) -> list[Asked]:
    """Return where to ask, from the output of ibnetdiscover.

    Args:
        netfile: What ibnetdiscover printed.

    Returns:
        One entry a switch and one a port of an HCA, those with a LID alone, in the order of their LIDs.
    """
    tables = read(RawFile(netfile.name, netfile.read_bytes())).parsed.tables
    found: set[Asked] = set()
    switches: dict[str, int] = {}
    if "nodes" in tables:
        for row in tables["nodes"].to_pylist():
            if row["node_type"] == NodeType.SWITCH and row["lid"] and row["num_ports"]:
                switches[row["node_guid"]] = row["lid"]
                found.add((row["lid"], 1, row["num_ports"]))
    if "ports" in tables:
        of_hca: dict[int, set[int]] = defaultdict(set)
        for row in tables["ports"].to_pylist():
            if row["node_guid"] not in switches and row["lid"] and row["port_num"]:
                of_hca[row["lid"]].add(row["port_num"])
        found |= {(lid, number, number) for lid, numbers in of_hca.items() for number in numbers}
    return sorted(one for one in found if one[0] < 0xC000)


def port_steps(found: list[Asked], options: Options) -> tuple[Step, ...]:
    """Plan perfquery: the plain counters and the 64-bit ones, port by port.

    Args:
        found: Where to ask.
        options: How the fabric is asked.

    Returns:
        Steps of two names, ``perfquery`` and ``perfquery-x``: what they print goes into two files.
    """
    where = [
        *(("-C", options.device) if options.device else ()),
        *(("-P", str(options.port)) if options.port else ()),
    ]
    steps = []
    for lid, first, last in found:
        ports = ("-l", str(lid), f"{first}-{last}") if last > first else (str(lid), str(first))
        for kind, flag in (("perfquery", ()), ("perfquery-x", ("-x",))):
            words = command("perfquery", *where, *flag, *ports)
            steps.append(Step(kind, words, _LIMIT_S, Scope.FABRIC))
    return tuple(steps)
