from __future__ import annotations

import pytest
import report_cases as cases
from page import Page

from ibforensic.model.resources import templates_dir
from ibforensic.report.html import render_html
from ibforensic.report.sections import sections

ALWAYS = ["verdict", "coverage", "provenance", "how_to_read"]


def page_of(doc):
    return Page(render_html(doc, generated_at=None))


def shown(doc):
    page = page_of(doc)
    return [attrs["id"] for attrs in page.named("section")]


def test_each_section_has_its_template_and_its_place():
    found = [section.anchor for section in sections()]
    assert found == [
        "verdict",
        "suspects",
        "ladder",
        "watch",
        "ignored",
        "changes",
        "not_judged",
        "inventory",
        "fitness",
        "coverage",
        "provenance",
        "how_to_read",
    ]
    files = {path.name.split(".")[0] for path in (templates_dir() / "sections").iterdir()}
    assert files == set(found)


@pytest.mark.parametrize(
    ("make", "extra"),
    [
        (cases.with_victims, ["suspects", "changes", "not_judged", "fitness"]),
        (cases.nobody, ["not_judged", "fitness"]),
        (cases.bare, []),
        (cases.check, ["suspects", "not_judged", "fitness"]),
    ],
)
def test_a_section_stands_there_only_when_it_has_something_to_say(make, extra):
    assert set(shown(make())) == {*ALWAYS, *extra}


def test_the_first_screen_names_port_confidence_action_and_times():
    page = page_of(cases.with_victims())
    text = page.text
    assert "The transceiver in leaf-01 port 12 (label 1/12/1) is likely to blame" in text
    assert "Reseat the transceiver in cage 1/12" in text
    assert "Start at leaf-01, port labelled 1/12/1 (port number 12)." in text
    assert "2024-05-01 08:03 UTC, for 12 min" in text
    assert "7 d 3 h apart" in text
    assert "640 of 652 ports (98 %)" in text
    assert "critical" in text


def test_nobody_and_cannot_judge_are_said_plainly():
    text = page_of(cases.nobody()).text
    assert text.count("did not get worse; look at the hosts (640 of 652 ports judged)") == 1
    assert "What would tell more next time Add --get_cable_info" in text
    page = page_of(cases.cannot_judge())
    assert "Cannot judge: the two snapshots have no node in common (0 of 84 ports judged)" in page.text
    assert "Do this now: collect again, then compare again Add --get_cable_info" in page.text
    assert len(page.named("ol")) == 1


def test_evidence_shows_values_exposure_class_and_source():
    text = page_of(cases.with_victims()).text
    for words in (
        "1.2e-15 → 3.4e-9 BER",
        "0 → 1,204 errors",
        "3.1e15 bits",
        "at least",
        "exact",
        "- → -9.1 dBm",
    ):
        assert words in text
    assert "now/ibdiagnet2.db_csv:8812" in text
    assert "- not collected · 0 collected and zero · ? not comparable" in text


def test_victims_are_counted_and_folded():
    page = page_of(cases.with_victims())
    assert "Explains trouble at 14 ports" in page.text
    assert "leaf-53 port 3" in page.text
    assert all("open" not in attrs for attrs in page.named("details"))


def test_lists_end_with_and_n_more():
    doc = cases.case(
        suspects=(cases.suspect(1, victims=100, evidence=(cases.evidence(cases.leaf(1, 12)),) * 50),)
    )
    text = page_of(doc).text
    assert "and 38 more pieces of evidence" in text
    assert "and 76 more" in text


def test_a_crowd_is_shown_in_part_and_counted():
    page = page_of(cases.crowd())
    assert len(page.named("article")) == 20
    assert "leaf-30 port 12" in page.text
    assert "suspect-30" in page.ids
    assert "3,000 changes between the two" in page.text


def test_hundreds_of_suspects_and_groups_say_what_is_left_out():
    doc = cases.case(suspects=tuple(cases.suspect(rank) for rank in range(1, 301)))
    doc["changes"] = [
        {"kind": f"k{i}", "group": "", "count": 1, "examples": [], "omitted": 1} for i in range(100)
    ]
    text = page_of(doc).text
    assert "and 180 more suspects" in text
    assert "and 40 more groups of changes" in text


def test_provenance_shows_hash_outcome_and_stale_files():
    text = page_of(cases.nobody()).text
    assert "abababababababab" in text
    assert "kept, not used, cut short, stale: from another run" in text
    assert "ibdiagnet2.db_csv:8812" in text
    assert "ibdiagnet --get_phy_info" in text


def test_a_check_speaks_of_one_snapshot_only():
    text = page_of(cases.check()).text
    assert "Fabric check of current.ibf" in text
    assert "apart" not in text.split("How to read this")[1]
    assert "In both" not in text


def test_missing_counts_are_not_shown_as_zero():
    doc = cases.nobody()
    del doc["baseline"]["tables"]["links"]
    text = page_of(doc).text
    assert "links - 128" in text


SIGN = {
    "text": "port_rcv_errors grew by 3 at leaf-09 port 4 (1/4/1)",
    "message": "unusual_growth.grew",
    "params": {},
    "where": None,
    "score": 1.25,
    "kind": "unusual_growth",
}


def test_weaker_signs_follow_the_suspects_and_blame_nobody():
    doc = {**cases.with_victims(), "watch": [SIGN] * 60}
    assert shown(doc).index("watch") == shown(doc).index("suspects") + 1
    text = page_of(doc).text
    assert "None of these is enough to blame anybody." in text
    assert text.count(SIGN["text"]) == 50
    assert "and 10 more weaker signs" in text
    assert "60 weaker signs" in text


@pytest.mark.parametrize("doc", [cases.nobody(), {**cases.nobody(), "watch": []}])
def test_without_weaker_signs_there_is_no_such_section(doc):
    doc.pop("watch", None)
    assert "watch" not in shown(doc)


def test_a_host_is_named_as_a_host():
    whole = cases.suspect(
        link=None, end=None, direction=None, node_guid=cases.hca(7).node_guid, component=cases.Component.HOST
    )
    doc = cases.case(suspects=(whole,))
    doc["suspects"][0]["device"]["host"] = "gpu-007"
    text = page_of(doc).text
    assert "Host gpu-007 is very likely to blame" in text
    assert "this host very likely" in text
    assert "whole of host gpu-007, not about one HCA or port" in text


def test_unknown_counts_are_a_dash_never_zero_nor_none():
    doc = cases.nobody()
    doc["current"]["counts"]["ports_down"] = None
    doc["coverage"]["ports"] = {"baseline": None, "current": 652, "both": None, "judged": None}
    doc["coverage"]["share"] = None
    text = page_of(doc).text
    assert "ports down 12 -" in text
    assert "ports - 652 - -" in text
    assert "Ports judged - of 652 ports" in text
    assert "None" not in text.replace("None of these", "")


def test_advice_is_about_collecting_and_said_once():
    def missing(text: str, message: str = "x"):
        return {"what": "w", "message": message, "text": "t", "help": text, "count": 1, "examples": []}

    doc = cases.cannot_judge()
    doc["coverage"]["not_judged"] = [
        missing("run ibdiagnet with --get_phy_info"),
        missing(""),
        missing("judge these ports by their other counters"),
        missing("look elsewhere", "not_judged.full"),
        missing("run ibdiagnet with --get_phy_info"),
        missing("run ibdiagnet with --get_cable_info --get_phy_info"),
        missing("empty the output directory before a run"),
    ]
    box = page_of(doc).text.split("compare again")[1].split("Baseline")[0]
    assert " ".join(box.split()) == (
        "Run ibdiagnet with --get_cable_info --get_phy_info Empty the output directory before a run"
    )


def test_where_nothing_can_be_judged_there_is_always_something_to_do():
    doc = cases.cannot_judge()
    doc["coverage"]["not_judged"] = []
    assert "collect again, then compare again Wait 125 min" in page_of(doc).text
    doc["fitness"] = []
    assert "Compare two collections of the same fabric" in page_of(doc).text


@pytest.mark.parametrize("name", ["n" * 10_000, "a b " * 2500 + "c", "節点 " * 3000])
def test_an_endless_name_is_cut_and_the_advice_around_it_is_not(name):
    advice = cases.say("act", "Reseat the cable at {name} now. Then take a second sample.", name=name)
    page = page_of(cases.case(suspects=(cases.suspect(next_action=advice),)))
    assert "Reseat the cable at " in page.text
    assert " now. Then take a second sample." in page.text.split("Do this now")[1][:400]


def test_a_long_advice_with_long_names_is_shown_whole():
    names = [f"is-north-7-compute-{number} mlx5_10 port 1 (B184D0F0/0/0/{number})" for number in range(8)]
    advice = f"Clean and reseat the connector at {'; then at '.join(names)}; then measure again."
    assert len(advice) > 400
    doc = cases.case(suspects=(cases.suspect(next_action=cases.say("act", "{it}", it=advice)),))
    assert advice in page_of(doc).text


def test_one_is_singular():
    many = cases.case(suspects=tuple(cases.suspect(rank) for rank in range(1, 122)), changes=cases.changes(1))
    many["coverage"]["ports"] = {"current": 1, "judged": 1}
    text = page_of(many).text
    assert "1 change between the two. This is a fact, not a fault." in text
    assert "and 1 more suspect " in text
    assert "1 of 1 port " in text
    one = page_of(cases.case(suspects=(cases.suspect(victims=1),))).text
    assert "Explains trouble at 1 port (a victim: leave it alone)" in one


def sources(count: int):
    return tuple(
        cases.SourceRecord(f"now/notes-{at:03d}.txt", "ef" * 32, 1, None, "unknown") for at in range(count)
    )


def test_many_files_that_nothing_reads_are_folded_away():
    few = page_of(cases.case(current=cases.side("current", cases.T1, sources=sources(20))))
    assert "20 files that are kept" not in few.text
    assert "now/notes-019.txt none claims it unknown" in few.text
    many = page_of(cases.case(current=cases.side("current", cases.T1, sources=sources(21))))
    assert "21 files that are kept, but not used" in many.text
    assert "now/notes-020.txt" in many.text


def test_a_piece_of_evidence_without_numbers_shows_no_arrow_between_dashes():
    doc = cases.case(suspects=(cases.suspect(),))
    for item in doc["suspects"][0]["evidence"]:
        item["before"] = item["after"] = None
    assert "- → -" not in page_of(doc).text


def test_nobody_says_what_was_compared_on_the_first_screen():
    doc = cases.nobody()
    doc["coverage"]["compared"] = ["nodes", "port states"]
    first = render_html(doc, generated_at=None).partition('<section id="coverage"')[0]
    assert "Compared: nodes, port states." in first


def test_options_of_a_command_line_that_is_shown_are_not_shown_again():
    doc = cases.nobody()
    doc["current"]["commands"] = ["--get_phy_info", "/usr/bin/ibdiagnet --get_phy_info", "--other"]
    doc["baseline"]["commands"] = []
    commands = page_of(doc).text.partition("Provenance")[2]
    assert commands.count("--get_phy_info") == 1
    assert "--other" in commands


def test_a_restart_tells_how_long_the_node_has_been_up():
    doc = cases.case(changes=cases.changes(6))
    (group,) = (group for group in doc["changes"] if group["kind"] == "node_rebooted")
    group["examples"][0] |= {"before": None, "after": 230_433.0}
    text = page_of(doc).text
    assert "up for 2 d 16 h" in text
    assert "230,433" not in text
