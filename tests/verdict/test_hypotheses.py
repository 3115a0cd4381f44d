"""Which part of a link it is: the truth table of KNOWLEDGE §1.7 and §3.6, and what must hold for any link."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ibforensic.model.enums import Component
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.verdict.hypotheses import End, Part, Seen, receiver, shares

A, B = PortKey("0x0000000000000001", 3), PortKey("0x0000000000000002", 7)
LINK = LinkKey(A, B)
CABLE, CONNECTOR, TRANSCEIVER, PORT = (
    Component.CABLE,
    Component.CONNECTOR,
    Component.TRANSCEIVER,
    Component.PORT,
)


def seen(a, b, **link) -> Seen:
    """A link; what is given of its ends differs from an end at which nothing was seen."""
    return Seen(LINK, (End(A, **a), End(B, **b)), **link)


def optical(a, b, **link) -> Seen:
    """An optical link whose light was measured at both ends, and is as it was where nothing is given."""
    same = {"lost": 0.0, "unsent": 0.0}
    return seen(same | a, same | b, optical=True, **link)


def best(case: Seen) -> Part:
    """The likeliest part."""
    found = shares(case)
    return max(found, key=lambda part: found[part])


def of_component(case: Seen) -> dict[Component, float]:
    """Component → share, both ends together."""
    found: dict[Component, float] = defaultdict(float)
    for part, share in shares(case).items():
        found[part.component] += share
    return found


TABLE = {
    "dirt: less light arrives, as much is sent": (
        optical({"damage": 9, "lost": 4.0}, {}),
        Part(CONNECTOR, A),
    ),
    "dirt that harms nothing yet": (optical({"lost": 3.0}, {}), Part(CONNECTOR, A)),
    "a bent fibre: less light arrives at both ends": (
        optical({"damage": 9, "lost": 4.0}, {"damage": 8, "lost": 4.2}),
        Part(CABLE, None),
    ),
    "a bent fibre of which one direction has errors": (
        optical({"damage": 9, "lost": 4.0}, {"lost": 3.6}),
        Part(CABLE, None),
    ),
    "a transmitter that decays: less is sent for more current": (
        optical({"damage": 9}, {"unsent": 3.0, "ageing": True}),
        Part(TRANSCEIVER, B),
    ),
    "a transmitter that decays without more current": (
        optical({"damage": 9}, {"unsent": 3.0}),
        Part(TRANSCEIVER, B),
    ),
    "a bad module: errors, and the light is fine": (optical({"damage": 9}, {}), Part(TRANSCEIVER, A)),
    "a bad module: errors both ways, and the light is fine": (
        optical({"damage": 9}, {"damage": 7}),
        Part(TRANSCEIVER, A),
    ),
    "a loose module: the same, and the link keeps going down": (
        optical({"damage": 9}, {}, flaps=30.0),
        Part(TRANSCEIVER, A),
    ),
    "copper with errors both ways": (
        seen({"damage": 9}, {"damage": 8}, copper=True),
        Part(CABLE, None),
    ),
    "copper with errors one way": (seen({"damage": 9}, {}, copper=True), Part(PORT, A)),
    "copper that lost a lane": (
        seen({"damage": 4}, {"damage": 3}, copper=True, narrower=True),
        Part(CABLE, None),
    ),
    "a module that got hot": (optical({"damage": 2, "hot": 4.0}, {}), Part(TRANSCEIVER, A)),
    "a hot module that harms nothing yet": (optical({"hot": 4.0}, {}), Part(TRANSCEIVER, A)),
    "errors stayed with the port although its module was changed": (
        optical({"damage": 9, "stayed": True}, {}),
        Part(PORT, A),
    ),
    "errors came along with the module": (
        optical({"damage": 9, "followed": True}, {}),
        Part(TRANSCEIVER, A),
    ),
    "copper was changed and the errors stayed": (
        seen({"damage": 9, "stayed": True}, {}, copper=True),
        Part(PORT, A),
    ),
    "copper was carried here and the errors came along": (
        seen({"damage": 9, "followed": True}, {"damage": 8}, copper=True),
        Part(CABLE, None),
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_signs_name_the_part(name):
    case, part = TABLE[name]
    assert best(case) == part


@pytest.mark.parametrize("name", TABLE)
def test_it_is_the_same_from_the_other_end(name):
    case, part = TABLE[name]
    mirrored = replace(case, ends=(replace(case.ends[1], port=A), replace(case.ends[0], port=B)))
    other = {A: B, B: A, None: None}
    assert best(mirrored) == Part(part.component, other[part.end])


@pytest.mark.parametrize("links", [{}, {"optical": True}])
def test_where_nothing_is_known_no_part_stands_out(links):
    found = shares(seen({}, {}, **links))
    assert max(found.values()) < 0.4
    assert of_component(seen({}, {}, **links))[PORT] < 0.25


def test_where_only_errors_are_known_the_receiving_end_is_named_but_no_part():
    found = shares(seen({"damage": 9}, {}))
    at_a = sum(share for part, share in found.items() if part.end == A)
    assert at_a > 0.6
    assert max(found.values()) < 0.6


def test_copper_has_neither_connectors_to_clean_nor_modules():
    found = of_component(seen({"damage": 9}, {}, copper=True))
    assert set(found) == {CABLE, PORT}


def test_errors_one_way_name_the_receiver_and_errors_both_ways_nobody():
    assert receiver(seen({"damage": 9}, {"damage": 2})) == End(A, damage=9)
    assert receiver(seen({"damage": 2}, {"damage": 9})) == End(B, damage=9)
    assert receiver(seen({"damage": 9}, {"damage": 8})) is None
    assert receiver(seen({}, {})) is None


LESS = st.one_of(st.just(math.nan), st.floats(-2, 40))
END = st.fixed_dictionaries(
    {
        "damage": st.floats(0, 60),
        "lost": LESS,
        "unsent": LESS,
        "ageing": st.booleans(),
        "hot": st.floats(0, 8),
        "stayed": st.booleans(),
        "followed": st.booleans(),
    }
)
LINKS = st.fixed_dictionaries(
    {
        "copper": st.booleans(),
        "optical": st.booleans(),
        "flaps": st.floats(0, 500),
        "narrower": st.booleans(),
    }
)


@settings(max_examples=150)
@given(END, END, LINKS)
def test_shares_add_up_to_one(a, b, link):
    found = shares(seen(a, b, **link))
    assert sum(found.values()) == pytest.approx(1)
    assert all(0 <= share <= 1 for share in found.values())


@settings(max_examples=150)
@given(END, END, LINKS)
def test_the_order_of_the_ends_means_nothing(a, b, link):
    here, there = shares(seen(a, b, **link)), shares(seen(b, a, **link))
    other = {A: B, B: A, None: None}
    for part, share in here.items():
        assert there[Part(part.component, other[part.end])] == pytest.approx(share)


BOTH_WAYS = {"damage": 1.0, "unsent": 0.0}


@example(BOTH_WAYS, BOTH_WAYS, {"optical": True}, 0.5, 0.25)
@example(BOTH_WAYS, BOTH_WAYS, {"optical": True, "narrower": True}, 0.0, 1.0)
@settings(max_examples=150)
@given(END, END, LINKS, st.floats(0, 10), st.floats(0, 10))
def test_more_light_lost_at_one_end_never_speaks_against_its_connector(a, b, link, lost, more):
    link, b = link | {"copper": False}, b | {"lost": 0.0}
    part = Part(CONNECTOR, A)
    less = shares(seen(a | {"lost": lost}, b, **link))[part]
    assert shares(seen(a | {"lost": lost + more}, b, **link))[part] >= less - 1e-9


@settings(max_examples=150)
@given(END, END, LINKS, st.floats(0, 30))
def test_more_damage_at_an_end_never_speaks_against_it(a, b, link, more):
    def at_a(case):
        return sum(share for part, share in shares(case).items() if part.end == A)

    b = b | {"damage": 0.0}
    less = seen(a | {"damage": 1.0 + a["damage"]}, b, **link)
    assert at_a(seen(a | {"damage": 1.0 + a["damage"] + more}, b, **link)) >= at_a(less) - 1e-9
