"""Light against the link's own baseline: what is missing, and on whose side (KNOWLEDGE §1.7)."""

from __future__ import annotations

import pytest
import small_phy as phy
from small_fabric import FILE, compare, found, of, story

from ibforensic.evidence import POLICY


def test_less_light_arrives_although_as_much_is_sent():
    told = story(phy=True)
    leaf = told.uplink()[0]
    phy.dim(told.pair.current, leaf, 3.0, lanes=[1, 2])
    (item,) = found(told, "light")
    assert item.message.id == "light.received"
    assert item.where == item.towards == leaf
    assert "3.0 dB" in item.message.text
    assert "lanes 1, 2" in item.message.text
    assert "not missing at the sender" in item.message.text
    assert item.weight == pytest.approx(3 * POLICY.light_fold)


def test_what_is_not_sent_is_not_lost_on_the_way():
    told = story(phy=True)
    leaf, spine = told.uplink()
    phy.fade(told.pair.current, spine, 4.0)
    (item,) = found(told, "light")
    assert item.message.id == "light.sent"
    assert (item.where, item.towards) == (spine, leaf)


def test_what_is_lost_besides_is_told_besides():
    told = story(phy=True)
    leaf, spine = told.uplink()
    phy.fade(told.pair.current, spine, 4.0)
    phy.dim(told.pair.current, leaf, 2.0, lanes=[0])
    by_port = {item.where: item for item in found(told, "light")}
    assert "2.0 dB" in by_port[leaf].message.text
    assert "4.0 dB" in by_port[spine].message.text


def test_a_laser_that_gets_more_current_for_less_light_ages():
    told = story(phy=True)
    phy.fade(told.pair.current, told.uplink()[1], 4.0, current=1.3)
    (item,) = found(told, "light")
    assert item.message.id == "light.sent_ageing"
    assert "30% more laser current" in item.message.text


def test_less_than_a_decibel_is_drift():
    told = story(phy=True)
    phy.dim(told.pair.current, told.uplink()[0], 0.9)
    phy.fade(told.pair.current, told.uplink(1, 1)[0], 0.9)
    assert found(told, "light") == []


def test_more_light_is_no_fault():
    told = story(phy=True)
    phy.dim(told.pair.current, told.uplink()[0], -0.9)
    phy.fade(told.pair.current, told.uplink()[1], -3.0)
    assert found(told, "light") == []


def test_two_steps_of_whole_decibels_are_more_than_rounding():
    told = story(phy=True)
    for sample in (told.pair.baseline, told.pair.current):
        phy.layer(sample).whole_dbm = True
        for optics in phy.layer(sample).optics.values():
            optics.sent = [4.0] * phy.LANES
    phy.dim(told.pair.current, told.uplink()[0], 2.0)
    (item,) = found(told, "light")
    assert item.where == told.uplink()[0]


def test_where_the_sender_tells_nothing_it_is_not_acquitted():
    told = story(phy=True)
    leaf, spine = told.uplink()
    phy.dim(told.pair.current, leaf, 3.0)
    told.edit(lambda sheet: sheet["CABLE_INFO"].remove(sheet.row("CABLE_INFO", spine)))
    (item,) = of(compare(*[{FILE: text} for text in told.texts()]), "light")
    assert item.where == leaf
    assert "what is sent is not known" in item.message.text


def test_two_optical_links_are_no_fleet():
    """Half of the lanes lose light: their median is the fault, not the season."""
    told = story(leaves=1, spines=1, hosts=1, hcas=1, phy=True)
    receivers = phy.optical(told.pair.current)
    assert len(receivers) <= 4
    for port in told.uplink():
        phy.dim(told.pair.current, port, 3.0)
    items = found(told, "light")
    assert {item.where for item in items} == set(told.uplink())
    assert all("3.0 dB" in item.message.text for item in items)


def test_a_dark_lane_is_told_without_a_baseline():
    told = story(phy=True)
    leaf = told.uplink()[0]
    phy.dim(told.pair.current, leaf, 99, lanes=[1])
    told.before.append(lambda sheet: sheet.drop("CABLE_INFO"))
    (item,) = of(compare(*[{FILE: text} for text in told.texts()]), "light")
    assert item.message.id == "light.dark"
    assert item.where == leaf
    assert "lane 1" in item.message.text
    assert item.before is None


def test_light_that_was_never_measured_is_not_missing():
    told = story(phy=True)
    phy.dim(told.pair.current, told.uplink()[0], 9)
    told.before.append(lambda sheet: sheet.drop("CABLE_INFO"))
    assert of(compare(*[{FILE: text} for text in told.texts()]), "light") == []
