"""A port of which its host says something else than what the fabric shows.

What it looks for: a host that calls its port active (ibstat) while the fabric shows it no longer, a host
that calls its port down while the fabric shows its link, and a rate that the two tell differently.
Why it matters: one view alone would call a working port down, or a port that no job can use up; hosts were
lost from allocation that way.
What else looks like this: the two were collected at different moments, and the port went up or down, or
came up at another rate, between.
What to do next: collect both views at one time; if they still differ, ask the subnet manager.
Source: demand D-22 (a class of its own, not a port that is down).
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.diff.view import Row
from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.first_rows import place
from ibforensic.evidence.two_views import (
    rates_told_otherwise,
    up_for_the_fabric_alone,
    up_for_the_host_alone,
)
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Evidence, say

RULE = Rule("views_disagree", "host and fabric disagree", 44)


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports that are up for one side alone; that the fabric misses one weighs as a link that is gone."""
    policy = scene.policy
    text = "the host calls {port} active (LID {lid}), and the fabric does not show it any more"
    for port, row in up_for_the_host_alone(scene).items():
        yield _evidence(scene, port, row, "views_disagree.host_up", text, policy.link_lost)
    text = "the fabric shows {port} with a link, and the host calls it {state} (LID {lid})"
    for port, row in up_for_the_fabric_alone(scene).items():
        yield _evidence(scene, port, row, "views_disagree.host_down", text, policy.views_disagree)
    for port, (row, shown) in rates_told_otherwise(scene).items():
        yield _of_rates(scene, port, row, shown)


def _of_rates(scene: Scene, port: PortKey, row: Row, shown: Row) -> Evidence:
    """Tell both rates; the fabric's with width and speed, where it tells them."""
    runs = f"{shown['width_active']} {shown['speed_active']}"
    message = say(
        "views_disagree.rate",
        "the host gives {port} {host:g} Gb/s, and the fabric {fabric:g} Gb/s{runs}",
        port=scene.facts.who.call(port),
        host=row["rate_gbps"],
        fabric=shown["rate_gbps"],
        runs=f" ({runs})" if "None" not in runs else "",
    )
    return Evidence(
        RULE.id,
        message,
        where=port,
        group="rate",
        weight=scene.policy.views_disagree,
        strength=strength(scene.policy.views_disagree),
        before=shown["rate_gbps"],
        after=row["rate_gbps"],
        source=place(row["source"], row["line"]),
    )


def _evidence(scene: Scene, port: PortKey, row: Row, kind: str, text: str, support: float) -> Evidence:
    lid = "-" if row["lid"] is None else str(row["lid"])
    params = {"port": scene.facts.who.call(port), "lid": lid, "state": str(row["state"])}
    return Evidence(
        RULE.id,
        say(kind, text, **{name: value for name, value in params.items() if f"{{{name}}}" in text}),
        where=port,
        group="link",
        weight=support,
        strength=strength(support),
        after=str(row["state"]),
        source=place(row["source"], row["line"]),
    )
