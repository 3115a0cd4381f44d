"""Fabrics and inputs that are smaller, older or poorer than usual."""

from __future__ import annotations

import pytest
from editing import Sheet
from small_fabric import Story, compare, story

from ibforensic import pipeline
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey

SECTIONS = (
    "NODES",
    "NODES_INFO",
    "PORTS",
    "PM_INFO",
    "SWITCHES",
    "PORT_HIERARCHY_INFO",
    "PM_PORT_SAMPLES_CONTROL",
    "TEMP_SENSING",
)


def _without(sheet, *names):
    for name in names:
        if name in sheet.sections:
            sheet.drop(name)


def _only(told: Story, guids: set[str]) -> None:
    """Keep some nodes and the links between them."""

    def keep(sheet: Sheet) -> None:
        for name in SECTIONS:
            sheet.keep(name, lambda row: (row.get("NodeGUID") or row.get("NodeGuid")) in guids)
        sheet.keep("LINKS", lambda row: {row["NodeGuid1"], row["NodeGuid2"]} <= guids)

    told.edit(keep)


def _single_switch(hosts: int) -> Story:
    told = story(hosts=hosts, hcas=1)
    _only(told, {told.switch(Role.LEAF), *(told.hca(host).node_guid for host in range(hosts))})
    return told


def _back_to_back() -> Story:
    told = story(hosts=1, hcas=1)
    ends = {
        "NodeGuid1": told.hca(0).node_guid,
        "PortNum1": "1",
        "NodeGuid2": told.hca(1).node_guid,
        "PortNum2": "1",
    }
    told.edit(lambda sheet: sheet["LINKS"].append(ends))
    _only(told, {told.hca(0).node_guid, told.hca(1).node_guid})
    return told


@pytest.mark.parametrize("hosts", [1, 2, 5])
def test_a_single_switch(hosts):
    told = _single_switch(hosts)
    port = told.peer(told.hca())
    told.damage(port)
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.link, suspect.end) == (told.link(port), port)


def test_a_single_switch_that_loses_a_host():
    told = _single_switch(3)
    told.unplug(told.hca(1))
    (suspect,) = told.compare().judgement.suspects
    assert suspect.link == told.link(told.hca(1))


def test_a_single_switch_in_peace():
    assert _single_switch(3).compare().document["verdict"] == "no_suspect"


def test_two_hosts_and_two_leaves():
    told = story(spines=1, hosts=1, hcas=1)
    told.damage(told.uplink(1, 0)[1])
    (suspect,) = told.compare().judgement.suspects
    assert suspect.end == told.uplink(1, 0)[1]


def test_two_hcas_without_a_switch():
    told = _back_to_back()
    told.damage(told.hca(1))
    (suspect,) = told.compare().judgement.suspects
    assert suspect.direction == (told.hca(0), told.hca(1))


def test_two_hcas_that_lose_each_other_often():
    told = _back_to_back()
    told.fall(told.hca(0), told.hca(1), downs=9)
    (suspect,) = told.compare().judgement.suspects
    assert set(suspect.link) == {told.hca(0), told.hca(1)}


@pytest.mark.parametrize(
    "missing",
    [("LINKS",), ("NODES", "NODES_INFO", "PORTS", "LINKS", "RUN_INFO", "PORT_HIERARCHY_INFO")],
    ids=["no links", "counters only"],
)
def test_without_links_the_port_itself_is_named(missing):
    told = story()
    port = told.uplink()[0]
    told.damage(port)
    told.edit(lambda sheet: _without(sheet, *missing))
    comparison = told.compare()
    (suspect,) = comparison.judgement.suspects
    assert (suspect.link, suspect.node_guid, suspect.end) == (None, port.node_guid, port)
    assert suspect.component == "link"
    assert suspect.direction is None
    for form in ("html", "json", "text"):
        assert f"port {port.port_num}" in pipeline.render(comparison.document, form)


def test_without_links_two_bad_ports_of_a_node_are_two_suspects():
    told = story()
    ports = [told.uplink(0, spine)[0] for spine in (0, 1)]
    for port in ports:
        told.damage(port)
    told.edit(lambda sheet: sheet.drop("LINKS"))
    assert {suspect.end for suspect in told.compare().judgement.suspects} == set(ports)


def test_files_of_perfquery_alone(tmp_path):
    port = PortKey("0x5ed0810300abc100", 1)
    for name, errors in (("baseline", 3), ("current", 4_003)):
        folder = tmp_path / name
        folder.mkdir()
        fields = {
            "PortSelect": 1,
            "SymbolErrorCounter": errors,
            "LinkDownedCounter": 2,
            "PortRcvErrors": errors // 2,
            "PortXmitData": 90_000 + errors,
        }
        lines = [f"{name}:{'.' * (33 - len(name))}{value}" for name, value in fields.items()]
        text = "\n".join(["# Port counters: Lid 7 port 1 (CapMask: 0x5A00)", *lines, ""])
        (folder / f"perfquery-{port.node_guid}-1.txt").write_text(text)
    comparison = pipeline.diff(*(pipeline.load(tmp_path / name) for name in ("baseline", "current")))
    (suspect,) = comparison.judgement.suspects
    assert suspect.end == port


def test_nobody_told_the_names():
    told = story()
    port = told.uplink()[0]
    told.damage(port)
    told.edit(lambda sheet: sheet.drop("NODES"))
    (suspect,) = told.compare().judgement.suspects
    assert suspect.end == port
    assert port.node_guid in suspect.headline.text


def test_nobody_told_the_times():
    told = story()
    port = told.uplink()[0]
    told.damage(port)
    told.edit(lambda sheet: sheet.drop("RUN_INFO"))
    comparison = told.compare()
    assert comparison.document["gap_s"] is None
    assert [suspect.end for suspect in comparison.judgement.suspects] == [port]


@pytest.mark.parametrize("side", ["before", "after", "both"])
def test_without_counters_nothing_can_be_judged(side):
    told = story()
    told.damage(told.uplink()[0])
    sides = {"before": [told.before], "after": [told.after], "both": [told.before, told.after]}[side]
    for edits in sides:
        edits.append(lambda sheet: sheet.drop("PM_INFO"))
    assert told.compare().document["verdict"] == "cannot_judge"


def test_a_lost_lane_is_seen_without_any_counter():
    told = story()
    told.pair.current.set_link(told.link(told.hca()), width="1x")
    told.edit(lambda sheet: sheet.drop("PM_INFO"))
    (suspect,) = told.compare().judgement.suspects
    assert suspect.link == told.link(told.hca())


@pytest.mark.parametrize("times", [1, 1_000])
def test_narrow_counters_are_enough(times):
    """A thousand times the damage fills the registers: a lower bound, the same link."""
    told = story()
    port = told.uplink()[1]
    told.damage(port, times)
    told.edit(lambda sheet: sheet.drop_columns("PM_INFO", sheet.wide()))
    (suspect,) = told.compare().judgement.suspects
    assert suspect.end == port


def test_a_port_with_full_counters_hides_no_other_port():
    told = story()
    for sample in (told.pair.baseline, told.pair.current):
        sample.counters[told.hca()].update(
            dict.fromkeys(("symbol_error_counter", "port_rcv_errors"), 1 << 20)
        )
    told.damage(told.uplink()[0])
    told.edit(lambda sheet: sheet.drop_columns("PM_INFO", sheet.wide()))
    (suspect,) = told.compare().judgement.suspects
    assert suspect.end == told.uplink()[0]


def test_rows_that_stand_twice_count_once():
    told = story()
    told.damage(told.uplink()[0])
    once = [suspect.score for suspect in told.compare().judgement.suspects]
    told.edit(lambda sheet: sheet["PM_INFO"].extend([dict(row) for row in sheet["PM_INFO"]]))
    assert [suspect.score for suspect in told.compare().judgement.suspects] == once


def test_a_port_that_gave_no_answer_is_not_accused():
    told = story()
    port = told.uplink()[0]
    counters = Sheet(told.texts()[1]).columns["PM_INFO"][3:]
    told.after.append(lambda sheet: sheet.row("PM_INFO", port).update(dict.fromkeys(counters, "ERR")))
    document = told.compare().document
    assert document["verdict"] == "no_suspect"
    assert document["coverage"]["ports"]["judged"] == document["coverage"]["ports"]["current"] - 1


def test_different_fabrics_are_not_compared():
    document = compare(story(seed=5).texts()[0], story(seed=9).texts()[1]).document
    assert document["verdict"] == "cannot_judge"
    assert document["suspects"] == []


def test_names_with_braces_are_only_names():
    told = story()
    told.damage(told.hca())
    told.after.append(
        lambda sheet: [
            row.update(NodeDesc=row["NodeDesc"].replace("gpu-", "{x}%s-")) for row in sheet["NODES"]
        ]
    )
    (suspect,) = told.compare().judgement.suspects
    assert suspect.end == told.hca()
    assert "{x}%s-0001" in suspect.headline.text
