"""What ports say of why their link went down: the reasons told now, and whether they are news."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

import pyarrow.compute as pc

from ibforensic.diff.view import View
from ibforensic.evidence.base import Scene
from ibforensic.evidence.first_rows import place
from ibforensic.model.down_reasons import END_TO_END, REMOTE_OFFSET, Reason, Told, by_number, by_words
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Evidence

_COLUMNS = (
    "node_guid",
    "port_num",
    "source",
    "line",
    "down_blame",
    "down_reason_local",
    "down_reason_remote",
    "down_reason_scale",
    "down_reason_text",
)
_REASONS = ("down_reason_local", "down_reason_remote", "down_reason_text")


@dataclass(frozen=True, slots=True)
class Said:
    """What a port says of the last time its link went down.

    Attributes:
        reason: Its own reason.
        remote: The reason that it has of the other end, or None.
        blame: ``local`` or ``remote`` where it says who took the link down, else empty.
        text: Words of the tool; empty where it printed none.
        source: Where it was read.
    """

    reason: Reason
    remote: Reason | None
    blame: str
    text: str
    source: str

    @property
    def words(self) -> str:
        """The reason as people read it: words with the number, ``reason 61 (not known)`` where unknown."""
        named = self.text or self.reason.words
        return f"{named} (reason {self.reason.code})" if self.reason.code >= 0 else named


def reasons(scene: Scene) -> Mapping[PortKey, Said]:
    """Return what each port says now, where it says anything."""
    return scene.once(_now)


def unchanged(scene: Scene, port: PortKey) -> bool:
    """Whether a port said the same in the baseline."""
    then, now = scene.once(_then).get(port), reasons(scene).get(port)
    return then is not None and now is not None and (then.reason, then.remote) == (now.reason, now.remote)


def _now(scene: Scene) -> Mapping[PortKey, Said]:
    return _read(scene.facts.pair.current)


def _then(scene: Scene) -> Mapping[PortKey, Said]:
    return _read(scene.facts.pair.baseline)


def _read(view: View) -> Mapping[PortKey, Said]:
    rows = view.table("phy", _COLUMNS)
    rows = rows.filter(reduce(pc.or_, [pc.is_valid(rows[name]) for name in _REASONS]))
    found: dict[PortKey, Said] = {}
    columns = (rows[name].to_pylist() for name in _COLUMNS)
    for guid, number, source, line, blame, local, remote, scale, text in zip(*columns, strict=True):
        key = PortKey(guid, number)
        if guid is None or number is None or key in found or not (local or remote or text):
            continue
        own = _own(local, scale, text)
        other = by_number(remote, scale)
        told = other if other is not None and other.told is not Told.NOTHING else None
        if own.told is not Told.NOTHING or told is not None:
            found[key] = Said(own, told, blame or "", text or "", place(source, line))
    return found


def _own(local: int | None, scale: str | None, text: str | None) -> Reason:
    """The reason of this end: by the tool's words where they are known, else by its number."""
    said = by_words(text)
    number = by_number(local, scale)
    if scale == END_TO_END and local is not None and local >= REMOTE_OFFSET:
        # The page of one end tells both: a number of the other side is no reason of this one.
        there = said or number
        return Reason(local, f"the other end: {there.words if there else 'not known'}", Told.ECHO)
    if said is not None:
        return said if local is None else Reason(local, said.words, said.told)
    if number is not None:
        return number
    return Reason(-1, text or "no reason", Told.UNKNOWN if text else Told.NOTHING)


def unexplained(scene: Scene, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Leave out the reasons of downs that are explained otherwise.

    Args:
        scene: The facts.
        evidence: What the rules found.

    Returns:
        The evidence without reasons at links whose downs accuse nobody: a reset, or the old pace.
    """
    items = tuple(evidence)
    told = {
        scene.link(item.where) for item in items if item.where and item.rule in _DOWNS and item.weight > 0
    }
    return tuple(
        item
        for item in items
        if item.rule != "down_reason" or (item.where is not None and scene.link(item.where) in told)
    )


_DOWNS = ("link_down", "link_lost", "port_down")
"""Rules that tell that a link went down."""
