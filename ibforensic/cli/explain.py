"""The command ``ibforensic explain``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibforensic.cli import completing
from ibforensic.cli.base import clean
from ibforensic.cli.report_words import report_words, words_like
from ibforensic.cli.topics import POLICY, columns, near, others

if TYPE_CHECKING:
    from ibforensic.model.counters import Counter

_NOTES = ("KNOWLEDGE §", "atlas §", "demand D-")
_SOURCES = "What KNOWLEDGE, atlas and demand stand for, and on what they rest: docs/sources.md"


@click.command(name="explain")
@click.argument("topic", required=False, shell_complete=completing.topics)
@click.option(
    "--probe",
    "probed",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Print the skeleton of a collection: sections, columns, shapes of values. Names nobody; "
    "meant for reporting formats that are not understood.",
)
def COMMAND(topic: str | None, probed: Sequence[Path]) -> int:  # noqa: N802
    """Explain a counter, rule, format, table, section, code, word or the policy file.

    Without TOPIC it lists what can be explained. Counters are found by any tool's spelling.

    \b
    Examples:
      ibforensic explain SymbolErrorCounter
      ibforensic explain link_down
      ibforensic explain db_csv
      ibforensic explain formats
      ibforensic explain severity
      ibforensic explain policy
      ibforensic explain db_csv.file_cut
      ibforensic explain --probe /var/tmp/ibdiagnet2
    """
    if probed:
        from ibforensic.capture.probe import probe

        click.echo(probe(probed), nl=False)
        return 0
    if topic is None:
        _everything()
        return 0
    counters = list(_counters(topic)) or list(columns(topic))
    named = (_rule(topic), _format(topic), *counters, *words_like(topic), *others(topic))
    found = [text for text in named if text]
    if not found:
        from ibforensic.model.errors import BadUsage

        raise BadUsage(
            f"there is nothing about {clean(topic)}", f"did you mean {_near(topic)}? see: ibforensic explain"
        )
    click.echo("\n\n".join(found))
    if any(name in text for text in found for name in _NOTES):
        click.echo(f"\n{_SOURCES}")
    return 0


def _everything() -> None:
    from ibforensic.model.counters import CATALOGUE
    from ibforensic.model.terms import TERMS

    click.echo("formats: (ibforensic explain formats tells their tables)")
    for name, title in _formats().items():
        click.echo(f"  {name:24} {title}")
    click.echo("rules:")
    for name, title in _rules().items():
        click.echo(f"  {name:24} {title}")
    click.echo("counters:")
    for counter in CATALOGUE.values():
        click.echo(f"  {counter.name:40} {counter.kind}")
    click.echo("words of a report:")
    for word in report_words():
        click.echo(f"  {word}")
    click.echo("words of the field:")
    for terms in TERMS.values():
        for term in terms:
            click.echo(f"  {term.word}")
    click.echo("files to write:")
    click.echo(f"  {POLICY:24} limits, weights and known faults, for --policy")


def _counters(topic: str) -> Iterator[str]:
    """What counters count, by any tool's spelling of them."""
    from ibforensic.model.counters import CATALOGUE

    wanted = topic.lower()
    for counter in CATALOGUE.values():
        spellings = {s for names in (*counter.aliases.values(), *counter.ext_aliases.values()) for s in names}
        if wanted in {counter.name, counter.ext_name, *(spelling.lower() for spelling in spellings)}:
            yield _counter(counter, sorted(spellings - {counter.name}))


def _counter(counter: Counter, spellings: Sequence[str]) -> str:
    """What one counter counts."""
    twin = f", and a {counter.ext_bits}-bit twin" if counter.ext_bits else ""
    return "\n".join(
        [
            f"counter {counter.name} (group {counter.group}, class {counter.kind})",
            "",
            f"  {counter.says}",
            f"  width: {counter.bits} bits, sticks at {counter.full:,}{twin}",
            f"  unit: {counter.unit}; a rate is per {counter.exposure.replace('_', ' ')}",
            f"  speaks about: {counter.side}; cleared together with: {counter.cleared_with}",
            f"  also spelt: {', '.join(spellings)}",
            f"  source: {counter.source}",
        ]
    )


def _rules() -> dict[str, str]:
    from ibforensic.evidence import rules

    return {item.rule.id: item.rule.title for item in rules()}


def _formats() -> dict[str, str]:
    from ibforensic.parsers import parsers

    return {parser.spec.name: parser.spec.title for parser in parsers()}


def _rule(topic: str) -> str:
    from ibforensic.evidence import rules

    return next((f"rule {topic}\n\n{item.doc}" for item in rules() if item.rule.id == topic), "")


def _format(topic: str) -> str:
    from ibforensic.parsers import parsers
    from ibforensic.parsers.overview import facts_of

    return next(
        (
            f"format {topic}\n\n{facts_of(item.spec)}\n\n{item.doc}"
            for item in parsers()
            if item.spec.name == topic
        ),
        "",
    )


def _near(topic: str) -> str:
    from ibforensic.model.counters import CATALOGUE
    from ibforensic.model.terms import TERMS

    words = (term.word for terms in TERMS.values() for term in terms)
    return near(topic, [*CATALOGUE, *_rules(), *_formats(), *report_words(), *words])
