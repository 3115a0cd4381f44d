"""A section on the desk of its mapper: hands out typed columns and keeps account of them.

A mapper asks for columns by the names that versions of ibdiagnet use. What it never asked for rides
along as ``x_`` columns; what could not be read becomes a note with the line of the first such cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.model.table import EXTRA_PREFIX
from ibforensic.model.tables import TABLES
from ibforensic.model.words import counted
from ibforensic.parsers.db_csv import cells
from ibforensic.parsers.db_csv.rows import Rows

__all__ = [
    "INT",
    "REAL",
    "SMALL",
    "KeepRawError",
    "LayoutError",
    "Mapped",
    "Mapper",
    "NoKeyError",
    "RunFacts",
    "Sheet",
]

TEXT, INT, SMALL, REAL = pa.string(), pa.int64(), pa.int32(), pa.float64()
LAST_PORT = 254
"""Highest number a port can have; 255 asks perfquery for the sum of all ports and is no port."""
_SEVERAL = ("events",)
"""Tables in which several rows of a section may be about one thing: much can be said of a port."""
_INT_MAX = {INT: (1 << 63) - 1, SMALL: (1 << 31) - 1}


class KeepRawError(Exception):
    """A section cannot be mapped; it is kept as text.

    Attributes:
        code: Second part of the code of the note that says so.
    """

    code = "not_mapped"


class NoKeyError(KeepRawError):
    """A section lacks the column that says what its rows are about."""

    code = "no_key_column"


class LayoutError(KeepRawError):
    """The columns of a section do not hold what is known to stand at their places."""

    code = "unknown_layout"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the file says about its run, as far as sections need it.

    Attributes:
        began_at: Begin of the run in UTC.
        window_s: Pause between the two counter samples; None where there was one sample or it is not known.
        fec_told: Whether PORTS or FEC_MODE of the file tell the FEC in use.
    """

    began_at: datetime | None
    window_s: float | None
    fec_told: bool = False


@dataclass(frozen=True, slots=True)
class Mapped:
    """What became of a section.

    Attributes:
        tables: Canonical tables, each with its name; a name may come twice.
        notes: Cells that could not be read.
    """

    tables: tuple[tuple[str, pa.Table], ...]
    notes: tuple[Note, ...]


class Sheet:
    """A section being mapped.

    Attributes:
        rows: The rows that are left; ``key`` leaves out those without an identity.
        path: File, for notes and provenance.
        facts: What the file says about its run.
        notes: Notes so far.
    """

    def __init__(self, rows: Rows, path: str, facts: RunFacts) -> None:
        self.rows = rows
        self.path = path
        self.facts = facts
        self.notes: list[Note] = []
        self._used: set[str] = set()
        self._names = {name.lower(): name for name in reversed(rows.columns)}

    def has(self, *names: str) -> bool:
        """Whether all the columns are there, in any case of letters."""
        return all(name.lower() in self._names for name in names)

    def use(self, *names: str) -> pa.ChunkedArray | None:
        """Return the first column that is there, as printed, and take it out of the extras."""
        for name in names:
            found = self._names.get(name.lower())
            if found is not None:
                self._used.add(found)
                return self.rows.columns[found]
        return None

    def first(self, *names: str) -> str | None:
        """Return the first of the names that is a column, or None."""
        return next((name for name in names if self.has(name)), None)

    def where(self, mask: pa.Array | pa.ChunkedArray) -> Sheet:
        """Return a sheet of the rows for which a mask is true; it keeps notes and account of its own."""
        return Sheet(self.rows.where(mask), self.path, self.facts)

    def key(self, node: str, port: str | None = None) -> dict[str, Any]:
        """Read the identity of the rows, and leave out rows that have none.

        Args:
            node: Column of the node GUID.
            port: Column of the port number, where the rows are about ports.

        Returns:
            ``node_guid`` and, for ports, ``port_num``.

        Raises:
            NoKeyError: One of the columns is absent.
        """
        if not self.has(*(name for name in (node, port) if name is not None)):
            raise NoKeyError(f"{self.rows.name} has no column {node}" + (f" or {port}" if port else ""))
        found: dict[str, Any] = {"node_guid": self.guid(node)}
        if port is not None:
            found["port_num"] = self.number(port, SMALL)
        valid = pc.is_valid(found["node_guid"])
        what = "node GUID"
        if port is not None:
            no_port = pc.greater(found["port_num"], pa.scalar(LAST_PORT, SMALL))
            valid = pc.and_(valid, pc.invert(pc.fill_null(no_port, True)))
            what = f"node GUID, or no port number up to {LAST_PORT}"
        if pc.all(valid).as_py() is False:
            message = f"{{rows}} of {{section}} with no usable {what}; left out"
            self._note("no_key", pc.invert(valid), message, node)
            self.rows = self.rows.where(valid)
            found = {name: column.filter(valid) for name, column in found.items()}
        return found

    def guid(self, *names: str) -> pa.ChunkedArray | None:
        """Return a column of GUIDs; null for none."""
        column = self.use(*names)
        if column is None:
            return None
        found, masked = cells.guids(column)
        if pc.any(masked).as_py():
            self._note(
                "masked_guids",
                masked,
                "GUIDs are masked by hand: they tell nodes apart here, and join with no other output",
                names[0],
            )
        return found

    def text(self, *names: str) -> pa.ChunkedArray | None:
        """Return a column of text; null for empty, N/A and NA."""
        column = self.use(*names)
        return None if column is None else cells.texts(column)

    def readings(
        self, read: Callable[[str], Any], *names: str, kind: pa.DataType = REAL
    ) -> pa.ChunkedArray | None:
        """Return a column of printed readings; null where the reader finds none.

        Args:
            read: Text → value, called once for each different text.
            *names: Columns, of which the first that is there counts.
            kind: Arrow type of the values.
        """
        column = self.use(*names)
        return None if column is None else cells.by_value(column, read, kind)

    def number(self, name: str, kind: pa.DataType = INT) -> pa.ChunkedArray | None:
        """Return a column of numbers of a signed type, or uint64; null where there is no value."""
        column = self.use(name)
        if column is None:
            return None
        values, unreadable = cells.numbers(column)
        if kind in _INT_MAX:
            large = pc.fill_null(pc.greater(values, pa.scalar(_INT_MAX[kind], pa.uint64())), False)
            values = pc.if_else(large, pa.scalar(None, pa.uint64()), values)
            unreadable = pc.or_(unreadable, large)
        self._unreadable(unreadable, name)
        return values.cast(kind)

    def counter(self, name: str, bits: int) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
        """Return the values and quality codes of a counter column that is there."""
        values, quality, unreadable = cells.counters(self.use(name), bits)
        self._unreadable(unreadable, name)
        return values, quality

    def code(
        self, name: str, names: Mapping[int, Any] | Callable[[int], Any], kind: pa.DataType = TEXT
    ) -> pa.ChunkedArray | None:
        """Return a column of codes as names; unknown codes are null and noted, 0 and 255 mean none."""
        values = self.number(name)
        if values is None:
            return None
        found = cells.by_value(values, names if callable(names) else names.get, kind)
        unknown = pc.and_(pc.is_valid(values), pc.is_null(found))
        unknown = pc.and_(unknown, pc.invert(pc.is_in(values, pa.array([0, 255], values.type))))
        unknown = pc.fill_null(unknown, False)
        if pc.any(unknown).as_py():
            self._note("unknown_code", unknown, "{cells} of {section}.{column} with an unknown code", name)
        return found

    def table(self, name: str, columns: Mapping[str, Any], *, extras: bool = True) -> tuple[str, pa.Table]:
        """Make a canonical table of all rows.

        Args:
            name: Name of the table.
            columns: Its columns; None for absent ones.
            extras: Whether columns that nobody asked for ride along.

        Returns:
            The name and the table.
        """
        given = {key: value for key, value in columns.items() if value is not None}
        if extras:
            given |= self.extras()
        made = TABLES[name].conform(
            given,
            rows=len(self.rows),
            source=self.path,
            origin=f"db_csv:{self.rows.name}",
            line=self.rows.line,
        )
        if name not in _SEVERAL:
            self._check_keys(made, TABLES[name].key)
        return name, made

    def _check_keys(self, table: pa.Table, key: tuple[str, ...]) -> None:
        """Note rows that say something else about what an earlier row is about."""
        if table.num_rows < 2 or any(table[name].null_count for name in key):
            return
        keys = table.select(list(key))
        if keys.group_by(list(key)).aggregate([]).num_rows == table.num_rows:
            return
        firsts = _firsts(table, list(key))
        told = [name for name in table.column_names if name != "line"]
        other = pc.invert(pc.is_in(pa.array(range(table.num_rows)), value_set=firsts))
        differs = pc.is_in(pa.array(range(table.num_rows)), value_set=_firsts(table, told))
        again = pa.chunked_array([pc.and_(other, differs)])
        if pc.any(again).as_py():
            message = "{rows} of {section} with the key of an earlier row and other values; that one counts"
            self._note("conflicting_row", again, message, key[0])

    def extras(self) -> dict[str, pa.ChunkedArray]:
        """Return the columns that nobody asked for, under ``x_`` names."""
        return {
            f"{EXTRA_PREFIX}{name}": column
            for name, column in self.rows.columns.items()
            if name not in self._used
        }

    def _unreadable(self, mask: pa.ChunkedArray, name: str) -> None:
        """Note cells that hold no number."""
        if pc.any(mask).as_py():
            self._note("bad_cell", mask, "{cells} of {section}.{column} without a usable number", name)

    def _note(self, code: str, mask: pa.ChunkedArray, message: str, column: str) -> None:
        """Add one note about the cells of a mask."""
        first = pc.index(mask, True).as_py()
        count = pc.sum(mask).as_py()
        text = message.format(
            section=self.rows.name, column=column, cells=counted(count, "cell"), rows=counted(count, "row")
        )
        masked = code == "masked_guids"
        self.notes.append(
            Note(
                f"db_csv.{code}",
                Level.WARNING,
                text,
                self.path,
                self.rows.line[first].as_py(),
                "use the file as it was written, or replace GUIDs by other GUIDs, always alike"
                if masked
                else "these cells count as not known; look at the line",
            )
        )


def _firsts(table: pa.Table, columns: list[str]) -> pa.Array:
    """Return the number of the first row of each different combination of values."""
    numbered = table.select(columns).append_column("row#", pa.array(range(table.num_rows)))
    return numbered.group_by(columns).aggregate([("row#", "min")])["row#_min"].combine_chunks()


Mapper = Callable[[Sheet], Mapped]
"""Turns a section into rows of canonical tables."""
