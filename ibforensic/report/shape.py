"""What the parts of a document must be before anybody renders them: small checks, put together.

A check takes a value and the name of its place, and returns what is wrong with it; nothing where it is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any, str], str]


def text(value: Any, at: str) -> str:
    """Accept text."""
    return "" if isinstance(value, str) else _not(value, at, "text")


def number(value: Any, at: str) -> str:
    """Accept a number; true and false are none."""
    right = isinstance(value, int | float) and not isinstance(value, bool)
    return "" if right else _not(value, at, "a number")


def plain(value: Any, at: str) -> str:
    """Accept text, a number, true, false and nothing."""
    return "" if value is None or isinstance(value, str | int | float) else _not(value, at, "one value")


def anything(_: Any, __: str) -> str:
    """Accept whatever it is."""
    return ""


def maybe(check: Check) -> Check:
    """Accept nothing, or what a check accepts."""
    return lambda value, at: "" if value is None else check(value, at)


def many(check: Check) -> Check:
    """Accept a list of what a check accepts."""

    def run(value: Any, at: str) -> str:
        if not isinstance(value, list):
            return _not(value, at, "a list")
        return next(filter(None, (check(item, f"{at}[{place}]") for place, item in enumerate(value))), "")

    return run


def named(check: Check) -> Check:
    """Accept an object of any keys, each of which holds what a check accepts."""

    def run(value: Any, at: str) -> str:
        if not isinstance(value, dict):
            return _not(value, at, "an object")
        return next(filter(None, (check(item, f"{at}.{name}") for name, item in value.items())), "")

    return run


def fields(needed: Mapping[str, Check], newer: Mapping[str, Check] | None = None) -> Check:
    """Accept an object.

    Args:
        needed: Key → check of what it must hold.
        newer: The same for keys that older documents lack. Other keys hold anything.
    """
    every = {**needed, **(newer or {})}

    def run(value: Any, at: str) -> str:
        if not isinstance(value, dict):
            return _not(value, at, "an object")
        lacking = next((name for name in needed if name not in value), None)
        if lacking is not None:
            return f"{at or 'the document'} has no {lacking}"
        places = ((name, f"{at}.{name}" if at else name) for name in every if name in value)
        return next(filter(None, (every[name](value[name], place) for name, place in places)), "")

    return run


def both(*checks: Check) -> Check:
    """Accept what all checks accept."""
    return lambda value, at: next(filter(None, (check(value, at) for check in checks)), "")


def _not(value: Any, at: str, wanted: str) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "yes or no", type(None): "nothing"}
    return f"{at or 'the document'} is {kinds.get(type(value), 'a number')}, not {wanted}"
