"""Why links went down, as their ports tell it: who is responsible, and what is no fault (demand D-19)."""

from __future__ import annotations

import pytest
from rule_cases import says
from small_fabric import of, story

from ibforensic.model.down_reasons import REASONS, Told, by_number, by_words
from ibforensic.model.enums import Component

FEW = 3
MANY = 12


def _flapping(code, end=0, downs=FEW, **more):
    """A link that went down, and the reason that one of its ends gives: leaf's or spine's."""
    told = story()
    told.fall(*told.uplink(), downs=downs)
    says(told, told.uplink()[end], code, **more)
    return told


def _accused(comparison):
    return [suspect.link for suspect in comparison.judgement.suspects]


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("code", [2, 3, 4, 5, 6, 9, 10, 11, 13, 16, 18])
def test_d19_a_lost_signal_blames_what_arrives_at_the_end_that_says_so(code, end):
    told = _flapping(code, end)
    here, there = told.uplink()[end], told.uplink()[1 - end]
    comparison = told.compare()
    (suspect,) = comparison.judgement.suspects
    assert suspect.direction == (there, here)
    assert suspect.end == here
    (item,) = of(comparison, "down_reason")
    assert (item.where, item.towards, item.after) == (here, here, code)
    assert f"(reason {code})" in item.message.text
    assert REASONS[code].words in item.message.text


@pytest.mark.parametrize("code", [23, 24, 25, 26, 27])
@pytest.mark.parametrize("end", [0, 1])
def test_d19_a_module_that_was_pulled_hot_or_without_power_is_that_of_the_end_that_says_so(code, end):
    told = _flapping(code, end, MANY)
    (suspect,) = told.compare().judgement.suspects
    assert suspect.end == told.uplink()[end]
    assert suspect.component in (Component.TRANSCEIVER, Component.CONNECTOR)


@pytest.mark.parametrize("code", [7, 12, 14])
def test_d19_buffers_and_credits_are_those_of_the_port_and_no_cable(code):
    told = _flapping(code, 1, MANY)
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.component, suspect.end) == (Component.PORT, told.uplink()[1])


@pytest.mark.parametrize("code", [15, 17, 19, 22])
def test_d19_downs_by_command_are_no_flap(code):
    told = _flapping(code)
    comparison = told.compare()
    assert comparison.document["verdict"] == "no_suspect"
    (item,) = of(comparison, "link_down")
    assert item.message.id == "link_down.explained"
    assert f"(reason {code})" in item.message.text
    assert "by command" in item.message.text


def test_d19_one_command_does_not_explain_dozens_of_downs():
    told = _flapping(22, downs=40)
    assert _accused(told.compare()) == [told.link(told.uplink()[0])]


def test_d19_a_link_that_is_gone_by_command_is_no_broken_one():
    told = story()
    told.unplug(told.uplink()[0])
    broken = told.compare().judgement.suspects[0]
    says(told, told.uplink()[0], 22)
    (item,) = of(told.compare(), "link_lost")
    assert (item.message.id, broken.evidence[0].message.id) == ("link_lost.shut", "link_lost.gone")
    assert told.compare().document["verdict"] == "no_suspect"


def test_d19_a_reset_of_the_other_end_that_the_tool_names_explains_downs():
    told = _flapping(37, down_reason_text="Peer side down due to reset event")
    assert told.compare().document["verdict"] == "no_suspect"
    # Its number alone does not: tables of tools differ there.
    assert of(_flapping(37).compare(), "link_down")[0].message.id == "link_down.unexplained"


@pytest.mark.parametrize("code", [20, 21])
def test_d19_an_echo_points_to_the_other_end(code):
    """The leaf lost the signal, the spine only saw the leaf go: what arrives at the leaf is bad."""
    told = _flapping(3)
    says(told, told.uplink()[1], code)
    comparison = told.compare()
    first, echo = sorted(of(comparison, "down_reason"), key=lambda item: -item.weight)
    assert (first.where, echo.where, echo.weight) == (*told.uplink(), 0)
    assert "the other end took it down" in echo.message.text
    assert first.weight > of(_flapping(3).compare(), "down_reason")[0].weight
    (suspect,) = comparison.judgement.suspects
    assert suspect.end == told.uplink()[0]
    assert {item.message.id for item in suspect.evidence} >= {"down_reason.echo", "down_reason.signal"}


@pytest.mark.parametrize("code", [29, 40, 61, 999])
def test_d19_an_unknown_number_is_shown_as_not_known_and_blames_nobody(code):
    told = _flapping(code, downs=MANY)
    comparison = told.compare()
    (item,) = of(comparison, "down_reason")
    assert f"(reason {code})" in item.message.text
    assert "not known" in item.message.text
    assert item.weight == 0
    plain = story()
    plain.fall(*plain.uplink(), downs=MANY)
    (suspect,), (same,) = comparison.judgement.suspects, plain.compare().judgement.suspects
    assert (suspect.score, suspect.end) == (same.score, same.end)


def test_d19_a_reason_that_is_told_with_a_link_that_did_not_go_down_says_nothing():
    told = story()
    says(told, told.uplink()[0], 2)
    assert told.compare().judgement.evidence == ()


def test_d19_the_reason_of_the_baseline_counts_half():
    told = _flapping(2)
    told.said[0].update(told.said[1])
    old, new = (of(one.compare(), "down_reason")[0].weight for one in (told, _flapping(2)))
    assert old == pytest.approx(new / 2)


def test_d19_thermal_shutdown_is_told_although_no_other_sign_of_heat_is_there():
    """Fourth row of the truth table: a flap by heat is one, whatever the other side did."""
    told = _flapping(25, downs=MANY)
    (suspect,) = told.compare().judgement.suspects
    assert "thermal shutdown (reason 25)" in " ".join(item.message.text for item in suspect.evidence)


def test_words_of_a_tool_are_known_in_its_spelling():
    assert by_words("Cable_unplugged") is REASONS[23]
    assert by_words("Hi_BER") is REASONS[2]
    assert by_words("Thermal event") is None
    assert by_words("") is by_words(None) is None


def test_the_end_to_end_scale_numbers_the_other_side_from_100():
    assert by_number(102, "e2e") is REASONS[2]
    assert by_number(102).told is Told.UNKNOWN
    assert by_number(None) is None


def test_no_number_is_in_the_table_twice_and_every_one_has_words():
    assert all(code == reason.code and reason.words for code, reason in REASONS.items())


def test_d19_a_port_that_is_down_now_tells_why_and_by_command_it_is_no_fault():
    """Cable unplugged is the fault of somebody at that end; a command is nobody's."""
    for code, verdict in ((23, "suspects"), (22, "no_suspect")):
        told = story()
        port = told.hca()
        told.after.append(lambda sheet, port=port: sheet.row("PORTS", port).update(PortState="2"))
        says(told, port, code)
        comparison = told.compare()
        assert comparison.document["verdict"] == verdict
        assert {item.after for item in of(comparison, "down_reason")} == {code}
