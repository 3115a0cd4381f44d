"""Why it is this part of the link: one sentence that is true of what was seen."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_hypotheses import CABLE, CONNECTOR, PORT, TRANSCEIVER, A, B, optical, seen

from ibforensic import pipeline
from ibforensic.model.enums import Component
from ibforensic.report.ports import singled_out, why_part
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.verdict.because import because


class Names:
    """Names of the two ends."""

    def call(self, port):
        return {A: "leaf port 3", B: "spine port 7"}[port]


@pytest.mark.parametrize(
    ("component", "end", "case", "expected"),
    [
        (
            CONNECTOR,
            A,
            optical({"damage": 9, "lost": 4.04}, {}),
            "leaf port 3 receives 4.0 dB less light than before, although spine port 7 sends as much",
        ),
        (
            CONNECTOR,
            B,
            optical({}, {"damage": 9, "lost": 2.0, "unsent": math.nan}),
            "spine port 7 receives 2.0 dB less light than before, although leaf port 3 sends as much",
        ),
        (
            CONNECTOR,
            A,
            seen({"damage": 9, "lost": 3.0}, {}, optical=True),
            "leaf port 3 receives 3.0 dB less light than before; "
            "nobody tells whether spine port 7 sends less",
        ),
        (
            CONNECTOR,
            A,
            optical({"damage": 9, "lost": 3.0}, {"unsent": 1.5}),
            "leaf port 3 receives 3.0 dB less light than before, beyond what spine port 7 sends less",
        ),
        (
            TRANSCEIVER,
            B,
            optical({"damage": 9}, {"unsent": 3.0, "ageing": True}),
            "spine port 7 sends 3.0 dB less light than before, although its laser gets more current",
        ),
        (
            TRANSCEIVER,
            A,
            optical({"damage": 9}, {}),
            "errors arrive at leaf port 3 although as much light arrives as before: what receives it is bad",
        ),
        (TRANSCEIVER, A, seen({"damage": 9, "hot": 2.0}, {}), "the module in leaf port 3 got hot"),
        (
            PORT,
            A,
            optical({"damage": 9, "stayed": True}, {}),
            "the module in leaf port 3 was changed, and the errors stayed",
        ),
        (
            PORT,
            A,
            seen({"damage": 9}, {}, copper=True),
            "errors arrive mostly at leaf port 3, and a bad copper cable damages both directions as a rule",
        ),
        (
            CABLE,
            None,
            seen({"damage": 9}, {"damage": 8}, copper=True),
            "both directions are damaged, and the cable is what they have in common",
        ),
        (
            CABLE,
            None,
            optical({"lost": 2.0}, {"lost": 2.0}),
            "less light arrives at both ends than before",
        ),
    ],
)
def test_the_reason_is_what_tells_the_parts_apart(component, end, case, expected):
    assert because(component, end, case, Names()).text == expected


@pytest.mark.parametrize("component", [CONNECTOR, TRANSCEIVER, PORT, CABLE])
def test_where_nothing_tells_them_apart_that_is_said(component):
    end = None if component is CABLE else A
    told = because(component, end, seen({"damage": 9}, {}), Names())
    assert told.id.startswith("because.likely")
    assert told.text.startswith("nothing singles it out for certain")
    assert not singled_out({"because": {"message": told.id}})


def test_what_a_rule_names_outright_needs_no_reason():
    for component in (Component.HOST, Component.SWITCH, Component.CONFIG, Component.HCA):
        assert because(component, None, seen({"damage": 9}, {}), Names()) is None


REALS = st.sampled_from([math.nan, -0.3, 0.0, 0.8, 1.0, 5.0])
ENDS = st.fixed_dictionaries(
    {
        "damage": st.sampled_from([0.0, 1.0, 9.0]),
        "lost": REALS,
        "unsent": REALS,
        "hot": st.sampled_from([0.0, 2.0]),
        **dict.fromkeys(
            ("ageing", "stayed", "followed", "signal_lost", "module_failed", "logic_failed"), st.booleans()
        ),
    }
)


@given(ENDS, ENDS, st.booleans(), st.booleans(), st.booleans())
def test_no_reason_names_what_was_not_measured(one, other, copper, lit, narrower):
    case = seen(one, other, copper=copper, optical=lit, narrower=narrower)
    places = [(CABLE, None), (Component.LINK, None), *product((CONNECTOR, TRANSCEIVER, PORT), (A, B))]
    for component, end in places:
        told = because(component, end, case, Names())
        assert "nan" not in told.text
        assert {*told.params} <= {"near", "far", "lost", "unsent"}
        if end is not None and "near" in told.params:
            assert told.params["near"] == Names().call(end)
        for name in ("lost", "unsent"):
            assert told.params.get(name, 1.0) >= 1.0


def test_a_document_says_it_and_so_do_the_texts_made_of_it():
    spec = parse_spec("fat-tree:leaf=4,spine=2,hosts=8")
    baseline, current, _ = pipeline.simulated(Order(spec, faults=(FaultKind.DIRTY_CONNECTOR,), seed=4))
    document = pipeline.diff(baseline, current).document
    suspect = document["suspects"][0]
    assert suspect["because"]["message"] == "because.light_lost"
    assert why_part(suspect).startswith("the connector: ")
    for form in ("text", "markdown", "html"):
        assert "dB less light than before, although" in " ".join(pipeline.render(document, form).split())
