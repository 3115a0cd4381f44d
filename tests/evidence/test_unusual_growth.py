"""Counters that blame nobody: worth a line where they grew far beyond the ordinary, once for many ports."""

from __future__ import annotations

import pytest
from small_fabric import found, story


def _refusing(ports, counter="port_dlid_mapping_errors", amount=50_000):
    told = story()
    places = list(told.pair.current.fabric.link_at)[:ports]
    for port in places:
        told.count(port, **{counter: amount})
    return told, places


@pytest.mark.parametrize("ports", [1, 3])
def test_few_ports_are_told_one_by_one(ports):
    told, places = _refusing(ports)
    items = found(told, "unusual_growth")
    assert {item.where for item in items} == set(places)
    assert {item.message.id for item in items} == {"unusual_growth.grew"}


def test_many_ports_are_told_by_the_worst_of_them():
    told, places = _refusing(8)
    (item,) = found(told, "unusual_growth")
    assert item.message.id == "unusual_growth.several"
    assert item.where in places
    assert item.message.params["more"] > 2
    assert f"and much at {item.message.params['more']} other ports" in item.message.text


def test_the_verdict_sends_to_them():
    told, _ = _refusing(8)
    document = told.compare().document
    assert (document["verdict"], document["headline"]["message"]) == ("no_suspect", "headline.small_signs")
    assert "look at the weak signs" in document["headline"]["text"]
