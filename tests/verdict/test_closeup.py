"""What the document tells of a suspect seen close: lanes, samples, parts, neighbours."""

from __future__ import annotations

from functools import cache

import pytest

from ibforensic.pipeline import check, diff, simulated
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec

SPEC = parse_spec("fat-tree:leaf=3,spine=2,hosts=4")


def _order(kind: str, samples: int = 1) -> Order:
    faults = (FaultKind(kind.replace("-", "_")),)
    return Order(SPEC, faults=faults, severity="high", samples=samples, seed=3)


@cache
def _document(kind: str, samples: int = 1):
    baseline, current, _ = simulated(_order(kind, samples))
    return diff(baseline, current).document


def _evidence(document, message):
    return next(item for item in document["suspects"][0]["evidence"] if item["message"] == message)


def test_light_is_told_lane_by_lane_before_and_now():
    lanes = _evidence(_document("dirty-connector"), "light.received")["lanes"]
    assert lanes["measure"] == "received light"
    assert lanes["unit"] == "dBm"
    assert len(lanes["before"]) == len(lanes["after"]) == 4
    assert max(then - now for then, now in zip(lanes["before"], lanes["after"], strict=True)) > 1


def test_raw_bit_errors_are_told_lane_by_lane():
    lanes = _evidence(_document("dirty-connector"), "bit_errors.raw")["lanes"]
    assert lanes["before"] == [None] * 4
    assert max(lanes["after"]) > min(lanes["after"]) + 1


def test_what_has_no_lanes_has_none():
    items = _document("dirty-connector")["suspects"][0]["evidence"]
    assert all(item["lanes"] is None for item in items if item["kind"] == "physical_errors")


def test_growth_is_told_sample_by_sample_and_adds_up():
    items = _document("bad-link", 4)["suspects"][0]["evidence"]
    counted = [
        item for item in items if item["steps"] and all(one["growth"] is not None for one in item["steps"])
    ]
    assert counted
    for item in counted:
        assert len(item["steps"]) == 4
        assert sum(step["growth"] for step in item["steps"]) == item["params"].get(
            "delta", item["params"].get("count")
        )
        times = [step["at"] for step in item["steps"]]
        assert times == sorted(times)


def test_two_samples_alone_have_no_steps():
    assert all(item["steps"] == [] for item in _document("bad-link")["suspects"][0]["evidence"])


def test_the_parts_at_both_ends_are_named_by_their_serial():
    suspect = _document("dirty-connector")["suspects"][0]
    parts = {(part["node_guid"], part["port"]): part for part in suspect["parts"]}
    ends = [(end["node_guid"], end["port"]) for end in suspect["link"].values()]
    assert sorted(parts) == sorted(ends)
    assert all(part["serial"] and part["replaced"] is False for part in parts.values())


def test_the_neighbours_of_both_ends_are_counted_by_role_without_the_ends_themselves():
    suspect = _document("dirty-connector")["suspects"][0]
    around = {one["node_guid"]: one for one in suspect["around"]}
    assert set(around) == {end["node_guid"] for end in suspect["link"].values()}
    switches = [one for one in around.values() if one["role"] != "hca"]
    for one in switches:
        assert sum(group["nodes"] for group in one["neighbours"]) >= 3
    hcas = [one for one in around.values() if one["role"] == "hca"]
    assert all(one["neighbours"] == [] for one in hcas)


def test_neighbours_that_suffer_are_victims():
    suspect = _document("bad-link")["suspects"][0]
    victims = {victim["node"] for victim in suspect["victims"]}
    told = [group for one in suspect["around"] for group in one["neighbours"]]
    assert victims
    assert {name for group in told for name in group["suffer"]} & victims
    assert all(group["suffering"] <= group["nodes"] for group in told)


@pytest.mark.parametrize("kind", ["cooling-zone", "slow-consumer"])
def test_a_device_stands_in_the_middle_of_its_neighbours(kind):
    suspect = _document(kind)["suspects"][0]
    assert suspect["around"][0]["node_guid"] == suspect["device"]["node_guid"]
    assert any(one["neighbours"] for one in suspect["around"])


def test_a_sample_on_its_own_has_lanes_without_a_past():
    document = check(simulated(_order("dirty-connector"))[1]).document
    lanes = [item["lanes"] for one in document["suspects"] for item in one["evidence"] if item["lanes"]]
    assert lanes
    assert all(value is None for one in lanes for value in one["before"])
