"""How surprising a growth is: what is normal is learnt from the fabric, faults and all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.evidence.surprise import MOST, learn, shift, surprise, tail, with_past


def _drawn(seed, mean, size, ports):
    rng = np.random.default_rng(seed)
    return rng.poisson(rng.gamma(size, mean / size, ports)).astype(np.float64)


def _of(count, mean, size):
    return float(surprise(*(np.array([float(value)]) for value in (count, mean, size)))[0])


@pytest.mark.parametrize(("mean", "size"), [(0.1, 0.01), (2.0, 0.05), (20.0, 0.5), (100.0, 5.0)])
def test_rate_and_dispersion_are_recovered(mean, size):
    normal = learn(_drawn(3, mean, size, 8_000), np.ones(8_000), few=20)
    assert normal.rate == pytest.approx(mean, rel=0.2)
    assert normal.size == pytest.approx(size, rel=0.35)


@pytest.mark.parametrize("bad", [1, 5, 20])
def test_faults_do_not_set_their_own_normal(bad):
    healthy = _drawn(4, 2.0, 0.2, 2_000)
    sick = healthy.copy()
    sick[:bad] = 1e6
    clean, found = (learn(counts, np.ones(2_000), few=20) for counts in (healthy, sick))
    assert found.rate == pytest.approx(clean.rate, rel=0.1)
    assert found.size == pytest.approx(clean.size, rel=0.2)


def test_one_port_of_two_is_not_normal_by_itself():
    normal = learn(np.array([5_000.0, 0.0]), np.ones(2), few=20)
    assert _of(5_000, normal.rate, normal.size) > 10


def test_no_class_is_so_clean_that_a_burst_is_impossible():
    normal = learn(np.zeros(500), np.ones(500), few=20)
    assert 2 < _of(10, normal.rate, normal.size) < 5
    assert _of(100, normal.rate, normal.size) > 7


def test_ports_that_were_watched_longer_may_have_more():
    times = np.repeat([1.0, 10.0], 1_000)
    rng = np.random.default_rng(5)
    counts = rng.poisson(rng.gamma(2.0, 5.0, 2_000) * times).astype(np.float64)
    assert learn(counts, times, few=20).rate == pytest.approx(10, rel=0.1)


@pytest.mark.parametrize(("mean", "size"), [(5.0, 0.5), (300.0, 2.0)])
def test_without_a_fault_probabilities_are_what_they_say(mean, size):
    counts = _drawn(6, mean, size, 20_000)
    normal = learn(counts, np.ones(20_000), few=20)
    found = tail(counts, np.full(20_000, normal.rate), np.full(20_000, normal.size))
    for level in (0.5, 0.1, 0.01, 0.001):
        # Counts are whole, so that a probability is at most its level, and not by far less.
        assert 0.4 * level < (found <= level).mean() < 1.4 * level


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 10**9), min_size=2, max_size=8),
    st.floats(1e-6, 1e6),
    st.floats(1e-6, 1e3),
)
def test_more_growth_is_never_less_surprising(counts, mean, size):
    ordered = np.sort(np.array(counts, dtype=np.float64))
    found = surprise(ordered, np.full(len(ordered), mean), np.full(len(ordered), size))
    assert ((found >= 0) & (found <= MOST)).all()
    assert (np.diff(found) >= -1e-9).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**6), st.floats(1e-3, 1e5), st.floats(1e-3, 1e2), st.floats(1.01, 100))
def test_what_is_common_is_never_more_surprising(count, mean, size, times):
    assert _of(count, mean * times, size) <= _of(count, mean, size) + 1e-9


def _with_past(count, past, before):
    values = (np.array([value]) for value in (0.02, 0.002, 1.0, past, before))
    means, sizes = with_past(*values)
    return _of(count, float(means[0]), float(sizes[0]))


def test_a_chronic_port_at_its_old_pace_is_no_surprise():
    assert _with_past(700, 10_000.0, 14.0) < 1
    assert _with_past(2_100, 10_000.0, 14.0) < 2
    assert _with_past(70_000, 10_000.0, 14.0) > 20
    assert _with_past(700, 0.0, 14.0) > 8


def test_a_past_never_makes_a_port_more_suspicious():
    for past in (0.0, 1.0, 30.0, 1e6):
        assert _with_past(50, past, 14.0) <= _with_past(50, 0.0, 0.0) + 1e-9


def test_what_the_whole_fabric_moved_by_is_told():
    rng = np.random.default_rng(7)
    expected = rng.uniform(20, 2_000, 200)
    assert shift(3 * expected, expected) == pytest.approx(3, rel=0.02)
    one_bad = expected.copy()
    one_bad[:20] *= 1_000
    assert shift(one_bad, expected) == pytest.approx(1, rel=0.05)
    assert shift(3 * expected[:10], expected[:10]) == 1
