"""The physical layer of both samples: ratios of the time between them, bounds, clears, light by lane."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
import small_phy as phy
from small_fabric import FILE, compare, story

from ibforensic.diff.lanes import MOST, lanes_of
from ibforensic.simulate.write_net_dump_ext import net_dump_ext

PHY = "ibdiagnet2.net_dump_ext"
ONE_DIGIT = 0.18
"""Decades by which a ratio that is printed with one digit may be off."""


def ratio(comparison, port, kind="raw"):
    """One ratio at one port: before, now, whether none was seen before and now, and by how much it rose."""
    found = comparison.facts.physical.ratios[kind]
    at = comparison.facts.pair.positions[port]
    fields = (found.before, found.now, found.none_before, found.none_now, found.risen, found.seen)
    return dict(
        zip(
            ("before", "now", "none_before", "none_now", "risen", "seen"),
            (a[at] for a in fields),
            strict=True,
        )
    )


def test_the_ratio_is_that_of_the_time_between_the_samples_not_the_average():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1e-6)
    found = ratio(told.compare(), port)
    assert found["before"] == pytest.approx(math.log10(phy.USUAL), abs=0.01)
    assert found["now"] == pytest.approx(-6, abs=0.01)
    assert found["risen"] == pytest.approx(3, abs=0.01)
    assert found["seen"]


def test_no_error_is_a_bound_by_the_bits_received():
    told = story(phy=True)
    port = told.uplink()[0]
    found = ratio(told.compare(), port, "symbol")
    bits = [phy.layer(sample).readings[port].bits for sample in (told.pair.baseline, told.pair.current)]
    assert found["none_before"]
    assert found["none_now"]
    assert found["before"] == pytest.approx(math.log10(3 / bits[0]))
    assert found["now"] == pytest.approx(math.log10(3 / (bits[1] - bits[0])))
    assert found["risen"] == 0
    assert not found["seen"]


def test_from_a_bound_it_rose_by_no_more_than_it_must_have():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, phy.USUAL, effective=40_000)
    found = ratio(told.compare(), port, "effective")
    assert found["none_before"]
    assert not found["none_now"]
    assert found["risen"] == pytest.approx(found["now"] - found["before"])


def test_a_link_that_came_up_again_counts_from_zero():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.read_since(told.pair.current, port, 3_600, ratio=1e-7)
    found = ratio(told.compare(), port)
    assert found["now"] == pytest.approx(-7, abs=0.01)


def test_a_flap_is_seen_by_the_age_although_registers_have_passed_their_old_values():
    """The baseline was an hour after a link-up, the flap three days ago: no register fell."""
    told = story(phy=True)
    port = told.uplink()[0]
    phy.read_since(told.pair.baseline, port, 3_600, ratio=1e-9)
    phy.read_since(told.pair.current, port, 3 * phy.DAY, ratio=1e-6)
    comparison = told.compare()
    bits = comparison.facts.physical.growth["phy_received_bits"]
    at = comparison.facts.pair.positions[port]
    assert bits.delta[at] == phy.layer(told.pair.current).readings[port].bits
    assert ratio(comparison, port)["now"] == pytest.approx(-6, abs=0.01)


def test_the_reset_of_a_node_begins_its_registers_anew():
    told = story(phy=True)
    port = told.hca()
    told.reset(port.node_guid, seconds=90_000)
    phy.read_since(told.pair.current, port, 90_000, ratio=1e-6)
    found = ratio(told.compare(), port)
    assert found["now"] == pytest.approx(-6, abs=0.01)
    assert found["before"] == pytest.approx(-9, abs=0.01)


def printed(told, *sides):
    """Compare without registers: ratios stand in .net_dump_ext, on the sides that are named."""
    told.edit(lambda sheet: sheet.drop("PHY_DB16"))
    files = told.files()
    samples = (told.pair.baseline, told.pair.current)
    for side in sides:
        files[side][PHY] = net_dump_ext(samples[side])
    return compare(*files)


def test_without_registers_the_printed_ratio_is_taken():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1e-6)
    found = ratio(printed(told, 0, 1), port)
    now = phy.layer(told.pair.current).readings[port]
    assert found["before"] == pytest.approx(-9, abs=0.05)
    assert found["now"] == pytest.approx(math.log10(sum(now.raw) / now.bits), abs=ONE_DIGIT)


def test_a_printed_none_seen_is_no_ratio():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1e-6, symbols=90_000_000, effective=90_000_000)
    found = ratio(printed(told, 0, 1), port, "symbol")
    assert found["none_before"]
    assert found["seen"]
    assert found["risen"] > 3


def test_a_side_without_a_physical_layer_is_not_known():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1e-6)
    found = ratio(printed(told, 1), port)
    assert math.isnan(found["before"])
    assert math.isnan(found["risen"])
    assert found["seen"]


def test_modules_alone_tell_no_ratio():
    physical = printed(story(phy=True)).facts.physical
    assert not physical.available.any()
    assert physical.optical.any()


def test_raw_errors_are_told_by_lane():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1e-6, lanes=[2])
    comparison = told.compare()
    lanes = comparison.facts.physical.raw_lanes[comparison.facts.pair.positions[port]]
    assert int(np.nanargmax(lanes)) == 2
    assert lanes[2] == pytest.approx(-6, abs=0.01)
    assert np.isnan(lanes[phy.LANES :]).all()


def test_light_changes_lane_by_lane():
    told = story(phy=True)
    leaf, spine = told.uplink()
    phy.dim(told.pair.current, leaf, 3.0, lanes=[1])
    phy.fade(told.pair.current, leaf, 2.0, current=1.3)
    comparison = told.compare()
    light, at = comparison.facts.physical.light, comparison.facts.pair.positions
    assert light["rx_power"].change[at[leaf]][:4].tolist() == pytest.approx([0, -3, 0, 0])
    assert light["tx_power"].change[at[leaf]][:4].tolist() == pytest.approx([-2, 0, 0, 0])
    assert light["rx_power"].change[at[spine]][:4].tolist() == pytest.approx([-2, 0, 0, 0])
    assert light["tx_bias"].now[at[leaf]][0] == pytest.approx(1.3 * phy.BIAS, abs=0.01)


def test_copper_and_light_are_told_apart():
    told = story(phy=True)
    comparison = told.compare()
    physical, at = comparison.facts.physical, comparison.facts.pair.positions
    for port in phy.layer(told.pair.current).receptions:
        medium = phy.cable(told.pair.current, port).medium
        assert physical.copper[at[port]] == medium.copper
        assert physical.optical[at[port]] == (not medium.copper)


def test_a_sample_without_a_physical_layer_knows_nothing():
    physical = story().compare().facts.physical
    assert not physical.available.any()
    assert not physical.copper.any()
    assert not physical.optical.any()
    assert np.isnan(physical.temperature.now).all()
    assert set(physical.serial[1]) == {None}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[-0.4, null, 0.1, 0.2]", [-0.4, None, 0.1, 0.2]),
        ("[1]", [1]),
        ("[]", []),
        (None, []),
        ('["low", 2.5]', [None, 2.5]),
        ('{"0": 1.5}', []),
        ("7", []),
        ("[1, 2, 3, 4, 5, 6, 7, 8, 9]", [1, 2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_lanes_are_read_from_a_list(text, values):
    found = lanes_of(pa.chunked_array([["[9]", text]]))
    expected = [math.nan if value is None else value for value in values]
    assert found.shape == (2, MOST)
    np.testing.assert_array_equal(found[1], expected + [math.nan] * (MOST - len(expected)))
    assert found[0, 0] == 9


def test_files_of_the_story_are_read():
    """The stories would prove nothing if the files were not understood."""
    told = story(phy=True)
    baseline, _ = told.files()
    assert {FILE, "ibdiagnet2.cables"} == set(baseline)
    tables = told.compare().facts.pair.current.sample.info.tables
    assert tables["modules"] > 0
    assert tables["phy"] > 0
