"""When bit errors are news: above the own baseline, above the fleet, above a limit (demand D-30)."""

from __future__ import annotations

import pytest
import small_phy as phy
from small_fabric import compare, found, of, story

from ibforensic.simulate.write_net_dump_ext import net_dump_ext


def noisy(ratio=1e-6, **more):
    """A fabric in which bits arrive wrong at the leaf's end of an uplink."""
    told = story(phy=True)
    phy.noisy(told.pair, told.uplink()[0], ratio, **more)
    return told


def kinds(told):
    return {item.message.params["kind"]: item for item in found(told, "bit_errors")}


def test_d30_raw_errors_warn_while_all_packets_are_still_fine():
    told = noisy()
    item = kinds(told)["raw"]
    assert item.where == item.towards == told.uplink()[0]
    assert item.before == pytest.approx(phy.USUAL, rel=0.05)
    assert item.after == pytest.approx(1e-6, rel=0.05)
    assert "before FEC" in item.message.text
    assert told.compare().document["verdict"] == "suspects"


def test_more_decades_weigh_more():
    weights = [kinds(noisy(ratio))["raw"].weight for ratio in (1e-7, 4e-7, 2e-6, 2e-5)]
    assert weights == sorted(set(weights))


def test_a_rise_far_below_what_is_normal_harms_nobody():
    assert "raw" not in kinds(noisy(3e-8))


def test_a_rise_within_the_ordinary_is_no_news():
    assert kinds(noisy(2e-9)) == {}


def test_a_rise_that_harms_nobody_is_no_news():
    told = story(phy=True)
    for sample in (told.pair.baseline, told.pair.current):
        phy.read_since(sample, told.uplink()[0], phy.layer(sample).readings[told.uplink()[0]].seconds, 1e-13)
    phy.noisy(told.pair, told.uplink()[0], 1e-10)
    assert kinds(told) == {}


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (2e-6, "(limit 1e-05)"),
        (1.02e-5, "1.0e-05 (at the limit of 1e-05 for NDR"),
        (3e-5, "above the limit of 1e-05 for NDR"),
    ],
)
def test_the_limit_of_the_kind_of_link_is_named(ratio, words):
    assert words in kinds(noisy(ratio))["raw"].message.text


def test_each_kind_of_ratio_is_told_by_itself():
    found = kinds(noisy(1e-5, effective=400_000_000, symbols=40_000_000))
    assert set(found) == {"raw", "effective", "symbol"}
    assert "after FEC and retransmission" in found["symbol"].message.text
    assert "below" in found["symbol"].message.text


def test_a_chronic_link_is_no_news_and_hides_none():
    told = noisy()
    chronic = told.uplink(1, 1)[0]
    for sample in (told.pair.baseline, told.pair.current):
        phy.read_since(sample, chronic, phy.layer(sample).readings[chronic].seconds, ratio=1e-5)
    assert [item.where for item in found(told, "bit_errors")] == [told.uplink()[0]]


def without_baseline(told):
    """Compare with a baseline that was not asked about the physical layer."""
    told.before.append(lambda sheet: sheet.drop("PHY_DB16"))
    return told.compare()


def test_without_a_baseline_a_link_far_beyond_the_others_is_news():
    told = noisy(1e-5)
    (item,) = of(without_baseline(told), "bit_errors")
    assert item.where == told.uplink()[0]
    assert item.before is None
    assert "not known" in item.message.text


def test_without_a_baseline_a_link_like_the_others_is_none():
    told = story(phy=True)
    for port in phy.layer(told.pair.current).readings:
        phy.noisy(told.pair, port, 1e-6)
    assert of(without_baseline(told), "bit_errors") == []


def test_where_nobody_tells_how_long_none_was_seen_no_bound_is_made_up():
    told = noisy(1e-5, effective=400_000_000, symbols=40_000_000)
    told.edit(lambda sheet: sheet.drop("PHY_DB16"))
    files = told.files()
    for sample, side in zip((told.pair.baseline, told.pair.current), files, strict=True):
        side["ibdiagnet2.net_dump_ext"] = net_dump_ext(sample)
    items = {item.message.params["kind"]: item for item in of(compare(*files), "bit_errors")}
    assert "none seen →" in items["symbol"].message.text
    assert items["symbol"].before == 0


def test_a_run_without_a_physical_layer_has_no_bit_errors():
    told = noisy()
    told.edit(lambda sheet: sheet.drop("PHY_DB16"))
    assert found(told, "bit_errors") == []
