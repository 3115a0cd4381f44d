"""Hot modules and hot boxes, and warmth that is nobody's fault (FIELD §5: 783 devices above 70 °C)."""

from __future__ import annotations

import pytest
import small_phy as phy
from small_fabric import FILE, compare, found, of, story

from ibforensic.model.enums import Role


def warm(told, ports, degrees):
    """Let modules get warmer, where there are any."""
    heat = phy.layer(told.pair.current).heat
    for port in ports:
        if port in heat:
            heat[port] += degrees


def warm_box(told, guid, degrees):
    """Let a switch get warmer: its modules, its board and its chip."""
    warm(told, told.ports(guid), degrees)
    phy.layer(told.pair.current).boards[guid] = [phy.BOARD + degrees] * 3
    told.pair.current.temperatures[guid] += degrees


def test_a_module_far_warmer_than_its_neighbours_is_told():
    told = story(phy=True)
    port = told.uplink()[0]
    warm(told, [port], 15)
    (item,) = found(told, "heat")
    assert (item.message.id, item.where, item.before, item.after) == ("heat.module", port, 60, 75)
    assert "15 °C more than its neighbours" in item.message.text


def test_more_degrees_weigh_more():
    weights = []
    for degrees in (9, 15, 24):
        told = story(phy=True)
        warm(told, [told.uplink()[0]], degrees)
        weights += [item.weight for item in found(told, "heat")]
    assert weights == sorted(set(weights))


@pytest.mark.parametrize("room", [0, 9])
def test_a_warmer_room_changes_nothing_about_a_hot_module(room):
    told = story(phy=True)
    warm(told, phy.layer(told.pair.current).heat, room)
    warm(told, [told.uplink()[0]], 15)
    (item,) = found(told, "heat")
    plain = story(phy=True)
    warm(plain, [plain.uplink()[0]], 15)
    assert item.weight == found(plain, "heat")[0].weight


def test_a_box_that_got_hot_is_the_box_and_not_its_modules():
    told = story(phy=True)
    leaf = told.switch(Role.LEAF)
    warm_box(told, leaf, 12)
    (item,) = found(told, "heat")
    assert (item.message.id, item.node_guid, item.where) == ("heat.box", leaf, None)
    assert "12 °C warmer" in item.message.text


def test_a_fan_that_stands_still_is_named():
    told = story(phy=True)
    leaf = told.switch(Role.LEAF)
    warm_box(told, leaf, 12)
    phy.layer(told.pair.current).fans[leaf][4] = 0
    (item,) = found(told, "heat")
    assert "turns at less than half" in item.message.text


def test_modules_alone_make_no_hot_box_where_the_board_stayed_cool():
    told = story(phy=True)
    warm(told, told.ports(told.switch(Role.LEAF)), 6)
    assert found(told, "heat") == []


def test_one_module_in_a_hot_box_is_judged_by_its_neighbours():
    told = story(phy=True)
    leaf, port = told.switch(Role.LEAF), told.uplink()[0]
    warm_box(told, leaf, 12)
    warm(told, [port], 6)
    assert {item.message.id for item in found(told, "heat")} == {"heat.box"}
    warm(told, [port], 6)
    assert {item.message.id for item in found(told, "heat")} == {"heat.box", "heat.module"}


def test_levels_alone_blame_nobody():
    """Hundreds of devices above 70 °C are healthy, as long as they always were as warm."""
    told = story(leaves=4, hosts=6, phy=True)
    for sample in (told.pair.baseline, told.pair.current):
        layer = phy.layer(sample)
        layer.heat = dict.fromkeys(layer.heat, 76.0)
        sample.temperatures = dict.fromkeys(sample.temperatures, 79)
        hottest = told.uplink()[0]
        layer.heat[hottest] = 84.0
    comparison = told.compare()
    assert comparison.judgement.evidence == ()
    assert comparison.document["verdict"] == "no_suspect"


def test_without_a_baseline_nothing_got_hot():
    told = story(phy=True)
    warm(told, [told.uplink()[0]], 30)
    told.before.append(lambda sheet: sheet.drop("CABLE_INFO", "PHY_DB12"))
    assert of(compare(*[{FILE: text} for text in told.texts()]), "heat") == []


@pytest.mark.parametrize(("degrees", "beyond"), [(18, False), (24, True)])
def test_a_module_beyond_its_own_alarm_limit_says_so_and_is_no_small_matter(degrees, beyond):
    told = story(phy=True)
    warm(told, [told.uplink()[0]], degrees)
    comparison = told.compare()
    (item,) = of(comparison, "heat")
    assert ("and beyond its own alarm limit of 80 °C" in item.message.text) is beyond
    (suspect,) = comparison.judgement.suspects
    assert (str(suspect.severity) != "minor") is beyond


def test_a_module_that_tells_no_limits_is_not_said_to_be_beyond_one():
    told = story(phy=True)
    warm(told, [told.uplink()[0]], 24)
    before, current = told.files()
    cables = {name: text.replace("AlarmTemperatureHighThresh", "Other") for name, text in current.items()}
    plain = {name: text.replace("HighTemperatureAlarm", "Other") for name, text in cables.items()}
    (item,) = of(compare(before, plain), "heat")
    assert "alarm" not in item.message.params
