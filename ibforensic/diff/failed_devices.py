"""Devices that did not answer the tools of their own host: nothing else tells of them, and that is said."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow.compute as pc

from ibforensic.diff.pair import Pair
from ibforensic.diff.view import View
from ibforensic.model.records import NotJudged, say

_EXAMPLES = 5


def gap(pair: Pair) -> Iterator[NotJudged]:
    """Name the devices that did not answer, by side.

    Args:
        pair: The two samples.
    """
    for side, view in pair.sides:
        names = _failed(view)
        if names:
            text = "in the {side} they did not answer the tools of their own host"
            if len(names) == 1:
                text = "in the {side} it did not answer the tools of its own host"
            help_ = "look for the device on its host (lspci, dmesg), then collect again"
            what = "devices that did not answer"
            reason = say("not_judged.failed_device", text, side=side)
            yield NotJudged(what, reason, help_, len(names), tuple(names[:_EXAMPLES]))


def _failed(view: View) -> list[str]:
    """Host and device of each device whose query failed."""
    table = view.table("hosts", ("host", "device", "query_error"))
    rows = table.filter(pc.is_valid(table["query_error"])).to_pylist()
    return sorted({" ".join(filter(None, (row["host"], row["device"]))) for row in rows if row["device"]})
