"""Counters that begin anew, or that have been full for long, while nothing is wrong.

OpenSM's performance manager clears the errors of a port once a narrow counter is three quarters full, those
of 4 bits from 10 on (KNOWLEDGE §1.1). Data counters and PHY registers go on.
"""

from __future__ import annotations

from random import Random

from ibforensic.model.counters import CATALOGUE
from ibforensic.model.counters.pma import ERRORS
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate import events
from ibforensic.simulate.faults import Fault
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.quiet_places import outer_ports, quiet_switch, some
from ibforensic.simulate.state import growth
from ibforensic.simulate.truth import Truth

ERROR_COUNTERS = tuple(counter.name for counter in CATALOGUE.values() if counter.cleared_with == ERRORS)
LIMITS = {name: 10 if CATALOGUE[name].bits == 4 else CATALOGUE[name].full * 3 // 4 for name in ERROR_COUNTERS}
"""Counter → from when on the subnet manager clears the port."""
CHRONIC = ("symbol_error_counter", "port_rcv_errors", "port_local_physical_errors")
"""What HCAs that always have errors count; a new one has none."""
_RELAYED = ("port_rcv_switch_relay_errors", "port_dlid_mapping_errors")
_DROPPED = ("link_downed_counter", "port_xmit_discards", "port_inactive_discards")


def sm_clear(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Let the subnet manager watch: no narrow counter gets far beyond three quarters.

    Some ports get there between the samples; where none would, one or two that always count get nearer.

    Args:
        pair: Both samples are changed.
        fault: The order.
        taken: Hosts, node GUIDs and links that others use.
        truth: Gets the ports that were cleared between the samples.
        rng: Source of randomness.
    """
    ports = [port for port in outer_ports(pair.current) if port not in pair.current.restarted]
    cleared = [port for port in ports if _watch(pair, port, rng)]
    if not cleared:
        cleared = rng.sample(ports, min(rng.randint(1, 2), len(ports)))
        for port in cleared:
            _approach(pair, port, rng)
            _watch(pair, port, rng)
    for port in cleared:
        truth.cleared.append({**truth.device(port.node_guid), "group": ERRORS, "port": port.port_num})
    truth.excuse(fault.kind, ports=cleared)


def group_clear(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Let somebody clear one group of the counters of a switch; arguments as for ``sm_clear``."""
    guid, share = quiet_switch(pair.current, fault, taken, rng), rng.randint(150, 800)
    phy = pair.current.phy
    group = "phy" if phy is not None and rng.randrange(2) else ERRORS
    for port in pair.current.fabric.ports_of[guid]:
        if phy is not None and group == "phy":
            phy.cleared[port] = pair.seconds * share / 1000
        else:
            events.restart(pair, port, share, ERROR_COUNTERS)
    truth.cleared.append({**truth.device(guid), "group": group})
    truth.excuse(fault.kind, nodes=[guid], group=group)


def clamped_counters(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Let some ports have narrow registers only, some of them full in both samples.

    Ports that were cleared are taken only where there are no others; then the clear did not reach them.
    Arguments as for ``sm_clear``.

    Raises:
        BadUsage: Every device was restarted.
    """
    fabric, every = pair.current.fabric, outer_ports(pair.current)
    up = [port for port in every if pair.current.uptimes[port.node_guid] >= pair.seconds]
    hosts = [port for port in up if Role.HCA in (fabric.node[port.node_guid].role, fabric.peer_role(port))]
    free = [port for port in hosts if not _taken(pair, port, taken)] or hosts
    old = [port for port in free if port not in pair.current.restarted] or free
    some(old, fault.kind, "port that counts since long ago")
    chosen = rng.sample(old, min(rng.randint(2, 5), len(old)))
    for port in chosen:
        hca = fabric.node[port.node_guid].role is Role.HCA
        for name in CHRONIC if hca else _DROPPED:
            excess = rng.randint(1, 4_000)
            for sample in (pair.baseline, pair.current):
                sample.narrow.add(port)
                sample.counters[port][name] = CATALOGUE[name].full + excess
    truth.excuse(fault.kind, ports=chosen)


def _taken(pair: Pair, port: PortKey, taken: set[str]) -> bool:
    """Whether something else uses the link of a port, or the host it leads to."""
    fabric = pair.current.fabric
    link = fabric.link_at[port]
    return bool({str(link.key), *(fabric.node[end.node_guid].host for end in link.key)} & taken)


def _approach(pair: Pair, port: PortKey, rng: Random) -> None:
    """Let a port count what ports of its kind always count some of, so that it gets to the limit."""
    hca = pair.current.fabric.node[port.node_guid].role is Role.HCA
    main, *others = CHRONIC if hca else _RELAYED
    limit, part = LIMITS[main], 12 if hca else 1
    level = limit * rng.randint(750, 980) // 1000
    grown = (limit - level) * rng.randint(1100, 2000) // 1000
    for name, count, more in ((main, level, grown), *((one, level // part, grown // part) for one in others)):
        pair.baseline.counters[port][name] = count
        pair.current.counters[port][name] = count + more


def _watch(pair: Pair, port: PortKey, rng: Random) -> bool:
    """Clear the errors of a port as often as one of them was three quarters full.

    Returns:
        Whether that was so after the baseline.
    """
    before, after = pair.baseline.counters[port], pair.current.counters[port]
    grown = growth(pair.baseline, pair.current, port)
    full = [name for name, limit in LIMITS.items() if before.get(name, 0) >= limit]
    if full:
        part = min(rng.randint(50, 700) * LIMITS[name] / (1000 * before[name]) for name in full)
        for name in ERROR_COUNTERS:
            if name in before:
                before[name] = round(before[name] * part)
                after[name] = before[name] + grown.get(name, 0)
    late = [name for name, limit in LIMITS.items() if after.get(name, 0) >= limit]
    if not late:
        return False
    part = min((after[name] % LIMITS[name]) / max(1, grown.get(name, 0)) for name in late)
    events.restart(pair, port, min(999, round(1000 * part)), ERROR_COUNTERS)
    return True
