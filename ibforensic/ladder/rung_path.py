"""Which way NCCL takes: network, devices, GPUDirect, channels; what was asked for and what was used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ibforensic.ladder.alike import beside, nearest, unlike
from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.paths import PathChange, PathKind, changes, troubles
from ibforensic.ladder.runs import BenchRun
from ibforensic.ladder.terms import Finding, Rung, State, rung
from ibforensic.ladder.wording import differences, subject
from ibforensic.model.message import Message, say
from ibforensic.model.words import counted

__all__ = ["judge"]

_TEXTS = {
    PathKind.SOCKETS: (
        "{subject}: NCCL fell back to plain sockets ({after}), the data do not go over InfiniBand"
    ),
    PathKind.NO_GPUDIRECT: (
        "{subject}: GPUDirect was lost: {before} → {after} of the network connections use it, "
        "the others copy through host memory"
    ),
    PathKind.SHARP_UNUSED: "{subject}: SHARP was requested and is not used; connected instead: {after}",
    PathKind.NETWORK: "{subject}: network {before} → {after}",
    PathKind.DEVICES: "{subject}: other devices are used: {before} → {after}",
    PathKind.CHANNELS: "{subject}: channels {before} → {after}",
    PathKind.RINGS: "{subject}: the rings are laid out in another way",
    PathKind.WARNED: "{subject}: NCCL warns: {after}",
}
_WORSE = (PathKind.SOCKETS, PathKind.NO_GPUDIRECT, PathKind.SHARP_UNUSED, PathKind.DEVICES)
_OPEN = (PathKind.NETWORK, PathKind.WARNED)
"""Changes of which nobody can say whether they are for the worse: another plugin is no fault."""
_HCA = "NCCL_IB_HCA"
_CHANNELS = "coll"


def judge(grounds: Grounds) -> Rung:
    """Compare the paths of runs, each with the like one of the baseline or the nearest."""
    return rung(
        "path",
        say("ladder.title.path", "NCCL takes the way it should (NCCL_DEBUG)"),
        _findings(grounds),
        lambda: say("ladder.help.path", "Run with NCCL_DEBUG=INFO and keep the output of all ranks."),
    )


def _findings(grounds: Grounds) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for run in grounds.after.runs:
        if not run.path or not ("nics" in run.path or "networks" in run.path or "transports" in run.path):
            continue
        old = _earlier(run, grounds.before.runs)
        found = changes(old.path, run.path) if old else troubles(run.path)
        told = differences((*unlike(old, run), *beside(old, run))) if old else ()
        # Repeated runs say the same; once is enough.
        for finding in (*_unintended(run, old), *(_finding(run, old, each, told) for each in found)):
            key = (finding.message.id, str(sorted(finding.message.params.items(), key=str)))
            if key not in seen:
                seen.add(key)
                yield finding
        if not found:
            yield from _once(seen, run, old, told)


def _once(
    seen: set[tuple[str, str]], run: BenchRun, old: BenchRun | None, told: Sequence[Message]
) -> Iterator[Finding]:
    """Say that a path is as it was, once for each kind of run."""
    key = ("same", subject(run))
    if key in seen:
        return
    seen.add(key)
    values = {"subject": subject(run), "used": _used(run.path)}
    if old:
        text = "{subject}: the same way as before, {used}"
        yield Finding(State.FINE, say("ladder.path.same", text, **values), beside=tuple(told))
    else:
        text = "{subject}: the baseline has no such log; now {used}"
        yield Finding(State.NOT_COMPARABLE, say("ladder.path.now", text, **values))


def _earlier(run: BenchRun, runs: Sequence[BenchRun]) -> BenchRun | None:
    """Return the run of the baseline that tells a path and is nearest, on the same hosts if there is one."""
    told = [each for each in runs if each.path]
    same = [each for each in told if _hosts(each) == _hosts(run)]
    return nearest(run, same) or nearest(run, told)


def _hosts(run: BenchRun) -> set[str | None]:
    return {member.host for member in run.members}


def _finding(run: BenchRun, old: BenchRun | None, change: PathChange, told: Sequence[Message]) -> Finding:
    message = say(
        f"ladder.path.{change.kind}",
        _TEXTS[change.kind],
        subject=subject(run),
        before=_words(change.before),
        after=_words(change.after),
    )
    worse = change.kind in _WORSE or (change.kind is PathKind.CHANNELS and _fewer(change))
    # Other hosts have other devices: what differs there is no change of one path.
    elsewhere = old is None or not _hosts(old) & _hosts(run)
    if change.kind in (PathKind.DEVICES, PathKind.CHANNELS) and elsewhere:
        worse = False
    open_ = change.kind in _OPEN or (elsewhere and change.before is not None)
    state = State.WORSE if worse else State.NOT_COMPARABLE if open_ else State.FINE
    return Finding(state, message, beside=tuple(told), weight=float(-list(PathKind).index(change.kind)))


def _fewer(change: PathChange) -> bool:
    """Whether there are fewer channels for collectives; those for NVLS and CollNet depend on the version."""
    before, after = change.before, change.after
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return False
    return bool(after.get(_CHANNELS, 0) < before.get(_CHANNELS, 0))


def _unintended(run: BenchRun, old: BenchRun | None) -> Iterator[Finding]:
    """Name devices that are used although NCCL_IB_HCA does not list them."""
    wanted = str(run.settings.get(f"env_{_HCA}") or "")
    nics = [str(nic) for nic in run.path.get("nics", ()) if not _allowed(wanted, str(nic))]
    if wanted and nics:
        text = "{subject}: uses {nics}, which NCCL_IB_HCA={wanted} does not allow"
        message = say(
            "ladder.path.unintended", text, subject=subject(run), nics=", ".join(nics), wanted=wanted
        )
        was = old is not None and old.path.get("nics") == run.path.get("nics")
        yield Finding(State.FINE if was else State.WORSE, message)


def _allowed(wanted: str, nic: str) -> bool:
    """Whether NCCL_IB_HCA allows a device: a list of prefixes, ``=`` for whole names, ``^`` to exclude."""
    exclude, text = wanted.startswith("^"), wanted.lstrip("^")
    exact, text = text.startswith("="), text.lstrip("=")
    device, _, rest = nic.partition("/")[0].partition(":")
    hit = False
    for item in text.split(","):
        name, _, port = item.strip().partition(":")
        same = device == name if exact else device.startswith(name)
        hit = hit or (bool(name) and same and (not port or port == rest))
    return hit != exclude


def _used(path: Mapping[str, Any]) -> str:
    """Tell a path in a few words: what carries the data, and over how many devices."""
    carried = path.get("transports") or path.get("networks") or ()
    nics = len(path.get("nics", ()))
    parts = [", ".join(carried), counted(nics, "NIC") if nics else ""]
    if path.get("net_connections"):
        parts.append(f"GPUDirect {path.get('gdr_connections', 0)}/{path['net_connections']}")
    parts.append(", ".join(path.get("connected", ())))
    return "; ".join(part for part in parts if part)


def _words(value: Any) -> str:
    """Return what stands in a path as text."""
    if value is None:
        return "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value[:8])) + (f" and {len(value) - 8} more" if len(value) > 8 else "")
    return f"{100 * value:.0f} %" if isinstance(value, float) else str(value)
