"""Settings that differ: fingerprints first, deepdiff only for the small documents that are not equal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ibforensic.diff.merge import by_precedence
from ibforensic.diff.merged import ROW, numbered
from ibforensic.diff.pair import Pair
from ibforensic.diff.view import View
from ibforensic.diff.who import Who
from ibforensic.model.records import Change, say

CAP = 200
"""Documents that are looked into; more are counted and said."""


def changes(pair: Pair, who: Who) -> Iterator[Change]:
    """Compare the settings documents that both samples hold.

    Args:
        pair: The two samples.
        who: Names.

    Yields:
        One change for each field that differs; one more that counts what was not looked into.
    """
    then, now = _fingerprints(pair.baseline), _fingerprints(pair.current)
    differ = sorted((key for key in now if key in then and then[key][0] != now[key][0]), key=str)
    if differ:
        # Most documents are the same: their content is not even read.
        sides = [view.sample.columns("settings", ("document",)) for view in (pair.baseline, pair.current)]
        texts = [side["document"] for side in sides if side is not None]
        for key in differ[:CAP]:
            places = then[key][1], now[key][1]
            before, after = (json.loads(its[at].as_py()) for its, at in zip(texts, places, strict=True))
            yield from _fields(key, before, after, who)
    if len(differ) > CAP:
        text = say("change.settings_more", "{count} more settings documents differ", count=len(differ) - CAP)
        yield Change("settings_more", text, after=len(differ) - CAP)


def _fingerprints(view: View) -> dict[tuple[str, str], tuple[str, int]]:
    """(entity, topic) → fingerprint and row of its document in a sample."""
    told = ("entity", "topic", "fingerprint")
    table = view.sample.columns("settings", (*told, "source", "origin"))
    if table is None:
        return {}
    ordered = by_precedence(numbered(table), view.stale)
    columns = [ordered[name].to_pylist() for name in (*told, ROW)]
    found: dict[tuple[str, str], tuple[str, int]] = {}
    for entity, topic, fingerprint, row in zip(*columns, strict=True):
        found.setdefault((entity, topic), (fingerprint, row))
    return found


def _fields(key: tuple[str, str], then: Any, now: Any, who: Who) -> Iterator[Change]:
    """Fields of one document that differ."""
    # These cost as much time as everything else together.
    from deepdiff import DeepDiff
    from deepdiff.helper import notpresent

    entity, topic = key
    guid = entity.split("/", 1)[0] if entity.startswith("0x") else None
    subject = who.name(guid) if guid else entity
    for found in DeepDiff(then, now, view="tree").values():
        for item in found:
            field = ".".join(str(part) for part in item.path(output_format="list"))
            before, after = (None if value is notpresent else str(value) for value in (item.t1, item.t2))
            text = say(
                "change.setting",
                "{subject}: {topic} {field} {before} → {after}",
                subject=subject,
                topic=topic.replace("_", " "),
                field=field,
                before=before if before is not None else "absent",
                after=after if after is not None else "absent",
            )
            yield Change(
                "setting",
                text,
                guid,
                before=before,
                after=after,
                group=f"{topic}.{field}: {before} → {after}",
            )
