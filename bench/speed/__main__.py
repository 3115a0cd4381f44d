"""The command ``python -m bench.speed``."""

from __future__ import annotations

import argparse
import sys

from bench.speed.inputs import ROOT, SIZES
from bench.speed.measure import Measured, formats, measure, start_up, unit_lines
from bench.speed.page import budgets, page
from bench.speed.processes import output

PAGE = ROOT / "docs" / "performance.md"


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description="Measure every budget.")
    parser.add_argument("--size", choices=[size.name for size in SIZES], help="one size, without the page")
    asked = parser.parse_args()
    sizes = [size for size in SIZES if asked.size in (None, size.name)]
    for size in sizes:
        print(f"{size.name:5} inputs in {size.folder.relative_to(ROOT)}", file=sys.stderr, flush=True)
        output("bench.speed.inputs", size.name)
    measured = tuple(map(measure, sizes))
    whole = asked.size is None
    found = Measured(measured, start_up(), formats() if whole else {}, unit_lines())
    for budget in budgets(found):
        verdict = {True: "met", False: "MISSED", None: ""}[budget.met]
        print(f"{verdict:7} {budget.what:60} {budget.found}  (limit {budget.limit})")
    if whole:
        PAGE.write_text(page(found), encoding="utf-8", newline="\n")
        print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
