"""What a shell may offer where a value is being typed. Only what is known without reading or computing.

Each function has the form that click asks for: ``(context, parameter, what is typed so far)`` → values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click

__all__ = [
    "confounders",
    "faults",
    "formats_to_write",
    "gaps",
    "incidents",
    "listed",
    "severities",
    "speeds",
    "tables",
    "topics",
    "topologies",
]

Offer = Callable[[click.Context, click.Parameter, str], list[str]]
_PACKAGE = Path(__file__).resolve().parents[1]


def tables(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Offer the tables and sections of the snapshot that is named before; raw output is not read for it."""
    source = context.params.get("source")
    files = sorted(Path(source).glob("sample=*/**/*.parquet")) if source else []
    return _beginning(typed, dict.fromkeys(file.stem for file in files))


def topics(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer counters, rules, formats, codes and words; their spellings by tools are not offered."""
    from ibforensic.cli.report_words import report_words
    from ibforensic.cli.topics import FORMATS, POLICY
    from ibforensic.model.counters import CATALOGUE
    from ibforensic.model.note_codes import FINDINGS, KINDS
    from ibforensic.model.scanning import names_with
    from ibforensic.model.terms import TERMS

    rules = names_with("RULE", _PACKAGE / "evidence")
    formats = names_with("SPEC", _PACKAGE / "parsers")
    words = (*report_words(), *(term.word for terms in TERMS.values() for term in terms))
    codes = (code for code in (*KINDS, *FINDINGS) if "_" in code and "*" not in code)
    plain = (word.replace(" ", "_") for word in words)
    return _beginning(typed, sorted({*CATALOGUE, *rules, *formats, *codes, *plain, FORMATS, POLICY}))


def incidents(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer the incidents of ``demo``."""
    from ibforensic.model.resources import samples_dir

    return _beginning(typed, sorted(path.name for path in samples_dir().iterdir() if path.is_dir()))


def faults(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer the faults of ``simulate``."""
    from ibforensic.simulate.faults import FaultKind
    from ibforensic.simulate.options import CONFOUNDERS, name_of

    return _beginning(typed, (name_of(kind) for kind in FaultKind if kind not in CONFOUNDERS))


def confounders(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer the confounders of ``simulate``, one behind the other."""
    from ibforensic.simulate.options import CONFOUNDERS, name_of

    return _listed(typed, ("none", "standard", "all"), map(name_of, CONFOUNDERS))


def gaps(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer what ``simulate`` can leave out, one behind the other."""
    from ibforensic.simulate.missing import GAPS

    return _listed(typed, ("none",), GAPS)


def formats_to_write(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer the formats that ``simulate`` writes besides, one behind the other."""
    from ibforensic.simulate.writers import writers

    return _listed(typed, ("none", "all"), (writer.name for writer in writers()))


def topologies(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer the topologies of ``simulate``. Their numbers are not offered: bash takes : and = for gaps."""
    from ibforensic.simulate.topology_spec import SHAPES

    return _beginning(typed, SHAPES)


def speeds(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer the speeds of ``simulate``, one behind the other."""
    from ibforensic.simulate.chips import SPEEDS

    return _listed(typed, (), (speed.lower() for speed in SPEEDS))


def severities(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Offer how bad a fault can be."""
    from ibforensic.simulate.faults import SEVERITIES

    return _beginning(typed, SEVERITIES)


def listed(values: Iterable[str]) -> Offer:
    """Return what offers given values, one behind the other.

    Args:
        values: The values.
    """
    known = tuple(values)
    return lambda _, __, typed: _listed(typed, (), known)


def _beginning(typed: str, values: Iterable[str]) -> list[str]:
    """Return the values that begin with what is typed, in any case of letters."""
    return [value for value in values if value.lower().startswith(typed.lower())]


def _listed(typed: str, alone: Iterable[str], values: Iterable[str]) -> list[str]:
    """Return how a list with commas can go on: its last word, none of the words before it again."""
    before, comma, last = typed.rpartition(",")
    taken = set(before.split(","))
    if not comma:
        return _beginning(last, (*alone, *values))
    return [f"{before},{value}" for value in _beginning(last, values) if value not in taken]
