"""For each rule a story in which it speaks, and stories that only look like it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from host_views import hosts_say_down, hosts_speak, hosts_still_say_so
from phy_cases import PHY_CASES
from rule_case import Case
from small_fabric import Files, Story, compare, story

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.pipeline import Comparison
from ibforensic.simulate.pcie import Pcie

WEAKER_FEC = "2"
WAITED = 10**15
"""Ticks of 8 bytes that are about a quarter of seven days at NDR."""
COUNTERS = {
    "malformed_packets": "port_malformed_packet_errors",
    "link_down": "link_downed_counter",
    "port_flaps": "link_downed_counter",
    "bad_packet_marks": "port_rcv_remote_physical_errors",
    "held_back": "port_xmit_wait",
    "discards": "port_xmit_discards",
    "slow_receiver": "port_sw_hoq_lifetime_limit_discards",
    "unusual_growth": "port_rcv_switch_relay_errors",
}
"""Rule → the counter it reads, for rules that read one; physical_errors names it in its parameters."""


def renewed(port: PortKey) -> Callable[[Story], None]:
    """Put a new card, with a GUID and counters of its own, in the place of an HCA."""

    def change(told: Story) -> None:
        told.count(told.peer(port), link_downed_counter=2)
        told.pair.current.counters[port] = {}
        told.pair.current.uptimes[port.node_guid] = 3_600
        told.swapped[port.node_guid] = port.node_guid[:-4] + "beef"

    return change


def cut(told: Story) -> None:
    """Cut the current file behind LINKS."""
    told.cut = "END_LINKS"


def _damage(told: Story) -> None:
    told.damage(told.uplink()[0])


def _after_reset(told: Story) -> None:
    for index in (0, 1):
        port = told.hca(1, index)
        told.reset(port.node_guid)
        told.fall(told.peer(port))
        told.count(port, symbol_error_counter=25)


def _chronic(told: Story) -> None:
    port = told.hca()
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port].update(
            symbol_error_counter=int(100 * time),
            port_rcv_errors=int(9 * time),
            port_local_physical_errors=int(9 * time),
        )


def _malformed(told: Story) -> None:
    told.count(told.peer(told.hca()), port_rcv_errors=300, port_malformed_packet_errors=300)


def _always_malformed(told: Story) -> None:
    port = told.peer(told.hca())
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port].update(
            dict.fromkeys(("port_rcv_errors", "port_malformed_packet_errors"), int(90 * time))
        )


def _flaps(told: Story) -> None:
    told.fall(*told.uplink(), downs=20)


def _host_restarted_silently(told: Story) -> None:
    for index in (0, 1):
        told.fall(told.hca(2, index), told.peer(told.hca(2, index)))


def _no_links(told: Story) -> None:
    """Nobody tells what a port leads to, as where hosts alone were asked."""
    told.edit(lambda sheet: sheet["LINKS"].clear())


def _flaps_of_a_host(told: Story, downs: int = 20) -> None:
    _no_links(told)
    told.fall(told.hca(), downs=downs)


def _few_downs_of_a_host(told: Story) -> None:
    _flaps_of_a_host(told, 10)


def _everywhere_alike_without_links(told: Story) -> None:
    _no_links(told)
    told.fall(*told.pair.current.fabric.link_at, downs=20)


def _narrower(told: Story) -> None:
    told.pair.current.set_link(told.link(told.uplink()[0]), width="2x")


def _faster(told: Story) -> None:
    told.pair.baseline.set_link(told.link(told.uplink()[0]), speed="HDR")


def _unplugged(told: Story) -> None:
    told.unplug(told.uplink()[0])


def _host_gone(told: Story) -> None:
    told.unplug(told.hca(1, 0), told.hca(1, 1))


def _host_gone_from_a_cut_file(told: Story) -> None:
    _host_gone(told)
    cut(told)


def _link_gone_from_a_cut_file(told: Story) -> None:
    _unplugged(told)
    cut(told)


def _plugged_elsewhere(told: Story) -> None:
    leaf, spine = told.uplink()
    free = 40

    def move(sheet):
        for name in ("PORTS", "PM_INFO"):
            sheet.row(name, spine)["PortNumber" if name != "PORTS" else "PortNum"] = str(free)
        for row in sheet["LINKS"]:
            for end in "12":
                if (row[f"NodeGuid{end}"], int(row[f"PortNum{end}"])) == spine:
                    row[f"PortNum{end}"] = str(free)

    told.after.append(move)
    assert leaf != spine


def _exchange(told: Story, first: PortKey, second: PortKey) -> None:
    """Plug the cables of two ports into each other's place at the far end."""
    there, elsewhere = told.peer(first), told.peer(second)

    def swap(sheet):
        for row in sheet["LINKS"]:
            for end in "12":
                if (row[f"NodeGuid{end}"], int(row[f"PortNum{end}"])) in (there, elsewhere):
                    other = (
                        elsewhere if (row[f"NodeGuid{end}"], int(row[f"PortNum{end}"])) == there else there
                    )
                    row[f"NodeGuid{end}"], row[f"PortNum{end}"] = other.node_guid, str(other.port_num)

    told.after.append(swap)


def _exchanged(told: Story) -> None:
    _exchange(told, told.uplink(0, 0)[0], told.uplink(1, 1)[0])


def _restart_of_a_leaf(told: Story, times: int) -> None:
    leaf = told.switch(Role.LEAF)
    told.reset(leaf)
    told.fall(*[told.peer(port) for port in told.ports(leaf)], downs=times)


def _restarts_again(told: Story) -> None:
    _restart_of_a_leaf(told, 8)


def _restarted_once(told: Story) -> None:
    _restart_of_a_leaf(told, 1)


def _half_a_slot(told: Story) -> None:
    guid = told.hca().node_guid
    told.pair.current.pcie[guid] = Pcie(32.0, 8, 32.0)


def _always_half_a_slot(told: Story) -> None:
    guid = told.hca().node_guid
    for sample in (told.pair.baseline, told.pair.current):
        sample.pcie[guid] = Pcie(32.0, 8, 32.0)


def _marks(told: Story) -> None:
    leaf, spine = told.uplink(0, 0)
    told.damage(spine)
    told.count(told.uplink(1, 0)[0], port_rcv_remote_physical_errors=5_000)
    assert leaf != spine


def _waits(told: Story) -> None:
    told.count(told.hca(), port_xmit_wait=WAITED)


def _more_work(told: Story) -> None:
    """All ports wait twice as long a day as before."""
    for port, counts in told.pair.current.counters.items():
        counts["port_xmit_wait"] += (
            counts["port_xmit_wait"] - told.pair.baseline.counters[port]["port_xmit_wait"]
        )


def _always_waiting(told: Story) -> None:
    """A port waits a quarter of the time, as it always did."""
    port = told.hca()
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port]["port_xmit_wait"] = int(WAITED / 7 * time)


def _drops(told: Story) -> None:
    told.count(told.uplink()[0], port_xmit_discards=500, port_sw_hoq_lifetime_limit_discards=500)


def _drops_while_down(told: Story) -> None:
    for port in (told.peer(told.hca(1, index)) for index in (0, 1)):
        told.fall(port)
        told.count(port, port_xmit_discards=500, port_inactive_discards=500)


def _drops_while_down_without_details(told: Story) -> None:
    _drops_while_down(told)
    told.edit(lambda sheet: sheet.drop_columns("PM_INFO", ["PortInactiveDiscards"]))


def _restart(told: Story) -> None:
    told.reset(told.hca().node_guid)


def _cleared(told: Story) -> None:
    for port in told.ports(told.switch(Role.LEAF)):
        told.pair.current.counters[port] = {}


def _not_brought_up(told: Story) -> None:
    """A port whose cable works, but which the subnet manager left in Init."""
    port = told.hca()
    told.after.append(lambda sheet: sheet.row("PORTS", port).update(PortState="2"))


def _stuck(told: Story, port: PortKey) -> None:
    """A port waits a quarter of the time and drops what waited too long."""
    told.count(port, port_xmit_wait=WAITED)
    told.count(port, port_xmit_discards=400, port_sw_hoq_lifetime_limit_discards=400)


def _slow_host(told: Story) -> None:
    _stuck(told, told.peer(told.hca()))


def _slow_uplink(told: Story) -> None:
    _stuck(told, told.uplink()[0])


def _always_in_init(told: Story) -> None:
    port = told.hca()
    told.edit(lambda sheet: sheet.row("PORTS", port).update(PortState="2"))


def _unroutable(told: Story) -> None:
    told.count(told.hca(), port_rcv_switch_relay_errors=50_000)


def _unroutable_everywhere(told: Story) -> None:
    for port in told.pair.current.fabric.link_at:
        told.count(port, port_rcv_switch_relay_errors=50_000)


def _unplugged_for_both(told: Story) -> None:
    told.unplug(told.hca())
    hosts_speak(told)


def _always_down_for_the_host(told: Story) -> None:
    hosts_say_down(told, always=True)


def says(told: Story, port: PortKey, code: int | None, **more: object) -> None:
    """Let a port tell why its link went down last."""
    told.said[1][port] = {"down_reason_local": code, **more}


def _lost_its_signal(told: Story) -> None:
    told.fall(*told.uplink(), downs=3)
    says(told, told.uplink()[0], 2)


def _said_without_a_down(told: Story) -> None:
    says(told, told.uplink()[0], 2)


def _taken_down(told: Story) -> None:
    told.fall(*told.uplink(), downs=2)
    says(told, told.uplink()[0], 22)


def _said_of_a_reset(told: Story) -> None:
    _after_reset(told)
    says(told, told.peer(told.hca(1, 0)), 2)


def _other_code(told: Story, *ports: PortKey) -> None:
    """Let links run with a weaker code, at both ends."""

    def change(sheet):
        for port in ports:
            for end in (port, told.peer(port)):
                sheet.row("PORTS", end)["FECActv"] = WEAKER_FEC

    told.after.append(change)


def _weaker_code(told: Story) -> None:
    _other_code(told, told.uplink()[0])


def _rolled_out(told: Story) -> None:
    _other_code(told, *(told.hca(host, index) for host in range(6) for index in (0, 1)))


def _always_weaker(told: Story) -> None:
    _weaker_code(told)
    told.before.extend(told.after)


CASES: dict[str, Case] = {
    "fec_change": Case(
        _weaker_code, {"a setting for all hosts": _rolled_out, "it always was": _always_weaker}
    ),
    "down_reason": Case(
        _lost_its_signal,
        {
            "an old reason": _said_without_a_down,
            "by command": _taken_down,
            "a reset explains it": _said_of_a_reset,
        },
    ),
    "views_disagree": Case(
        hosts_still_say_so,
        {
            "both call it down": _unplugged_for_both,
            "the host always said so": _always_down_for_the_host,
            "all is well": hosts_speak,
        },
    ),
    "port_down": Case(
        _not_brought_up,
        {"it never was up": _always_in_init, "the link is gone": _unplugged, "a host gone": _host_gone},
    ),
    "slow_receiver": Case(
        _slow_host,
        {
            "waits without drops": _waits,
            "drops without waits": _drops,
            "a port between switches": _slow_uplink,
        },
    ),
    "unusual_growth": Case(_unroutable, {"everywhere alike": _unroutable_everywhere, "damage": _damage}),
    "physical_errors": Case(
        _damage,
        {
            "training after a reset": _after_reset,
            "a chronic port": _chronic,
            "malformed packets only": _malformed,
        },
    ),
    "malformed_packets": Case(
        _malformed, {"damage on the link": _damage, "as many as always": _always_malformed}
    ),
    "link_down": Case(
        _flaps,
        {"all links of a host alike": _host_restarted_silently, "a reset": _after_reset},
    ),
    "port_flaps": Case(
        _flaps_of_a_host,
        {
            "no more than ten": _few_downs_of_a_host,
            "everywhere alike": _everywhere_alike_without_links,
            "the link is known": _flaps,
        },
    ),
    "rate_drop": Case(_narrower, {"a higher rate": _faster}),
    "link_lost": Case(
        _unplugged,
        {
            "plugged elsewhere": _plugged_elsewhere,
            "a cut file": _link_gone_from_a_cut_file,
            "a host gone": _host_gone,
        },
    ),
    "node_lost": Case(_host_gone, {"a cut file": _host_gone_from_a_cut_file, "a link gone": _unplugged}),
    "bad_packet_marks": Case(_marks, {"own damage": _damage}),
    "held_back": Case(_waits, {"more work everywhere": _more_work, "as long as always": _always_waiting}),
    "discards": Case(
        _drops,
        {"while down": _drops_while_down, "while down, details unknown": _drops_while_down_without_details},
    ),
    "node_reboot": Case(_restart, {"counters cleared": _cleared}),
    "fabric_clear": Case(_cleared, {"a reset": _restart}),
    "miscabled": Case(_exchanged, {"plugged elsewhere": _plugged_elsewhere, "a link gone": _unplugged}),
    "node_restarts": Case(_restarts_again, {"one restart": _restarted_once, "one link of many": _flaps}),
    "host_pcie": Case(_half_a_slot, {"as it always was": _always_half_a_slot, "waits": _waits}, phy=True),
    **PHY_CASES,
}


@cache
def spoken(rule: str) -> tuple[Story, Files, Comparison]:
    """The story in which a rule speaks: the story, the current files, the comparison."""
    told = story(phy=CASES[rule].phy)
    CASES[rule].speaks(told)
    baseline, current = told.files()
    return told, current, told.compare() if any(told.said) else compare(baseline, current)


@cache
def lookalike(rule: str, name: str) -> Comparison:
    """The comparison of a story that only looks like what a rule finds."""
    told = story(phy=CASES[rule].phy)
    CASES[rule].silent[name](told)
    return told.compare()
