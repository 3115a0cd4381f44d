"""The gettext catalogues: which there are, and what they hold."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

LANGUAGES: Mapping[str, str] = {"en": "English", "ko": "한국어"}
"""Code of a language → its own name. English is what the code itself says and has no catalogue."""
FOLDER = Path(__file__).parent / "catalogues"
DOMAIN = "ibforensic"
PHRASE = "phrase"
"""Context of what stands within sentences, and of sentences of the document that have no id."""
CELL = "cell"
"""Context of what stands in cells of tables beside names and numbers."""
WRAPPER = "around a message"
"""Context of what is added to a sentence of any id: templates with ``{before}``."""


class Catalogue(gettext.GNUTranslations):
    """A catalogue that can also be looked through, not only asked."""

    _catalog: dict[Any, str]

    @cached_property
    def by_context(self) -> Mapping[str, Mapping[str, str]]:
        """Context → English text → translated text."""
        found: dict[str, dict[str, str]] = {}
        for key, text in self._catalog.items():
            context, separator, english = key.partition("\x04") if isinstance(key, str) else ("", "", "")
            if separator and text:
                found.setdefault(context, {})[english] = text
        return found

    def variants(self, context: str) -> Mapping[str, str]:
        """Return what a context holds: English text → translated text."""
        return self.by_context.get(context, {})


@cache
def catalogue(language: str) -> Catalogue | None:
    """Return the catalogue of a language; None for English and for languages that there are not."""
    path = FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if language not in LANGUAGES or not path.is_file():
        return None
    with path.open("rb") as file:
        return Catalogue(file)
