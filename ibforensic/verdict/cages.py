"""Which ports share a cage: what is plugged in there is one module or plug for all of them.

A module with two ports shows its serial at both, and so does a cable at all of its ends. Where nobody tells
serials, the printed label does: ``1/5/1`` and ``1/5/2`` are ports of cage 5, ``7/1`` and ``7/2`` those of a
port that is split (atlas §2, label numbering of Quantum and Quantum-2).
"""

from __future__ import annotations

import re

from ibforensic.diff.facts import Facts
from ibforensic.diff.modules import clean_serial
from ibforensic.model.ids import PortKey

_LABEL = re.compile(r"(?P<cage>\d+/\d+)/\d+(?:/\d+)?|(?P<port>\d+)/[12]", re.ASCII)

Mark = tuple[str, str, str]
"""Node GUID, what is told (serial or label), and its text; ports that have one in common share a cage."""


def marks(port: PortKey, facts: Facts) -> frozenset[Mark]:
    """Tell by what a port is known to share its cage with others.

    Args:
        port: A port.
        facts: What is true of the two samples.

    Returns:
        Its marks; none where neither a serial nor a label tells.
    """
    at = facts.pair.positions.get(port)
    then, now = facts.physical.serial
    serial = None if at is None else now[at] or then[at]
    label = _LABEL.fullmatch(facts.who.ref(port).label or "")
    told = {
        "serial": clean_serial(serial or ""),
        "label": (label["cage"] or label["port"]) if label else "",
    }
    return frozenset((port.node_guid, what, text) for what, text in told.items() if text)
