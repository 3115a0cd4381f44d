"""The language that is being spoken: what renders a report asks here, so that nobody hands it around."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ibforensic.language.catalogue import catalogue

_SPOKEN: ContextVar[str] = ContextVar("spoken", default="en")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language within a block; English before and after.

    Args:
        language: Code of the language.
    """
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def spoken() -> str:
    """Return the code of the language that is being spoken."""
    return _SPOKEN.get()


def gettext(text: str) -> str:
    """Return a text in the language that is being spoken; as it is where that has none."""
    held = catalogue(_SPOKEN.get())
    return held.gettext(text) if held and text else text


def ngettext(one: str, many: str, number: int) -> str:
    """Return the form of a text that fits a number, in the language that is being spoken."""
    held = catalogue(_SPOKEN.get())
    if held:
        return held.ngettext(one, many, number)
    return one if number == 1 else many
