"""A suspect among its neighbours: both ends of the link, what is next to them, and who suffers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report.drawing import AT_BOX, AT_PORT, port_line
from ibforensic.report.ports import boxed_name, host_of, node_name, role_name, same_port, short_port, two_ends
from ibforensic.report.text import cut
from ibforensic.report.words import component, count, number

GROUP, BOX, GAP, LINK = 168, 176, 34, 96
"""Widths: a group of neighbours, an end, the room between the two, the link."""
GROUP_HEIGHT, BOX_HEIGHT, BETWEEN, TOP = 62, 72, 12, 34
LETTERS = 19
MOST_DOTS = 12
_MANY = {
    "hca": ("HCA", "HCAs"),
    "leaf": ("leaf", "leaves"),
    "gpu": ("GPU", "GPUs"),
    "aggregation": ("aggregation node", ""),
}

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Dot:
    """A neighbour: its place, and whether it suffers."""

    x: int
    bad: bool


@dataclass(frozen=True, slots=True)
class GroupBox:
    """Neighbours of one role.

    Attributes:
        x: Left side.
        y: Top.
        text: How many they are.
        dots: One a neighbour, the first few.
        more: How many dots are left out, in words; may be empty.
        suffer: Who of them suffers; may be empty.
        line: The line from the node: x1, y1, x2, y2.
    """

    x: int
    y: int
    text: str
    dots: tuple[Dot, ...]
    more: str
    suffer: str
    line: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class EndBox:
    """A node of the suspect.

    Attributes:
        x: Left side.
        y: Top.
        role: What it is.
        name: Its name.
        port: Its port; empty for a whole device.
        bad: Whether it is the suspected device.
        plug: Place of its plug; None where it has none.
        plug_bad: Whether the suspected part sits in it.
    """

    x: int
    y: int
    role: str
    name: str
    port: str
    bad: bool
    plug: int | None
    plug_bad: bool


@dataclass(frozen=True, slots=True)
class AroundChart:
    """The drawing.

    Attributes:
        width: Its width.
        height: Its height.
        middle: Height of the link.
        ends: One or two nodes.
        groups: Their neighbours.
        cable: The link: x1, x2; None for a single node.
        cable_bad: Whether the cable is what is suspected.
        arrow: Way of the errors: from x to x; None where it is not known.
        flag: What is suspected.
        title: All of it as a sentence.
    """

    width: int
    height: int
    middle: int
    ends: tuple[EndBox, ...]
    groups: tuple[GroupBox, ...]
    cable: tuple[int, int] | None
    cable_bad: bool
    arrow: tuple[int, int] | None
    flag: str
    title: str


def around_chart(suspect: Json) -> AroundChart | None:
    """Work out the drawing of a suspect.

    Args:
        suspect: A suspect of the document.

    Returns:
        The drawing, or None where the document knows of no neighbours.
    """
    nodes = _ordered(suspect)
    if not nodes or not any(node["neighbours"] for node in nodes):
        return None
    sides = _sides(nodes)
    stack = max(_stack(len(side)) for side in sides)
    middle = max(stack // 2 + 2, TOP + BOX_HEIGHT // 2)
    left = GROUP + GAP if sides[0] else 1
    boxes_at = [left, left + BOX + LINK][: len(nodes)]
    right = boxes_at[-1] + BOX
    ends = tuple(
        _end(node, suspect, at, middle, number)
        for number, (node, at) in enumerate(zip(nodes, boxes_at, strict=True))
    )
    groups = (
        *_groups(sides[0], 1, middle, left, suspect),
        *_groups(sides[1], right + GAP, middle, right, suspect),
    )
    two = len(nodes) == 2
    return AroundChart(
        width=right + (GAP + GROUP if sides[1] else 0) + 1,
        height=middle + max(stack, BOX_HEIGHT) // 2 + 4,
        middle=middle,
        ends=ends,
        groups=groups,
        cable=(left + BOX, boxes_at[1]) if two else None,
        cable_bad=suspect["component"] not in AT_BOX | AT_PORT and suspect["link"] is not None,
        arrow=_arrow(suspect, left + BOX, boxes_at[1]) if two else None,
        flag=_("suspected: {part}").format(part=component(suspect["component"]).split(",")[0]),
        title=_title(suspect, nodes),
    )


def _ordered(suspect: Json) -> list[Json]:
    """The nodes, the end to touch first in front; no more than two."""
    somewhere = suspect["link"] or suspect["device"]
    nodes = list(suspect.get("around") or ())[:2] if somewhere else []
    ends = two_ends(suspect)
    if ends and len(nodes) == 2 and nodes[0]["node_guid"] != ends[0]["node_guid"]:
        nodes.reverse()
    return nodes


def _sides(nodes: Sequence[Json]) -> tuple[list[Json], list[Json]]:
    """Neighbours to be drawn on the left and on the right; hosts stand left of a single node."""
    if len(nodes) == 2:
        return list(nodes[0]["neighbours"]), list(nodes[1]["neighbours"])
    told = nodes[0]["neighbours"]
    hosts = [group for group in told if group["role"] in ("hca", "gpu")]
    return hosts, [group for group in told if group not in hosts]


def _stack(count_: int) -> int:
    return count_ * GROUP_HEIGHT + max(count_ - 1, 0) * BETWEEN


def _end(node: Json, suspect: Json, x: int, middle: int, number: int) -> EndBox:
    port = next((end for end in two_ends(suspect) or () if end["node_guid"] == node["node_guid"]), None)
    named = port is not None and same_port(suspect["end"], port)
    device = suspect["device"] is not None and suspect["device"]["node_guid"] == node["node_guid"]
    host = host_of(suspect) if device else None
    role = role_name(port) if port else _one(node["role"])
    return EndBox(
        x=x,
        y=middle - BOX_HEIGHT // 2,
        role=cut(_("host") if host else role, LETTERS + 1),
        name=cut(host, LETTERS) if host else boxed_name(node, LETTERS),
        port=_shown_by(node, host) if host else port_line(port) if port else "",
        bad=device or (named and suspect["component"] in AT_BOX),
        plug=(x + BOX if number == 0 else x) if port else None,
        plug_bad=named and suspect["component"] not in AT_BOX,
    )


def _shown_by(node: Json, host: str) -> str:
    """Say which HCA of a suspected host the neighbours are those of."""
    hca = str(node["node"]).removeprefix(host).strip()
    return cut(_("drawn: its {hca}").format(hca=hca), LETTERS + 1)


def _groups(groups: Sequence[Json], x: int, middle: int, from_x: int, suspect: Json) -> list[GroupBox]:
    top = middle - _stack(len(groups)) // 2
    found = []
    for at, group in enumerate(groups):
        y = top + at * (GROUP_HEIGHT + BETWEEN)
        edge = x + GROUP if x < from_x else x
        shown = min(group["nodes"], MOST_DOTS)
        dots = tuple(Dot(x + 15 + 12 * dot, dot < group["suffering"]) for dot in range(shown))
        found.append(
            GroupBox(
                x,
                y,
                _neighbours(group, suspect["link"] is not None),
                dots,
                f"+{group['nodes'] - shown:,}" if group["nodes"] > shown else "",
                _suffer(group),
                (from_x, middle, edge, y + GROUP_HEIGHT // 2),
            )
        )
    return found


def _neighbours(group: Json, link: bool) -> str:
    """Count neighbours; beside a link they are more than its own two ends."""
    one, many = _MANY.get(group["role"], (group["role"] or "node", ""))
    if not link:
        return count(group["nodes"], one, many)
    noun = one if group["nodes"] == 1 else many or f"{one}s"
    return _("{number} more {noun}").format(number=number(group["nodes"]), noun=_(noun))


def _one(role: str) -> str:
    return _(_MANY.get(role, (role or "node", ""))[0])


def _suffer(group: Json) -> str:
    if not group["suffering"]:
        return ""
    if group["suffering"] == 1 and group["suffer"]:
        return cut(_("suffers: {node}").format(node=group["suffer"][0]), LETTERS)
    return _("{number} suffer").format(number=f"{group['suffering']:,}")


def _arrow(suspect: Json, near: int, far: int) -> tuple[int, int] | None:
    direction, ends = suspect["direction"], two_ends(suspect)
    if direction is None or ends is None:
        return None
    return (near + 14, far - 14) if same_port(direction["from"], ends[0]) else (far - 14, near + 14)


def _title(suspect: Json, nodes: Sequence[Json]) -> str:
    ends = two_ends(suspect)
    told = []
    if ends:
        names = {"one": short_port(ends[0]), "other": short_port(ends[1])}
        told.append(_("Link between {one} and {other}").format(**names))
    told.append(_("suspected: {part}").format(part=component(suspect["component"])))
    way = suspect["direction"]
    if way:
        ways = {"one": short_port(way["from"]), "other": short_port(way["to"])}
        told.append(_("errors run from {one} to {other}").format(**ways))
    for node in nodes:
        for group in node["neighbours"]:
            beside = {"node": node_name(node), "nodes": _neighbours(group, ends is not None)}
            text = _("beside {node}: {nodes}")
            if group["suffering"]:
                text = _("beside {node}: {nodes}, of which {number} suffer")
            told.append(text.format(**beside, number=f"{group['suffering']:,}"))
    return "; ".join(told)
