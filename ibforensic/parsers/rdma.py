"""RDMA links and their counters: the text of ``rdma link`` and ``rdma statistic``.

Written by: rdma of iproute2, with ``-p`` or without; seen: the forms of 2018 and of today.

Sample::

    link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ib0
    0/1: mlx5_1/1: subnet_prefix fe80:0000:0000:0000 lid 13399 sm_lid 49151 lmc 0 state ACTIVE …
    link mlx5_0/1 rx_write_requests 0 out_of_buffer 135 out_of_sequence 0

Tables: hosts of links, counters_hw of statistics: counters of the queues, which no tool of the fabric clears.
``Optional-set`` counters are read like the others.

Odd input: one link wrapped over many lines by a mail program, in the midst of a name and its value; one
counter a line under ``-p``; names of devices such as rocep8s0f0; prompts and prefixes of hosts.

Source: iproute2 (rdma/link.c, rdma/stat.c); real texts of mailing lists.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from ibforensic.model.counters import by_spelling, not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup, PhysState, PortState, Quality
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import Screen, claims, open_screen
from ibforensic.parsers.many_hosts import HostText
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.rows import text_table

__all__ = ["SPEC", "parse"]

_LINK = re.compile(
    r"\s*(?:\d+/\d+: )?(?:link )?(?P<device>[\w.-]{1,64})/(?P<port>\d{1,3}):?(?:\s+|\Z)(?P<rest>.*)\Z"
)
_STARTS = re.compile(r"\s*(?:\d+/\d+: |link )")
_STATES = {state.name: state for state in PortState} | {"NOP": PortState.DOWN}
_PHYS_STATES = {
    "SLEEP": PhysState.SLEEP,
    "POLLING": PhysState.POLLING,
    "DISABLED": PhysState.DISABLED,
    "PORT_CONFIGURATION_TRAINING": PhysState.TRAINING,
    "LINK_UP": PhysState.LINK_UP,
    "LINK_ERROR_RECOVER": PhysState.RECOVERY,
    "PHY_TEST": PhysState.PHY_TEST,
}
_SPELLINGS = by_spelling("rdma")
_USUAL = {**not_collected(CounterGroup.HW), "basis": str(Basis.CUMULATIVE)}
_NO_COUNTERS = ("state", "subnet_prefix")

SPEC = Spec(
    name="rdma",
    title="RDMA links and queue counters by rdma link, rdma statistic",
    tool="rdma statistic",
    order=52,
    claims=claims("rdma"),
    tables=("hosts", "counters_hw"),
    versions="iproute2 of 2018 and later",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the links of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``hosts`` for each link that tells its state, one of ``counters_hw`` for each that counts.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "rdma")
    hosts: list[dict[str, Any]] = []
    counted: list[dict[str, Any]] = []
    kept: list[tuple[str | None, ...]] = []
    for piece in screen.pieces:
        for about, words, line in _links(piece, screen):
            row = {
                "host": piece.host,
                "device": about["device"],
                "port_num": int(about["port"]),
                "line": line,
            }
            if words[:1] and words[0] in _NO_COUNTERS:
                hosts.append(row | _state(words))
            else:
                cells, others = _counters(words)
                if cells:
                    counted.append(row | cells)
                kept += [(piece.host, about["device"], about["port"], *pair) for pair in others]
    tables = screen.table("hosts", hosts) | screen.table("counters_hw", counted, _USUAL)
    raw = {"rdma": text_table(("host", "device", "port", "counter", "value"), kept)} if kept else {}
    return Parsed(tables, raw, undecoded + screen.troubles.notes(), "value_cut" not in screen.troubles)


def _links(piece: HostText, screen: Screen) -> list[tuple[re.Match[str], list[str], int]]:
    """Split the text into links; the words of one may stand on many lines."""
    found: list[tuple[re.Match[str], list[str], int]] = []
    inside = False
    for number, line in piece.lines:
        match = _LINK.match(line) if _STARTS.match(line) else None
        if match:
            found.append((match, match["rest"].split(), number))
            inside = True
        elif not line.strip() or line.startswith("$ "):
            inside = False
        elif inside:
            found[-1][1].extend(line.split())
        if number == screen.last and line.strip() and found:
            del found[-1][1][-1:]
            screen.troubles.add("value_cut", number, "the last line has no end: its last word may be cut")
    return found


def _state(words: list[str]) -> dict[str, Any]:
    """Read pairs of name and value of a link."""
    pairs = dict(zip(words[::2], words[1::2], strict=False))
    state = _STATES.get(pairs.get("state", ""))
    phys_state = _PHYS_STATES.get(pairs.get("physical_state", ""))
    return {
        "state": str(state) if state else None,
        "phys_state": str(phys_state) if phys_state else None,
        "lid": decimal(pairs.get("lid", "")),
        "sm_lid": decimal(pairs.get("sm_lid", "")),
        "net_device": pairs.get("netdev"),
    }


def _counters(words: list[str]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Read pairs of name and value; a word that is followed by no number is left out."""
    cells: dict[str, Any] = {}
    others: list[tuple[str, str]] = []
    for name, text in pairwise(words):
        value = decimal(text, 20)
        if value is None or name.isdigit():
            continue
        if name not in _SPELLINGS:
            others.append((name, text))
            continue
        counter, column = _SPELLINGS[name]
        narrow = counter.bits < 64 and value <= counter.full
        good = value < 1 << 63
        quality = (Quality.NARROW if narrow else Quality.WIDE) if good else Quality.CORRUPT
        cells[column] = value if good else None
        cells[quality_column(column)] = int(quality)
    return cells, others
