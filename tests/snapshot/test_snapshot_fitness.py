"""What would weaken a comparison is said when the snapshot is made."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from handmade import BEGAN, counted, guid, hca, sample, source, switch, two_level

from ibforensic.capture import capture
from ibforensic.model.enums import Level, Quality
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident
from ibforensic.snapshot import counts, fitness
from ibforensic.snapshot.build import build


def counters(rows, **values):
    values = values or {"port_rcv_errors_ext": 1}
    ends = [
        (int(row[f"node_guid_{end}"], 16), row[f"port_num_{end}"]) for row in rows["links"] for end in "ab"
    ]
    return [counted(*end, **values) for end in ends]


def fit(**changes):
    """Return a small fabric that lacks nothing, with changes; None leaves a table out."""
    rows = two_level()
    more = {
        "counters_pma": counters(rows),
        "phy": [{"node_guid": guid(1), "port_num": 1}],
        "modules": [{"node_guid": guid(1), "port_num": 1, "serial": "M"}],
    }
    rows = {**rows, **more, **changes}
    return {name: value for name, value in rows.items() if value is not None}


def made(began=BEGAN, **changes):
    found = sample(began=began, **fit(**changes))
    return replace(found, counts=counts.count(found.tables))


def codes(**changes):
    return [item.code for item in fitness.assess(made(**changes))]


def only(code, **changes):
    """Return the one finding of a sample."""
    found = fitness.assess(made(**changes))
    assert [item.code for item in found] == [code]
    return found[0]


def test_a_good_sample_has_no_finding():
    assert codes() == []


def test_benchmarks_alone_do_not_lack_what_belongs_to_a_fabric():
    runs = [{"run": f"x#{number}", "kind": "ib_write_bw"} for number in range(2)]
    found = sample(began=None, bench_runs=runs)
    (item,) = fitness.assess(replace(found, counts=counts.count(found.tables)))
    assert (item.code, item.level) == ("benchmarks_alone", Level.INFO)
    assert item.message.startswith("2 benchmark runs")
    assert codes(bench_runs=runs) == []


def test_no_time():
    assert only("no_time", began=None).level is Level.WARNING


def test_files_that_are_cut_or_failed():
    files = [source(f"file {at}", whole=False) for at in range(7)] + [
        replace(source("bad"), outcome="failed")
    ]
    found = only("partial_files", sources=(source(), *files))
    assert (found.count, found.examples) == (8, tuple(f"file {at}" for at in range(5)))
    assert "8 of 9" in found.message


@pytest.mark.parametrize(
    ("command", "skipped"),
    [
        ("ibdiagnet --skip pm", True),
        ("ibdiagnet --skip=pm", True),
        ("ibdiagnet --skip nodes_info,pm,ar --get_phy_info", True),
        ("ibdiagnet --skip nodes_info", False),
        ("ibdiagnet --pm_pause_time 60", False),
        ("ibdiagnet --skip", False),
        ("", False),
    ],
)
def test_counters_that_were_not_collected(command, skipped):
    found = only("counters_not_collected", counters_pma=None, commands=(command,))
    assert found.level is Level.ERROR
    assert ("--skip pm" in found.message) == skipped
    assert codes(counters_pma=[], commands=(command,)) == ["counters_not_collected"]


def test_connected_ports_without_counters():
    rows = two_level()
    found = only("ports_without_counters", counters_pma=counters(rows)[:-3])
    assert (found.count, len(found.examples)) == (3, 3)
    assert "3 of 12" in found.message
    assert all(example.startswith("0x") and "/" in example for example in found.examples)


def test_a_run_that_cleared_counters_at_its_start():
    assert (
        only("cleared_at_start", clears=[{"scope": "fabric", "group": "pma_errors"}]).level is Level.WARNING
    )
    assert codes(clears=[]) == []


@pytest.mark.parametrize(
    ("gbps", "idle"), [(0.0, True), (0.05, True), (0.2, False), (300.0, False), (5e9, False)]
)
def test_an_idle_fabric(gbps, idle):
    words = int(gbps * 1e9 / 32 * 10)
    window = counted(1, 1, basis="window", window_s=10.0, port_xmit_data_ext=words)
    window["basis"], window["window_s"] = "window", 10.0
    rows = [*counters(two_level()), window]
    assert codes(counters_pma=rows) == (["idle"] if idle else [])


def test_without_a_window_nobody_can_tell_whether_it_was_idle():
    nothing = counted(1, 1, port_xmit_data_ext=0)
    for basis, seconds in (("cumulative", None), ("window", 0.0), ("window", None)):
        rows = [*counters(two_level()), {**nothing, "basis": basis, "window_s": seconds}]
        assert codes(counters_pma=rows) == []


FULL = 65_535


@pytest.mark.parametrize(
    ("cells", "full"),
    [
        ({"symbol_error_counter": FULL}, True),
        ({"symbol_error_counter": FULL, "symbol_error_counter_ext": 0}, True),
        ({"symbol_error_counter": FULL, "symbol_error_counter_ext": FULL + 1}, False),
        ({"symbol_error_counter": FULL - 1}, False),
        ({"link_downed_counter": 255}, True),
        (
            {
                "symbol_error_counter": FULL,
                "symbol_error_counter_ext": None,
                "symbol_error_counter_ext_q": int(Quality.CORRUPT),
            },
            True,
        ),
        ({"symbol_error_counter": FULL, "symbol_error_counter_ext": FULL}, False),
        # Full within a second at today's rates, or within minutes of waiting: no news.
        ({"port_xmit_wait": 2**32 - 1}, False),
        ({"port_xmit_data": 2**32 - 1}, False),
        # Grows on healthy ports.
        ({"port_rcv_switch_relay_errors": FULL}, False),
    ],
)
def test_full_error_counters(cells, full):
    rows = counters(two_level(), **cells)
    if not full:
        assert codes(counters_pma=rows) == []
        return
    found = only("saturated", counters_pma=rows)
    assert (found.count, len(found.examples)) == (12, 5)
    assert all(example.endswith(next(iter(cells))) for example in found.examples)


def test_full_detail_counters():
    detail = counted(1, 1, port_local_physical_errors=FULL)
    assert only("saturated", counters_detail=[detail, detail]).count == 1


def test_nodes_that_did_not_answer():
    events = [
        {"scope": "node", "node_guid": guid(number), "event": "NODE_NO_RESPONSE"} for number in (7, 7, 8)
    ]
    events += [{"event": "PORT_NO_RESPONSE", "node_guid": None}, {"event": None, "node_guid": guid(9)}]
    events += [{"event": "BER_EXCEEDED", "node_guid": guid(10)}]
    found = only("nodes_without_answer", events=events)
    assert (found.count, found.examples) == (2, (guid(7), guid(8)))


def summary(**said):
    return [{"tool": "ibdiagnet", "source": "ibdiagnet2.log", "summary": json.dumps(said)}]


def test_counts_that_agree_with_the_log():
    runs = summary(nodes=7, switches=3, hcas=4, aggregation_nodes=0, links=6, warnings=3)
    assert codes(runs=runs) == []
    assert codes(runs=[{"tool": "ibdiagnet", "summary": None}]) == []


@pytest.mark.parametrize("name", ["nodes", "switches", "hcas", "aggregation_nodes", "links"])
def test_counts_that_differ_from_the_log(name):
    found = only(f"count_differs_{name}", runs=summary(**{name: 99}))
    assert "99" in found.message
    assert "ibdiagnet2.log" in found.message


def test_the_log_of_another_run_is_not_asked():
    old = (source(), source("ibdiagnet2.log", stale=True))
    assert codes(runs=summary(nodes=99), sources=old) == []


def test_what_an_older_run_left_does_not_make_up_for_what_this_one_lacks():
    old = (source(), source("old.net_dump_ext", stale=True))
    from_old = {"source": "old.net_dump_ext"}
    assert only("no_phy", phy=[{"node_guid": guid(1), "port_num": 1, **from_old}], sources=old)
    counters_then = [{**row, **from_old} for row in counters(two_level())]
    assert only("counters_not_collected", counters_pma=counters_then, sources=old)


def test_what_an_older_run_left_is_not_counted(tmp_path):
    write_incident(
        tmp_path, seed=2, faults=[Fault(FaultKind.DEAD_HOST)], leaves=2, spines=1, hosts_per_leaf=2
    )
    now = build(capture(tmp_path / "current"), "x", "1")
    old = (tmp_path / "baseline" / "ibdiagnet2.db_csv").read_bytes()
    (tmp_path / "current" / "before.db_csv").write_bytes(old)
    among = build(capture(tmp_path / "current"), "x", "1")
    assert len(among.latest.info.sources) == len(now.latest.info.sources) + 1
    assert among.latest.counts == now.latest.counts
    assert (among.fabric, among.fitness) == (now.fabric, now.fitness)


def test_no_bit_error_ratios():
    assert only("no_phy", phy=None).level is Level.INFO
    assert codes(phy=None, counters_phy=[{"node_guid": guid(1), "port_num": 1, "basis": "cumulative"}]) == []


def test_findings_are_ordered_by_level_and_never_advise_to_clear():
    found = fitness.assess(
        made(
            began=None,
            phy=None,
            counters_pma=None,
            sources=(source(whole=False),),
            clears=[{"scope": "fabric"}],
            runs=summary(nodes=1),
            events=[{"event": "NODE_NO_RESPONSE", "node_guid": guid(7)}],
            counters_detail=[counted(1, 1, port_local_physical_errors=FULL)],
        )
    )
    levels = [item.level for item in found]
    assert levels == sorted(levels, key=(Level.ERROR, Level.WARNING, Level.INFO).index)
    assert len(found) == 8
    for item in found:
        assert item.help
        for option in ("--pc", "--pm_clear_all", "--reset_phy_info"):
            assert option not in item.help.replace("without --pc, --pm_clear_all and --reset_phy_info", "")


def test_a_snapshot_of_a_run_says_how_fit_it_is(tmp_path):
    write_incident(tmp_path, seed=2, leaves=2, spines=1, hosts_per_leaf=1)
    for name in ("baseline", "current"):
        (tmp_path / name / "ibdiagnet2.net_dump").unlink()
    whole = build(capture(tmp_path / "current"), "x", "1")
    assert {item.code for item in whole.fitness} == {"nodes_without_answer", "no_phy", "no_modules"}
    file = tmp_path / "current" / "ibdiagnet2.db_csv"
    text = file.read_text()
    # The run was cut within LINKS: what follows is missing, the log counts more.
    file.write_text(text[: text.index("END_LINKS") - 20])
    cut = build(capture(tmp_path / "current"), "x", "1")
    found = {item.code for item in cut.fitness}
    assert found >= {"partial_files", "counters_not_collected", "count_differs_links", "no_phy"}


def test_what_is_counted():
    rows = two_level()
    rows["nodes"] += [
        hca(20, device_id=0xCF09),
        {**switch(30), "node_type": "router"},
        {**switch(1), "origin": "net_dump"},
    ]
    rows["links"].append({**rows["links"][0], "origin": "net_dump"})
    down = {"node_guid": guid(1), "port_num": 40, "state": "down", "origin": "net_dump"}
    rows["ports"] += [
        down,
        {**down, "port_num": 0},
        {**down, "port_num": 1},
        {**down, "port_num": 41, "state": None},
    ]
    found = counts.count(sample(**rows).tables)
    assert found == {
        "nodes": 9,
        "switches": 3,
        "hcas": 4,
        "aggregation_nodes": 1,
        "routers": 1,
        "links": 6,
        "ports": 14,
        "ports_down": 1,
    }
    assert set(counts.count({}).values()) == {None}
    only_up = counts.count(sample(**two_level()).tables)
    assert only_up["ports_down"] is None


def test_links_that_are_sick_already():
    sick = [{"node_guid": guid(1), "port_num": 1, "symbol_ber_log10": -8.4, "since_clear_s": 1e6}]
    found = only("links_sick", phy=sick)
    assert (found.count, found.examples, found.level) == (1, (f"{guid(1)}/1",), Level.WARNING)
    assert codes(phy=[{**sick[0], "symbol_ber_log10": -14.0}]) == []
    assert codes(phy=[{**sick[0], "symbol_ber_log10": None, "symbol_ber_none": True}]) == []


def test_links_that_run_below_what_is_enabled():
    rows = two_level()["ports"]
    wide = {"width_enabled": "1x,2x,4x", "speed_enabled": "SDR,EDR,HDR,NDR"}
    assert codes(ports=[{**row, **wide} for row in rows]) == []
    slow = [{**rows[0], **wide, "width_active": "1x"}, {**rows[1], **wide, "speed_active": "HDR"}]
    assert only("links_slow", ports=[*slow, *rows[2:]]).count == 2
    split = {**rows[0], "width_active": "2x", "width_enabled": "1x,2x"}
    assert codes(ports=[split, *rows[1:]]) == []
    assert codes(ports=[{**slow[0], "state": "down"}, *rows[1:]]) == []


def test_ports_too_young_for_a_bit_error_ratio():
    young = {"node_guid": guid(1), "port_num": 1, "since_clear_s": 600.0}
    assert only("ports_young", phy=[young]).level is Level.INFO
    assert codes(phy=[{**young, "since_clear_s": 7600.0}]) == []


def test_no_modules():
    assert "--get_cable_info" in only("no_modules", modules=None).help


def test_modules_of_other_vendors():
    rows = [
        {"node_guid": guid(1), "port_num": number, "serial": f"M{number}", "vendor": vendor}
        for number, vendor in enumerate(("NVIDIA", "Mellanox", "mellanox", None, "Acme Optics"), 1)
    ]
    assert only("third_party_modules", modules=rows).examples == (f"{guid(1)}/5",)


def test_a_fabric_is_known_by_its_switches():
    one = counts.fabric(sample(**two_level()).tables)
    rows = two_level()
    shuffled = counts.fabric(sample(nodes=[*rows["nodes"][::-1], hca(77)]).tables)
    other = counts.fabric(sample(nodes=rows["nodes"][1:]).tables)
    assert one == shuffled
    assert one.switches == (guid(1), guid(2), guid(3))
    assert one.fingerprint != other.fingerprint
    assert counts.fabric({}).fingerprint == counts.fabric(sample(nodes=[hca(1)]).tables).fingerprint == ""
