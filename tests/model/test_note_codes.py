"""Every code of a note or finding that the source makes is explained, and none that it does not make."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest
from note_code_scan import kinds

import ibforensic
from ibforensic.capture.limits import REASONS
from ibforensic.model.note_codes import FINDINGS, KINDS, meaning_of

ROOT = Path(ibforensic.__file__).parent
MADE = {
    (f"{path.relative_to(ROOT)}:{line}", kind)
    for path in ROOT.rglob("*.py")
    for line, kind in kinds(path.read_text("utf-8"))
    if kind != "*"
}
KNOWN = {**KINDS, **FINDINGS}


def test_every_code_is_explained():
    unexplained = sorted(
        f"{place}: {kind}"
        for place, kind in MADE
        if not any(fnmatch(kind, name) or fnmatch(name, kind) for name in KNOWN)
    )
    assert not unexplained, "add a sentence to ibforensic/model/note_codes.py"


def test_every_reason_for_leaving_out_a_file_is_explained():
    assert set(REASONS) <= set(KINDS)


def test_nothing_is_explained_that_is_never_said():
    made = {kind for _, kind in MADE} | set(REASONS)
    assert not [name for name in KNOWN if not any(fnmatch(name, kind) for kind in made)]


def test_a_kind_means_one_thing():
    assert not set(KINDS) & set(FINDINGS)


def test_the_scan_sees_literals_f_strings_and_gathered_kinds():
    source = 'Note("a.b", x)\nFitness(f"c_{d}", y)\ntroubles.add("e", 1)\nother.add("f")\nseen.add("g", 1)\n'
    assert [kind for _, kind in kinds(source)] == ["b", "c_*", "e"]


@pytest.mark.parametrize(
    "code", ["db_csv.file_cut", "file_cut", "no_phy", "count_differs_nodes", "ibstat.tool_failed"]
)
def test_a_code_is_found_with_and_without_its_parser(code):
    assert meaning_of(code).endswith(".")
    assert meaning_of("nonsense") == ""
