"""Ports that go on at their old pace accuse nobody, but are told where they count more than what is new."""

from __future__ import annotations

import pytest
from small_fabric import story

from ibforensic.report.html import render_html
from ibforensic.report.terminal import render_terminal

DAMAGE = ("symbol_error_counter", "port_rcv_errors", "port_local_physical_errors")


def _told(pace, news=0, *, ports=1, faster=1.0):
    """A fabric with ports that always counted so many errors a day, and an uplink that has new ones."""
    told = story()
    hcas = [told.hca(number) for number in range(ports)]
    for number, port in enumerate(hcas):
        days = told.pair.baseline.uptimes[port.node_guid] / 86_400
        for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7 * faster)):
            sample.counters[port].update(dict.fromkeys(DAMAGE, int((pace + number) * time)))
    if news:
        told.count(told.uplink()[1], **dict.fromkeys(DAMAGE, news))
    return hcas, told.compare().document


def _context(document):
    return [item for item in document["context"] if item["kind"] == "chronic"]


def _where(item):
    return item["where"]["node_guid"], item["where"]["port"]


@pytest.mark.parametrize("news", [0, 300])
def test_a_chronic_port_is_told_and_not_accused(news):
    (port,), document = _told(5_700, news)
    (item,) = _context(document)
    assert _where(item) == (port.node_guid, port.port_num)
    assert item["message"] == "chronic.port"
    assert item["params"]["delta"] == pytest.approx(7 * 5_700, abs=2)
    assert "in 7 days, as it did before" in item["text"]
    assert (item["weight"], item["group"]) == (0, "context")
    assert bool(document["suspects"]) is bool(news)
    for every in (False, True):
        screen = render_terminal(document, width=100, colour=False, every=every)
        assert "chronic, not new" in " ".join(screen.split())
    assert "chronic, not new" in render_html(document, generated_at=None).lower()


def test_what_is_less_than_the_news_is_not_told():
    _, document = _told(50, 4_000)
    assert document["suspects"]
    assert _context(document) == []


def test_few_errors_are_not_told():
    assert _context(_told(5)[1]) == []


def test_a_port_that_got_worse_is_no_chronic_one():
    _, document = _told(500, faster=60.0)
    assert document["suspects"]
    assert _context(document) == []


def test_the_three_largest_are_named_and_the_others_counted():
    ports, document = _told(5_000, 300, ports=5)
    *named, more = _context(document)
    assert [_where(item) for item in named] == [(port.node_guid, port.port_num) for port in ports[:1:-1]]
    assert more["message"] == "chronic.more"
    assert more["params"]["count"] == 2


def _always_symbols(told, port, pace, **before):
    """Let a port have counted symbols since it came up, and other counters something before the baseline."""
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port].update(before | {"symbol_error_counter": int(pace * time)})


@pytest.mark.parametrize("news", [700, 9_000, 60_000])
@pytest.mark.parametrize("details", [True, False])
def test_chronic_symbols_hide_no_packets_that_are_damaged_now(news, details):
    told = story()
    port = told.hca()
    _always_symbols(told, port, 6_000)
    told.count(port, port_rcv_errors=news, **({"port_local_physical_errors": news} if details else {}))
    (suspect,) = told.compare().document["suspects"]
    assert _where({"where": suspect["end"]}) == (port.node_guid, port.port_num)


def test_details_that_were_cleared_before_the_baseline_are_no_news():
    told = story()
    port = told.hca()
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port].update(dict.fromkeys(DAMAGE, int(900 * time)))
        sample.counters[port]["port_local_physical_errors"] = 0 if time == days else 7 * 900
    assert told.compare().document["suspects"] == []


def test_a_few_damaged_packets_at_a_port_with_chronic_symbols_are_no_news():
    told = story()
    port = told.hca()
    _always_symbols(told, port, 60)
    told.count(port, port_rcv_errors=4, port_local_physical_errors=4)
    document = told.compare().document
    assert (document["suspects"], document["watch"]) == ([], [])
