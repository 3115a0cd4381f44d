"""Sections, headers and the forms of cells are those of a real run, cell by cell.

The real run was not asked about the physical layer: the headers of those sections are compared elsewhere.
"""

from __future__ import annotations

import re

import pytest
from conftest import real_file

from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident
from ibforensic.simulate.write_db_csv import PHY_SECTIONS

CELL = re.compile(r'("[^"]*"|[^,"]*)(?:,|$)')
FORMS = (
    (r"\d+", "decimal"),
    (r"-\d+", "negative"),
    (r"\d+\.\d+", "fraction"),
    (r"N/A|NA|ERR", "no value"),
    (r"[A-Za-z]\S*", "word"),
)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    directory = tmp_path_factory.mktemp("forms")
    faults = [
        Fault(FaultKind.BAD_MODULE, severity="high"),
        Fault(FaultKind.DEAD_HOST),
        Fault(FaultKind.DEAD_LINK),
    ]
    write_incident(directory, seed=11, faults=faults, unused_ports=None, phy=True)
    return (directory / "current" / "ibdiagnet2.db_csv").read_text()


@pytest.fixture(scope="module")
def real():
    return (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.db_csv").read_text()


def _names(text):
    return re.findall(r"^START_(\w+)$", text, re.MULTILINE)


def _section(text, name):
    header, *rows = text.partition(f"\nSTART_{name}\n")[2].partition(f"\nEND_{name}\n")[0].split("\n")
    return header, rows


def _form(cell):
    if cell.startswith('"'):
        return f'"{_form(cell[1:-1])}"' if re.fullmatch(r'"[\w./-]+"', cell) else "quoted text"
    if re.fullmatch(r"0x[0-9a-f]+", cell):
        return f"{len(cell) - 2} hexadecimal digits"
    return next((name for pattern, name in FORMS if re.fullmatch(pattern, cell)), f"other: {cell}")


def _forms(rows):
    """Return the forms of the cells of each column."""
    by_row = [[_form(cell) for cell in CELL.findall(row)[:-1]] for row in rows]
    return [set(column) for column in zip(*by_row, strict=True)]


def test_sections_stand_in_the_order_of_the_real_run(ours, real):
    asked = {name for name, *_ in PHY_SECTIONS}
    mine = [name for name in _names(ours) if name not in asked]
    assert mine == [name for name in _names(real) if name in mine]
    assert {"PORTS", "LINKS", "PM_INFO", "PM_DELTA", "INDEX_TABLE"} <= set(mine)


def test_headers_and_cells_have_the_form_of_the_real_run(ours, real):
    asked = {name for name, *_ in PHY_SECTIONS}
    for name in (name for name in _names(ours) if name not in asked and name != "INDEX_TABLE"):
        (header, rows), (real_header, real_rows) = _section(ours, name), _section(real, name)
        assert header == real_header, name
        mine, theirs = _forms(rows), _forms(real_rows)
        assert len(mine) == len(theirs) == header.count(",") + 1, name
        for column, here, there in zip(header.split(","), mine, theirs, strict=True):
            assert here <= there, (name, column)


def test_another_form_would_be_noticed():
    assert _forms(['0x02,"N/A",-1,3.5,7']) != _forms(['0x002,"N/A",-1,3.5,7'])
    assert _forms(["12"]) != _forms(["0x0c"])
    assert [len(forms) for forms in _forms(["1,N/A", "2,3"])] == [1, 2]
