"""Links that go down: what is said of them, of whom, and how bad it is."""

from __future__ import annotations

import pytest
from small_fabric import of, story
from small_phy import DAY, dim, noisy, read_since

from ibforensic.model.enums import Component

TRAINING = {"symbol_error_counter": 23}


def _only(told):
    (suspect,) = told.compare().judgement.suspects
    return suspect


def _texts(suspect):
    """All sentences that advise about a suspect."""
    said = [suspect.headline, suspect.next_action, suspect.because, *suspect.disproof]
    said += [one for step in suspect.actions for one in (step.do, step.look_for) if one]
    return [one.text for one in said if one]


def _flapping(downs=17, ends=(0, 1), **counts):
    """An uplink that went down so often in seven days, with the same errors at some of its ends."""
    told = story()
    told.fall(*told.uplink(), downs=downs)
    for end in ends:
        told.count(told.uplink()[end], **counts)
    return told


@pytest.mark.parametrize("ends", [(0,), (0, 1)], ids=["one end", "both ends"])
def test_errors_of_training_say_neither_that_the_link_damages_packets_nor_where_it_is_bad(ends):
    suspect = _only(_flapping(ends=ends, **TRAINING))
    assert suspect.headline.id == "headline.flaps"
    assert (suspect.component, suspect.end, suspect.direction) == (Component.LINK, None, None)
    assert suspect.next_action.id == "action.both_ends"
    assert suspect.because.id == "because.nothing"


def test_errors_far_beyond_training_at_both_ends_are_damage_in_both_directions():
    told = _flapping()
    for end in told.uplink():
        told.damage(end, times=20)
    assert _only(told).headline.id == "headline.both"


def test_errors_far_beyond_training_at_one_end_are_damage_of_one_direction():
    told = _flapping()
    told.damage(told.uplink()[1], times=20)
    suspect = _only(told)
    assert suspect.headline.id == "headline.direction"
    assert suspect.direction == told.uplink()


def test_a_link_that_recovers_again_and_again_is_called_that():
    told = story()
    for end in told.uplink():
        told.count(end, link_error_recovery_counter=40, symbol_error_counter=12)
    suspect = _only(told)
    assert suspect.headline.id == "headline.recovers"
    assert (suspect.component, suspect.end) == (Component.LINK, None)


def test_more_errors_than_recoveries_are_damage():
    told = story()
    for end in told.uplink():
        told.count(end, link_error_recovery_counter=40, symbol_error_counter=4_000)
    assert _only(told).headline.id == "headline.both"


def test_downs_counted_at_the_only_end_that_was_read_tell_of_no_end_and_of_no_light():
    told = story()
    hca = told.hca(1)
    leaf = told.peer(hca)
    told.fall(leaf, downs=42)
    told.count(leaf, symbol_error_counter=8)
    told.after.append(lambda sheet: sheet.keep("PM_INFO", lambda row: row["NodeGUID"] != hca.node_guid))
    suspect = _only(told)
    assert suspect.link == told.link(hca)
    assert (suspect.component, suspect.end) == (Component.LINK, None)
    assert not [text for text in _texts(suspect) if "light" in text]


@pytest.mark.parametrize(("downs", "severity"), [(6, "minor"), (9, "minor"), (11, "major"), (60, "major")])
def test_ten_downs_that_nothing_explains_are_major(downs, severity):
    assert _only(_flapping(downs)).severity == severity


def test_the_headline_says_since_when_a_link_that_went_down_often_has_been_up():
    told = story(phy=True)
    told.fall(*told.uplink(), downs=12)
    for end in told.uplink():
        read_since(told.pair.current, end, 5 * DAY)
    suspect = _only(told)
    assert suspect.headline.id == "headline.fell_before"
    assert "went down 12 times, and has been up for 5.0 d since" in suspect.headline.text
    assert suspect.severity == "minor"


@pytest.mark.parametrize("seconds", [(720, 720), (5 * DAY, 720), (720, 5 * DAY)])
def test_a_link_keeps_going_down_while_either_end_says_that_it_came_up_just_now(seconds):
    told = story(phy=True)
    told.fall(*told.uplink(), downs=12)
    for end, age in zip(told.uplink(), seconds, strict=True):
        read_since(told.pair.current, end, age)
    suspect = _only(told)
    assert suspect.headline.id == "headline.flaps"
    assert suspect.severity == "major"


def test_a_quiet_time_no_longer_than_usual_between_two_downs_does_not_end_them():
    told = story(phy=True)
    told.fall(*told.uplink(), downs=6)
    for end in told.uplink():
        read_since(told.pair.current, end, DAY)
    suspect = _only(told)
    assert suspect.headline.id == "headline.flaps"


def test_a_clock_that_is_older_than_the_baseline_tells_nothing_of_a_link_that_went_down_since():
    told = story(phy=True)
    told.fall(*told.uplink(), downs=12)
    comparison = told.compare()
    (item,) = of(comparison, "link_down")
    assert "since" not in item.message.params
    assert comparison.judgement.suspects[0].headline.id == "headline.flaps"


def test_one_retrain_with_another_fec_does_not_keep_going_down():
    told = story()
    port = told.hca(1)
    told.fall(port, told.peer(port), downs=1)
    ends = (port, told.peer(port))

    def other(sheet):
        for end in ends:
            sheet.row("PORTS", end)["FECActv"] = "2"

    told.after.append(other)
    assert _only(told).headline.id == "headline.fec"


def test_a_connector_is_advised_by_its_light_where_light_was_measured():
    told = story(phy=True)
    leaf, _ = told.uplink()
    told.damage(leaf)
    noisy(told.pair, leaf, 1e-5)
    dim(told.pair.current, leaf, 4.0)
    suspect = _only(told)
    assert suspect.next_action.id == "action.connector"
    assert [text for text in _texts(suspect) if "light" in text]


def test_errors_both_ways_with_light_as_before_are_of_one_of_two_transceivers_at_no_named_end():
    told = story(phy=True)
    for end, times in zip(told.uplink(), (3, 2), strict=True):
        told.damage(end, times=times)
        noisy(told.pair, end, 1e-6)
    suspect = _only(told)
    assert (suspect.component, suspect.end, suspect.direction) == (Component.TRANSCEIVER, None, None)
    assert suspect.next_action.id == "action.either_module"
    assert suspect.because.id == "because.light_fine_both"
    who = told.compare().facts.who
    assert all(who.call(end) in suspect.next_action.text for end in told.uplink())
