"""Rows of the table ``settings``: one small document a node, a fingerprint, and the fields not compared.

A row a port would be too much for 100,000 ports. Equal rows are written once: a fabric has many ports and few
settings. What documents look like: ``document_text``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.tables import TABLES
from ibforensic.parsers.db_csv.document_text import BETWEEN, DocumentText
from ibforensic.parsers.db_csv.sheet import Sheet
from ibforensic.parsers.settings_text import fingerprint

__all__ = ["settings"]

_IDENTITY = ("nodeguid", "portguid", "portnum", "portnumber", "localportnum")


def settings(
    sheet: Sheet,
    node_guid: pa.ChunkedArray,
    topic: str,
    stable: Callable[[str], bool],
    *,
    place: pa.ChunkedArray | None = None,
    parts: Sequence[str] = (),
    words: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[str, pa.Table]:
    """Make one settings row of each node that a section is about.

    Args:
        sheet: The section; all its columns but those of the identity go into the documents.
        node_guid: Node of each row.
        topic: Name of the documents.
        stable: Whether a column belongs to what is compared; the others go to ``rest``.
        place: Port of each row, where the rows are about ports.
        parts: Columns that tell rows of one node or port apart, such as an index or a profile.
        words: Column → code → word, where a code has a name.

    Returns:
        The name of the table and the table.
    """
    wanted = [part.lower() for part in parts]
    keys = tuple(name for name in sheet.rows.columns if name.lower() in wanted)
    about = [name for name in sheet.rows.columns if name.lower() not in _IDENTITY and name not in keys]
    compared = tuple(name for name in about if stable(name))
    others = tuple(name for name in about if not stable(name))
    kept, rest = (_joined(sheet, place, (*keys, *columns)) for columns in (compared, others))
    rows = pa.table({"node": node_guid, "line": sheet.rows.line, "kept": kept.indices, "rest": rest.indices})
    # Threads would shuffle the nodes.
    nodes = rows.group_by("node", use_threads=False).aggregate(
        [("line", "min"), ("kept", "list"), ("rest", "list")]
    )
    known = {name.lower(): of for name, of in (words or {}).items()}
    texts, document = _documents(nodes["kept_list"], kept, DocumentText(keys, compared, known))
    left, beside = _documents(nodes["rest_list"], rest, DocumentText(keys, others, known))
    prints = [fingerprint(text) for text in texts]
    made = TABLES["settings"].conform(
        {
            "entity": nodes["node"],
            "node_guid": nodes["node"],
            "topic": topic,
            "document": pa.array(texts, pa.string()).take(document),
            "fingerprint": pa.array(prints, pa.string()).take(document),
            "rest": pa.array(left, pa.string()).take(beside),
            "fields": len(compared),
        },
        rows=nodes.num_rows,
        source=sheet.path,
        origin=f"db_csv:{sheet.rows.name}",
        line=nodes["line_min"],
    )
    return "settings", made


def _joined(sheet: Sheet, place: pa.ChunkedArray | None, columns: Sequence[str]) -> pa.DictionaryArray:
    """Join place and columns of each row to one text; different texts are numbered."""
    empty = pa.repeat(pa.scalar("", pa.string()), len(sheet.rows))
    first = empty if place is None else pc.fill_null(place.cast(pa.string()), "")
    cells = [sheet.rows.columns[name] for name in columns]
    joined = pc.binary_join_element_wise(first, *cells, BETWEEN) if cells else first
    encoded = pc.dictionary_encode(joined)
    return encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded


def _documents(
    nodes: pa.ChunkedArray, rows: pa.DictionaryArray, text: DocumentText
) -> tuple[list[str], pa.Array]:
    """Write the documents of all nodes, equal ones once.

    Args:
        nodes: Node → list of the numbers of its rows.
        rows: Number → row as one text.
        text: How to write.

    Returns:
        The documents, and for each node the place of its own among them.
    """
    if not text.columns:
        return ["{}"], pa.repeat(pa.scalar(0, pa.int32()), len(nodes))
    lists = nodes.combine_chunks()
    numbers, ends = lists.values.to_pylist(), lists.offsets.to_pylist()
    split = [row.partition(BETWEEN)[::2] for row in rows.dictionary.to_pylist()]
    known: dict[tuple[int, ...], int] = {}
    places = [known.setdefault(tuple(numbers[a:b]), len(known)) for a, b in pairwise(ends)]
    texts = [text.write([split[number] for number in key]) for key in known]
    return texts, pa.array(places, pa.int32())
