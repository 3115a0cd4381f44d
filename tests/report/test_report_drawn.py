"""The page with its charts: what is drawn is also said, and pages of suspects stay small."""

from __future__ import annotations

import copy
import re

import pytest
import report_cases as cases
from page import Page

from ibforensic.report.html import render_html
from ibforensic.report.rack import rack


def html_of(doc) -> str:
    return render_html(doc, generated_at=None)


def drawings(page: Page, name: str):
    return [svg for svg in page.named("svg") if name in (svg.get("class") or "").split()]


def titles(html: str) -> list[str]:
    return re.findall(r"<svg[^>]*><title>([^<]+)</title>", html)


def test_the_technician_finds_label_serial_and_which_end_to_touch_first():
    near, far = rack(cases.with_victims()["suspects"][0])
    assert (near["first"], near["label"], near["port"]) == (True, "1/12/1", 12)
    assert (near["serial"], near["part"], near["replaced"]) == ("SN-spine-01", "spine-01 OPT-400", False)
    assert (far["first"], far["label"], far["replaced"]) == (False, "-", True)
    text = Page(html_of(cases.with_victims())).text
    first, second = text.index("◀ this end first 1/12/1"), text.index("other end - port number 1")
    assert first < second < text.index("Suspects", second)
    assert "◆ another one than in the baseline" in text


def test_where_the_ends_cannot_be_told_apart_neither_comes_first():
    doc = cases.case(suspects=(cases.suspect(end=None, direction=None),))
    text = Page(html_of(doc)).text
    assert "this end first" not in text
    assert text.count("either end") == 2


def test_a_device_has_no_ends_at_the_rack():
    doc = cases.case(
        suspects=(cases.suspect(link=None, end=None, direction=None, node_guid=cases.guid(0x1007)),)
    )
    assert rack(doc["suspects"][0]) == []
    assert "At the rack" not in Page(html_of(doc)).text


def test_each_chart_is_there_once_and_has_a_title():
    html = html_of(cases.case(suspects=(cases.suspect(),)))
    page = Page(html)
    for name in ("strip", "lanes", "steps", "around"):
        assert len(drawings(page, name)) == 1, name
    assert len(titles(html)) == len(page.named("svg"))
    for words in (
        "symbol_error_counter: 1,204 at this port, the highest of 1,204 HDR optical switch ports",
        "Received light by lane, dBm; lane 0: 1.0 → −4.2",
        "Growth from sample to sample: +1,200 in 6 d 22 h",
        "beside spine-01: 4 more spines, of which 1 suffer",
    ):
        assert any(words in title for title in titles(html)), words


def test_bad_is_never_said_by_colour_alone():
    html = html_of(cases.case(suspects=(cases.suspect(),)))
    assert re.search(r'class="bad-text"[^>]*>▼ −4\.2<', html)
    assert re.search(r'class="hurt-text"[^>]*>■ suffers: spine-01<', html)
    assert '<rect class="dot hurt"' in html, "a square"
    assert '<circle class="dot"' in html
    assert re.search(r'class="flag"[^>]*>▼ suspected: the transceiver<', html)


def test_the_limit_of_a_ratio_is_shown_beside_it():
    doc = cases.case(suspects=(cases.suspect(),))
    item = doc["suspects"][0]["evidence"][1]
    item["params"] = {**item["params"], "limit": 1e-13}
    html = html_of(doc)
    assert "Limit 1e-13" in Page(html).text
    assert "limit 1e-13" in html


def test_lower_ranks_say_in_words_what_the_first_show_in_charts():
    page = Page(html_of(cases.crowd()))
    assert len(drawings(page, "strip")) == 5
    assert page.text.count("the highest of 1,204 HDR optical switch ports") > 19


def test_a_place_is_not_said_twice_in_a_finding():
    doc = cases.case(suspects=(cases.suspect(),))
    doc["suspects"][0]["evidence"] = doc["suspects"][0]["evidence"][:1]
    item = doc["suspects"][0]["evidence"][0]
    item["text"] = "bit errors at leaf-01 port 12 (1/12/1)"
    finding = re.search(r'<p class="finding">(.*?)</p>', html_of(doc)).group(1)
    assert finding.count("leaf-01 port 12") == 1


def test_documents_without_close_ups_are_shown_without_charts():
    doc = copy.deepcopy(cases.with_victims())
    for suspect in doc["suspects"]:
        del suspect["parts"], suspect["around"]
        for item in suspect["evidence"]:
            del item["place"], item["lanes"], item["steps"]
    page = Page(html_of(doc))
    assert not [name for name in ("strip", "lanes", "steps", "around") if drawings(page, name)]
    assert "◀ this end first 1/12/1" in page.text


def test_changes_stand_under_what_they_are_about_and_a_single_one_is_told_at_once():
    doc = cases.case(changes=cases.changes(2000))
    doc["changes"][0] = {**doc["changes"][0], "kind": "node_renamed", "group": "hca", "count": 2000}
    doc["changes"].append({**doc["changes"][1], "kind": "port_state", "count": 1})
    page = Page(html_of(doc))
    order = [page.text.index(name) for name in ("Rates and states", "Restarts and clears", "Names")]
    assert order == sorted(order)
    assert "2,000 × node renamed hca" in page.text
    only = doc["changes"][-1]["examples"][0]["text"]
    assert f"1 × port state: {only}" in page.text


@pytest.mark.parametrize("name", cases.HOSTILE[:3])
def test_names_in_drawings_stay_text(name):
    html = html_of(cases.hostile(name))
    assert "<img" not in html
    assert "<b " not in html
    assert "suffers: " in html


def test_what_explains_without_accusing_is_told_among_the_changes():
    told = cases.evidence(cases.leaf(1, 12), told="the counters of leaf-01 were cleared in between")
    text = Page(html_of(cases.case(context=(told,)))).text
    assert "Taken into account 1 × symbol errors: The counters of leaf-01 were cleared in between" in text
    assert "changes between the two" not in text
    assert "Taken into account" not in Page(html_of(cases.nobody())).text


def test_many_explanations_of_a_kind_are_one_line():
    told = tuple(cases.evidence(cases.leaf(n, 1), told=f"leaf-{n:03d} was reset") for n in range(300))
    page = Page(html_of(cases.case(context=told)))
    assert "300 × symbol errors" in page.text
    assert "and 280 more" in page.text


def test_a_node_is_called_by_its_role_only_where_its_name_does_not_tell():
    near, far = rack(cases.with_victims()["suspects"][0])
    assert near["node"] == "leaf-01"
    assert far["node"] == "HCA gpu-001 mlx5_0"


def test_a_figure_is_not_broken_at_its_minus():
    html = html_of(cases.with_victims())
    assert '<span class="option">3.4e-9</span>' in html
    assert 'errors per bit <span class="option">3.9e-13</span>' in html


def test_evidence_without_numbers_claims_no_growth():
    html = html_of(cases.batch())
    first = html[html.index('<ol class="evidence">') :]
    assert "Growth" not in first[: first.index("</li>")]
