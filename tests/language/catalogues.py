"""The catalogues as the tests look at them: what the code says, and what is translated."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("languages", ROOT / "docs" / "languages.py")
languages = importlib.util.module_from_spec(_spec)
sys.modules["languages"] = languages
_spec.loader.exec_module(languages)

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:e-?\d+)?")
_NAME = re.compile(
    r"--[a-z_]+|\b(?:ib[a-z]{3,}\d?|perfquery|mlxlink|lspci|smpquery|db_csv)\b|\b[A-Z][A-Z_]{1,}", re.ASCII
)


def forms(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """A text, or its singular and plural."""
    return (value,) if isinstance(value, str) else tuple(value)


def fields(template: str) -> list[tuple[str, str]]:
    """Fields of a template with their formats, in the order of their names."""
    found = Formatter().parse(template) if "{" in template else ()
    return sorted({(name, spec or "") for _, name, spec, _ in found if name is not None})


def placeholders(text: str) -> set[str]:
    """What newstyle gettext of templates puts in: ``%(name)s``."""
    return set(re.findall(r"%\((\w+)\)s", text))


def numbers(text: str) -> list[str]:
    """Numbers that stand in a text itself, outside of its fields."""
    return sorted(_NUMBER.findall(re.sub(r"\{[^{}]*\}", "", text)))


def names(text: str) -> set[str]:
    """Options, programs and abbreviations that are the same in every language."""
    return set(_NAME.findall(re.sub(r"\{[^{}]*\}", "", text)))
