"""``healthy-busy``: a fabric in which much has changed and nothing is wrong."""

from __future__ import annotations

from ibforensic.model.enums import Role
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.scenarios.base import UNUSED_PORTS, Scenario, how_to, node_name, port_name, switch
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.simulate.truth import Json

NAME = "healthy-busy"


def _fabric(seed: int) -> Fabric:
    """Build a fat tree with jobs."""
    spec = parse_spec("fat-tree:leaf=4,spine=2,hosts=4")
    return build_topology(spec, seed=seed, unused_ports=UNUSED_PORTS)


def _faults(fabric: Fabric) -> tuple[Fault, ...]:
    """Restarts, a new name, a clear, new LIDs, a new cable, more work, and a job in which all send to one."""
    hosts = sorted(fabric.hosts)
    return (
        Fault(FaultKind.HOST_REBOOT, host=hosts[4]),
        Fault(FaultKind.HOST_REBOOT, host=hosts[11]),
        Fault(FaultKind.RENAME_HOST, host=hosts[9]),
        Fault(FaultKind.SWITCH_COUNTER_CLEAR, switch=switch(fabric, Role.LEAF, 1)),
        Fault(FaultKind.LID_RESHUFFLE),
        Fault(FaultKind.TRAFFIC_GROWTH),
        Fault(FaultKind.PLANNED_RECABLING),
        Fault(FaultKind.HOT_JOB),
    )


def _story(truth: Json) -> str:
    """Tell the story in Markdown."""
    rebooted = " and ".join(f"`{one['host']}`" for one in truth["rebooted"])
    renamed, cleared = truth["renamed"][0], truth["cleared"][0]
    events = {one["kind"]: one for one in truth["harmless"]}
    hot, cabled = events[FaultKind.HOT_JOB], events[FaultKind.PLANNED_RECABLING]
    ports = "\n  ".join(f"- {port_name(port)}" for port in cabled["ports"])
    return f"""\
A made-up NDR fabric, collected twice, seven days apart: 4 leaves, 2 spines, 16 hosts with 1 HCA each.
Both runs of ibdiagnet had `--get_phy_info --get_cable_info`.

## At 3 a.m.

Somebody calls: a job is slow, it must be the network, and the waits have indeed multiplied since last week.

{how_to(NAME)}

The first screen says: nobody. Below it stands what has changed since the baseline, each with the reason why
it is no fault, and what was compared, so that you know what the answer rests on. Then look
at the job and its hosts, and leave the fabric alone.

## What happened, and is harmless

- There is a lot more work: every port sends up to four times as much as before, and waits up to forty times
  as long. Waiting is what busy ports do; nothing is lost by it.
- In one job {len(hot["senders"])} hosts send to one, `{hot["receiver"]}`. It takes what its line can carry,
  so they wait for it; that is how the job is written.
- Somebody replaced cables as planned: other serial numbers, and a link down or two, at these ports:
  {ports}
- Hosts {rebooted} were restarted: their leaf ports saw the links go down, their HCAs count anew.
- Host `{renamed["host"]}` is now called `{renamed["now"]}`. Its node GUID is the same.
- Somebody cleared the counters of {node_name(cleared)}. Its uptime goes on, its counters are lower.
- The subnet manager dealt the LIDs anew: nearly every node has another one. Nobody is identified by a LID.
- Like every fabric that works for a living, this one is not clean: old link downs and discards at most ports
  that face hosts, a few symbol errors, packets that could not be relayed.

## What the tool should say

- Nobody is to blame, and every port was judged.
- The restarts, the new name, the new modules and the cleared counters are told as changes; for the cleared
  switch growth since the baseline is known only as "at least".
- The ports that wait, and the links that went down for the new cables, may stand among the weaker signs.
"""


SCENARIO = Scenario(
    name=NAME,
    order=4,
    title="much has changed and nothing is wrong: nobody is to blame",
    fabric=_fabric,
    faults=_faults,
    story=_story,
    phy=True,
)
