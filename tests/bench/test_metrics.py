"""Figures of hand-made outcomes."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outcomes import found, guesser, named, oracle, outcome

from bench.evaluate.metrics import PARTS as P
from bench.evaluate.metrics import SAID, best_naive, brier, calibration_error, figure, naive_reciprocal
from bench.evaluate.naive import RANKERS


def value(name, outcomes):
    return figure(outcomes, P[name]).value


def test_ranks_become_top_k_and_reciprocal_rank():
    outcomes = [outcome(found(rank), seed=seed) for seed, rank in enumerate((1, 2, 4, None))]
    assert [value(name, outcomes) for name in ("top-1", "top-3", "top-10")] == [0.25, 0.5, 0.75]
    assert value("MRR", outcomes) == pytest.approx((1 + 1 / 2 + 1 / 4) / 4)


def test_cases_with_several_faults_count_for_recall_alone():
    outcomes = [outcome(found(1), found(4), found(7)), outcome(found(4), found(5), seed=2)]
    assert value("recall@2k", outcomes) == pytest.approx(3 / 5)  # places up to 6, and up to 4
    assert math.isnan(value("top-1", outcomes))


def test_ends_and_components_count_where_they_are_asked_for():
    outcomes = [
        outcome(found(end=True, component=False)),
        outcome(found(end=False), seed=2),
        outcome(found(None), seed=3),
    ]
    end, component = figure(outcomes, P["end"]), figure(outcomes, P["component"])
    assert (end.value, end.count) == (0.5, 2)
    assert (component.value, component.count) == (0.0, 1)


def test_false_suspects_are_counted_where_nothing_is_wrong():
    healthy = [
        outcome(names=(named(False, link=0.4), named(False, link=0.5))),
        outcome(seed=2),
        outcome(found(), names=(named(False),), seed=3),
    ]
    assert value("false suspects", healthy) == 1.0
    assert value("false, sure", healthy) == 0.5
    assert value("further suspects", healthy) == 1.0


def test_suspects_that_are_neither_right_nor_wrong_are_no_false_ones():
    outcomes = [outcome(found(), names=(named(), named(None), named(False)))]
    assert value("further suspects", outcomes) == 1.0
    assert calibration_error(outcomes, SAID["link"]).count == 2


def test_victims_are_blamed_in_cases_with_a_fault():
    outcomes = [outcome(found(None), blamed=True), outcome(found(), seed=2), outcome(seed=3)]
    assert value("victim blamed", outcomes) == 0.5


def test_calibration_of_known_confidences():
    always = [
        outcome(found(), names=(named(right, link=0.8),), seed=at) for at, right in enumerate([1, 1, 1, 0])
    ]
    error, score = calibration_error(always, SAID["link"]), figure(always, brier(SAID["link"]))
    assert error.value == pytest.approx(0.05)
    assert score.value == pytest.approx((3 * 0.2**2 + 0.8**2) / 4)
    assert error.count == score.count == 4


def test_confidence_in_an_end_is_judged_where_there_is_one():
    outcomes = [
        outcome(found(), names=(named(link=1.0, end=True), named(link=1.0)), seed=1),
        outcome(found(), names=(named(link=1.0, end=False),), seed=2),
    ]
    error = calibration_error(outcomes, SAID["end"])
    assert (error.value, error.count) == (pytest.approx(0.0), 2)


def test_one_bin_does_not_make_up_for_another():
    outcomes = [
        outcome(found(), names=(named(True, link=0.25), named(False, link=0.75)), seed=1),
    ]
    assert calibration_error(outcomes, SAID["link"]).value == pytest.approx(0.75)


def test_somebody_who_knows_is_right_in_everything():
    for name in ("top-1", "top-3", "top-10", "MRR", "end", "component"):
        told = figure(oracle(), P[name])
        assert (told.value, told.low, told.high) == (1, 1, 1)
    assert value("victim blamed", oracle()) == value("further suspects", oracle()) == 0
    assert calibration_error(oracle(), SAID["link"]).value == figure(oracle(), brier(SAID["link"])).value == 0


def test_somebody_who_guesses_is_not():
    outcomes = guesser()
    assert value("top-1", outcomes) < 0.05
    assert value("top-10", outcomes) < 0.2
    assert value("MRR", outcomes) < 0.12
    assert calibration_error(outcomes, SAID["link"]).value > 0.4


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter(rng):
    outcomes = guesser(40, 5)
    mixed = list(outcomes)
    rng.shuffle(mixed)
    for part in P.values():
        assert repr(figure(mixed, part)) == repr(figure(outcomes, part))
    for said in SAID.values():
        assert repr(calibration_error(mixed, said)) == repr(calibration_error(outcomes, said))


def test_intervals_hold_the_figure_and_narrow_with_more_cases():
    few, many = figure(guesser(20, 3), P["top-1"]), figure(guesser(500, 3), P["top-1"])
    for told in (few, many):
        assert 0 <= told.low <= told.value <= told.high <= 1
    assert many.high - many.low < 0.5 * (few.high - few.low)
    assert many.high - many.low == pytest.approx(2 * 1.96 * math.sqrt(1 / 3 * 2 / 3 / 500), rel=0.15)


def test_the_best_of_the_other_rankers_is_the_one_that_is_first_most_often():
    rng = Random(1)
    flaps = "netfix-like (flaps)"
    outcomes = [
        replace(
            outcome(found(), seed=seed, naive=rng.choice((2, None))),
            naive={**dict.fromkeys(RANKERS, 2), flaps: 1 if seed < 3 else None},
        )
        for seed in range(6)
    ]
    name, told = best_naive(outcomes, RANKERS)
    assert (name, told.value) == (flaps, 0.5)
    assert figure(outcomes, naive_reciprocal("largest delta")).value == 0.5
