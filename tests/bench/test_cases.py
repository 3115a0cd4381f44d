"""Which cases are tried, and that a case runs from order to outcome."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from outcomes import found, named, oracle, outcome

from bench.evaluate import files, tables
from bench.evaluate.cases import FIRST_SEED, HEALTHY, MULTI, SMALL, Place, make_case, plan
from bench.evaluate.door import TABLES, TEXT, run_case, write_case
from bench.evaluate.missing import PATTERNS, WHOLE
from bench.evaluate.naive import RANKERS
from bench.evaluate.outcome import as_json, from_json
from bench.evaluate.run import run
from bench.evaluate.ways import PLAIN, WAYS, plan_ways
from ibforensic import pipeline
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.options import CONFOUNDERS

TINY = Place("fat-tree:leaf=2,spine=2,hosts=3,uplinks=2")


def tiny(group, seed=1, **other):
    """A case in a tiny fabric, with nothing missing unless a test wants it."""
    return replace(make_case(group, seed), place=TINY, large=False, **{"missing": WHOLE, **other})


def fault_of(case, folder):
    """Where the fault is, and what it counted."""
    _, truth = write_case(folder, case)
    return truth["suspects"]


def test_every_fault_has_its_cases_and_no_confounder_has():
    groups = Counter(case.group for case in plan("development", 3, 2, 1))
    wanted = {str(kind): 3 for kind in FaultKind if kind not in CONFOUNDERS}
    assert groups == {**wanted, HEALTHY: 2, MULTI: 1}
    assert len({case.order_seed for case in plan("development", 9, 9, 9)}) == 9 * len(groups)


def test_the_two_sets_have_no_case_in_common():
    sets = [{(case.group, case.seed) for case in plan(name, 40, 40, 40)} for name in FIRST_SEED]
    assert not sets[0] & sets[1]
    seeds = [{case.order_seed for case in plan(name, 40, 40, 40)} for name in FIRST_SEED]
    assert not seeds[0] & seeds[1]


def test_a_case_follows_from_group_and_seed_alone():
    few, many = plan("development", 2, 1, 1), plan("development", 5, 5, 5)
    assert set(few) < set(many)
    assert plan("development", 5, 5, 5, only="bad_link") == [c for c in many if c.group == "bad_link"]


def test_severity_is_a_force_within_its_third():
    for case in plan("development", 30, 0, 0):
        assert Fault(case.faults[0], severity=case.force).word == case.severity
    assert len({case.force for case in plan("development", 30, 0, 0, only="bad_link")}) > 25


def test_most_cases_have_standard_confounders_and_all_dimensions_vary():
    cases = plan("development", 40, 100, 40)
    mixes = Counter(case.mix for case in cases)
    assert 0.55 < mixes["standard"] / len(cases) < 0.75
    assert {case.missing for case in cases} == set(PATTERNS)
    assert {case.place for case in cases} >= set(SMALL)
    assert any(case.large for case in cases)
    assert not any(case.large for case in plan("development", 40, 40, 0, large=False))
    assert {len(case.faults) for case in cases if case.group == MULTI} == {2, 3}


def test_a_bad_link_is_found_and_the_outcome_survives_json():
    told = run_case(tiny("bad_link", 2))
    assert told.found[0].rank == 1
    assert told.named[0].right
    assert told.found[0].end_right is True
    assert set(told.naive) == set(RANKERS)
    assert told.command.startswith("ibforensic simulate")
    assert from_json(json.loads(json.dumps(as_json(told)))) == told


def test_a_healthy_case_has_nothing_to_find():
    told = run_case(tiny(HEALTHY, confounders=(), mix="none"))
    assert (told.found, told.named, told.naive) == ((), (), {})


@pytest.mark.parametrize("group", ["bad_link", "dirty_connector", "dead_host"])
def test_both_doors_lead_to_the_same_outcome(group):
    text, tables_ = (run_case(tiny(group, 2), door) for door in (TEXT, TABLES))
    assert (text.door, tables_.door) == (TEXT, TABLES)
    assert replace(text, seconds={}, door="") == replace(tables_, seconds={}, door="")


def test_two_processes_find_what_one_finds():
    cases = [tiny("bad_link", seed) for seed in (1, 2)]
    one, two = (run(cases, processes, lambda done, count: None) for processes in (1, 2))
    assert [replace(told, seconds={}) for told in one] == [replace(told, seconds={}) for told in two]


def test_a_case_moves_where_its_fabric_has_no_place_for_it(tmp_path):
    crowded = tiny("dead_host", confounders=(FaultKind.HOST_REBOOT,), order_seed=1)
    crowded = replace(crowded, place=Place("fat-tree:leaf=1,spine=1,hosts=1"))
    moved, truth = write_case(tmp_path, crowded)
    assert moved.place in SMALL
    assert truth["suspect"]["kind"] == "dead_host"


def test_an_error_of_the_tool_is_an_outcome(monkeypatch):
    def broken(*_):
        raise ValueError("no such thing")

    monkeypatch.setattr(pipeline, "diff", broken)
    told = run_case(tiny("bad_link"))
    assert told.error == "ValueError: no such thing"
    assert told.found[0].rank is None
    assert "broke: ValueError" in "\n".join(files.failures([told]))


@pytest.mark.parametrize("missing", PATTERNS)
def test_what_is_missing_is_gone_and_the_rest_can_be_compared(missing, tmp_path):
    write_case(tmp_path, tiny("dead_link", missing=missing, confounders=()))
    pair = [pipeline.load(tmp_path / side) for side in ("baseline", "current")]
    then, now = ({name for name, table in one.latest.tables.items() if table.num_rows} for one in pair)
    assert pipeline.diff(*pair).document["verdict"] == "suspects"
    assert ("phy" in now) == (missing in (WHOLE, "uptimes", "all but db_csv"))
    assert ("phy" in then) == (missing != "phy")
    told = pair[1].latest.tables["nodes"]["uptime_s"].null_count < pair[1].latest.tables["nodes"].num_rows
    assert told == (missing != "uptimes")
    files_left = {path.name for path in tmp_path.glob("current/*")}
    assert ("ibdiagnet2.net_dump" in files_left) == (missing == WHOLE)


def test_ways_tell_one_incident_and_only_the_worse_ones(tmp_path):
    cases = plan_ways("development", 4, "bad_link")
    assert [case.way for case in cases] == list(WAYS) * 4
    assert {case.severity for case in cases} == {"medium", "high"}
    one = [replace(case, place=TINY) for case in cases[: len(WAYS)]]
    faults = [fault_of(case, tmp_path / str(at)) for at, case in enumerate(one)]
    assert all(fault == faults[0] for fault in faults)


def test_ways_are_compared_with_the_plain_one_and_kept_from_the_other_tables():
    told = [
        outcome(found(rank), seed=seed, way=way)
        for way, ranks in ((PLAIN, (1, 1, 2, 1)), ("missing: phy", (1, 2, 1, None)))
        for seed, rank in enumerate(ranks)
    ]
    (sheet,) = tables.sheets(told)
    rows = {row[0]: row for row in sheet.rows}
    assert rows[PLAIN][2].startswith("0.750")
    assert rows["missing: phy"][2].startswith("0.500")
    assert rows["missing: phy"][3].startswith("0.250")
    assert [one.text() for one in tables.sheets([*told, *oracle()]) if one.title != sheet.title] == [
        one.text() for one in tables.sheets(oracle())
    ]


def test_a_document_gets_the_tables_between_its_marks(tmp_path):
    path = tmp_path / "accuracy.md"
    path.write_text(f"# Accuracy\n\nBefore.\n\n{files.BEGIN}\nold\n{files.END}\n\nAfter.\n")
    about = {"set": "report", "first_seed": 1_000_001, "version": "9.9"}
    for _ in range(2):
        files.write_markdown(path, tables.sheets(oracle()), oracle(), about)
    text = path.read_text()
    assert text.startswith("# Accuracy\n\nBefore.\n")
    assert text.endswith("After.\n")
    assert "old" not in text
    assert text.count("ibforensic 9.9, set `report` (seeds from 1000001): 30 cases") == 1
    assert "| bad_link | 30 | 1.000 [1.00, 1.00] |" in text


def test_a_file_of_a_run_gives_the_same_tables_again(tmp_path):
    outcomes = [
        *oracle(3),
        outcome(names=(named(False),), group=HEALTHY),
        outcome(found(2), found(9), group=MULTI),
    ]
    files.write_json(tmp_path / "run.json", outcomes, {"set": "development", "first_seed": 1})
    again, about = files.read_json(tmp_path / "run.json")
    assert about["set"] == "development"
    assert [sheet.text() for sheet in tables.sheets(again)] == [s.text() for s in tables.sheets(outcomes)]


def test_failures_say_what_was_there_and_what_was_named():
    outcomes = [
        *oracle(2),
        outcome(found(None), names=(named(False),), seed=77, blamed=True),
        outcome(found(2), found(5), seed=78, group=MULTI),
    ]
    text = "\n".join(files.failures(outcomes))
    assert "seed 77" in text
    assert "bad_link nowhere: here" in text
    assert "accused wrongly (0.90): a headline" in text
    assert "a victim is blamed" in text
    assert "bad_link at place 5" in text
    assert "at place 2" not in text
    assert text.count("ibforensic simulate") == 2
