"""SHARP: what it gains against runs without it, whether it is really used, and the trees it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ibforensic.ladder.bands import Outcome
from ibforensic.ladder.grounds import Grounds, Side
from ibforensic.ladder.labelled import Switched, switched
from ibforensic.ladder.runs import BenchRun, Curve
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.ladder.wording import what_words
from ibforensic.model.message import Message, say

__all__ = ["judge"]

_SWITCHES = ("env_NCCL_COLLNET_ENABLE", "env_NCCL_ALGO", "env_NCCL_NVLS_ENABLE", "label", "sharp")
_ON = re.compile(r"(?:sharp\s*[=:_-]?\s*)?(on|off|1|0|yes|no|true|false|enabled|disabled)\Z", re.IGNORECASE)
_TRUE = ("on", "1", "yes", "true", "enabled")
_SURE = {
    Outcome.BETTER: ": it helps",
    Outcome.SAME: ": it makes no difference",
    Outcome.WORSE: ": it is slower with it",
    Outcome.CHANGED: "",
    Outcome.UNSURE: ", ~ no more than the runs differ among themselves",
    Outcome.SINGLE_RUN: "; a single run on one side, so no verdict",
    Outcome.TOO_FEW: ", ~ too few runs to be sure",
}
_LOST = 0.1
"""A gain that is smaller by so much is lost."""


def judge(grounds: Grounds) -> Rung:
    """Compare runs with and without SHARP, now and before, and the trees."""
    return rung(
        "sharp",
        say("ladder.title.sharp", "SHARP is used, and helps"),
        [*_gains(grounds), *_unused(grounds), *_trees(grounds)],
        lambda: say(
            "ladder.help.sharp",
            "Run all_reduce_perf with NCCL_COLLNET_ENABLE=0 and =1 and NCCL_DEBUG=INFO, all else alike.",
        ),
    )


def _state(run: BenchRun) -> bool | None:
    """Whether a run was made with SHARP: by its label, by its settings, else by what was used."""
    label = (run.label or "").strip()
    match = _ON.match(label)
    if match and not label.isdecimal():
        return match.group(1).lower() in _TRUE
    setting = run.settings.get("env_NCCL_COLLNET_ENABLE", run.settings.get("sharp"))
    if setting is not None:
        return str(setting).lower() in _TRUE
    used = run.path.get("sharp_connected")
    return used if isinstance(used, bool) else None


def _gains(grounds: Grounds) -> Iterator[Finding]:
    before = switched(grounds.before.runs, _state, _SWITCHES)
    for key, now in switched(grounds.after.runs, _state, _SWITCHES).items():
        curve = _curve(now)
        change = now.at(curve, "higher") if curve else None
        if curve is None or change is None or change.ratio is None:
            continue
        values = {
            "kind": now.on[0].kind,
            "what": what_words(curve),
            "off": figure(change.before),
            "on": figure(change.after),
            "gain": round(100 * (change.ratio - 1), 1),
        }
        told = tuple(_ran(now))
        old = before[key].at(curve, "higher") if key in before else None
        if old is not None and old.ratio is not None:
            values["gain_before"] = round(100 * (old.ratio - 1), 1)
            lost = change.ratio < old.ratio - _LOST and min(*change.runs, *old.runs) > 1
            text = "{kind}: SHARP gives {what} {off:g} → {on:g} ({gain:+.1f} %), it gave {gain_before:+.1f} %"
            message = say("ladder.sharp.lost" if lost else "ladder.sharp.as_before", text, **values)
            # Other hosts may be slower for a reason of their own.
            alike = _hosts(now.off) == _hosts(now.on)
            state = State.FINE if not lost else State.WORSE if alike else State.NOT_COMPARABLE
            yield Finding(state, message, beside=told, weight=1.0)
        else:
            text = (
                "{kind}: {what} without SHARP {off:g}, with it {on:g} ({gain:+.1f} %)" + _SURE[change.outcome]
            )
            sure = change.outcome in (Outcome.BETTER, Outcome.SAME, Outcome.WORSE)
            message = say(f"ladder.sharp.{change.outcome.name.lower()}", text, **values)
            yield Finding(State.FINE if sure else State.NOT_COMPARABLE, message, beside=told)


def _curve(found: Switched) -> Curve | None:
    """Choose the algorithm bandwidth of the largest message: what goes over the bus differs with SHARP."""
    curves = [curve for curve in found.common if curve.metric == "algbw" and curve.qualifier != "in_place"]
    curves = curves or [curve for curve in found.common if curve.metric == "algbw"]
    return max(curves, key=lambda curve: curve.size or 0, default=None)


def _ran(found: Switched) -> Iterator[Message]:
    """Say what was really used in the runs without it and in those with it."""
    if _hosts(found.off) != _hosts(found.on):
        yield say("ladder.sharp.hosts", "the runs with it were made on other hosts than those without it")
    for word, run in (("off", found.off[-1]), ("on", found.on[-1])):
        if not run.path:
            text = "{label}: no NCCL_DEBUG output tells what was used"
            yield say("ladder.sharp.untold", text, label=word)
            continue
        used = ", ".join(
            run.path.get("algorithms") or run.path.get("connected") or run.path.get("transports") or ()
        )
        text = "{label}: used {used}; SHARP over InfiniBand {sharp}, over NVLink (NVLS) {nvls}"
        yield say(
            "ladder.sharp.used",
            text,
            label=word,
            used=used or "-",
            sharp=_word(run.path.get("sharp_connected")),
            nvls=_word(run.path.get("nvls_connected")),
        )


def _hosts(runs: Iterable[BenchRun]) -> set[str | None]:
    return {member.host for run in runs for member in run.members}


def _word(flag: object) -> str:
    return {True: "on", False: "off"}.get(flag, "-") if isinstance(flag, bool) else "-"


def _unused(grounds: Grounds) -> Iterator[Finding]:
    """Name runs for which SHARP was asked and not used."""
    before = [_missed(run) for run in grounds.before.runs if run.path]
    missed = [run for run in grounds.after.runs if _missed(run)]
    if not missed:
        return
    text = "SHARP was requested and not used in {count} runs, such as {run}: CollNet fell back silently"
    message = say("ladder.sharp.unused", text, count=len(missed), run=missed[0].source)
    as_before = bool(before) and any(before)
    yield Finding(State.FINE if as_before else State.WORSE, message, weight=2.0)


def _missed(run: BenchRun) -> bool:
    return bool(run.path.get("sharp_requested")) and run.path.get("sharp_connected") is False


def _trees(grounds: Grounds) -> Iterator[Finding]:
    """Compare the trees and their aggregation nodes."""
    then, now = _tree_counts(grounds.before), _tree_counts(grounds.after)
    if then is None or now is None:
        return
    fewer = now[0] < then[0] or now[1] < then[1]
    text = "SHARP trees {trees_before} → {trees}, aggregation nodes in them {nodes_before} → {nodes}"
    message = say(
        "ladder.sharp.trees",
        text,
        trees_before=then[0],
        trees=now[0],
        nodes_before=then[1],
        nodes=now[1],
    )
    yield Finding(State.WORSE if fewer else State.FINE, message)


def _tree_counts(side: Side) -> tuple[int, int] | None:
    table = side.tables.get("sharp")
    if table is None or not table.num_rows:
        return None
    trees = {tree for tree in table["tree_id"].to_pylist() if tree is not None}
    nodes = {guid for guid in table["node_guid"].to_pylist() if guid}
    return len(trees), len(nodes)
