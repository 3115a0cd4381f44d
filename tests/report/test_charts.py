"""Charts as numbers: scales, strips, bars and the neighbourhood, without a page around them."""

from __future__ import annotations

from typing import Any

import pytest
import report_cases as cases

from ibforensic.model.enums import Component
from ibforensic.report.charts.around import around_chart
from ibforensic.report.charts.growth import MOST, step_bars
from ibforensic.report.charts.lanes import lane_bars
from ibforensic.report.charts.scale import scale_of
from ibforensic.report.charts.strip import WIDTH, short, strip


def placed(value: float, worst: str = "highest", limit: float | None = None, **levels: float) -> Any:
    quantiles = {"min": 0.0, "p25": 0.0, "p50": 1.0, "p75": 2.0, "p99": 9.0, "max": 1204.0, **levels}
    place = {
        **quantiles,
        "value": value,
        "worst": worst,
        "measure": "symbol_error_counter",
        "class": "ports",
        "of": 40,
        "text": "the highest of 40 ports",
    }
    return {"place": place, "params": {} if limit is None else {"limit": limit}}


def test_small_spans_are_drawn_as_they_are():
    scale = scale_of([10, 20], 0, 100)
    assert [scale.at(value) for value in (10, 12.5, 20)] == [0, 25, 100]


def test_wide_spans_are_drawn_by_their_magnitude():
    scale = scale_of([1e-12, 1e-4], 0, 100)
    assert [scale.at(value) for value in (1e-12, 1e-8, 1e-4)] == [0, 50, 100]


def test_counts_have_a_place_for_zero():
    scale = scale_of([0, 999], 0, 90)
    assert scale.at(0) == 0
    assert scale.at(9) == 30
    assert scale.at(999) == 90


def test_what_is_beyond_a_scale_stands_at_its_end_and_one_value_in_the_middle():
    assert scale_of([1, 2], 0, 100).at(50) == 100
    assert scale_of([1, 2], 0, 100).at(-50) == 0
    assert scale_of([3, 3], 0, 100).at(3) == 50


def test_a_strip_is_in_order_and_ends_with_the_worst_port():
    drawn = strip(placed(1204.0))
    assert drawn is not None
    places = [drawn.low, drawn.quarter, drawn.middle, drawn.three_quarters, drawn.most, drawn.high]
    assert places == sorted(places)
    assert drawn.here == drawn.high == WIDTH - 6
    assert (drawn.low_text, drawn.high_text) == ("0", "1,204")
    assert "1,204 at this port" in drawn.title
    assert "median is 1," in drawn.title


def test_the_limit_stands_on_the_strip_and_takes_the_place_of_a_label_it_would_cover():
    levels = dict.fromkeys(("min", "p25", "p50", "p75"), 1e-12) | {"p99": 1e-4, "max": 1e-4}
    inside = strip(placed(1e-4, limit=1e-8, **levels))
    assert inside is not None
    assert inside.limit == WIDTH / 2
    assert inside.limit_text == "limit 1e-8"
    assert inside.low_text
    assert inside.high_text
    beyond = strip(placed(1204.0, limit=5000))
    assert beyond is not None
    assert beyond.limit == WIDTH - 6
    assert beyond.high_text == ""
    assert "the limit is 5,000" in beyond.title


def test_low_values_may_be_the_worse_ones():
    drawn = strip(placed(0.0, worst="lowest"))
    assert drawn is not None
    assert (drawn.worse, drawn.here) == ("left", drawn.low)


@pytest.mark.parametrize(
    "item",
    [
        {"place": None, "params": {}},
        {"params": {}},
        placed(float("nan")),
        {"place": {"min": "n", "value": None}, "params": {}},
        placed(1.0, **dict.fromkeys(("min", "p25", "p50", "p75", "p99", "max"), 1.0)),
    ],
)
def test_no_strip_is_drawn_without_numbers_that_differ(item):
    assert strip(item) is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (12.6, "13"), (99_999, "99,999"), (1_436_771, "1.4e6"), (-4.23, "-4.2"), (1e-5, "1e-5")],
)
def test_numbers_of_charts_are_short(value, shown):
    assert short(value) == shown


def lanes(unit: str, before: list[float | None], after: list[float | None]):
    return lane_bars({"lanes": {"measure": "received light", "unit": unit, "before": before, "after": after}})


def test_lanes_that_lost_light_stand_out_and_unknown_ones_have_no_bar():
    drawn = lane_bars(
        {
            "lanes": {
                "measure": "received light",
                "unit": "dBm",
                "before": [1.0, 0.9, None],
                "after": [-4.2, 0.8, None],
            }
        }
    )
    assert drawn is not None
    assert [bar.bad for bar in drawn.bars] == [True, False, False]
    assert [bar.text for bar in drawn.bars] == ["−4.2", "0.8", "-"]
    first, second, third = drawn.bars
    assert first.top is not None
    assert second.top is not None
    assert first.top > second.top, "less light is a lower bar"
    assert third.top is None
    assert third.was is None
    assert "lane 0: 1.0 → −4.2; lane 1: 0.9 → 0.8; lane 2: - → -" in drawn.title


def test_a_lane_with_many_more_errors_than_its_siblings_stands_out():
    drawn = lane_bars(
        {
            "lanes": {
                "measure": "bit errors",
                "unit": "log10",
                "before": [None] * 4,
                "after": [-5.0, -10.4, -10.2, -10.1],
            }
        }
    )
    assert drawn is not None
    assert [bar.bad for bar in drawn.bars] == [True, False, False, False]
    assert drawn.bars[0].text == "1e-5"
    assert drawn.has_past is False
    assert "→" not in drawn.title


def test_a_lane_that_got_more_light_does_not_stand_out():
    drawn = lane_bars(
        {"lanes": {"measure": "received light", "unit": "dBm", "before": [-3.0, 0.0], "after": [0.0, 0.0]}}
    )
    assert drawn is not None
    assert not any(bar.bad for bar in drawn.bars)


def test_no_bars_without_lanes():
    assert lanes("dBm", [None], [None]) is None
    assert lane_bars({"lanes": None}) is None
    assert lane_bars({}) is None


def step(growth: int | None, seconds: float | None = 3600.0, known: str = "exact") -> dict[str, Any]:
    return {"at": "2024-05-08T10:00:00Z", "growth": growth, "seconds": seconds, "class": known}


def test_the_bars_of_steps_are_growth_an_hour():
    drawn = step_bars({"steps": [step(100, 360_000.0), step(2, 3600.0), step(0)]})
    assert drawn is not None
    long, short_, none = drawn.bars
    assert long.top is not None
    assert short_.top is not None
    assert none.top is not None
    assert long.top > short_.top, "100 in 100 hours are slower than 2 in one"
    assert [bar.text for bar in drawn.bars] == ["+100", "+2", "0"]
    assert drawn.trend == "It did not grow in the last step."
    assert "+100 in 4 d 4 h to 2024-05-08 10:00 UTC" in drawn.title


def test_steps_say_what_is_a_lower_bound_and_what_is_not_known():
    drawn = step_bars({"steps": [step(3, known="at_least"), step(None, None)]})
    assert drawn is not None
    assert [bar.text for bar in drawn.bars] == ["≥ 3", "?"]
    assert drawn.bars[1].top is None
    assert drawn.trend == ""
    assert "an hour" not in drawn.caption


@pytest.mark.parametrize("steps", [[], [step(1)], [step(None), step(None)]])
def test_no_steps_are_drawn_where_there_is_nothing_to_compare(steps):
    assert step_bars({"steps": steps}) is None
    assert step_bars({}) is None


def test_of_many_steps_the_last_are_drawn():
    drawn = step_bars({"steps": [step(number) for number in range(20)]})
    assert drawn is not None
    assert len(drawn.bars) == MOST
    assert drawn.bars[-1].text == "+19"


def around(**extra: Any):
    return around_chart(cases.case(suspects=(cases.suspect(**extra),))["suspects"][0])


def test_the_end_to_touch_stands_left_and_its_neighbours_beside_it():
    drawn = around()
    assert drawn is not None
    assert [end.name for end in drawn.ends] == ["spine-01", "spine-01"]
    assert [group.text for group in drawn.groups] == ["31 more HCAs", "4 more spines"]
    assert all(group.x < drawn.ends[0].x < drawn.ends[1].x for group in drawn.groups)
    assert drawn.ends[0].plug_bad
    assert not drawn.ends[1].plug_bad
    assert drawn.arrow is not None
    assert drawn.arrow[0] > drawn.arrow[1], "errors run from the HCA on the right"


def test_neighbours_that_suffer_are_marked_and_named_and_many_dots_are_counted():
    drawn = around()
    assert drawn is not None
    hosts, spines = drawn.groups
    assert (hosts.more, len(hosts.dots), hosts.suffer) == ("+19", 12, "")
    assert [dot.bad for dot in spines.dots] == [True, False, False, False]
    assert spines.suffer == "suffers: spine-01"
    assert "4 more spines, of which 1 suffer" in drawn.title


def test_everything_of_the_neighbourhood_lies_within_the_drawing():
    drawn = around()
    assert drawn is not None
    for x, y, width, height in (
        *((group.x, group.y, 166, 62) for group in drawn.groups),
        *((end.x, end.y, 176, 72) for end in drawn.ends),
    ):
        assert x >= 0
        assert y >= 0
        assert x + width <= drawn.width
        assert y + height <= drawn.height


def test_a_cable_is_marked_between_its_ends():
    drawn = around(component=Component.CABLE, end=None)
    assert drawn is not None
    assert drawn.cable_bad
    assert not any(end.plug_bad or end.bad for end in drawn.ends)


def test_a_device_stands_between_its_hosts_and_its_switches():
    near = cases.leaf(1, 12)
    ring = cases.closeup(near, cases.hca(1))["around"][:1]
    drawn = around(
        link=None,
        end=None,
        direction=None,
        node_guid=near.node_guid,
        component=Component.COOLING,
        around=ring,
    )
    assert drawn is not None
    (device,) = drawn.ends
    assert device.bad
    assert device.plug is None
    assert drawn.cable is None
    hosts, spines = drawn.groups
    assert hosts.text == "31 HCAs"
    assert hosts.x < device.x < spines.x


def test_nothing_is_drawn_around_what_has_no_neighbours():
    assert around(around=()) is None
    assert around_chart(cases.batch()["suspects"][0]) is None, "a batch is everywhere"


def test_long_names_stay_within_their_boxes():
    name = "n" * 300
    drawn = around(around=cases.closeup(cases.leaf(1, 12), cases.hca(1), name)["around"])
    assert drawn is not None
    assert all(len(end.name) <= 19 and len(end.role) <= 20 and len(end.port) <= 20 for end in drawn.ends)
    assert all(len(group.suffer) <= 19 for group in drawn.groups)
