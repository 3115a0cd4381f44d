"""A folder as people save it: ibdiagnet, ibstat of twenty hosts, tars of /sys, perfquery and a log of NCCL.

It becomes one snapshot, in which one port of a host has rows from all of them, each with its own time.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.compute as pc
import pytest

from ibforensic import pipeline
from ibforensic.ladder.places import places_of, ports_of
from ibforensic.ladder.runs import runs_of
from ibforensic.model.ids import PortKey
from ibforensic.simulate.order import Order, write_order
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.simulate.writers import parse_also

HOSTS = 20
OF_SYS = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
OF_NCCL = datetime(2030, 1, 3, 4, 5, 6, tzinfo=UTC)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A snapshot of such a folder."""
    root = tmp_path_factory.mktemp("mixed")
    spec = parse_spec("fat-tree:leaf=4,spine=2,hosts=5")
    also = parse_also("ibstat,sysfs,perfquery,nccl-tests")
    write_order(root / "made", Order(spec, seed=7, also=also))
    made, folder = root / "made" / "baseline", root / "saved"
    (folder / "hosts").mkdir(parents=True)
    (folder / "ibdiagnet").mkdir()
    for file in made.glob("ibdiagnet2.*"):
        shutil.copy(file, folder / "ibdiagnet")
    shutil.copytree(made / "ibstat", folder / "ibstat-2030-01-01T0930")
    shutil.copytree(made / "perfquery", folder / "perfquery 2030-01-01 09.45")
    log = Path(shutil.copy(made / "nccl-tests" / "all_reduce_job01_run1.log", folder / "nccl.log"))
    os.utime(log, (OF_NCCL.timestamp(),) * 2)
    for dump in (made / "sysfs").iterdir():
        tar_of_sys(dump.read_text(), folder / "hosts" / f"{dump.stem}.tar.gz")
    return pipeline.snapshot([folder])


def tar_of_sys(dump: str, target: Path) -> None:
    """Pack the files that ``grep -r`` has printed, as a tar of /sys holds them."""
    with tarfile.open(target, "w:gz") as archive:
        for line in dump.splitlines():
            path, _, value = line.partition(":")
            member = tarfile.TarInfo(path.lstrip("/"))
            member.size, member.mtime = len(value) + 1, int(OF_SYS.timestamp())
            archive.addfile(member, io.BytesIO(f"{value}\n".encode()))


@pytest.fixture(scope="module")
def port(mixed):
    """The port of a host that took part in the job."""
    hosts = mixed.latest.tables["hosts"].to_pylist()
    row = next(row for row in hosts if row["host"] == "train7" and row["node_guid"])
    return PortKey(row["node_guid"], row["port_num"])


def origins(mixed, table: str, port: PortKey) -> set[str]:
    rows = mixed.latest.tables[table]
    mine = pc.and_(pc.equal(rows["node_guid"], port.node_guid), pc.equal(rows["port_num"], port.port_num))
    return {origin.partition(":")[0] for origin in rows.filter(mine)["origin"].to_pylist()}


def test_it_is_one_sample_and_every_file_is_used(mixed):
    assert len(mixed.samples) == 1
    outcomes = {source.outcome for source in mixed.latest.info.sources}
    assert outcomes == {"parsed", "repeats"}
    assert {row["host"] for row in mixed.latest.tables["hosts"].to_pylist()} == {
        f"train{number}" for number in range(1, HOSTS + 1)
    }


def test_one_port_has_rows_of_all_views(mixed, port):
    assert origins(mixed, "ports", port) >= {"db_csv", "ibstat", "sysfs"}
    assert origins(mixed, "counters_pma", port) >= {"db_csv", "perfquery", "sysfs"}
    assert origins(mixed, "counters_hw", port) == {"sysfs"}
    assert origins(mixed, "hosts", port) == {"ibstat", "sysfs"}


def test_the_job_is_joined_to_the_port(mixed, port):
    places = places_of(mixed.latest.tables)
    members = [member for run in runs_of(mixed.latest.tables) for member in run.members]
    assert len(members) == HOSTS
    assert [member.host for member in members if port in ports_of(member, places)] == ["train7"]


def test_each_source_has_its_own_time(mixed):
    rows = mixed.latest.tables["sources"].to_pylist()
    told = {
        (row["parser"], row["x_time_from"], row["x_collected_at"])
        for row in rows
        if row["parser"] in ("ibstat", "perfquery", "sysfs", "nccl")
    }
    assert told == {
        ("ibstat", "name", "2030-01-01T09:30:00Z"),
        ("perfquery", "name", "2030-01-01T09:45:00Z"),
        ("sysfs", "file", "2030-01-02T03:04:05Z"),
        ("nccl", "file", "2030-01-03T04:05:06Z"),
    }
    (main_time,) = {row["own_time"] for row in rows if row["parser"] == "db_csv"}
    assert main_time == mixed.latest.info.window.began_at
