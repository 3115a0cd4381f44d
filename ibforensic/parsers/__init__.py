"""Parsers: one module (or package) a text format, each with a ``SPEC`` and a ``parse``.

To add a format, add a module here; nothing else has to be told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ibforensic.model.scanning import modules_with
from ibforensic.parsers.base import Parsed, Spec

__all__ = ["Parsed", "Parser", "Spec", "claimant", "parsers"]


@dataclass(frozen=True, slots=True)
class Parser:
    """A parser found in this package.

    Attributes:
        spec: What it reads.
        parse: ``parse(path, data)`` → Parsed.
        doc: Docstring of the module.
    """

    spec: Spec
    parse: Callable[[str, bytes], Parsed]
    doc: str


@cache
def parsers() -> tuple[Parser, ...]:
    """Return all parsers in the order in which they are asked."""
    found = [
        Parser(module.SPEC, module.parse, module.__doc__ or "")
        for module in modules_with("SPEC", __name__, __path__)
    ]
    return tuple(sorted(found, key=lambda parser: (parser.spec.order, parser.spec.name)))


HEAD_BYTES = 65536


def claimant(name: str, data: bytes) -> Parser | None:
    """Return the parser that claims a file, or None.

    Args:
        name: File name without folders.
        data: The bytes; only the first 64 KiB are looked at.
    """
    head = data[:HEAD_BYTES]
    return next((parser for parser in parsers() if parser.spec.claims(name, head)), None)
