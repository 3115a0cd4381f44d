"""Evidence that was destroyed before anybody could compare (DEMANDS A): resets, full registers, rates."""

from __future__ import annotations

import pytest
from answers import gaps, row, words
from small_fabric import story

FULL = 65_535
"""Where a register of 16 bits sticks."""


def narrow(told):
    """Leave the 64-bit twins out: what older devices tell."""
    told.edit(lambda sheet: sheet.drop_columns("PM_INFO", sheet.wide()))
    return told


def counted_before(told, port, count):
    """Let errors have been counted at a port in the baseline only: somebody cleared them since."""
    told.pair.baseline.counters[port].update(symbol_error_counter=count)


def test_d02_a_lower_value_is_a_reset_and_its_growth_a_lower_bound():
    told = story()
    port, quiet = told.uplink()[0], told.uplink(1, 1)[0]
    counted_before(told, port, 5_000)
    told.pair.current.counters[port].update(symbol_error_counter=120)
    comparison = told.compare()
    found = row(comparison, port)
    assert (found["symbol_error_counter_delta"], found["symbol_error_counter_class"]) == (120, "at_least")
    # What was not cleared is known exactly.
    assert row(comparison, quiet)["symbol_error_counter_class"] == "exact"


def test_d02_no_growth_is_negative_or_wrapped_whatever_was_cleared():
    told = story()
    for at, port in enumerate(sorted(told.pair.current.fabric.link_at)):
        counted_before(told, port, 1_000 * (at % 3))
        told.pair.current.counters[port].update(symbol_error_counter=at % 5)
    for found in told.compare().ports.to_pylist():
        assert found["symbol_error_counter_delta"] in (None, *range(5))


def test_d02_a_clear_of_the_whole_fabric_is_said():
    told = story()
    for port in told.pair.current.fabric.link_at:
        counted_before(told, port, 900)
        told.pair.current.counters[port] = {}
    comparison = told.compare()
    assert comparison.document["verdict"] == "cannot_judge", "nothing was sent since then"
    assert "fabric_clear.everywhere" in {item["message"] for item in comparison.document["context"]}
    assert "not_judged.cleared" in gaps(comparison)
    assert "counters were cleared on 17 of 17 nodes" in words(comparison)


def test_d02_one_port_that_was_cleared_is_no_clear_of_the_fabric():
    told = story()
    counted_before(told, told.uplink()[0], 900)
    comparison = told.compare()
    assert "fabric_clear.everywhere" not in {item["message"] for item in comparison.document["context"]}
    assert "not_judged.cleared" not in gaps(comparison)


@pytest.mark.parametrize(("wide", "growth"), [(FULL + 2_345, 2_445), (0, 100)])
def test_d03_the_wide_register_wins_unless_it_is_dead(wide, growth):
    """Narrow ones tell 100 more; a wide one that tells nothing at all is not believed (ruling)."""
    told = story()
    port = told.uplink()[0]

    def set_to(narrow_value, wide_value):
        def change(sheet):
            sheet.row("PM_INFO", port).update(
                SymbolErrorCounter=str(narrow_value), SymbolErrorCounterExt=str(wide_value)
            )

        return change

    told.before.append(set_to(FULL - 100, FULL - 100 if wide else 0))
    told.after.append(set_to(FULL, wide))
    found = row(told.compare(), port)
    assert found["symbol_error_counter_delta"] == growth
    assert found["symbol_error_counter_class"] == ("exact" if wide else "at_least")


def test_d03_a_register_that_was_full_already_is_not_comparable():
    told = narrow(story())
    port = told.uplink()[0]
    for sample in (told.pair.baseline, told.pair.current):
        sample.counters[port].update(symbol_error_counter=FULL)
    told.count(port, symbol_error_counter=900)
    comparison = told.compare()
    found = row(comparison, port)
    assert (found["symbol_error_counter_delta"], found["symbol_error_counter_class"]) == (None, "unknown")
    assert "not_judged.full" in gaps(comparison)


def test_d03_a_register_that_is_full_now_tells_a_lower_bound():
    told = narrow(story())
    port = told.uplink()[0]
    told.count(port, symbol_error_counter=10 * FULL)
    found = row(told.compare(), port)
    assert (found["symbol_error_counter_delta"], found["symbol_error_counter_class"]) == (FULL, "at_least")


def test_d05_rates_are_those_of_the_samples_own_times():
    """The same growth, in a time that is half as long: twice the rate."""
    told = story()
    port = told.uplink()[0]
    told.count(port, symbol_error_counter=1_680)
    comparison = told.compare()
    assert comparison.document["gap_s"] == 7 * 86_400
    assert row(comparison, port)["symbol_error_counter_per_hour"] == pytest.approx(10)

    def sooner(sheet):
        (run,) = sheet["RUN_INFO"]
        day = told.pair.baseline.taken_at.day
        run["Date"] = run["Date"].replace(f"-{day + 7:02d} ", f"-{day + 3:02d} ")

    told.after.append(sooner)
    comparison = told.compare()
    assert comparison.document["gap_s"] == 3 * 86_400
    assert row(comparison, port)["symbol_error_counter_per_hour"] == pytest.approx(1_680 / 72)


def test_d05_without_a_time_there_is_growth_and_no_rate():
    told = story()
    port = told.uplink()[0]
    told.count(port, symbol_error_counter=1_680)
    told.edit(lambda sheet: sheet.drop("RUN_INFO"))
    comparison = told.compare()
    found = row(comparison, port)
    assert found["symbol_error_counter_delta"] == 1_680
    assert found["symbol_error_counter_per_hour"] is None
    assert "not_judged.no_time" in gaps(comparison)


@pytest.mark.parametrize("share", [0.4, 0.6])
def test_d02_the_headline_warns_when_more_than_half_of_the_ports_were_cleared(share):
    """Whether somebody is named or not; a reset of nodes is no clear."""
    told = story()
    ports = sorted(told.pair.current.fabric.link_at)
    for port in ports[: round(share * len(ports))]:
        counted_before(told, port, 900)
        told.pair.current.counters[port] = {}
    for comparison in (told.compare(), _damaged(told).compare()):
        headline = comparison.document["headline"]["text"]
        assert ("Warning: fabric-wide clear" in headline) is (share > 0.5)


def test_d02_a_fabric_of_which_all_nodes_were_reset_was_not_cleared():
    told = story()
    told.reset(*{port.node_guid for port in told.pair.current.fabric.link_at})
    assert "fabric-wide clear" not in told.compare().document["headline"]["text"]


def _damaged(told):
    told.damage(told.uplink()[0], times=100)
    return told


@pytest.mark.parametrize(
    ("counter", "full"),
    [
        ("local_link_integrity_errors", 15),
        ("link_error_recovery_counter", 255),
        ("port_rcv_errors", 65_535),
        ("port_xmit_wait", 4_294_967_295),
    ],
)
def test_d03_all_ones_are_full_by_the_width_of_the_field(counter, full):
    """Full twice: not comparable; full now: a lower bound; one less: exact."""
    for before, after, growth in (
        (full, full, (None, "unknown")),
        (1, full, (full - 1, "at_least")),
        (1, full - 1, (full - 2, "exact")),
    ):
        told = narrow(story())
        port = told.uplink()[0]
        for sample, value in ((told.pair.baseline, before), (told.pair.current, after)):
            sample.counters[port].update({counter: value})
        found = row(told.compare(), port)
        assert (found[f"{counter}_delta"], found[f"{counter}_class"]) == growth
