"""What a link could run at: the highest width and speed that both of its ends enable and support.

A width is never expected by itself: 2x is healthy at a split port, for such a port enables no more (demand
D-25). Where many links of one kind run below what their ends could do, it was built so: the cable, or the
plan of the fabric, allows no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ibforensic.diff.view import Row
from ibforensic.evidence.base import Scene
from ibforensic.model.enums import NodeType, PortState
from ibforensic.model.ids import LinkKey
from ibforensic.model.link_terms import LANE_GBPS, WIDTH_LANES, rate_gbps

BUILT_SO_SHARE = 0.2
"""Where so many links of a kind run alike, below what their ends could do, it is no fault."""
BUILT_SO_LEAST = 4
_NEVER_USED = ("8x", "12x")
"""Widths that ports offer and that no cable has."""
_FIELDS = (
    "state",
    "width_active",
    "width_enabled",
    "width_supported",
    "speed_active",
    "speed_enabled",
    "speed_supported",
)
_HALF = 2
"""Lanes that one half of a split port has."""

Field = Mapping[str, str | None]
End = tuple[str | None, ...]
"""The fields of one end of a link, and whether it is a split port of a switch."""


@dataclass(frozen=True, slots=True)
class Below:
    """A link that runs below what both ends could do.

    Attributes:
        link: The link.
        runs: Width and speed in use, such as ``2x NDR``.
        could: Width and speed that both ends could do.
        built_so: Whether so many links of its kind run alike that it was built so.
    """

    link: LinkKey
    runs: str
    could: str
    built_so: bool = False


def links_below(scene: Scene) -> tuple[Below, ...]:
    """Find the links that run below what both of their ends enable and support.

    Args:
        scene: The facts.

    Returns:
        One item a link, in the order of links; a link of which an end does not tell is left out.
    """
    ends = _ends(scene)
    found: dict[LinkKey, tuple[str, str]] = {}
    kinds = {link: _kind(scene, link) for link in sorted(scene.facts.pair.current.links)}
    for link in kinds:
        told = [ends[scene.facts.pair.positions[end]] for end in link if end in scene.facts.pair.positions]
        both = _compare(*told) if len(told) == 2 else None
        if both is not None:
            found[link] = both
    alike = Counter((kinds[link], both) for link, both in found.items())
    sizes = Counter(kinds.values())
    return tuple(
        Below(link, *both, built_so=_built_so(alike[kinds[link], both], sizes[kinds[link]]))
        for link, both in found.items()
    )


def _built_so(same: int, total: int) -> bool:
    return same >= BUILT_SO_LEAST and same >= BUILT_SO_SHARE * total


def _kind(scene: Scene, link: LinkKey) -> tuple[str, ...]:
    """What a link is compared with: links between devices of the same two kinds."""
    nodes = scene.facts.who.nodes
    return tuple(sorted(str(nodes.get(end.node_guid, {}).get("device_id")) for end in link))


def _ends(scene: Scene) -> list[End]:
    """The fields of every port, in the order of the ports."""
    after, nodes = scene.facts.pair.after, scene.facts.who.nodes
    rows = zip(*(after[name].to_pylist() for name in _FIELDS), strict=True)
    halves = [
        "split" if split is not None and _is_switch(nodes.get(port.node_guid)) else None
        for port, split in zip(scene.ports, after["split"].to_pylist(), strict=True)
    ]
    return [(*row, half) for row, half in zip(rows, halves, strict=True)]


def _is_switch(node: Row | None) -> bool:
    return node is not None and node["node_type"] == NodeType.SWITCH


@cache
def _compare(one: End, other: End) -> tuple[str, str] | None:
    """Compare what a link runs at with what both ends could do; None where it is fine or not known."""
    here, there = (dict(zip((*_FIELDS, "split"), end, strict=True)) for end in (one, other))
    if not {here["state"], there["state"]} <= {None, PortState.ACTIVE}:
        return None
    width, speed = (here[name] or there[name] for name in ("width_active", "speed_active"))
    widths = _common(here, there, "width", WIDTH_LANES)
    speeds = _common(here, there, "speed", LANE_GBPS)
    if here["split"] or there["split"]:
        widths = [word for word in widths if WIDTH_LANES[word] <= _HALF] or widths
    if not (width and speed and widths and speeds):
        return None
    rate, could = rate_gbps(width, speed), rate_gbps(widths[-1], speeds[-1])
    if rate is None or could is None or rate >= could:
        return None
    return f"{width} {speed}", f"{widths[-1]} {speeds[-1]}"


def _common(here: Field, there: Field, what: str, order: Iterable[str]) -> list[str]:
    """Widths or speeds that both ends enable and support, lowest first; none where an end does not tell."""
    both = set(_words(here, what)) & set(_words(there, what))
    return [word for word in order if word in both]


def _words(end: Field, what: str) -> Iterator[str]:
    enabled, supported = end[f"{what}_enabled"], end[f"{what}_supported"]
    can = supported.split(",") if supported else None
    for word in (enabled or "").split(","):
        if word and word not in _NEVER_USED and (can is None or word in can):
            yield word
