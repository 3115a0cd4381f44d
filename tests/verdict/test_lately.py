"""Whether a fault still goes on, where more than two samples were taken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_fabric import story

from ibforensic import pipeline
from ibforensic.report.ports import goes_on
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec


def several(samples=3):
    """A bad link that goes on, seen in some samples a side."""
    spec = parse_spec("fat-tree:leaf=4,spine=2,hosts=8")
    order = Order(spec, faults=(FaultKind.BAD_LINK,), seed=4, samples=samples)
    return pipeline.simulated(order)[:2]


def test_what_goes_on_is_said_to():
    suspect = pipeline.diff(*several()).document["suspects"][0]
    assert suspect["lately"]["message"] == "lately.goes_on"
    assert "minutes" in suspect["lately"]["text"]


def test_what_was_counted_before_the_last_step_may_be_over():
    """The last sample is the one before it once more, some minutes later."""
    baseline, current = several()
    *earlier, before, last = current.samples
    stands = replace(last, tables=dict(before.tables))
    comparison = pipeline.diff(baseline, replace(current, samples=(*earlier, before, stands)))
    suspect = comparison.document["suspects"][0]
    assert suspect["lately"]["message"] == "lately.over"
    for form in ("text", "markdown", "html"):
        text = " ".join(pipeline.render(comparison.document, form).split())
        assert "none of it was counted: it may be over" in text


def test_two_samples_do_not_tell_it():
    told = story()
    told.damage(told.uplink()[0])
    suspect = told.compare().document["suspects"][0]
    assert suspect["lately"] is None
    assert goes_on(suspect) == ""


@pytest.mark.parametrize("earlier", [{}, {"lately": None}])
def test_earlier_documents_do_not_tell_it(earlier):
    assert goes_on(earlier) == ""
