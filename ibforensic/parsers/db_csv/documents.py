"""Rows of the table ``settings``: small documents, a fingerprint, and the fields not compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from ibforensic.parsers.db_csv.sheet import Sheet

__all__ = ["settings"]


def settings(
    sheet: Sheet, node_guid: pa.ChunkedArray, topic: str, stable: Callable[[str], bool]
) -> tuple[str, pa.Table]:
    """Make one settings row of each row of a section about nodes.

    Args:
        sheet: The section; all its columns but the node GUID go into the documents.
        node_guid: Node of each row.
        topic: Name of the documents.
        stable: Whether a column belongs to what is compared; the others go to ``rest``.

    Returns:
        The name of the table and the table.
    """
    columns = {name: column.to_pylist() for name, column in sheet.rows.columns.items() if _about(name)}
    compared = {name: values for name, values in columns.items() if stable(name)}
    others = {name: values for name, values in columns.items() if not stable(name)}
    documents = _json_rows(compared, len(sheet.rows))
    return sheet.table(
        "settings",
        {
            "entity": node_guid,
            "node_guid": node_guid,
            "topic": topic,
            "document": documents,
            "fingerprint": [hashlib.sha256(text.encode()).hexdigest() for text in documents],
            "rest": _json_rows(others, len(sheet.rows)),
            "fields": len(compared),
        },
        extras=False,
    )


def _about(name: str) -> bool:
    """Whether a column says something about the node, rather than which node it is."""
    return name.lower() != "nodeguid"


def _json_rows(columns: dict[str, list[Any]], rows: int) -> list[str]:
    """Return each row as JSON with sorted keys; all values are text as printed."""
    return [
        json.dumps(
            {name: values[row] for name, values in columns.items()}, sort_keys=True, ensure_ascii=False
        )
        for row in range(rows)
    ]
