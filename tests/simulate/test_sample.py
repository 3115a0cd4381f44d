"""The checked-in sample is what the generator writes today."""

from __future__ import annotations

from pathlib import Path

import pytest
from simulated import grown, key, rows

from ibforensic.simulate.scenario import write_scenario

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "uplink-errors"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    directory = tmp_path_factory.mktemp("sample")
    write_scenario(directory, seed=1)
    return directory


def _files(directory):
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_the_checked_in_sample_is_up_to_date(written):
    fresh, kept = _files(written), _files(SAMPLE)
    assert fresh.keys() == kept.keys()
    assert [name for name in fresh if fresh[name] != kept[name]] == []


def test_the_sample_stays_small():
    assert sum(map(len, _files(SAMPLE).values())) < 600 * 1024


def test_another_seed_writes_other_bytes(written, tmp_path):
    write_scenario(tmp_path, seed=2)
    assert _files(tmp_path).keys() == _files(written).keys()
    assert _files(tmp_path)["current/ibdiagnet2.db_csv"] != _files(written)["current/ibdiagnet2.db_csv"]


def test_the_story_names_who_is_to_blame():
    story = (SAMPLE / "README.md").read_text()
    for word in ("`leaf-02` port 1/17/2", "`spine-01` port 1/2/2", "gpu-0019", "train-0013", "`leaf-06`"):
        assert word in story


def test_the_bad_cable_is_the_largest_change_of_local_errors(written):
    import json

    suspect = json.loads((written / "truth.json").read_text())["suspect"]
    change = grown(written, "PortLocalPhysicalErrors")
    assert max(change, key=change.__getitem__) == key(suspect["end"])
    assert key(suspect["end"]) == key(suspect["direction"]["to"])
    assert {key(suspect["link"][end]) for end in "ab"} == {
        key(suspect["direction"][end]) for end in ("from", "to")
    }


def test_no_vendor_owns_its_guids():
    for row in rows(SAMPLE / "current", "NODES"):
        assert int(row["NodeGUID"], 16) >> 57 & 1, "the bit of locally administered addresses"
