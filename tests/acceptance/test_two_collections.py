"""The field's routine: a cumulative collection, then one that clears at its start and counts for a while."""

from __future__ import annotations

import json
import tarfile

import pytest
from editing import Sheet, key

from ibforensic import pipeline
from ibforensic.model.ids import PortKey
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident
from ibforensic.snapshot import store

ARGS = " -r --pc --pm_pause_time 100 --reset_phy_info -o /var/tmp/ibdiagnet2"
SKIPPED = {"NodeGUID", "PortGUID", "PortNumber", "retransmission_per_sec", "max_retransmission_rate"}


@pytest.fixture(scope="module")
def routine(tmp_path_factory):
    """A baseline, and an archive with collections A (cumulative) and B (cleared, a window of 100 s)."""
    folder = tmp_path_factory.mktemp("routine")
    truth = write_incident(folder, seed=11, faults=[Fault(FaultKind.BAD_LINK, severity="medium")], days=7)
    cumulative = folder / "current" / "ibdiagnet2.db_csv"
    sheet = Sheet(cumulative.read_text())
    run = sheet["RUN_INFO"][0]
    run["Date"] = run["Date"].replace(" 06:00:", " 07:30:")
    run["Args"] = ARGS
    bad = PortKey(truth["suspect"]["end"]["node_guid"], truth["suspect"]["end"]["port"])
    for section in ("PM_INFO", "PM_DELTA"):
        for row in sheet[section]:
            for name in set(row) - SKIPPED:
                if row[name] != "-1":
                    row[name] = "0"
            if key(row) == bad:
                row["SymbolErrorCounter"] = row["PortRcvErrors"] = "40" if section == "PM_DELTA" else "3"
    window = folder / "b" / "var" / "tmp" / "ibdiagnet2"
    window.mkdir(parents=True)
    (window / "ibdiagnet2.db_csv").write_text(str(sheet))
    archive = folder / "collections.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder / "b", "b")
        tar.add(folder / "current", "a/var/tmp/ibdiagnet2")
    return folder / "baseline", archive, bad, truth


def test_an_archive_of_both_becomes_two_samples_in_order(routine, tmp_path):
    _, archive, _, _ = routine
    pipeline.snapshot([archive], tmp_path / "incident.ibf")
    snapshot = store.read(tmp_path / "incident.ibf")
    first, second = snapshot.samples
    assert first.info.window.began_at < second.info.window.began_at
    assert "clears" not in first.tables or first.tables["clears"].num_rows == 0
    cleared = {row["group"]: row for row in second.tables["clears"].to_pylist()}
    assert {"pma_errors", "pma_data", "phy"} <= set(cleared)
    assert all(row["cleared_at"] == second.info.window.began_at for row in cleared.values())
    windows = {
        row["window_s"] for row in second.tables["counters_pma"].to_pylist() if row["basis"] == "window"
    }
    assert windows == {100.0}
    assert {row["sample"] for row in second.tables["counters_pma"].to_pylist()} == {1}
    assert any(item.code == "cleared_at_start" for item in snapshot.fitness)


def test_growth_is_added_up_over_both(routine):
    baseline, archive, bad, _ = routine
    before = pipeline.load(baseline)
    alone = pipeline.diff(before, pipeline.load(baseline.parent / "current"))
    both = pipeline.diff(before, pipeline.load(archive))
    at = both.facts.pair.positions[bad]
    once = int(alone.facts.growth.counters["symbol_error_counter"].delta[alone.facts.pair.positions[bad]])
    twice = both.facts.growth.counters["symbol_error_counter"]
    assert int(twice.delta[at]) == once + 40
    assert twice.known[at] == 1  # at least: what was counted between A and the clear is lost
    first = both.document["suspects"][0]
    assert (first["end"]["node_guid"], first["end"]["port"]) == bad
    assert len(both.document["suspects"]) == 1
    (cleared,) = [group for group in both.document["changes"] if group["kind"] == "counters_cleared_by_run"]
    assert cleared["count"] == 1
    assert {item["message"] for item in both.document["context"]} == {"fabric_clear.by_run"}
    seconds = both.facts.growth.seconds["pma_errors"][at]
    assert seconds == pytest.approx(7 * 86400 + 100)


def test_the_window_alone_is_judged_by_itself(routine):
    """A baseline, then only B: what it counted since its own clear is a lower bound over its window."""
    baseline, archive, bad, _ = routine
    window = archive.parent / "b"
    found = pipeline.diff(pipeline.load(baseline), pipeline.load(window))
    growth = found.facts.growth.counters["symbol_error_counter"]
    at = found.facts.pair.positions[bad]
    assert int(growth.delta[at]) == 40
    evidence = found.document["suspects"][0]["evidence"][0]
    assert evidence["class"] == "at_least"
    assert json.dumps(found.document)


def test_a_clear_that_only_the_log_tells_is_known(routine, tmp_path):
    """The db_csv of some versions leaves out the options; the command line of the log has them."""
    baseline, archive, bad, _ = routine
    sheet = Sheet((archive.parent / "b" / "var" / "tmp" / "ibdiagnet2" / "ibdiagnet2.db_csv").read_text())
    sheet["RUN_INFO"][0]["Args"] = ""
    (tmp_path / "ibdiagnet2.db_csv").write_text(str(sheet))
    log = (archive.parent / "current" / "ibdiagnet2.log").read_text()
    command = next(line for line in log.splitlines() if line.startswith("Running command"))
    log = log.replace(command, f"Running command:   /usr/bin/ibdiagnet{ARGS}").replace(
        " 06:00:", " 07:30:", 1
    )
    (tmp_path / "ibdiagnet2.log").write_text(log)
    current = pipeline.load(tmp_path)
    assert current.latest.tables["clears"]["source"].unique().to_pylist() == ["ibdiagnet2.log"]
    found = pipeline.diff(pipeline.load(baseline), current)
    assert "counters_cleared_by_run" in {group["kind"] for group in found.document["changes"]}
    assert (
        int(found.facts.growth.counters["symbol_error_counter"].delta[found.facts.pair.positions[bad]]) == 40
    )
