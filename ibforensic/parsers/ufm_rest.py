"""Answers of UFM's REST interface, saved as JSON: systems, ports and links.

**Who writes it:** UFM 6.x (``/ufmRest/resources/systems``, ``ports`` and ``links``), saved with curl or the
like.

**Sample**::

    [{"guid": "0200000000000100", "number": 1, "logical_state": "Active", "physical_state": "Link Up",
      "active_speed": "NDR", "active_width": "4x", "systemID": "0200000000000100", …}]

**Tables:** nodes (systems), ports, links.

**Odd input:** GUIDs without ``0x``; the GUID of a port is that of its node on switches and on HCAs with one
port, and stands for it; ``N/A`` and empty values are not known; the speed of a port that is down means
nothing. An answer that is cut gives its whole objects. What an object holds besides is left in the file.

**Source:** atlas §10; the vendor's manual; real answers made from a real fabric.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.enums import NodeType, PortState
from ibforensic.model.ids import LinkKey, PortKey, guid, link_key
from ibforensic.parsers import diag_words
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.text_heads import readable_name

__all__ = ["SPEC", "parse"]

_PORT = ("logical_state", "physical_state", "number")
_SYSTEM = ("system_guid", "system_name", "type")
_LINK = ("source_guid", "source_port", "destination_guid", "destination_port")
_KINDS = (_PORT, _SYSTEM, _LINK)
_BEGIN = re.compile(rb"\s*[\[{]")
_OBJECT = re.compile(r"[\s,\[]*(?=\{)")
_WRAPPED = re.compile(r'\s*\{\s*"(?:data|systems|ports|links)"\s*:\s*(?=\[)')
_TYPES = {"switch": NodeType.SWITCH, "host": NodeType.CA, "router": NodeType.ROUTER}
_NOTHING = ("", "N/A", "NA", None)

Object = dict[str, Any]


def _claims(_name: str, head: bytes) -> bool:
    """Whether a JSON text holds objects with the fields of a system, a port or a link."""
    if b"\0" in head or not _BEGIN.match(head.removeprefix(b"\xef\xbb\xbf")):
        return False
    return any(all(f'"{name}"'.encode() in head for name in kind) for kind in _KINDS)


SPEC = Spec(
    name="ufm_rest",
    title="systems, ports and links by UFM's REST interface",
    tool="UFM",
    order=64,
    claims=_claims,
    tables=("nodes", "ports", "links"),
    versions="UFM 6.x",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one answer.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        Nodes, ports or links, whichever its objects are.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    nodes: list[Object] = []
    ports: list[Object] = []
    links: dict[LinkKey, Object] = {}
    for line, found in _objects(text, troubles):
        if _has(found, _LINK):
            _add_link(found, line, links, troubles)
        elif _has(found, _PORT):
            _add(ports, _port(found, line), line, troubles)
        elif _has(found, _SYSTEM):
            _add(nodes, _node(found, line), line, troubles)
        else:
            troubles.add("bad_block", line, "an object that is no system, port or link: left out", COPY_AGAIN)
    rows = {"nodes": nodes, "ports": ports, "links": list(links.values())}
    tables = {name: table_of(name, found, path, SPEC.name) for name, found in rows.items() if found}
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole="file_cut" not in troubles)


def _objects(text: str, troubles: Gathering) -> Iterator[tuple[int, Object]]:
    """Yield the objects of a list with the lines they begin on, up to where the text breaks off."""
    decoder = json.JSONDecoder()
    wrapped = _WRAPPED.match(text)
    at, line, counted = wrapped.end() if wrapped else 0, 1, 0
    while (begin := _OBJECT.match(text, at)) is not None:
        line, counted = line + text.count("\n", counted, begin.end()), begin.end()
        try:
            found, at = decoder.raw_decode(text, begin.end())
        except (ValueError, RecursionError):
            troubles.add(
                "file_cut", line, "the text breaks off, or is damaged: what stands before is used", COPY_AGAIN
            )
            return
        yield line, found
    if text[at:].strip(" \t\n]},") or "]" not in text[at:]:
        line += text.count("\n", counted, len(text))
        troubles.add("file_cut", line, "the list has no end, or something else follows it", COPY_AGAIN)


def _has(found: Object, names: Sequence[str]) -> bool:
    return all(name in found for name in names)


def _add(rows: list[Object], row: Object | None, line: int, troubles: Gathering) -> None:
    """Add a row, where its object says what it is about."""
    if row is None:
        troubles.add("no_key", line, "the object has no GUID or number: left out", COPY_AGAIN)
    else:
        rows.append(row)


def _text(value: Any) -> str | None:
    """Return text; None for numbers, lists and words for nothing."""
    return value.strip() if isinstance(value, str) and value.strip() not in _NOTHING else None


def _whole(value: Any, most: int = 1 << 31) -> int | None:
    """Return a whole number, printed or not."""
    if isinstance(value, str):
        return decimal(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < most else None


def _node(found: Object, line: int) -> Object | None:
    """Make the row of a system; its first chip stands for it."""
    node_guid = guid(_text(found.get("guid")) or _text(found["system_guid"]) or "")
    if node_guid is None:
        return None
    name = _text(found["system_name"])
    kind = _TYPES.get(str(found["type"]).lower())
    return {
        "node_guid": node_guid,
        "node_type": str(kind) if kind else None,
        "node_desc": name,
        "node_name": readable_name(name) if name else None,
        "system_guid": guid(_text(found["system_guid"]) or ""),
        "fw_version": _text(found.get("fw_version")),
        "psid": _text(found.get("psid")),
        "serial": _text(found.get("serial_number")),
        "line": line,
    }


def _port(found: Object, line: int) -> Object | None:
    """Make the row of a port."""
    node_guid, number = guid(_text(found.get("guid")) or ""), _whole(found["number"], 1 << 15)
    if node_guid is None or number is None:
        return None
    state = diag_words.STATES.get((_text(found["logical_state"]) or "").title())
    phys = diag_words.PHYS_STATES.get((_text(found["physical_state"]) or "").replace(" ", ""))
    down = state is PortState.DOWN
    width, speed = (
        (None, None) if down else (_width(found.get("active_width")), _speed(found.get("active_speed")))
    )
    peer = guid((_text(found.get("peer")) or "").partition("_")[0])
    lid = _whole(found.get("lid"))
    return {
        "node_guid": node_guid,
        "port_num": number,
        "port_guid": node_guid,
        "lid": lid if lid and lid < 65535 else None,
        "port_label": _text(found.get("dname")),
        "state": state,
        "phys_state": phys,
        "width_active": width,
        "width_enabled": _set(_width, found.get("enabled_width"), link_terms.WIDTH_LANES),
        "width_supported": _set(_width, found.get("supported_width"), link_terms.WIDTH_LANES),
        "speed_active": speed,
        "speed_enabled": _set(_speed, found.get("enabled_speed"), link_terms.LANE_GBPS),
        "speed_supported": _set(_speed, found.get("supported_speed"), link_terms.LANE_GBPS),
        "rate_gbps": link_terms.rate_gbps(width, speed),
        "mtu": _whole(found.get("mtu")),
        "peer_node_guid": None if peer == node_guid else peer,
        "line": line,
    }


def _width(value: Any) -> str | None:
    return diag_words.width(value) if isinstance(value, str) else None


def _speed(value: Any) -> str | None:
    return value if isinstance(value, str) and value in link_terms.LANE_GBPS else None


def _set(read: Any, values: Any, order: Sequence[str] | dict[str, Any]) -> str | None:
    """Return what a list names, in the order of the project."""
    found = {read(value) for value in values} if isinstance(values, list) else set()
    return ",".join(name for name in order if name in found) or None


def _add_link(found: Object, line: int, links: dict[LinkKey, Object], troubles: Gathering) -> None:
    """Add a link; each counts once."""
    ends = [
        (guid(_text(found[f"{end}_guid"]) or ""), _whole(found[f"{end}_port"], 1 << 15))
        for end in ("source", "destination")
    ]
    (one, num), (other, other_num) = ends
    if one is None or other is None or num is None or other_num is None:
        troubles.add("no_key", line, "the link has an end without GUID or number: left out", COPY_AGAIN)
        return
    key = link_key(PortKey(one, num), PortKey(other, other_num))
    links.setdefault(
        key,
        {
            "node_guid_a": key.a.node_guid,
            "port_num_a": key.a.port_num,
            "node_guid_b": key.b.node_guid,
            "port_num_b": key.b.port_num,
            "width_active": _width(found.get("width")),
            "line": line,
        },
    )
