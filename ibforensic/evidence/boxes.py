"""Boxes (hosts and switches) whose links went down together: then it was the box, not the links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from ibforensic.evidence.base import Scene, told_growth
from ibforensic.model.ids import LinkKey, link_key

_NAME = "link_downed_counter"
WHOLE_BOX = 0.8
"""Share of a box's links that must have gone down for the box to be the reason."""
_ALIKE = 3.0
"""The typical link of a box may have gone down so many times as often as those that did least."""


def whole_boxes(scene: Scene) -> Mapping[str, float]:
    """Boxes of which nearly all links went down: host name or node GUID → how often, typically.

    Returns:
        Only boxes with at least two links that led somewhere in the baseline or lead somewhere now.
    """
    links: dict[str, set[LinkKey]] = defaultdict(set)
    who = scene.facts.who
    for port, peer in who.peers.items():
        links[who.host(port.node_guid) or port.node_guid].add(link_key(port, peer))
    downs = _downs(scene)
    found: dict[str, float] = {}
    for box, members in links.items():
        counts = sorted(downs[link] for link in members if link in downs)
        if len(members) >= 2 and len(counts) >= WHOLE_BOX * len(members):
            typical = float(np.median(counts))
            if counts[len(counts) // 10] * _ALIKE >= typical:
                found[box] = typical
    return found


def _downs(scene: Scene) -> dict[LinkKey, float]:
    """Link → times it went down, at the end that counted more."""
    grown = told_growth(scene, _NAME)
    found: dict[LinkKey, float] = {}
    peers = scene.facts.who.peers
    for at in np.flatnonzero(grown > 0).tolist():
        port = scene.ports[at]
        if port in peers:
            link = link_key(port, peers[port])
            found[link] = max(found.get(link, 0.0), float(grown[at]))
    return found
