"""JSON that may have been tampered with: what is not as it should be is named by its key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

__all__ = ["Shape", "WrongShapeError"]

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=StrEnum)


class WrongShapeError(ValueError):
    """A key is missing, or holds something else than it should."""

    def __init__(self, key: str, wanted: str) -> None:
        super().__init__(f"{key} should be {wanted}")


class Shape:
    """A value in a JSON document, and where it stands.

    Each method raises WrongShapeError where the value is of another kind.
    """

    def __init__(self, value: Any, key: str = "") -> None:
        self._value = value
        self._key = key

    def at(self, name: str) -> Shape:
        """Return a member of an object."""
        key = f"{self._key}.{name}" if self._key else name
        if not isinstance(self._value, dict):
            raise WrongShapeError(self._key or "the whole", "an object")
        if name not in self._value:
            raise WrongShapeError(key, "there")
        return Shape(self._value[name], key)

    def items(self) -> list[Shape]:
        """Return the members of a list."""
        if not isinstance(self._value, list):
            raise WrongShapeError(self._key, "a list")
        return [Shape(item, f"{self._key}[{at}]") for at, item in enumerate(self._value)]

    def map_of(self, read: Callable[[Shape], Value]) -> dict[str, Value]:
        """Return an object as name → value, each read the same way."""
        if not isinstance(self._value, dict):
            raise WrongShapeError(self._key, "an object")
        return {name: read(self.at(name)) for name in self._value}

    def maybe(self, read: Callable[[Shape], Value]) -> Value | None:
        """Return None for null, else what is read."""
        return None if self._value is None else read(self)

    def text(self) -> str:
        """Return text."""
        if not isinstance(self._value, str):
            raise WrongShapeError(self._key, "text")
        return self._value

    def whole_number(self) -> int:
        """Return a number that counts something."""
        if not isinstance(self._value, int) or isinstance(self._value, bool) or self._value < 0:
            raise WrongShapeError(self._key, "a whole number")
        return self._value

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self._value, bool):
            raise WrongShapeError(self._key, "true or false")
        return self._value

    def one_of(self, kind: type[Choice]) -> Choice:
        """Return a word of an enumeration."""
        try:
            return kind(self.text())
        except ValueError as error:
            raise WrongShapeError(self._key, " or ".join(kind)) from error

    def time(self) -> datetime:
        """Return a time in UTC."""
        try:
            return datetime.fromisoformat(self.text()).astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise WrongShapeError(self._key, "a time such as 2030-01-02T03:04:05Z") from error
