"""Parts are swapped with another cage: both ports of one module are the same part."""

from __future__ import annotations

import pytest
from small_fabric import story

from ibforensic.verdict.cages import marks
from ibforensic.verdict.parties import Parties, spare_ports


def _parties(told):
    comparison = told.compare()
    suspects = comparison.judgement.suspects
    spare = spare_ports(suspects, comparison.facts)
    return [Parties(suspect, comparison.facts, spare) for suspect in suspects]


@pytest.mark.parametrize("phy", [True, False], ids=["serials", "labels"])
@pytest.mark.parametrize("index", range(4))
def test_no_partner_shares_the_cage(phy, index):
    told = story(leaves=2, spines=1, hosts=4, uplinks=4, phy=phy)
    here = told.uplink()[0] if index == 0 else told.peer(told.hca(index))
    told.damage(here, times=5)
    (parties,) = _parties(told)
    assert parties.swap is not None
    at = parties.at_switch
    own, other = (marks(port, parties.facts) for port in (at, parties.swap))
    assert own
    assert own.isdisjoint(other)
    twins = [port for port in told.ports(at.node_guid) if port != at and marks(port, parties.facts) & own]
    assert len(twins) == 1
    assert not set(twins) & set(parties.spare[at.node_guid])


def test_a_cage_with_an_accused_port_has_no_spare_port_for_others():
    told = story(leaves=2, spines=1, hosts=4)
    first, second = (told.peer(told.hca(host)) for host in (0, 1))
    for port in (first, second):
        told.damage(port, times=5)
    all_parties = _parties(told)
    assert len(all_parties) == 2
    taken = {mark for port in (first, second) for mark in marks(port, all_parties[0].facts)}
    for parties in all_parties:
        assert parties.swap is not None
        assert taken.isdisjoint(marks(parties.swap, parties.facts))


def test_where_no_other_cage_is_left_no_port_is_named():
    told = story(leaves=2, spines=1, hosts=2, hcas=2)
    here = told.uplink()[0]
    told.damage(here, times=5)
    (parties,) = _parties(told)
    assert parties.swap is None
    assert "a healthy port in another cage" in parties.names["swap"]


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("1/1/1", "1/1/2", True),
        ("1/1/2", "1/2/1", False),
        ("1/1/1/1", "1/1/2/1", True),
        ("2/1/1", "1/1/1", False),
        ("5/1", "5/2", True),
        ("5/1", "6/1", False),
        ("5", "6", False),
        ("1/11", "1/12", False),
        ("B24D0F0/0/0/1", "B24D0F0/0/0/2", False),
    ],
)
def test_labels_tell_the_cage(one, other, shared, monkeypatch):
    told = story(leaves=2, spines=1)
    facts = told.compare().facts
    here, there = told.ports(told.uplink()[0].node_guid)[:2]
    labels, planes = facts.who._labels
    changed = list(labels)
    changed[facts.pair.positions[here]], changed[facts.pair.positions[there]] = one, other
    monkeypatch.setitem(facts.who.__dict__, "_labels", (changed, planes))
    assert bool(marks(here, facts) & marks(there, facts)) == shared
