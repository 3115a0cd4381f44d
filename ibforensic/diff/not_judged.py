"""What could not be judged, why, and how to collect it next time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ibforensic.diff import cut_files, ethernet, failed_devices, order
from ibforensic.diff.deltas import Growth, Known, Mask
from ibforensic.diff.growth import PortGrowth
from ibforensic.diff.no_time import pair_time_help, why_no_time
from ibforensic.diff.pair import Pair
from ibforensic.diff.topology import Topology
from ibforensic.diff.view import View
from ibforensic.diff.who import Who
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.counters.pma import ERRORS
from ibforensic.model.enums import CounterClass, CounterGroup, Quality
from ibforensic.model.records import NotJudged, say
from ibforensic.model.words import counted
from ibforensic.snapshot.how_to_collect import counters_help, uptime_help

ERROR_CLASSES = (
    CounterClass.PHYSICAL,
    CounterClass.LIFECYCLE,
    CounterClass.PROPAGATED,
    CounterClass.CONGESTION,
)
CLEARED_SHARE = 0.5
"""Where so many of the ports in use were cleared, what was counted before is worth a line."""
IDLE_PACKETS = 30_000
"""Fewer packets without a damaged one do not show that less than one in 10,000 is damaged (3/N, 95 %)."""
_UNEVEN = "{counter} was read from other registers than before, or unevenly: growth cannot be told"
_NO_SUCH = int(Quality.UNSUPPORTED)
_UNSUPPORTED = "in the {side} the device says that it does not support {counter}: a 0 there counts nothing"
_EXAMPLES = 5


def tell(
    pair: Pair,
    growth: PortGrowth,
    topology: Topology,
    who: Who,
    judged: Mask,
    same: bool,
) -> Iterator[NotJudged]:
    """Say what could not be judged, the gravest first.

    Args:
        pair: The two samples.
        growth: What the counters did.
        topology: What is connected to what.
        who: Names.
        judged: Ports in use whose error counters could be compared.
        same: Whether both samples are the same collection.
    """
    if ethernet.all_of_them(pair):
        yield from ethernet.gap(pair, who)
        return
    yield from _empty(pair)
    yield from order.gap(pair, growth)
    if not _benchmarks(pair.current):
        yield from _cut(pair, topology)
    yield from _silent(pair, topology, who)
    yield from failed_devices.gap(pair)
    yield from _no_counters(pair, who, judged)
    if pair.alone:
        yield from _no_past(pair, growth, judged)
    if not (same or pair.alone or pair.empty or pair.gap_s):
        yield NotJudged("rates", why_no_time(pair), pair_time_help(pair))
    yield from _full(pair, growth, who)
    if not (same or pair.alone or pair.gap_s == 0):
        yield from _idle(pair, growth, who, judged)
    yield from _by_lid(pair)
    yield from _cleared(pair, growth)
    yield from _cells(pair, growth, who)
    yield from ethernet.gap(pair, who)
    yield from _stale(pair)
    yield from _not_collected(pair)


def _no_past(pair: Pair, growth: PortGrowth, judged: Mask) -> Iterator[NotJudged]:
    """A sample on its own: what is new is not known, and often not since when a port has counted."""
    text = "there is no baseline: today's trouble cannot be told from what has been so for months"
    help_ = "keep this as a snapshot, collect again later, and compare the two (ibforensic diff)"
    yield NotJudged("what is new", say("not_judged.no_baseline", text), help_)
    timeless = judged & np.isnan(growth.seconds[ERRORS])
    if timeless.any():
        text = "nobody tells since when these ports have been counting: no rates, only totals"
        help_ = uptime_help(pair.current.sample.info.sources)
        yield NotJudged("rates", say("not_judged.no_uptime", text), help_, int(timeless.sum()))


def _cut(pair: Pair, topology: Topology) -> Iterator[NotJudged]:
    """Files that are cut, or a fabric that was scanned in part: absence proves nothing."""
    lost = pair.current.cut_fabric
    if lost:
        side, _ = pair.sides[-1]
        text = "{files} of the {side} is cut: what it lacks is not observed, not gone"
        reason = say("not_judged.cut", text, files=", ".join(lost), side=side)
        yield NotJudged("absence of nodes and links", reason, _copy_again([side]))
    elif not topology.observed:
        count = len(topology.missing_nodes)
        text = (
            "{count} nodes of the baseline are absent, more than half: the fabric was scanned in part, "
            "or files are missing"
        )
        reason = say("not_judged.part", text, count=count)
        yield NotJudged(
            "absence of nodes and links", reason, "collect again, without a scope, and keep all files", count
        )
    before = pair.baseline.cut_fabric
    if before and not pair.alone:
        text = "{files} of the baseline is cut: what it lacks may have been there"
        reason = say("not_judged.cut_before", text, files=", ".join(before))
        yield NotJudged("new nodes and links", reason, _copy_again(["baseline"]))
    for side, view in pair.sides:
        for what, paths in cut_files.by_kind(view.sample, view.cut_fabric).items():
            text = "{files} of the {side} is cut: what it lacks was not read"
            reason = say("not_judged.cut_rest", text, files=", ".join(paths), side=side)
            yield NotJudged(what, reason, _copy_again([side]))


def _silent(pair: Pair, topology: Topology, who: Who) -> Iterator[NotJudged]:
    """Nodes that are absent although a port that faced them is up: something there holds the link up."""
    if not topology.observed:
        return
    facing = [ends for link in topology.lost_links for ends in (link, (link.b, link.a))]
    gone = {end.node_guid for end, peer in facing if peer in pair.current.up}
    silent = sorted(guid for guid, heir in topology.missing_nodes.items() if guid in gone and not heir)
    if silent:
        text = (
            "{nodes} absent although a port that faced them is up: "
            "they did not answer, or are missing from a file"
        )
        reason = say("not_judged.silent", text, nodes=counted(len(silent), "node"))
        help_ = "collect again; a node that stays silent with its link up is to be looked at itself"
        names = tuple(who.name(guid) for guid in silent[:_EXAMPLES])
        yield NotJudged("nodes that did not answer", reason, help_, len(silent), names)


def _copy_again(sides: Sequence[str]) -> str:
    """Say whose output is to be copied again."""
    return f"copy the output {' and '.join(f'of the {side}' for side in sides)} again, as a whole"


def _empty(pair: Pair) -> Iterator[NotJudged]:
    """Sides that tell of nothing in the fabric, such as a log without its db_csv."""
    for side, view in pair.sides:
        if _benchmarks(view):
            text = "the {side} holds results of benchmarks and nothing of the fabric: they name no port"
            help_ = "add ibdiagnet output of the same time; benchmarks can be kept beside it"
            yield NotJudged("everything", say("not_judged.benchmarks", text, side=side), help_)
        elif view.empty and view.sums_alone:
            text = "the {side} holds sums over all ports of a node (perfquery -a): a sum names no port"
            help_ = "ask each port for itself, with perfquery -x -l for each node, or run ibdiagnet"
            yield NotJudged("everything", say("not_judged.sums", text, side=side), help_)
        elif view.empty:
            reason = say("not_judged.empty", "the {side} tells of no node and no port", side=side)
            help_ = f"give all files of the run as the {side}, ibdiagnet2.db_csv first of all"
            yield NotJudged("everything", reason, _help(pair, [side], help_))


def _benchmarks(view: View) -> bool:
    """Whether a side holds results of benchmarks and tells of no node and no port."""
    return view.empty and bool(view.sample.info.tables.get("bench_runs"))


def _stale(pair: Pair) -> Iterator[NotJudged]:
    """Files that belong to another run than the rest of their sample."""
    for side, view in pair.sides:
        stale = sorted(view.stale)
        if stale:
            text = "{count} files of the {side} are from another run"
            reason = say("not_judged.stale", text, count=len(stale), side=side)
            help_ = "empty the output directory before a run"
            yield NotJudged("files of another run", reason, help_, len(stale), tuple(stale[:_EXAMPLES]))


_KINDS = (
    (
        "bit error ratios",
        ("phy", f"counters_{CounterGroup.PHY}"),
        "run ibdiagnet with --get_phy_info",
    ),
    (
        "cables and modules",
        ("modules",),
        "run ibdiagnet with --get_cable_info --get_phy_info",
    ),
)
"""Kinds of data that judge a link better than its counters: what, tables that hold it, how to collect it."""


def _not_collected(pair: Pair) -> Iterator[NotJudged]:
    """Kinds of data that a side does not hold."""
    for what, names, help_ in _KINDS:
        lacking = [
            side
            for side, view in pair.sides
            if not view.empty and not any(_holds(view, name) for name in names)
        ]
        if lacking:
            sides = " and ".join(f"the {side}" for side in lacking)
            text = "{sides} holds none" if len(lacking) == 1 else "{sides} hold none"
            reason = say("not_judged.lacking", text, sides=sides)
            yield NotJudged(what, reason, _help(pair, lacking, help_))


def _holds(view: View, name: str) -> bool:
    """Whether a side holds rows of a table that count: those of another run may not."""
    found = view.sample.info.tables.get(name)
    return bool(found) and (not view.stale or view.table(name, ("source",)).num_rows > 0)


def _help(pair: Pair, lacking: Sequence[str], help_: str) -> str:
    """Say how to get what some sides lack; where those are cut, it may have been lost with the rest."""
    whole = [side for side, view in pair.sides if side in lacking and not view.cut]
    return help_ if whole else _copy_again(lacking)


def _no_counters(pair: Pair, who: Who, judged: Mask) -> Iterator[NotJudged]:
    """Connected ports whose error counters could not be compared, by reason."""
    missing = pair.in_use & ~judged
    without = {side: view for side, view in pair.sides if view.counters(CounterGroup.PMA) is None}
    for side, view in without.items():
        if not view.empty:
            reason = say("not_judged.no_counters", "the {side} holds no port counters", side=side)
            help_ = counters_help(view.sample.info.sources, both_times=not pair.alone)
            yield NotJudged("error counters", reason, _help(pair, [side], help_), int(missing.sum()))
    if missing.any() and not without:
        text = "these ports have counters on one side only, or none that can be compared"
        if pair.alone:
            text = "these ports have no counters, or none that can be used"
        reason = say("not_judged.uncounted" if pair.alone else "not_judged.ports", text)
        help_ = counters_help(pair.current.sample.info.sources, both_times=not pair.alone)
        places = [who.call(pair.port_keys[at]) for at in np.flatnonzero(missing)[:_EXAMPLES]]
        yield NotJudged("error counters of some ports", reason, help_, int(missing.sum()), tuple(places))


def _by_lid(pair: Pair) -> Iterator[NotJudged]:
    """Counters that were asked by LID: who had that LID is taken from the other sample, or not known."""
    count = pair.baseline.lids_only + pair.current.lids_only
    if count:
        text = (
            "{count} blocks of counters name a LID only; if LIDs changed in between, they are of other ports"
        )
        help_ = "keep ibnetdiscover or ibdiagnet output of the same time with them"
        yield NotJudged("identity of ports", say("not_judged.by_lid", text, count=count), help_, count)


def cleared_by_hand(pair: Pair, growth: PortGrowth) -> Mask:
    """Ports in use whose counters are known to have been cleared without a reset of the node.

    Args:
        pair: The two samples.
        growth: What the counters did.
    """
    masks = [np.zeros(len(pair.in_use), dtype=np.bool_), *growth.cleared.sure.values()]
    found: Mask = np.logical_or.reduce(masks) & pair.in_use & np.isnan(pair.uptime_s)
    return found


def _cleared(pair: Pair, growth: PortGrowth) -> Iterator[NotJudged]:
    """Counters that were cleared nearly everywhere: what they had counted before is lost."""
    cleared = cleared_by_hand(pair, growth)
    if pair.in_use.any() and cleared.sum() >= CLEARED_SHARE * pair.in_use.sum():
        text = "counters were cleared on {count} ports: what they counted before that is lost"
        reason = say("not_judged.cleared", text, count=int(cleared.sum()))
        yield NotJudged("growth before the clear", reason, "keep the counters running", int(cleared.sum()))


def full_before(growth: PortGrowth) -> Mask:
    """Ports of which a counter of damage was full in the baseline, so that nothing tells of its growth.

    Args:
        growth: What the counters did.
    """
    damage = [item for name, item in growth.counters.items() if CATALOGUE[name].kind is CounterClass.PHYSICAL]
    found: Mask = np.logical_or.reduce([_was_full(item) for item in damage])
    return found


def _was_full(item: Growth) -> Mask:
    full: Mask = (item.known == int(Known.UNKNOWN)) & (item.before.quality == int(Quality.SATURATED))
    return full


def _full(pair: Pair, growth: PortGrowth, who: Who) -> Iterator[NotJudged]:
    """Error counters that were full before: a fault there would not show."""
    for name, item in growth.counters.items():
        at = np.flatnonzero(_was_full(item) & pair.in_use)
        if CATALOGUE[name].kind in ERROR_CLASSES and len(at):
            reason = say(
                "not_judged.full", "{counter} was full in the baseline: growth cannot be seen", counter=name
            )
            places = tuple(who.call(pair.port_keys[place]) for place in at[:_EXAMPLES])
            yield NotJudged(name, reason, "", len(at), places)


def _cells(pair: Pair, growth: PortGrowth, who: Who) -> Iterator[NotJudged]:
    """Error counters of single ports: not supported, of registers that do not fit, or on one side only."""
    sides = [np.logical_or.reduce(side) for side in _known_at_all(growth)]
    in_use = pair.in_use & sides[0] & sides[1]
    for name, item in growth.counters.items():
        if CATALOGUE[name].kind not in ERROR_CLASSES:
            continue
        full = _was_full(item)
        then, now = (_one_sided(item) & (side.quality == _NO_SUCH) for side in (item.before, item.after))
        help_ = counters_help(pair.current.sample.info.sources, both_times=True)
        one_sided = "{counter} has a value on one side only"
        reasons = (
            (_uneven(item) & ~full, say("not_judged.uneven", _UNEVEN, counter=name), ""),
            (then, say("not_judged.unsupported", _UNSUPPORTED, counter=name, side="baseline"), ""),
            (now, say("not_judged.unsupported", _UNSUPPORTED, counter=name, side="current sample"), ""),
            (
                _one_sided(item) & ~full & ~then & ~now,
                say("not_judged.one_sided", one_sided, counter=name),
                help_,
            ),
        )
        for mask, reason, why_help in reasons:
            at = np.flatnonzero(mask & in_use)
            if len(at):
                places = tuple(who.call(pair.port_keys[place]) for place in at[:_EXAMPLES])
                yield NotJudged(name, reason, why_help, len(at), places)


def _idle(pair: Pair, growth: PortGrowth, who: Who, judged: Mask) -> Iterator[NotJudged]:
    """Ports that received hardly any packets between the samples: none could be seen to be damaged."""
    received = growth.counters["port_rcv_pkts"]
    at = np.flatnonzero(judged & (received.known == int(Known.EXACT)) & (received.delta < IDLE_PACKETS))
    if len(at):
        text = (
            "these ports received fewer than {least:,} packets between the samples: damage could hardly show"
        )
        reason = say("not_judged.idle", text, least=IDLE_PACKETS)
        places = tuple(who.call(pair.port_keys[place]) for place in at[:_EXAMPLES])
        yield NotJudged("packets of idle ports", reason, "collect again under load", len(at), places)


def _known_at_all(growth: PortGrowth) -> tuple[list[Mask], list[Mask]]:
    """Masks of the ports at which each counter has a value before, and now."""
    counters = growth.counters.values()
    return [item.before.known for item in counters], [item.after.known for item in counters]


def _uneven(item: Growth) -> Mask:
    """Where both sides have a value, and still the growth is not known."""
    uneven: Mask = item.before.known & item.after.known & (item.known == int(Known.UNKNOWN))
    return uneven


def _one_sided(item: Growth) -> Mask:
    """Where a counter has a usable value on exactly one side."""
    one: Mask = item.before.known ^ item.after.known
    return one
