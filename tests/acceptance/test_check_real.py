"""``check`` on real runs: the script of the field lists 264 ports with link downs and names nobody (§4)."""

from __future__ import annotations

import time

import pytest
from conftest import real_file
from raising import raised

from ibforensic import pipeline
from ibforensic.model.ids import PortKey

RUNS = ("gary-ndr", "gary-ndr-ufm-default", "6erm-yadro", "hyungkwang")
SLOWER = 1.5
"""A check may take so many times as long as a comparison of the same snapshot."""


@pytest.fixture(scope="module")
def fabric():
    return pipeline.load(real_file("ibdiagnet/gary-ndr"))


@pytest.mark.parametrize("run", RUNS)
def test_every_real_run_can_be_checked_and_shown(run):
    document = pipeline.check(pipeline.load(real_file(f"ibdiagnet/{run}"))).document
    assert document["kind"] == "check"
    assert len(pipeline.render(document, "html").encode()) < 1_000_000
    assert len(pipeline.render(document, "text").splitlines()) <= 25
    pipeline.render(document, "json")


def test_few_links_are_named_and_the_rest_is_counted(fabric):
    document = pipeline.check(fabric).document
    sections = {item["id"]: item for item in document["inventory"]}
    assert (sections["link_downs"]["count"], sections["xmit_discards"]["count"]) == (264, 263)
    assert sections["link_downs"]["level"] == "info"
    assert 5 <= len(document["suspects"]) <= 12
    assert all(suspect["link"] for suspect in document["suspects"])
    # Each of them is the receiver of thousands of symbols that nothing repaired.
    for suspect in document["suspects"]:
        told = {item["params"].get("counter"): item["after"] for item in suspect["evidence"]}
        assert told["symbol_error_counter"] >= 1000
    (minority,) = sections["minorities"]["rows"]
    assert minority[:4] == ["HCA", "ConnectX-7", "MT_0000000970", "28.41.1000"]


def test_the_bad_links_are_not_blamed_on_what_nearly_all_ports_have_in_common(fabric):
    assert "batch" not in {suspect["component"] for suspect in pipeline.check(fabric).document["suspects"]}


def test_a_run_without_counters_cannot_be_judged(fabric):
    document = pipeline.check(pipeline.load(real_file("ibdiagnet/gary-ndr-ufm-default"))).document
    assert document["verdict"] == "cannot_judge"
    assert {item["id"]: item["count"] for item in document["inventory"]}["link_downs"] is None


def test_a_check_takes_hardly_longer_than_a_comparison(fabric, tmp_path):
    counts = {PortKey("0x5c25730300c06ed8", 1): {"SymbolErrorCounter": 4000}}
    later = pipeline.load(raised(real_file("ibdiagnet/gary-ndr"), tmp_path / "later", counts))
    took = {}
    for name, work in {
        "check": lambda: pipeline.check(fabric),
        "diff": lambda: pipeline.diff(fabric, later),
    }.items():
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            work()
            times.append(time.perf_counter() - begun)
        took[name] = min(times)
    print(f"check {took['check']:.3f} s, diff of the same run {took['diff']:.3f} s")
    assert took["check"] < 2 * SLOWER * took["diff"]
