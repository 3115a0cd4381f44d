"""The document of a real comparison: its keys, their order, and the same bytes every time."""

from __future__ import annotations

import json
from functools import cache

import pytest
from incidents import incident
from small_fabric import compare, story

from ibforensic import pipeline
from ibforensic.model.enums import Component, DeltaClass, Severity
from ibforensic.simulate.faults import Fault, FaultKind

TOP = (
    "schema",
    "kind",
    "engine",
    "policy",
    "verdict",
    "changed",
    "suspects",
    "changes",
    "coverage",
    "fitness",
)
SUSPECT = (
    "rank",
    "link",
    "device",
    "component",
    "end",
    "direction",
    "confidence",
    "severity",
    "score",
    "evidence",
    "victims",
    "because",
    "lately",
    "next_action",
    "actions",
    "disproof",
    "missing",
    "confirm",
    "parts",
    "around",
)
EVIDENCE = (
    "kind",
    "message",
    "params",
    "where",
    "before",
    "after",
    "unit",
    "exposure",
    "class",
    "source",
    "text",
    "place",
    "lanes",
    "steps",
)
PORT = ("node_guid", "port", "node", "label", "plane")


@cache
def _document():
    faults = [
        Fault(FaultKind.BAD_LINK, severity="high"),
        Fault(FaultKind.DEAD_HOST),
        Fault(FaultKind.WIDTH_LOSS),
        Fault(FaultKind.HOST_REBOOT),
    ]
    baseline, current, _ = incident(faults, 4, leaves=3, spines=2, hosts_per_leaf=3, hcas_per_host=2)
    return compare(baseline, current).document


def test_the_keys_are_those_of_the_contract():
    document = _document()
    assert set(TOP) <= set(document)
    assert document["schema"] == "ibforensic.diff/1"
    assert (document["kind"], document["verdict"], document["changed"]) == ("diff", "suspects", True)
    assert len(document["suspects"]) == 3
    for suspect in document["suspects"]:
        assert set(SUSPECT) <= set(suspect)
        assert set(suspect["confidence"]) == {"link", "end", "component"}
        assert suspect["component"] in set(Component)
        assert suspect["severity"] in set(Severity)
        assert {"message", "params", "text"} <= set(suspect["next_action"])
        for item in suspect["evidence"]:
            assert set(EVIDENCE) <= set(item)
            assert item["class"] in {DeltaClass.EXACT, DeltaClass.AT_LEAST, DeltaClass.UNKNOWN}
            assert item["where"] is None or set(PORT) <= set(item["where"])
        for victim in suspect["victims"]:
            assert {"node_guid", "port", "by"} <= set(victim)
            assert victim["by"] in {"ebp", "wait", "down"}


def test_a_link_has_ends_and_a_device_a_name():
    links = [suspect for suspect in _document()["suspects"] if suspect["link"]]
    devices = [suspect for suspect in _document()["suspects"] if suspect["device"]]
    assert len(links) == 2
    assert len(devices) == 1
    for suspect in links:
        assert set(suspect["link"]) == {"a", "b"}
        assert all(set(PORT) <= set(end) for end in suspect["link"].values())
    assert {"node_guid", "node"} <= set(devices[0]["device"])
    directed = [suspect for suspect in links if suspect["direction"]]
    assert directed
    assert all(set(suspect["direction"]) == {"from", "to"} for suspect in directed)
    assert directed[0]["end"] == directed[0]["direction"]["to"]


def test_the_keys_keep_their_order():
    first, *others = ([*suspect] for suspect in _document()["suspects"])
    assert all(keys == first for keys in others)
    healthy = story().compare().document
    assert list(healthy) == list(_document())
    assert [key for key in healthy if key in TOP] == list(TOP)


def test_the_document_is_json_and_nothing_else():
    text = json.dumps(_document(), allow_nan=False)
    assert json.loads(text) == _document()


@pytest.mark.parametrize("form", ["json", "html", "text"])
def test_two_runs_give_the_same_bytes(tmp_path, form):
    told = story()
    told.damage(told.uplink()[0])
    for name, text in zip(("baseline", "current"), told.texts(), strict=True):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ibdiagnet2.db_csv").write_text(text)
    rendered = [
        pipeline.render(
            pipeline.diff(*(pipeline.load(tmp_path / name) for name in ("baseline", "current"))).document,
            form,
        )
        for _ in range(2)
    ]
    assert rendered[0] == rendered[1]
    assert "leaf-01" in rendered[0]


@pytest.mark.parametrize(
    ("downs", "headline"), [(0, "headline.nobody"), (1, "headline.weak_signs"), (90, None)]
)
def test_nobody_is_not_said_flatly_beside_weak_signs(downs, headline):
    told = story()
    if downs:
        told.count(told.uplink()[1], link_downed_counter=downs)
    document = told.compare().document
    signs = [sign for sign in document["watch"] if sign["kind"] == "link_down"]
    assert bool(signs) == (headline == "headline.weak_signs")
    assert headline in (None, document["headline"]["message"])
    assert ("look at the weak signs" in document["headline"]["text"]) == bool(signs)
    assert document["headline"]["text"].count(": ") <= 1


@pytest.mark.parametrize("ports", [1, 2])
def test_a_counter_of_damage_that_was_full_before_is_told_with_nobody(ports):
    told = story()
    full = [told.uplink(leaf)[0] for leaf in range(ports)]
    for port in full:
        for sample in (told.pair.baseline, told.pair.current):
            sample.add(port, "port_rcv_errors", 1 << 20)
    told.edit(lambda sections: sections.drop_columns("PM_INFO", ["PortRcvErrorsExt"]))
    comparison = told.compare()
    document = comparison.document
    assert document["verdict"] == "no_suspect"
    assert document["headline"]["message"] == "headline.full"
    named = comparison.facts.who.call(full[0]) if ports == 1 else f"{ports} ports"
    assert f"counters of {named} were full" in document["headline"]["text"]
    assert document["coverage"]["not_judged"][0]["what"] == "port_rcv_errors"
    assert document["coverage"]["not_judged"][0]["count"] == ports
