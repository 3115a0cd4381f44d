"""Whether a change is more than the spread of the runs."""

from __future__ import annotations

from itertools import combinations

import pytest

from ibforensic.ladder.bands import Outcome, judge, least_p, rank_p


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ([390], [310], Outcome.SINGLE_RUN),
        ([390, 391, 392], [310], Outcome.SINGLE_RUN),
        ([390, 391], [310, 311], Outcome.TOO_FEW),
        ([390, 391, 392], [310, 311, 309], Outcome.WORSE),
        ([310, 311, 309], [390, 391, 392], Outcome.BETTER),
        ([390, 391, 392], [389.5, 388.0, 389.0], Outcome.SAME),
        ([390, 330, 392], [310, 341, 309], Outcome.UNSURE),
    ],
)
def test_outcomes(before, after, outcome):
    assert judge(before, after, "higher").outcome is outcome


def test_lower_may_be_better_and_may_not_be_known():
    before, after = [1.9, 1.91, 1.92], [2.5, 2.6, 2.4]
    assert judge(before, after, "lower").outcome is Outcome.WORSE
    assert judge(before, after, None).outcome is Outcome.CHANGED


def test_change_tells_medians_ranges_and_numbers():
    change = judge([390, 391, 392], [310, 312, 309], "higher")
    assert (change.before, change.after) == (391, 310)
    assert change.ratio == pytest.approx(310 / 391)
    assert change.ranges == ((390, 392), (309, 312))
    assert change.runs == (3, 3)
    assert judge([0, 0, 0], [1, 2, 3], "lower").ratio is None


def test_p_is_the_share_of_orders_that_lie_so_far_apart():
    before, after = [3, 1, 4], [5, 2, 6, 7]
    values = sorted(before + after)

    def above(one):
        other = [value for value in values if value not in one]
        return sum(b > a for a in one for b in other)

    seen = above(before)
    orders = [above(one) for one in combinations(values, 3)]
    assert rank_p(before, after) == pytest.approx(sum(u >= seen for u in orders) / len(orders))


def test_p_of_sets_apart_is_the_least_and_of_equal_sets_no_chance():
    assert rank_p([1, 2, 3], [4, 5, 6]) == least_p(3, 3) == 0.05
    assert rank_p([5, 5, 5], [5, 5, 5]) > 0.5


def test_p_of_many_values_is_near_the_exact_one():
    before, after = list(range(20)), [value + 3.5 for value in range(20)]
    shorter = rank_p(before, after)
    assert shorter == pytest.approx(rank_p(before, [*after, 11.25]), abs=0.02)
