"""A TOML file with the lines its keys stand on, so that what is wrong can be pointed at."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ibforensic.model.errors import BadPolicy

Place = tuple[str | int, ...]
"""Where a value stands: the names of tables, and numbers of the entries of a list, down to its key."""
HELP = "every field and an example: ibforensic explain policy"
_AT = re.compile(r"\s*\(at line (\d+), column (\d+)\)\Z")
_HEADER = re.compile(r"\s*(\[\[?.+\]\]?)\s*(?:#.*)?\Z")
_SHOWN = 60


@dataclass(frozen=True)
class Source:
    """The text of a policy file.

    Attributes:
        name: What to call it.
        text: What stands in it.
    """

    name: str
    text: str

    def values(self) -> dict[str, Any]:
        """Read it.

        Raises:
            BadPolicy: It is not TOML.
        """
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            raise BadPolicy(f"{self.name}: it is nested too deeply", HELP) from None
        except ValueError as error:  # Numbers of thousands of digits are one, too.
            told = str(error)
            at = _AT.search(told)
            where = f"{self.name}:{at[1]}" if at else self.name
            column = f" (column {at[2]})" if at else ""
            why = _AT.sub("", told)
            raise BadPolicy(
                f"{where}: this is not TOML: {why}{column}",
                'names stand as key = value, texts in "quotes", tables in [brackets]; ' + HELP,
            ) from None

    def fail(self, message: str, place: Place, help_text: str = "") -> NoReturn:
        """Refuse what stands at a place.

        Args:
            message: What is wrong.
            place: Where it stands.
            help_text: What to do about it.

        Raises:
            BadPolicy: Always.
        """
        line = line_of(self.text, place)
        where = f"{self.name}:{line}" if line else self.name
        raise BadPolicy(f"{where}: {message}", help_text or HELP)

    def known(self, name: str, names: Collection[str], what: str, place: Place) -> None:
        """Refuse a name that there is not.

        Args:
            name: The name.
            names: What there is.
            what: What such a name is called.
            place: Where it stands.

        Raises:
            BadPolicy: There is no such name; the help says which one may be meant, and lists all.
        """
        if name in names:
            return
        alike = difflib.get_close_matches(name, names, 1, 0.5)
        meant = f"did you mean {alike[0]}? " if alike else ""
        self.fail(f"there is no {what} {shown(name)}", place, f"{meant}there are: {', '.join(sorted(names))}")

    def table(self, value: Any, place: Place) -> dict[str, Any]:
        """Return a value that has to be a table."""
        if not isinstance(value, dict):
            self.fail(f"{place[-1]} must be a table", place)
        return value

    def entries(self, values: dict[str, Any], name: str) -> Iterator[tuple[Place, dict[str, Any]]]:
        """Yield the entries of a list of tables, ``[[name]]``, each with its place."""
        found = values.get(name, [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            self.fail(f"write [[{name}]], with two brackets: there may be several", (name,))
        for at, entry in enumerate(found):
            yield (name, at), entry

    def text_at(self, entry: dict[str, Any], key: str, place: Place) -> str:
        """Return a text of an entry; empty where there is none."""
        value = entry.get(key, "")
        if not isinstance(value, str):
            self.fail(f'{key} must be text, in "quotes"', (*place, key))
        return value.strip()


def shown(value: object) -> str:
    """Return a value from the file so that it can be printed."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def line_of(text: str, place: Place) -> int | None:
    """Find the line on which a value stands, or else what it is a part of.

    Args:
        text: TOML.
        place: Where the value stands.

    Returns:
        The line, from 1; None where nothing of it was found.
    """
    best, found = 0, None
    for number, path in _lines(text):
        same = 0
        while same < min(len(path), len(place)) and path[same] == place[same]:
            same += 1
        if same > best and same == len(path):
            best, found = same, number
    return found


def _lines(text: str) -> Iterator[tuple[int, Place]]:
    """Yield each line that names a table or a key, with what it names."""
    here: Place = ()
    entries: Counter[Place] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.match(line)
        if header and "=" not in line.split("#")[0]:
            here = _path(header[1])
            if header[1].startswith("[["):
                here, key = (*here, entries[here]), here
                entries[key] += 1
            yield number, here
        elif "=" in line:
            path = _path(line.partition("=")[0] + "= 0")
            if path:
                yield number, (*here, *path)


def _path(piece: str) -> Place:
    """Return the names in a header, or before an equals sign; empty where it is no TOML by itself."""
    try:
        value: Any = tomllib.loads(piece)
    except ValueError:
        return ()
    names: list[str] = []
    while isinstance(value, dict) and value:
        name, value = next(iter(value.items()))
        names.append(name)
        value = value[0] if isinstance(value, list) else value
    return tuple(names)
