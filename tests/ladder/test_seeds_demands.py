"""Slow collectives as operators asked about them (DEMANDS D-33 to D-43); D-38 and D-41 with a fabric too."""

from __future__ import annotations

from bench_files import GUIDS, ibstat, ladder, nccl, rung, says, several, texts, write_bw
from conftest import real_file
from small_fabric import story

from ibforensic import pipeline
from ibforensic.ladder.grounds import Fabric, Grounds, Side
from ibforensic.ladder.rung_pairs import judge
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.tables import TABLES

HOSTS = {f"{host}.ibstat": ibstat(host) for host in GUIDS}
REPORTED = {
    ("644", "699"): 49,
    ("404", "699"): 88,
    ("641", "644"): 49,
    ("284", "678"): 49,
    ("632", "641"): 87,
}


PLAIN = {"gpus": 1, "said": False}


def pairs(values):
    """A file for each pair, one run each: pairs are held against each other, not against a baseline."""
    return {
        f"{one}_{other}.log": nccl(
            value, hosts=(f"n{one}", f"n{other}"), gpus=1, said=False, program="sendrecv_perf"
        )
        for (one, other), value in values.items()
    }


def test_d33_the_node_that_five_pairs_have_in_common_is_named(tmp_path):
    found = rung(ladder(tmp_path, None, pairs(REPORTED)), "pairs")
    assert found["state"] == "worse"
    hosts = [finding for finding in found["findings"] if finding["message"] == "ladder.pairs.host"]
    assert [finding["params"]["host"] for finding in hosts] == ["n644"]
    assert hosts[0]["params"]["others"] == "n641, n699"
    cleared = next(item for item in found["findings"] if item["message"] == "ladder.pairs.cleared")
    assert cleared["params"]["hosts"] == "n404, n632, n641, n699"
    open_ = next(item for item in found["findings"] if item["message"] == "ladder.pairs.undetermined")
    assert "n284 - n678 is slow; undetermined" in open_["text"]
    assert open_["beside"][-1]["text"] == "measure next: n284 - n404, n678 - n404"


def test_d34_a_fast_fourth_node_turns_the_verdict_from_node_to_path(tmp_path):
    three = {("1", "2"): 5, ("1", "3"): 10, ("3", "5"): 10}
    before = rung(ladder(tmp_path, None, pairs(three)), "pairs")
    assert says(before, "n1 - n2 is slow; undetermined")
    assert says(before, "measure next: n2 - n3")
    found = rung(ladder(tmp_path, None, pairs(three | {("2", "4"): 10})), "pairs")
    assert says(found, "n1 - n2 is slow", "it is the path, not a node")
    assert not any(finding["message"] == "ladder.pairs.undetermined" for finding in found["findings"])


def test_d34_with_forwarding_tables_the_links_that_slow_paths_share_are_listed(tmp_path):
    """Two leaves and two spines; what goes from leaf a to leaf b takes spine 1, all else spine 2."""
    hosts = {name: PortKey(f"0xh{name}", 1) for name in "1256"}
    leaves = {"1": "0xa", "5": "0xa", "2": "0xb", "6": "0xb"}
    number = {"1": 1, "2": 1, "5": 2, "6": 2}
    links = {port: PortKey(leaves[name], number[name]) for name, port in hosts.items()}
    for leaf, at in (("0xa", 1), ("0xb", 2)):
        for spine, up in (("0xs1", 11), ("0xs2", 12)):
            links[PortKey(leaf, up)] = PortKey(spine, at)
    peers = links | {other: one for one, other in links.items()}
    lids = {"1": 1, "2": 2, "5": 5, "6": 6}
    routes = [("0xa", 2, 11), ("0xa", 6, 12), ("0xb", 1, 12), ("0xb", 5, 12), ("0xb", 6, 2), ("0xa", 5, 2)]
    routes += [("0xs1", 2, 2), ("0xs1", 6, 2), ("0xs2", 1, 1), ("0xs2", 5, 1), ("0xs2", 6, 2), ("0xa", 1, 1)]
    routes += [("0xb", 2, 1)]
    told = [
        {"switch_guid": switch, "lid_from": lid, "lid_to": lid, "out_port": out, "kind": "unicast"}
        for switch, lid, out in routes
    ]
    place = tmp_path / "pairs"
    place.mkdir()
    values = {("1", "2"): 5.0, ("1", "5"): 10.0, ("2", "6"): 10.0, ("1", "6"): 10.0}
    for name, text in pairs(values).items():
        (place / name).write_text(text)
    tables = dict(pipeline.load(place).latest.tables)
    tables["routes"] = TABLES["routes"].conform(
        {name: [row[name] for row in told] for name in told[0]}, rows=len(told), source="fdbs", origin="test"
    )
    tables["hosts"] = TABLES["hosts"].conform(
        {
            "host": [f"n{name}" for name in hosts],
            "device": ["mlx5_0"] * 4,
            "port_num": [1] * 4,
            "node_guid": [port.node_guid for port in hosts.values()],
            "lid": [lids[name] for name in hosts],
        },
        rows=4,
        source="hosts",
        origin="test",
    )
    roles = {port.node_guid: Role.HCA for port in hosts.values()}
    roles |= {"0xa": Role.LEAF, "0xb": Role.LEAF, "0xs1": Role.SPINE, "0xs2": Role.SPINE}
    fabric = Fabric(lambda port: f"{port.node_guid}/{port.port_num}", lambda guid: guid, roles)
    found = judge(Grounds(Side({}), Side(tables, peers=peers), fabric))
    (path,) = [finding for finding in found.findings if finding.message.id == "ladder.pairs.path"]
    named = next(message for message in path.beside if message.id == "ladder.pairs.links")
    assert "0xa/11 ↔ 0xs1/1" in named.text
    assert "0xs2" not in named.text


def test_d35_one_all_reduce_cannot_name_the_slow_node(tmp_path):
    names = ("a", "b", "c")
    before, after = (several(nccl, values, hosts=names, said=False) for values in ((390,) * 3, (200,) * 3))
    found = rung(ladder(tmp_path, {"n.log": before}, {"n.log": after}), "collective")
    assert says(found, "over 3 hosts cannot tell which of them is slow: measure pairs")


def test_d36_single_runs_get_no_verdict_and_the_settings_that_differ_are_listed(tmp_path):
    before = nccl(362, suffix=" -n 20")
    after = nccl(328, suffix=" -n 50", environment=(("NCCL_IB_PCI_RELAXED_ORDERING", "1"),))
    found = rung(ladder(tmp_path, {"n.log": before}, {"n.log": after}), "collective")
    assert found["state"] == "not_comparable"
    assert says(found, "single run on one side, so no verdict: repeat it ten times")
    assert says(found, "command: ", "-n 20", "-n 50")
    assert says(found, "NCCL_IB_PCI_RELAXED_ORDERING: - → 1")


def test_d36_noise_among_the_runs_of_one_side_is_no_change(tmp_path):
    before, after = several(nccl, (362, 330, 355, 341)), several(nccl, (328, 352, 333, 336))
    found = rung(ladder(tmp_path, {"n.log": before}, {"n.log": after}), "collective")
    assert found["counts"]["worse"] == 0
    assert says(found, "~")


def test_d37_another_version_is_not_like_for_like(tmp_path):
    before, after = several(nccl, (390, 391, 389)), several(nccl, (250, 251, 249), version="2.29.2")
    found = rung(ladder(tmp_path, {"n.log": before}, {"n.log": after}), "collective")
    assert found["state"] == "not_comparable"
    assert says(found, "not like for like")
    assert says(found, "nccl_version: 2.28.7+cuda13.0 → 2.29.2+cuda13.0")


def test_d37_and_d39_more_than_the_ports_carry_is_told_as_such(tmp_path):
    options = {"nics": ("mlx5_0",), "gpus": 1}
    files = HOSTS | {"n.log": several(nccl, (160, 161, 159), **options)}
    found = rung(ladder(tmp_path, files, files), "collective")
    assert says(found, "is more than the ports of a host carry (100 GB/s)", "compare algbw")
    usual = HOSTS | {"n.log": several(nccl, (90, 91, 89), **options)}
    assert not says(rung(ladder(tmp_path, usual, usual), "collective"), "more than the ports")


def test_d38_a_port_at_the_wrong_speed_explains_the_collective(tmp_path):
    before = HOSTS | {"n.log": several(nccl, (39.9, 40.0, 39.8))}
    slow = {"gpu02.ibstat": ibstat("gpu02", rate=400)}
    after = HOSTS | slow | {"n.log": several(nccl, (19.5, 19.6, 19.4))}
    told = ladder(tmp_path, before, after)
    assert told["verdict"] == "broken"
    assert rung(told, "collective")["findings"][0]["suspects"] == [1]
    assert "gpu02 mlx5_0 port 1, is on its way and explains it" in told["headline"]["text"]


def test_d39_which_sharp_was_used_is_said_and_algbw_is_compared(tmp_path):
    options = {"environment": (("NCCL_COLLNET_ENABLE", "1"),), "collnet": "COLLNET/SHARP/0/GDRDMA"}
    before, after = (several(nccl, values, **options) for values in ((480, 481, 479), (300, 301, 299)))
    told = ladder(tmp_path, {"n.log": before}, {"n.log": after})
    assert says(rung(told, "collective"), "algbw of 1 GiB", "worse")
    assert not says(rung(told, "collective"), "busbw")
    quiet = nccl(environment=(("NCCL_COLLNET_ENABLE", "1"),))
    assert says(rung(ladder(tmp_path, None, {"n.log": quiet}), "sharp"), "requested and not used")


def test_d40_memory_kinds_are_rows_of_their_own_and_the_ratio_is_checked_in_both_directions(tmp_path):
    both = write_bw(88.0, 89.0) + write_bw(184.0, 185.0, memory="host")
    found = rung(ladder(tmp_path, {"a.txt": both}, {"a.txt": both}), "bandwidth")
    assert says(found, "ratio 2.091 → 2.091")
    alone = rung(ladder(tmp_path, None, {"a.txt": both}), "bandwidth")
    assert says(alone, "host memory 184, GPU memory 88 Gb/s, ratio 2.091")


def test_d41_missing_adapters_halve_the_bandwidth_and_are_named(tmp_path):
    before = several(nccl, (390, 391, 389))
    after = several(nccl, (195, 196, 194), nics=("mlx5_0",))
    told = ladder(tmp_path, {"n.log": before}, {"n.log": after})
    assert says(rung(told, "path"), "other devices are used: mlx5_0:1/IB, mlx5_1:1/IB → mlx5_0:1/IB")
    assert told["verdict"] == "undecided"
    assert says({"findings": [{**told["headline"], "beside": []}]}, "cannot be told")


def test_d42_counters_of_ethernet_give_no_verdict_about_infiniband():
    told = story()
    counts = "NIC statistics:\n     rx_prio3_pause: {}\n     tx_prio3_pause: 0\n     rx_discards_phy: {}\n"
    for files, number in zip(told.beside, (0, 900_000), strict=True):
        files["n1_ethtool_-S_eth4.txt"] = counts.format(number, number)
    document = told.compare().document
    assert document["suspects"] == []
    assert rung(document["ladder"], "fabric")["state"] == "fine"


def test_d43_a_later_value_is_judged_against_the_band_of_many_runs(tmp_path):
    names = ("a", "b")
    band = several(nccl, (39.6, 39.9, 39.2, 39.7, 39.5, 39.8), hosts=names, said=False)
    inside = several(nccl, (39.4, 39.7, 39.6), hosts=names, said=False)
    outside = several(nccl, (31.4, 31.6, 31.2), hosts=names, said=False)
    fine = rung(ladder(tmp_path, {"n.log": band}, {"n.log": inside}), "collective")
    assert fine["state"] == "fine"
    worse = rung(ladder(tmp_path, {"n.log": band}, {"n.log": outside}), "collective")
    assert worse["state"] == "worse"
    assert says(worse, "median of 6 and 3 runs")


def test_pairs_of_a_real_cluster_name_nobody_whom_a_fast_pair_clears(tmp_path):
    name = "example-cluster00__pairwise__runs__2511__without-debug__summary.csv"
    path = real_file(f"nccl/xxrjun/{name}")
    found = rung(ladder(tmp_path, None, {"summary.csv": path.read_text()}), "pairs")
    assert found["state"] in ("worse", "fine")
    assert all(text for text in texts(found))
    assert not says(found, "ladder.")
