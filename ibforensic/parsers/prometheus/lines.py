"""The text format of Prometheus: one sample a line, with labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.gathering import Gathering

__all__ = ["Sample", "scan", "whole_number"]

_LINE = re.compile(
    r"[ \t]*([A-Za-z_:][\w:]{0,200})[ \t]*(?:\{([^\n]{0,4000})\})?"
    r"[ \t]+(\S{1,40})(?:[ \t]+(\d{10,19}))?[ \t]*\Z",
    re.ASCII,
)
_LABEL = re.compile(r'(\w{1,80})[ \t]*=[ \t]*"((?:[^"\\]|\\.){0,1000})"')
_ESCAPED = re.compile(r"\\(.)")
_LATEST_MS = 4_102_444_800_000
"""The year 2100: a larger number is no time in milliseconds."""


class Sample(NamedTuple):
    """One sample.

    Attributes:
        name: Metric.
        labels: Label → value.
        text: Value as printed.
        line: Line.
        at: Time of the sample, where the line has one.
    """

    name: str
    labels: Mapping[str, str]
    text: str
    line: int
    at: datetime | None

    @property
    def number(self) -> float | None:
        """The value; None where it is no finite number."""
        return _number(self.text)


def scan(text: str, prefixes: tuple[str, ...], troubles: Gathering) -> Iterator[Sample]:
    """Yield the samples of some metrics.

    Args:
        text: The file, with one kind of line end.
        prefixes: What the names of the metrics begin with.
        troubles: Takes lines that cannot be read.

    Yields:
        Samples in the order of the file; a last line without its end is left out, for its value may be cut.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith(prefixes):
            continue
        match = _LINE.match(line)
        if number == len(lines):
            troubles.add("line_cut", number, "the last line has no end and may be cut: left out", COPY_AGAIN)
        elif match is None:
            troubles.add("bad_line", number, "the line cannot be read; it is left out", COPY_AGAIN)
        else:
            name, labels, value, at = match.groups()
            yield Sample(name, _labels(labels or ""), value, number, _time(at) if at else None)


@lru_cache(maxsize=1 << 16)
def _labels(text: str) -> Mapping[str, str]:
    """Read labels; every port's are repeated with each of its metrics."""
    return {name: _ESCAPED.sub(r"\1", value) for name, value in _LABEL.findall(text)}


def _time(text: str) -> datetime | None:
    """Read a time in milliseconds."""
    value = int(text)
    return datetime.fromtimestamp(value / 1000, UTC) if value < _LATEST_MS else None


def _number(text: str) -> float | None:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def whole_number(text: str) -> int | None:
    """Read a count: ``12`` exactly, ``3.7e+13`` as near as the exporter keeps it; None for what is none."""
    if text.isascii() and text.isdigit() and len(text) <= 20:
        return int(text)
    value = _number(text)
    return int(value) if value is not None and 0 <= value < 1 << 64 else None
