"""Steps, doubts, gaps and commands of a suspect in every rendering, and in none for older documents."""

from __future__ import annotations

import copy

import pytest
import report_cases as cases
from page import Page

from ibforensic.model.enums import Component
from ibforensic.report.html import render_html
from ibforensic.report.ports import blame, touch
from ibforensic.report.terminal import render_terminal
from ibforensic.report.ticket import ticket

SAID = (
    "Swap the cable of leaf-01 port 12.",
    "If the errors stay at leaf-01 port 12, it is the port.",
    "no bit error ratios of leaf-01 port 12",
    "run ibdiagnet with --get_phy_info",
    "perfquery -x 12 4",
    "the counters of leaf-01 port 12",
    "the highest of 1,204 HDR optical switch ports",
)
NEAR = "leaf-01 port 12 (label 1/12/1)"
KEYS = ("actions", "disproof", "missing", "confirm", "parts", "around")


def _older(doc):
    doc = copy.deepcopy(doc)
    for suspect in doc["suspects"]:
        for key in KEYS:
            del suspect[key]
        for item in suspect["evidence"]:
            del item["place"], item["lanes"], item["steps"]
    return doc


@pytest.mark.parametrize("words", SAID)
def test_the_page_and_the_ticket_say_it(words):
    doc = cases.with_victims()
    assert words in Page(render_html(doc, generated_at=None)).text
    assert words in ticket(doc["suspects"][0], doc)


def test_an_older_document_is_shown_without_it():
    doc = _older(cases.with_victims())
    assert "To prove this wrong" not in Page(render_html(doc, generated_at=None)).text
    assert "To prove this wrong" not in ticket(doc["suspects"][0], doc)
    assert "Check with" not in render_terminal(doc, width=100, colour=False)


def test_the_first_screen_shows_one_command_and_the_long_one_all():
    doc = cases.with_victims()
    short = render_terminal(doc, width=100, colour=False)
    assert "Check with  perfquery -x 12 4\n" in short
    assert "ibstat mlx5_0" not in short
    assert "ibstat mlx5_0  (on leaf-01 port 12)" in render_terminal(doc, width=100, colour=False, every=True)


def test_a_command_is_the_first_to_go_and_is_never_broken():
    doc = cases.with_victims()
    doc["suspects"][0]["confirm"][0]["command"] = "perfquery -x -G 0x0123456789abcdef 4 " * 4
    text = render_terminal(doc, width=100, colour=False)
    assert "Check with" not in text
    assert len(text.splitlines()) <= 25


@pytest.mark.parametrize(
    ("extra", "sure", "begin"),
    [
        (
            {"component": Component.TRANSCEIVER},
            0.75,
            f"The transceiver in {NEAR} is likely",
        ),
        (
            {"component": Component.CONNECTOR},
            0.95,
            f"The connector at {NEAR} is very likely",
        ),
        (
            {"component": Component.CONNECTOR},
            0.4,
            f"The link at {NEAR} is very likely",
        ),
        ({"component": Component.PORT}, 0.8, f"{NEAR} is likely to blame"),
        ({"component": Component.LINK}, 0.5, f"The link at {NEAR} is very likely"),
        (
            {"component": Component.CABLE, "end": None, "direction": None},
            0.8,
            f"The cable between {NEAR} ↔ gpu-001 mlx5_0 port 1 is likely to blame",
        ),
        (
            {"component": Component.CABLE, "end": None, "direction": None},
            0.4,
            f"Link {NEAR} ↔ gpu-001 mlx5_0 port 1 is very likely to blame",
        ),
    ],
)
def test_the_part_is_named_where_it_is_likely_and_else_the_link(extra, sure, begin):
    doc = cases.case(suspects=(cases.suspect(confidence=cases.Confidence(0.95, 0.92, sure), **extra),))
    assert blame(doc["suspects"][0]).startswith(begin)


@pytest.mark.parametrize(
    ("component", "end"),
    [(Component.HCA, "itself, not about its cable."), (Component.SWITCH, "not about one port.")],
)
def test_a_device_with_one_port_is_not_told_from_its_ports(component, end):
    alone = {"link": None, "end": None, "direction": None, "node_guid": cases.guid(0x9001)}
    doc = cases.case(suspects=(cases.suspect(component=component, **alone),))
    assert touch(doc["suspects"][0]).endswith(end)
