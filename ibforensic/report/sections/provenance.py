"""Where it all comes from: files with their hashes, tools, command lines, and troubles in reading."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from ibforensic.report import words
from ibforensic.report.sections.base import Json, Section, View, first, sides

FILES = 60
UNUSED = 20
"""More files than these that nothing reads are folded away into a list of their own."""
UNUSED_LISTED = 300
KNOWN_TOOLS = ("ibdiagnet", "ibnetdiscover", "iblinkinfo", "perfquery", "ibstat", "ibqueryerrors", "mlxlink")
NOTES = 30
COMMANDS = 10
TOOLS = 12
HASH_DIGITS = 16


def view(doc: Json) -> View:
    """Return what is known of the origin of both sides."""
    return {
        "sides": [_side(name, side) for name, side in sides(doc)],
        "engine": doc["engine"],
        "policy": doc["policy"],
        "schema": doc["schema"],
    }


def _side(name: str, side: Json) -> dict[str, Any]:
    used, unused = _by_use(side["sources"])
    files, more_files = first(used, FILES)
    names, more_names = first(unused, UNUSED_LISTED)
    notes, more_notes = first(side["notes"], NOTES)
    commands, more_commands = first(whole(side["commands"]), COMMANDS)
    tools, more_tools = first(list(side["tools"].items()), TOOLS)
    return {
        "side": name,
        "label": side["label"],
        "when": words.window(side),
        "fabric": side["fabric"] or words.NOT_COLLECTED,
        "tools": [f"{tool} {version}".rstrip() for tool, version in tools],
        "commands": commands,
        "files": [_file(source, side) for source in files],
        "unused": words.count(
            len(unused), "file that is kept, but not used", "files that are kept, but not used"
        ),
        "unused_names": [source["path"] for source in names],
        "notes": [_note(note) for note in notes],
        "more": {
            "files": words.more(more_files, "file") if more_files else "",
            "unused": words.more(more_names) if more_names else "",
            "notes": words.more(more_notes) if more_notes else "",
            "commands": words.more(more_commands, "command line") if more_commands else "",
            "tools": words.more(more_tools) if more_tools else "",
        },
    }


def whole(commands: Sequence[str]) -> list[str]:
    """Leave out options that stand in another command line too: files tell some of it, or all."""
    return [text for text in commands if not any(other.endswith(f" {text}") for other in commands)]


def _by_use(sources: Sequence[Json]) -> tuple[list[Json], list[Json]]:
    """Part the files that are read from those that nothing reads, where the latter are many."""
    unused = [source for source in sources if source["outcome"] == "unknown"]
    if len(unused) <= UNUSED:
        return list(sources), []
    return [source for source in sources if source["outcome"] != "unknown"], unused


def _file(source: Json, side: Json) -> dict[str, str]:
    kept = source["outcome"] == "unknown" and _of_known_tool(source["path"], side)
    flags = ["kept, not used" if kept else source["outcome"]]
    flags += [] if source["whole"] else ["cut short"]
    flags += ["stale: from another run"] if source["stale"] else []
    return {
        "path": source["path"],
        "size": words.size(source["size"]),
        "sha256": source["sha256"][:HASH_DIGITS],
        "parser": source["parser"] or (words.NOT_COLLECTED if kept else "none claims it"),
        "outcome": ", ".join(flags),
        "time": words.when(source["own_time"]),
    }


def _of_known_tool(path: str, side: Json) -> bool:
    """Whether a file is named after a tool that is known, so that there is nothing odd about it."""
    name = PurePosixPath(path).name.lower()
    return name.startswith((*KNOWN_TOOLS, *(tool.lower() for tool in side["tools"] if tool)))


def _note(note: Json) -> dict[str, str]:
    where = f"{note['path']}:{note['line']}" if note["line"] is not None else note["path"]
    return {
        "level": note["level"],
        "mark": words.LEVEL_MARKS.get(note["level"], ""),
        "code": note["code"],
        "where": where,
        "text": note["message"],
        "help": note["help"],
    }


SECTION = Section(70, "Provenance", "sections/provenance.html.j2", view)
