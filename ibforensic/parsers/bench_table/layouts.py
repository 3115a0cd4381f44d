"""Which of the known tables of results a header belongs to, and which of its columns are what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Kind", "Layout", "find"]


class Kind(StrEnum):
    """Kinds of tables."""

    GENERIC = "generic"
    THROUGHPUT = "throughput"
    STEP_TIME = "step_time"
    COLLECTIVE = "nccl_tests"
    PAIRS = "pairs"


_NODE = ("node", "host", "hostname", "server", "machine", "node_name")
_METRIC = ("metric", "benchmark", "name", "measurement", "test")
_VALUE = ("value", "result", "score")
_NODES = ("nodes", "num_nodes", "node_count", "nnodes", "n_nodes")
_TIME = ("time", "timestamp", "at", "date", "datetime", "collected_at")
_NUMBERS = ("step", "iteration", "iter", "epoch", "repeat", "run")
_RATE = re.compile(r"(?:throughput|(?:samples|tokens|images|sequences|steps)_per_(?:s|sec|second))(?:_.*)?\Z")
_COMPUTE = re.compile(r"compute(?:_time)?(?:_(s|ms|us))?\Z")
_COMMUNICATION = re.compile(r"comm(?:unication)?(?:_time)?(?:_(s|ms|us))?\Z")
_TOTAL = re.compile(r"(?:avg|peak)_bus_?bw(?:_gbs)?\Z")


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns are; all but the measured ones are None where there is none.

    Attributes:
        kind: Kind of the table.
        measured: Title → unit, of the columns with measured values.
        node: Host.
        metric: What was measured.
        unit: Unit.
        better: Whether higher or lower is better.
        size: Message size.
        nodes: Number of hosts; names of hosts where the kind is PAIRS.
        at: When.
        label: Label of the user.
        settings: Columns that tell runs apart.
    """

    kind: Kind
    measured: dict[str, str | None]
    node: str | None
    metric: str | None
    unit: str | None
    better: str | None
    size: str | None
    nodes: str | None
    at: str | None
    label: str | None
    settings: tuple[str, ...]


def find(titles: Iterable[str]) -> Layout | None:
    """Recognise a header.

    Args:
        titles: Titles in plain spelling.

    Returns:
        The layout; None for a table that is not known to be one of results.
    """
    titles = tuple(titles)
    found = _kind(titles)
    if found is None:
        return None
    kind, measured = found
    roles = {
        "node": _first(_NODE, titles),
        "metric": _first(_METRIC, titles) if kind is Kind.GENERIC else None,
        "unit": _first(("unit", "units"), titles),
        "better": _first(("better", "direction", "higher_is_better"), titles),
        "size": _first(("size", "message_size", "bytes"), titles),
        "nodes": _first(_NODES, titles),
        "at": _first([name for name in _TIME if name not in measured], titles),
        "label": _first(("label",), titles),
    }
    taken = {*roles.values(), *measured, *_NUMBERS, *(("count",) if kind is Kind.COLLECTIVE else ())}
    return Layout(kind, measured, **roles, settings=tuple(t for t in titles if t and t not in taken))


def _kind(titles: tuple[str, ...]) -> tuple[Kind, dict[str, str | None]] | None:
    """Tell the kind of a table and its measured columns."""
    if {"size", "time", "algbw", "busbw"} <= set(titles):
        units = {"time": "us", "algbw": "GB/s", "busbw": "GB/s", "wrong": "values"}
        return Kind.COLLECTIVE, {title: units[_base(title)] for title in titles if _base(title) in units}
    totals = [title for title in titles if _TOTAL.match(title)]
    if totals and "nodes" in titles and "test" in titles:
        return Kind.PAIRS, dict.fromkeys(totals, "GB/s")
    if _first(_NODE, titles) and _first(_METRIC, titles) and (value := _first(_VALUE, titles)):
        return Kind.GENERIC, {value: None}
    rates = [title for title in titles if _RATE.match(title)]
    if rates and _first(_NODES, titles):
        return Kind.THROUGHPUT, {title: _rate_unit(title) for title in rates}
    times = {
        title: match.group(1)
        for pattern in (_COMPUTE, _COMMUNICATION)
        for title in titles
        if (match := pattern.match(title))
    }
    return (Kind.STEP_TIME, times) if len(times) == 2 else None


def _base(title: str) -> str:
    """Return a title without the mark of the second one of its name."""
    return title.removesuffix("#1")


def _rate_unit(title: str) -> str | None:
    """Return the unit in the title of a rate."""
    what, per, _ = title.partition("_per_")
    return f"{what.rpartition('_')[2]}/s" if per else None


def _first(names: Iterable[str], titles: tuple[str, ...]) -> str | None:
    """Return the first of some names that is a title."""
    return next((name for name in names if name in titles), None)
