"""Real db_csv files of the reference corpus against what their siblings say."""

from __future__ import annotations

import json
import re

import pytest
from conftest import real_file

from ibforensic.model.counters import by_spelling
from ibforensic.model.enums import Quality
from ibforensic.parsers import db_csv, ibdiagnet_log, net_dump


@pytest.fixture(scope="module")
def run():
    folder = real_file("ibdiagnet/gary-ndr")
    return folder, db_csv.parse("ibdiagnet2.db_csv", (folder / "ibdiagnet2.db_csv").read_bytes())


def test_nothing_is_wrong_with_it(run):
    _, parsed = run
    assert parsed.notes == ()
    assert parsed.whole


@pytest.mark.parametrize("name", ["gary-ndr", "gary-ndr-ufm-default"])
def test_every_section_is_kept(name):
    data = (real_file(f"ibdiagnet/{name}") / "ibdiagnet2.db_csv").read_bytes()
    parsed = db_csv.parse("x", data)
    printed = re.findall(rb"^START_(\S+)$", data, re.MULTILINE)
    names = {section.decode() for section in printed} - {"INDEX_TABLE"}
    counts = json.loads(parsed.tables["runs"]["summary"][0].as_py())["sections"]
    assert set(counts) == names
    mapped = {
        origin.removeprefix("db_csv:")
        for table in parsed.tables.values()
        for origin in table["origin"].unique().to_pylist()
    }
    # An empty section that is mapped leaves its name in the summary alone: collected, and nothing there.
    assert {section for section in names if counts[section]} <= mapped | set(parsed.raw) <= names
    assert set(parsed.raw) <= {"PLUGINS_INFO", "STAGE_PERF_INFO", "VPORTS_GUID_INFO"}
    for section, table in parsed.raw.items():
        assert table.num_rows == counts[section]


def test_the_fabric_summary_of_the_log_agrees(run):
    folder, parsed = run
    log = ibdiagnet_log.parse("x", (folder / "ibdiagnet2.log").read_bytes())
    said = json.loads(log.tables["runs"]["summary"][0].as_py())
    kinds = [
        row["generation"] for row in parsed.tables["nodes"].to_pylist() if row["origin"] == "db_csv:NODES"
    ]
    assert len(kinds) == said["nodes"] == 272
    assert kinds.count("Quantum-2") == said["switches"] == 9
    assert kinds.count("ConnectX-7") == said["hcas"] == 256
    assert kinds.count("SHARP aggregation node") == said["aggregation_nodes"] == 7
    assert parsed.tables["links"].num_rows == said["links"] == 271
    rates = [row["rate_gbps"] for row in parsed.tables["ports"].to_pylist() if row["rate_gbps"]]
    assert rates.count(400.0) == 2 * said["links_by_rate"]["4x100"]


def test_counters_equal_the_text_of_the_pm_file(run):
    folder, parsed = run
    spelled = {spelling: target for spelling, (_, target) in by_spelling("pm").items()}
    rows = {}
    for table in ("counters_pma", "counters_detail"):
        for row in parsed.tables[table].to_pylist():
            if row["basis"] == "cumulative":
                rows.setdefault((row["node_guid"], row["port_num"]), {}).update(row)
    text = (folder / "ibdiagnet2.pm").read_text("utf-8")
    blocks = re.findall(r"^Port=(\d+) Lid=\S+ GUID=(0x\w+) .*\n-+\n((?:\S+=.*\n)+)", text, re.MULTILINE)
    assert len(blocks) == len(rows) == 542
    compared = 0
    for port, guid, body in blocks:
        row = rows[f"0x{int(guid, 16):016x}", int(port)]
        for name, printed in re.findall(r"^(\S+)=(\S+)$", body, re.MULTILINE):
            if name not in spelled:
                continue
            target = spelled[name]
            if row[f"{target}_q"] == Quality.CORRUPT:
                assert int(printed, 16) > 2**63
            elif printed == "NA":
                assert row[f"{target}_q"] == Quality.UNSUPPORTED
            else:
                assert row[target] == int(printed, 16), (guid, port, name)
            compared += 1
    assert compared > 542 * 40


def test_the_underflowed_and_dead_twins_are_known(run):
    _, parsed = run
    rows = [row for row in parsed.tables["counters_pma"].to_pylist() if row["basis"] == "cumulative"]
    twins = [name for name in parsed.tables["counters_pma"].column_names if name.endswith("_ext")]
    assert sum(row[f"{name}_q"] == Quality.CORRUPT for row in rows for name in twins) == 1
    full = [row for row in rows if row["symbol_error_counter_q"] == Quality.SATURATED]
    assert len(full) == 5
    assert {row["symbol_error_counter_ext"] for row in full} == {0}


def test_ports_that_are_down_have_their_place(run):
    folder, parsed = run
    dump = net_dump.parse("x", (folder / "ibdiagnet2.net_dump").read_bytes())
    down = {(r["node_guid"], r["port_num"]) for r in dump.tables["ports"].to_pylist() if r["state"] == "down"}
    rows = parsed.tables["ports"].to_pylist()
    up = {(r["node_guid"], r["port_num"]) for r in rows if r["origin"] == "db_csv:PORTS"}
    placed = {(r["node_guid"], r["port_num"]) for r in rows if r["origin"] == "db_csv:PORT_HIERARCHY_INFO"}
    assert len(down) == 306
    assert down.isdisjoint(up)
    assert len(down - placed) == 2  # port 65 of two switches; the run warns about both


def test_a_run_without_counters_has_no_counter_tables():
    folder = real_file("ibdiagnet/gary-ndr-ufm-default")
    parsed = db_csv.parse("x", (folder / "ibdiagnet2.db_csv").read_bytes())
    assert parsed.notes == ()
    assert not any(name.startswith("counters") for name in parsed.tables)
    options = json.loads(parsed.tables["runs"]["options"][0].as_py())
    assert "pm" in options["--skip"].split(",")


@pytest.mark.parametrize(
    ("name", "codes", "nodes"),
    [
        ("log", ["db_csv.masked_guids"], 5),
        ("log_mismatch_field", ["db_csv.bad_row", "db_csv.masked_guids"], 4),
        ("log_not_end_section", ["db_csv.section_cut", "db_csv.masked_guids"], 5),
    ],
)
def test_masked_files(name, codes, nodes):
    data = (real_file("ibdiagnet/6erm-yadro") / name / "ibdiagnet2.db_csv").read_bytes()
    parsed = db_csv.parse("x", data)
    assert [note.code for note in parsed.notes] == codes
    found = parsed.tables["nodes"].to_pylist()
    assert sum(row["origin"] == "db_csv:NODES" for row in found) == nodes
    assert [row["serial"] for row in found if row["serial"]] == ["SOS123", "PTSR50", "GGVP79", "LOX505"]
