"""Links that go down now and then on every large fabric, without anybody being hurt by it.

On a running fabric of 8,000 HCAs some ten ports had always been going down, a few times in a week, one link
so often that its counter was full; others once since the counters were cleared (FIELD §5).
"""

from __future__ import annotations

from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.state import Sample
from ibforensic.simulate.traffic import DAY, spread

CHRONIC = 3_000
"""One link in so many goes down every week."""
ONCE = 1_500
"""One in so many others goes down once in a week."""
A_WEEK = (1, 2, 3, 3, 7, 7, 17, 40)
_LOST_EACH = 4


def run_flaps(baseline: Sample, current: Sample, rng: Random) -> None:
    """Let some links go down, before the baseline and after it.

    Args:
        baseline: Gets what chronic flappers counted since their ends were started.
        current: Gets that too, and what they and others counted since.
        rng: Source of randomness.
    """
    fabric = baseline.fabric
    week = 7 * DAY
    seconds = int((current.taken_at - baseline.taken_at).total_seconds())
    for link in fabric.links:
        if any(fabric.node[end.node_guid].role is Role.AGGREGATION for end in link.key):
            continue
        rate = once = 0
        if not rng.randrange(CHRONIC):
            rate = rng.choice(A_WEEK)
        elif rng.randrange(ONCE * week) < seconds:
            once = 1
        now = once + spread(rng, (rate * seconds + week // 2) // week, 300)
        if now:
            current.fell.update(dict.fromkeys(link.key, now))
        for end in link.key:
            before = rate * baseline.uptimes[end.node_guid] // week
            _count(baseline, end, before)
            _count(current, end, before + now)


def _count(sample: Sample, port: PortKey, downs: int) -> None:
    """Count link downs, and at switches the packets dropped meanwhile."""
    if not downs:
        return
    sample.add(port, "link_downed_counter", downs)
    if sample.fabric.node[port.node_guid].role is not Role.HCA:
        for name in ("port_xmit_discards", "port_inactive_discards"):
            sample.add(port, name, downs * _LOST_EACH)
