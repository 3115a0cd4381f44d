"""Tables as CSV: the dialect, and that nothing in them runs."""

from __future__ import annotations

import csv
import io

import pyarrow as pa
import pytest
import report_cases as cases

from ibforensic.report import sheets
from ibforensic.report.csv import render_csv
from ibforensic.report.sheets import Sheet
from ibforensic.report.tables import write_ports


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_texts_have_quotes_numbers_have_none_and_the_unknown_is_empty():
    sheet = Sheet("x", ("a", "b"), [('say "x", y', 1.5e-9), (None, -3), ("", True)])
    assert render_csv(sheet) == '"a","b"\n"say ""x"", y",1.5e-09\n,-3\n"",true\n'


def test_it_is_the_dialect_of_the_table_of_ports(tmp_path):
    data = {"node": ["=x", 'a"b', None], "rank": [1, None, 3]}
    write_ports(pa.table(data), tmp_path / "ports.csv")
    made = render_csv(Sheet("x", tuple(data), zip(*data.values(), strict=True)))
    assert (tmp_path / "ports.csv").read_text("utf-8") == made


def test_suspects_and_changes_hold_what_the_document_says():
    doc = cases.with_victims()
    first = rows(render_csv(sheets.suspects(doc)))[0]
    assert (first["rank"], first["node"], first["port"], first["victims"]) == ("1", "leaf-01", "12", "14")
    assert first["other_node"] == "gpu-001 mlx5_0"
    assert first["do_first"].startswith("Reseat")
    changes = rows(render_csv(sheets.changes(doc)))
    assert len(changes) == sum(len(group["examples"]) for group in doc["changes"])
    assert {row["kind"] for row in changes} == {
        "counters_cleared",
        "node_rebooted",
        "node_renamed",
        "link_gone",
    }


def test_what_a_large_group_leaves_out_is_counted():
    first = rows(render_csv(sheets.changes(cases.crowd())))[0]
    assert int(first["in_group"]) == int(first["not_listed"]) + 20


@pytest.mark.parametrize(
    "name", [*cases.HOSTILE, "=1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "＝1", "a\n=1"]
)
def test_no_cell_runs_and_no_name_makes_a_row(name):
    doc = cases.hostile(name)
    for sheet in (sheets.suspects(doc), sheets.changes(doc)):
        table = rows(render_csv(sheet))
        assert len(table) in (3, 20)
        for row in table:
            assert None not in row
            assert not [
                cell for cell in row.values() if cell.startswith(("=", "+", "@", "\t", "\r", "\n", "＝"))
            ]
            assert not [cell for cell in row.values() if cell.startswith("-") and not cell[1:].isdigit()]
