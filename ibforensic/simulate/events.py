"""What happens in a healthy fabric too: restarts, names, clears, LIDs, more work."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from ibforensic.model.ids import PortKey
from ibforensic.simulate.healthy import Pair, assign_lids
from ibforensic.simulate.link_faults import lose
from ibforensic.simulate.state import growth
from ibforensic.simulate.truth import Truth

SENT = ("port_xmit_data", "port_xmit_pkts", "port_unicast_xmit_pkts", "port_xmit_wait")
RECEIVED = ("port_rcv_data", "port_rcv_pkts", "port_unicast_rcv_pkts")


def traffic_growth(pair: Pair, rng: Random) -> None:
    """Let every port send more, by a factor of its own from 1.0 to 4.0; waits grow up to 40-fold.

    What a port receives grows by the factor of its peer.
    """
    fabric = pair.current.fabric
    for port in fabric.link_at:
        factor = rng.randint(0, 30)
        for end, names in ((port, SENT), (fabric.peer(port), RECEIVED)):
            grown = growth(pair.baseline, pair.current, end)
            for name in names:
                more = factor * (rng.randint(1, 13) if name == "port_xmit_wait" else 1)
                pair.current.add(end, name, grown.get(name, 0) * more // 10)


def host_reboot(pair: Pair, host: str, truth: Truth, rng: Random) -> None:
    """Restart a host: its leaf ports see the links go down, its HCAs begin to count anew.

    Args:
        pair: Its current sample is changed.
        host: The host.
        truth: Gets the host.
        rng: Source of randomness.
    """
    sample = pair.current
    share = rng.randint(30, 400)
    lost = rng.randint(3, 6)
    for hca in sample.fabric.hosts[host]:
        for port in sample.fabric.ports_of[hca.guid]:
            lose(pair, sample.fabric.peer(port), 1, lost + rng.randint(0, 1))
            restart(pair, port, share)
        sample.uptimes[hca.guid] = pair.seconds * share // 1000 + rng.randint(0, 5)
        if not rng.randrange(2):
            sample.add(PortKey(hca.guid, 1), "symbol_error_counter", rng.randint(1, 25))
    truth.rebooted.append(truth.host(host))


def dead_host(pair: Pair, host: str, truth: Truth) -> None:
    """Take all links of a host down; arguments as for ``host_reboot``."""
    fabric = pair.current.fabric
    for hca in fabric.hosts[host]:
        for port in fabric.ports_of[hca.guid]:
            pair.current.set_link(fabric.link_at[port].key, up=False)
        truth.gone.append(hca.guid)
    pair.current.off.add(host)
    truth.blame_host(host)


def rename_host(pair: Pair, host: str, truth: Truth) -> None:
    """Give a host another name; arguments as for ``host_reboot``."""
    new = "train-" + host.removeprefix("gpu-") if host.startswith("gpu-") else f"{host}-new"
    for hca in pair.current.fabric.hosts[host]:
        pair.current.names[hca.guid] = hca.name.replace(host, new, 1)
    truth.renamed.append({**truth.host(host), "now": new})


def clear_switch(pair: Pair, guid: str, truth: Truth, rng: Random) -> None:
    """Let the counters of a switch begin anew, its uptime go on."""
    share = rng.randint(150, 800)
    for port in pair.current.fabric.ports_of[guid]:
        restart(pair, port, share)
    truth.cleared.append({"node_guid": guid, "node": pair.current.names[guid]})


def clear_fabric(pair: Pair, truth: Truth, rng: Random) -> None:
    """Let all counters begin anew, uptimes go on."""
    share = rng.randint(150, 800)
    for port in pair.current.fabric.link_at:
        restart(pair, port, share)
    truth.cleared.append({"node_guid": None, "node": "all"})


def new_lids(pair: Pair, rng: Random) -> None:
    """Deal the LIDs anew."""
    assign_lids(pair.current, rng)


def restart(pair: Pair, port: PortKey, share: int, names: Collection[str] | None = None) -> None:
    """Keep of a port's counters what grew in the last ``share`` thousandths of the time, rounded.

    Of two restarts the later one counts.

    Args:
        pair: Its current sample is changed.
        port: The port.
        share: For which share of the time the counters have been counting, in thousandths.
        names: Counters that begin anew; None for all.
    """
    sample = pair.current
    whole = sample.restarted.get(port, 1000)
    if share >= whole:
        return
    counted = sample.counters[port] if port in sample.restarted else growth(pair.baseline, sample, port)
    kept = {name: (count * share + whole // 2) // whole for name, count in counted.items()}
    if names is None:
        sample.counters[port] = kept
        sample.restarted[port] = share
    else:
        sample.counters[port].update((name, count) for name, count in kept.items() if name in names)
