"""The main job on a real fabric: 9 NDR switches, 256 HCAs, 7 aggregation nodes, two runs 16 days apart."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import real_file
from raising import raised

from ibforensic import pipeline
from ibforensic.cli.main import main
from ibforensic.model.ids import PortKey
from ibforensic.snapshot import store

LEAF, LEAF_PORT = "0xb0cf0e0300e5b940", 5
SLOW_MACHINE = 3
"""A machine that does other work besides gets so much more time."""
HCA = "0x5c25730300c06ed8"
MARKED = {
    ("0x5c25730300e670f6", 1): 900,
    ("0x5c25730300e66ade", 1): 900,
    ("0xb0cf0e0300d33fc0", 3): 20_000,
    ("0xfc6a1c030091cf00", 63): 5_000,
    ("0x5c25730300e6706e", 1): 60_000,
}


@pytest.fixture(scope="module")
def healthy(tmp_path_factory):
    path = tmp_path_factory.mktemp("real") / "healthy.ibf"
    pipeline.snapshot([real_file("ibdiagnet/gary-ndr")], path)
    return path


def test_snapshot_keeps_every_section_and_every_byte(healthy):
    source = real_file("ibdiagnet/gary-ndr")
    text = (source / "ibdiagnet2.db_csv").read_text()
    sections = {line[6:] for line in text.splitlines() if line.startswith("START_")}
    assert len(sections) == 34  # 33 and the index itself
    snapshot = store.read(healthy)
    summaries = snapshot.latest.tables["runs"]["summary"].to_pylist()
    listed = next(json.loads(item)["sections"] for item in summaries if item and "sections" in item)
    assert set(listed) == sections - {"INDEX_TABLE"}
    for file in source.iterdir():
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert store.original(healthy, digest) == file.read_bytes()
    assert store.verify(healthy) == ()


def test_counts_equal_the_fabric_summary_of_the_log(healthy):
    log = (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.log").read_text()
    counts = store.read(healthy).latest.counts
    names = {
        "Total Nodes": "nodes",
        "IB Switches": "switches",
        "IB Channel Adapters": "hcas",
        "IB Aggregation Nodes": "aggregation_nodes",
        "Total number of links": "links",
    }
    told = dict(line.split(":", 1) for line in log.splitlines() if line.split(":")[0].strip() in names)
    assert {names[name.strip()]: int(value) for name, value in told.items()} == {
        name: counts[name] for name in names.values()
    }
    assert counts["ports_down"] == 306


def test_counters_agree_with_the_pm_file_on_every_port(healthy):
    told = {}
    for block in (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.pm").read_text().split("Port=")[1:]:
        head, *lines = block.splitlines()
        key = (head.split("GUID=")[1].split()[0], int(head.split()[0]))
        told[key] = dict(line.split("=", 1) for line in lines if "=" in line)
    table = pq.read_table(healthy / "sample=0000" / "counters_pma.parquet", partitioning=None)
    rows = [row for row in table.to_pylist() if row["basis"] == "cumulative"]
    assert {(row["node_guid"], row["port_num"]) for row in rows} == set(told)
    for row in rows:
        pm = told[row["node_guid"], row["port_num"]]
        assert row["symbol_error_counter"] == int(pm["symbol_error_counter"], 16)
        assert row["link_downed_counter"] == int(pm["link_down_counter"], 16)
        assert row["port_xmit_data_ext"] == int(pm["port_xmit_data_extended"], 16)
        assert row["port_xmit_wait_ext"] == int(pm["port_xmit_wait_extended"], 16)


def test_a_snapshot_against_itself_names_nobody(healthy):
    assert main(["diff", "-q", str(healthy), str(healthy)], standalone_mode=False) == 0
    found = pipeline.diff(store.read(healthy), store.read(healthy))
    assert found.document["suspects"] == []
    assert found.document["changes"] == []
    assert found.document["changed"] is False
    assert found.document["verdict"] == "no_suspect"


def test_without_counters_nobody_is_invented_and_the_gap_is_said(healthy):
    before = pipeline.load(real_file("ibdiagnet/gary-ndr-ufm-default"))
    document = pipeline.diff(before, store.read(healthy)).document
    assert document["suspects"] == []
    assert document["verdict"] == "cannot_judge"
    renamed = [group for group in document["changes"] if group["kind"] == "node_renamed"]
    assert sum(group["count"] for group in renamed) == 256
    # The HCAs' uptimes tell that all hosts were reset in between; nothing else changed.
    assert {group["kind"] for group in document["changes"]} == {"node_renamed", "node_rebooted"}
    reasons = {item["message"]: item for item in document["coverage"]["not_judged"]}
    assert reasons["not_judged.no_counters"]["params"] == {"side": "baseline"}
    assert reasons["not_judged.no_counters"]["count"] == 542
    fitness = {(item["side"], item["code"]): item for item in document["fitness"]}
    assert "--skip pm" in fitness["baseline", "counters_not_collected"]["text"]


def test_the_bad_link_is_named_with_end_direction_and_victims(healthy, tmp_path):
    additions = {
        PortKey(LEAF, LEAF_PORT): {"SymbolErrorCounter": 4000, "PortRcvErrors": 2500, "LinkDownedCounter": 3},
        PortKey(HCA, 1): {"LinkDownedCounter": 3},
        **{PortKey(*port): {"PortRcvRemotePhysicalErrors": count} for port, count in MARKED.items()},
    }
    later = raised(real_file("ibdiagnet/gary-ndr"), tmp_path / "incident", additions)
    document = pipeline.diff(store.read(healthy), pipeline.load(later)).document
    first, *others = document["suspects"]
    ends = {(end["node_guid"], end["port"]) for end in first["link"].values()}
    assert ends == {(LEAF, LEAF_PORT), (HCA, 1)}
    assert (first["end"]["node_guid"], first["end"]["port"]) == (LEAF, LEAF_PORT)
    assert first["direction"]["from"]["node_guid"] == HCA
    assert {(victim["node_guid"], victim["port"]) for victim in first["victims"]} == set(MARKED)
    assert {victim["by"] for victim in first["victims"]} == {"ebp"}
    assert len(others) <= 1
    source, line = first["evidence"][0]["source"].rsplit(":", 1)
    text = (later / source).read_text().splitlines()[int(line) - 1]
    assert text.startswith(LEAF)
    assert str(first["evidence"][0]["after"]) in text.split(",")


@pytest.mark.parametrize("keep", [200_000, 500_000, 640_000, 800_000, 960_000])
def test_a_cut_file_gives_its_good_part_and_never_blames_what_is_missing(healthy, tmp_path, keep):
    whole = (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.db_csv").read_bytes()
    (tmp_path / "ibdiagnet2.db_csv").write_bytes(whole[:keep])
    current = pipeline.load(tmp_path)
    notes = [note for note in current.latest.info.notes if note.code == "db_csv.file_cut"]
    assert len(notes) == 1
    assert notes[0].line == whole[:keep].count(b"\n") + 1
    document = pipeline.diff(store.read(healthy), current).document
    assert document["suspects"] == []
    assert not {"node_missing", "link_lost"} & {group["kind"] for group in document["changes"]}
    assert document["coverage"]["not_judged"][0]["message"] == "not_judged.cut"


def test_line_ends_and_foreign_bytes_change_nothing(healthy, tmp_path):
    whole = (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.db_csv").read_bytes()
    for name, data in {
        "crlf": whole.replace(b"\n", b"\r\n"),
        "foreign": whole.replace(b"is-north-7-compute-1 ", b"h\xf6st-\xb0\xa1 "),
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "ibdiagnet2.db_csv").write_bytes(data)
        document = pipeline.diff(store.read(healthy), pipeline.load(tmp_path / name)).document
        assert document["verdict"] == "no_suspect"
        assert document["coverage"]["ports"]["judged"] > 530


@pytest.mark.parametrize("data", [b"", b"\x00\xff\x7fELF" * 5000], ids=["empty", "binary"])
def test_what_cannot_be_used_is_said_and_exits_2(tmp_path: Path, capfd, data):
    target = tmp_path / "input"
    target.mkdir()
    if data:
        (target / "ibdiagnet2.db_csv").write_bytes(data)
    with pytest.raises(SystemExit) as error:
        main(["snapshot", str(target), "-o", str(tmp_path / "x.ibf")])
    assert error.value.code == 2
    message = capfd.readouterr().err
    assert "input" in message
    assert "help: " in message
    assert "Traceback" not in message
    assert not (tmp_path / "x.ibf").exists()


def test_all_places_tell_the_same_of_fec_firmware_and_modules():
    """The siblings of one directory agree, and those of an older run are known by their age."""
    everything = pipeline.snapshot([real_file("ibdiagnet/gary-ndr")], every_file=True).latest
    by_origin: dict[str, dict[tuple[str, int], str]] = {}
    for row in everything.tables["ports"].to_pylist():
        if row["fec"] and row["source"] != "ibdiagnet2.net_dump_ext":
            by_origin.setdefault(row["origin"], {})[row["node_guid"], row["port_num"]] = row["fec"]
    ports, dump = by_origin["db_csv:PORTS"], by_origin["net_dump"]
    both = ports.keys() & dump.keys()
    assert len(both) > 250
    assert {key for key in both if ports[key] != dump[key]} == set()
    firmware: dict[str, set[str]] = {}
    for row in everything.tables["nodes"].to_pylist():
        if row["fw_version"]:
            firmware.setdefault(row["node_guid"], set()).add(row["fw_version"])
    assert len(firmware) >= 265
    assert all(len(versions) == 1 for versions in firmware.values())
    assert everything.tables["modules"].num_rows == 510
    stale = {source.path: source.own_time for source in everything.info.sources if source.stale}
    assert set(stale) == {"ibdiagnet2.cables", "ibdiagnet2.net_dump_ext"}
    ages = {(everything.info.window.began_at - time).days for time in stale.values()}
    assert ages == {16}
    (note,) = [note for note in everything.info.notes if note.code == "capture.stale_file"]
    assert "ibdiagnet2.cables (2025-03-15" in note.message


def test_the_whole_directory_takes_at_most_two_seconds(tmp_path):
    begun = time.perf_counter()
    pipeline.snapshot([real_file("ibdiagnet/gary-ndr")], tmp_path / "x.ibf")
    seconds = time.perf_counter() - begun
    print(f"snapshot of gary-ndr, 3.7 MB in 16 files: {seconds:.2f} s")
    assert seconds < 2 * SLOW_MACHINE
