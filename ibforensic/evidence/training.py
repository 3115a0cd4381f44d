"""Errors of a link that came up since the baseline: some of them are of its training, and weigh less.

Where link downs were counted, or a node was reset, the rule for physical errors grants them already. Here it
is about what else tells it: the age that a port gives its link, and a link that was not there before.
Nothing is dropped, and the sentence says it (demand D-20; KNOWLEDGE §1.11 has two minutes for training).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc

from ibforensic.diff.deltas import Mask
from ibforensic.diff.pair import CLOCK_SLACK_S
from ibforensic.evidence.base import Reals, Scene, told_growth
from ibforensic.evidence.link_age import words
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Evidence, say

TRAINING_S = 120.0
"""A link that is younger has hardly done anything but train."""
_AGES = ("node_guid", "port_num", "since_link_up_s")
_RULE = "physical_errors"


def weigh(scene: Scene, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Lower the weight of errors that may be of a link's training.

    Args:
        scene: The facts; the policy tells the errors that one training may leave, and the part of errors that
            counts while it goes on.
        evidence: What the rules found.

    Returns:
        The same evidence, in the same order.
    """
    items = tuple(evidence)
    if not any(item.rule == _RULE for item in items) or scene.alone:
        return items
    ages, granted = _ages(scene), scene.reset | _downs(scene)
    new = _new(scene)
    return tuple(_weighed(scene, item, ages, granted, new) for item in items)


def _weighed(scene: Scene, item: Evidence, ages: Reals, granted: Mask, new: frozenset[PortKey]) -> Evidence:
    if item.rule != _RULE or item.where is None or item.weight <= 0:
        return item
    at = scene.facts.pair.positions[item.where]
    age = float(ages[at])
    told = not math.isnan(age)
    young = told and age < TRAINING_S
    if not (told or item.where in new):
        return item
    weight = item.weight
    if young:
        weight *= scene.policy.training_share
    elif not granted[at]:
        delta = float(item.message.params.get("delta", 0))
        trained = math.log1p(min(delta, scene.policy.training_errors))
        weight = max(weight - trained, weight * scene.policy.training_share)
    when = f"{words(age)} before the current sample" if told else "since the baseline"
    note = "{before}; the link came up {when}, and some of them may be of its training"
    said = say(item.message.id, note, before=item.message.text, when=when)
    message = replace(item.message, params={**item.message.params, "link_up": when}, text=said.text)
    return replace(item, message=message, weight=weight)


def _downs(scene: Scene) -> Mask:
    """Ports of links that are known to have gone down."""
    down: Mask = scene.at_either_end(told_growth(scene, "link_downed_counter")) > 0
    return down


def _ages(scene: Scene) -> Reals:
    """Seconds for which each port's link is up, where that is less than the time between the samples."""
    pair = scene.facts.pair
    rows = pair.current.table("phy", _AGES)
    rows = rows.filter(pc.is_valid(rows["since_link_up_s"]))
    ages = np.full(len(scene.ports), math.nan)
    columns = (rows[name].to_pylist() for name in _AGES)
    for guid, number, age in zip(*columns, strict=True):
        at = pair.positions.get(PortKey(guid, number))
        if at is not None and pair.gap_s and age < pair.gap_s - CLOCK_SLACK_S:
            ages[at] = age
    youngest: Reals = np.fmin(ages, ages[scene.peer_positions])
    return youngest


def _new(scene: Scene) -> frozenset[PortKey]:
    """Ports of links that were not there before, or that lead elsewhere now."""
    if not scene.facts.topology.observed_before:
        return frozenset()
    return frozenset(_ends(scene))


def _ends(scene: Scene) -> Iterator[PortKey]:
    for link in scene.facts.topology.new_links:
        yield from link
