"""Bring the catalogues of other languages up to date with the code, and compile them.

``python docs/languages.py`` adds what is new to each ``.po`` file, without a translation, drops what the
code no longer says, and writes the ``.mo`` beside it. A test compares the result, and that nothing is left.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).parent))

from code_texts import Source, called
from language_tables import CELLS, EARLIER, FREE, NOUN_OF, RETURNED, SAME, report_tables, tables

from ibforensic.language.catalogue import CELL, DOMAIN, FOLDER, LANGUAGES, PHRASE, WRAPPER
from ibforensic.language.phrases import NAMES

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "ibforensic"
SPOKEN = ("report", "cli")
"""Layers whose texts are marked with ``_()``."""
KEYWORDS = {"_": None, "gettext": None}
OPTIONS = {"newstyle_gettext": "true", "trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"}

UNWANTED = tuple(
    f'"{name}'.encode()
    for name in ("POT-Creation", "PO-Revision", "Generated-By", "Last-Translator", "Language-Team", "Report-")
)
"""Lines of the head that change with every run, or say nothing."""
WRITTEN = datetime(2024, 1, 1, tzinfo=UTC)
"""Stands in the head of every catalogue: the same texts make the same bytes."""

Entry = tuple[str | None, str, str]
"""Context, English text, file."""


def entries() -> Iterator[Entry]:
    """Yield every text that people read, in the order of the files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        if path.relative_to(PACKAGE).parts[0] in ("simulate", "language"):
            continue
        source = Source(path.read_text(encoding="utf-8"))
        if path.name != "message.py":
            yield from _messages(source, file)
        yield from ((PHRASE, text, file) for text in _free(source, file))
        for call in source.calls("Change"):
            kinds = sorted(source.texts(call.args[0]))
            yield from ((None, kind.replace("_", " "), file) for kind in kinds)
    yield from ((PHRASE, text, file) for file, text in tables())
    yield from ((CELL, text, "ibforensic/inventory") for text in CELLS)
    yield from ((context, text, "docs/language_tables.py") for context, text in EARLIER)
    yield from _marked()


def _messages(source: Source, file: str) -> Iterator[Entry]:
    """Yield the templates of messages, and the phrases that are put into them."""
    for call in source.calls("say"):
        if len(call.args) < 2:
            continue
        families = sorted({text.split(".")[0] for text in source.texts(call.args[0])})
        if any(word.arg == "before" and getattr(word.value, "attr", "") == "text" for word in call.keywords):
            families = [WRAPPER]
        templates = sorted(source.texts(call.args[1]))
        if not families or not templates:
            raise ValueError(f"{file}:{call.lineno}: nobody can tell what this says")
        yield from ((family, text, file) for family in families for text in templates)
        for name, value in source.keywords(call):
            if name not in NAMES:
                yield from ((PHRASE, text, file) for text in sorted(source.texts(value)))


def _free(source: Source, file: str) -> Iterator[str]:
    """Yield the sentences that have no id: those of findings, helps, sections."""
    for call in source.calls(*FREE):
        wanted = FREE[called(call)]
        for place, argument in enumerate(call.args):
            if place in wanted:
                yield from sorted(_all_texts(source, argument))
        for word in call.keywords:
            if word.arg in wanted:
                yield from sorted(_all_texts(source, word.value))
    for function in RETURNED.get(file.removeprefix("ibforensic/"), ()):
        for text in source.returned(function):
            yield from sorted(source.texts(text))


def _all_texts(source: Source, node: object) -> set[str]:
    """Texts of an argument; of a list of them, all."""
    found = set(source.texts(node))
    for element in source.elements(node) if not found else ():
        found |= source.texts(element)
    return found


def _nouns(source: Source, file: str) -> Iterator[Entry]:
    """Yield the nouns that are counted: what ``count`` and ``more`` are given, one and several of them."""
    for call in source.calls(*NOUN_OF):
        place = NOUN_OF[called(call)]
        ones = source.texts(call.args[place]) if len(call.args) > place else set()
        many = source.texts(call.args[place + 1]) if len(call.args) > place + 1 else set()
        plain = {f"{one}s" for one in ones} if not many - {""} else many
        yield from ((None, noun, file) for noun in sorted(ones | plain))


def _marked() -> Iterator[Entry]:
    """Yield what renderers mark with ``_()`` and templates with ``{% trans %}``."""
    yield from ((None, text, file) for file, text in report_tables())
    for path in sorted((PACKAGE / "report").rglob("*.py")):
        yield from _nouns(Source(path.read_text(encoding="utf-8")), path.relative_to(ROOT).as_posix())
    for layer in SPOKEN:
        for path in sorted((PACKAGE / layer).rglob("*.py")):
            for text in _asked_for(path):
                yield None, text, path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / "templates").rglob("*.j2")):
        with path.open("rb") as file:
            for _, text, _, _ in extract("jinja2.ext.babel_extract", file, KEYWORDS, options=OPTIONS):
                yield None, text, path.relative_to(ROOT).as_posix()


def _asked_for(path: Path) -> Iterator[str]:
    """Yield what stands in ``_()``, also within other texts; names are asked for by the tables."""
    for call in Source(path.read_text(encoding="utf-8")).calls("_"):
        if call.args and isinstance(call.args[0], ast.Constant):
            yield str(call.args[0].value)


def wanted() -> Catalog:
    """Return an empty catalogue of everything that is to be translated."""
    catalog = Catalog(domain=DOMAIN, project="ibforensic", version="1", fuzzy=False)
    for context, text, file in entries():
        if _is_text(text) or context not in (None, PHRASE, CELL):
            catalog.add(text, context=context, locations=[(file, 0)])
    return catalog


def _is_text(text: str) -> bool:
    """Whether there is anything to be translated besides fields and names of the field."""
    bare = re.sub(r"\{[^{}]*\}", "", text)
    # The order of two fields is a matter of the language, even if nothing but spaces stands between them.
    ordered = text == "{number} {noun}"
    return (ordered or bool(re.search(r"[A-Za-z]", bare))) and "  " not in text and text.strip() not in SAME


def updated(language: str) -> Catalog:
    """Return the catalogue of a language with everything that is wanted and nothing else."""
    held = read(language)
    fresh = wanted()
    fresh.locale = language
    for message in fresh:
        if message.id:
            known = held.get(message.id, message.context)
            message.string = known.string if known else message.string
            message.flags = {"python-brace-format"} if "{" in str(message.id) else set()
    return fresh


def read(language: str) -> Catalog:
    """Return the catalogue of a language as it lies in the folder."""
    path = FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    if not path.is_file():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def po_bytes(catalog: Catalog) -> bytes:
    """Return a catalogue as people edit it."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, omit_header=False, include_lineno=False)
    kept = (line for line in out.getvalue().splitlines() if not line.startswith(UNWANTED))
    return b"\n".join(kept) + b"\n"


def mo_bytes(catalog: Catalog) -> bytes:
    """Return a catalogue as programs read it."""
    out = io.BytesIO()
    catalog.creation_date = catalog.revision_date = WRITTEN
    write_mo(out, catalog)
    return out.getvalue()


if __name__ == "__main__":
    for code in LANGUAGES:
        if code != "en":
            folder = FOLDER / code / "LC_MESSAGES"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{DOMAIN}.po").write_bytes(po_bytes(updated(code)))
            (folder / f"{DOMAIN}.mo").write_bytes(mo_bytes(read(code)))
