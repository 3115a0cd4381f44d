"""What NCCL used now and before: network, devices, GPUDirect, SHARP, channels, rings."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

__all__ = ["PathChange", "PathKind", "changes", "troubles"]


class PathKind(StrEnum):
    """What happened to a path, worst first."""

    SOCKETS = "sockets"
    """Data go over plain sockets."""
    NO_GPUDIRECT = "no_gpudirect"
    """Connections over the network copy through host memory."""
    SHARP_UNUSED = "sharp_unused"
    """SHARP was asked for, and no rank was connected to it."""
    NETWORK = "network"
    DEVICES = "devices"
    CHANNELS = "channels"
    RINGS = "rings"
    WARNED = "warned"


class PathChange(NamedTuple):
    """One such thing, with what is told of it before and now."""

    kind: PathKind
    before: Any
    after: Any


_COMPARED = (
    (PathKind.NETWORK, "networks"),
    (PathKind.DEVICES, "nics"),
    (PathKind.CHANNELS, "channels"),
    (PathKind.RINGS, "graph"),
)


def troubles(path: Mapping[str, Any]) -> list[PathChange]:
    """Name what is wrong with a path by itself.

    Args:
        path: Path of a run; empty where NCCL said nothing.
    """
    found = []
    if path.get("socket_fallback"):
        found.append(PathChange(PathKind.SOCKETS, None, path.get("sockets")))
    if path.get("sharp_requested") and path.get("sharp_connected") is False:
        found.append(PathChange(PathKind.SHARP_UNUSED, None, path.get("transports")))
    if path.get("warnings"):
        found.append(PathChange(PathKind.WARNED, None, path["warnings"]))
    return found


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[PathChange]:
    """Name what differs between two paths, and what is wrong with the later one and was not before.

    Args:
        before: Path of a run of the baseline.
        after: Path of a like run of now; what one of them does not tell is not compared.
    """
    old = {item.kind for item in troubles(before)}
    found = [item for item in troubles(after) if item.kind not in old]
    direct = [_direct(path) for path in (before, after)]
    if direct[0] is not None and direct[1] is not None and direct[1] < direct[0]:
        found.append(PathChange(PathKind.NO_GPUDIRECT, direct[0], direct[1]))
    found += [
        PathChange(kind, before[name], after[name])
        for kind, name in _COMPARED
        if name in before and name in after and before[name] != after[name]
    ]
    order = list(PathKind)
    return sorted(found, key=lambda item: order.index(item.kind))


def _direct(path: Mapping[str, Any]) -> float | None:
    """Return the share of network connections with GPUDirect."""
    connections = path.get("net_connections")
    return path.get("gdr_connections", 0) / connections if connections else None
