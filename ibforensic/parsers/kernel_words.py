"""How the kernel tells state, rate and address of a port: /sys, and the tools that print what is there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ibforensic.model import link_terms
from ibforensic.model.enums import PhysState, PortState
from ibforensic.model.ids import guid

__all__ = [
    "ETHERNET",
    "INFINIBAND",
    "Rate",
    "coded",
    "port_guid_of",
    "rate_of",
    "real_lid",
]

ETHERNET = "Ethernet"
INFINIBAND = "InfiniBand"
_RATE = re.compile(r"(\d{1,5}(?:\.\d{1,3})?) Gb/sec(?: \((\d{1,2})X(?: (\w+))?\))?", re.ASCII)
_CODE = re.compile(r"(\d{1,2})\b", re.ASCII)
_GID = re.compile(r"fe80:0{4}:0{4}:0{4}:((?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4})\Z")
_FROM_MAC = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}ff:fe", re.IGNORECASE)
_NO_LID = (0, 65535)


class Rate(NamedTuple):
    """A rate: Gb/s of the port, width and speed of a lane; None where one is not told or not known."""

    gbps: float | None = None
    width: str | None = None
    speed: str | None = None


@lru_cache(maxsize=1024)
def rate_of(text: str) -> Rate:
    """Read ``400 Gb/sec (4X NDR)``; older kernels leave out the speed."""
    match = _RATE.match(text)
    if match is None:
        return Rate()
    width = f"{match[2]}x" if match[2] else None
    speed = match[3].upper() if match[3] else None
    return Rate(
        float(match[1]),
        width if width in link_terms.WIDTH_LANES else None,
        speed if speed in link_terms.LANE_GBPS else None,
    )


def coded(text: str, known: Mapping[int, PortState] | Mapping[int, PhysState]) -> str | None:
    """Read ``4: ACTIVE`` by its number; None for a number that is not known."""
    number = _code(text)
    word = known.get(number) if number is not None else None
    return None if word is None else str(word)


@lru_cache(maxsize=1024)
def _code(text: str) -> int | None:
    """Read the number with which a text begins."""
    match = _CODE.match(text)
    return int(match[1]) if match else None


def port_guid_of(gid: str, link_layer: str | None = None) -> str | None:
    """Return the GUID of a port: the lower half of its first GID.

    Args:
        gid: ``fe80:0000:0000:0000:0200:0000:0000:7001``.
        link_layer: Link layer; where it is not told, a GID that is made of a MAC is one of Ethernet.
    """
    match = _GID.match(gid)
    if match is None or link_layer == ETHERNET:
        return None
    if link_layer is None and _FROM_MAC.match(match[1][5:]):
        return None
    return guid(match[1].replace(":", ""))


def real_lid(lid: int | None) -> int | None:
    """Return a LID, None where its value means that the port has none."""
    return None if lid in _NO_LID else lid
