"""The page about what goes wrong names tests that exist, and every test beside this file."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "trust.md").read_text("utf-8")
NAMED = set(re.findall(r"`(test_\w+)`", PAGE))


def names_in(folder):
    """Return the names of the tests below a folder."""
    return {
        name
        for path in folder.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE)
    }


def test_every_named_test_exists():
    assert sorted(NAMED - names_in(TESTS)) == []
    assert len(NAMED) > 40


def test_every_test_of_trust_is_named():
    own = set(re.findall(r"^def (test_\w+)\(", Path(__file__).read_text("utf-8"), re.MULTILINE))
    assert sorted(names_in(Path(__file__).parent) - own - NAMED) == []


def test_each_row_has_a_case_an_outcome_and_a_test():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| case")]
    assert len(rows) > 30
    for row in rows:
        _, case, outcome, test, _ = (cell.strip() for cell in row.split("|"))
        assert case
        assert outcome
        assert re.fullmatch(r"`test_\w+`(?:, `test_\w+`)*", test), row
