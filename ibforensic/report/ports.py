"""Ports, links and suspects of the document as words. The identity a technician can act upon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.model.pci_label import pci_address
from ibforensic.report.text import NAME, cells, cut, message_text
from ibforensic.report.words import component, confidence

Json = Mapping[str, Any]
PURPOSE = 24
"""Columns that the purpose of a node may take beside its role."""
ROLES = {"hca": "HCA", "gpu": "GPU"}


def node_name(where: Json, limit: int = NAME) -> str:
    """Return the name of a node, or its GUID where it has none."""
    return cut(str(where["node"] or where["node_guid"]), limit)


def boxed_name(where: Json, limit: int) -> str:
    """Return the name of a node for a narrow box: ``is-no…e-27 mlx5_11`` keeps the number of its host."""
    name = node_name(where, 2 * NAME)
    host, space, device = name.rpartition(" ")
    room = limit - cells(device) - 1
    if cells(name) <= limit or not space or room < limit // 2:
        return cut(name, limit)
    return f"{cut(host, room)} {device}"


def port_name(port: Json, limit: int = NAME) -> str:
    """Return a port as ``leaf-03 port 12 (label 1/6/2, plane 2)`` or ``gpu-1 port 1 (PCI c1:00.0)``.

    Args:
        port: A port of the document.
        limit: Columns the node name and the label may take each.
    """
    extra = [label_text(port, limit)] if port["label"] else []
    extra += [_("plane {plane}").format(plane=port["plane"])] if port["plane"] is not None else []
    return f"{short_port(port, limit)} ({', '.join(extra)})" if extra else short_port(port, limit)


def label_text(port: Json, limit: int = NAME) -> str:
    """Say how a port is labelled: ``label 1/6/2``; an HCA's place on the PCI bus is printed nowhere."""
    address = pci_address(port["label"])
    return f"PCI {address}" if address else _("label {label}").format(label=cut(port["label"], limit))


def short_port(port: Json, limit: int = NAME) -> str:
    """Return a port as ``leaf-03 port 12``."""
    return f"{node_name(port, limit)} port {port['port']}"


def role_name(port: Json) -> str:
    """Return the role of a port's node as written in texts: ``HCA``, ``leaf``, ``storage HCA``."""
    role = _(ROLES.get(port["role"], str(port["role"])))
    purpose = port.get("purpose")
    return f"{cut(purpose, PURPOSE)} {role}".rstrip() if purpose else role


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


def host_of(suspect: Json) -> str | None:
    """Return the name of the host, where the suspect is a whole host; older documents have none."""
    device = suspect["device"]
    return device.get("host") if device is not None else None


def subject(suspect: Json, limit: int = NAME) -> str:
    """Name what is suspected: a port, a link, a host, a device, or the verdict's own sentence."""
    ends, host = two_ends(suspect), host_of(suspect)
    if suspect["end"] is not None:
        return port_name(suspect["end"], limit)
    if ends:
        return f"{port_name(ends[0], limit)} ↔ {port_name(ends[1], limit)}"
    if host:
        return _("host {host}").format(host=cut(host, limit))
    if suspect["device"] is not None:
        return node_name(suspect["device"], limit)
    return message_text(suspect["headline"], limit)


def other_end(suspect: Json) -> Json | None:
    """Return the far end of the named end; None where there is no named end or no link."""
    ends = two_ends(suspect)
    return ends[1] if ends and suspect["end"] is not None else None


def blame(suspect: Json, limit: int = NAME) -> str:
    """Say who is to blame and what the other end is, without a full stop."""
    return " ".join(blame_pieces(suspect, limit))


def blame_pieces(suspect: Json, limit: int = NAME) -> list[str]:
    """Say the same in pieces, each of which should stay on one line: an end is best read as a whole."""
    ends = two_ends(suspect)
    if ends is None:
        return blame_short(suspect, limit).split()
    near, far = (port_name(end, limit) for end in ends)
    lead, verdict = _lead(suspect), _verdict(suspect)
    if suspect["end"] is not None and _end_is_as_sure(suspect):
        return [f"{_(lead)}{near}", f"{verdict};", _("other end {port}").format(port=far)]
    lead = "Link " if lead in ("The link ", "The link at ") else lead
    return [f"{_(lead)}{near}", f"↔ {far}", verdict]


def blame_short(suspect: Json, limit: int = NAME) -> str:
    """Say who is to blame, without a full stop; the verdict's own words where it names no port or device.

    The part is named where it is likely, and then as sure as the part is; else the link, which is surer.
    """
    who = subject(suspect, limit)
    if not _has_place(suspect):
        return sentence(who.rstrip("."))
    if suspect["link"] is None and suspect["end"] is None and host_of(suspect):
        who = who[0].upper() + who[1:]
    return f"{_(_lead(suspect))}{who} {_verdict(suspect)}"


LIKELY = 0.7
"""A part is named in the first sentence from this confidence on."""
_OF_LINKS = ("cable", "config")
_OF_ENDS = ("transceiver", "connector", "port")
_LEADS = {
    "transceiver": "The transceiver in ",
    "connector": "The connector at ",
    "cable": "The cable between ",
    "config": "The configuration of the link ",
}


def _lead(suspect: Json) -> str:
    """What stands before the names of ports: the part, where it is sure enough, else the link."""
    part = suspect["component"]
    if suspect["link"] is None:
        return ""
    if _part_is_sure(suspect):
        cabling = suspect["headline"]["message"] == "headline.miscabled"
        return "The cabling of " if cabling else _LEADS.get(part, "")
    return "The link " if suspect["end"] is None else "The link at "


def _part_is_sure(suspect: Json) -> bool:
    """Whether the part may be named: likely, or as sure as the link, and where it sits as well."""
    part, sure = suspect["component"], suspect["confidence"]
    if suspect["link"] is None or part not in (*_OF_LINKS, *_OF_ENDS):
        return False
    if (part in _OF_ENDS) != (suspect["end"] is not None) or not _end_is_as_sure(suspect):
        return False
    return sure["component"] >= LIKELY or confidence(sure["component"]) == confidence(sure["link"])


def own_sentence(suspect: Json, limit: int = NAME) -> str:
    """Return the verdict's own sentence about a suspect; empty where the blame is that sentence already."""
    return sentence(message_text(suspect["headline"], limit)) if _has_place(suspect) else ""


def why_part(suspect: Json, limit: int = NAME) -> str:
    """Say what singles the part out; empty where the evidence tells it, and in earlier documents."""
    told = suspect.get("because")
    if not told:
        return ""
    reason = message_text(told, limit)
    part = suspect["component"]
    return reason if part == "link" else f"{component(part)}: {reason}"


def goes_on(suspect: Json, limit: int = NAME) -> str:
    """Say whether it still goes on; empty where that is not known, and in earlier documents."""
    told = suspect.get("lately")
    return message_text(told, limit) if told else ""


def singled_out(suspect: Json) -> bool:
    """Whether anything tells the part apart from the others, beyond that it is common."""
    told = suspect.get("because")
    return told is not None and not told["message"].startswith(("because.nothing", "because.likely"))


def _has_place(suspect: Json) -> bool:
    """Whether a suspect is a port, a link or a device; a batch of parts is everywhere."""
    return bool(suspect["end"] or suspect["link"] or suspect["device"])


def _verdict(suspect: Json) -> str:
    sure = suspect["confidence"]
    share = min(sure["link"], sure["component"]) if _part_is_sure(suspect) else sure["link"]
    return _("is {sure} to blame").format(sure=confidence(share))


def _end_is_as_sure(suspect: Json) -> bool:
    sure = suspect["confidence"]
    if suspect["link"] is None or suspect["end"] is None:
        return True
    return confidence(sure["end"]) == confidence(sure["link"])


def sentence(text: str) -> str:
    """Begin a sentence of the verdict with a capital, but leave a name at its begin as it is."""
    return (
        text[0].upper() + text[1:]
        if text.startswith(("the ", "a ", "an ", "no ", "nothing ", "in ", "it "))
        else text
    )


def sureness(suspect: Json, limit: int = NAME) -> list[tuple[str, float]]:
    """Return what the verdict is how sure of: the link or device, the end, the component."""
    sure, host = suspect["confidence"], host_of(suspect)
    rows = [(_kind(suspect), sure["link"])]
    if suspect["end"] is not None and suspect["link"] is not None:
        at = _("its end at {port}").format(port=short_port(suspect["end"], limit))
        rows.append((at, sure["end"]))
    if suspect["component"] not in ("link", "batch") and not (host and suspect["component"] == "host"):
        rows.append((component(suspect["component"]), sure["component"]))
    return rows


def _kind(suspect: Json) -> str:
    if suspect["link"]:
        return _("this link")
    if suspect["end"] is not None:
        return _("this port")
    if not _has_place(suspect):
        return _("this batch")
    return _("this host") if host_of(suspect) else _("this device")


def touch(suspect: Json) -> str:
    """Say at which end to start, for the person in front of the rack."""
    end, far, ends = suspect["end"], other_end(suspect), two_ends(suspect)
    if end is not None:
        start = _("Start at {port}.").format(port=_panel(end))
        return f"{start} {_('The other end is {port}.').format(port=_panel(far))}" if far else start
    if ends:
        text = _("The ends cannot be told apart: start at {one} or at {other}.")
        return text.format(one=_panel(ends[0]), other=_panel(ends[1]))
    if host_of(suspect):
        text = _("It is about the whole of {host}, not about one HCA or port.")
        return text.format(host=subject(suspect))
    if suspect["device"] is not None and suspect["component"] in ("hca", "host"):
        text = _("It is about {node} itself, not about its cable.")
        return text.format(node=node_name(suspect["device"]))
    if suspect["device"] is not None and suspect["headline"]["message"] == "headline.node_or_link":
        text = _("It is {node} as a whole, or its only link.")
        return text.format(node=node_name(suspect["device"]))
    if suspect["device"] is not None:
        text = _("It is about the whole of {node}, not about one port.")
        return text.format(node=node_name(suspect["device"]))
    return ""


def _panel(port: Json) -> str:
    role, name = role_name(port), node_name(port)
    if role and role.lower() not in name.lower():
        name = f"{role} {name}"
    address = pci_address(port["label"]) if port["label"] else None
    if address:
        return _("{node}, port {port} (PCI {address})").format(node=name, port=port["port"], address=address)
    if port["label"]:
        text = _("{node}, port labelled {label} (port number {port})")
        return text.format(node=name, label=cut(port["label"], NAME), port=port["port"])
    text = _("{node}, port number {port} (its printed label is not known)")
    return text.format(node=name, port=port["port"])


def culprit(doc: Json) -> Json | None:
    """Return the first suspect, where the verdict blames anybody."""
    return doc["suspects"][0] if doc["verdict"] == "suspects" and doc["suspects"] else None
