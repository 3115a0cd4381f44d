"""One snapshot judged on its own: by the fleet and by limits, with less confidence, and without a past."""

from __future__ import annotations

import pytest
from handmade import counted, guid, hca, link, port, sample, switch
from small_fabric import DAMAGE, Story, checked, story

from ibforensic.diff.facts import look
from ibforensic.evidence import POLICY
from ibforensic.verdict.judge import judge


def ends(suspect):
    return {(end["node_guid"], end["port"]) for end in suspect["link"].values()}


@pytest.fixture(scope="module")
def calm():
    """A fabric in which nothing but traffic ever happened."""
    return checked(story())


@pytest.fixture(scope="module")
def damaged():
    """A fabric with one link that damages packets."""
    told = story()
    told.damage(told.uplink()[0], times=20)
    return told, checked(told), told.compare()


def test_nobody_stands_out_in_a_calm_fabric(calm):
    document = calm.document
    assert (document["kind"], document["verdict"]) == ("check", "no_suspect")
    assert document["suspects"] == []
    assert document["coverage"]["ports"]["judged"] == document["coverage"]["ports"]["current"] > 0
    assert "nobody stands out" in document["headline"]["text"]


def test_the_link_that_damages_packets_is_named(damaged):
    told, found, _ = damaged
    (suspect,) = found.document["suspects"]
    assert ends(suspect) == {tuple(end) for end in told.uplink()}
    assert (suspect["end"]["node_guid"], suspect["end"]["port"]) == told.uplink()[0]


def test_without_a_baseline_the_confidence_is_lower(damaged):
    _, alone, compared = damaged
    mine, theirs = (item.document["suspects"][0]["confidence"] for item in (alone, compared))
    assert all(mine[part] < theirs[part] for part in ("link", "end", "component"))


def test_levels_have_no_before_and_do_not_grow(damaged):
    _, found, _ = damaged
    for item in found.document["suspects"][0]["evidence"]:
        assert item["before"] is None
        assert "grew" not in item["text"]
        assert "baseline" not in item["text"]


def test_d45_the_first_run_is_no_unchanged_fabric(calm):
    document = calm.document
    assert document["changed"] is None
    assert document["baseline"] is None
    assert document["gap_s"] is None
    assert document["changes"] == []
    assert "not_judged.no_baseline" in {item["message"] for item in document["coverage"]["not_judged"]}


def test_d45_a_reading_that_was_not_taken_is_omitted_and_no_zero():
    told = story()
    told.edit(lambda sheet: sheet.drop_columns("PM_INFO", ["LinkDownedCounter", "LinkDownedCounterExt"]))
    sections = {item["id"]: item for item in checked(told).document["inventory"]}
    assert (sections["link_downs"]["count"], sections["link_downs"]["rows"]) == (None, [])
    assert sections["xmit_discards"]["count"] is not None


def test_d12_totals_that_all_ports_have_blame_nobody():
    told = story()
    for at, port_ in enumerate(sorted(told.pair.current.fabric.link_at)):
        told.count(port_, symbol_error_counter=200 + at % 7, link_downed_counter=3)
    document = checked(told).document
    assert document["suspects"] == []


def test_d12_the_same_totals_in_a_baseline_are_no_finding_of_a_diff():
    told = story()
    for side in (told.pair.baseline, told.pair.current):
        for name, count in DAMAGE.items():
            side.add(told.uplink()[0], name, count * 20)
    assert told.compare().document["suspects"] == []
    assert len(checked(told).document["suspects"]) == 1


def _narrow(told: Story) -> None:
    told.pair.current.set_link(told.link(told.uplink()[0]), width="2x")


def test_d18_a_link_that_lost_lanes_is_named_without_a_single_error():
    told = story()
    _narrow(told)
    (suspect,) = checked(told).document["suspects"]
    assert ends(suspect) == {tuple(end) for end in told.uplink()}
    assert suspect["evidence"][0]["message"] == "rate_drop.below"
    assert suspect["component"] == "cable"


def test_d18_lost_lanes_rank_above_some_symbol_errors():
    told = story()
    _narrow(told)
    told.count(told.hca(), symbol_error_counter=5)
    assert "rate_drop" in {item["kind"] for item in checked(told).document["suspects"][0]["evidence"]}


def fabric(hosts=8, **changes):
    """A leaf with hosts; ports of the first link differ."""
    usual = {"width_enabled": "1x,2x,4x", "width_supported": "1x,2x,4x", "speed_enabled": "HDR,NDR"}
    ends_ = [(1, number) for number in range(1, hosts + 1)] + [(10 + n, 1) for n in range(1, hosts + 1)]
    rows = [port(*end, **(usual | (changes if end in ((1, 1), (11, 1)) else {}))) for end in ends_]
    zeros = {"symbol_error_counter": 0, "port_rcv_errors": 0}
    return {
        "nodes": [switch(1)] + [hca(10 + number) for number in range(1, hosts + 1)],
        "links": [link(1, number, 10 + number, 1) for number in range(1, hosts + 1)],
        "ports": rows,
        "counters_pma": [counted(*end, **zeros) for end in ends_],
    }


def suspects(rows):
    return judge(look(sample(**rows)), POLICY.for_levels).suspects


def test_d25_two_lanes_are_healthy_where_no_more_are_enabled():
    assert suspects(fabric(width_active="2x", width_enabled="1x,2x", width_supported="1x,2x")) == ()
    assert len(suspects(fabric(width_active="2x"))) == 1


def test_d25_two_lanes_are_healthy_where_one_end_enables_no_more():
    rows = fabric(width_active="2x")
    rows["ports"][0]["width_enabled"] = "1x,2x"
    assert suspects(rows) == ()


def test_d25_two_lanes_are_healthy_at_a_split_port():
    rows = fabric(width_active="2x")
    rows["ports"][0]["split"] = 1
    assert suspects(rows) == ()


def test_links_built_slower_than_their_ports_are_no_finding():
    rows = fabric()
    for row in rows["ports"]:
        row["speed_active"] = "HDR"
    assert suspects(rows) == ()


def test_where_an_end_does_not_tell_what_it_enables_nothing_is_expected():
    rows = fabric(width_active="2x")
    rows["ports"][0]["width_enabled"] = None
    assert suspects(rows) == ()


def test_uplinks_of_another_rate_than_the_hosts_links_are_no_finding():
    rows = fabric(speed_active="HDR", speed_enabled="HDR")
    assert suspects(rows) == ()


def ratios(odd):
    """Bit error ratios of 60 healthy links, and of one end that differs."""
    rows = fabric(hosts=60)
    healthy = {
        "raw_ber_log10": -8.5,
        "effective_ber_log10": -15.5,
        "symbol_ber_log10": None,
        "symbol_ber_none": True,
    }
    rows["phy"] = [
        {"node_guid": row["node_guid"], "port_num": row["port_num"], **healthy} for row in rows["ports"]
    ]
    for at, row in enumerate(rows["phy"]):
        row["raw_ber_log10"] += 0.01 * (at % 40)
    rows["phy"][0] |= odd
    return rows


def test_errors_that_fec_repairs_name_nobody():
    assert suspects(ratios({"raw_ber_log10": -3.4})) == ()


def test_errors_that_applications_feel_name_the_link():
    odd = {"symbol_ber_log10": -9.0, "symbol_ber_none": False, "effective_ber_log10": -7.0}
    (suspect,) = suspects(ratios(odd))
    assert suspect.end == (guid(1), 1)


def test_errors_of_old_that_the_phy_does_not_show_any_more_are_a_weak_sign():
    rows = ratios({})
    rows["counters_pma"][0] |= {"symbol_error_counter": 30_000}
    judged = judge(look(sample(**rows)), POLICY.for_levels)
    assert judged.suspects == ()
    assert [sign.evidence.where for sign in judged.watch] == [(guid(1), 1)]
    unread = {name: entries for name, entries in rows.items() if name != "phy"}
    assert len(suspects(unread)) == 1


def test_hundreds_of_warm_devices_are_no_finding():
    rows = fabric(hosts=60)
    rows["sensors"] = [
        {"node_guid": guid(10 + number), "sensor": "temperature/asic", "kind": "temperature", "value": 74.0}
        for number in range(1, 61)
    ]
    assert suspects(rows) == ()


def test_a_lane_darker_than_its_siblings_is_a_weak_sign_with_no_number_before():
    rows = fabric(hosts=60)
    lit = "[-1.0, -1.2, -0.9, -1.1]"
    rows["modules"] = [
        {"node_guid": row["node_guid"], "port_num": row["port_num"], "rx_power_lanes": lit}
        for row in rows["ports"]
    ]
    rows["modules"][0]["rx_power_lanes"] = "[-1.0, -5.2, -0.9, -1.1]"
    judged = judge(look(sample(**rows)), POLICY.for_levels)
    assert judged.suspects == ()
    (sign,) = judged.watch
    assert sign.evidence.message.id == "light.uneven"
    assert sign.evidence.before is None
    assert sign.evidence.after == -5.2


def test_files_that_cannot_be_judged_say_so():
    told = story()
    told.edit(lambda sheet: sheet.drop("PM_INFO"))
    document = checked(told).document
    assert document["verdict"] == "cannot_judge"
    assert "no port has usable error counters (of " in document["headline"]["text"]
    assert document["coverage"]["not_judged"][0]["message"] == "not_judged.no_counters"
    assert "at both times" not in document["coverage"]["not_judged"][0]["help"]


def test_the_time_that_a_node_was_up_is_what_totals_are_divided_by():
    rows = fabric()
    rows["nodes"] = [node | {"uptime_s": 1000} for node in rows["nodes"]]
    facts = look(sample(**rows))
    assert set(facts.growth.seconds["pma_errors"]) == {1000.0}


def test_a_run_that_cleared_counters_itself_is_a_window():
    rows = fabric()
    rows["clears"] = [{"scope": "fabric", "group": "pma_errors"}]
    rows["runs"] = [{"tool": "ibdiagnet", "window_s": 100.0}]
    facts = look(sample(**rows))
    assert set(facts.growth.seconds["pma_errors"]) == {100.0}
    assert [change.kind for change in facts.changes] == ["counters_cleared_by_run"]


def test_nobody_stands_out_for_certain_where_a_port_counted_a_million_and_its_bit_errors_are_clean():
    told = story(phy=True)
    told.count(told.uplink()[0], port_local_physical_errors=1_200_000, symbol_error_counter=60_000)
    document = checked(told).document
    assert document["verdict"] == "no_suspect"
    assert "for certain" in document["headline"]["text"]
    assert "weak signs" in document["headline"]["text"]
    assert "60,000" in document["watch"][0]["text"]
