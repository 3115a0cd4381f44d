"""What can be explained besides counters, rules and formats: codes, tables, sections of a db_csv, policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["FORMATS", "POLICY", "columns", "near", "others"]

POLICY = "policy"
FORMATS = "formats"
_SHOWN = 5
_COUNTERS = "counters_"


def others(topic: str) -> Iterator[str]:
    """Yield what is known about a code, a table, a section, the policy file or a field of it, or all formats.

    Args:
        topic: Its name, in any case of letters; a code with or without the parser in front.
    """
    from ibforensic.model.note_codes import FINDINGS, meaning_of
    from ibforensic.model.tables import TABLES

    # Codes are printed with the parser in front; a plain word such as "link" asks for something else.
    is_code = topic.lower() in FINDINGS or "." in topic or "_" in topic
    meaning = meaning_of(topic.lower()) if is_code else ""
    if meaning:
        yield f"note {topic.lower()}\n\n  {meaning}"
    table = TABLES.get(topic.lower())
    if table is not None:
        columns = "\n".join(
            f"  {column.name:24} {column.doc}" for column in table.columns if not column.name.endswith("_q")
        )
        yield f"table {table.name} (key {', '.join(table.key)})\n\n  {table.doc}\n\n{columns}"
    yield from _section(topic.upper())
    yield from _policy(topic.lower())
    if topic.lower() == FORMATS:
        yield _formats()


def columns(topic: str) -> Iterator[str]:
    """Yield what a column of the tables of counters holds; tables in which it holds the same stand together.

    Args:
        topic: Its name, in any case of letters.
    """
    from ibforensic.model.tables import TABLES

    tables_of: dict[str, list[str]] = {}
    for table in TABLES.values():
        for column in table.columns if table.name.startswith(_COUNTERS) else ():
            if column.name == topic.lower():
                says = column.doc + (f"\n  unit: {column.unit}" if column.unit else "")
                tables_of.setdefault(says, []).append(table.name)
    for says, tables in tables_of.items():
        yield f"column {topic.lower()}\n\n  {says}\n  in: {', '.join(tables)}"


def _formats() -> str:
    """List every format with who writes it, the versions seen and the tables it fills."""
    from ibforensic.parsers import parsers
    from ibforensic.parsers.overview import facts_of

    entries = (f"{spec.name}: {spec.title}\n  {facts_of(spec)}" for spec in (one.spec for one in parsers()))
    return f"formats that are read ({len(parsers())})\n\n" + "\n".join(entries)


def _section(name: str) -> Iterator[str]:
    """Yield what becomes of a section of a db_csv that has a mapper."""
    from ibforensic.parsers.db_csv.registry import mapper_of

    mapper = mapper_of(name)
    if mapper is not None:
        says = (getattr(mapper, "__doc__", None) or "It is mapped to tables.").strip().splitlines()[0]
        yield f"section {name} of a db_csv\n\n  {says}\n  its tables: ibforensic show SOURCE {name}"


def _policy(name: str) -> Iterator[str]:
    """Yield what a policy file may hold, or what one of its fields means."""
    from ibforensic.evidence.policy_text import explain_field, explain_policy

    found = explain_policy() if name == POLICY else explain_field(name)
    if found:
        yield found


def near(topic: str, names: Iterable[str]) -> str:
    """Name what may have been meant.

    Args:
        topic: A word that nothing is called.
        names: What there is, besides what this module knows.

    Returns:
        Up to five names: those it is a part of, then those that look like it.
    """
    import difflib

    from ibforensic.model.note_codes import FINDINGS, KINDS
    from ibforensic.model.tables import TABLES
    from ibforensic.parsers.db_csv.registry import MAPPERS

    codes = (name for name in (*KINDS, *FINDINGS) if "_" in name)
    every = {name.lower(): name for name in (*MAPPERS, *codes, *TABLES, POLICY, FORMATS, *names)}
    word = topic.lower()
    parts = sorted(
        (name for name in every if word in name), key=lambda name: (not name.startswith(word), len(name))
    )
    alike = difflib.get_close_matches(word, every, _SHOWN, 0.4)
    found = list(dict.fromkeys([*parts, *alike]))[:_SHOWN] if word else []
    return ", ".join(every[name] for name in found) or "another word"
