"""The document: its keys are the outward contract."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from ibforensic.model.document import EXAMPLES, SCHEMA, Coverage, Result, Side, document, port_json, time_json
from ibforensic.model.enums import Component, DeltaClass, Level, Severity, Strength, Verdict, VictimBy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import (
    Change,
    Confidence,
    Evidence,
    Fitness,
    Note,
    NotJudged,
    PortRef,
    SourceRecord,
    Suspect,
    Victim,
    Window,
    say,
)

LEAF = PortKey("0x0000000000000001", 12)
HOST = PortKey("0x00000000000000a0", 1)
BEGAN = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


def names(key: PortKey) -> PortRef:
    if key.node_guid == LEAF.node_guid:
        return PortRef(key, "leaf-03", f"1/6/{key.port_num}", None, "leaf")
    return PortRef(key, "node-7 mlx5_0", None, 2, "hca")


def side(label: str, **changes) -> Side:
    base = Side(
        label=label,
        window=Window(BEGAN, BEGAN + timedelta(minutes=1)),
        counts={"nodes": 2},
        sources=(SourceRecord("a.db_csv", "ab" * 32, 10, "db_csv", "parsed", own_time=BEGAN),),
        notes=(Note("db_csv.section_cut", Level.WARNING, "ends early", "a.db_csv", 7, "collect again"),),
        fitness=(Fitness("idle_fabric", Level.INFO, "nothing was sent", "use it", 2, ("leaf-03",)),),
    )
    return replace(base, **changes)


def change(number: int, kind: str = "port_down", group: str = "leaf-03") -> Change:
    return Change(
        kind,
        say("change.port_down", "port {port} went down", port=number),
        port=PortKey(LEAF.node_guid, number),
        before="active",
        after="down",
        group=group,
    )


def evidence(**changes) -> Evidence:
    base = Evidence(
        rule="symbol_errors",
        message=say("symbol_errors.grew", "grew by {count}", count=735),
        where=LEAF,
        towards=LEAF,
        weight=5.4321,
        strength=Strength.STRONG,
        before=0,
        after=735,
        unit="events",
        exposure=1.5e15,
        exposure_unit="bits",
        source="a.db_csv:120",
        available=("phy",),
    )
    return replace(base, **changes)


def suspect(**changes) -> Suspect:
    base = Suspect(
        rank=1,
        score=23.1415,
        component=Component.CABLE,
        severity=Severity.MAJOR,
        confidence=Confidence(0.97123, 0.9, 0.7),
        headline=say("suspect.cable", "the cable of {node} is bad", node="leaf-03"),
        next_action=say("action.reseat", "reseat both ends"),
        link=LinkKey(LEAF, HOST),
        end=LEAF,
        direction=(HOST, LEAF),
        evidence=(evidence(),),
        victims=(Victim(HOST, VictimBy.EBP, evidence()),),
    )
    return replace(base, **changes)


def result(**changes) -> Result:
    base = Result(
        kind="diff",
        engine="0.1.0",
        policy="0123abcd",
        verdict=Verdict.SUSPECTS,
        changed=True,
        headline=say("headline.one", "one suspect"),
        baseline=side("before"),
        current=side("after"),
        gap_s=3600.0,
        suspects=(suspect(),),
        changes=(change(1),),
        coverage=Coverage(
            nodes={"baseline": 2, "current": 2, "both": 2},
            ports={"baseline": 2, "current": 3, "both": 2, "judged": 2},
            links={"baseline": 1, "current": 1, "both": 1},
            compared=("counters",),
            not_judged=(
                NotJudged("BER", say("why.no_phy", "no PHY data"), "--get_phy_info", 2, ("leaf-03",)),
            ),
        ),
        names=names,
    )
    return replace(base, **changes)


PORT = {"node_guid", "port", "node", "label", "plane"}


def test_top_level_keys():
    made = document(result())
    wanted = {
        "schema",
        "kind",
        "engine",
        "policy",
        "verdict",
        "changed",
        "suspects",
        "changes",
        "coverage",
        "fitness",
    }
    assert wanted <= set(made)
    assert made["schema"] == SCHEMA == "ibforensic.diff/1"
    assert (made["kind"], made["verdict"], made["changed"]) == ("diff", "suspects", True)


def test_suspect_keys_and_shapes():
    made = document(result())["suspects"][0]
    assert {
        "rank",
        "link",
        "device",
        "component",
        "end",
        "direction",
        "confidence",
        "severity",
        "score",
        "evidence",
        "victims",
        "next_action",
    } <= set(made)
    assert set(made["link"]) == {"a", "b"}
    assert set(made["direction"]) == {"from", "to"}
    for port in (*made["link"].values(), *made["direction"].values(), made["end"]):
        assert set(port) >= PORT
    assert made["direction"]["from"]["node"] == "node-7 mlx5_0"
    assert made["confidence"] == {"link": 0.971, "end": 0.9, "component": 0.7}
    assert made["score"] == 23.14
    assert made["device"] is None
    assert {"message", "params", "text"} <= set(made["next_action"])


def test_evidence_keys():
    made = document(result())["suspects"][0]["evidence"][0]
    assert {
        "kind",
        "message",
        "params",
        "where",
        "before",
        "after",
        "unit",
        "exposure",
        "class",
        "source",
        "text",
    } <= set(made)
    assert made["kind"] == "symbol_errors"
    assert made["params"] == {"count": 735}
    assert made["text"] == "grew by 735"
    assert made["class"] == "exact"
    assert set(made["where"]) >= PORT


@pytest.mark.parametrize("delta", DeltaClass)
def test_class_of_evidence_is_one_of_three_words(delta):
    made = document(result(suspects=(suspect(evidence=(evidence(delta=delta),)),)))
    assert made["suspects"][0]["evidence"][0]["class"] in {"exact", "at_least", "unknown"}


def test_victims_name_their_port_and_how_they_suffer():
    victim = document(result())["suspects"][0]["victims"][0]
    assert victim["node_guid"] == HOST.node_guid
    assert victim["port"] == HOST.port_num
    assert victim["by"] == "ebp"


def test_a_device_stands_in_place_of_a_link():
    made = document(
        result(suspects=(suspect(link=None, node_guid=LEAF.node_guid, end=None, direction=None),))
    )
    shown = made["suspects"][0]
    assert shown["link"] is shown["end"] is shown["direction"] is None
    assert shown["device"] == {"node_guid": LEAF.node_guid, "node": "leaf-03", "host": None}


def test_port_shape():
    assert port_json(names(HOST)) == {
        "node_guid": "0x00000000000000a0",
        "port": 1,
        "node": "node-7 mlx5_0",
        "label": None,
        "plane": 2,
        "role": "hca",
        "purpose": None,
    }


def test_changes_of_one_kind_and_group_are_one_entry_with_up_to_twenty_examples():
    many = tuple(change(number) for number in range(1, 46))
    made = document(result(changes=(*many, change(1, group="spine-1"), change(2, kind="node_renamed"))))[
        "changes"
    ]
    assert [(entry["kind"], entry["group"], entry["count"]) for entry in made] == [
        ("port_down", "leaf-03", 45),
        ("port_down", "spine-1", 1),
        ("node_renamed", "leaf-03", 1),
    ]
    assert EXAMPLES == 20
    assert [len(entry["examples"]) for entry in made] == [20, 1, 1]
    assert [entry["omitted"] for entry in made] == [25, 0, 0]
    assert [example["where"]["port"] for example in made[0]["examples"]] == list(range(1, 21))


@pytest.mark.parametrize("count", [20, 21])
def test_the_cap_of_examples_is_exact(count):
    entry = document(result(changes=tuple(change(number) for number in range(count))))["changes"][0]
    assert (len(entry["examples"]), entry["omitted"]) == (20, count - 20)


def test_a_change_names_its_node_with_and_without_a_port():
    made = document(
        result(changes=(change(1), Change("node_missing", say("m", "gone"), node_guid=LEAF.node_guid)))
    )
    of_port, of_node = (entry["examples"][0] for entry in made["changes"])
    assert (of_port["node_guid"], of_port["node"]) == (LEAF.node_guid, "leaf-03")
    assert (of_node["where"], of_node["node_guid"], of_node["node"]) == (None, LEAF.node_guid, "leaf-03")
    assert (of_port["before"], of_port["after"]) == ("active", "down")


def test_coverage_says_the_share_and_what_was_not_judged():
    made = document(result())["coverage"]
    assert made["share"] == 0.6667
    assert made["not_judged"][0]["what"] == "BER"
    assert made["not_judged"][0]["text"] == "no PHY data"


def test_share_is_null_where_there_are_no_ports():
    assert document(result(coverage=Coverage({}, {}, {})))["coverage"]["share"] is None


def test_fitness_says_which_side_it_is_about():
    made = document(result())["fitness"]
    assert [(item["side"], item["code"]) for item in made] == [
        ("baseline", "idle_fabric"),
        ("current", "idle_fabric"),
    ]


def test_a_check_has_no_baseline():
    made = document(result(kind="check", baseline=None, gap_s=None))
    assert made["baseline"] is None
    assert [item["side"] for item in made["fitness"]] == ["current"]


def test_survives_strict_json_unchanged():
    made = document(result())
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_same_result_same_bytes():
    assert json.dumps(document(result())) == json.dumps(document(result()))


def test_times_are_utc_to_the_second():
    elsewhere = datetime(2031, 5, 6, 9, 8, 9, 999999, tzinfo=timezone(timedelta(hours=2)))
    assert time_json(elsewhere) == "2031-05-06T07:08:09Z"
    assert time_json(None) is None
    assert document(result())["current"]["window"]["began_at"] == "2031-05-06T07:08:09Z"


def test_notes_keep_file_line_and_help():
    note = document(result())["current"]["notes"][0]
    assert note == {
        "code": "db_csv.section_cut",
        "level": "warning",
        "message": "ends early",
        "path": "a.db_csv",
        "line": 7,
        "help": "collect again",
    }


@pytest.mark.parametrize(
    ("path", "line", "where"), [("a.txt", 3, "a.txt:3"), ("a.txt", None, "a.txt"), ("", None, "")]
)
def test_where_of_a_note(path, line, where):
    assert Note("x.y", Level.INFO, "m", path, line).where == where
