"""Boxes (hosts and switches) whose links went down together: then it was the box, not the links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from ibforensic.diff.deltas import Known
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
    who, downs = scene.facts.who, _downs(scene)
    hit = {who.host(guid) or guid for guid in {end.node_guid for link in downs for end in link}}
    boxes = {guid: box for box in hit for guid in who.boxes.get(box, (box,))}
    for port, peer in who.peers.items():
        # Inside there is no cable, and nobody counts how often it was down.
        if port.node_guid in boxes and port not in who.inside:
            links[boxes[port.node_guid]].add(link_key(port, peer))
    found: dict[str, float] = {}
    for box, members in links.items():
        told = [downs[link] for link in members if link in downs]
        if len(members) < 2 or len(told) < WHOLE_BOX * len(members):
            continue
        sure = sorted(count for count, exact in told if exact) or sorted(count for count, _ in told)
        typical = float(np.median(sure))
        if sure[len(sure) // 10] * _ALIKE >= typical:
            found[box] = typical
    return found


def _downs(scene: Scene) -> dict[LinkKey, tuple[float, bool]]:
    """Link → times it went down, at the end that counted more, and whether that is all.

    Where counters were cleared in between, it is a lower bound.
    """
    grown = told_growth(scene, _NAME)
    exact = scene.growth(_NAME).known == int(Known.EXACT)
    found: dict[LinkKey, tuple[float, bool]] = {}
    peers = scene.facts.who.peers
    for at in np.flatnonzero(grown > 0).tolist():
        port = scene.ports[at]
        if port in peers:
            link = link_key(port, peers[port])
            found[link] = max(found.get(link, (0.0, False)), (float(grown[at]), bool(exact[at])))
    return found
