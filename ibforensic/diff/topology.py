"""What became of nodes, links and ports. Facts only: what happened is named, not who is to blame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.pair import Pair
from ibforensic.diff.who import Who
from ibforensic.model.enums import NodeType, PortState, Role
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.model.records import Change, say

SCANNED_LEAST = 0.5
"""Where more than this share of the nodes is absent, the fabric was not scanned as a whole."""


@dataclass(frozen=True, slots=True)
class Topology:
    """Differences in what is connected to what.

    Attributes:
        missing_nodes: Nodes of the baseline that are gone → the node that stands in their place.
        new_nodes: Nodes that were not in the baseline.
        lost_links: Links of the baseline of which at least one end is there but leads nowhere now.
        unlisted_links: Links of the baseline that are not listed although both ends are up.
        moved_links: Links of the baseline whose ends are both connected elsewhere, or by a new node.
        new_links: Links that were not in the baseline.
        observed: False where the current files are cut or most nodes absent: absence proves nothing.
        observed_before: False where the baseline's files are cut: nothing can be called new then.
    """

    missing_nodes: dict[str, str | None]
    new_nodes: frozenset[str]
    lost_links: tuple[LinkKey, ...]
    unlisted_links: tuple[LinkKey, ...]
    moved_links: tuple[LinkKey, ...]
    new_links: tuple[LinkKey, ...]
    observed: bool
    observed_before: bool


def compare(pair: Pair) -> Topology:
    """Compare nodes and links of the two samples.

    A sample that tells of no link at all (host text only) says nothing about links.
    """
    then, now = pair.baseline, pair.current
    gone = set(then.nodes) - set(now.nodes) if now.nodes and _tells_fabric(now.nodes) else set()
    if gone:
        gone -= {port.node_guid for port in now.speaking}
    new = frozenset(set(now.nodes) - set(then.nodes)) if _tells_fabric(then.nodes) else frozenset()
    judge_links = bool(then.links and now.links)
    absent = sorted(then.links.keys() - now.links.keys()) if judge_links else []
    moved = tuple(link for link in absent if _elsewhere(link, pair))
    unlisted = tuple(link for link in absent if link not in set(moved) and now.up.issuperset(link))
    lost = tuple(link for link in absent if link not in {*moved, *unlisted})
    successors = _successors(gone, new, pair)
    return Topology(
        {guid: successors.get(guid) for guid in sorted(gone)},
        new,
        lost,
        unlisted,
        moved,
        tuple(sorted(now.links.keys() - then.links.keys())) if judge_links else (),
        not now.cut_fabric and len(gone) <= SCANNED_LEAST * len(then.nodes),
        not then.cut_fabric,
    )


def _tells_fabric(nodes: object) -> bool:
    """Whether a sample looked at a fabric, not at a single host."""
    rows = nodes.values() if isinstance(nodes, dict) else ()
    return any(row["node_type"] == NodeType.SWITCH for row in rows)


def _elsewhere(link: LinkKey, pair: Pair) -> bool:
    """Whether an end of a link that is gone is connected to something else now."""
    return any(end in pair.current.peers for end in link)


def _successors(gone: set[str], new: frozenset[str], pair: Pair) -> dict[str, str]:
    """New nodes that stand where missing ones stood: at the same ports of the same neighbours."""
    found: dict[str, str] = {}
    if not gone or not new:
        return found
    theirs = [ends for ends in pair.baseline.peers.items() if ends[0].node_guid in gone]
    for port, peer in sorted(theirs):
        there = pair.current.peers.get(peer)
        if there is not None and there.node_guid in new:
            found.setdefault(port.node_guid, there.node_guid)
    return found


def changes(pair: Pair, who: Who, topology: Topology) -> Iterator[Change]:
    """Tell the differences as facts."""
    yield from _nodes(pair, who, topology)
    yield from _links(who, topology)
    yield from _ports_down(pair, who, topology)


def _nodes(pair: Pair, who: Who, topology: Topology) -> Iterator[Change]:
    for guid, successor in topology.missing_nodes.items():
        name, role = who.name(guid), str(who.roles.get(guid, ""))
        if successor:
            text = say(
                "change.node_replaced",
                "{node} was replaced: {before} → {after}",
                node=name,
                before=guid,
                after=successor,
            )
            yield Change("node_replaced", text, successor, before=guid, after=successor, group=role)
        elif topology.observed:
            text = say(
                "change.node_missing", "{node} ({role}) is no longer in the fabric", node=name, role=role
            )
            yield Change("node_missing", text, guid, before=name, group=role)
        else:
            text = say(
                "change.node_not_observed",
                "{node} is not in the part of the files that could be read",
                node=name,
            )
            yield Change("node_not_observed", text, guid, before=name, group=role)
    unexpected = topology.new_nodes if topology.observed_before else frozenset()
    for guid in sorted(unexpected - set(topology.missing_nodes.values())):
        role = str(who.roles.get(guid, ""))
        yield Change(
            "node_new",
            say("change.node_new", "{node} ({role}) is new", node=who.name(guid), role=role),
            guid,
            after=who.name(guid),
            group=role,
        )
    for guid, node in pair.current.nodes.items():
        then = pair.baseline.nodes.get(guid)
        if then and then["node_desc"] and node["node_desc"] and then["node_desc"] != node["node_desc"]:
            before, after = (
                str(then["node_name"] or then["node_desc"]),
                str(node["node_name"] or node["node_desc"]),
            )
            text = say("change.node_renamed", "{before} is now called {after}", before=before, after=after)
            yield Change(
                "node_renamed", text, guid, before=before, after=after, group=str(who.roles.get(guid, ""))
            )


def _links(who: Who, topology: Topology) -> Iterator[Change]:
    replaced = set(topology.missing_nodes) | {guid for guid in topology.missing_nodes.values() if guid}
    for link in topology.lost_links:
        kind = "link_lost" if topology.observed else "link_not_observed"
        words = "is gone" if topology.observed else "is not in the part of the files that could be read"
        text = say(
            f"change.{kind}",
            "the link {a} – {b} {words}",
            a=who.call(link.a),
            b=who.call(link.b),
            words=words,
        )
        yield Change(kind, text, port=_anchor(link, who), before=who.call(link.a), after=None)
    for link in topology.unlisted_links:
        text = say(
            "change.link_not_listed",
            "the link {a} – {b} is not listed, although both of its ends are up",
            a=who.call(link.a),
            b=who.call(link.b),
        )
        yield Change("link_not_listed", text, port=_anchor(link, who), before=who.call(link.b))
    for link in topology.moved_links:
        if not replaced & {link.a.node_guid, link.b.node_guid}:
            text = say(
                "change.link_moved",
                "the link {a} – {b} was plugged elsewhere",
                a=who.call(link.a),
                b=who.call(link.b),
            )
            yield Change("link_moved", text, port=_anchor(link, who), before=who.call(link.b))
    for link in topology.new_links if topology.observed_before else ():
        if not (topology.new_nodes | replaced) & {link.a.node_guid, link.b.node_guid}:
            text = say("change.link_new", "the link {a} – {b} is new", a=who.call(link.a), b=who.call(link.b))
            yield Change("link_new", text, port=_anchor(link, who), after=who.call(link.b))


def _anchor(link: LinkKey, who: Who) -> PortKey:
    """The end by which a link is listed: the switch's."""
    return link.b if who.roles.get(link.a.node_guid) is Role.HCA else link.a


def _ports_down(pair: Pair, who: Who, topology: Topology) -> Iterator[Change]:
    """Ports that were up and are called down now, beyond those whose lost link was told already."""
    told = {end for link in (*topology.lost_links, *topology.moved_links) for end in link}
    then, now = pair.before["state"], pair.after["state"]
    other = pc.invert(pc.is_in(now, value_set=pa.array(["", PortState.ACTIVE.value])))
    fell = pc.and_(pc.equal(then, PortState.ACTIVE.value), pc.and_(pc.is_valid(now), other))
    for at in pc.indices_nonzero(pc.fill_null(fell, False)).to_pylist():
        port, before, after = pair.port_keys[at], then[at].as_py(), now[at].as_py()
        if port not in told and port.port_num:
            text = say(
                "change.port_state",
                "{port}: {before} → {after}",
                port=who.call(port),
                before=before,
                after=after,
            )
            yield Change("port_state", text, port=port, before=before, after=after, group=str(after))


def link_of(port: PortKey, who: Who) -> LinkKey | None:
    """The link a port belongs to, or belonged to in the baseline."""
    peer = who.peers.get(port)
    return link_key(port, peer) if peer else None
