"""What links and nodes do now against what they did: width, speed, FEC, MTU, firmware, reboots, clears."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow.compute as pc

from ibforensic.diff.growth import PortGrowth
from ibforensic.diff.pair import Pair
from ibforensic.diff.who import Who
from ibforensic.model.records import Change, say

_PORT_FIELDS: tuple[tuple[str, str], ...] = (
    ("width_active", "width"),
    ("speed_active", "speed"),
    ("fec", "FEC"),
    ("retransmission", "retransmission"),
    ("mtu", "MTU"),
    ("split", "split"),
    ("speed_enabled", "enabled speeds"),
    ("width_enabled", "enabled widths"),
)
_NODE_FIELDS: tuple[tuple[str, str], ...] = (
    ("fw_version", "firmware"),
    ("psid", "PSID"),
    ("serial", "serial number"),
)
FABRIC_SHARE = 0.5
"""Where so many of all nodes were cleared, one line for the fabric replaces a line a node."""


def changes(pair: Pair, who: Who, growth: PortGrowth) -> Iterator[Change]:
    """Tell the differences in state as facts."""
    yield from _ports(pair, who)
    yield from _nodes(pair, who)
    yield from _restarts(pair, who)
    yield from _clears(pair, who, growth)


def _ports(pair: Pair, who: Who) -> Iterator[Change]:
    """Fields of ports that both samples know and that differ."""
    keys = pair.port_keys
    for field, word in _PORT_FIELDS:
        before, after = pair.before[field], pair.after[field]
        differs = pc.fill_null(pc.not_equal(before, after), False)
        for position in pc.indices_nonzero(differs).to_pylist():
            port, then, now = keys[position], before[position].as_py(), after[position].as_py()
            if port.port_num == 0:
                continue
            text = say(
                "change.port_field",
                "{port}: {word} {before} → {after}",
                port=who.call(port),
                word=word,
                before=then,
                after=now,
            )
            yield Change(f"port_{field}", text, port=port, before=then, after=now, group=f"{then} → {now}")


def _nodes(pair: Pair, who: Who) -> Iterator[Change]:
    for guid, now in pair.current.nodes.items():
        then = pair.baseline.nodes.get(guid)
        for field, word in _NODE_FIELDS:
            if then and then[field] and now[field] and then[field] != now[field]:
                text = say(
                    "change.node_field",
                    "{node}: {word} {before} → {after}",
                    node=who.name(guid),
                    word=word,
                    before=then[field],
                    after=now[field],
                )
                yield Change(
                    f"node_{field}",
                    text,
                    guid,
                    before=then[field],
                    after=now[field],
                    group=f"{then[field]} → {now[field]}",
                )


def _restarts(pair: Pair, who: Who) -> Iterator[Change]:
    boxes: dict[str, list[str]] = {}
    for guid in sorted(pair.restarted):
        boxes.setdefault(who.host(guid) or who.name(guid), []).append(guid)
    for box, guids in boxes.items():
        uptime = max(pair.restarted[guid] for guid in guids)
        text = say(
            "change.node_rebooted",
            "{box}{hcas} was reset {hours:.1f} hours before the current sample: its counters began again",
            box=box,
            hcas=f" ({len(guids)} HCAs)" if len(guids) > 1 else "",
            hours=uptime / 3600,
        )
        role = "host" if len(guids) > 1 else str(who.roles.get(guids[0], ""))
        yield Change("node_rebooted", text, guids[0], after=uptime, group=role)


def _clears(pair: Pair, who: Who, growth: PortGrowth) -> Iterator[Change]:
    """Clears that are seen in the counters, apart from those a reset explains."""
    yield from cleared_by_run(pair)
    nodes: dict[str, set[str]] = {}
    for group, mask in growth.cleared.fell.items():
        for position in mask.nonzero()[0].tolist():
            guid = pair.port_keys[position].node_guid
            if guid not in pair.restarted and group not in pair.cleared_by_run:
                nodes.setdefault(guid, set()).add(group)
    both = len(set(pair.baseline.nodes) & set(pair.current.nodes))
    if both and len(nodes) >= max(3, FABRIC_SHARE * both):
        text = say(
            "change.fabric_cleared",
            "counters were cleared on {count} of {both} nodes between the samples",
            count=len(nodes),
            both=both,
        )
        yield Change("fabric_cleared", text, after=len(nodes))
        return
    for guid, groups in nodes.items():
        words = ", ".join(sorted(groups)).replace("_", " ")
        text = say(
            "change.counters_cleared",
            "{node}: counters were cleared ({groups}); growth is a lower bound",
            node=who.name(guid),
            groups=words,
        )
        yield Change("counters_cleared", text, guid, after=words, group=str(who.roles.get(guid, "")))


def cleared_by_run(pair: Pair) -> Iterator[Change]:
    """Tell of a clear that the current run itself made."""
    if pair.cleared_by_run:
        text = say(
            "change.cleared_by_run",
            "the current run itself cleared counters everywhere before it read them ({groups})",
            groups=", ".join(pair.cleared_by_run).replace("_", " "),
        )
        when = next(iter(pair.cleared_by_run.values()))
        yield Change("counters_cleared_by_run", text, after=when.isoformat() if when else None)
