"""A part of the document as rows and columns: what CSV and Excel are written from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ibforensic.report.ports import node_name

Json = Mapping[str, Any]
Cell = str | int | float | bool | None
"""None is not known, or not collected; it stays an empty cell."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table.

    Attributes:
        name: Title: a few words, at most 31 letters.
        columns: Headings.
        rows: As many cells each as there are columns. They are walked through once.
    """

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Sequence[Cell]]


def port_columns(of: str = "") -> tuple[str, ...]:
    """Return the columns in which a port stands; ``of`` tells them from those of another one."""
    return tuple(f"{of}{name}" for name in ("node", "port", "label", "plane", "role", "node_guid"))


def port_cells(port: Json | None) -> tuple[Cell, ...]:
    """Return a port as cells; all are empty where there is none."""
    if port is None:
        return (None,) * len(port_columns())
    label, role = port["label"] or None, port["role"] or None
    return (node_name(port), port["port"], label, port["plane"], role, port["node_guid"])


def node_cells(node: Json) -> tuple[Cell, ...]:
    """Return a node in the columns of a port; all are empty where there is none."""
    if not node["node_guid"]:
        return port_cells(None)
    return (node_name(node), *port_cells(None)[2:], node["node_guid"])
