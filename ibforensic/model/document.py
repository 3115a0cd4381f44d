"""The document: what a comparison found, as JSON. Reports are renderings of it and read nothing else.

Keys are stable; more may be added. ``schema`` names the version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ibforensic.model.advice import action_json, command_json, place_json
from ibforensic.model.closeup import around_json, lanes_json, part_json, step_json
from ibforensic.model.collected import Collected
from ibforensic.model.enums import DeltaClass, Verdict
from ibforensic.model.ids import PortKey
from ibforensic.model.ignoring import Ignored, ignored_json
from ibforensic.model.inventory import Inventory, inventory_json
from ibforensic.model.message import Message, message_json
from ibforensic.model.records import (
    Change,
    Evidence,
    Fitness,
    Note,
    NotJudged,
    PortRef,
    SourceRecord,
    Suspect,
    Victim,
    Watch,
    Window,
)

SCHEMA = "ibforensic.diff/1"
EXAMPLES = 20
"""Examples that stand in a group of changes; the rest is counted."""

Json = dict[str, Any]
Names = Callable[[PortKey], PortRef]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two snapshots.

    Attributes:
        label: What the user called it: the path given.
        window: When it was collected.
        counts: nodes, switches, hcas, aggregation_nodes, links, ports, ports_down; None is unknown.
        fabric: Hash over the switch GUIDs.
        tools: Tool → version.
        commands: Command lines of the runs.
        sources: Files.
        tables: Canonical table → rows.
        raw: Section kept verbatim → rows.
        notes: Troubles met in reading.
        fitness: How fit it is to be compared.
    """

    label: str
    window: Window
    counts: Mapping[str, int | None] = field(default_factory=dict)
    fabric: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    commands: tuple[str, ...] = ()
    sources: tuple[SourceRecord, ...] = ()
    tables: Mapping[str, int] = field(default_factory=dict)
    raw: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    fitness: tuple[Fitness, ...] = ()


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much could be compared.

    Attributes:
        nodes: baseline, current, both.
        ports: baseline, current, both, expected (the larger of the first two), judged (ports whose
            error counters could be compared).
        links: baseline, current, both.
        compared: Kinds of facts that were compared, as words.
        not_judged: What could not be judged, and why.
        collected: Kinds of data, whether each side holds them, and how to collect what is missing.
    """

    nodes: Mapping[str, int]
    ports: Mapping[str, int]
    links: Mapping[str, int]
    compared: tuple[str, ...] = ()
    not_judged: tuple[NotJudged, ...] = ()
    collected: tuple[Collected, ...] = ()

    @property
    def share(self) -> float | None:
        """Share of the ports in use, then or now, that could be judged; None where there are no ports."""
        total = self.ports.get("expected", self.ports.get("current", 0))
        return self.ports.get("judged", 0) / total if total else None


@dataclass(frozen=True, slots=True)
class Result:
    """Everything a comparison found.

    Attributes:
        kind: diff or check.
        engine: Version of ibforensic.
        policy: Hash of the limits and weights in force.
        verdict: suspects, no_suspect or cannot_judge.
        changed: Whether anything at all differs; None for a check, which cannot know.
        headline: The result in one sentence.
        baseline: The one side; None for a check.
        current: The other side.
        gap_s: Time between the two, seconds; None where a time is missing.
        suspects: Who is to blame, by rank.
        changes: Facts.
        coverage: How much could be compared.
        context: Evidence that accuses nobody but explains: resets, clears.
        names: Port key → how people know it.
        watch: Weaker signs: evidence of places that stay below the threshold, strongest first.
        inventory: What the snapshot holds, for a check.
        ignored: What the policy says not to accuse, and what was found there.
    """

    kind: str
    engine: str
    policy: str
    verdict: Verdict
    changed: bool | None
    headline: Message
    baseline: Side | None
    current: Side
    gap_s: float | None
    suspects: tuple[Suspect, ...]
    changes: tuple[Change, ...]
    coverage: Coverage
    names: Names
    context: tuple[Evidence, ...] = ()
    watch: tuple[Watch, ...] = ()
    inventory: tuple[Inventory, ...] = ()
    ignored: tuple[Ignored, ...] = ()


def document(result: Result) -> Json:
    """Turn a result into the document.

    Args:
        result: What a comparison found.

    Returns:
        A dictionary of plain JSON types, in a fixed order of keys. A check has no baseline, and the key
        ``inventory`` besides.
    """
    names = result.names
    sides = [("baseline", result.baseline), ("current", result.current)]
    inventory = {} if result.baseline else {"inventory": inventory_json(result.inventory)}
    return {
        "schema": SCHEMA,
        "kind": result.kind,
        "engine": result.engine,
        "policy": result.policy,
        "verdict": str(result.verdict),
        "changed": result.changed,
        "headline": message_json(result.headline),
        **{name: _side(side) if side else None for name, side in sides},
        "gap_s": result.gap_s,
        "suspects": [_suspect(suspect, names) for suspect in result.suspects],
        "changes": _changes(result.changes, names),
        "watch": [_watch(item, names) for item in result.watch],
        "context": [_evidence(item, names) for item in result.context],
        "ignored": [ignored_json(item, lambda finding: _evidence(finding, names)) for item in result.ignored],
        "coverage": _coverage(result.coverage),
        "fitness": [_fitness(name, item) for name, side in sides if side for item in side.fitness],
        **inventory,
    }


def port_json(ref: PortRef) -> Json:
    """Return a port as it stands in the document."""
    return {
        "node_guid": ref.key.node_guid,
        "port": ref.key.port_num,
        "node": ref.node,
        "label": ref.label,
        "plane": ref.plane,
        "role": ref.role,
        "purpose": ref.purpose or None,
    }


def time_json(when: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC, to the second."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if when else None


def note_json(note: Note) -> Json:
    """Return a note as it stands in documents and manifests."""
    return {
        "code": note.code,
        "level": str(note.level),
        "message": note.message,
        "path": note.path,
        "line": note.line,
        "help": note.help,
    }


def source_json(source: SourceRecord) -> Json:
    """Return a source file as it stands in documents and manifests."""
    return {
        "path": source.path,
        "sha256": source.sha256,
        "size": source.size,
        "parser": source.parser,
        "outcome": source.outcome,
        "whole": source.whole,
        "own_time": time_json(source.own_time),
        "stale": source.stale,
    }


def window_json(window: Window) -> Json:
    """Return a window as it stands in documents and manifests."""
    return {"began_at": time_json(window.began_at), "ended_at": time_json(window.ended_at)}


def fitness_json(item: Fitness) -> Json:
    """Return a fitness finding as it stands in documents and manifests."""
    return {
        "code": item.code,
        "level": str(item.level),
        "text": item.message,
        "help": item.help,
        "count": item.count,
        "examples": list(item.examples),
    }


def _fitness(side: str, item: Fitness) -> Json:
    return {"side": side, **fitness_json(item)}


def _side(side: Side) -> Json:
    return {
        "label": side.label,
        "window": window_json(side.window),
        "counts": dict(side.counts),
        "fabric": side.fabric,
        "tools": dict(side.tools),
        "commands": list(side.commands),
        "sources": [source_json(source) for source in side.sources],
        "tables": dict(side.tables),
        "raw": dict(side.raw),
        "notes": [note_json(note) for note in side.notes],
    }


def _port(key: PortKey | None, names: Names) -> Json | None:
    return port_json(names(key)) if key is not None else None


def _suspect(suspect: Suspect, names: Names) -> Json:
    link, direction = suspect.link, suspect.direction
    return {
        "rank": suspect.rank,
        "headline": message_json(suspect.headline),
        "link": {"a": _port(link.a, names), "b": _port(link.b, names)} if link else None,
        "device": _device(suspect, names),
        "component": str(suspect.component),
        "end": _port(suspect.end, names),
        "direction": {"from": _port(direction[0], names), "to": _port(direction[1], names)}
        if direction
        else None,
        "confidence": {
            "link": round(suspect.confidence.link, 3),
            "end": round(suspect.confidence.end, 3),
            "component": round(suspect.confidence.component, 3),
        },
        "severity": str(suspect.severity),
        "score": round(suspect.score, 2),
        "evidence": [_evidence(item, names) for item in suspect.evidence],
        "victims": [_victim(victim, names) for victim in suspect.victims],
        "because": message_json(suspect.because) if suspect.because else None,
        "lately": message_json(suspect.lately) if suspect.lately else None,
        "next_action": message_json(suspect.next_action),
        "actions": [action_json(action) for action in suspect.actions],
        "disproof": [message_json(message) for message in suspect.disproof],
        "missing": [_not_judged(item) for item in suspect.missing],
        "confirm": [command_json(command) for command in suspect.confirm],
        "parts": [part_json(part) for part in suspect.parts],
        "around": [around_json(around) for around in suspect.around],
    }


def _device(suspect: Suspect, names: Names) -> Json | None:
    guid = suspect.node_guid
    if guid is None:
        return None
    return {"node_guid": guid, "node": names(PortKey(guid, 0)).node, "host": suspect.host}


def _watch(item: Watch, names: Names) -> Json:
    return {
        "kind": item.evidence.rule,
        **message_json(item.evidence.message),
        "where": _port(item.evidence.where, names),
        "score": round(item.score, 2),
    }


def _victim(victim: Victim, names: Names) -> Json:
    ref = port_json(names(victim.port))
    return {**ref, "by": str(victim.by), **message_json(victim.evidence.message)}


def _evidence(item: Evidence, names: Names) -> Json:
    return {
        "kind": item.rule,
        **message_json(item.message),
        "where": _port(item.where, names),
        "towards": _port(item.towards, names),
        "before": item.before,
        "after": item.after,
        "unit": item.unit,
        "exposure": item.exposure,
        "exposure_unit": item.exposure_unit,
        "class": str(item.delta if item.delta is not DeltaClass.ABSENT else DeltaClass.UNKNOWN),
        "strength": str(item.strength),
        "weight": round(item.weight, 2),
        "group": item.group,
        "source": item.source,
        "available": list(item.available),
        "place": place_json(item.place),
        "lanes": lanes_json(item.lanes),
        "steps": [step_json(step) for step in item.steps],
    }


def _changes(changes: Iterable[Change], names: Names) -> list[Json]:
    """Group changes: one entry a kind and group, with a count and the first examples."""
    groups: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        groups.setdefault((change.kind, change.group), []).append(change)
    return [_change_group(kind, group, members, names) for (kind, group), members in groups.items()]


def _change_group(kind: str, group: str, members: Sequence[Change], names: Names) -> Json:
    return {
        "kind": kind,
        "group": group,
        "count": len(members),
        "examples": [_change(member, names) for member in members[:EXAMPLES]],
        "omitted": max(0, len(members) - EXAMPLES),
    }


def _change(change: Change, names: Names) -> Json:
    guid = change.node_guid or (change.port.node_guid if change.port else None)
    return {
        **message_json(change.message),
        "where": _port(change.port, names),
        "node_guid": guid,
        "node": names(PortKey(guid, 0)).node if guid else None,
        "before": change.before,
        "after": change.after,
    }


def _coverage(coverage: Coverage) -> Json:
    share = coverage.share
    return {
        "nodes": dict(coverage.nodes),
        "ports": dict(coverage.ports),
        "links": dict(coverage.links),
        "share": round(share, 4) if share is not None else None,
        "compared": list(coverage.compared),
        "not_judged": [_not_judged(item) for item in coverage.not_judged],
        "collected": [item.json() for item in coverage.collected],
    }


def _not_judged(item: NotJudged) -> Json:
    return {
        "what": item.what,
        **message_json(item.reason),
        "help": item.help,
        "count": item.count,
        "examples": list(item.examples),
    }
