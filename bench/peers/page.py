"""The page ``docs/peers.md``."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence

from bench.evaluate.cases import HEALTHY
from bench.evaluate.tables import Sheet
from bench.peers.run import Answer, Heard, Result
from bench.peers.stories import Heard as Told
from bench.peers.told import PEERS

OURS = "ibforensic"
_SHOWN = 12
"""Lines of an output that the page shows."""
_WIDE = 150
_HEAD = """# Beside other tools

What `ibqueryerrors`, `ibnetdiscover --diff` and a plain sort of counters would have told of the same incidents, and what ibforensic says. `make peers` makes the
incidents anew, asks everybody, and writes this page.

**Which data.** {cases} made-up incidents of {kinds} kinds with the standard confounders (a reboot, a rename, a clear, more work, a burst, a replaced cable), seeds for
development from 1 on, and {healthy} pairs in which nothing is wrong; {ports} ports in the median fabric. One team wrote the simulator and the rules, see
[accuracy.md](accuracy.md): this compares ways of looking at the same numbers, and is no measure of the field.

**How the others are heard.** None of them names a culprit, so each is credited with what can be read from it: how many lines it prints, whether the culprit is among
the links it lists, and at which place when somebody sorts by hand (most error counters first, then the largest sum, waiting left out). In the tables
`ibqueryerrors` and `ibnetdiscover --diff` are not the programs: the simulator writes their text in their layout, by their documented rule: every counter above
0; nodes and port connections that differ. **Narrowed** is how somebody with practice runs it: the thresholds that the shipped file suggests in comments (10 or
100), and `--suppress-common --suppress PortXmitWait`, for what every port has. In the stories at the end they are {stories} Rule and programs {agree}.
"""  # noqa: E501
_REAL = "the real programs, asking a subnet that `ibsim` plays and `opensm` runs."
_BY_RULE = "made by the same rule: the programs were not installed where this page was written."


def page(results: Sequence[Result], stories: Sequence[Told]) -> str:
    """Write the page.

    Args:
        results: What came of the incidents.
        stories: Incidents told in full.
    """
    faults = [one for one in results if one.group != HEALTHY]
    real = all(told.real for told in stories)
    head = _HEAD.format(
        cases=len(faults),
        kinds=len({one.group for one in faults}),
        healthy=len(results) - len(faults),
        ports=f"{statistics.median(one.ports for one in results):,.0f}",
        stories=_REAL if real else _BY_RULE,
        agree="told the same there" if real and all(told.as_by_rule for told in stories) else "may differ",
    )
    parts = [head, *(sheet.markdown() for sheet in sheets(results)), _as_good(faults), "## Three stories\n"]
    return "\n".join([*parts, *map(_story, stories)])


def sheets(results: Sequence[Result]) -> list[Sheet]:
    """Make the tables."""
    faults = [one for one in results if one.group != HEALTHY]
    healthy = [one for one in results if one.group == HEALTHY]
    return [_totals(faults, healthy), _by_kind(faults), _ours_by_kind(faults)]


def _heard(name: str) -> Callable[[Result], Heard]:
    """Return what takes from a result what a tool made of it."""
    return lambda one: one.ours if name == OURS else one.peers[name]


def _totals(faults: Sequence[Result], healthy: Sequence[Result]) -> Sheet:
    """Make the table over all incidents."""
    rows = []
    for name in (OURS, *PEERS):
        heard = list(map(_heard(name), faults))
        quiet = [one.lines for one in map(_heard(name), healthy)]
        rows.append(
            (
                name,
                f"{statistics.median(one.lines for one in heard):.0f}",
                _share(heard, lambda one: one.place is not None),
                _share(heard, lambda one: one.place == 1),
                _share(heard, lambda one: one.place is not None and one.place <= 3),
                f"{statistics.median(quiet):.0f}" if quiet else "-",
            )
        )
    suspects = sum(one.ours.suspects for one in healthy)
    named = sum(one.ours.confidence is not None for one in faults)
    return Sheet(
        "All incidents",
        ("tool", "lines to read", "culprit listed", "first", "among three", "lines where nothing is wrong"),
        tuple(rows),
        f"Lines are medians. In the {len(healthy)} pairs where nothing is wrong ibforensic named "
        f"{suspects} suspects; its lines are the whole answer: verdict, reasons, what to do, what changed. "
        f"It named the culprit as a suspect in {named} of {len(faults)} incidents; in the others its place "
        "is that in the ranking of all ports, as for the other tools.",
    )


def _share(heard: Sequence[Heard], is_so: Callable[[Heard], bool]) -> str:
    return f"{sum(map(is_so, heard))} of {len(heard)}"


def _kinds(faults: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    for group in dict.fromkeys(one.group for one in faults):
        yield group, [one for one in faults if one.group == group]


def _by_kind(faults: Sequence[Result]) -> Sheet:
    """Make the table of all tools by fault."""
    rows = [
        (group, str(len(some)), *(_cell(list(map(_heard(name), some))) for name in (OURS, *PEERS)))
        for group, some in _kinds(faults)
    ]
    return Sheet(
        "By fault",
        ("fault", "cases", OURS, *PEERS),
        tuple(rows),
        "In each cell: median of lines · cases in which the culprit is listed · median of its place there.",
    )


def _cell(heard: Sequence[Heard]) -> str:
    places = [one.place for one in heard if one.place is not None]
    lines = statistics.median(one.lines for one in heard)
    return f"{lines:.0f} · {len(places)} · {f'{statistics.median(places):g}' if places else '-'}"


def _ours_by_kind(faults: Sequence[Result]) -> Sheet:
    """Make the table of what ibforensic says beyond a place."""
    rows = []
    for group, some in _kinds(faults):
        ours = [one.ours for one in some]
        rows.append((group, *_said(ours)))
    return Sheet(
        "What ibforensic says besides",
        ("fault", "suspects", "first", "part right", "confidence"),
        tuple(rows),
        "Suspects: median. Part right: where a part is sought and the link is named. Confidence in the link "
        "or device, where it is right: median. The other tools say nothing of the kind.",
    )


def _said(ours: Sequence[Answer]) -> tuple[str, str, str, str]:
    parts = [one.component for one in ours if one.component is not None]
    sure = [one.confidence for one in ours if one.confidence is not None]
    return (
        f"{statistics.median(one.suspects for one in ours):g}",
        f"{sum(one.place == 1 for one in ours)} of {len(ours)}",
        f"{sum(parts)} of {len(parts)}" if parts else "-",
        f"{statistics.median(sure):.2f}" if sure else "-",
    )


def _as_good(faults: Sequence[Result]) -> str:
    """Say where others are as good or better."""
    lines = []
    for group, some in _kinds(faults):
        firsts = {name: _firsts(some, name) for name in (OURS, *PEERS)}
        good = [name for name in PEERS if firsts[name] and firsts[name] >= firsts[OURS]]
        if good:
            told = ", ".join(f"{name} ({firsts[name]} of {len(some)})" for name in good)
            lines.append(f"- {group}: {told}; ibforensic {firsts[OURS]} of {len(some)}.")
    best = [group for group, some in _kinds(faults) if _firsts(some, OURS) == 0]
    body = lines or ["- in no kind of fault of this run."]
    if best:
        body.append(f"- ibforensic had the culprit first in no case of: {', '.join(best)}.")
    return "\n".join(
        (
            "## Where others are as good, or better\n",
            "Kinds of faults in which another tool has the culprit first in as many cases:\n",
            *body,
            "",
            "Besides: `ibqueryerrors` needs no baseline and no file, and asks a fabric that nobody has "
            "collected before; both are on every head node; and `ibnetdiscover --diff` is as sure as we are "
            "that a cable, a node or a switch is gone, in fewer lines.\n",
        )
    )


def _firsts(some: Sequence[Result], name: str) -> int:
    return sum(_heard(name)(one).place == 1 for one in some)


def _story(told: Told) -> str:
    """Tell one story."""
    story = told.story
    parts = [f"### {story.title}\n", f"{story.moral}\n", "What happened:\n", _block(told.planted)]
    outputs = (
        ("`ibqueryerrors`", told.ibqueryerrors),
        ("`ibnetdiscover --diff`", told.topology),
        ("`ibforensic diff`", told.ours),
    )
    for name, lines in outputs:
        kept = [line for line in lines if line.strip()]
        count = f"{len(kept)} lines" if kept else "nothing"
        parts += [f"{name} prints {count}:\n" if kept else f"{name} prints nothing.\n"]
        parts += [_block(kept)] if kept else []
    return "\n".join(parts)


def _block(lines: Sequence[str]) -> str:
    """Show the first lines of an output."""
    kept = [line if len(line) <= _WIDE else f"{line[:_WIDE]}…" for line in lines[:_SHOWN]]
    more = [f"… {len(lines) - _SHOWN} more lines"] if len(lines) > _SHOWN else []
    return "\n".join(("```", *kept, *more, "```", ""))
