"""What a run leaves: everything as JSON, the tables for the document, the list of what went wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.evaluate.outcome import Outcome, as_json, from_json
from bench.evaluate.tables import Sheet
from ibforensic import __version__

BEGIN, END = "<!-- begin: made by make evaluate -->", "<!-- end: made by make evaluate -->"
_NEW = f"# Accuracy\n\n{BEGIN}\n{END}\n"
About = Mapping[str, Any]
"""What was run: set, counts."""


def write_json(path: Path, outcomes: Sequence[Outcome], about: About) -> None:
    """Write everything that came of a run."""
    told = {"version": __version__, **about, "cases": [as_json(outcome) for outcome in outcomes]}
    path.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


def read_json(path: Path) -> tuple[list[Outcome], dict[str, Any]]:
    """Read back what ``write_json`` wrote: the outcomes, and what was run."""
    told = json.loads(path.read_text(encoding="utf-8"))
    outcomes = [from_json(case) for case in told.pop("cases")]
    return outcomes, told


def write_markdown(path: Path, sheets: Sequence[Sheet], outcomes: Sequence[Outcome], about: About) -> None:
    """Write the tables between the two marks of a document; a document without them gets them at its end."""
    text = path.read_text(encoding="utf-8") if path.exists() else _NEW
    if BEGIN not in text:
        text = f"{text.rstrip()}\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    body = "\n".join(["", _said(outcomes, about), *(sheet.markdown() for sheet in sheets)])
    path.write_text(f"{before}{BEGIN}\n{body}\n{END}{after}", encoding="utf-8", newline="\n")


def _said(outcomes: Sequence[Outcome], about: About) -> str:
    """Say what was run."""
    again = sum(bool(outcome.way) for outcome in outcomes)
    outcomes = [outcome for outcome in outcomes if not outcome.way]
    single = sum(outcome.single for outcome in outcomes)
    healthy = sum(not outcome.found for outcome in outcomes)
    several = len(outcomes) - single - healthy
    kinds = len({outcome.group for outcome in outcomes if outcome.single})
    return (
        f"ibforensic {about['version']}, set `{about['set']}` (seeds from {about['first_seed']}): "
        f"{single} cases with one fault of {kinds} kinds, {several} with several, {healthy} healthy pairs; "
        f"{again} more cases tell the same incidents in several ways; "
        f"all of them simulated.\n"
    )


def failures(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield what went wrong, a few lines for each case: what was there, what was named instead.

    A case goes wrong where a fault of one, or of several, is not at its place in the ranking, where its end
    or component is wrong, or where somebody is accused who is not to blame.
    """
    for outcome in outcomes:
        troubles = [f"broke: {outcome.error}"] if outcome.error else [*_missed(outcome)]
        troubles += [
            f"accused wrongly ({one.link:.2f}): {one.says}" for one in outcome.named if one.right is False
        ]
        if troubles:
            way = f", told again: {outcome.way}" if outcome.way else ""
            what = f"{outcome.group} {outcome.severity} seed {outcome.seed}"
            yield f"{what}: {outcome.fabric}, confounders {outcome.mix}, missing {outcome.missing}{way}"
            yield from (f"    {trouble}" for trouble in troubles)
            yield f"    {outcome.command}"


def _missed(outcome: Outcome) -> Iterator[str]:
    """Yield what was not found, or not found rightly."""
    allowed = 1 if outcome.single else 2 * len(outcome.found)
    for found in outcome.found:
        if found.rank is None or found.rank > allowed:
            place = "nowhere" if found.rank is None else f"at place {found.rank}"
            yield f"{found.kind} {place}: {found.where}"
        if found.end_right is False:
            yield f"{found.kind}, wrong end: {found.where}"
        if found.component_right is False:
            yield f"{found.kind}, wrong component: {found.where}"
    if outcome.blamed:
        yield "a victim is blamed"
