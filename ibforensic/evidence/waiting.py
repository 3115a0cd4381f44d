"""How much of the time ports waited for leave to send, and where that is far more than usual."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.deltas import Mask
from ibforensic.diff.distinct import number_of_each
from ibforensic.evidence.base import Reals, Scene
from ibforensic.model.devices import DEVICES, Device
from ibforensic.model.link_terms import WIDTH_LANES

WAIT = "port_xmit_wait"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Shares of the time, one a port; NaN where they are not known.

    Attributes:
        share: Share of the time waited between the samples.
        past: Share before, from the port's value and its node's uptime; 0 where that is not known.
        usual: Highest share that is ordinary for ports of the kind, or of the port's own past.
        high: Ports that waited far more than before and than ports of their kind.
        lost_gbps: Bandwidth that the time waited would have carried, at the rate of the link.
    """

    share: Reals
    past: Reals
    usual: Reals
    high: Mask
    lost_gbps: Reals


def shares(scene: Scene) -> Waiting:
    """Work out how much each port waited."""
    growth = scene.growth(WAIT)
    seconds = scene.facts.growth.seconds["pma_data"]
    bytes_a_second = scene.facts.growth.line_bits / 8
    ticks = tick_bytes(scene)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(growth.told, growth.delta * ticks / (bytes_a_second * seconds), math.nan)
        past = np.nan_to_num(scene.expected(WAIT) * ticks / (bytes_a_second * seconds), nan=0.0)
    usual = np.maximum(scene.ordinary(WAIT, share, few=2), past) if len(share) else share
    policy = scene.policy
    high = scene.connected & (share >= policy.wait_least) & (share >= policy.wait_factor * past)
    rates = scene.facts.pair.after["rate_gbps"].to_numpy().astype(np.float64)
    return Waiting(share, past, usual, high & (share >= usual), np.minimum(share, 1.0) * rates)


def tick_bytes(scene: Scene) -> Reals:
    """Bytes of line time that one tick stands for at each port; NaN where the device is not known."""
    pair = scene.facts.pair
    devices = {guid: _device(node["device_id"]) for guid, node in scene.facts.who.nodes.items()}
    sizes = {guid: device.wait_tick_bytes for guid, device in devices.items() if device}
    known = {guid: size for guid, size in sizes.items() if size is not None}
    told = pc.fill_null(pair.after["wait_tick"].cast(pa.float64()), math.nan).to_numpy()
    size = np.where(np.isnan(told), pair.ports.of_nodes(known, math.nan), told + 1)
    per_lane = {guid: float(bool(device and device.wait_per_lane)) for guid, device in devices.items()}
    lanes = number_of_each(pair.after["width_active"], lambda width: WIDTH_LANES.get(width or "", 1))
    return size * np.where(pair.ports.of_nodes(per_lane, 0.0) > 0, lanes, 1.0)


def _device(device_id: int | None) -> Device | None:
    return DEVICES.get(int(device_id or 0))
