"""Ports are compared with ports of their class, and a class is never too small for that."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from small_fabric import story

from ibforensic.evidence.classes import by_class, kinds_of, pooled, traits


def _array(*numbers):
    return np.array(numbers, dtype=np.int64)


ALL = np.ones(6, dtype=np.bool_)


def test_a_large_class_stays_by_itself():
    found = pooled([_array(0, 0, 0, 1, 1, 1), _array(5, 5, 7, 7, 7, 7)], ALL, enough=2)
    assert found[0] == found[1] != found[2]
    assert found[3] == found[4] == found[5]
    assert len({found[0], found[2], found[3]}) == 3


def test_a_small_class_takes_in_others_of_its_place():
    found = pooled([_array(0, 0, 0, 1, 1, 1), _array(5, 6, 7, 5, 5, 5)], ALL, enough=3)
    assert found[0] == found[1] == found[2] != found[3]
    assert (found >= 0).all()


def test_what_is_too_few_of_its_place_is_compared_with_all():
    found = pooled([_array(0, 1, 1, 1, 1, 1)], ALL, enough=3)
    assert found[0] == -1
    assert (found[1:] >= 0).all()


def test_ports_that_lead_nowhere_make_no_class_larger():
    usable = np.array([True, True, False, False, True, True])
    assert (pooled([_array(0, 0, 0, 0, 1, 1)], usable, enough=3) == -1).all()


def test_small_classes_share_the_statistic_of_all_ports_that_count():
    values, counts = np.array([1.0, 3.0, 5.0, 7.0, 9.0, 100.0]), np.array([True] * 5 + [False])
    found = by_class(_array(-1, -1, -1, 4, 4, 6), counts, values, lambda known: float(known.max()), 3)
    assert found.tolist() == [5.0, 5.0, 5.0, 9.0, 9.0, 9.0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_ports_are_of_one_kind_if_they_agree_in_all_traits(rows):
    kinds, first = kinds_of([_array(*column) for column in zip(*rows, strict=True)])
    assert [rows[first[kind]] for kind in kinds] == rows
    assert len(first) == len(set(rows))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60))
def test_ports_of_one_class_share_their_place(rows):
    traits = [_array(*column) for column in zip(*rows, strict=True)]
    found = pooled(traits, np.ones(len(rows), dtype=np.bool_), enough=4)
    for number in set(found.tolist()) - {-1}:
        assert len(set(traits[0][found == number].tolist())) == 1
    same = {row: found[at] for at, row in enumerate(rows)}
    assert all(same[row] == found[at] for at, row in enumerate(rows))


def test_uplinks_and_links_to_hosts_are_not_compared():
    told = story()
    facts = told.compare().facts
    places = dict(zip(facts.pair.port_keys, traits(facts)[0].tolist(), strict=True))
    leaf, spine = told.uplink()
    assert places[leaf] == places[spine]
    assert places[told.hca()] == places[told.hca(1)]
    assert len({places[leaf], places[told.hca()], places[told.peer(told.hca())]}) == 3
