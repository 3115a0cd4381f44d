"""Every ordered topology is a fabric that could be: ports, speeds, names, files."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from simulated import by_port, rows

from ibforensic.model.devices import DEVICES
from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import guid
from ibforensic.parsers import claimant, db_csv
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import make_incident, write_pair
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import parse_spec, parse_speeds

SMALL = {
    "fat-tree:leaf=3,spine=2,hosts=4,hcas=2": "ndr",
    "fat-tree:leaf=4,spine=2,hosts=3,uplinks=2": "ndr,hdr",
    "fat-tree:leaf=2,spine=2,hosts=5,split=1": "ndr",
    "fat-tree:leaf=2,spine=1,hosts=5,split=1": "hdr",
    "fat-tree3:pod=2,leaf=2,spine=2,core=4,hosts=3": "ndr",
    "rail:hosts=6,rails=8,spine=2,unit=4": "ndr",
    "rail:hosts=4,rails=4,spine=2": "edr",
    "planes:leaf=2,spine=2,hosts=3": "xdr",
}


def build(text, speed="ndr", seed=1, **options):
    return build_topology(parse_spec(text), parse_speeds(speed), seed, **options)


def _count(fabric):
    return Counter(node.role for node in fabric.nodes)


@pytest.mark.parametrize(
    ("text", "speed", "hcas", "leaves", "spines", "cores"),
    [
        ("fat-tree:leaf=32,spine=16,hosts=32,hcas=1", "ndr", 1024, 32, 16, 0),
        ("fat-tree:leaf=2,spine=1,hosts=8", "ndr", 16, 2, 1, 0),
        ("fat-tree3:pod=4,leaf=8,spine=8,core=16,hosts=16", "ndr", 512, 32, 32, 16),
        ("fat-tree3:pod=16,leaf=32,spine=16,core=32,hosts=33", "ndr", 16_896, 512, 256, 32),
        ("rail:hosts=64,rails=8,spine=8", "ndr", 512, 16, 8, 0),
        ("planes:leaf=8,spine=4,hosts=16", "xdr", 128, 32, 16, 0),
    ],
)
def test_there_are_as_many_as_were_ordered(text, speed, hcas, leaves, spines, cores):
    fabric = build(text, speed)
    found = _count(fabric)
    expected = (hcas, leaves, spines, cores)
    assert tuple(found[role] for role in (Role.HCA, Role.LEAF, Role.SPINE, Role.CORE)) == expected
    assert len(fabric.node) == len(fabric.nodes)
    assert len(fabric.link_at) == 2 * len(fabric.links)


@pytest.mark.parametrize("text", SMALL)
def test_ports_exist_and_labels_tell_them_apart(text):
    fabric = build(text, SMALL[text])
    for node in fabric.nodes:
        numbers = [port.port_num for port in fabric.ports_of[node.guid]]
        assert numbers
        limit = 1 if node.role is Role.AGGREGATION else node.inner_port or node.front_ports
        assert 1 <= min(numbers) <= max(numbers) <= limit
        labels = [fabric.label(port) for port in fabric.ports_of[node.guid]]
        assert len(set(labels)) == len(labels)
        assert node.chip.device_id in DEVICES
        if node.is_switch:
            front = {number for number in numbers if number <= node.front_ports}
            assert front <= set(node.shown_ports) == set(range(1, node.front_ports + 1))


@pytest.mark.parametrize("text", SMALL)
def test_guids_are_normal_and_nobody_owns_them(text):
    guids = [node.guid for node in build(text, SMALL[text]).nodes]
    assert all(guid(one) == one for one in guids)
    assert all(int(one, 16) >> 57 & 1 for one in guids)


def test_guids_are_awkward_and_serials_differ():
    nodes = build("fat-tree:leaf=4,spine=2,hosts=20").nodes
    assert any(int(node.guid, 16) > 2**63 for node in nodes)
    assert any(node.guid.startswith("0x0") for node in nodes)
    serials = [node.serial for node in nodes if node.role is not Role.AGGREGATION]
    assert len(set(serials)) == len(serials)


@pytest.mark.parametrize("text", ["fat-tree:leaf=4,spine=2,hosts=3", "rail:hosts=64,rails=2,spine=2"])
def test_a_mixed_fabric_runs_at_the_slower_end(text):
    fabric = build(text, "hdr,ndr")
    assert {node.chip.speed for node in fabric.nodes if node.role is Role.SPINE} == {"NDR"}
    for tier in (Role.HCA, Role.SPINE):
        assert {link.speed for link in fabric.cables(tier)} == {"NDR", "HDR"}
    for link in fabric.cables(Role.HCA):
        assert {fabric.node[end.node_guid].chip.speed for end in link.key} == {link.speed}


def test_rails_meet_at_one_leaf_for_each_index():
    fabric = build("rail:hosts=6,rails=8,spine=2,unit=3")
    by_leaf = {}
    for hcas in fabric.hosts.values():
        assert len(hcas) == 8
        for hca in hcas:
            leaf = fabric.peer(fabric.ports_of[hca.guid][0]).node_guid
            by_leaf.setdefault(leaf, set()).add(hca.name.rpartition(" ")[2])
    assert len(by_leaf) == 16
    assert all(len(devices) == 1 for devices in by_leaf.values())


def test_planes_share_a_system_and_never_touch():
    fabric = build("planes:leaf=2,spine=2,hosts=3", "xdr")
    for link in fabric.cables(Role.HCA) + fabric.cables(Role.SPINE):
        planes = {fabric.plane(end)[1] for end in link.key}
        assert len(planes) == 1
        assert (link.width, link.speed) == ("1x", "XDR")
    systems = Counter(node.system_guid for node in fabric.switches)
    assert set(systems.values()) == {4}
    for hca in (node for node in fabric.nodes if node.role is Role.HCA):
        assert [fabric.plane(port) for port in fabric.ports_of[hca.guid]] == [(1, n, 4) for n in range(1, 5)]


@pytest.mark.parametrize(
    ("speed", "labels"),
    [
        ("ndr", ["1/1/1/1", "1/1/1/2", "1/1/2/1", "1/1/2/2", "1/2/1/1"]),
        ("hdr", ["1/1", "1/2", "2/1", "2/2", "3/1"]),
    ],
)
def test_split_ports_run_on_two_lanes(speed, labels):
    fabric = build("fat-tree:leaf=2,spine=2,hosts=5,split=1", speed)
    assert {link.width for link in fabric.cables(Role.HCA)} == {"2x"}
    assert {link.width for link in fabric.cables(Role.SPINE)} == {"4x"}
    leaf = next(node.guid for node in fabric.nodes if node.role is Role.LEAF)
    assert [fabric.label(port) for port in fabric.ports_of[leaf][:5]] == labels


@pytest.mark.parametrize(
    ("text", "speed", "says"),
    [
        ("torus:x=3", "ndr", "unknown topology"),
        ("fat-tree:rails=3", "ndr", "no number 'rails'"),
        ("fat-tree:leaf", "ndr", "no whole number"),
        ("fat-tree:leaf=-3", "ndr", "no whole number"),
        ("fat-tree:leaf=0", "ndr", "leaf is 0"),
        ("fat-tree:split=2", "ndr", "split is 0 or 1"),
        ("fat-tree:hcas=9", "ndr", "at most 8"),
        ("rail:rails=9", "ndr", "at most 8"),
        ("fat-tree3:spine=3,core=4", "ndr", "4 core switches"),
        ("fat-tree:leaf=2,spine=2,hosts=63", "ndr", "63 ports down and 2 up"),
        ("fat-tree:leaf=65,spine=2,hosts=1", "ndr", "has 64"),
        ("fat-tree:leaf=2,spine=16,hosts=32", "hdr", "has 40"),
        ("fat-tree:leaf=2,spine=2,hosts=80,split=1", "hdr", "40 ports down and 2 up"),
        ("fat-tree:leaf=2", "warp", "unknown speed 'warp'"),
        ("fat-tree:leaf=2", "", "unknown speed"),
        ("planes:leaf=2", "ndr", "only XDR has planes"),
    ],
)
def test_what_cannot_be_is_refused_in_words(text, speed, says):
    with pytest.raises(BadUsage) as error:
        build(text, speed)
    assert says in error.value.message
    assert error.value.help


def test_a_few_devices_run_other_firmware():
    fabric = build("fat-tree:leaf=60,spine=4,hosts=4")
    for role in (Role.LEAF, Role.HCA):
        versions = Counter(node.chip.firmware for node in fabric.nodes if node.role is role)
        assert len(versions) > 1
        assert versions.most_common()[0][1] > 0.75 * versions.total()


def test_switches_without_a_board_have_the_name_of_their_model():
    names = Counter(node.name for node in build("fat-tree:leaf=20,spine=4,hosts=2").switches)
    assert names.pop("Quantum-2 Mellanox Technologies") > 1
    assert set(names.values()) == {1}
    assert all(re.fullmatch(r"MF0;\S+:MQM9700/U1", name) for name in names)


def test_rows_come_as_a_discovery_meets_them():
    firsts = set()
    for seed in range(12):
        fabric = build("fat-tree:leaf=3,spine=2,hosts=4", seed=seed)
        place = {node.guid: number for number, node in enumerate(fabric.nodes)}
        near = {guid: {fabric.peer(port).node_guid for port in fabric.ports_of[guid]} for guid in place}
        finders = [min(place[peer] for peer in near[node.guid]) for node in fabric.nodes[1:]]
        assert all(early <= late for early, late in pairwise(finders))
        firsts.add(fabric.nodes[0].name)
    assert len(firsts) > 6


def test_a_seed_decides_everything(tmp_path):
    for name in ("one", "two"):
        write_pair(tmp_path / name, *make_incident(build("rail:hosts=4,rails=2,spine=2"), seed=5))
    for path in (tmp_path / "one").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


@pytest.fixture(scope="module", params=SMALL)
def written(request, tmp_path_factory):
    directory = tmp_path_factory.mktemp("topology")
    fabric = build(request.param, SMALL[request.param], seed=3)
    faults = [Fault(FaultKind.BAD_LINK, severity="high"), Fault(FaultKind.HOST_REBOOT)]
    write_pair(directory, *make_incident(fabric, faults, seed=3))
    return fabric, directory


def test_parsers_have_nothing_to_complain_about(written):
    _, directory = written
    for path in sorted(directory.glob("*/ibdiagnet2.*")):
        data = path.read_bytes()
        parsed = claimant(path.name, data).parse(path.name, data)
        assert list(parsed.notes) == [], path
        assert parsed.whole


def test_files_say_what_the_fabric_is(written):
    fabric, directory = written
    data = (directory / "baseline" / "ibdiagnet2.db_csv").read_bytes()
    tables = db_csv.parse("ibdiagnet2.db_csv", data).tables
    ports = {
        (row["node_guid"], row["port_num"]): row
        for row in tables["ports"].to_pylist()
        if row["state"] == "active" and row["port_num"]
    }
    for link in fabric.cables(Role.HCA) + fabric.cables(Role.SPINE):
        for end in link.key:
            assert (ports[end]["width_active"], ports[end]["speed_active"]) == (link.width, link.speed)
            assert link.speed in ports[end]["speed_supported"].split(",")
    shown = by_port(directory / "baseline", "PORT_HIERARCHY_INFO")
    for port in fabric.link_at:
        if fabric.node[port.node_guid].role is not Role.AGGREGATION and port in shown:
            assert shown[port]["Label"] == fabric.label(port)
            plane = fabric.plane(port)
            told = tuple(shown[port].get(name) for name in ("APort", "Plane", "NumOfPlanes"))
            assert told == (tuple(map(str, plane)) if plane else (None,) * 3)
    for row in rows(directory / "baseline", "NODES"):
        node = fabric.node[row["NodeGUID"]]
        assert int(row["DeviceID"]) == node.chip.device_id
        assert int(row["NumPorts"]) >= max(port.port_num for port in fabric.ports_of[node.guid])
