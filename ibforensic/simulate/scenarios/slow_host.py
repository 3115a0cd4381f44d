"""``slow-host``: waits all over the fabric, and the fabric is innocent."""

from __future__ import annotations

from ibforensic.model.enums import VictimBy
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.scenarios.base import UNUSED_PORTS, Scenario, how_to, suffering
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.simulate.truth import Json

NAME = "slow-host"


def _fabric(seed: int) -> Fabric:
    """Build a fat tree with jobs, so that who waits for whom follows from the routes."""
    spec = parse_spec("fat-tree:leaf=4,spine=2,hosts=8,uplinks=2")
    return build_topology(spec, seed=seed, unused_ports=UNUSED_PORTS)


def _faults(fabric: Fabric) -> tuple[Fault, ...]:
    """Degraded PCIe."""
    return (Fault(FaultKind.PCIE_DEGRADED, severity=1.0),)


def _story(truth: Json) -> str:
    """Tell the story in Markdown."""
    suspect, waiting = truth["suspect"], suffering(truth, VictimBy.WAIT)
    was, now = (suspect["pcie"][when] for when in ("was", "now"))
    host = suspect["host"]["host"]
    return f"""\
A made-up NDR fabric, collected twice, seven days apart: 4 leaves, 2 spines, 32 hosts with 1 HCA each.
The runs of ibdiagnet did not ask about the physical layer.

## At 3 a.m.

Somebody calls: the network is slow. Hosts and switches on every leaf wait to send, packets are dropped.
No link is down. An HCA counts thousands of damaged packets, but that is old: it did so before the baseline.

{how_to(NAME)}

The first screen says that no cable and no switch is at fault: one HCA takes its data too slowly, and all
the others wait for it. ibdiagnet cannot see why. Log in to that host and compare what its PCIe slot runs
at with what it could run at, in the lines `LnkCap` and `LnkSta`:

```
sudo lspci -vv -d 15b3:
```

## What happened

- The HCA of host `{host}` lost most of its PCIe: {_pcie(now)} instead of {_pcie(was)}.
  It sends and takes no more than that, and nothing in the fabric tells that it is so.
- The leaf port that feeds it waits for it, and drops what has waited too long. Then the switches
  behind that port wait, then the hosts that send to it: {waiting} ports in all. None of them is broken.

## What the tool should say

- Suspect number 1 is the HCA of host `{host}`, which takes its data too slowly; the part is the host.
  It cannot say PCIe: software that receives too slowly looks the same from the fabric.
- The switch port that faces the host is a victim, and so are those behind it that wait for a noticeable
  share of the time. The others are not mentioned: a port that waits a thousandth of the time is no news.
- No cable, no transceiver and no switch is accused, and neither is the HCA with the old errors.
"""


def _pcie(slot: Json) -> str:
    """Tell speed and lanes of a PCIe slot."""
    return f"{slot['width']} lanes of {slot['speed']:g} GT/s"


SCENARIO = Scenario(
    name=NAME,
    order=3,
    title="one host takes its data slowly, the fabric waits, and no cable is to blame",
    fabric=_fabric,
    faults=_faults,
    story=_story,
    seed=29,
)
