"""Proof against the real tools: opensm and infiniband-diags in a subnet that ibsim simulates.

What is broken through the console of ibsim must be found at the right port, in agreement with
``ibnetdiscover --diff`` on the topology and with ``ibqueryerrors`` on the counters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from subnet import Subnet, preloaded, require

from ibforensic import pipeline
from ibforensic.cli.main import group
from ibforensic.collect.session import Order, collect
from ibforensic.model.ids import guid
from ibforensic.model.tables import TABLES
from ibforensic.snapshot.records import Snapshot

LARGE = ["--topology", "fat-tree:leaf=36,spine=18,hosts=18", "--speed", "edr", "--no-phy"]
FABRIC = ["--topology", "fat-tree:leaf=3,spine=2,hosts=3,uplinks=2", "--speed", "edr", "--seed", "5"]
ERRORS = re.compile(r"symbol|error|downed|discards|vl15|wait|overrun")
_LINE = re.compile(r"^   GUID (0x[0-9a-f]+) port (\d+): (.*)$", re.MULTILINE)
_ITEM = re.compile(r"\[(\w+) == (\d+)")


class Bench:
    """A subnet, its baseline, and what it looks like now."""

    def __init__(self, subnet: Subnet, netfile: Path, folder: Path) -> None:
        self.subnet = subnet
        self.netfile = netfile
        self.folder = folder
        self.count = 0
        links = ends_of(netfile.read_text())
        self.leaf, self.host = next((a, b) for a, b in links.items() if b[0].startswith("H-"))
        self.uplink, self.spine = next((a, b) for a, b in links.items() if b[0].startswith("S-"))
        own = [(a, b) for a, b in links.items() if a[0] == self.leaf[0] and b[0].startswith("H-")]
        self.other, self.other_host = own[1]

    def look(self, *, every_port: bool = False) -> Snapshot:
        """Collect, and make a snapshot."""
        self.count += 1
        raw = self.folder / str(self.count)
        with preloaded(self.subnet):
            collect(Order(here=False, every_port=every_port), raw, lambda _: None)
        return pipeline.snapshot([raw])

    def remember(self) -> None:
        """Let ibnetdiscover remember the topology for its own comparison."""
        self.subnet.tool("ibnetdiscover", "--cache", str(self.folder / "cache"))

    def topology_diff(self) -> str:
        """Return what ibnetdiscover itself says has changed."""
        return self.subnet.tool("ibnetdiscover", "--diff", str(self.folder / "cache"))

    def errors(self) -> dict[tuple[str, int], dict[str, int]]:
        """Return what ibqueryerrors itself lists."""
        text = self.subnet.tool("ibqueryerrors", "--threshold-file", "/dev/null")
        return {
            (guid(node), int(port)): {name: int(value) for name, value in _ITEM.findall(rest)}
            for node, port, rest in _LINE.findall(text)
        }


def ends_of(netfile: str) -> dict[tuple[str, int], tuple[str, int]]:
    """Map each end of a link in a netfile to the other one, by the names that ibsim knows."""
    found: dict[tuple[str, int], tuple[str, int]] = {}
    for block in netfile.split("\n\n"):
        node = re.search(r'^(?:Switch|Ca)\t\d+ "([SH]-[0-9a-f]{16})"', block, re.MULTILINE)
        for port, peer, number in re.findall(
            r'^\[(\d+)\][^"\n]*"([SH]-[0-9a-f]{16})"\[(\d+)\]', block, re.MULTILINE
        ):
            found[node[1], int(port)] = (peer, int(number))
    return found


def key(end: tuple[str, int]) -> tuple[str, int]:
    """Return node GUID and number of an end."""
    return guid(end[0][2:]), end[1]


def told(end: tuple[str, int]) -> str:
    """Return an end as the console takes it."""
    return f'"{end[0]}"[{end[1]}]'


@contextmanager
def running(topology: list[str], folder: Path) -> Iterator[Bench]:
    """Make a fabric with our own simulator, and run it."""
    require()
    made, run = folder / "made", folder / "run"
    run.mkdir()
    done = CliRunner().invoke(group, ["simulate", *topology, "--also", "ibnetdiscover", "-o", str(made)])
    assert done.exit_code == 0, done.output
    netfile = made / "baseline" / "ibnetdiscover" / "ibnetdiscover.txt"
    host = next(b[0] for b in reversed(ends_of(netfile.read_text()).values()) if b[0].startswith("H-"))
    subnet = Subnet(netfile, run, host)
    try:
        yield Bench(subnet, netfile, folder / "collected")
    finally:
        subnet.stop()


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Iterator[Bench]:
    with running(FABRIC, tmp_path_factory.mktemp("subnet")) as made:
        yield made


def suspects(before: Snapshot, after: Snapshot) -> tuple[list[dict], list[str]]:
    """Compare; return the suspects, and the kinds of the changes."""
    document = pipeline.diff(before, after).document
    return document["suspects"], [change["kind"] for change in document["changes"]]


def ports_of(suspect: dict) -> set[tuple[str, int]]:
    """Return both ends of the link that is to blame."""
    return {(suspect["link"][end]["node_guid"], suspect["link"][end]["port"]) for end in ("a", "b")}


def test_what_the_simulator_writes_loads_and_comes_back_the_same(bench):
    seen = bench.look().latest.tables
    given = pipeline.snapshot([bench.netfile]).latest.tables
    keys = {"nodes": ("node_guid",), "links": TABLES["links"].key}
    for table, columns in keys.items():
        sides = [
            {tuple(row[name] for name in columns) for row in tables[table].to_pylist()}
            for tables in (seen, given)
        ]
        assert sides[0] == sides[1], table


def test_collecting_twice_changes_no_error_counter(bench):
    names = ("SymbolErrorCounter", "LinkDownedCounter", "PortRcvErrors", "PortXmitDiscards", "VL15Dropped")
    bench.subnet.tell(
        *(f"PerformanceSet {told(bench.leaf)} PortCounters.{name}={at + 3}" for at, name in enumerate(names))
    )
    own = bench.errors()
    first, second = (bench.look(every_port=True) for _ in range(2))
    assert bench.errors() == own
    assert own[key(bench.leaf)] == {name: at + 3 for at, name in enumerate(names)}
    columns = [name for name in first.latest.tables["counters_pma"].column_names if ERRORS.search(name)]
    assert len(columns) > 20
    sides = [
        sorted(
            (str(row["source"]), str(row["node_guid"]), row["port_num"], [row[name] for name in columns])
            for row in snapshot.latest.tables["counters_pma"].to_pylist()
        )
        for snapshot in (first, second)
    ]
    assert sides[0] == sides[1]
    assert suspects(first, second) == ([], [])


def test_errors_at_one_port_name_that_port(bench):
    before = bench.look()
    bench.subnet.tell(f"PerformanceSet {told(bench.leaf)} PortCounters.SymbolErrorCounter=5500")
    found, changes = suspects(before, bench.look())
    assert [one["end"] and (one["end"]["node_guid"], one["end"]["port"]) for one in found] == [
        key(bench.leaf)
    ]
    assert bench.errors()[key(bench.leaf)]["SymbolErrorCounter"] == 5500
    grown = found[0]["evidence"][0]
    assert (grown["before"], grown["after"]) == (3, 5500)
    assert changes == []


def test_link_downs_at_both_ends_name_the_link(bench):
    before = bench.look()
    ends = (bench.uplink, bench.spine)
    bench.subnet.tell(*(f"PerformanceSet {told(end)} PortCounters.LinkDownedCounter=40" for end in ends))
    (suspect,), _ = suspects(before, bench.look())
    assert ports_of(suspect) == {key(end) for end in ends}
    assert {bench.errors()[key(end)]["LinkDownedCounter"] for end in ends} == {40}


def test_a_cut_link_is_named_as_ibnetdiscover_names_it(bench):
    before = bench.look()
    bench.remember()
    bench.subnet.tell(f"Unlink {told(bench.uplink)}")
    bench.subnet.wait_for_manager()
    (suspect,), changes = suspects(before, bench.look())
    lost = [line for line in bench.topology_diff().splitlines() if line.startswith("<")]
    bench.subnet.tell(f"ReLink {told(bench.uplink)}")
    bench.subnet.wait_for_manager()
    assert ports_of(suspect) == {key(bench.uplink), key(bench.spine)}
    assert "link_lost" in changes
    assert len(lost) == 2
    for end, peer in ((bench.uplink, bench.spine), (bench.spine, bench.uplink)):
        assert any(f'[{end[1]}]\t"{peer[0]}"[{peer[1]}]' in line for line in lost)


def test_a_host_that_is_gone_is_named(bench):
    before = bench.look()
    bench.remember()
    bench.subnet.tell(f'Unlink "{bench.host[0]}"')
    bench.subnet.wait_for_manager()
    (suspect,), changes = suspects(before, bench.look())
    diff = bench.topology_diff()
    bench.subnet.tell(f'ReLink "{bench.host[0]}"')
    bench.subnet.wait_for_manager()
    assert key(bench.host)[0] in str(suspect)
    assert {"node_missing", "link_lost"} <= set(changes)
    assert re.search(rf'^< Ca\t\d+ "{bench.host[0]}"', diff, re.MULTILINE)


def test_exchanged_cables_are_named(bench):
    before = bench.look()
    bench.remember()
    pairs = ((bench.leaf, bench.other_host), (bench.other, bench.host))
    bench.subnet.tell(
        *(f"Unlink {told(a)}" for a, _ in pairs), *(f"Link {told(a)} {told(b)}" for a, b in pairs)
    )
    bench.subnet.wait_for_manager()
    found, changes = suspects(before, bench.look())
    diff = bench.topology_diff()
    back = ((bench.leaf, bench.host), (bench.other, bench.other_host))
    bench.subnet.tell(
        *(f"Unlink {told(a)}" for a, _ in back), *(f"Link {told(a)} {told(b)}" for a, b in back)
    )
    bench.subnet.wait_for_manager()
    assert "link_moved" in changes
    assert any("exchanged" in one["headline"]["text"] for one in found)
    for end, peer in pairs:
        assert f'> [{end[1]}]\t"{peer[0]}"[{peer[1]}]' in diff
        assert key(end)[0] in str(found)


def test_counters_that_a_colleague_cleared_are_said_to_be_cleared(bench):
    bench.subnet.tell(f"PerformanceSet {told(bench.other)} PortCounters.SymbolErrorCounter=900")
    before = bench.look()
    lid = bench.subnet.lid(key(bench.other)[0])
    bench.subnet.tool("perfquery", "-R", str(lid), str(bench.other[1]))
    assert key(bench.other) not in bench.errors()
    bench.subnet.tell(f"PerformanceSet {told(bench.other)} PortCounters.SymbolErrorCounter=700")
    comparison = pipeline.diff(before, bench.look())
    assert [change["kind"] for change in comparison.document["changes"]] == ["counters_cleared"]
    assert "growth is a lower bound" in str(comparison.document["changes"])
    rows = comparison.ports.to_pylist()
    port = next(row for row in rows if (row["node_guid"], row["port_num"]) == key(bench.other))
    assert (port["symbol_error_counter_delta"], port["symbol_error_counter_class"]) == (700, "at_least")


def test_the_command_tells_from_collection_to_suspect(bench, tmp_path):
    run = CliRunner()
    healthy, now = tmp_path / "healthy.ibf", tmp_path / "now.ibf"
    with preloaded(bench.subnet):
        first = run.invoke(group, ["collect", "-o", str(healthy), "--no-every-port"])
        bench.subnet.tell(f"PerformanceSet {told(bench.other_host)} PortCounters.SymbolErrorCounter=9000")
        second = run.invoke(group, ["collect", "-q", "-o", str(now), "--every-port"])
    assert "14 nodes (5 switches, 9 HCAs" in first.output
    assert "ibqueryerrors --threshold-file /dev/null --details" in first.output
    assert "1 sample" in second.output
    assert (tmp_path / "now.collected" / "fabric" / "perfquery-x.txt").is_file()
    diff = run.invoke(group, ["diff", str(healthy), str(now)], standalone_mode=False)
    assert diff.return_value == 1, diff.output
    assert "is very likely to blame" in diff.output or "is likely to blame" in diff.output


def test_one_bad_port_of_a_large_fabric_is_named(tmp_path):
    with running(LARGE, tmp_path) as bench:
        before = bench.look()
        bench.subnet.tell(f"PerformanceSet {told(bench.spine)} PortCounters.PortRcvErrors=900")
        after = bench.look()
    assert (after.latest.counts["nodes"], after.latest.counts["links"]) == (702, 1296)
    (suspect,), changes = suspects(before, after)
    assert ports_of(suspect) == {key(bench.spine), key(bench.uplink)}
    assert changes == []
