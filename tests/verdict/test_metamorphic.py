"""Changes of the input that must not change the verdict, or only in one direction."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from editing import Sheet, key
from incidents import HARMLESS, changed, essence, incident
from small_fabric import FILE, compare, story

from ibforensic import pipeline
from ibforensic.simulate.faults import Fault, FaultKind

DETAILS = (
    "PortLocalPhysicalErrors",
    "PortMalformedPacketErrors",
    "PortBufferOverrunErrors",
    "PortDLIDMappingErrors",
    "PortVLMappingErrors",
    "PortLoopingErrors",
    "PortInactiveDiscards",
    "PortNeighborMTUDiscards",
    "PortSwLifetimeLimitDiscards",
    "PortSwHOQLifetimeLimitDiscards",
)
TRAFFIC = re.compile(r"Port(Xmit|Rcv|UniCastXmit|UniCastRcv|MultiCastXmit|MultiCastRcv)(Data|Pkts)(Ext\w*)?")
SEEDS = (3, 11)


@cache
def _texts(seed):
    """A bad link, a flapping one, a narrow one, and everyday trouble."""
    faults = [
        Fault(FaultKind.BAD_LINK, severity="high"),
        Fault(FaultKind.FLAPPING_LINK),
        Fault(FaultKind.WIDTH_LOSS),
        Fault(FaultKind.HOST_REBOOT),
        Fault(FaultKind.SWITCH_COUNTER_CLEAR),
    ]
    baseline, current, _ = incident(faults, seed, leaves=3, spines=2, hosts_per_leaf=3, hcas_per_host=2)
    return baseline, current


@cache
def _plain(seed):
    found = essence(changed(*_texts(seed), None, None))
    assert len(found) == 3
    return found


def _same(seed, change):
    assert essence(changed(*_texts(seed), change, change)) == _plain(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_rows_does_not_matter(seed):
    rng = Random(seed)

    def shuffle(sheet):
        for rows in sheet.sections.values():
            rng.shuffle(rows)

    _same(seed, shuffle)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_sections_does_not_matter(seed):
    def turn(sheet):
        sheet.sections = dict(reversed(sheet.sections.items()))

    _same(seed, turn)


@pytest.mark.parametrize("seed", SEEDS)
def test_lids_do_not_matter(seed):
    def renumber(sheet):
        for row in sheet["PORTS"]:
            row["LID"] = str(int(row["LID"]) * 7 % 1009) if row["LID"] != "0" else "0"

    assert essence(changed(*_texts(seed), None, renumber)) == _plain(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_hosts_do_not_matter(seed):
    def rename(sheet):
        for row in sheet["NODES"]:
            row["NodeDesc"] = row["NodeDesc"].replace("gpu-", "rack7-node")

    assert essence(changed(*_texts(seed), None, rename)) == _plain(seed)
    _same(seed, rename)


@pytest.mark.parametrize("seed", SEEDS)
def test_healthy_nodes_do_not_matter(seed):
    def grow(sheet):
        leaf = next(row["NodeGUID"] for row in sheet["NODES"] if "leaf-01" in row["NodeDesc"])
        hca, above = next(
            (key_b, key_a)
            for key_a, key_b in map(_ends, sheet["LINKS"])
            if key_a.node_guid == leaf and key_b.port_num == 1
        )
        calm = _calm(sheet, hca.node_guid)
        for number in range(12):
            _add_host(sheet, hca, above, number, calm)

    found = essence(changed(*_texts(seed), grow, grow))
    assert [suspect["link"] for suspect in found] == [suspect["link"] for suspect in _plain(seed)]
    assert [suspect["end"] for suspect in found] == [suspect["end"] for suspect in _plain(seed)]


def _ends(row):
    ends = [key({"NodeGUID": row[f"NodeGuid{end}"], "PortNumber": row[f"PortNum{end}"]}) for end in "12"]
    return tuple(sorted(ends, key=lambda end: end.port_num == 1))


def _calm(sheet, guid):
    """Counters of a port without any errors."""
    row = next(row for row in sheet["PM_INFO"] if row["NodeGUID"] == guid)
    return {
        name: value if TRAFFIC.fullmatch(name) or not value.isdecimal() else "0"
        for name, value in row.items()
    }


def _add_host(sheet, hca, above, number, calm):
    """Plug one more HCA into a leaf, without errors on either end."""
    guid, free = f"0x5ed0810300ff{number:04x}", str(47 + number)
    for name in ("NODES", "NODES_INFO"):
        row = next(row for row in sheet[name] if row["NodeGUID"] == hca.node_guid)
        sheet[name].append(
            {column: guid if value == hca.node_guid else value for column, value in row.items()}
        )
    for row in (sheet["NODES"][-1],):
        row["NodeDesc"] = f"extra-{number:04d} mlx5_0"
    for end, node, place in ((hca, guid, "1"), (above, above.node_guid, free)):
        ports = dict(sheet.row("PORTS", end), NodeGuid=node, PortGuid=node, PortNum=place)
        sheet["PORTS"].append(ports)
        sheet["PM_INFO"].append({**calm, "NodeGUID": node, "PortGUID": node, "PortNumber": place})
    link = {"NodeGuid1": above.node_guid, "PortNum1": free, "NodeGuid2": guid, "PortNum2": "1"}
    sheet["LINKS"].append(link)


@pytest.mark.parametrize("seed", SEEDS)
def test_twice_the_traffic_does_not_matter(seed):
    def double(sheet):
        for row in sheet["PM_INFO"]:
            for name in row:
                if TRAFFIC.fullmatch(name) and row[name].isdecimal():
                    row[name] = str(2 * int(row[name]))

    _same(seed, double)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_busier_baseline_does_not_matter(seed):
    """Half of what was carried in between was carried before instead."""
    now = {key(row): row for row in Sheet(_texts(seed)[1])["PM_INFO"]}

    def busier(sheet):
        for row in sheet["PM_INFO"]:
            later = now.get(key(row), row)
            for name in row:
                if TRAFFIC.fullmatch(name) and row[name].isdecimal() and later[name].isdecimal():
                    here, there = int(row[name]), int(later[name])
                    row[name] = str(here + max(0, there - here) // 2)

    assert essence(changed(*_texts(seed), busier, None)) == _plain(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_short_window_of_the_run_does_not_matter(seed):
    _same(seed, lambda sheet: sheet.drop("PM_DELTA"))


@pytest.mark.parametrize("seed", SEEDS)
def test_missing_details_may_only_lower_confidence(seed):
    found = essence(changed(*_texts(seed), *[lambda sheet: sheet.drop_columns("PM_INFO", DETAILS)] * 2))
    before = {suspect["link"]: suspect for suspect in _plain(seed)}
    assert found[0]["link"] == _plain(seed)[0]["link"]
    assert {suspect["link"] for suspect in found} <= set(before)
    for suspect in found:
        assert suspect["confidence"].link <= before[suspect["link"]]["confidence"].link
        assert suspect["score"] <= before[suspect["link"]]["score"]


@pytest.mark.parametrize("seed", SEEDS)
def test_both_spellings_of_line_ends_say_the_same(seed):
    baseline, current = (text.replace("\n", "\r\n") for text in _texts(seed))
    assert essence(compare(baseline, current)) == _plain(seed)


@pytest.mark.parametrize("arguments", ["", "--pc --get_phy_info"])
def test_a_snapshot_against_itself_names_nobody(arguments):
    """Also where the run itself cleared the counters before it read them."""
    sheet = Sheet(_texts(3)[1])
    sheet["RUN_INFO"][0]["Args"] = arguments
    document = compare(str(sheet), str(sheet)).document
    assert (document["verdict"], document["changed"]) == ("no_suspect", False)
    assert document["suspects"] == []
    assert document["gap_s"] == 0


def test_resets_clears_and_new_names_name_nobody():
    document = compare(
        *incident(
            [Fault(kind) for kind in HARMLESS], 8, leaves=3, spines=2, hosts_per_leaf=3, hcas_per_host=2
        )[:2]
    ).document
    assert (document["verdict"], document["changed"]) == ("no_suspect", True)
    assert {"node_rebooted", "node_renamed", "fabric_cleared"} <= {
        group["kind"] for group in document["changes"]
    }


def test_a_clear_in_between_keeps_the_rank():
    fault = Fault(FaultKind.BAD_LINK, severity="high")
    size = {"leaves": 3, "spines": 2, "hosts_per_leaf": 3, "hcas_per_host": 2}
    first = [
        essence(compare(*incident(faults, 21, **size)[:2]))[0]["link"]
        for faults in ([fault], [fault, Fault(FaultKind.FABRIC_COUNTER_CLEAR)])
    ]
    assert first[0] == first[1]


def test_the_order_of_the_files_does_not_matter(tmp_path):
    told = story()
    told.damage(told.uplink()[0])
    baseline, current = told.texts()
    documents = []
    for names in (("a", "b", FILE), (FILE, "b", "a")):
        side = tmp_path / "side"
        for text in (baseline, current):
            folder = side / ("baseline" if text == baseline else "current")
            folder.mkdir(parents=True)
            for name in names:
                (folder / name).write_text(text if name == FILE else f"note {name}\n")
        loaded = [pipeline.load(side / name) for name in ("baseline", "current")]
        documents.append(pipeline.render(pipeline.diff(*loaded).document, "json"))
        side.rename(tmp_path / f"gone-{names[0]}")
    assert documents[0] == documents[1]
