"""What other tools are credited with: their rules on small texts, and the comparison over a few incidents."""

from __future__ import annotations

import pytest

from bench.peers import page
from bench.peers.run import cases, run
from bench.peers.stories import Heard, Story
from bench.peers.told import PEERS, SUGGESTED, by_errors, queried, topology_diff
from ibforensic.model.ids import PortKey
from ibforensic.simulate.faults import FaultKind

A, B = "0x000000000000000a", "0x000000000000000b"
QUERY = """Errors for "gpu-1 mlx5_0"
   GUID 0xa port 1: [SymbolErrorCounter == 4] [PortXmitWait == 900]
Errors for 0xb "leaf-1"
   GUID 0xb port ALL: [LinkDownedCounter == 12] [PortRcvErrors == 30 (30.000)]
   GUID 0xb port 7: [LinkDownedCounter == 12]
   GUID 0xb port 8: [PortRcvErrors == 30 (30.000)] [PortXmitWait == 2000 (1.953K)]

## Summary: 2 nodes checked, 2 bad nodes found
"""


def test_thresholds_leave_out_ports_and_the_heads_above_them():
    lines, ports = queried(QUERY, {})
    assert [port for port, _ in ports] == [PortKey(A, 1), PortKey(B, 7), PortKey(B, 8)]
    assert len(lines) == 7
    lines, ports = queried(QUERY, SUGGESTED)
    assert [port for port, _ in ports] == [PortKey(B, 7), PortKey(B, 8)]
    assert "gpu-1" not in "\n".join(lines)
    assert by_errors(ports) == [PortKey(B, 8), PortKey(B, 7)]


def block(guid: int, *links: tuple[int, int, int]) -> str:
    ports = "\n".join(
        f'[{number}]\t"S-{peer:016x}"[{far}]\t\t# "x" lid 1 4xEDR' for number, peer, far in links
    )
    return f'\nvendid=0x2c9\nSwitch\t36 "S-{guid:016x}"\t\t# "leaf" base port 0 lid 2 lmc 0\n{ports}\n'


def test_a_cable_that_leads_elsewhere_is_told_at_its_port():
    before, after = block(10, (1, 11, 1), (2, 12, 1)), block(10, (1, 11, 1), (2, 12, 5))
    lines, ports = topology_diff(before, after)
    assert ports == [PortKey(A, 2)]
    assert [line[:5] for line in lines if line[:1] in "<>"] == ["< [2]", "> [2]"]
    assert topology_diff(before, before) == ([], [])


def test_a_node_that_is_gone_is_told_with_all_its_lines():
    lines, ports = topology_diff(block(10, (1, 11, 1)) + block(11, (1, 10, 1)), block(10))
    assert ports == [PortKey(A, 1), PortKey(B, 1)]
    assert any(line.startswith('< Switch\t36 "S-000000000000000b"') for line in lines)


@pytest.fixture(scope="module")
def results():
    return run(cases(1, ["bad_link", "dead_link", "healthy"]), 1)


def test_a_bad_link_is_listed_by_counters_and_a_dead_one_by_the_topology(results):
    bad, dead, _ = results
    assert bad.ours.place == dead.ours.place == 1
    assert bad.peers["ibqueryerrors"].place is not None
    assert bad.peers["ibnetdiscover --diff"].place is None
    assert dead.peers["ibqueryerrors"].place is None
    assert dead.peers["ibnetdiscover --diff"].place == 1
    assert bad.peers["ibqueryerrors"].lines > 10 * bad.ours.lines


def test_nothing_is_sought_where_nothing_is_wrong(results):
    healthy = results[-1]
    assert [heard.place for heard in healthy.peers.values()] == [None] * len(PEERS)
    assert healthy.ours.suspects == 0


def test_the_page_says_where_others_are_as_good(results):
    story = Story("A story", FaultKind.BAD_LINK, (), 1, "A moral.")
    text = page.page(results, [Heard(story, ("it broke",), ("a", "b"), (), ("we say",), False, True)])
    assert "- dead_link: ibnetdiscover --diff (1 of 1); ibforensic 1 of 1." in text
    assert "- bad_link" not in text
    assert "`ibqueryerrors` prints 2 lines" in text
    assert "`ibnetdiscover --diff` prints nothing" in text
    assert "were not installed" in text
