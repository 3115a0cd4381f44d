"""What is advised where something was not collected fits what is there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from handmade import BEGAN, compared, counted, guid, later, sample, source, two_level

from ibforensic.diff.facts import compare, look
from ibforensic.snapshot import fitness


def gaps(facts):
    return {item.reason.id.removeprefix("not_judged."): item for item in facts.coverage.not_judged}


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ((source(),), "keep ibdiagnet2.db_csv and"),
        ((source(whole=False),), "copy ibdiagnet2.db_csv"),
        ((), "keep ibdiagnet2.db_csv or"),
    ],
)
def test_files_that_are_there_are_not_asked_for(sources, words):
    timeless = sample(began=None, sources=sources, **two_level())
    assert gaps(compare(timeless, later(**two_level())))["no_time"].help.startswith(words)
    (told,) = [item for item in fitness.assess(timeless) if item.code == "no_time"]
    assert told.help.startswith(words)


def test_two_times_that_are_known_are_not_called_unknown():
    same = sample(sources=(source(sha256="other"),), **two_level())
    gap = gaps(compare(sample(**two_level()), same))["no_time"]
    assert "not known" not in gap.reason.text
    assert "clock" in gap.help
    late = sample(began=BEGAN + timedelta(days=1), **two_level())
    assert "not known" not in gaps(compare(late, same))["no_time"].reason.text


def test_samples_without_any_port_lack_more_than_a_time():
    assert set(gaps(compare(sample(began=None), later()))) == {"empty"}


def test_benchmarks_are_not_asked_to_be_copied_again():
    found = sample(began=None, sources=(source("all_reduce.txt", whole=False),), bench_runs=[{"run": "x#1"}])
    told = gaps(look(found))
    assert set(told) == {"benchmarks", "no_baseline"}
    assert "beside it" in told["benchmarks"].help


def test_who_asked_with_mlxlink_alone_is_not_told_how_ibdiagnet_is_run():
    phy = [{"node_guid": guid(11), "port_num": 1}]
    asked = replace(source("host-1.txt"), parser="mlxlink")
    told = look(sample(sources=(asked,), phy=phy, ports=two_level()["ports"]))
    assert gaps(told)["no_counters"].help == (
        "add perfquery -x or ibdiagnet output of the same time beside that of mlxlink"
    )
    facts = compared(two_level(), two_level(counters_pma=[counted(1, 1, port_rcv_errors_ext=1)]))
    assert "--skip pm" in gaps(facts)["no_counters"].help


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (source(), "see whether these nodes answered"),
        (source(whole=False), "copy ibdiagnet2.db_csv"),
        (replace(source("host-1.txt"), parser="perfquery"), "keep ibdiagnet2.db_csv"),
    ],
)
def test_an_uptime_that_is_lacking_is_asked_for_where_it_would_stand(file, words):
    rows = two_level(counters_pma=[counted(1, 1, port_rcv_errors_ext=1)])
    assert gaps(look(sample(sources=(file,), **rows)))["no_uptime"].help.startswith(words)
