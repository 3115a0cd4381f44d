"""What can be ordered by name: faults, confounders, severities; and the list that explains them.

The name of a fault is that of its ``FaultKind``, with ``-`` for ``_``. What it means is the text that
stands below the member there, so that a new kind needs no other place.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise

from ibforensic.model.errors import BadUsage
from ibforensic.simulate.chips import SPEEDS, SWITCHES
from ibforensic.simulate.faults import SEVERITIES, FaultKind
from ibforensic.simulate.missing import GAPS
from ibforensic.simulate.quiet import HAPPENINGS
from ibforensic.simulate.topology_spec import NUMBERS, SHAPES
from ibforensic.simulate.writers import writers

CONFOUNDERS = (
    FaultKind.HOST_REBOOT,
    FaultKind.RENAME_HOST,
    FaultKind.SWITCH_COUNTER_CLEAR,
    FaultKind.FABRIC_COUNTER_CLEAR,
    FaultKind.LID_RESHUFFLE,
    FaultKind.TRAFFIC_GROWTH,
    *HAPPENINGS,
)
"""What happens in healthy fabrics too and must not be blamed."""
STANDARD = (
    FaultKind.HOST_REBOOT,
    FaultKind.RENAME_HOST,
    FaultKind.SWITCH_COUNTER_CLEAR,
    FaultKind.TRAFFIC_GROWTH,
    FaultKind.HOT_JOB,
    FaultKind.HEALTHY_BURST,
    FaultKind.PLANNED_RECABLING,
)
"""What usually happens within a week. Repairs, hot jobs and bursts are there in any week at some hundred
links (FIELD §5: at 8,000 HCAs 1,290 ports had blocks that FEC could not repair); switches are restarted and
upgraded once in months."""


def name_of(kind: FaultKind) -> str:
    """Return the name by which a kind is ordered: ``bad-link``."""
    return str(kind).replace("_", "-")


def parse_fault(text: str) -> FaultKind:
    """Read the name of a fault or confounder.

    Args:
        text: ``bad-link``; ``_`` is as good as ``-``, and so are capitals.

    Returns:
        The kind.

    Raises:
        BadUsage: There is none of that name.
    """
    wanted = text.strip().lower().replace("-", "_")
    for kind in FaultKind:
        if kind == wanted:
            return kind
    known = ", ".join(name_of(kind) for kind in FaultKind if kind not in CONFOUNDERS)
    raise BadUsage(f"unknown fault {text!r}", f"use one of {known}; ibforensic simulate --list explains them")


def parse_confounders(text: str) -> tuple[FaultKind, ...]:
    """Read which confounders there shall be.

    Args:
        text: none, standard, all, or names with commas between them.

    Returns:
        The kinds, each once.

    Raises:
        BadUsage: A name is unknown, or is that of a fault.
    """
    groups = {"none": (), "standard": STANDARD, "all": CONFOUNDERS}
    word = text.strip().lower()
    if word in groups:
        return groups[word]
    kinds = tuple(dict.fromkeys(parse_fault(part) for part in word.split(",")))
    for kind in kinds:
        if kind not in CONFOUNDERS:
            raise BadUsage(f"{name_of(kind)} is a fault, no confounder", f"use --fault {name_of(kind)}")
    return kinds


def parse_severity(text: str) -> str | float:
    """Read how bad a fault is.

    Args:
        text: low, medium, high, or a number from 0 to 1.

    Returns:
        The word, or the number.

    Raises:
        BadUsage: It is neither.
    """
    word = text.strip().lower()
    if word in SEVERITIES:
        return word
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise BadUsage(f"unknown severity {text!r}", f"use {', '.join(SEVERITIES)}, or a number from 0 to 1")
    return number


def meanings() -> dict[FaultKind, str]:
    """Return what each kind means: the text below it in the source."""
    (found,) = ast.parse(inspect.getsource(FaultKind)).body
    body = found.body if isinstance(found, ast.ClassDef) else []
    texts: dict[FaultKind, str] = {}
    for before, after in pairwise(body):
        name = before.targets[0] if isinstance(before, ast.Assign) else None
        text = after.value if isinstance(after, ast.Expr) else None
        if isinstance(name, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
            texts[FaultKind[name.id]] = inspect.cleandoc(text.value)
    return texts


def catalogue() -> str:
    """Return the list of all that can be ordered, explained."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    """Yield the lines of the list."""
    texts = meanings()
    faults = [kind for kind in FaultKind if kind not in CONFOUNDERS]
    for title, kinds in (
        ("Faults (--fault), all of which a report should name:", faults),
        ("Confounders (--confounders), none of which a report should blame:", CONFOUNDERS),
    ):
        yield title
        for kind in kinds:
            mark = " [standard]" if kind in STANDARD else ""
            yield f"  {name_of(kind):<22}{' '.join(texts.get(kind, '').split())}{mark}"
        yield ""
    yield "Missing data (--missing):"
    for name, gap in GAPS.items():
        yield f"  {name:<22}{gap.says}"
    yield ""
    yield "Topologies (--topology NAME:number=N,…), with their defaults:"
    for name, (text, numbers) in SHAPES.items():
        yield f"  {name:<22}{text}"
        yield f"  {'':<22}{','.join(f'{key}={value}' for key, value in numbers.items())}"
    yield ""
    yield "Numbers:"
    for key, text in NUMBERS.items():
        yield f"  {key:<22}{text}"
    yield ""
    yield "Speeds (--speed, several for a fabric of several generations):"
    for speed in SPEEDS:
        yield f"  {speed.lower():<22}switches of {SWITCHES[speed].ports} ports"
    yield ""
    yield "Formats besides those of ibdiagnet (--also, names with commas, or all):"
    for writer in writers():
        yield f"  {writer.name:<22}{writer.title}"
