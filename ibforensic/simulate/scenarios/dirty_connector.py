"""``dirty-connector``: a receiver loses light, which runs that ask about the physical layer can show."""

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
)
from ibforensic.simulate.truth import Json

NAME = "dirty-connector"


def _fabric(seed: int) -> Fabric:
    """Build a small fat tree; each port of it takes many bytes here."""
    return make_fabric(4, 2, 4, 1, seed, unused_ports=UNUSED_PORTS)


def _faults(fabric: Fabric) -> tuple[Fault, ...]:
    """Dirt where leaf 3 receives from spine 1, and the restart of a host at that leaf."""
    link = cable_between(fabric, leaf=2, spine=0, index=1)
    return (
        Fault(FaultKind.DIRTY_CONNECTOR, link=link, end=end_at(fabric, link, Role.LEAF), severity="high"),
        Fault(FaultKind.HOST_REBOOT, host=list(fabric.hosts)[2 * 4 + 1]),
    )


def _story(truth: Json) -> str:
    """Tell the story in Markdown."""
    sender, receiver = (port_name(truth["suspect"]["direction"][end]) for end in ("from", "to"))
    leaf = node_name(truth["suspect"]["end"])
    rebooted = truth["rebooted"][0]["host"]
    marked, waiting = suffering(truth, VictimBy.EBP), suffering(truth, VictimBy.WAIT)
    return f"""\
A made-up NDR fabric, collected twice, seven days apart: 4 leaves, 2 spines, 16 hosts with 1 HCA each.
Both runs of ibdiagnet had `--get_phy_info --get_cable_info`, so bit errors, modules and light are known.

## At 3 a.m.

Somebody calls: the job on the hosts at {leaf} fails every few minutes, and those hosts count bad packets.
One of them was restarted by the last shift, to no avail.

{how_to(NAME)}

The first screen names not the hosts but one link above them, the end at which the signal arrives damaged,
and the part: that end receives less light than before, and the sender still sends all of it. So
clean the connector first; no host and no switch has to be changed.

## What happened

- Dirt got between the two faces of the connector at {receiver}.
  Less light arrives from {sender} on some lanes, what is sent is as bright as ever,
  and the other direction is fine.
- FEC repairs most of the bit errors and retransmission most of the rest; what is left damages packets.
- The leaf passed on what had already begun to leave, marked bad: {marked} hosts at that leaf count those
  packets as remote errors. The hosts are fine.
- Behind the sender, {waiting} ports had to wait longer than before. They are fine too.

## What else happened, and is harmless

- Host `{rebooted}` at the same leaf was restarted: the link went down once, and its HCA counts anew.

## What the tool should say

- Suspect number 1 is that link, damaged from {sender} to {receiver}.
- The end to work at is {receiver}, and the part is the connector, because light is missing
  there and not at the sender.
- The hosts that count marked packets, and the ports that wait, are victims.
- Nothing is held against the restarted host.
"""


SCENARIO = Scenario(
    name=NAME,
    order=2,
    title="dirt in a connector: one receiver gets less light than before",
    fabric=_fabric,
    faults=_faults,
    story=_story,
    phy=True,
)
