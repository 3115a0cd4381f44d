"""iblinkinfo, ibqueryerrors and sysfs of a simulated fabric, read back by the plainest means."""

from __future__ import annotations

import re

import pytest
from diags import incident, written
from test_topology import build

from ibforensic.model.counters import CATALOGUE, by_spelling
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import LANE_GBPS
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.ibqueryerrors_text import human
from ibforensic.simulate.incident import make_incident

NODE = re.compile(r'Errors for (?:(0x[0-9a-f]+) )?"(.+)"')
PORT = re.compile(r"   GUID 0x([0-9a-f]+) port (ALL|\d+):((?: \[\w+ == \d+(?: \([^()]+\))?\])+)")
COUNTER = re.compile(r"\[(\w+) == (\d+)(?: \(([^()]+)\))?\]")
LINK = re.compile(
    r"(?:      (0x[0-9a-f]{16}) |      )([ \d]{6}) ([ \d]{4})\[  \] ==\( (\dX) ([ \w.]{13} Gbps) "
    r'Active/  LinkUp\)==>  ([ \d]{6}) ([ \d]{4})\[  \] "(.+)" \((Could be \dX)? (Could be [\d.]+ Gbps)?\)'
)
DOWN = re.compile(r'      ([ \d]{6}) ([ \d]{4})\[  \] ==\( {16}Down/ Polling\)==> {13}\[  \] "" \( \)')


@pytest.fixture(scope="module")
def sample():
    return incident()


@pytest.fixture(scope="module")
def folder(sample, tmp_path_factory):
    names = "iblinkinfo,ibqueryerrors,ibqueryerrors-details,ibqueryerrors-swapped,sysfs"
    return written(sample, tmp_path_factory.mktemp("diags"), names)


def errors(path):
    """Return the counters of each port (255 for all) as a list, and the lines of the summary."""
    body, summary = path.read_text().split("\n\n")
    found, titled = {}, None
    for line in body.splitlines():
        if NODE.fullmatch(line):
            titled = NODE.fullmatch(line)
            continue
        guid, port, counters = PORT.fullmatch(line).groups()
        number = 255 if port == "ALL" else int(port)
        key = PortKey(f"0x{int(guid, 16):016x}", number)
        assert titled[1] in (None, f"0x{guid}")
        found[key] = (titled[2], titled[1] is not None, COUNTER.findall(counters))
    return found, summary.splitlines()


def wide_errors(sample, port):
    """Return the error counters that a port shows: what it has counted, but in dead twins."""
    dead = {"symbol_error_counter", "link_downed_counter"}
    hca = sample.fabric.node[port.node_guid].role is Role.HCA
    spelled = by_spelling("ibqueryerrors", extended=True)
    return {
        name: sample.counters[port].get(counter.name, 0)
        for name, (counter, column) in spelled.items()
        if column.endswith("_ext") and not column.endswith(("_data_ext", "_pkts_ext"))
        if not (hca and counter.name in dead)
        if sample.counters[port].get(counter.name, 0)
    }


def test_ibqueryerrors_shows_every_error_and_nothing_else(sample, folder):
    found, summary = errors(folder / "ibqueryerrors" / "ibqueryerrors.txt")
    ports = {port for node in sample.seen_nodes() for port in sample.up_ports(node)}
    expected = {port: wide_errors(sample, port) for port in ports}
    expected = {port: shown for port, shown in expected.items() if shown}
    single = {port: counters for port, (*_, counters) in found.items() if port.port_num != 255}
    assert {port: {name: int(n) for name, n, _ in shown} for port, shown in single.items()} == expected
    assert all(text == human(int(n)) for shown in single.values() for _, n, text in shown)
    for port, (name, is_switch, _) in found.items():
        assert name == sample.names[port.node_guid]
        assert is_switch is sample.fabric.node[port.node_guid].is_switch
    bad = {port.node_guid for port in single}
    assert summary == [
        f"## Summary: {len(sample.seen_nodes())} nodes checked, {len(bad)} bad nodes found",
        f"##          {len(ports)} ports checked, {len(single)} ports have errors beyond threshold",
        "## ",
    ]


def test_a_switch_also_shows_the_sum_over_its_ports(sample, folder):
    found, _ = errors(folder / "ibqueryerrors" / "ibqueryerrors.txt")
    sums = {port.node_guid: shown for port, (*_, shown) in found.items() if port.port_num == 255}
    assert sums
    for guid, shown in sums.items():
        node = sample.fabric.node[guid]
        assert node.is_switch
        for name, value, _ in shown:
            true = [wide_errors(sample, port).get(name, 0) for port in sample.up_ports(node)]
            assert int(value) == sum(true)


def test_old_hcas_show_narrow_counters(tmp_path):
    fabric = build("fat-tree:leaf=2,spine=1,hosts=3", "edr")
    fault = Fault(FaultKind.BAD_LINK, severity="high")
    current = make_incident(fabric, [fault], seed=2)[0].current
    found, _ = errors(written(current, tmp_path, "ibqueryerrors") / "ibqueryerrors" / "ibqueryerrors.txt")
    seen = 0
    for port, (*_, shown) in found.items():
        if fabric.node[port.node_guid].role is Role.HCA:
            for name, value, text in shown:
                counter, _ = by_spelling("ibqueryerrors")[name]
                assert text == ""
                assert int(value) == min(current.counters[port][counter.name], counter.full)
                seen += 1
    assert seen


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3.000"),
        (52, "52.000"),
        (1023, "1023.000"),
        (1024, "1.000K"),
        (65535, "63.999K"),
        (9463628588, "8.814G"),
        (2**40 - 1, "1024.000G"),
        (2**40, "  infT"),
    ],
)
def test_numbers_for_people_are_those_of_the_tool(value, text):
    assert human(value) == text


def parts(path):
    """Return what stands behind the two counters that have details, by port and counter."""
    found = {}
    for port, (*_, counters) in errors(path)[0].items():
        over = None
        for name, value, text in counters:
            if text:
                over = name
            else:
                found.setdefault((port, over), {})[name] = int(value)
    return found


def test_details_stand_behind_their_counters(sample, folder):
    found = parts(folder / "ibqueryerrors-details" / "ibqueryerrors.txt")
    assert {over for _, over in found} == {"PortRcvErrors", "PortXmitDiscards"}
    spelled = by_spelling("ibqueryerrors")
    for (port, over), shown in found.items():
        assert port.port_num != 255
        for name, value in shown.items():
            counter, _ = spelled[name]
            assert value == min(sample.counters[port][counter.name], counter.full)
            assert ("Discards" in name) is (over == "PortXmitDiscards")


def test_details_can_be_confused_as_the_tool_does(folder):
    right = parts(folder / "ibqueryerrors-details" / "ibqueryerrors.txt")
    wrong = parts(folder / "ibqueryerrors-swapped" / "ibqueryerrors.txt")
    other = {
        "PortInactiveDiscards": "PortLocalPhysicalErrors",
        "PortNeighborMTUDiscards": "PortMalformedPktErrors",
        "PortSwLifetimeLimitDiscards": "PortBufferOverrunErrors",
        "PortSwHOQLifetimeLimitDiscards": "PortDLIDMappingErrors",
    }
    other |= {there: here for here, there in other.items()}
    assert wrong == {key: {other[name]: n for name, n in shown.items()} for key, shown in right.items()}
    assert any(
        "PortInactiveDiscards" in shown for (_, over), shown in wrong.items() if over == "PortRcvErrors"
    )


def blocks(path):
    """Return the lines of each node, its title first."""
    return [block.splitlines() for block in re.split(r"(?m)^(?=CA: |Switch: )", path.read_text()) if block]


def test_iblinkinfo_shows_both_ends_of_every_link(sample, folder):
    fabric, by_lid = sample.fabric, {lid: guid for guid, lid in sample.lids.items()}
    ups, downs, remarks = set(), set(), set()
    for title, *lines in blocks(folder / "iblinkinfo" / "iblinkinfo.txt"):
        for line in lines:
            down = DOWN.fullmatch(line)
            if down:
                downs.add(PortKey(by_lid[int(down[1])], int(down[2])))
                continue
            guid, lid, number, width, speed, far_lid, far_number, far_name, wider, faster = LINK.fullmatch(
                line
            ).groups()
            port = PortKey(by_lid[int(lid)], int(number))
            peer = PortKey(by_lid[int(far_lid)], int(far_number))
            ups.add(port)
            name = sample.names[port.node_guid]
            switch = fabric.node[port.node_guid].is_switch
            assert title == (f"Switch: {port.node_guid} {name}:" if switch else f"CA: {name}:")
            assert guid == (None if switch else port.node_guid)
            assert (fabric.peer(port), sample.names[peer.node_guid]) == (peer, far_name)
            state, link = sample.links[fabric.link_at[port].key], fabric.link_at[port]
            assert (width, speed.split()[0]) == (state.width.upper(), str(LANE_GBPS[state.speed]))
            assert wider == (None if state.width == link.width else f"Could be {link.width.upper()}")
            assert faster == (None if state.speed == link.speed else f"Could be {LANE_GBPS[link.speed]} Gbps")
            remarks |= {wider, faster}
    assert ups == {port for node in sample.seen_nodes() for port in sample.up_ports(node)}
    assert {port for port in fabric.link_at if not sample.is_up(port)} & downs
    assert not ups & downs
    assert remarks == {None, "Could be 106.25 Gbps"}


def test_iblinkinfo_tells_lost_lanes(tmp_path):
    fault = Fault(FaultKind.WIDTH_LOSS, severity="high")
    current = make_incident(build("fat-tree:leaf=2,spine=1,hosts=3"), [fault], seed=2)[0].current
    text = (written(current, tmp_path, "iblinkinfo") / "iblinkinfo" / "iblinkinfo.txt").read_text()
    assert len(re.findall(r"==\( [12]X .+ \(Could be 4X \)$", text, re.MULTILINE)) == 2


def tree(path):
    """Return path below /sys/class/infiniband → value."""
    pairs = (line.split(":", 1) for line in path.read_text().splitlines())
    return {name.removeprefix("/sys/class/infiniband/"): value for name, value in pairs}


def test_sysfs_shows_states_and_counters_of_every_host(sample, folder):
    fabric, spelled, seen = sample.fabric, by_spelling("sysfs"), set()
    by_kernel = {node.guid: ":".join(re.findall("....", node.guid[2:])) for node in fabric.nodes}
    for path in (folder / "sysfs").iterdir():
        files = tree(path)
        for name in [name for name in files if name.endswith("/node_guid")]:
            device = name.partition("/")[0]
            guid = next(guid for guid, text in by_kernel.items() if text == files[name])
            port, root = PortKey(guid, 1), f"{device}/ports/1/"
            seen.add(guid)
            assert sample.names[guid] == files[f"{device}/node_desc"] == f"{path.stem} {device}"
            up = sample.is_up(port)
            assert files[root + "state"] == ("4: ACTIVE" if up else "1: DOWN")
            assert files[root + "phys_state"] == ("5: LinkUp" if up else "2: Polling")
            assert int(files[root + "lid"], 16) == (sample.lids[guid] if up else 65535)
            speed = sample.links[fabric.link_at[port].key].speed
            rates = {"NDR": "400 Gb/sec (4X NDR)", "HDR": "200 Gb/sec (4X HDR)"}
            assert files[root + "rate"] == (rates[speed] if up else "10 Gb/sec (4X SDR)")
            for counter in ("symbol_error", "link_downed", "port_xmit_wait", "port_rcv_data"):
                found, column = spelled[counter]
                true = sample.counters[port].get(found.name, 0)
                value = true if column == found.ext_name else min(true, CATALOGUE[found.name].full)
                assert int(files[f"{root}counters/{counter}"]) == value
            assert files[root + "hw_counters/lifespan"] == "12"
    assert seen == {hca.guid for host, hcas in fabric.hosts.items() if host not in sample.off for hca in hcas}


def test_what_an_hca_has_served_grows_until_its_host_restarts(tmp_path):
    fabric = build("fat-tree:leaf=2,spine=1,hosts=3")
    pair, truth = make_incident(fabric, [Fault(FaultKind.HOST_REBOOT)], seed=3)
    before, after = (
        {path.stem: tree(path) for path in (written(one, tmp_path / name, "sysfs") / "sysfs").iterdir()}
        for name, one in (("before", pair.baseline), ("after", pair.current))
    )
    (host,) = (one["host"] for one in truth["rebooted"])
    for name, files in after.items():
        (served,) = (key for key in files if key.endswith("rx_write_requests"))
        assert (int(files[served]) < int(before[name][served])) is (name == host)
