"""The tool says of each checked-in sample what its answer sheet says."""

from __future__ import annotations

import json

import pytest

from ibforensic import pipeline
from ibforensic.model.resources import samples_dir

FAULTY = ("uplink-errors", "dirty-connector", "slow-host")
NAMES = (*FAULTY, "healthy-busy")


@pytest.fixture(scope="module")
def judged():
    """Return a function: name of a sample → answer sheet, document of the comparison; each made once."""
    made = {}

    def judge(name):
        if name not in made:
            folder = samples_dir() / name
            pair = [pipeline.load(folder / side) for side in ("baseline", "current")]
            truth = json.loads((folder / "truth.json").read_text("utf-8"))
            made[name] = truth, pipeline.diff(*pair).document
        return made[name]

    return judge


def _port(port):
    return port and (port["node_guid"], port["port"])


def test_every_sample_is_judged_here():
    assert {path.name for path in samples_dir().iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", FAULTY)
def test_it_names_the_culprit_and_nobody_else(judged, name):
    truth, document = judged(name)
    (wanted,), (suspect,) = truth["suspects"], document["suspects"]
    assert document["verdict"] == "suspects"
    assert suspect["rank"] == 1
    if wanted["link"]:
        assert {_port(suspect["link"][end]) for end in "ab"} == {_port(wanted["link"][end]) for end in "ab"}
        direction = suspect["direction"]
        assert {end: _port(direction[end]) for end in ("from", "to")} == {
            end: _port(wanted["direction"][end]) for end in ("from", "to")
        }
    else:
        assert suspect["link"] is None
        assert suspect["device"]["node_guid"] == wanted["device"]["node_guid"]


@pytest.mark.parametrize(
    ("name", "component"),
    [("uplink-errors", "link"), ("dirty-connector", "connector"), ("slow-host", "host")],
)
def test_it_names_the_part_as_far_as_it_can_be_known(judged, name, component):
    truth, document = judged(name)
    assert document["suspects"][0]["component"] == truth["suspect"]["component"] == component


@pytest.mark.parametrize("name", FAULTY)
def test_those_who_suffer_are_victims_and_never_suspects(judged, name):
    truth, document = judged(name)
    told = {_port(victim) for suspect in document["suspects"] for victim in suspect["victims"]}
    really = {_port(victim) for victim in truth["victims"]}
    assert told
    assert len(told & really) >= len(told) / 2
    marked = {_port(victim) for victim in truth["victims"] if victim["by"] == "ebp"}
    assert marked <= told


def test_nobody_is_blamed_where_nothing_is_wrong(judged):
    truth, document = judged("healthy-busy")
    assert truth["suspects"] == document["suspects"] == []
    assert document["verdict"] == "no_suspect"
    ports = document["coverage"]["ports"]
    assert ports["judged"] == ports["expected"] == ports["current"]


@pytest.mark.parametrize("name", NAMES)
def test_harmless_events_are_told_as_changes(judged, name):
    truth, document = judged(name)
    for kind, wanted in (
        ("node_rebooted", [one["node_guids"][0] for one in truth["rebooted"]]),
        ("node_renamed", [guid for one in truth["renamed"] for guid in one["node_guids"]]),
        ("counters_cleared", [one["node_guid"] for one in truth["cleared"]]),
    ):
        told = {
            example["node_guid"]
            for change in document["changes"]
            if change["kind"] == kind
            for example in change["examples"]
        }
        assert told == set(wanted)


def test_new_cables_are_told_as_changes_at_their_ports(judged):
    truth, document = judged("healthy-busy")
    (cabled,) = (one for one in truth["harmless"] if one["kind"] == "planned_recabling")
    (change,) = (one for one in document["changes"] if one["kind"] == "module_replaced")
    told = {_port(example["where"]) for example in change["examples"]}
    assert told
    assert told <= {_port(port) for port in cabled["ports"]}
