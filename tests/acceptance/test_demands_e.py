"""Bit error ratios: early warning, the time they need, and links that carried nothing (DEMANDS E)."""

from __future__ import annotations

import math

import pytest
import small_phy as phy
from answers import gaps
from small_fabric import found, story

from ibforensic.model.link_terms import rate_gbps
from ibforensic.parsers.readings import ber_of

TARGET = 1e-14


def ratios(comparison, port, kind="symbol"):
    """log10 of a ratio at a port now, and whether it is only a bound because no error was seen."""
    ratio, at = comparison.facts.physical.ratios[kind], comparison.facts.pair.positions[port]
    return float(ratio.now[at]), bool(ratio.none_now[at])


def test_d30_raw_errors_that_climb_while_fec_repairs_them_all_warn_early():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1_000 * phy.USUAL)
    comparison = told.compare()
    assert ratios(comparison, port)[1]
    (item,) = found(told, "bit_errors")
    assert (item.where, item.message.id) == (port, "bit_errors.raw")
    assert item.before < item.after


def test_d30_no_error_seen_is_a_bound_by_the_bits_and_no_ratio():
    told = story(phy=True)
    port = told.uplink()[0]
    comparison = told.compare()
    bits = [phy.layer(sample).readings[port].bits for sample in (told.pair.baseline, told.pair.current)]
    value, none = ratios(comparison, port)
    assert none
    assert value == pytest.approx(math.log10(3 / (bits[1] - bits[0])))


@pytest.mark.parametrize(("speed", "seconds"), [("EDR", 3_000), ("HDR", 1_500), ("NDR", 750)])
def test_d31_the_time_that_a_ratio_needs_is_three_by_ratio_and_rate(speed, seconds):
    """The field's 1/(ratio · rate) is 500 s at HDR for 1e-14; at 95 % it is three times that (ruling)."""
    assert 3 / (TARGET * rate_gbps("4x", speed) * 1e9) == pytest.approx(seconds)
    for time, enough in ((0.9 * seconds, False), (1.1 * seconds, True)):
        told = story(phy=True)
        port = told.uplink()[0]
        for sample in (told.pair.baseline, told.pair.current):
            sample.set_link(told.link(port), speed=speed)
            phy.read_since(sample, port, phy.layer(sample).readings[port].seconds)
        phy.read_since(told.pair.current, port, time)
        value, none = ratios(told.compare(), port)
        assert none
        assert (value <= math.log10(TARGET)) is enough


def test_d31_a_port_that_came_up_minutes_ago_is_said_to_be_too_young():
    told = story(phy=True)
    phy.read_since(told.pair.current, told.uplink()[0], 600)
    told.fall(*told.uplink())
    comparison = told.compare()
    (young,) = [item for item in comparison.document["fitness"] if item["code"] == "ports_young"]
    assert (young["side"], young["count"]) == ("current", 1)
    assert "too short" in young["text"]
    assert found(told, "bit_errors") == []


def test_d32_ports_that_carried_hardly_anything_are_named_as_not_judged():
    told = story()
    idle = [told.uplink()[0], told.hca()]
    for port in idle:
        before, after = (sample.counters[port] for sample in (told.pair.baseline, told.pair.current))
        after["port_rcv_pkts"] = before["port_rcv_pkts"] + 1_000
    (gap,) = [
        item
        for item in told.compare().document["coverage"]["not_judged"]
        if item["message"] == "not_judged.idle"
    ]
    assert gap["count"] == len(idle)
    assert gap["help"] == "collect again under load"


def test_d32_a_busy_fabric_has_no_idle_ports():
    assert "not_judged.idle" not in gaps(story().compare())


@pytest.mark.parametrize(
    ("coefficient", "magnitude", "log10", "none"),
    [(15, 255, None, True), (3, 10, math.log10(3e-10), False), (1, 8, -8.0, False)],
)
def test_d30_a_printed_ratio_is_a_logarithm_or_no_error_seen(coefficient, magnitude, log10, none):
    ratio = ber_of(coefficient, magnitude)
    assert ratio.none is none
    assert ratio.log10 == (None if log10 is None else pytest.approx(log10))


def test_d30_a_ratio_without_errors_is_shown_as_a_bound():
    told = story(phy=True)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1_000 * phy.USUAL, effective=200_000, symbols=200_000)
    texts = {item.message.id: item.message.text for item in found(told, "bit_errors")}
    assert "below " in texts["bit_errors.symbol"]
    assert "15E-255" not in texts["bit_errors.symbol"]
