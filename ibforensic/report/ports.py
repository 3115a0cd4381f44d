"""Ports, links and suspects of the document as words. The identity a technician can act upon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.report.text import NAME, cut
from ibforensic.report.words import component, confidence

Json = Mapping[str, Any]
ROLES = {"hca": "HCA", "gpu": "GPU"}
NOBODY = "Nobody: no port of the fabric is to blame."
CANNOT_JUDGE = "Cannot judge: too little could be compared to blame or to clear anybody."


def node_name(where: Json, limit: int = NAME) -> str:
    """Return the name of a node, or its GUID where it has none."""
    return cut(str(where["node"] or where["node_guid"]), limit)


def port_name(port: Json, limit: int = NAME) -> str:
    """Return a port as ``leaf-03 port 12 (label 1/6/2, plane 2)``.

    Args:
        port: A port of the document.
        limit: Columns the node name and the label may take each.
    """
    extra = [f"label {cut(port['label'], limit)}"] if port["label"] else []
    extra += [f"plane {port['plane']}"] if port["plane"] is not None else []
    return f"{short_port(port, limit)} ({', '.join(extra)})" if extra else short_port(port, limit)


def short_port(port: Json, limit: int = NAME) -> str:
    """Return a port as ``leaf-03 port 12``."""
    return f"{node_name(port, limit)} port {port['port']}"


def role_name(port: Json) -> str:
    """Return the role of a port's node as written in texts: ``HCA``, ``leaf``."""
    return ROLES.get(port["role"], str(port["role"]))


def same_port(one: Json | None, other: Json | None) -> bool:
    """Whether two ports of the document are the same port."""
    return (
        one is not None
        and other is not None
        and (one["node_guid"], one["port"]) == (other["node_guid"], other["port"])
    )


def two_ends(suspect: Json) -> tuple[Json, Json] | None:
    """Return the ends of a suspect's link, the one to touch first in front; None without a link."""
    link = suspect["link"]
    if link is None:
        return None
    first, second = link["a"], link["b"]
    return (second, first) if same_port(second, suspect["end"]) else (first, second)


def subject(suspect: Json, limit: int = NAME) -> str:
    """Name what is suspected: a port, a link, a device, or the sentence of the verdict itself."""
    ends = two_ends(suspect)
    if suspect["end"] is not None:
        return port_name(suspect["end"], limit)
    if ends:
        return f"{port_name(ends[0], limit)} ↔ {port_name(ends[1], limit)}"
    if suspect["device"] is not None:
        return node_name(suspect["device"], limit)
    return cut(suspect["headline"]["text"], 2 * limit)


def other_end(suspect: Json) -> Json | None:
    """Return the far end of the named end; None where there is no named end or no link."""
    ends = two_ends(suspect)
    return ends[1] if ends and suspect["end"] is not None else None


def blame(suspect: Json, limit: int = NAME) -> str:
    """Say who is to blame and what the other end is, without a full stop."""
    far = other_end(suspect)
    if far is None:
        return blame_short(suspect, limit)
    near, sure = subject(suspect, limit), f"is {confidence(suspect['confidence']['link'])} to blame"
    if _end_is_as_sure(suspect):
        return f"{near} {sure}; other end {port_name(far, limit)}"
    return f"Link {near} ↔ {port_name(far, limit)} {sure}"


def blame_short(suspect: Json, limit: int = NAME) -> str:
    """Say who is to blame, without a full stop; the verdict's own words where it names no port or device.

    The link is often surer than which end of it is bad: then the link at the named port is blamed.
    """
    named = suspect["end"] or suspect["link"] or suspect["device"]
    if named is None:
        return subject(suspect, limit).rstrip(".")
    who = subject(suspect, limit)
    if suspect["end"] is None and suspect["link"]:
        who = f"The link {who}"
    elif not _end_is_as_sure(suspect):
        who = f"The link at {who}"
    return f"{who} is {confidence(suspect['confidence']['link'])} to blame"


def _end_is_as_sure(suspect: Json) -> bool:
    sure = suspect["confidence"]
    return suspect["link"] is None or confidence(sure["end"]) == confidence(sure["link"])


def sentence(text: str) -> str:
    """Begin a sentence of the verdict with a capital, but leave a name at its begin as it is."""
    return text[0].upper() + text[1:] if text.startswith(("the ", "a ", "an ", "no ")) else text


def sureness(suspect: Json) -> list[tuple[str, float]]:
    """Return what the verdict is how sure of: the link or device, the end, the component."""
    sure = suspect["confidence"]
    rows = [("this link" if suspect["link"] else "this device", sure["link"])]
    if suspect["end"] is not None and suspect["link"] is not None:
        rows.append((f"its end at {short_port(suspect['end'])}", sure["end"]))
    if suspect["component"] != "link":
        rows.append((component(suspect["component"]), sure["component"]))
    return rows


def touch(suspect: Json) -> str:
    """Say at which end to start, for the person in front of the rack."""
    end, far, ends = suspect["end"], other_end(suspect), two_ends(suspect)
    if end is not None:
        start = f"Start at {_panel(end)}."
        return f"{start} The other end is {_panel(far)}." if far else start
    if ends:
        return f"The ends cannot be told apart: start at {_panel(ends[0])} or at {_panel(ends[1])}."
    if suspect["device"] is not None:
        return f"It is about the whole of {node_name(suspect['device'])}, not about one port."
    return ""


def _panel(port: Json) -> str:
    role, name = role_name(port), node_name(port)
    if role and role.lower() not in name.lower():
        name = f"{role} {name}"
    if port["label"]:
        return f"{name}, port labelled {cut(port['label'], NAME)} (port number {port['port']})"
    return f"{name}, port number {port['port']} (its printed label is not known)"


def culprit(doc: Json) -> Json | None:
    """Return the first suspect, where the verdict blames anybody."""
    return doc["suspects"][0] if doc["verdict"] == "suspects" and doc["suspects"] else None
