"""Rows of evidence: what stands in the columns does not contradict the sentence beside it."""

from __future__ import annotations

import pytest
import report_cases as cases

from ibforensic.model.enums import DeltaClass
from ibforensic.report.rows import evidence_row


def row(params, **extra):
    suspect = cases.suspect(evidence=(cases.evidence(cases.leaf(1, 12), **extra),))
    item = cases.case(suspects=(suspect,))["suspects"][0]["evidence"][0]
    return evidence_row({**item, "params": params})


@pytest.mark.parametrize(
    ("before", "after", "cleared"),
    [(0, 0, True), (0, 1, True), (400, 90, True), (0, 500, False), (7, 508, False)],
)
def test_growth_over_several_samples_that_the_two_values_do_not_show_is_explained(before, after, cleared):
    told = row({"delta": 500}, before=before, after=after, unit="events", delta=DeltaClass.AT_LEAST)
    assert ("cleared in between" in told["unit"]) == cleared
    assert told["unit"].startswith("events")


@pytest.mark.parametrize(
    ("said", "shown"), [("below 6.5e-18", "below 6.5e-18"), ("6.5e-18", "6.5e-18"), ("not known", "-")]
)
def test_an_upper_limit_is_no_exact_value(said, shown):
    before = None if said == "not known" else 6.5e-18
    assert row({"before": said}, before=before, after=1e-7)["before"] == shown
