"""Cables and modules: what was changed, and what was carried from one cage to another.

One serial may stand on up to four ports (two ends of a cable, twin-port cages), so the *sets* of cages that
carry a serial are compared. Source: atlas §5.4; KNOWLEDGE §2.1 and §6.8; demand D-21.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import pyarrow.compute as pc

from ibforensic.diff.merge import first_known, with_key
from ibforensic.diff.pair import Pair
from ibforensic.diff.view import Row, View
from ibforensic.diff.who import Who
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Change, say

_END_OF_CABLE = re.compile(r"-\d\Z")
"""Ends of a splitter cable carry the serial of its other end with ``-1``, ``-2`` behind it."""

Cage = tuple[str, int | None, int | None]
"""Node GUID, and the cage; or the port, where the cage is not known."""


def changes(pair: Pair, who: Who) -> Iterator[Change]:
    """Tell what became of cables and modules, where both samples know them."""
    then, now = _modules(pair.baseline), _modules(pair.current)
    if not then or not now:
        return
    cages = _cages(then, now)
    moved = _moved(_by_serial(then, cages), _by_serial(now, cages))
    yield from _carried(moved, who)
    for port in sorted(then.keys() & now.keys()):
        before, after = _serial(then[port]), _serial(now[port])
        if before and after and before != after and before not in moved and after not in moved:
            text = say(
                "change.module_replaced",
                "{port}: the module {before} was replaced by {after}",
                port=who.call(port),
                before=_name(then[port]),
                after=_name(now[port]),
            )
            yield Change("module_replaced", text, port=port, before=before, after=after)
        elif before == after and then[port]["fw_version"] != now[port]["fw_version"]:
            yield from _firmware(port, then[port]["fw_version"], now[port]["fw_version"], who)


def _modules(view: View) -> dict[PortKey, Row]:
    """Port → what is known of the module in it."""
    table = view.table("modules")
    told = table.filter(pc.is_valid(table["serial"]))
    rows = first_known(with_key(told), "key", view.stale).to_pylist()
    return {PortKey(row["node_guid"], row["port_num"]): row for row in rows}


def _serial(row: Row) -> str:
    """Serial of the cable or module, the same for all of its ends."""
    return _END_OF_CABLE.sub("", str(row["serial"] or "").strip())


def _name(row: Row) -> str:
    return " ".join(str(row[field]) for field in ("vendor", "part_number", "serial") if row[field])


def _cages(*sides: Mapping[PortKey, Row]) -> dict[PortKey, int]:
    """Port → its cage, whichever side tells it: a run without ``--get_cable_info`` has serials alone."""
    return {port: row["cage"] for side in sides for port, row in side.items() if row["cage"] is not None}


def _by_serial(modules: Mapping[PortKey, Row], cages: Mapping[PortKey, int]) -> dict[str, frozenset[Cage]]:
    """Serial → cages that carry it."""
    found: dict[str, set[Cage]] = defaultdict(set)
    for port, row in modules.items():
        serial = _serial(row)
        cage = cages.get(port)
        if serial:
            found[serial].add((port.node_guid, cage, None if cage is not None else port.port_num))
    return {serial: frozenset(cages) for serial, cages in found.items()}


def _moved(
    then: Mapping[str, frozenset[Cage]], now: Mapping[str, frozenset[Cage]]
) -> dict[str, tuple[frozenset[Cage], frozenset[Cage]]]:
    """Serials that stand in a cage now in which they did not stand before."""
    both = then.keys() & now.keys()
    return {serial: (then[serial], now[serial]) for serial in sorted(both) if now[serial] - then[serial]}


def _carried(moved: Mapping[str, tuple[frozenset[Cage], frozenset[Cage]]], who: Who) -> Iterator[Change]:
    for serial, (before, after) in moved.items():
        left, taken = sorted(before - after, key=str), sorted(after - before, key=str)
        text = say(
            "change.module_moved",
            "the module or cable {serial} was carried from {before} to {after}",
            serial=serial,
            before=", ".join(_cage(cage, who) for cage in left) or "where it still is",
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
