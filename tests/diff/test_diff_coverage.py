"""How much was compared, and what could not be judged."""

from __future__ import annotations

import pytest
from handmade import compared, counted, guid, port, sample, source, two_level, without

from ibforensic.diff.facts import compare

ERRORS = {"port_rcv_errors_ext": 1, "symbol_error_counter": 3}


def counters(rows, **values):
    """Return a row of counters for every end of a link."""
    return [
        counted(int(row[f"node_guid_{end}"], 16), row[f"port_num_{end}"], **(values or ERRORS))
        for row in rows["links"]
        for end in "ab"
    ]


def full(**more):
    """Return the small fabric with everything that can be collected."""
    rows = two_level()
    rows["counters_pma"] = counters(rows)
    for name in ("phy", "modules"):
        rows[name] = [{"node_guid": guid(1), "port_num": 1}]
    return {**rows, **more}


def reasons(facts):
    return {item.reason.id: item for item in facts.coverage.not_judged}


def test_where_everything_is_there_nothing_is_left_unjudged():
    covered = compared(full(), full()).coverage
    assert covered.not_judged == ()
    assert covered.nodes == {"baseline": 7, "current": 7, "both": 7}
    assert covered.links == {"baseline": 6, "current": 6, "both": 6}
    assert covered.ports == {"baseline": 12, "current": 12, "both": 12, "expected": 12, "judged": 12}
    assert covered.compared == (
        "nodes",
        "links",
        "port states",
        "link rates",
        "error counters",
        "rates over time",
    )


def test_a_lost_link_leaves_fewer_ports_to_judge():
    now = full()
    now["links"] = now["links"][1:]
    covered = compared(full(), now).coverage
    assert covered.links == {"baseline": 6, "current": 5, "both": 5}
    assert covered.ports == {"baseline": 12, "current": 10, "both": 10, "expected": 12, "judged": 10}


@pytest.mark.parametrize(("side", "word"), [(0, "baseline"), (1, "current sample")])
def test_a_side_without_counters(side, word):
    rows = [full(), full()]
    del rows[side]["counters_pma"]
    facts = compared(*rows)
    gap = reasons(facts)["not_judged.no_counters"]
    assert (gap.reason.params["side"], gap.count) == (word, 12)
    assert facts.coverage.ports["judged"] == 0
    assert "error counters" not in facts.coverage.compared
    assert "not_judged.ports" not in reasons(facts)


def test_ports_with_counters_on_one_side_only():
    rows = full()
    facts = compared(rows, full(counters_pma=rows["counters_pma"][:9]))
    gap = reasons(facts)["not_judged.ports"]
    assert (gap.count, len(gap.examples)) == (3, 3)
    assert facts.coverage.ports["judged"] == 9


def test_ports_whose_queries_failed_are_not_judged():
    rows = full()
    failed = counters(rows, port_rcv_errors_ext=None, symbol_error_counter=None, port_xmit_data_ext=7)
    facts = compared(rows, full(counters_pma=failed))
    assert facts.coverage.ports["judged"] == 0
    assert reasons(facts)["not_judged.ports"].count == 12


def test_counters_that_were_full_already():
    rows = full()
    rows["counters_pma"] = counters(rows, symbol_error_counter=65_535, port_rcv_errors_ext=0)
    facts = compared(rows, rows)
    gap = reasons(facts)["not_judged.full"]
    assert (gap.what, gap.count, len(gap.examples)) == ("symbol_error_counter", 12, 5)
    # Their other counters are judged.
    assert facts.coverage.ports["judged"] == 12


def test_counters_with_a_value_on_one_side_only():
    rows = full()
    now = full(counters_pma=counters(rows)[:-2] + counters(rows, port_rcv_errors_ext=1)[-2:])
    gap = reasons(compared(rows, now))["not_judged.one_sided"]
    assert (gap.what, gap.count) == ("symbol_error_counter", 2)
    assert compared(rows, now).coverage.ports["judged"] == 10


@pytest.mark.parametrize(("fallen", "told"), [(5, False), (6, True), (12, True)])
def test_a_clear_nearly_everywhere_is_a_gap(fallen, told):
    rows = full()
    rows["counters_pma"] = counters(rows, port_rcv_errors_ext=9)
    now = counters(rows, port_rcv_errors_ext=2)[:fallen] + rows["counters_pma"][fallen:]
    found = reasons(compared(rows, full(counters_pma=now)))
    assert ("not_judged.cleared" in found) == told
    assert not told or found["not_judged.cleared"].count == fallen


def test_a_full_data_counter_is_no_gap():
    rows = full()
    rows["counters_pma"] = counters(rows, port_xmit_data=2**32 - 1, port_rcv_errors_ext=0)
    assert compared(rows, rows).coverage.not_judged == ()


def test_samples_without_times_or_of_the_same_time_have_no_rates():
    for began in ({"began": None}, {}):
        other = (source(sha256="another"),)
        facts = compare(sample(**full(), **began), sample(**full(), **began, sources=other))
        assert "not_judged.no_time" in reasons(facts)
        assert "rates over time" not in facts.coverage.compared


def test_what_neither_or_only_one_side_holds():
    rows = full()
    del rows["phy"]
    gap = reasons(compared(rows, full()))["not_judged.lacking"]
    assert (gap.what, gap.reason.params["sides"]) == ("bit error ratios", "the baseline")
    del rows["modules"]
    gaps = [item.what for item in compared(full(), rows).coverage.not_judged]
    assert gaps == ["bit error ratios", "cables and modules"]


def test_phy_counters_are_bit_error_data_too():
    rows = full(counters_phy=[{"node_guid": guid(1), "port_num": 1, "basis": "cumulative"}])
    del rows["phy"]
    assert compared(rows, rows).coverage.not_judged == ()


def test_files_of_another_run_are_named():
    old = tuple(source(f"old-{at}.net_dump", stale=True) for at in range(7))
    gap = reasons(compared(full(), full(sources=(source(), *old))))["not_judged.stale"]
    assert (gap.count, len(gap.examples), gap.reason.params["side"]) == (7, 5, "current sample")


def test_every_gap_says_what_to_do():
    rows = two_level(sources=(source(whole=False), source("old", stale=True)))
    facts = compare(sample(**rows, began=None), sample(**rows, began=None))
    assert len(facts.coverage.not_judged) >= 7
    assert all(item.help and item.reason.text for item in facts.coverage.not_judged)
    for item in facts.coverage.not_judged:
        assert "--pc" not in item.help
        assert "clear" not in item.help


def test_states_that_only_one_side_tells_were_not_compared():
    rows = full(ports=[port(1, 1, fec="RS")])
    assert "FEC" in compared(rows, rows).coverage.compared
    assert "FEC" not in compared(rows, full()).coverage.compared


def cures(facts):
    """Return what is to be done so that more can be judged, in order."""
    return [item.help for item in facts.coverage.not_judged]


CUT = (source("a.db_csv", whole=False),)
ALSO_CUT = (source("b.db_csv", whole=False),)


@pytest.mark.parametrize("lacking", [(), ("counters_pma",), ("phy", "modules"), ("counters_pma", "phy")])
@pytest.mark.parametrize("cut", [(0,), (1,), (0, 1)])
def test_whatever_a_cut_side_lacks_its_output_is_to_be_copied_again(cut, lacking):
    sides = [full(), full()]
    for at in cut:
        sides[at] = {name: rows for name, rows in sides[at].items() if name not in lacking}
        sides[at]["sources"] = (CUT, ALSO_CUT)[at]
    advice = " ".join(cures(compared(*sides)))
    for at, side in enumerate(("of the baseline", "of the current sample")):
        assert (side in advice) == (at in cut)
    assert "run ibdiagnet" not in advice


def test_what_a_whole_side_lacks_is_to_be_collected_though_the_other_is_cut():
    rows = full(sources=CUT)
    del rows["counters_pma"]
    now = full()
    del now["counters_pma"]
    advice = cures(compared(rows, now))
    assert any("of the baseline again" in text for text in advice)
    assert any("without --skip pm" in text for text in advice)


@pytest.mark.parametrize(("side", "word"), [(0, "baseline"), (1, "current sample")])
def test_a_side_that_tells_nothing_is_no_other_fabric_and_lacks_no_options(side, word):
    rows = [full(), full()]
    rows[side] = {}
    facts = compared(*rows)
    assert facts.pair.empty == (word,)
    assert reasons(facts)["not_judged.empty"].reason.params["side"] == word
    assert not {"not_judged.no_counters", "not_judged.lacking"} & set(reasons(facts))
    assert facts.coverage.compared == ()


@pytest.mark.parametrize("group", ["counters_detail", "counters_phy", "counters_pma"])
def test_counters_of_any_kind_are_something(group):
    row = {"node_guid": guid(1), "port_num": 1, "basis": "cumulative"}
    assert compared(full(), {group: [row]}).pair.empty == ()


def silenced(*numbers, up):
    """Return the fabric without some nodes, whose neighbours keep their ports up, or not."""
    rows = full()
    now = {name: without(table, *numbers) for name, table in rows.items()}
    state = "active" if up else "down"
    now["ports"] = [
        row | ({} if is_in(row, now["links"]) else {"state": state})
        for row in without(rows["ports"], *numbers)
    ]
    return compared(rows, now)


def is_in(port_row, links):
    """Whether a port is an end of one of the links."""
    ends = {(row[f"node_guid_{end}"], row[f"port_num_{end}"]) for row in links for end in "ab"}
    return (port_row["node_guid"], port_row["port_num"]) in ends


@pytest.mark.parametrize("gone", [(11,), (3,), (11, 3)])
def test_a_node_that_is_silent_while_its_link_is_up_is_a_gap(gone):
    gap = reasons(silenced(*gone, up=True))["not_judged.silent"]
    assert gap.count == len(gone) == len(gap.examples)
    assert "collect again" in gap.help


@pytest.mark.parametrize("gone", [(11,), (3,), (11, 3)])
def test_a_node_whose_link_is_down_is_gone_and_no_gap(gone):
    assert "not_judged.silent" not in reasons(silenced(*gone, up=False))


def test_a_side_that_is_cut_until_nothing_is_left_is_to_be_copied_again():
    advice = cures(compared(full(), {"sources": CUT}))
    assert set(advice) == {"copy the output of the current sample again, as a whole"}
