"""The workbook, opened as what it is: a ZIP archive of XML."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
import zipfile

import pyarrow as pa
import pytest
import report_cases as cases

from ibforensic.report.tables import ports_sheet
from ibforensic.report.workbook import EXACT, render_workbook

NS = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
NASTY = (
    *cases.HOSTILE,
    *("=1+1", "+1", "-1", "@sum(a)", "\t=1", '=HYPERLINK("http://x","y")', "http://example.com/"),
    *("<r><t>x</t></r>", "_x0041_", "＝1", "{=1}", ""),
)


def parts(data: bytes) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(data))
    return {name: archive.read(name) for name in archive.namelist()}


def names(data: bytes) -> list[str]:
    book = ET.fromstring(parts(data)["xl/workbook.xml"])
    return [sheet.get("name", "") for sheet in book.iterfind("m:sheets/m:sheet", NS)]


def page(data: bytes, name: str) -> ET.Element:
    return ET.fromstring(parts(data)[f"xl/worksheets/sheet{names(data).index(name) + 1}.xml"])


def rows(data: bytes, name: str) -> list[dict[str, str | float]]:
    """The rows of a sheet by their headings, empty cells left out."""
    table = [
        {re.sub(r"\d", "", cell.get("r", "")): _value(cell) for cell in row}
        for row in page(data, name).iterfind("m:sheetData/m:row", NS)
    ]
    head = table[0]
    return [{str(head[column]): value for column, value in row.items()} for row in table[1:]]


def _value(cell: ET.Element) -> str | float:
    if cell.get("t") == "inlineStr":
        return "".join(text.text or "" for text in cell.iter(f"{{{NS['m']}}}t"))
    return float(cell.findtext("m:v", "", NS))


def test_every_section_has_a_sheet():
    made = names(render_workbook(cases.with_policy()))
    assert made[:7] == ["Summary", "Suspects", "Evidence", "Next steps", "Victims", "Weak signs", "Changes"]
    assert {"Not judged", "Coverage", "Ignored", "Fitness", "Provenance", "Files", "Notes"} <= set(made)
    assert "Ports" not in made


def test_rows_hold_what_the_document_says():
    data = render_workbook(cases.with_victims())
    first = rows(data, "Suspects")[0]
    assert (first["rank"], first["node"], first["port"], first["other_node"]) == (
        1,
        "leaf-01",
        12,
        "gpu-001 mlx5_0",
    )
    assert first["node_guid"] == "0x0000000000001001"
    assert first["confidence_link"] == pytest.approx(0.95)
    assert len(rows(data, "Victims")) == 14
    evidence = rows(data, "Evidence")
    assert evidence[0]["after"] == pytest.approx(3.4e-9)
    assert "before" not in evidence[2], "what was not collected stays empty"
    assert rows(data, "Summary")[0]["text"].startswith("The transceiver in leaf-01 port 12")


def test_a_check_has_its_inventory(checked):
    data = render_workbook(checked)
    assert "Inventory" in names(data)
    assert {row["column"] for row in rows(data, "Inventory rows")} >= {"Model", "Firmware"}


@pytest.fixture
def checked():
    from ibforensic.model.inventory import Grade, Inventory

    stock = Inventory(
        "devices", "Devices", ("Model", "Firmware"), (("CX-7", "28.1"), ("=x", None)), 2, level=Grade.NOTICE
    )
    return cases.case(
        kind="check", baseline=None, gap_s=None, suspects=(cases.suspect(),), inventory=(stock,)
    )


def test_ports_are_a_sheet_where_they_are_at_hand():
    table = pa.table(
        {
            "rank": [1, 2],
            "node": ["=cmd|x", "leaf-02"],
            "symbol_error_counter_delta": pa.array([2**63, None], pa.uint64()),
            "symbol_error_counter_per_hour": [1.5, None],
            "link_downed_counter_delta": [0, 0],
        }
    )
    data = render_workbook(cases.nobody(), ports_sheet(table))
    assert rows(data, "Ports") == [
        {"rank": 1, "node": "=cmd|x", "symbol_error_counter_delta": str(2**63)},
        {"rank": 2, "node": "leaf-02"},
    ]
    assert EXACT < 2**63


def test_the_first_row_stays_in_sight_and_filters():
    sheet = page(render_workbook(cases.with_victims()), "Evidence")
    assert sheet.find("m:sheetViews/m:sheetView/m:pane", NS).get("state") == "frozen"
    assert sheet.find("m:autoFilter", NS).get("ref", "").startswith("A1:")
    assert len(sheet.findall("m:cols/m:col", NS)) > 5


def test_the_same_document_gives_the_same_bytes():
    assert render_workbook(cases.with_victims()) == render_workbook(cases.with_victims())
    assert b"2024-05-08T11:03" in parts(render_workbook(cases.with_victims()))["docProps/core.xml"]


@pytest.mark.parametrize("make", cases.ALL)
def test_everything_can_be_written(make):
    for name, data in parts(render_workbook(make())).items():
        assert ET.fromstring(data) is not None, name


@pytest.mark.parametrize("name", NASTY, ids=range(len(NASTY)))
def test_names_stay_text(name):
    data = render_workbook(cases.hostile(name))
    made = parts(data)
    assert not [part for part in made if "external" in part.lower() or "vba" in part.lower()]
    for part, content in made.items():
        root = ET.fromstring(content)
        assert not [tag for tag in root.iter() if tag.tag.endswith(("}f", "}hyperlink"))], part
        if part.startswith("xl/worksheets/_rels"):
            pytest.fail("a sheet refers to something outside")
    told = rows(data, "Files")[0].get("path", "")
    if name.isprintable() and len(name) < 99:
        assert str(told).strip() == name.replace("_x0041_", "_x005F_x0041_")
