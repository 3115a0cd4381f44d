"""Where a port is told about first: several files may tell of it, and some rows tell of no port."""

from __future__ import annotations

import pytest
from handmade import guid, sample

from ibforensic.diff.view import View
from ibforensic.evidence.first_rows import FirstRows
from ibforensic.model.ids import PortKey


def _row(number, port_num, line):
    return {"node_guid": number and guid(number), "port_num": port_num, "line": line}


ROWS = FirstRows(
    View(
        sample(
            phy=[
                _row(2, 1, 10),
                _row(None, 1, 11),
                _row(1, None, 12),
                _row(1, 2, 13),
                _row(2, 1, 14),
                _row(1, 12, None),
            ]
        )
    ),
    "phy",
)


@pytest.mark.parametrize(
    ("port", "source"),
    [
        (PortKey(guid(2), 1), "ibdiagnet2.db_csv:10"),
        (PortKey(guid(1), 2), "ibdiagnet2.db_csv:13"),
        (PortKey(guid(1), 12), "ibdiagnet2.db_csv"),
        (PortKey(guid(1), 1), ""),
        (PortKey(guid(2), 2), ""),
        (PortKey(guid(3), 1), ""),
    ],
)
def test_the_first_row_about_a_port_is_named(port, source):
    assert ROWS.source(port) == source


def test_a_table_that_is_not_there_names_nothing():
    assert FirstRows(View(sample()), "phy").source(PortKey(guid(1), 1)) == ""
