"""Which host the slow pairs have in common."""

from __future__ import annotations

from itertools import combinations

from bench_runs import run
from conftest import real_file

from ibforensic.ladder.pairs import groups_of, localise
from ibforensic.ladder.runs import Curve, runs_of
from ibforensic.parsers.bench_table import parse

BUS = Curve("busbw", None, 1)


def all_pairs(slow=(), odd=()):
    hosts = ["n1", "n2", "n3", "n4", "n5"]
    return {pair: 49.0 if set(pair) & set(slow) or pair in odd else 88.0 for pair in combinations(hosts, 2)}


def test_one_slow_host_is_named():
    found = localise(all_pairs(slow=["n4"]), 0.2)
    assert found.hosts == ("n4",)
    assert len(found.slow) == 4
    assert (found.ways, found.undetermined) == ((), ())


def test_a_slow_pair_of_good_hosts_is_left_for_the_path_between_them():
    found = localise(all_pairs(odd=[("n1", "n3")]), 0.2)
    assert found.hosts == ()
    assert found.ways == (("n1", "n3"),)


def test_nothing_slow_and_nothing_tested():
    assert localise(all_pairs(), 0.2).slow == {}
    assert localise({}, 0.2) is None


def test_one_pair_does_not_tell_its_hosts_apart():
    found = localise({("n1", "n2"): 88, ("n1", "n3"): 88, ("n2", "n3"): 88, ("n3", "n4"): 40}, 0.2)
    assert found.hosts == ()
    assert found.undetermined == (("n3", "n4"),)
    assert found.next == (("n4", "n1"),)


def test_a_host_is_named_though_most_pairs_are_slow():
    pairs = {("a", "x"): 5.0, ("b", "x"): 5.1, ("c", "x"): 4.9, ("a", "b"): 10.0, ("b", "c"): 10.2}
    assert localise(pairs, 0.2).hosts == ("x",)


def test_each_pair_is_held_against_its_own_value_before():
    near_and_far = {("a", "b"): 90.0, ("a", "c"): 45.0, ("b", "c"): 46.0}
    assert localise(near_and_far, 0.2).slow
    found = localise(near_and_far, 0.2, near_and_far)
    assert (found.slow, found.usual) == ({}, None)


def test_groups_are_like_pairs_of_more_hosts():
    groups = {("a", "b", "c"): 100.0, ("a", "b", "x"): 50.0, ("b", "c", "x"): 51.0}
    assert localise(groups, 0.2).hosts == ("x",)


def test_pairs_come_from_runs_of_several_hosts():
    runs = [
        run("sendrecv_perf", value=value, curve=BUS, hosts=hosts)
        for value, hosts in ((10, ("b", "a")), (14, ("a", "b")), (9, ("a", "b", "c")), (7, ("a",)))
    ]
    assert groups_of(runs, BUS) == {("a", "b"): 12, ("a", "b", "c"): 9}


def test_pairs_of_a_real_cluster():
    name = "example-cluster00__pairwise__runs__2511__without-debug__summary.csv"
    path = real_file(f"nccl/xxrjun/{name}")
    runs = [
        each
        for each in runs_of(parse(path.name, path.read_bytes()).tables)
        if each.kind == "alltoall_perf" and each.settings["g"] == "1"
    ]
    pairs = groups_of(runs, Curve("average_busbw", None, None))
    found = localise(pairs, 0.3)
    assert len(pairs) > 100
    assert found.usual > 13
    assert ("cnode2-001", "cnode2-004") in found.slow
    assert found.hosts == ()
