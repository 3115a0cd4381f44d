"""Hosts that take their data slowly: waiting is judged by what the port sent meanwhile."""

from __future__ import annotations

import pytest
from small_fabric import of, story

from ibforensic.simulate.waits import gbps

TICK_BYTES, WORD_BYTES = 8, 4


def _line(told, share):
    """Bytes that a port carries in a share of the time between the samples."""
    return share * gbps(told.pair.current.links[told.link(told.hca())]) / 8 * 1e9 * told.pair.seconds


def _feeds(told, waiting, sending):
    """Let the port that feeds a host wait, and send, for shares of the time."""
    told.count(
        told.peer(told.hca()),
        port_xmit_wait=int(_line(told, waiting) / TICK_BYTES),
        port_xmit_data=int(_line(told, sending) / WORD_BYTES),
    )
    return told.compare()


def test_a_host_is_slow_when_what_is_sent_to_it_mostly_stands_still():
    told = story()
    comparison = _feeds(told, 0.01, 0.004)
    (item,) = of(comparison, "slow_receiver")
    assert item.message.id == "slow_receiver.stalls"
    assert item.message.params["stalled"] > 0.4
    suspect = comparison.document["suspects"][0]
    assert suspect["component"] == "host"
    assert suspect["device"]["node_guid"] == told.hca().node_guid


@pytest.mark.parametrize(
    ("waiting", "sending"),
    [(0.01, 0.4), (0.0004, 0.0001)],
    ids=["a hot job sends much meanwhile", "it hardly waits at all"],
)
def test_a_host_that_keeps_up_is_not_called_slow(waiting, sending):
    comparison = _feeds(story(), waiting, sending)
    assert not of(comparison, "slow_receiver")
    assert comparison.document["verdict"] == "no_suspect"


def test_what_all_ports_do_is_not_called_slow():
    told = story()
    for port in told.pair.current.fabric.link_at:
        told.count(port, port_xmit_wait=int(_line(told, 0.01) / TICK_BYTES))
    assert not of(_feeds(told, 0.01, 0.002), "slow_receiver")


def test_the_more_it_stands_still_the_more_speaks_against_the_host():
    weights = []
    for sending in (0.015, 0.005, 0.001):
        (item,) = of(_feeds(story(), 0.01, sending), "slow_receiver")
        weights.append(item.weight)
    assert weights == sorted(weights)
    assert weights[0] < weights[-1]
