"""``uplink-errors``: a bad cable between two switches, its many victims, and harmless events beside it."""

from __future__ import annotations

from ibforensic.model.enums import Role, VictimBy
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.scenarios.base import (
    UNUSED_PORTS,
    Scenario,
    cable_between,
    end_at,
    how_to,
    node_name,
    port_name,
    suffering,
    switch,
)
from ibforensic.simulate.truth import Json

NAME = "uplink-errors"


def _fabric(seed: int) -> Fabric:
    """Build the plain fat tree."""
    return make_fabric(6, 3, 4, 2, seed, unused_ports=UNUSED_PORTS)


def _faults(fabric: Fabric) -> tuple[Fault, ...]:
    """A bad cable from leaf 2 to spine 1; elsewhere a restart, a new name and a clear."""
    link = cable_between(fabric, leaf=1, spine=0, index=1)
    hosts = list(fabric.hosts)
    return (
        Fault(FaultKind.BAD_LINK, link=link, end=end_at(fabric, link, Role.SPINE)),
        Fault(FaultKind.HOST_REBOOT, host=hosts[4 * 4 + 2]),
        Fault(FaultKind.RENAME_HOST, host=hosts[3 * 4]),
        Fault(FaultKind.SWITCH_COUNTER_CLEAR, switch=switch(fabric, Role.LEAF, 5)),
    )


def _story(truth: Json) -> str:
    """Tell the story in Markdown."""
    sender, receiver = (port_name(truth["suspect"]["direction"][end]) for end in ("from", "to"))
    marked, waiting = suffering(truth, VictimBy.EBP), suffering(truth, VictimBy.WAIT)
    rebooted, renamed, cleared = (truth[name][0] for name in ("rebooted", "renamed", "cleared"))
    return f"""\
A made-up NDR fabric, collected twice, seven days apart: 6 leaves, 3 spines, 24 hosts with 2 HCAs each.
In between the training jobs became slow.

## At 3 a.m.

Somebody calls: all jobs are slow. {marked} ports of hosts and switches count bad packets that they did not
count last week, and nobody knows where to begin.

{how_to(NAME)}

The first screen names one cable out of 84, says in which direction it damages packets, and what to do
first. The report lists the ports that only suffer from it, so that nobody changes good cables tonight.

## What happened

- One cable between a leaf and a spine went bad in one direction: from {sender}
  to {receiver}. The receiver counts the damaged packets.
- Many of them were already on their way out when the damage was noticed. They carry a bad-packet mark
  and are counted again, as remote errors, at {marked} ports further down, also at host ports on other leaves.
  Those ports are fine.
- Behind the sender, {waiting} ports had to wait much longer than before. They are fine too.

## What else happened, and is harmless

- Host `{rebooted["host"]}` was restarted: its leaf ports saw the links go down once, its HCAs count anew.
- Host `{renamed["host"]}` is now called `{renamed["now"]}`. Its node GUIDs are the same.
- Somebody cleared the counters of {node_name(cleared)}. Its uptime goes on, its counters are lower.
- Like every fabric that works for a living, this one is not clean: old link downs and discards at most ports
  that face hosts, HCAs that have had symbol errors for weeks, packets that could not be relayed everywhere.

## What the tool should say

- Suspect number 1 is that cable, with the direction above, seen at {receiver}.
  Counters alone cannot tell whether the sending module, the cable or the receiving port is broken.
- The ports further down and those that wait are its victims, not suspects.
- Nothing is held against the restarted host, the renamed host or the switch whose counters were cleared; for
  that switch growth since the baseline is known only as "at least".
"""


SCENARIO = Scenario(
    name=NAME,
    order=1,
    title="a bad cable between two switches, with victims all over the fabric",
    fabric=_fabric,
    faults=_faults,
    story=_story,
)
