"""Noise of a comparison: what is no news must not be told as news (DEMANDS G)."""

from __future__ import annotations

from random import Random

import pytest
from answers import gaps
from small_fabric import CABLES, FILE, checked, compare, story

from ibforensic.cli.main import main

VOLATILE = ("counter", "errors", "data", "pkts", "lid", "time", "date", "temperature", "uptime")


def grown(seed, *, phy=True):
    """A healthy busy fabric a week later: traffic, clocks, temperatures and LIDs moved."""
    told = story(phy=phy, seed=seed)
    rng = Random(f"busy/{seed}")
    for port in sorted(told.pair.current.fabric.link_at):
        octets = rng.randrange(10**9, 10**14)
        told.count(port, port_xmit_data=octets // 4, port_xmit_pkts=octets // 4_096)
        told.count(told.peer(port), port_rcv_data=octets // 4, port_rcv_pkts=octets // 4_096)
    temperatures = told.pair.current.temperatures
    for guid in sorted(temperatures):
        temperatures[guid] += rng.choice((-1, 0, 1))
    told.after.append(lambda sheet: new_lids(sheet, rng))
    return told


def new_lids(sheet, rng):
    """Let the subnet manager hand out other LIDs."""
    shift = rng.randrange(1, 500)
    for row in sheet["PORTS"]:
        if row["LID"] != "0":
            row["LID"] = str(int(row["LID"]) + shift)


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_d44_a_healthy_busy_fabric_has_no_finding(seed):
    document = grown(seed).compare().document
    assert (document["verdict"], document["suspects"], document["watch"]) == ("no_suspect", [], [])
    assert document["changes"] == []
    assert document["changed"] is True  # counters moved, and that is all


def test_d44_it_exits_with_0(tmp_path, capsys):
    for name, files in zip(("baseline", "current"), grown(8).files(), strict=True):
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    with pytest.raises(SystemExit) as leaving:
        main(["diff", "-q", str(tmp_path / "baseline"), str(tmp_path / "current")])
    assert leaving.value.code == 0
    assert "Nobody: no port got worse" in capsys.readouterr().out


def test_d44_no_change_is_about_a_counter_a_lid_a_time_or_a_temperature():
    """Whatever really changed."""
    told = grown(9)
    told.damage(told.uplink()[0])
    told.unplug(told.hca(2, 0), told.hca(2, 1))
    told.pair.current.set_link(told.link(told.hca()), width="2x")
    told.pair.current.firmware[told.hca(1).node_guid] = (28, 99, 1)
    kinds = {group["kind"] for group in told.compare().document["changes"]}
    assert {"node_fw_version", "node_missing", "port_width_active"} <= kinds
    assert not [kind for kind in kinds if set(VOLATILE) & set(kind.split("_"))]


def test_d45_an_old_snapshot_without_bit_errors_makes_todays_no_news():
    told = story(phy=True)
    told.before.append(lambda sheet: sheet.drop("PHY_DB12", "PHY_DB16"))
    document = told.compare().document
    assert (document["suspects"], document["watch"], document["changes"]) == ([], [], [])
    (gap,) = [item for item in document["coverage"]["not_judged"] if item["what"] == "bit error ratios"]
    assert gap["text"] == "the baseline holds none"


@pytest.mark.parametrize(
    "kept", [("PHY_DB12", "PHY_DB16"), ()], ids=["with serials elsewhere", "without any"]
)
def test_d45_a_new_snapshot_without_cables_has_lost_none(kept):
    """PHY_DB12 repeats serials, but tells no cages."""
    told = story(phy=True)
    lost = {"CABLE_INFO", "PHY_DB12"} - set(kept)
    told.after.append(lambda sheet: sheet.drop(*lost))
    before, after = told.files()
    comparison = compare(before, {FILE: after[FILE]})
    assert CABLES in before
    document = comparison.document
    assert (document["suspects"], document["watch"], document["changes"]) == ([], [], [])
    if not kept:
        assert "not_judged.lacking" in gaps(comparison)


def test_d45_without_a_baseline_nothing_is_unchanged_or_new():
    document = checked(story()).document
    assert (document["changed"], document["changes"], document["baseline"]) == (None, [], None)
    assert "not_judged.no_baseline" in {item["message"] for item in document["coverage"]["not_judged"]}
    assert "no port got worse" not in document["headline"]["text"]


def test_d45_counters_alone_do_not_say_that_no_port_got_worse():
    """Of a file with nothing but counters it is not known whether ports, links and rates are as they were."""
    told = story()

    def alone(sheet):
        sheet.drop(*(name for name in list(sheet.sections) if name not in ("RUN_INFO", "PM_INFO")))

    told.edit(alone)
    document = told.compare().document
    assert document["verdict"] == "no_suspect"
    headline = document["headline"]["text"]
    assert "no port got worse" not in headline
    assert "only counters were compared" in headline
    assert "no port got worse" in story().compare().document["headline"]["text"]
