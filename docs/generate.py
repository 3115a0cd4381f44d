"""Write the documents that are made from the code. ``make docs`` runs it; a test compares the result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parent))

from man_page import man_page

from ibforensic.cli.main import group
from ibforensic.cli.report_words import report_words
from ibforensic.evidence import rules
from ibforensic.evidence.policy_text import ABOUT, EXAMPLE, rows_text, weight_fields
from ibforensic.model.counters import in_group
from ibforensic.model.enums import CounterGroup
from ibforensic.model.tables import TABLES
from ibforensic.model.terms import OTHER_WORDS, TERMS
from ibforensic.parsers import parsers
from ibforensic.parsers.overview import facts_of
from ibforensic.report.sections import how_to_read
from ibforensic.report.words import bands

HERE = Path(__file__).parent
MADE = "Made from the code by `make docs`; do not edit."


def cli() -> Iterator[str]:
    """Write every command with its help."""
    yield f"# Commands\n\n{MADE}\n"
    yield _help(group, "ibforensic", None)
    context = group.make_context("ibforensic", [], resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield _help(command, name, context)


def _help(command: click.Command, name: str, parent: click.Context | None) -> str:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True, terminal_width=100)
    title = f"ibforensic {name}" if parent else name
    return f"## {title}\n\n```\n{command.get_help(context)}\n```\n"


def formats() -> Iterator[str]:
    """Write every format with its parser's docstring."""
    yield f"# Formats\n\n{MADE}\n"
    for parser in parsers():
        spec = parser.spec
        yield f"## {spec.name}: {spec.title}\n"
        yield f"{facts_of(spec, '`')}\n"
        yield f"```\n{parser.doc.strip()}\n```\n"


def counters() -> Iterator[str]:
    """Write every counter."""
    yield f"# Counters\n\n{MADE} Values stick at all ones of their width.\n"
    yield 'A "twin" is the 64-bit register that stands beside a narrow one.\n'
    for kind in CounterGroup:
        yield f"## {kind}\n"
        yield "| counter | class | bits | twin | unit | rate per | speaks about | meaning |"
        yield "|---|---|---|---|---|---|---|---|"
        for entry in in_group(kind):
            cells = (
                entry.kind,
                entry.bits,
                entry.ext_bits or "-",
                entry.unit,
                entry.exposure,
                entry.side,
                entry.says,
            )
            yield f"| `{entry.name}` | " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
        yield ""


def rule_texts() -> Iterator[str]:
    """Write every rule with its docstring."""
    yield f"# Rules\n\n{MADE} They run in this order.\n"
    for item in rules():
        title, _, body = item.doc.strip().partition("\n\n")
        yield f"## {item.rule.id}\n\n{title}\n\n{body.strip()}\n"


def tables() -> Iterator[str]:
    """Write every table, column by column."""
    yield f"# Tables\n\n{MADE} The role of a column says how it is compared.\n"
    for table in TABLES.values():
        yield f"## {table.name}\n\n{table.doc} Key: {', '.join(f'`{name}`' for name in table.key)}.\n"
        if table.name.startswith("counters_"):
            yield "Each counter has a column of quality codes beside it, named `<column>_q`.\n"
        yield "| column | type | role | unit | holds |\n|---|---|---|---|---|"
        for column in table.columns:
            if not column.name.endswith("_q"):
                cells = (column.type, column.role, column.unit or "-", column.doc)
                yield f"| `{column.name}` | " + " | ".join(map(str, cells)) + " |"
        yield ""


def policy() -> Iterator[str]:
    """Write what may stand in a policy file."""
    yield f"# The policy file\n\n{MADE}\n\n{ABOUT}\n"
    yield f"## Example\n\n```toml\n{EXAMPLE}```\n"
    yield "## Limits and weights\n\nBelow `[weights]`, by their names.\n"
    yield "| name | without a policy | meaning |\n|---|---|---|"
    for item in weight_fields():
        yield f"| `{item.name}` | {item.default} | {item.meaning} |"
    yield "\n## Limits of bit error ratios\n\nError limits by row, below `[bit_errors]`.\n"
    yield "| row | set `field` | other sets |\n|---|---|---|"
    for name, usual, others in rows_text():
        yield f"| `{name}` | {usual} | {others or '-'} |"
    yield ""


def terms() -> Iterator[str]:
    """Write the words of the field and those of a report."""
    yield f"# Words\n\n{MADE} `ibforensic explain WORD` tells the same.\n"
    for title, entries in TERMS.items():
        yield from _words(title, ((term.word, term.meaning, term.others) for term in entries))
    yield from _words("In a report", _of_reports())


def _of_reports() -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield the words of a report as it explains them, then its numbers."""
    explained = {word.lower() for words, _ in how_to_read.TERMS for word in words.split(", ")}
    for words, meaning in how_to_read.TERMS:
        others = (OTHER_WORDS.get(word.lower(), ()) for word in words.split(", "))
        yield words, meaning, [*chain.from_iterable(others)]
    levels = ", ".join(f"{word} {share}" for word, share in bands())
    for word, meaning in report_words().items():
        if word not in explained:
            yield word, f"{meaning} {levels}." if meaning.endswith(":") else meaning, ()


def _words(title: str, entries: Iterable[tuple[str, str, Sequence[str]]]) -> Iterator[str]:
    yield f"## {title}\n\n| word | meaning | also called |\n|---|---|---|"
    for word, meaning, others in entries:
        yield f"| {word} | {meaning} | {', '.join(others)} |"
    yield ""


DOCUMENTS: dict[str, Callable[[], Iterator[str]]] = {
    "cli.md": cli,
    "formats.md": formats,
    "counters.md": counters,
    "rules.md": rule_texts,
    "tables.md": tables,
    "policy.md": policy,
    "terms.md": terms,
    "ibforensic.1": man_page,
}
"""File name → what writes it."""


def render(name: str) -> str:
    """Return the text of one document."""
    return "\n".join(DOCUMENTS[name]()).rstrip() + "\n"


if __name__ == "__main__":
    for file in DOCUMENTS:
        (HERE / file).write_text(render(file), encoding="utf-8")
