"""Among many links some look odd by chance; no more of them are named where there are more links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_fabric import found, of, story

from ibforensic.evidence import POLICY
from ibforensic.evidence.false_discovery import best_of, discovered
from ibforensic.evidence.surprise import learn, surprise

RATE = 0.01
COUNTERS = 7


def _healthy(links, seed):
    """Surprises of the links of a healthy fabric in which few ports have nearly all of the errors."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(COUNTERS):
        counts = rng.poisson(rng.gamma(0.1, 20, links)).astype(np.float64)
        normal = learn(counts, np.ones(links), few=20)
        rows.append(surprise(counts, np.full(links, normal.rate), np.full(links, normal.size)))
    return best_of(np.array(rows), np.full(links, float(COUNTERS)))


@pytest.mark.parametrize("links", [500, 2_000, 20_000])
def test_false_suspects_do_not_grow_with_the_fabric(links):
    runs = 20
    assert sum(int(discovered(_healthy(links, seed), RATE).sum()) for seed in range(runs)) <= 0.2 * runs


def test_a_fault_is_found_among_many_links():
    surprises = _healthy(20_000, 1)
    surprises[[5, 17]] = 40.0
    assert np.flatnonzero(discovered(surprises, RATE)).tolist() == [5, 17]


def test_many_faults_help_each_other():
    needed = np.log10(1_000 / RATE)
    several, alone = np.zeros(1_000), np.zeros(1_000)
    several[:50], alone[0] = needed - 1, needed - 1
    assert discovered(several, RATE).sum() == 50
    assert not discovered(alone, RATE).any()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 300), max_size=40), st.floats(1e-4, 0.5))
def test_the_cut_is_that_of_benjamini_and_hochberg(digits, rate):
    surprises = np.array(digits)
    chances = 10.0 ** -np.sort(surprises)[::-1]
    limits = rate * np.arange(1, len(digits) + 1) / max(len(digits), 1)
    # Right at a limit the two ways to work it out may differ in the last digit.
    if not np.isclose(chances, limits, rtol=1e-9, atol=0).any():
        passes = np.flatnonzero(chances <= limits)
        count = passes[-1] + 1 if len(passes) else 0
        least = np.sort(surprises)[::-1][count - 1] if count else np.inf
        assert discovered(surprises, rate).tolist() == (surprises >= least).tolist()


@given(st.lists(st.floats(0, 300), min_size=1, max_size=6))
def test_the_best_of_several_is_paid_for(digits):
    column = np.array(digits)[:, None]
    paid = best_of(column, np.array([float(len(digits))]))[0]
    assert paid == pytest.approx(max(max(digits) - np.log10(len(digits)), 0))
    assert best_of(column, np.zeros(1))[0] == max(digits)


def test_a_few_errors_are_worth_a_look_but_name_nobody():
    told = story()
    told.count(told.uplink()[1], symbol_error_counter=30)
    comparison = told.compare()
    (item,) = of(comparison, "physical_errors")
    assert item.weight <= POLICY.by_chance_cap < POLICY.threshold
    assert "may be chance" in item.message.text
    assert comparison.document["suspects"] == []
    assert [sign["kind"] for sign in comparison.document["watch"]] == ["physical_errors"]


def test_many_errors_name_the_link_and_say_how_odd_they_are():
    told = story()
    told.damage(told.uplink()[0], 10)
    items = found(told, "physical_errors")
    assert max(item.message.params["surprise"] for item in items) > 5
    assert any("by chance" in item.message.text for item in items)
