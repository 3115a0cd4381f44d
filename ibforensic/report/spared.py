"""Ports with large numbers that only suffer from a suspect: nobody is to touch them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.lines import wrap
from ibforensic.report.ports import short_port
from ibforensic.report.text import cells

Json = Mapping[str, Any]
NAMED = 2
"""Ports that are named for each way of suffering, where there is room."""
SUFFERED = {
    "ebp": "{number} received packets marked bad",
    "wait": "{number} waited",
    "down": "{number} went down with it",
}
"""How a victim suffers → how many do, in a few words."""


def spared(suspect: Json, room: int, limit: int, every: bool = False) -> list[str]:
    """Say how many ports only suffer from a suspect, and in which way.

    Args:
        suspect: A suspect of the document.
        room: Columns of a line.
        limit: Columns a name may take.
        every: Whether all ports are named, on as many lines as that takes.

    Returns:
        Lines of text, none where nobody suffers. Without ``every`` one line wherever the counts fit on
        one: then as many names stand beside them as it has room for, at most two for each way.
    """
    ways: dict[str, list[str]] = {}
    for victim in suspect["victims"]:
        ways.setdefault(victim["by"], []).append(short_port(victim, limit))
    if not ways:
        return []
    if every:
        return wrap(_told(ways, len(suspect["victims"])), room)
    texts = (_told(ways, most) for most in range(NAMED, -1, -1))
    return next(([text] for text in texts if cells(text) <= room), wrap(_told(ways, 0), room))


def _told(ways: Mapping[str, list[str]], most: int) -> str:
    """Say who suffers, with so many names for each way."""
    count = sum(map(len, ways.values()))
    who = words.count(count, "port that only suffers from it", "ports that only suffer from it")
    how = ", ".join(_way(by, ports, most) for by, ports in ways.items())
    return f"{who}: {how}"


def _way(by: str, ports: list[str], most: int) -> str:
    number = words.number(len(ports))
    known = SUFFERED.get(by)
    told = _(known).format(number=number) if known else f"{number} {words.readable(by)}"
    named = ", ".join(ports[:most]) + (" …" if most < len(ports) else "")
    return f"{told} ({named})" if most else told
