"""Ports that waited for leave to send far more than usual: what they feed, not they, is slow.

What it looks for: share of time spent waiting (PortXmitWait) far above the port's own past and the fleet.
Why it matters: waiting spreads backwards through a lossless fabric and fills the tables of an incident.
What else looks like this: a job that communicates more than the one before.
What to do next: nothing at this port; look at what it feeds.
Source: KNOWLEDGE §1.4, §3.3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ibforensic.evidence.base import Reals, Rule, Scene
from ibforensic.model.devices import DEVICES
from ibforensic.model.enums import Strength, VictimBy
from ibforensic.model.link_terms import WIDTH_LANES
from ibforensic.model.records import Evidence, say

RULE = Rule("held_back", "ports held back", 70)

_NAME = "port_xmit_wait"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports that waited far more than usual."""
    growth = scene.growth(_NAME)
    seconds = scene.facts.growth.seconds["pma_data"]
    bytes_a_second = scene.facts.growth.line_bits / 8
    ticks = _tick_bytes(scene)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(growth.told, growth.delta * ticks / (bytes_a_second * seconds), math.nan)
        past = np.nan_to_num(scene.expected(_NAME) * ticks / (bytes_a_second * seconds), nan=0.0)
    usual = np.maximum(scene.ordinary(_NAME, share, few=2), past) if len(share) else share
    policy = scene.policy
    high = scene.connected & (share >= policy.wait_least) & (share >= policy.wait_factor * past)
    for at in np.flatnonzero(high & (share >= usual)).tolist():
        port = scene.ports[at]
        message = say(
            "held_back.victim",
            "{port} waited {share:.0%} of the time for leave to send, before {past:.1%}",
            port=scene.facts.who.call(port),
            share=min(float(share[at]), 1.0),
            past=float(past[at]),
        )
        yield Evidence(
            RULE.id,
            message,
            where=port,
            group="neighbours",
            strength=Strength.WEAK,
            victim=VictimBy.WAIT,
            **scene.readings(_NAME, at),
        )


def _tick_bytes(scene: Scene) -> Reals:
    """Bytes of line time that one tick stands for at each port; NaN where the device is not known."""
    nodes = scene.facts.who.nodes
    told = scene.facts.pair.after["wait_tick"].to_pylist()
    widths = scene.facts.pair.after["width_active"].to_pylist()
    found = []
    for port, tick, width in zip(scene.ports, told, widths, strict=True):
        device = DEVICES.get(int(nodes.get(port.node_guid, {}).get("device_id") or 0))
        size = tick + 1 if tick is not None else device.wait_tick_bytes if device else None
        lanes = WIDTH_LANES.get(width or "", 1) if device and device.wait_per_lane else 1
        found.append(math.nan if size is None else float(size * lanes))
    return np.array(found, dtype=np.float64)
