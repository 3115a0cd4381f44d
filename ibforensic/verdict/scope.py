"""A scope: layers of the fabric and nodes to which a report is restricted.

The whole fabric is judged all the same, so that what is ordinary, who suffers and who is the cause stay what
they are. Only then suspects, weak signs and changes outside of the scope are left out, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from ibforensic.diff.facts import Facts
from ibforensic.diff.topology import link_of
from ibforensic.diff.who import Who
from ibforensic.evidence.node_lost import SILENT
from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey, guid
from ibforensic.model.records import Change, Evidence, Message, NotJudged, Suspect, say
from ibforensic.model.words import counted
from ibforensic.verdict.judge import Judgement

LAYERS = (Role.HCA, Role.LEAF, Role.SPINE, Role.CORE, Role.SWITCH, Role.ROUTER, Role.GATEWAY)
"""Layers that can be named: the places that nodes have in a fabric."""
LEFT_OUT = "scope.left_out"
_SHOWN = 5
_PATTERN = re.compile(r"[*?\\[]")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a report is restricted to; what is empty restricts nothing.

    Attributes:
        layers: Names of layers. A link belongs to the layers of both of its ends.
        nodes: GUIDs, or names of nodes or hosts, which may hold ``*`` and ``?``.
    """

    layers: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether it restricts anything."""
        return bool(self.layers or self.nodes)

    def __str__(self) -> str:
        """Say it as the options that make it."""
        told = (("--layers", self.layers), ("--nodes", self.nodes))
        return " ".join(f"{name} {','.join(values)}" for name, values in told if values)


EVERYWHERE = Scope()


def restrict(facts: Facts, judgement: Judgement, scope: Scope) -> tuple[Facts, Judgement]:
    """Leave out what is outside of a scope, and count it.

    Args:
        facts: What is true of the samples.
        judgement: What was made of it.
        scope: What is wanted.

    Returns:
        The facts with the changes in scope, and the judgement with the suspects in scope, ranked anew; what
        was left out is counted in what is not judged, and its suspects stand in ``outside``.

    Raises:
        BadUsage: The scope names a layer or a node that there is not.
    """
    if not scope:
        return facts, judgement
    nodes = _nodes(facts.who, scope)
    inside = [suspect for suspect in judgement.suspects if _suspected(suspect, facts.who) & nodes]
    outside = tuple(suspect for suspect in judgement.suspects if suspect not in inside)
    watch = tuple(sign for sign in judgement.watch if _told_of(sign.evidence, facts.who) & nodes)
    changes = tuple(change for change in facts.changes if _changed(change, facts.who, nodes))
    sizes = (
        (len(outside), "suspect"),
        (len(judgement.watch) - len(watch), "weak sign"),
        (len(facts.changes) - len(changes), "change"),
    )
    counts = ", ".join(counted(size, word) for size, word in sizes)
    text = "only {scope} was asked for; left out: {counts}"
    told = say(LEFT_OUT, text, scope=str(scope), counts=counts)
    gap = NotJudged("outside of the scope", told, "run it without --layers and --nodes", len(outside))
    coverage = replace(facts.coverage, not_judged=(gap, *facts.coverage.not_judged))
    evidence = tuple(
        item for item in judgement.evidence if item.message.id != SILENT or _told_of(item, facts.who) & nodes
    )
    ranked = tuple(replace(suspect, rank=rank) for rank, suspect in enumerate(inside, 1))
    return replace(facts, changes=changes, coverage=coverage), replace(
        judgement, suspects=ranked, evidence=evidence, watch=watch, outside=outside
    )


def headline(told: Message, facts: Facts) -> Message:
    """Add to a headline that it is about a part of the fabric; without a scope it stays as it is.

    Args:
        told: What is said without it.
        facts: What is true of the samples, as ``restrict`` leaves them.
    """
    gap = next((gap for gap in facts.coverage.not_judged if gap.reason.id == LEFT_OUT), None)
    if gap is None:
        return told
    note = "{before} (a part of the fabric: {scope})"
    added = say(told.id, note, before=told.text, scope=gap.reason.params["scope"])
    return replace(told, params={**told.params, "scope": gap.reason.params["scope"]}, text=added.text)


def nobody_inside(outside: int) -> Message:
    """Say that all suspects stand outside of the scope.

    Args:
        outside: How many there are.
    """
    text = "nobody in the scope, but {suspects} outside of it"
    return say("headline.nobody_inside", text, suspects=counted(outside, "suspect"), outside=outside)


def _nodes(who: Who, scope: Scope) -> set[str]:
    """GUIDs of the nodes in a scope."""
    there = {*who.nodes, *(port.node_guid for port in who.pair.port_keys)}
    found = set(there)
    if scope.layers:
        check_layers(scope.layers)
        found = {node for node in found if str(who.roles.get(node, "")) in scope.layers}
    if scope.nodes:
        named = [{node for node in there if _is_called(name, node, who)} for name in scope.nodes]
        for name, members in zip(scope.nodes, named, strict=True):
            if not members:
                raise BadUsage(f"--nodes {name}: there is no such node", f"the nodes are {_some(there, who)}")
        found &= set().union(*named)
    return found


def check_layers(layers: Iterable[str]) -> None:
    """Refuse names of layers that there are not.

    Args:
        layers: The names.

    Raises:
        BadUsage: One of them is unknown; the message lists those that there are.
    """
    for layer in layers:
        if layer not in LAYERS:
            raise BadUsage(f"--layers {layer}: there is no such layer", f"the layers are {', '.join(LAYERS)}")


def _is_called(name: str, node: str, who: Who) -> bool:
    """Whether a node has a GUID, or a name that fits: its own, its description, or its host's."""
    if not _PATTERN.search(name) and node == guid(name):
        return True
    own = (who.plain_name(node), who.nodes.get(node, {}).get("node_desc") or "", who.host(node) or "", node)
    boxes = [who.plain_name(node).partition("/")[0]]
    return any(word and fnmatchcase(word.casefold(), name.casefold()) for word in (*own, *boxes))


def _some(nodes: set[str], who: Who) -> str:
    """The first names of nodes, and how many more there are."""
    names = sorted({who.name(node) for node in nodes})
    more = len(names) - _SHOWN
    rest = f" and {more} more (see: ibforensic show SNAPSHOT nodes)" if more > 0 else ""
    return ", ".join(names[:_SHOWN]) + rest


def _places(ports: Iterable[PortKey | None], who: Who) -> Iterator[str]:
    """Nodes at both ends of the links of ports."""
    for port in ports:
        if port is not None:
            yield port.node_guid
            yield from (end.node_guid for end in link_of(port, who) or ())


def _suspected(suspect: Suspect, who: Who) -> set[str]:
    box = who.boxes.get(suspect.host or "", frozenset())
    ends = {end.node_guid for end in suspect.link or ()}
    members = {item.where for item in suspect.evidence if item.group == "member"}
    own = {suspect.node_guid} if suspect.node_guid else set(_places((*members, suspect.end), who))
    return {*box, *ends, *own}


def _told_of(item: Evidence, who: Who) -> set[str]:
    own = {item.node_guid} if item.node_guid else set()
    return own | set(_places((item.where,), who))


def _changed(change: Change, who: Who, nodes: set[str]) -> bool:
    """Whether a change is in scope: that of a node or a port there, or one of the whole fabric."""
    if change.port is None and change.node_guid is None:
        return True
    own = {change.node_guid} if change.node_guid else set()
    return bool((own | set(_places((change.port,), who))) & nodes)
