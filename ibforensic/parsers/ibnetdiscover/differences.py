"""Differences that ``ibnetdiscover --diff`` prints: ``<`` before lines of the cache, ``>`` before new ones.

They are no topology, for what has not changed is not printed. They are kept as the tool's own words.
"""

from __future__ import annotations

import re

import pyarrow as pa

from ibforensic.model.enums import Level
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibnetdiscover.lines import scan
from ibforensic.parsers.rows import table_of, text_table

__all__ = ["read"]

_SIGNED = re.compile(r"([<>])[ \t](.*)", re.DOTALL)
_ORIGIN = "ibnetdiscover:diff"
_EVENTS = {"<": "GONE_SINCE_CACHE", ">": "NEW_SINCE_CACHE"}


def read(lines: list[str], path: str, troubles: Gathering) -> tuple[dict[str, pa.Table], dict[str, pa.Table]]:
    """Read all lines.

    Args:
        lines: The file.
        path: File, for provenance.
        troubles: Takes lines that look like a node or a port and are none.

    Returns:
        Events about the nodes and ports that differ; and all lines as text.
    """
    signs: dict[int, str] = {}
    bare: list[str] = []
    for number, line in enumerate(lines, 1):
        match = _SIGNED.match(line)
        if match:
            signs[number] = match[1]
        bare.append(match[2] if match else line)
    found = scan(bare, troubles)
    told: list[tuple[int, str, int | None]] = [(node.line, node.guid, None) for node in found.nodes]
    told += [(port.line, port.node.guid, port.num) for port in found.ports]
    rows = [
        {
            "scope": "node" if num is None else "port",
            "node_guid": node_guid,
            "port_num": num,
            "event": _EVENTS[signs[line]],
            "level": Level.INFO.value,
            "stage": "Discovery",
            "text": lines[line - 1].strip(),
            "line": line,
        }
        for line, node_guid, num in sorted(told, key=lambda one: one[0])
        if line in signs
    ]
    raw = [(str(line), signs[line], bare[line - 1], path) for line in sorted(signs)]
    return (
        {"events": table_of("events", rows, path, _ORIGIN)},
        {"ibnetdiscover_diff": text_table(("line", "sign", "text", "source"), raw)},
    )
