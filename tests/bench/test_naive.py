"""The rankers without thought, on a fabric in which a test lets exactly one thing happen."""

from __future__ import annotations

import pytest
from small_fabric import story

from bench.evaluate.naive import RANKERS, ranking


def first(happening, ranker):
    """The ends of the link that a ranker names first; empty where it lists no port."""
    return next(iter(listed(happening, ranker)), frozenset())


def listed(happening, ranker):
    return [spot.ends for spot in ranking(happening.compare().facts, RANKERS[ranker])]


@pytest.fixture
def quiet():
    """A fabric in which no counter has ever grown."""
    made = story()
    for sample in (made.pair.baseline, made.pair.current):
        for counts in sample.counters.values():
            errors = [name for name in counts if "data" not in name and "pkts" not in name]
            counts.update(dict.fromkeys(errors, 0))
    return made


@pytest.mark.parametrize("ranker", RANKERS)
def test_nothing_is_listed_where_nothing_was_counted(quiet, ranker):
    assert listed(quiet, ranker) == []


def test_old_errors_fool_the_largest_reading_and_not_the_delta(quiet):
    old, new = quiet.uplink(0, 0), quiet.uplink(1, 1)
    for sample in (quiet.pair.baseline, quiet.pair.current):
        sample.add(old[0], "symbol_error_counter", 5_000)
    quiet.damage(new[0])
    assert first(quiet, "largest reading") == frozenset(old)
    assert first(quiet, "largest delta") == frozenset(new)


def test_limits_leave_out_what_is_below_them(quiet):
    one, two, three = quiet.uplink(0, 0), quiet.uplink(0, 1), quiet.uplink(1, 1)
    for (port, _), count in zip((one, two, three), (5, 50, 500), strict=True):
        quiet.count(port, symbol_error_counter=count)
    for limit, ports in ((0, [three, two, one]), (10, [three, two]), (100, [three])):
        assert listed(quiet, f"ibqueryerrors > {limit}") == [frozenset(port) for port in ports]


def test_flaps_are_all_that_netfix_sees(quiet):
    broken, flapping = quiet.uplink(0, 0), quiet.uplink(1, 1)
    quiet.damage(broken[0], times=10)
    quiet.fall(*flapping, downs=2)
    assert listed(quiet, "netfix-like (flaps)")[0] == frozenset(flapping)
    assert first(quiet, "largest delta") == frozenset(broken)


def test_pdr_wants_link_downs_at_both_ends_and_symbol_errors_above_the_limit(quiet):
    one_sided, both = quiet.uplink(0, 0), quiet.uplink(1, 1)
    quiet.fall(one_sided[0], downs=4)
    quiet.count(quiet.uplink(0, 1)[0], symbol_error_counter=2)
    assert listed(quiet, "PDR-like") == []
    quiet.fall(*both)
    assert first(quiet, "PDR-like") == frozenset(both)
    quiet.damage(one_sided[0], times=100_000)
    assert first(quiet, "PDR-like") == frozenset(one_sided)
