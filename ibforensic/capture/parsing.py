"""One file through its parser: what it gave, or why it gave nothing."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

import pyarrow as pa

from ibforensic.capture.known_names import not_understood
from ibforensic.capture.part_reading import NAMES_APART, read_parts
from ibforensic.capture.parting import parted
from ibforensic.capture.records import RawFile
from ibforensic.capture.texts import readable
from ibforensic.model.enums import Level, Outcome
from ibforensic.model.records import Note, SourceRecord
from ibforensic.model.table import EXTRA_PREFIX, TEXT
from ibforensic.model.tables import TABLES
from ibforensic.parsers import HEAD_BYTES, Parsed, Spec, claimant
from ibforensic.parsers.text_heads import NO_TIME, Head, head_of


@dataclass(frozen=True, slots=True)
class Read:
    """A file and what was read from it.

    Attributes:
        source: The file.
        parsed: What its parser gave; empty where there is none.
    """

    source: SourceRecord
    parsed: Parsed


@dataclass(frozen=True, slots=True)
class Held:
    """What a db_csv of the collection holds already.

    Attributes:
        sections: Its sections that have rows.
        began_at: Begin of its run.
    """

    sections: frozenset[str] = frozenset()
    began_at: datetime | None = None


NOTHING_HELD = Held()


def read(raw: RawFile, held: Held = NOTHING_HELD) -> Read:
    """Parse one file.

    Args:
        raw: The file.
        held: What need not be read again: a file of the same run that only repeats it is kept as it is.

    Returns:
        What was read, and the outcome. A parser that fails is a note of level error: one bad file must
        not cost the others.
    """
    with _rows_are_no_garbage():
        return _read(raw, held)


@contextmanager
def _rows_are_no_garbage() -> Iterator[None]:
    """Let the search for garbage wait.

    All rows of a file are kept to its end, and the search would walk over them again and again.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _read(raw: RawFile, held: Held) -> Read:
    """Parse one file, whatever happens."""
    digest = hashlib.sha256(raw.data).hexdigest()
    source = SourceRecord(raw.path, digest, len(raw.data), None, str(Outcome.UNKNOWN))
    try:
        data, notes = readable(raw.path, raw.data)
        parser = claimant(raw.name, data)
        head, time_notes = _head(raw.path, data)
        source = replace(source, own_time=head.began_at)
        parting = parted(data, parser)
        if parser is None and parting is None:
            strange = not_understood(raw.path, data) if raw.data else None
            return Read(source, Parsed(notes=notes if strange is None else (*notes, strange)))
        notes = (*notes, *time_notes)
        readers = [part.parser for part in parting.parts] if parting else [parser] if parser else []
        source = replace(source, parser=NAMES_APART.join(one.spec.name for one in readers))
        if _repeats(readers[0].spec, source, data, held):
            return Read(replace(source, outcome=str(Outcome.REPEATS)), Parsed(notes=notes))
        parsed = _checked(read_parts(raw.path, parting) if parting else readers[0].parse(raw.path, data))
        parsed = replace(parsed, notes=(*notes, *parsed.notes))
    except MemoryError:
        raise
    except Exception as error:  # a defect of one parser must not cost the other files
        what = f"{type(error).__name__}: {error}"[:200]
        note = Note(
            "capture.parser_failed",
            Level.ERROR,
            f"the parser {source.parser or 'that was asked'} failed on this file: {what}",
            raw.path,
            help="please report it with this file; the other files are used",
        )
        return Read(
            replace(source, outcome=str(Outcome.FAILED), whole=False), Parsed(notes=(note,), whole=False)
        )
    if not any(table.num_rows for table in (*parsed.tables.values(), *parsed.raw.values())):
        note = Note(
            "capture.nothing_read",
            Level.WARNING,
            f"looks like {readers[0].spec.title}, but holds nothing that can be used",
            raw.path,
            help=f"run {readers[0].spec.tool} again",
        )
        return Read(
            replace(source, outcome=str(Outcome.FAILED), whole=False),
            replace(parsed, notes=(*parsed.notes, note)),
        )
    outcome = Outcome.PARSED if parsed.whole else Outcome.PARTIAL
    return Read(replace(source, outcome=str(outcome), whole=parsed.whole), parsed)


def _head(path: str, data: bytes) -> tuple[Head, tuple[Note, ...]]:
    """Read the head of a file of ibdiagnet, whoever reads the rest of it; note times that are odd."""
    text = data[:HEAD_BYTES].decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    head = head_of(text)
    notes = [
        Note(
            "capture.time_unknown",
            Level.WARNING,
            f"{odd.why}; the time is taken as unknown",
            path,
            odd.line,
            NO_TIME,
        )
        for odd in head.odd_times
    ]
    return head, tuple(notes)


def _repeats(spec: Spec, source: SourceRecord, data: bytes, held: Held) -> bool:
    """Whether a file tells nothing but what the db_csv of the same run tells."""
    if not spec.repeats or source.own_time is None or source.own_time != held.began_at:
        return False
    more = bool(spec.unless) and spec.unless in data
    return held.sections.issuperset(spec.repeats) and not more


def _checked(parsed: Parsed) -> Parsed:
    """Return what a parser gave, or raise where it does not keep to the declared tables."""
    for name, table in parsed.tables.items():
        declared = TABLES[name].schema
        own = pa.schema([field for field in table.schema if not field.name.startswith(EXTRA_PREFIX)])
        extras = {field.type for field in table.schema if field.name.startswith(EXTRA_PREFIX)}
        if not own.equals(declared) or extras - {TEXT}:
            raise TypeError(f"its table {name} is not as declared")
    return parsed
