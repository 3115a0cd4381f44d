"""What every rule owes: words in order, evidence that can be checked in the file, and a case of its own."""

from __future__ import annotations

import csv
import json
import math

import pytest
from rule_cases import CASES, COUNTERS, lookalike, spoken
from small_fabric import FILE, of, story

from ibforensic import evidence
from ibforensic.model.counters import CATALOGUE, by_spelling

RULES = {item.rule.id: item for item in evidence.rules()}
PARTS = ("What it looks for:", "Why it matters:", "What else looks like this:", "What to do next:", "Source:")


def test_every_rule_has_a_case_and_every_case_a_rule():
    assert set(CASES) == set(RULES)


def test_rules_have_an_order_of_their_own():
    orders = [item.rule.order for item in evidence.rules()]
    assert orders == sorted(set(orders))


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_says_what_it_is(rule):
    item = RULES[rule]
    assert item.find.__module__.rpartition(".")[2] == rule
    places = [item.doc.find(part) for part in PARTS]
    assert -1 not in places, [part for part, place in zip(PARTS, places, strict=True) if place < 0]
    assert places == sorted(places)
    assert item.doc.splitlines()[0].endswith(".")
    assert "KNOWLEDGE" in item.doc or "demand" in item.doc
    assert item.rule.title


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_speaks_in_its_case(rule):
    _, _, comparison = spoken(rule)
    assert of(comparison, rule)


@pytest.mark.parametrize(
    ("rule", "name"), [(rule, name) for rule, case in CASES.items() for name in case.silent]
)
def test_a_rule_accuses_nobody_where_it_only_looks_like_it(rule, name):
    comparison = lookalike(rule, name)
    items = of(comparison, rule)
    assert sum(item.weight for item in items) < 1.0, [item.message.text for item in items]
    if not any(item.weight for item in of(spoken(rule)[2], rule)):
        assert not items


def test_nothing_is_found_where_nothing_happened():
    comparison = story().compare()
    assert comparison.judgement.evidence == ()
    assert comparison.document["verdict"] == "no_suspect"


@pytest.mark.parametrize("case", RULES)
def test_evidence_keeps_to_the_contract(case):
    _, _, comparison = spoken(case)
    known = set(comparison.facts.pair.port_keys)
    nodes = set(comparison.facts.who.nodes)
    for item in comparison.judgement.evidence:
        assert item.rule in RULES
        assert item.message.id.startswith(f"{item.rule}.")
        json.dumps({**item.message.params, "before": item.before, "after": item.after}, allow_nan=False)
        assert item.message.text
        assert not {"{", "}"} & set(item.message.text)
        assert math.isfinite(item.weight)
        assert item.where is None or item.where in known
        assert item.towards is None or item.towards in known
        assert item.node_guid is None or item.node_guid in nodes


@pytest.mark.parametrize("case", RULES)
def test_a_named_counter_stands_in_the_named_line(case):
    _, files, comparison = spoken(case)
    spelling = {column: name for name, (_, column) in by_spelling("db_csv").items()}
    lines = files[FILE].splitlines()
    for item in comparison.judgement.evidence:
        counter = item.message.params.get("counter") or COUNTERS.get(item.rule)
        if counter is None:
            continue
        file, _, line = item.source.rpartition(":")
        assert file == FILE
        at = int(line) - 1
        start = next(place for place in range(at, -1, -1) if lines[place].startswith("START_"))
        names = [name.strip() for name in lines[start + 1].split(",")]
        row = dict(zip(names, next(csv.reader([lines[at]])), strict=True))
        assert (row["NodeGUID"], int(row["PortNumber"])) == item.where
        columns = [spelling[column] for column in CATALOGUE[counter].columns if column in spelling]
        assert str(item.after) in [row[column] for column in columns if column in row]


@pytest.mark.parametrize("rule", ["rate_drop", "link_lost"])
def test_a_state_is_read_from_a_line_about_its_port(rule):
    _, files, comparison = spoken(rule)
    (item,) = of(comparison, rule)
    line = files[FILE].splitlines()[int(item.source.rpartition(":")[2]) - 1]
    assert line.startswith(item.where.node_guid)
    assert f",{item.where.port_num}," in line


@pytest.mark.parametrize("rule", [rule for rule, case in CASES.items() if case.phy])
def test_a_reading_of_the_physical_layer_names_a_line_about_its_port(rule):
    _, files, comparison = spoken(rule)
    items = of(comparison, rule)
    assert items
    for item in items:
        file, _, line = item.source.rpartition(":")
        text = files[file].splitlines()[int(line) - 1]
        if item.where is None:
            assert f",{item.node_guid}," in text
        else:
            assert text.startswith(f"{item.where.node_guid},{item.where.node_guid},{item.where.port_num},")
        if item.unit == "dBm":
            assert f"{item.after:.3f} dBm" in text
        if item.unit == "°C":
            assert f'"{item.after:.0f}C"' in text
