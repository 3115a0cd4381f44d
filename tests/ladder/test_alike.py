"""Like for like: which runs may be compared, and what differs where they may not."""

from __future__ import annotations

from dataclasses import replace

from bench_runs import AVERAGE, run

from ibforensic.ladder.alike import Difference, beside, grouped, nearest, unlike
from ibforensic.ladder.bands import Outcome
from ibforensic.ladder.compare import compare, unmatched


def test_runs_with_equal_keys_are_one_group():
    groups = grouped([run(host="a"), run(host="b"), run(host="a")])
    assert [len(runs) for runs in groups.values()] == [2, 1]


def test_differences_in_the_key_are_named():
    one, other = run(mtu="4096[B]", host="a"), run(mtu="2048[B]", host="a", gpu="1b")
    assert unlike(one, other) == (
        Difference("gpu", None, "1b"),
        Difference("mtu", "4096[B]", "2048[B]"),
    )


def test_differences_beside_the_key_are_told_and_do_not_forbid():
    one = run(host="a", value=390)
    other = replace(one, settings={"host": "a", "env_NCCL_DEBUG": "INFO"}, command="ib_write_bw -a")
    assert beside(one, other) == (
        Difference("command", None, "ib_write_bw -a"),
        Difference("env_NCCL_DEBUG", None, "INFO"),
    )
    assert unlike(one, other) == ()


def test_nearest_is_of_the_same_kind_with_the_fewest_differences():
    wanted = run(host="a", mtu="1", qps="2")
    others = [
        run("ib_read_bw", host="a", mtu="1", qps="2"),
        run(host="b", mtu="2", qps="2"),
        run(host="a", mtu="9", qps="2"),
    ]
    assert nearest(wanted, others) is others[2]
    assert nearest(wanted, others[:1]) is None


def test_like_runs_are_judged_over_all_their_values():
    before = [run(host="a", value=value) for value in (390, 391, 392)]
    after = [run(host="a", value=value) for value in (300, 301, 302)]
    (compared,) = compare(before, [*after, run(host="new", value=1)])
    assert compared.points[AVERAGE].outcome is Outcome.WORSE
    assert len(compared.before) == len(compared.after) == 3


def test_values_that_one_run_took_again_count_once():
    before = [run(host="a", value=value) for value in (390, 391, 392)]
    (compared,) = compare(before, [run(host="a", value=[300, 301, 302, 303])])
    assert compared.points[AVERAGE].outcome is Outcome.SINGLE_RUN


def test_run_without_a_like_one_tells_why():
    after = [run(host="a", memory="host") for _ in range(2)]
    (found,) = unmatched([run(host="a", memory="gpu")], after)
    assert found.differences == (Difference("memory", "gpu", "host"),)
    assert unmatched([], [run(host="a")])[0].nearest is None
