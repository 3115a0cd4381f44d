"""One file through its parser: what it gave, or why it gave nothing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import pyarrow as pa

from ibforensic.capture.records import RawFile
from ibforensic.model.enums import Level, Outcome
from ibforensic.model.records import Note, SourceRecord
from ibforensic.model.table import EXTRA_PREFIX, TEXT
from ibforensic.model.tables import TABLES
from ibforensic.parsers import Parsed, claimant


@dataclass(frozen=True, slots=True)
class Read:
    """A file and what was read from it.

    Attributes:
        source: The file.
        parsed: What its parser gave; empty where there is none.
    """

    source: SourceRecord
    parsed: Parsed


def read(raw: RawFile) -> Read:
    """Parse one file.

    Args:
        raw: The file.

    Returns:
        What was read, and the outcome. A parser that fails is a note of level error: one bad file must
        not cost the others.
    """
    digest = hashlib.sha256(raw.data).hexdigest()
    source = SourceRecord(raw.path, digest, len(raw.data), None, str(Outcome.UNKNOWN))
    try:
        parser = claimant(raw.name, raw.data)
        if parser is None:
            return Read(source, Parsed())
        source = replace(source, parser=parser.spec.name)
        parsed = _checked(parser.parse(raw.path, raw.data))
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
            f"looks like {parser.spec.title}, but holds nothing that can be used",
            raw.path,
            help=f"run {parser.spec.tool} again",
        )
        return Read(
            replace(source, outcome=str(Outcome.FAILED), whole=False),
            replace(parsed, notes=(*parsed.notes, note)),
        )
    outcome = Outcome.PARSED if parsed.whole else Outcome.PARTIAL
    return Read(replace(source, outcome=str(outcome), whole=parsed.whole), parsed)


def _checked(parsed: Parsed) -> Parsed:
    """Return what a parser gave, or raise where it does not keep to the declared tables."""
    for name, table in parsed.tables.items():
        declared = TABLES[name].schema
        own = pa.schema([field for field in table.schema if not field.name.startswith(EXTRA_PREFIX)])
        extras = {field.type for field in table.schema if field.name.startswith(EXTRA_PREFIX)}
        if not own.equals(declared) or extras - {TEXT}:
            raise TypeError(f"its table {name} is not as declared")
    return parsed
