"""Tables of a snapshot on disk: read, and checked against their hashes, when they are asked for."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock

import pyarrow as pa
import pyarrow.parquet as pq

from ibforensic.capture import printable
from ibforensic.capture.limits import MOST_BYTES
from ibforensic.model.errors import BadSnapshot
from ibforensic.model.table import EXTRA_PREFIX, TEXT
from ibforensic.model.tables import TABLES
from ibforensic.snapshot.records import ByColumn

MANIFEST = "manifest.json"


class TablesOnDisk(ByColumn):
    """Parquet files that are read, and checked against their hashes, when they are asked for.

    Canonical tables get back their sample number. A table that is asked for as a whole is kept; single
    columns are not, for whoever asks for those has many rows and puts them together anew.
    """

    def __init__(
        self, root: Path, files: Mapping[str, str], hashes: Mapping[str, str], sample: int | None = None
    ) -> None:
        """Name the files.

        Args:
            root: Folder of the snapshot.
            files: Table → file below that folder.
            hashes: File → SHA-256 as the manifest lists it.
            sample: Number of the sample for canonical tables; None for sections kept as text.
        """
        self._root = root
        self._files = files
        self._hashes = hashes
        self._sample = sample
        self._locks: dict[str, Lock] = defaultdict(Lock)
        self._open: dict[str, pq.ParquetFile] = {}
        self._coded: dict[str, pq.ParquetFile] = {}
        self._whole: dict[str, pa.Table] = {}

    def __getitem__(self, name: str) -> pa.Table:
        if name not in self._whole:
            table = self._read(name, None)
            self._whole[name] = table if self._sample is None else _numbered(name, table, self._sample)
        return self._whole[name]

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def columns(self, name: str, wanted: Sequence[str], coded: bool = False) -> pa.Table:
        """Read some columns of a table, in the order in which they are asked for."""
        if name in self._whole:
            return self._whole[name].select(wanted)
        if "sample" in wanted:
            return self[name].select(wanted)
        return self._read(name, list(wanted), coded).select(wanted)

    def _read(self, name: str, wanted: list[str] | None, coded: bool = False) -> pa.Table:
        """Read a file of the expected layout, or some columns of it."""
        # A file is read by one thread at a time.
        with self._locks[name]:
            if name not in self._open:
                self._open[name], self._coded[name] = self._checked(name)
            files = self._coded if coded else self._open
            try:
                return files[name].read(columns=wanted)
            except (OSError, pa.ArrowException) as error:
                raise self._unreadable(name) from error

    def _checked(self, name: str) -> tuple[pq.ParquetFile, pq.ParquetFile]:
        """Open one file, if it is the one the manifest lists and laid out as its table is.

        Returns:
            The file to read texts row by row from, and the same to read them as dictionaries.
        """
        file = self._files[name]
        place = self._root / file
        if place.exists() and not place.is_file():
            raise self._bad(file, "is no plain file")
        try:
            if place.stat().st_size > MOST_BYTES:
                raise self._bad(file, "is larger than any table")
            data = place.read_bytes()
        except FileNotFoundError as error:
            raise self._bad(file, "is missing") from error
        except OSError as error:
            raise self._bad(file, f"cannot be read: {error.strerror}") from error
        if file not in self._hashes:
            raise self._bad(file, f"is not listed in the {MANIFEST}")
        if hashlib.sha256(data).hexdigest() != self._hashes[file]:
            raise self._bad(file, "was changed after the snapshot was made")
        try:
            # From memory: for a path, Arrow adds a column from the folder's name.
            opened = pq.ParquetFile(pa.BufferReader(data))
            schema = opened.schema_arrow
            texts = [field.name for field in schema if field.type == TEXT]
            coded = pq.ParquetFile(pa.BufferReader(data), metadata=opened.metadata, read_dictionary=texts)
        except (OSError, pa.ArrowException) as error:
            raise self._unreadable(name) from error
        if self._sample is not None and not _is_declared(name, schema):
            raise self._bad(file, f"is not laid out as the table {name}")
        return opened, coded

    def _unreadable(self, name: str) -> BadSnapshot:
        return self._bad(self._files[name], "is no Parquet file that can be read")

    def _bad(self, file: str, what: str) -> BadSnapshot:
        shown = printable(str(self._root))
        return BadSnapshot(f"{shown}/{file} {what}", f"run: ibforensic verify {shown}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def _is_declared(name: str, schema: pa.Schema) -> bool:
    """Whether the columns of a file are those the table is declared with, and extras of text."""
    declared = [field for field in TABLES[name].schema if field.name != "sample"]
    own = [field for field in schema if not field.name.startswith(EXTRA_PREFIX)]
    extras = [field for field in schema if field.name.startswith(EXTRA_PREFIX)]
    return own == declared and all(field.type == TEXT for field in extras)


def _numbered(name: str, table: pa.Table, sample: int) -> pa.Table:
    """Put the number of the sample where the declaration of the table has it."""
    at = TABLES[name].schema.get_field_index("sample")
    field = TABLES[name].schema.field(at)
    return table.add_column(at, field, pa.repeat(pa.scalar(sample, field.type), table.num_rows))
