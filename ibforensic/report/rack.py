"""What a technician in front of the rack needs: which end, what is printed there, what is plugged in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.model.pci_label import shown_label
from ibforensic.report.ports import node_name, role_name, same_port, two_ends
from ibforensic.report.text import NAME, cut
from ibforensic.report.words import NOT_COLLECTED

Json = Mapping[str, Any]


def rack(suspect: Json) -> list[dict[str, Any]]:
    """Return the ends of a suspect's link as they are found in the rack, the one to touch first in front.

    Args:
        suspect: A suspect of the document.

    Returns:
        For each end: first (touch this one first), node, label (what is printed at the port of a switch,
        the PCI address of an HCA), port (its number), serial and part of what is plugged in, replaced;
        ``-`` where something is not known.
        Nothing where the suspect is no link.
    """
    return [_end(suspect, port) for port in two_ends(suspect) or ()]


def _end(suspect: Json, port: Json) -> dict[str, Any]:
    part = _part(suspect, port)
    made = " ".join(cut(part[name], NAME) for name in ("vendor", "part_number") if part.get(name))
    return {
        "first": same_port(suspect["end"], port),
        "node": _called(port),
        "label": cut(shown_label(port["label"]), NAME) if port["label"] else NOT_COLLECTED,
        "port": port["port"],
        "serial": cut(part["serial"], NAME) if part.get("serial") else NOT_COLLECTED,
        "part": made,
        "replaced": bool(part.get("replaced")),
    }


def _called(port: Json) -> str:
    """Name a node, with its role where the name does not tell it."""
    role, name = role_name(port), node_name(port)
    return name if role.lower() in name.lower() else f"{role} {name}"


def _part(suspect: Json, port: Json) -> Json:
    """What is plugged into a port; documents of earlier versions do not tell."""
    return next((part for part in suspect.get("parts") or () if same_port(part, port)), {})
