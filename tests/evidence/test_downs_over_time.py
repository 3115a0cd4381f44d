"""Link downs are seen over the time in which they were counted: a handful in months is maintenance."""

from __future__ import annotations

import pytest
from small_fabric import NOISE, Story, of, story

from ibforensic.model.enums import Role
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.healthy import healthy_pair


def _apart(days: float) -> Story:
    """A calm fabric, so many days apart."""
    pair = healthy_pair(make_fabric(2, 2, 3, 3, 5, unused_ports=2), days=days, seed=5)
    for sample in (pair.baseline, pair.current):
        for counts in sample.counters.values():
            counts.update(dict.fromkeys(NOISE, 0))
    return Story(pair)


def _host_falls(told: Story, times: int) -> None:
    for index in range(3):
        told.fall(told.peer(told.hca(1, index)), told.hca(1, index), downs=times)


@pytest.mark.parametrize(("days", "named"), [(1, True), (7, True), (30, True), (240, False)])
def test_a_host_that_went_down_six_times_is_named_where_that_was_within_days(days, named):
    told = _apart(days)
    _host_falls(told, 6)
    comparison = told.compare()
    assert [suspect.component for suspect in comparison.judgement.suspects] == ["host"] * named
    (item,) = of(comparison, "node_restarts")
    assert item.message.id == ("node_restarts.again" if named else "node_restarts.once")


def test_the_sentence_says_in_which_time_a_host_went_down():
    told = _apart(7)
    _host_falls(told, 6)
    (item,) = of(told.compare(), "node_restarts")
    assert item.message.text.endswith("about 6 times in 7.0 d")


def test_a_host_that_goes_down_every_other_day_is_named_however_long_it_was_watched():
    told = _apart(240)
    _host_falls(told, 120)
    assert told.compare().judgement.suspects[0].component == "host"


@pytest.mark.parametrize(("days", "named"), [(1, True), (7, True), (240, False)])
def test_a_link_that_went_down_eight_times_is_named_where_that_was_within_days(days, named):
    told = _apart(days)
    told.fall(*told.uplink(), downs=8)
    comparison = told.compare()
    assert len(comparison.judgement.suspects) == named
    (item,) = of(comparison, "link_down")
    assert item.weight < 3 or named


def test_without_a_time_a_link_that_went_down_eight_times_is_named_as_before():
    told = story()
    told.fall(*told.uplink(), downs=8)
    told.edit(lambda sheet: sheet.drop("NODES_INFO"))
    assert len(told.compare().judgement.suspects) == 1
    assert told.switch(Role.LEAF) in {end.node_guid for end in told.link(told.uplink()[0])}
