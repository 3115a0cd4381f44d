from __future__ import annotations

import pytest
import report_cases as cases
from page import Page

from ibforensic.model.enums import Component
from ibforensic.report.charts.around import around_chart
from ibforensic.report.drawing import draw_link
from ibforensic.report.html import render_html
from ibforensic.report.json import render_json
from ibforensic.report.ports import blame_short, boxed_name, sureness, touch
from ibforensic.report.rack import rack
from ibforensic.report.terminal import render_terminal
from ibforensic.report.text import cut
from ibforensic.report.ticket import ticket


def drawn(**extra) -> Page:
    return Page(str(draw_link(cases.case(suspects=(cases.suspect(**extra),))["suspects"][0])))


def classes(page: Page) -> list[str]:
    return [attrs["class"] for _, attrs in page.tags if attrs.get("class")]


def test_the_drawing_shows_both_ends_the_way_of_the_errors_and_the_suspected_end():
    page = drawn()
    assert "leaf-01" in page.text
    assert "gpu-001 mlx5_0" in page.text
    assert "errors run from gpu-001 mlx5_0 port 1 to leaf-01 port 12" in page.text
    assert "suspected: the transceiver" in page.text
    assert classes(page).count("plug bad") == 1


@pytest.mark.parametrize(
    ("component", "marked"),
    [(Component.CABLE, "cable bad"), (Component.SWITCH, "box bad"), (Component.CONNECTOR, "plug bad")],
)
def test_the_suspected_part_is_marked(component, marked):
    assert marked in classes(drawn(component=component))


def test_without_direction_there_is_no_arrow_and_without_end_no_marked_end():
    page = drawn(direction=None, end=None, component=Component.CABLE)
    assert "arrow" not in classes(page)
    assert "plug bad" not in classes(page)
    assert "end not known" in page.text


def test_the_arrow_points_at_the_receiver():
    near, far = cases.leaf(1, 12), cases.hca(1)
    towards_left, towards_right = (
        next(attrs["d"] for _, attrs in drawn(direction=way).tags if attrs.get("class") == "arrow")
        for way in ((far, near), (near, far))
    )
    start, end = (int(part.split()[0]) for part in towards_left[1:].replace("M", "H").split("H")[:2])
    assert start > end
    start, end = (int(part.split()[0]) for part in towards_right[1:].replace("M", "H").split("H")[:2])
    assert start < end


def test_a_device_has_no_link_to_draw():
    doc = cases.case(
        suspects=(cases.suspect(link=None, end=None, direction=None, node_guid=cases.guid(0x1007)),)
    )
    assert draw_link(doc["suspects"][0]) is None
    assert "whole of leaf-07" in touch(doc["suspects"][0])


def test_a_batch_of_parts_has_no_place_and_is_named_all_the_same():
    doc = cases.batch()
    blamed = doc["suspects"][0]
    assert draw_link(blamed) is None
    assert touch(blamed) == ""
    assert sureness(blamed) == [("this batch", 0.95)]
    assert (
        blame_short(blamed) == "A batch seems bad: 5 of the 6 ports with modules ACME OPT-400 firmware 46.9.1"
    )


def everywhere(doc) -> dict[str, str]:
    """The document as each renderer writes it."""
    page = Page(render_html(doc, generated_at=None))
    return {
        "html": page.text,
        "terminal": " ".join(render_terminal(doc, width=100, colour=False).split()),
        "ticket": ticket(doc["suspects"][0], doc),
        "json": render_json(doc),
    }


@pytest.mark.parametrize("renderer", ["html", "terminal", "ticket", "json"])
def test_a_batch_is_written_without_silly_words(renderer):
    text = everywhere(cases.batch())[renderer]
    assert "5 of the 6 ports with modules ACME OPT-400 firmware 46.9.1" in text
    assert "Compare with the others" in text
    for silly in ("this device", "the whole device", "None", "other end None", "end not known"):
        assert silly not in text


def test_a_sentence_is_not_said_twice_over():
    ticketed = everywhere(cases.batch())["ticket"]
    assert ticketed.count("a batch seems bad") + ticketed.count("A batch seems bad") == 1
    lines = render_terminal(cases.batch(), width=200, colour=False).splitlines()
    assert "batch seems bad" in lines[0]
    assert not any("batch seems bad" in line for line in lines[1:])


def test_the_technician_is_told_when_the_ends_cannot_be_told_apart():
    doc = cases.case(suspects=(cases.suspect(end=None),))
    assert touch(doc["suspects"][0]).startswith(
        "The ends cannot be told apart: start at leaf-01, port labelled 1/12/1"
    )


def test_the_place_of_an_hca_on_the_pci_bus_is_not_called_a_label():
    """Nothing of it is printed on the card: only lspci shows it."""
    doc = cases.case(suspects=(cases.suspect(end=None),))
    for end in doc["suspects"][0]["link"].values():
        end["label"] = "B193D0F0/0/0/1"
    told = everywhere(doc)
    assert "PCI c1:00.0" in touch(doc["suspects"][0])
    assert "PCI c1:00.0" in told["terminal"]
    shown = (told["terminal"], told["ticket"], Page(told["html"]).text)
    assert not any("label B193" in text or "labelled" in text for text in shown)
    assert {end["label"] for end in rack(doc["suspects"][0])} == {"PCI c1:00.0"}


def test_a_ticket_holds_what_a_ticket_needs():
    doc = cases.with_victims()
    text = ticket(doc["suspects"][0], doc)
    assert text.startswith("### The transceiver in leaf-01 port 12 (label 1/12/1) is likely to blame")
    for words in (
        "**Do first:** Reseat",
        "7 d 3 h apart",
        "| 3.4e-9 BER |",
        "| errors per bit 3.9e-13 | 3.1e15 bits |",
        "critical",
        "14 ports received",
    ):
        assert words in text
    assert "and 6 more" in text


@pytest.mark.parametrize("name", cases.HOSTILE)
def test_names_form_no_markup_in_a_ticket(name):
    doc = cases.hostile(name[:200])
    text = ticket(doc["suspects"][0], doc)
    plain = (
        text.replace("\\\\", "").replace("\\|", "").replace("\\<", "").replace("\\[", "").replace("\\`", "")
    )
    assert "<" not in plain
    assert "[" not in plain
    assert "`" not in plain
    rows = [line for line in plain.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {9}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("gpu-001 mlx5_0", "gpu-001 mlx5_0"),
        ("is-north-7-compute-27 mlx5_11", "is-no…e-27 mlx5_11"),
        ("Quantum-2 Mellanox Technologies [0xb0cf0e0300e5b940]", "Quantum-2…300e5b940]"),
        ("a-leaf-of-one-very-long-word-12", "a-leaf-of…g-word-12"),
    ],
)
def test_a_narrow_box_keeps_the_number_of_the_host(name, shown):
    assert boxed_name({"node": name, "node_guid": "0x1"}, len("is-no…e-27 mlx5_11")) == cut(shown, 18)


def test_the_drawing_of_a_host_says_the_host_and_which_hca_is_drawn():
    doc = cases.with_victims()
    suspect = doc["suspects"][0]
    around = {"node_guid": cases.hca(1).node_guid, "node": "gpu-001 mlx5_0", "role": "hca"}
    beside = {"role": "leaf", "nodes": 1, "suffer": [], "suffering": 0}
    suspect |= {
        "link": None,
        "end": None,
        "direction": None,
        "component": "host",
        "device": {"node_guid": cases.hca(1).node_guid, "node": "gpu-001 mlx5_0", "host": "gpu-001"},
        "around": [{**around, "neighbours": [beside]}],
    }
    (box,) = around_chart(suspect).ends
    assert (box.role, box.name, box.port) == ("host", "gpu-001", "drawn: its mlx5_0")
