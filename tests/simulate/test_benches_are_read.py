"""Benchmarks that the simulator writes are read again as they were written."""

from __future__ import annotations

import json
from statistics import fmean

import pytest
from benches import contents, folder, incident, rates, table

from ibforensic.parsers import claimant, parsers
from ibforensic.simulate.bench_hosts import bench_hosts

HEALTHY = incident()


def parser(name):
    return next(parser for parser in parsers() if parser.spec.name == name)


@pytest.fixture(scope="module")
def perftest(tmp_path_factory):
    return folder(tmp_path_factory.mktemp("perftest"), HEALTHY.current, "perftest")


@pytest.fixture(scope="module")
def nccl(tmp_path_factory):
    return folder(tmp_path_factory.mktemp("nccl"), HEALTHY.current, "nccl-tests")


def points(parsed, metric, qualifier):
    rows = parsed.tables["bench_points"].to_pylist()
    return [row["value"] for row in rows if (row["metric"], row["qualifier"]) == (metric, qualifier)]


def test_each_file_is_claimed_by_its_parser(perftest, nccl):
    for directory, name in ((perftest, "perftest"), (nccl, "nccl")):
        for file, data in contents(directory).items():
            claims = claimant(file, data)
            assert claims is not None
            assert claims.spec.name == name


def test_every_test_of_ib_write_bw_is_read(perftest):
    for path in perftest.iterdir():
        parsed = parser("perftest").parse(path.name, path.read_bytes())
        assert points(parsed, "bandwidth", "average") == rates(path), path.name
        assert not parsed.notes
        memory = {json.loads(text)["memory"] for text in parsed.tables["bench_runs"]["settings"].to_pylist()}
        assert memory == {path.stem.rpartition("_")[2]}


def test_lids_of_ib_write_bw_are_those_of_the_fabric(perftest):
    sample = HEALTHY.current
    hosts = {
        sample.lids[device.node.guid]: host.name
        for host in bench_hosts(sample).values()
        for device in host.devices
    }
    for path in perftest.iterdir():
        members = parser("perftest").parse(path.name, path.read_bytes()).tables["bench_members"].to_pylist()
        assert [hosts[member["lid"]] for member in members] == [member["host"] for member in members]


def test_every_row_of_nccl_tests_is_read(nccl):
    for path in nccl.iterdir():
        parsed = parser("nccl").parse(path.name, path.read_bytes())
        expected = table(path)
        assert points(parsed, "busbw", "out_of_place") == [row[3] for row in expected], path.name
        assert points(parsed, "time", "in_place") == [row[4] for row in expected]
        assert points(parsed, "average_busbw", None)[0] == pytest.approx(
            fmean([row[at] for row in expected for at in (3, 6)]), abs=0.01
        )
        assert not parsed.notes
