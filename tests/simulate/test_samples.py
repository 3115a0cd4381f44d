"""The checked-in samples are what the generator writes today, and their stories tell the truth."""

from __future__ import annotations

import json

import pytest
from simulated import by_port, grown, key, rows

from ibforensic.model.resources import samples_dir
from ibforensic.simulate.scenarios import scenarios, write_samples, write_scenario

SAMPLES = samples_dir()
NAMES = tuple(scenarios())
MOST_BYTES = 3 * 1024 * 1024
EACH = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    directory = tmp_path_factory.mktemp("samples")
    write_samples(directory)
    return directory


def _files(directory):
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_every_sample_has_its_generator():
    assert {path.name for path in SAMPLES.iterdir()} == set(NAMES)
    assert len(NAMES) >= 4
    assert NAMES[0] == "uplink-errors"


@EACH
def test_the_checked_in_sample_is_up_to_date(written, name):
    fresh, kept = _files(written / name), _files(SAMPLES / name)
    assert fresh.keys() == kept.keys()
    assert [file for file in fresh if fresh[file] != kept[file]] == []


def test_the_samples_stay_small():
    assert sum(map(len, _files(SAMPLES).values())) < MOST_BYTES


def test_another_seed_writes_other_bytes(written, tmp_path):
    name = NAMES[0]
    write_scenario(tmp_path, scenarios()[name], seed=2)
    fresh, kept = _files(tmp_path), _files(written / name)
    assert fresh.keys() == kept.keys()
    assert fresh["current/ibdiagnet2.db_csv"] != kept["current/ibdiagnet2.db_csv"]
    assert b"with seed 2." in fresh["README.md"]


@EACH
def test_the_story_says_what_to_type_and_names_everybody_in_the_truth(name):
    story = (SAMPLES / name / "README.md").read_text("utf-8")
    truth = json.loads((SAMPLES / name / "truth.json").read_text("utf-8"))
    assert f"ibforensic diff healthy.ibf samples/{name}/current" in story
    assert f"ibforensic demo {name}" in story
    for one in (*truth["rebooted"], *truth["renamed"]):
        assert f"`{one['host']}`" in story
    for one in truth["cleared"]:
        assert one["node"].removeprefix("MF0;").partition(":")[0] in story
    for suspect in truth["suspects"]:
        assert suspect["host"] is None or f"`{suspect['host']['host']}`" in story
        for end in (suspect["direction"] or {}).values():
            assert f"`{end['node'].removeprefix('MF0;').partition(':')[0]}` port {end['label']}" in story


@pytest.mark.parametrize("name", ["uplink-errors", "dirty-connector"])
def test_the_bad_receiver_has_the_largest_change_of_local_errors(written, name):
    suspect = json.loads((written / name / "truth.json").read_text())["suspect"]
    change = grown(written / name, "PortLocalPhysicalErrors")
    assert max(change, key=change.__getitem__) == key(suspect["end"])
    assert key(suspect["end"]) == key(suspect["direction"]["to"])
    assert {key(suspect["link"][end]) for end in "ab"} == {
        key(suspect["direction"][end]) for end in ("from", "to")
    }


def test_the_errors_in_the_story_of_the_slow_host_are_old(written):
    name = "PortLocalPhysicalErrors"
    before = by_port(written / "slow-host" / "baseline", "PM_INFO")
    change = {port: count for port, count in grown(written / "slow-host", name).items() if count}
    assert max(change.values()) > 1000
    assert all(int(before[port][name]) > count / 2 for port, count in change.items())


def test_drops_of_the_slow_host_are_where_it_is_fed(written):
    change = grown(written / "slow-host", "PortXmitDiscards")
    (dropping,) = (port for port, count in change.items() if count)
    peers = {
        (row["NodeGuid1"], int(row["PortNum1"])): row["NodeGuid2"]
        for row in rows(written / "slow-host" / "current", "LINKS")
    }
    peers |= {
        (row["NodeGuid2"], int(row["PortNum2"])): row["NodeGuid1"]
        for row in rows(written / "slow-host" / "current", "LINKS")
    }
    truth = json.loads((written / "slow-host" / "truth.json").read_text())
    assert peers[dropping] == truth["suspect"]["device"]["node_guid"]


@EACH
def test_no_vendor_owns_its_guids(name):
    for row in rows(SAMPLES / name / "current", "NODES"):
        assert int(row["NodeGUID"], 16) >> 57 & 1, "the bit of locally administered addresses"
