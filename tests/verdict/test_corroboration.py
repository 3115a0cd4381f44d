"""How much is believed of what one kind of reading tells alone, and of what others confirm."""

from __future__ import annotations

import pytest
import small_phy as phy
from small_fabric import Story, story

from ibforensic.evidence import POLICY
from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Evidence, say
from ibforensic.verdict.cases import Case

A, B = PortKey("0x0000000000000001", 3), PortKey("0x0000000000000002", 7)


def item(rule: str, weight: float, group: str, end: PortKey = A, **more) -> Evidence:
    """A piece of evidence about what arrives at an end."""
    told = say(more.pop("message", f"{rule}.told"), "told")
    return Evidence(rule, told, where=end, towards=end, group=group, weight=weight, **more)


def counters(weight: float, end: PortKey = A, phy_read: bool = False) -> Evidence:
    return item("physical_errors", weight, "counters", end, available=("phy",) if phy_read else ())


def chronic(weight: float, end: PortKey = A) -> Evidence:
    return item("physical_errors", weight, "counters", end, message="physical_errors.chronic")


def bits(weight: float, kind: str = "raw", read: tuple[str, ...] = ()) -> Evidence:
    return item("bit_errors", weight, "phy", message=f"bit_errors.{kind}", available=read)


def ratio(kind: str, times: float, end: PortKey = A, read: tuple[str, ...] = ()) -> Evidence:
    """A ratio so many times its error limit, of a weight that would name a link."""
    told = say(f"bit_errors.{kind}", "told", limit=1e-12, normal=1e-13)
    return Evidence(
        "bit_errors", told, where=end, towards=end, group="phy", weight=9, after=times * 1e-12, available=read
    )


def light(weight: float, end: PortKey = A) -> Evidence:
    return item("light", weight, "light", end)


def support(*evidence: Evidence) -> float:
    return Case(LinkKey(A, B), None, evidence).support(POLICY)


def test_counters_that_a_phy_was_read_beside_and_does_not_confirm_are_capped():
    assert support(counters(20), counters(10)) == 30
    assert support(counters(20, phy_read=True), counters(10, phy_read=True)) == POLICY.counters_cap_alone
    assert POLICY.counters_cap_alone == 8


def test_counters_that_bit_errors_confirm_count_in_full():
    assert support(counters(20, phy_read=True), bits(3)) == 23


def test_the_cap_holds_for_each_direction_by_itself():
    assert support(counters(20, phy_read=True), counters(20, B)) == 8 + 20


def test_no_kind_counts_without_end():
    assert support(counters(99)) == POLICY.counters_cap
    assert support(bits(99)) == POLICY.phy_cap
    assert support(counters(5), light(99)) == 5 + POLICY.light_cap


def test_errors_after_fec_alone_are_repaired():
    assert support(bits(9, "effective")) == POLICY.early_cap < POLICY.threshold
    assert support(bits(9, "effective"), bits(2, "raw")) == 11
    assert support(bits(9, "effective"), bits(2, "symbol")) == 11
    assert support(bits(9, "effective"), counters(4, phy_read=True)) == 13


def test_raw_errors_that_healthy_links_may_have_are_an_early_sign():
    assert support(ratio("raw", 0.05)) == POLICY.early_cap < POLICY.threshold
    assert support(ratio("raw", 0.2)) == 9
    assert support(ratio("raw", 0.05), counters(4, phy_read=True)) == 13
    assert support(ratio("raw", 0.05), light(2)) == POLICY.early_cap + 2


@pytest.mark.parametrize(
    ("kind", "times", "read"),
    [
        ("effective", 1e5, ("counters",)),
        ("effective", 1e5, ("raw bit errors",)),
        ("effective", 1e5, ("counters", "raw bit errors")),
        ("symbol", 20, ("counters",)),
        ("symbol", 20, ("counters", "raw bit errors")),
    ],
)
def test_errors_after_fec_that_nothing_goes_with_were_a_burst(kind, times, read):
    assert support(ratio(kind, times)) == 9
    assert support(ratio(kind, times, read=read)) == POLICY.early_cap
    assert support(ratio(kind, times, read=read), ratio("raw", 0.2)) == POLICY.phy_cap
    assert support(ratio(kind, times, read=read), counters(4, phy_read=True)) == 13


def test_errors_after_retransmission_count_where_no_counter_could_show_them():
    assert support(ratio("symbol", 20, read=("raw bit errors",))) == 9


def test_so_many_errors_after_retransmission_are_no_burst():
    assert support(ratio("symbol", 2e3, read=("counters", "raw bit errors"))) == 9


def test_early_signs_do_not_add_up_to_a_suspect():
    early = (ratio("effective", 5, read=("raw bit errors",)), ratio("raw", 0.05, B))
    assert support(*early, chronic(1), chronic(2, B)) == POLICY.early_cap
    assert support(*early, chronic(1), counters(4, B)) > POLICY.threshold


def test_light_without_errors_is_a_weak_sign():
    assert support(light(6)) == POLICY.light_cap_alone < POLICY.threshold
    assert support(light(6), counters(4)) == 10
    assert support(light(6, B), counters(4)) == POLICY.light_cap_alone + 4


def scores(told: Story) -> list[float]:
    return [round(suspect.score, 2) for suspect in told.compare().judgement.suspects]


def test_the_same_damage_weighs_more_where_no_phy_could_confirm_it():
    found = []
    for asked in (True, False):
        told = story(phy=asked)
        told.damage(told.uplink()[0])
        found += scores(told)
    assert found[0] == POLICY.counters_cap_alone < found[1]


def test_damage_that_the_phy_confirms_weighs_more_than_either():
    told = story(phy=True)
    told.damage(told.uplink()[0])
    phy.noisy(told.pair, told.uplink()[0], 1e-5)
    (both,) = scores(told)
    assert both > POLICY.counters_cap_alone + POLICY.ber_error


@pytest.mark.parametrize(
    "weak",
    [
        lambda told, port: phy.noisy(told.pair, port, phy.USUAL, effective=3_000_000),
        lambda told, port: phy.noisy(told.pair, port, 100 * phy.USUAL),
        lambda told, port: phy.dim(told.pair.current, port, 6.0),
        lambda told, port: phy.fade(told.pair.current, told.peer(port), 6.0, current=1.5),
        lambda told, port: phy.layer(told.pair.current).heat.update({port: phy.MODULE + 14}),
    ],
    ids=[
        "errors after FEC",
        "raw errors within the normal",
        "light that does not arrive",
        "light that is not sent",
        "a warm module",
    ],
)
def test_a_weak_sign_is_listed_and_blames_nobody(weak):
    told = story(phy=True)
    weak(told, told.uplink()[0])
    document = told.compare().document
    assert document["verdict"] == "no_suspect"
    assert len(document["watch"]) == 1


def season(told: Story) -> None:
    """A warmer room: all modules are warmer, send a little less, and receive a little worse."""
    now = phy.layer(told.pair.current)
    for port in now.receptions:
        phy.noisy(told.pair, port, 10 * phy.USUAL)
    for port in phy.optical(told.pair.current):
        phy.fade(told.pair.current, port, 1.5, current=1.2, lanes=phy.EVERY)
        phy.dim(told.pair.current, port, 1.5)
    now.heat = {port: degrees + 12 for port, degrees in now.heat.items()}
    now.boards = {guid: [board + 12 for board in boards] for guid, boards in now.boards.items()}
    told.pair.current.temperatures = {
        guid: degrees + 12 for guid, degrees in told.pair.current.temperatures.items()
    }


def test_a_season_blames_nobody():
    told = story(phy=True)
    season(told)
    comparison = told.compare()
    assert comparison.judgement.suspects == ()
    assert [item.message.text for item in comparison.judgement.evidence if item.weight >= 1] == []


def test_a_fault_in_a_warmer_season_is_the_fault():
    told = story(phy=True)
    season(told)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1e-5)
    phy.dim(told.pair.current, port, 4.0, lanes=[1])
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.link, suspect.end, suspect.component) == (told.link(port), port, "connector")


def test_a_link_in_a_hot_box_is_not_blamed_for_it():
    told = story(phy=True)
    leaf, port = told.uplink()[0].node_guid, told.uplink()[0]
    now = phy.layer(told.pair.current)
    for near in told.ports(leaf):
        if near in now.heat:
            now.heat[near] += 15
    now.boards[leaf] = [phy.BOARD + 15] * 3
    told.pair.current.temperatures[leaf] += 15
    phy.noisy(told.pair, port, 1e-6)
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.node_guid, suspect.component) == (leaf, "cooling")


def hot_twin(told: Story) -> tuple[PortKey, PortKey]:
    """Let a module with two ports get hot, and both receive worse."""
    now = phy.layer(told.pair.current)
    serials = {port: phy.module(told.pair.current, port).serial for port in phy.optical(told.pair.current)}
    leaf = told.uplink()[0]
    twin = next(
        port
        for port, serial in serials.items()
        if serial == serials[leaf] and port.node_guid == leaf.node_guid and port != leaf
    )
    for port in (leaf, twin):
        now.heat[port] += 20
        phy.noisy(told.pair, port, 1e-7)
    return leaf, twin


def test_one_hot_module_with_two_ports_is_one_suspect():
    told = story(phy=True)
    ports = hot_twin(told)
    (suspect,) = told.compare().judgement.suspects
    assert suspect.component == "transceiver"
    assert suspect.end in ports
    (other,) = set(ports) - {suspect.end}
    name = told.compare().facts.who.call(other)
    assert f"serves {name} as well, which goes down with it" in suspect.next_action.text
    assert other in {item.where for item in suspect.evidence}


def test_whoever_pulls_a_module_is_told_what_else_it_serves():
    told = story(phy=True)
    port = hot_twin(told)[0]
    told = story(phy=True)
    phy.noisy(told.pair, port, 1e-5)
    told.damage(port)
    (suspect,) = told.compare().judgement.suspects
    assert "as well, which goes down with it" in suspect.next_action.text
    assert {item.where for item in suspect.evidence} <= set(told.link(port))


def test_labels_alone_tell_what_else_a_module_serves():
    told = story()
    told.damage(told.uplink()[0])
    (suspect,) = told.compare().judgement.suspects
    assert "as well, which goes down with it" in suspect.next_action.text


def test_without_serials_and_labels_nobody_says_what_else_a_module_serves():
    told = story()
    told.damage(told.uplink()[0])
    told.edit(lambda sheet: sheet.drop("PORT_HIERARCHY_INFO"))
    (suspect,) = told.compare().judgement.suspects
    assert "as well" not in suspect.next_action.text


@pytest.mark.parametrize("asked", [True, False], ids=["serials", "labels"])
@pytest.mark.parametrize(("other", "shared"), [(2, True), (3, False)])
def test_suspects_of_one_cage_say_so(asked, other, shared):
    told = story(phy=asked)
    leaf = told.switch(Role.LEAF)
    ports = [PortKey(leaf, number) for number in (1, other)]
    for port in ports:
        told.damage(port)
    comparison = told.compare()
    suspects = comparison.judgement.suspects
    assert {suspect.link for suspect in suspects} == {told.link(port) for port in ports}
    for suspect in suspects:
        assert ("is suspected too: one module or plug" in suspect.next_action.text) == shared


def test_damage_at_the_other_port_of_a_module_is_not_explained_by_its_heat():
    told = story(phy=True)
    ports = hot_twin(told)
    for port in ports:
        told.damage(port)
    assert {suspect.link for suspect in told.compare().judgement.suspects} == {
        told.link(port) for port in ports
    }


@pytest.mark.parametrize("asked", [True, False], ids=["with PHY", "counters alone"])
@pytest.mark.parametrize("ends", [1, 2])
def test_counters_alone_single_out_no_part(asked, ends):
    told = story(phy=asked)
    for port in told.uplink()[:ends]:
        told.damage(port)
    (suspect,) = told.compare().judgement.suspects
    assert suspect.confidence.component <= 0.6 * suspect.confidence.link + 1e-9


def test_less_light_singles_out_a_part():
    told = story(phy=True)
    port = told.uplink()[0]
    told.damage(port)
    phy.dim(told.pair.current, port, 5.0)
    (suspect,) = told.compare().judgement.suspects
    assert suspect.confidence.component > 0.6


@pytest.mark.parametrize(("symbols", "named"), [(300_000, True), (30, False)])
def test_what_counters_may_have_counted_by_chance_the_phy_can_prove(symbols, named):
    """A port that always had damaged packets has some more, and many errors now that nothing repaired."""
    told = story(phy=True)
    port = told.hca()
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 25)):
        sample.counters[port].update(
            dict.fromkeys(("port_rcv_errors", "port_local_physical_errors"), int(60 * time))
        )
    phy.noisy(told.pair, port, phy.USUAL, effective=10 * symbols, symbols=symbols)
    suspects = told.compare().judgement.suspects
    assert [suspect.end for suspect in suspects] == ([port] if named else [])
