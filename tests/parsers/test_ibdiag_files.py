"""Files of ibdiagnet that nobody understands: their run counts, their lines are kept or left."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibforensic.parsers import claimant, ibdiag_kept, ibdiag_text
from ibforensic.parsers.pm import SPEC as PM

FIXTURES = Path(__file__).parents[1] / "fixtures"
KEPT = (FIXTURES / "ibdiag_kept/small.aports").read_bytes()
NEW = (FIXTURES / "ibdiag_text/small.brand_new").read_bytes()


def test_a_known_name_is_kept_line_by_line():
    parsed = ibdiag_kept.parse("d/ibdiagnet2.fdbs", KEPT)
    assert parsed.raw["FDBS"].to_pylist() == [
        {"line": "7", "text": "first of a shape nobody has seen"},
        {"line": "8", "text": "second, of another"},
    ]
    assert [note.code for note in parsed.notes] == ["ibdiag_kept.kept"]
    assert "routing" in parsed.notes[0].message
    assert parsed.whole


def test_aggregated_ports_are_a_sign_of_planes():
    (note,) = ibdiag_kept.parse("d/ibdiagnet2.aports", KEPT).notes
    assert (note.code, note.path) == ("ibdiag_kept.multi_plane", "d/ibdiagnet2.aports")
    assert "multi-plane fabric" in note.message


def test_a_cut_file_keeps_its_whole_lines():
    parsed = ibdiag_kept.parse("f.ar", KEPT[: KEPT.index(b"of another")])
    assert parsed.raw["AR"]["text"].to_pylist() == ["first of a shape nobody has seen"]
    assert not parsed.whole


def test_a_new_file_tells_its_run_and_nothing_else():
    parsed = ibdiag_text.parse("d/f", NEW)
    (run,) = parsed.tables["runs"].to_pylist()
    assert (run["tool_version"], f"{run['began_at']:%H:%M:%S}", parsed.raw) == ("2.12.0", "07:08:09", {})
    assert [note.code for note in parsed.notes] == ["ibdiag_text.not_understood"]


@pytest.mark.parametrize(
    ("name", "data", "parser"),
    [
        ("ibdiagnet2.brand_new", NEW, "ibdiag_text"),
        ("ibdiagnet2.aports", KEPT, "ibdiag_kept"),
        ("ibdiagnet2.aports", b"no head\n", None),
        ("ibdiagnet2.brand_new", NEW + b"\0", None),
        ("x.txt", b"first line\n" + NEW, None),
    ],
)
def test_who_claims_what(name, data, parser):
    found = claimant(name, data)
    assert (found.spec.name if found else None) == parser


def test_counters_of_aggregated_ports_are_not_taken_for_those_of_ports():
    data = KEPT + b"\nlink_down_counter=0x00000001\n"
    assert PM.claims("ibdiagnet2.pm_agg", data)
    assert claimant("ibdiagnet2.pm_agg", data).spec.name == "ibdiag_kept"
