"""Several sources tell about one thing: which of them is believed, column by column.

On disk nothing is merged. Here the first source that knows a value gives it, in the declared order;
sources that belong to another run come last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.distinct import number_of_each, plain
from ibforensic.model.enums import Quality

PRECEDENCE = (
    # One run of one tool that asked the whole fabric.
    "db_csv",
    "net_dump",
    "net_dump_ext",
    "cables",
    "pm",
    "lst",
    "nodes_info",
    # Tools that ask the registers of a port by themselves, each at its own moment.
    "perfquery",
    "ibqueryerrors",
    "ibcheckerrors",
    "mlxlink",
    "mlxcables",
    "ibnetdiscover",
    "iblinkinfo",
    "ibportstate",
    "node_list",
    # What hosts say of their own ports.
    "ibstat",
    "sysfs",
    "ibstatus",
    "rdma",
    # What was gathered, averaged or renamed on the way.
    "ufm_csv",
    "ufm_rest",
    "prometheus",
)
"""Origins from the most to the least trusted, for all tables; others follow.

What is read from many sources and differs is no matter of trust alone: that a host and the fabric disagree on
a port is told (rules ``views_disagree``)."""

Values = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.uint8]


def kept(table: pa.Table, wanted: pa.ChunkedArray) -> pa.Table:
    """Leave out rows that are not wanted; most often there are none."""
    every = not wanted.null_count and pc.all(wanted).as_py() is not False
    return table if every else table.filter(wanted)


def identified(table: pa.Table) -> pa.Table:
    """Leave out rows that do not tell their port."""
    return kept(table, pc.and_(pc.is_valid(table["node_guid"]), pc.is_valid(table["port_num"])))


def keys_of(guids: pa.Array | pa.ChunkedArray, numbers: pa.Array | pa.ChunkedArray) -> Any:
    """Return the keys of ports, ``node_guid/port_num``."""
    return pc.binary_join_element_wise(plain(guids), numbers.cast(pa.string()), "/")


def numbers_of(guids: pa.Array, numbers: pa.Array) -> pa.Array:
    """Number the ports of rows, which takes less than to spell the key of every row."""
    nodes, of_port = guids.dictionary_encode(), numbers.cast(pa.int64()).to_numpy()
    found = nodes.indices.to_numpy().astype(np.int64) * (1 + of_port.max(initial=0)) + of_port
    return pa.array(found)


def by_precedence(table: pa.Table, stale: Collection[str]) -> pa.Table:
    """Order rows from the most to the least trusted; rows of equal trust keep their order."""
    rank = number_of_each(table["origin"], _trust)
    rank += 100 * number_of_each(table["source"], lambda path: path in stale)
    if (rank[1:] >= rank[:-1]).all():
        return table
    return table.take(pa.array(np.argsort(rank, kind="stable")))


def _trust(origin: str | None) -> int:
    stem = (origin or "").split(":", 1)[0]
    return PRECEDENCE.index(stem) if stem in PRECEDENCE else len(PRECEDENCE)


def first_known(table: pa.Table, key: str, stale: Collection[str]) -> pa.Table:
    """Make one row for each key: in each column the first value that is known.

    Args:
        table: Rows of one canonical table.
        key: Column that says what a row is about.
        stale: Sources that belong to another run.

    Returns:
        The same columns, one row a key.
    """
    ordered = by_precedence(table, stale)
    turns = turns_of(ordered[key].combine_chunks())
    columns = [first_told(column, turns) for column in ordered.columns]
    return pa.Table.from_arrays(columns, names=ordered.column_names)


def first_told(column: pa.ChunkedArray, turns: Sequence[pa.Array]) -> pa.Array:
    """Take for each key the first value that is known.

    Args:
        column: One value a row, texts perhaps as a dictionary.
        turns: Rows of each key, from ``turns_of``; keys without any row are null in all of them.
    """
    if column.null_count == len(column):
        kind = column.type
        return pa.nulls(len(turns[0]), kind.value_type if pa.types.is_dictionary(kind) else kind)
    values = column.combine_chunks()
    if pa.types.is_dictionary(values.type):
        return values.dictionary.take(_first_of(values.indices, turns))
    return _first_of(values, turns)


def _first_of(values: pa.Array, turns: Sequence[pa.Array]) -> pa.Array:
    found = values.take(turns[0])
    for rows in turns[1:]:
        if not found.null_count:
            break
        found = pc.coalesce(found, values.take(rows))
    return found


class Form(IntEnum):
    """Which registers a cell was read from, where that matters for comparing it."""

    USUAL = 0
    WIDE_ONLY = 1
    """Only the 64-bit twin was collected."""
    DEAD_TWIN = 2
    """The twin stands lower than the narrow register: it does not count."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Values of one counter at many ports.

    Attributes:
        value: Numbers; 0 where there is none, which only ``quality`` can tell.
        quality: A Quality code for each.
        form: A ``Form`` code for each; None where every cell is of the usual form.
    """

    value: Values
    quality: Codes
    form: Codes | None = None

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Where there is a number."""
        return self.quality <= int(Quality.SATURATED)


def not_collected(count: int) -> Cells:
    """Cells of a counter that nobody collected.

    Args:
        count: Number of ports.
    """
    quality = np.full(count, int(Quality.NOT_COLLECTED), dtype=np.uint8)
    return Cells(np.zeros(count, dtype=np.uint64), quality)


def together(narrow: Cells, wide: Cells) -> Cells:
    """Take a narrow register and its 64-bit twin together.

    The larger of the two is true: a narrow register sticks when it is full, and a twin may be dead
    (0 on real ConnectX-7) or have run below zero.
    """
    take = wide.known & (~narrow.known | (wide.value >= narrow.value))
    form = np.zeros(len(take), dtype=np.uint8)
    form[wide.known & ~narrow.known] = int(Form.WIDE_ONLY)
    form[wide.known & narrow.known & (wide.value < narrow.value)] = int(Form.DEAD_TWIN)
    value = np.where(take, wide.value, narrow.value)
    return Cells(value, np.where(take, wide.quality, _best(narrow, wide)), form)


def comparable(before: Cells, after: Cells) -> npt.NDArray[np.bool_]:
    """Where two cells were read from registers that can be compared.

    A twin that is known to be dead on one side tells nothing on the other, where it is all there is.
    """
    if before.form is None or after.form is None:
        return np.ones(len(before.value), dtype=np.bool_)
    dead, only = int(Form.DEAD_TWIN), int(Form.WIDE_ONLY)
    mixed: npt.NDArray[np.bool_] = (before.form == dead) & (after.form == only)
    fine: npt.NDArray[np.bool_] = ~(mixed | ((before.form == only) & (after.form == dead)))
    return fine


def _best(narrow: Cells, wide: Cells) -> Codes:
    """Quality where the twin does not decide: the narrow register's, or the reason neither is known."""
    return np.where(narrow.known, narrow.quality, np.minimum(narrow.quality, wide.quality))


def cells(read: Callable[[pa.Array], Cells], turns: Sequence[pa.Array]) -> Cells:
    """Make one cell for each key from rows ordered by trust: the first one that is known.

    A register that is full gives way to a wide one of a less trusted source, which goes on counting.

    Args:
        read: Reads the cells of some rows.
        turns: Rows of each key, from ``turns_of``; keys without any row are null in all of them.

    Returns:
        New cells, in the order of the keys.
    """
    merged = read(turns[0])
    for rows in turns[1:]:
        wanting = ~merged.known | (merged.quality == int(Quality.SATURATED))
        targets = np.flatnonzero(rows.is_valid().to_numpy(zero_copy_only=False) & wanting)
        if len(targets):
            _fill(merged, targets, read(rows.take(pa.array(targets))))
    return merged


def _fill(into: Cells, targets: npt.NDArray[np.int64], more: Cells) -> None:
    """Fill cells that are not known, or full, with those of further rows about the same keys."""
    wider = (more.quality == int(Quality.WIDE)) & (more.value >= into.value[targets])
    better = np.where(into.known[targets], wider, more.quality < into.quality[targets])
    at = targets[better]
    into.value[at], into.quality[at] = more.value[better], more.quality[better]
    if into.form is not None and more.form is not None:
        into.form[at] = more.form[better]


def cells_at(value: pa.ChunkedArray, quality: pa.ChunkedArray, rows: pa.Array) -> Cells:
    """Cells of some rows; NOT_COLLECTED where there is no row or nothing in it."""
    numbers = pc.fill_null(value.combine_chunks().take(rows), 0).to_numpy()
    missing = pa.scalar(int(Quality.NOT_COLLECTED), pa.uint8())
    codes = pc.fill_null(quality.combine_chunks().take(rows), missing).to_numpy()
    return Cells(numbers.astype(np.uint64), codes.astype(np.uint8))


def turns_of(keys: pa.Array) -> list[pa.Array]:
    """Find the rows of each key.

    Args:
        keys: Text or numbers, one a row.

    Returns:
        Position of the first row of each key, in the order in which keys appear; then for the second,
        third … row the positions, null for keys that have no such row.
    """
    encoded = keys.dictionary_encode()
    if len(encoded.dictionary) == len(keys):
        return [pa.array(np.arange(len(keys), dtype=np.int64))]
    codes = encoded.indices.to_numpy().astype(np.int64)
    occurrence = _occurrence(codes)
    turns = []
    for turn in range(max(1, int(occurrence.max(initial=-1)) + 1)):
        rows = np.flatnonzero(occurrence == turn)
        at = np.full(len(encoded.dictionary), -1, dtype=np.int64)
        at[codes[rows]] = rows
        turns.append(pa.array(at, mask=at < 0))
    return turns


def _occurrence(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Number each row among the rows of its key, from 0."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    lengths = np.diff(starts, append=len(codes))
    numbers = np.empty(len(codes), dtype=np.int64)
    numbers[order] = np.arange(len(codes)) - np.repeat(starts, lengths)
    return numbers
