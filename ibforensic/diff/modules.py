"""Cables and modules: what was changed, and what was carried from one cage to another.

One serial may stand on up to four ports (two ends of a cable, twin-port cages), so the *sets* of cages that
carry a serial are compared. Source: atlas §5.4; KNOWLEDGE §2.1 and §6.8; demand D-21.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.merged import Merged
from ibforensic.diff.pair import Pair
from ibforensic.diff.ports import Ports
from ibforensic.diff.view import Row, View
from ibforensic.diff.who import Who
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Change, say

_END_OF_CABLE = r"-[0-9]$"
"""Ends of a splitter cable carry the serial of its other end with ``-1``, ``-2`` behind it."""

_FIELDS = ("serial", "fw_version", "vendor", "part_number")

Cage = tuple[str, int | None, int | None]
"""Node GUID, and the cage; or the port, where the cage is not known."""

_OtherNodes = tuple[frozenset[str], frozenset[str]]
"""Nodes that are gone, and nodes that are new."""


def changes(pair: Pair, who: Who) -> Iterator[Change]:
    """Tell what became of cables and modules, where both samples know them."""
    sides = _modules(pair.baseline), _modules(pair.current)
    if not all(len(side) for side in sides):
        return
    serials = [clean_serials(side["serial"].combine_chunks()) for side in sides]
    then_at, now_at = (_places(side, its, sides) for side, its in zip(sides, serials, strict=True))
    moved = _moved(then_at, now_at, _other_nodes(pair, sides))
    yield from _carried(moved, who)
    ports = Ports(sides[0].keys.filter(pc.is_in(sides[0].keys, value_set=sides[1].keys)))
    then, now = (side.aligned(ports).select(_FIELDS) for side in sides)
    before, after = (its.take(ports.places_in(side.keys)) for side, its in zip(sides, serials, strict=True))
    other_firmware = pc.fill_null(pc.not_equal(then["fw_version"], now["fw_version"]), False)
    candidates = pc.or_(pc.not_equal(before, after), other_firmware)
    places = pc.indices_nonzero(candidates)
    for port, at in sorted(zip(Ports(ports.keys.take(places)).records, places.to_pylist(), strict=True)):
        was, is_ = (side.slice(at, 1).to_pylist()[0] for side in (then, now))
        yield from _at_port(port, was, is_, moved, who)


def _at_port(port: PortKey, then: Row, now: Row, moved: Collection[str], who: Who) -> Iterator[Change]:
    """Tell what became of the module in one port."""
    before, after = clean_serial(then["serial"]), clean_serial(now["serial"])
    if before and after and before != after and before not in moved and after not in moved:
        text = say(
            "change.module_replaced",
            "{port}: the module {before} was replaced by {after}",
            port=who.call(port),
            before=_name(then),
            after=_name(now),
        )
        yield Change("module_replaced", text, port=port, before=before, after=after)
    elif before == after and then["fw_version"] != now["fw_version"]:
        yield from _firmware(port, then["fw_version"], now["fw_version"], who)


def _modules(view: View) -> Merged:
    """What is known of the modules whose serial somebody tells, one row a port."""
    found = view.merged("modules")
    return found.where(pc.is_valid(found["serial"]))


def clean_serial(serial: str) -> str:
    """Serial of the cable or module, the same for all of its ends."""
    return re.sub(_END_OF_CABLE, "", serial.strip())


def clean_serials(serials: pa.Array) -> pa.Array:
    """The same for a column of serials; null stays null."""
    return pc.replace_substring_regex(pc.utf8_trim_whitespace(serials), _END_OF_CABLE, "")


def _name(row: Row) -> str:
    return " ".join(str(row[field]) for field in ("vendor", "part_number", "serial") if row[field])


def _other_nodes(pair: Pair, sides: Sequence[Merged]) -> _OtherNodes:
    """Nodes that one side alone tells of: by its nodes, or by its modules where only hosts were asked."""
    views = (pair.baseline, pair.current)
    then, now = ({*view.nodes, *Ports(side.keys).nodes} for view, side in zip(views, sides, strict=True))
    return frozenset(then - now), frozenset(now - then)


def _places(modules: Merged, serials: pa.Array, sides: Sequence[Merged]) -> pa.Table:
    """Serials and the cages that carry them, columns serial, guid, cage, port.

    The cage is told by either side: a run without ``--get_cable_info`` has serials alone. A later side
    goes before; the port is null where the cage is known.
    """
    ports = Ports(modules.keys)
    cage = pc.coalesce(*(side.aligned(ports)["cage"] for side in reversed(sides)))
    numbers = pa.array(ports.numbers)
    columns = {
        "serial": serials,
        "guid": pa.array(ports.nodes, pa.string()).take(pa.array(ports.node_at)),
        "cage": cage,
        "port": pc.if_else(pc.is_valid(cage), pa.nulls(len(numbers), numbers.type), numbers),
    }
    table = pa.table(columns)
    return table.filter(pc.not_equal(table["serial"], ""))


def _moved(
    then: pa.Table, now: pa.Table, other_nodes: _OtherNodes
) -> dict[str, tuple[frozenset[Cage], frozenset[Cage]]]:
    """Serials that left a place and stand in another one now → the places they left, and those they took."""
    new = pc.invert(pc.is_in(_spots(now), value_set=_spots(then).combine_chunks()))
    known = pc.is_in(now["serial"], value_set=then["serial"].combine_chunks())
    serials = pc.unique(now["serial"].filter(pc.and_(new, known)))
    before, after = (_cages(side, serials) for side in (then, now))
    places = {
        serial: _other_places(before[serial] - after[serial], after[serial] - before[serial], other_nodes)
        for serial in sorted(serials.to_pylist())
    }
    return {serial: both for serial, both in places.items() if all(both)}


def _other_places(
    left: frozenset[Cage], taken: frozenset[Cage], other_nodes: _OtherNodes
) -> tuple[frozenset[Cage], frozenset[Cage]]:
    """Drop the places that are the same to people: a cage of an HCA that was replaced, of a renamed host."""
    gone, new = other_nodes
    for cage in sorted(left, key=str):
        same = [other for other in sorted(taken, key=str) if other[0] in new and other[1:] == cage[1:]]
        if cage[0] in gone and same:
            left, taken = left - {cage}, taken - {same[0]}
    return left, taken


def _spots(places: pa.Table) -> pa.ChunkedArray:
    """A serial and where it stands, as one text."""
    parts = [pc.fill_null(places[name].cast(pa.string()), "") for name in ("cage", "port", "guid", "serial")]
    return pc.binary_join_element_wise(*parts, "\n")


def _cages(places: pa.Table, serials: pa.Array) -> dict[str, frozenset[Cage]]:
    """Serial → cages that carry it."""
    found: dict[str, set[Cage]] = defaultdict(set)
    for row in places.filter(pc.is_in(places["serial"], value_set=serials)).to_pylist():
        found[row["serial"]].add((row["guid"], row["cage"], row["port"]))
    return {serial: frozenset(cages) for serial, cages in found.items()}


def _carried(moved: Mapping[str, tuple[frozenset[Cage], frozenset[Cage]]], who: Who) -> Iterator[Change]:
    for serial, (before, after) in moved.items():
        left, taken = sorted(before, key=str), sorted(after, key=str)
        text = say(
            "change.module_moved",
            "the module or cable {serial} was carried from {before} to {after}",
            serial=serial,
            before=", ".join(_cage(cage, who) for cage in left),
            after=", ".join(_cage(cage, who) for cage in taken),
        )
        yield Change("module_moved", text, taken[0][0], before=serial, after=serial)


def _cage(cage: Cage, who: Who) -> str:
    guid, number, port = cage
    return f"{who.name(guid)} cage {number}" if number is not None else f"{who.name(guid)} port {port}"


def _firmware(port: PortKey, before: str | None, after: str | None, who: Who) -> Iterator[Change]:
    if before and after:
        text = say(
            "change.module_firmware",
            "{port}: module firmware {before} → {after}",
            port=who.call(port),
            before=before,
            after=after,
        )
        group = f"{before} → {after}"
        yield Change("module_firmware", text, port=port, before=before, after=after, group=group)
