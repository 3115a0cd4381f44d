"""A link as a small drawing: two ends, the direction of the errors, and what is suspected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from ibforensic.language import gettext as _
from ibforensic.model.pci_label import shown_label
from ibforensic.report.ports import boxed_name, label_text, role_name, same_port, short_port, two_ends
from ibforensic.report.text import cells, cut
from ibforensic.report.words import component, readable

WIDTH = 470
BOX_WIDTH, BOX_HEIGHT, TOP = 178, 72, 32
MIDDLE = TOP + BOX_HEIGHT // 2
LETTERS = 18
"""Letters of the drawing's fixed-width type that fit into a line of a box."""
AT_BOX = {"switch", "hca", "host", "cooling"}
AT_PORT = {"port", "transceiver", "connector"}

Json = Mapping[str, Any]

_FRAME = Markup(
    '<svg class="link" viewBox="0 0 {width} {height}" role="img"><title>{title}</title>{body}</svg>'
)
_BOX = Markup(
    '<rect class="{style}" x="{x}" y="{y}" width="{width}" height="{height}" rx="9"/>'
    '<text class="role" x="{text}" y="{role_y}">{role}</text>'
    '<text class="name" x="{text}" y="{name_y}">{name}</text>'
    '<text class="port" x="{text}" y="{port_y}">{port}</text>'
    '<rect class="{plug}" x="{plug_x}" y="{plug_y}" width="12" height="22" rx="3"/>'
)
_FLAG = Markup('<text class="flag" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>')
_CABLE = Markup('<line class="{style}" x1="{x1}" y1="{y}" x2="{x2}" y2="{y}"/>')
_ARROW = Markup(
    '<path class="arrow" d="M{x1} {y}H{x2}M{back} {up}L{x2} {y}L{back} {down}"/>'
    '<text class="way" x="{middle}" y="{text_y}" text-anchor="middle">{way}</text>'
)


def draw_link(suspect: Json) -> Markup | None:
    """Draw the link of a suspect.

    Args:
        suspect: A suspect of the document.

    Returns:
        An SVG element that needs the styles of the report, or None where there is no link.
    """
    ends = two_ends(suspect)
    if ends is None:
        return None
    body = Markup("").join(
        [
            _cable(suspect),
            _box(ends[0], suspect, left=True),
            _box(ends[1], suspect, left=False),
            _flag(suspect),
            _arrow(suspect, ends),
        ]
    )
    height = TOP + BOX_HEIGHT + (2 if suspect["end"] is not None else 30)
    return _FRAME.format(width=WIDTH, height=height, title=_title(suspect, ends), body=body)


def _named(suspect: Json, port: Json) -> bool:
    return same_port(suspect["end"], port)


def _box(port: Json, suspect: Json, *, left: bool) -> Markup:
    x = 1 if left else WIDTH - BOX_WIDTH - 1
    named, part = _named(suspect, port), suspect["component"]
    return _BOX.format(
        style="box bad" if named and part in AT_BOX else "box",
        x=x,
        y=TOP,
        width=BOX_WIDTH,
        height=BOX_HEIGHT,
        text=x + (12 if left else 18),
        role=cut(role_name(port) or _("node"), LETTERS + 2),
        role_y=TOP + 20,
        name=boxed_name(port, LETTERS),
        name_y=TOP + 40,
        port=port_line(port),
        port_y=TOP + 59,
        plug="plug bad" if named and part not in AT_BOX else "plug",
        plug_x=(x + BOX_WIDTH if left else x) - 6,
        plug_y=MIDDLE - 11,
    )


def port_line(port: Json) -> str:
    """Return the number of a port and its label, as much of it as fits into a box."""
    number = f"port {port['port']}"
    if not port["label"]:
        return number
    room = LETTERS + 1 - len(number)  # set in smaller type than the name
    named = f" · {label_text(port)}"
    short = cut(shown_label(port["label"]), max(room - 3, 1))
    return number + (named if cells(named) <= room else f" · {short}")


def _cable(suspect: Json) -> Markup:
    bad = suspect["component"] not in AT_BOX | AT_PORT
    inner = BOX_WIDTH + 7
    return _CABLE.format(style="cable bad" if bad else "cable", x1=inner, x2=WIDTH - inner, y=MIDDLE)


def _flag(suspect: Json) -> Markup:
    """Write what is suspected: above the named end, or below the cable."""
    part = component(suspect["component"]).split(",")[0]
    if suspect["end"] is None:
        return _FLAG.format(
            x=WIDTH // 2,
            y=TOP + BOX_HEIGHT + 22,
            anchor="middle",
            text="▲ " + _("suspected: {part}, end not known").format(part=part),
        )
    return _FLAG.format(x=2, y=TOP - 11, anchor="start", text="▼ " + _("suspected: {part}").format(part=part))


def _arrow(suspect: Json, ends: tuple[Json, Json]) -> Markup:
    direction = suspect["direction"]
    if direction is None:
        return Markup("")
    inner = BOX_WIDTH + 16
    x1, x2 = inner, WIDTH - inner
    if same_port(direction["from"], ends[1]):
        x1, x2 = x2, x1
    y = MIDDLE - 20
    back = x2 - 8 if x2 > x1 else x2 + 8
    return _ARROW.format(
        x1=x1, x2=x2, y=y, back=back, up=y - 5, down=y + 5, middle=WIDTH // 2, text_y=y - 9, way=_("errors")
    )


def _title(suspect: Json, ends: tuple[Json, Json]) -> str:
    part = readable(suspect["component"])
    names = {"one": short_port(ends[0]), "other": short_port(ends[1])}
    told = [_("Link between {one} and {other}").format(**names)]
    if suspect["end"] is not None:
        at = short_port(suspect["end"])
        told.append(_("suspected: {part} at {port}").format(part=part, port=at))
    else:
        told.append(_("suspected: {part}").format(part=part))
    way = suspect["direction"]
    if way:
        ways = {"one": short_port(way["from"]), "other": short_port(way["to"])}
        told.append(_("errors run from {one} to {other}").format(**ways))
    return "; ".join(told)
