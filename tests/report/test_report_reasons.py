"""Which reasons stand on the first screen: the strongest of each kind, not four counters in a row."""

from __future__ import annotations

import copy

import pytest
import report_cases as cases

from ibforensic.report.reasons import telling
from ibforensic.report.terminal import render_terminal


def suspect(*kinds: str, component: str = "link", because: str | None = None):
    """A suspect with evidence of some kinds, the strongest first."""
    evidence = [{"kind": kind, "at": at} for at, kind in enumerate(kinds)]
    return {
        "evidence": evidence,
        "component": component,
        "because": {"message": because} if because else None,
    }


@pytest.mark.parametrize(
    ("kinds", "component", "because", "order"),
    [
        (("errors", "errors", "errors", "light"), "link", None, [0, 3, 1, 2]),
        (("shared", "errors", "errors", "heat"), "cooling", None, [0, 3, 1, 2]),
        (("errors", "bits", "heat"), "transceiver", "because.hot", [0, 2, 1]),
        (("errors", "bits", "heat"), "transceiver", "because.light_fine", [0, 1, 2]),
        (("heat", "errors"), "cooling", None, [0, 1]),
        ((), "link", None, []),
    ],
)
def test_the_strongest_of_each_kind_goes_before_the_second_of_one(kinds, component, because, order):
    told = telling(suspect(*kinds, component=component, because=because))
    assert [item["at"] for item in told] == order


def test_the_first_screen_shows_other_kinds_before_more_of_one():
    doc = copy.deepcopy(cases.with_victims())
    first = doc["suspects"][0]
    (model,) = first["evidence"][:1]
    kinds = ("physical_errors", "physical_errors", "physical_errors", "physical_errors", "heat")
    first["evidence"] = [
        {**model, "kind": kind, "text": f"reason {at} of {kind}", "message": "told", "params": {}}
        for at, kind in enumerate(kinds)
    ]
    shown = render_terminal(doc, width=100, colour=False)
    assert "reason 0 of physical_errors" in shown
    assert "reason 4 of heat" in shown
    assert "reason 3" not in shown
    every = render_terminal(doc, width=100, colour=False, every=True)
    assert [every.index(f"reason {at} of") for at in range(5)] == sorted(
        every.index(f"reason {at} of") for at in range(5)
    )
