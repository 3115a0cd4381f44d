"""Growth of a counter against a reference model of a register."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.diff.deltas import Known, add, fell, grow
from ibforensic.diff.merge import Cells
from ibforensic.model.enums import DeltaClass, Quality

BITS = 4
FULL = (1 << BITS) - 1
CLEAR = -1


class Register:
    """What a device does: it counts, sticks when full, and is cleared now and then."""

    def __init__(self):
        self.since_clear = 0
        self.ever = 0
        self.clears = 0

    def live(self, events):
        for event in events:
            if event == CLEAR:
                self.since_clear = 0
                self.clears += 1
            else:
                self.since_clear += event
                self.ever += event

    def read(self, wide):
        if wide:
            return self.since_clear, Quality.WIDE
        value = min(self.since_clear, FULL)
        return value, Quality.SATURATED if value == FULL else Quality.NARROW


EVENTS = st.lists(st.one_of(st.integers(0, 6), st.integers(0, 6), st.just(CLEAR)), max_size=6)


def lives():
    """Strategy: the life of one register before and between two readings, and how it is read."""
    return st.tuples(EVENTS, EVENTS, st.booleans(), st.booleans())


def cells(readings):
    return Cells(
        np.array([value for value, _ in readings], dtype=np.uint64),
        np.array([int(quality) for _, quality in readings], dtype=np.uint8),
    )


def one(value, quality):
    return cells([(value, quality)])


def mask(*values):
    return np.array(values, dtype=np.bool_)


def observe(histories):
    """Run the registers; return both readings, true growth, and whether each was cleared in between."""
    before, after, truth, cleared = [], [], [], []
    for first, second, wide_before, wide_after in histories:
        register = Register()
        register.live(first)
        before.append(register.read(wide_before))
        ever, clears = register.ever, register.clears
        register.live(second)
        after.append(register.read(wide_after))
        truth.append(register.ever - ever)
        cleared.append(register.clears > clears)
    return cells(before), cells(after), np.array(truth, dtype=np.int64), mask(*cleared)


def none(growth):
    return np.zeros(len(growth), dtype=np.bool_)


def check(growth, truth):
    """What holds for every growth: it is no more than what happened, and nothing where nothing is told."""
    delta = growth.delta.astype(np.int64)
    assert growth.delta.dtype == np.uint64
    assert (delta >= 0).all()
    assert (delta <= truth).all()
    assert (delta[~growth.told] == 0).all()
    assert not growth.grew[~growth.told].any()


@settings(max_examples=200, deadline=None)
@given(st.lists(lives(), min_size=1, max_size=20))
def test_a_growth_never_exceeds_what_happened_where_clears_are_known(histories):
    before, after, truth, cleared = observe(histories)
    growth = grow(before, after, FULL, cleared, none(truth))
    check(growth, truth)
    exact = growth.known == int(Known.EXACT)
    assert (growth.delta[exact].astype(np.int64) == truth[exact]).all()
    full = (before.quality == int(Quality.SATURATED)) | (after.quality == int(Quality.SATURATED))
    assert (exact == (~cleared & ~full)).all()
    assert (growth.known[cleared] == int(Known.AT_LEAST)).all()


@settings(max_examples=200, deadline=None)
@given(st.lists(lives(), min_size=1, max_size=20))
def test_a_growth_never_exceeds_what_happened_where_clears_are_only_seen(histories):
    before, after, truth, cleared = observe(histories)
    seen = fell(before, after, FULL)
    assert not (seen & ~cleared).any()
    check(grow(before, after, FULL, seen, none(truth)), truth)


@settings(max_examples=100, deadline=None)
@given(st.lists(lives(), min_size=1, max_size=20))
def test_a_doubt_makes_a_lower_bound(histories):
    before, after, truth, cleared = observe(histories)
    seen = fell(before, after, FULL)
    growth = grow(before, after, FULL, seen, cleared & ~seen)
    check(growth, truth)
    exact = growth.known == int(Known.EXACT)
    assert not (exact & cleared).any()
    assert (growth.delta[exact].astype(np.int64) == truth[exact]).all()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2**64 - 1),
            st.sampled_from(Quality),
            st.integers(0, 2**64 - 1),
            st.sampled_from(Quality),
            st.booleans(),
            st.booleans(),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_any_two_cells_give_a_delta_that_neither_wraps_nor_invents(rows):
    before = cells([(value, quality) for value, quality, *_ in rows])
    after = cells([(value, quality) for _, _, value, quality, *_ in rows])
    cleared = mask(*(row[4] for row in rows))
    growth = grow(before, after, FULL, cleared, mask(*(row[5] for row in rows)))
    assert (growth.delta <= np.where(after.known, after.value, np.uint64(0))).all()
    assert (growth.delta[growth.known >= int(Known.UNKNOWN)] == 0).all()
    assert not growth.told[~after.known].any()
    assert not growth.told[~before.known].any()
    exact = growth.known == int(Known.EXACT)
    assert (before.known & after.known & ~cleared)[exact].all()


@pytest.mark.parametrize(
    ("before", "after", "known", "delta"),
    [
        ((3, Quality.NARROW), (9, Quality.NARROW), Known.EXACT, 6),
        ((3, Quality.NARROW), (3, Quality.NARROW), Known.EXACT, 0),
        ((3, Quality.NARROW), (FULL, Quality.SATURATED), Known.AT_LEAST, FULL - 3),
        ((FULL, Quality.SATURATED), (FULL, Quality.SATURATED), Known.UNKNOWN, 0),
        ((FULL, Quality.SATURATED), (40, Quality.WIDE), Known.UNKNOWN, 0),
        ((40, Quality.WIDE), (FULL, Quality.SATURATED), Known.UNKNOWN, 0),
        ((9, Quality.WIDE), (FULL, Quality.SATURATED), Known.AT_LEAST, FULL - 9),
        ((9, Quality.NARROW), (40, Quality.WIDE), Known.EXACT, 31),
        ((3, Quality.NARROW), (0, Quality.FAILED), Known.ABSENT, 0),
        ((3, Quality.NARROW), (0, Quality.UNSUPPORTED), Known.ABSENT, 0),
        ((0, Quality.NOT_COLLECTED), (7, Quality.WIDE), Known.ABSENT, 0),
        ((0, Quality.CORRUPT), (7, Quality.WIDE), Known.UNKNOWN, 0),
        ((7, Quality.WIDE), (0, Quality.CORRUPT), Known.UNKNOWN, 0),
    ],
)
def test_the_class_of_a_growth(before, after, known, delta):
    growth = grow(one(*before), one(*after), FULL, mask(False), mask(False))
    assert (Known(growth.known[0]), growth.delta[0]) == (known, delta)


@pytest.mark.parametrize(
    ("before", "known", "delta"),
    [
        ((9, Quality.NARROW), Known.AT_LEAST, 4),
        ((1, Quality.NARROW), Known.AT_LEAST, 4),
        ((FULL, Quality.SATURATED), Known.AT_LEAST, 4),
        ((0, Quality.NOT_COLLECTED), Known.ABSENT, 0),
    ],
)
def test_after_a_clear_the_value_now_is_a_lower_bound(before, known, delta):
    growth = grow(one(*before), one(4, Quality.NARROW), FULL, mask(True), mask(False))
    assert (Known(growth.known[0]), growth.delta[0]) == (known, delta)


def test_a_full_narrow_register_is_no_fall_from_a_wide_value():
    wide, full = one(1_000, Quality.WIDE), one(FULL, Quality.SATURATED)
    assert not fell(wide, full, FULL)[0]
    assert fell(wide, one(FULL - 1, Quality.NARROW), FULL)[0]
    assert fell(full, one(0, Quality.NARROW), FULL)[0]
    assert not fell(one(5, Quality.FAILED), one(0, Quality.NARROW), FULL)[0]


@settings(max_examples=100, deadline=None)
@given(st.lists(EVENTS, min_size=2, max_size=5), st.lists(st.booleans(), min_size=5, max_size=5))
def test_growth_over_several_samples_never_exceeds_what_happened(lives, wide):
    register = Register()
    readings = []
    for events, as_wide in zip(lives, wide, strict=False):
        register.live(events)
        readings.append((one(*register.read(as_wide)), register.ever))
    steps = [
        grow(then, now, FULL, fell(then, now, FULL), mask(False))
        for (then, _), (now, _) in pairwise(readings)
    ]
    total = add(steps)
    check(total, np.array([readings[-1][1] - readings[0][1]], dtype=np.int64))
    exact = all(step.known[0] == Known.EXACT for step in steps)
    assert (total.known[0] == Known.EXACT) == exact
    assert total.told[0] == any(step.told[0] for step in steps)
    assert total.before.value[0] == readings[0][0].value[0]
    assert total.after.value[0] == readings[-1][0].value[0]


def test_what_no_step_tells_stays_untold():
    gone, full, known = one(0, Quality.FAILED), one(FULL, Quality.SATURATED), one(3, Quality.NARROW)

    def steps(*cells):
        return add([grow(a, b, FULL, mask(False), mask(False)) for a, b in pairwise(cells)])

    assert Known(steps(known, gone, known).known[0]) is Known.ABSENT
    assert Known(steps(full, full, gone).known[0]) is Known.UNKNOWN
    lower = steps(gone, known, one(8, Quality.NARROW))
    assert (Known(lower.known[0]), lower.delta[0]) == (Known.AT_LEAST, 5)


def test_a_window_after_a_clear_is_another_reading_of_the_growth():
    arguments = (one(9, Quality.WIDE), one(4, Quality.WIDE), FULL, mask(True), mask(False))
    for window, delta in ((11, 11), (2, 4), (0, 4)):
        growth = grow(*arguments, np.array([window], dtype=np.uint64))
        assert (Known(growth.known[0]), growth.delta[0]) == (Known.AT_LEAST, delta)


def test_every_class_has_its_word():
    assert [known.word for known in Known] == [
        DeltaClass.EXACT,
        DeltaClass.AT_LEAST,
        DeltaClass.UNKNOWN,
        DeltaClass.ABSENT,
    ]
