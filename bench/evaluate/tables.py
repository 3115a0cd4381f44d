"""The figures as tables, for the terminal and for the document."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.evaluate import metrics
from bench.evaluate.metrics import PARTS, Figure, difference, figure
from bench.evaluate.missing import WHOLE
from bench.evaluate.naive import RANKERS
from bench.evaluate.outcome import Outcome
from bench.evaluate.ways import PLAIN, WAYS, paired

BARS = {
    "top-1": "≥ 0.92",
    "top-3": "≥ 0.97",
    "MRR": "≥ 0.92",
    "end": "≥ 0.88",
    "component": "≥ 0.80",
    "victim blamed": "≤ 0.02",
    "false suspects": "≤ 0.05",
}
"""What is aimed at for faults of medium and high severity among standard confounders."""
CALIBRATION_BAR = "≤ 0.08"
NAIVE_BAR = 0.6
"""No ranker without thought may have the fault first more often: else the cases are too easy."""
_SHORT = (
    "top-1",
    "named first",
    "top-3",
    "top-10",
    "MRR",
    "end",
    "component",
    "victim blamed",
    "further suspects",
)

Key = Callable[[Outcome], str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table.

    Attributes:
        title: What it is about.
        header: Titles of the columns.
        rows: Texts; the first column is on the left, the others on the right.
        note: What else is to be said, below.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def text(self) -> str:
        """Print it for a terminal."""
        lines = [self.header, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.header))]
        printed = [
            "  ".join([line[0].ljust(widths[0]), *(cell.rjust(wide) for cell, wide in _rest(line, widths))])
            for line in lines
        ]
        below = [self.note] if self.note else []
        return "\n".join([self.title, "-" * len(self.title), *map(str.rstrip, printed), *below]) + "\n"

    def markdown(self) -> str:
        """Print it for a document."""
        rule = ("---", *["--:"] * (len(self.header) - 1))
        lines = [f"| {' | '.join(line)} |" for line in (self.header, rule, *self.rows)]
        below = ["", self.note] if self.note else []
        return "\n".join([f"## {self.title}", "", *lines, *below]) + "\n"


def _rest(line: Sequence[str], widths: Sequence[int]) -> Iterator[tuple[str, int]]:
    return zip(line[1:], widths[1:], strict=True)


def sheets(outcomes: Sequence[Outcome]) -> list[Sheet]:
    """Make all tables of a run.

    Args:
        outcomes: What came of the cases.

    Returns:
        The tables, but for the one of times, which differ from run to run.
    """
    ways = [outcome for outcome in outcomes if outcome.way]
    outcomes = [outcome for outcome in outcomes if not outcome.way]
    single = [outcome for outcome in outcomes if outcome.single]
    healthy = [outcome for outcome in outcomes if not outcome.found]
    made = [_overall(outcomes), _rankers(single), _calibration(outcomes)] if outcomes else []
    made += [_ways(ways)] if ways else []
    for title, key in _GROUPS.items():
        made += [_by(f"One fault, by {title}", single, key)] if single else []
    made += [_healthy(healthy)] if healthy else []
    return made


def asked_of(outcome: Outcome) -> bool:
    """Whether a case is one that the bars are about."""
    return outcome.mix == "standard" and outcome.missing == WHOLE and outcome.severity != "low"


def _overall(outcomes: Sequence[Outcome]) -> Sheet:
    """Make the table of all figures, over the cases that the bars are about and over all."""
    asked = [outcome for outcome in outcomes if asked_of(outcome)]
    rows = []
    for name, part in PARTS.items():
        few, all_ = figure(asked, part), figure(outcomes, part)
        rows.append((name, _both(few), _count(few), BARS.get(name, ""), _both(all_), _count(all_)))
    return Sheet(
        "All figures",
        ("figure", "medium and high, standard, whole", "of", "aim", "all cases", "of"),
        tuple(rows),
        "In brackets: 95 % bootstrap interval over cases. The bars are about faults of medium and high "
        "severity, standard confounders, and runs that lack nothing.",
    )


def _rankers(single: Sequence[Outcome]) -> Sheet:
    """Make the table of our ranking beside the others."""
    standard = [outcome for outcome in single if outcome.mix == "standard"]
    ours = ("ibforensic", PARTS["top-1"], PARTS["top-3"], PARTS["MRR"])
    others = [
        (name, metrics.naive_top(name, 1), metrics.naive_top(name, 3), metrics.naive_reciprocal(name))
        for name in RANKERS
    ]
    rows = tuple(
        (name, *(_both(figure(standard, part)) for part in parts)) for name, *parts in (ours, *others)
    )
    best, best_figure = metrics.best_naive(standard, RANKERS)
    note = (
        f"Best of the others: {best}, top-1 {_both(best_figure)} of {len(standard)} cases; "
        f"it must not be above {NAIVE_BAR}, or the cases would be too easy."
    )
    return Sheet(
        "Beside rankers without thought (one fault, standard confounders, all severities)",
        ("ranker", "top-1", "top-3", "MRR"),
        rows,
        note if standard else "",
    )


def _calibration(outcomes: Sequence[Outcome]) -> Sheet:
    """Make the table that says how far confidence can be believed."""
    rows = []
    for name, said in metrics.SAID.items():
        error = metrics.calibration_error(outcomes, said)
        score = figure(outcomes, metrics.brier(said))
        aim = CALIBRATION_BAR if name == "link" else ""
        rows.append((f"confidence in {name}", _both(error), aim, _both(score), _count(score)))
    return Sheet(
        "Calibration (all suspects of all cases)",
        ("confidence", "ECE", "aim", "Brier", "suspects"),
        tuple(rows),
    )


def _ways(outcomes: Sequence[Outcome]) -> Sheet:
    """Make the table of what is lost when the same incidents are told in another way."""
    rows = []
    for name, way in WAYS.items():
        pairs = paired(outcomes, name)
        then, lost = figure([other for _, other in pairs], PARTS["top-1"]), difference(pairs, PARTS["top-1"])
        aim = "" if way.aim is None else f"≤ {way.aim:.2f}"
        rows.append((name, _count(then), _both(then), "" if name == PLAIN else _both(lost), aim))
    return Sheet(
        "The same incidents, told in other ways (one fault, medium and high, no confounders)",
        ("way", "cases", "top-1", "lost", "aim"),
        tuple(rows),
    )


_GROUPS: dict[str, Key] = {
    "fault": lambda outcome: outcome.group,
    "severity": lambda outcome: outcome.severity,
    "missing data": lambda outcome: outcome.missing,
    "confounders": lambda outcome: outcome.mix,
    "fabric": lambda outcome: f"{outcome.fabric}{' (large)' if outcome.large else ''}",
}
_SEVERITIES = ("low", "medium", "high")


def _by(title: str, single: Sequence[Outcome], key: Key) -> Sheet:
    """Make the table of the main figures, group by group."""
    rows = []
    for name in _names(single, key):
        group = [outcome for outcome in single if key(outcome) == name]
        first, *rest = (figure(group, PARTS[part]) for part in _SHORT)
        rows.append((name, str(len(group)), _both(first), *map(_plain, rest)))
    return Sheet(title, ("", "cases", *_SHORT), tuple(rows))


def _names(outcomes: Sequence[Outcome], key: Key) -> list[str]:
    """List the groups: severities from low to high, others by the alphabet."""
    names = {key(outcome) for outcome in outcomes}
    return [name for name in _SEVERITIES if name in names] + sorted(names.difference(_SEVERITIES))


def _healthy(healthy: Sequence[Outcome]) -> Sheet:
    """Make the table of what is blamed where nothing is wrong."""
    rows = []
    groups: list[tuple[str, Sequence[Outcome]]] = [("all", healthy)]
    groups.append(("of about 4,096 ports", [outcome for outcome in healthy if outcome.large]))
    for title, key in (("confounders", _GROUPS["confounders"]), ("missing", _GROUPS["missing data"])):
        for name in _names(healthy, key):
            group = [outcome for outcome in healthy if key(outcome) == name]
            groups.append((f"{title}: {name}", group))
    for name, chosen in groups:
        some = (figure(chosen, PARTS[part]) for part in ("false suspects", "false, sure"))
        rows.append((name, str(len(chosen)), *map(_both, some)))
    sure = f"with confidence ≥ {metrics.SURE}"
    return Sheet("False suspects of a healthy pair", ("pairs", "cases", "false suspects", sure), tuple(rows))


def times(outcomes: Sequence[Outcome]) -> Sheet:
    """Make the table of how long a case took."""
    rows = []
    for name, large in (("small fabrics", False), ("large fabrics", True)):
        group = [outcome for outcome in outcomes if outcome.large == large and outcome.seconds]
        for what in group[0].seconds if group else ():
            took = [outcome.seconds[what] for outcome in group]
            middle, most = np.percentile(took, (50, 95))
            rows.append((f"{name}: {what}", str(len(group)), f"{middle:.2f}", f"{most:.2f}"))
    return Sheet("Seconds a case", ("", "cases", "median", "95 %"), tuple(rows))


def _both(figure_: Figure) -> str:
    """Print a figure with its interval."""
    if math.isnan(figure_.value):
        return "-"
    return f"{figure_.value:.3f} [{figure_.low:.2f}, {figure_.high:.2f}]"


def _plain(figure_: Figure) -> str:
    return "-" if math.isnan(figure_.value) else f"{figure_.value:.2f}"


def _count(figure_: Figure) -> str:
    return f"{figure_.count:.0f}"
