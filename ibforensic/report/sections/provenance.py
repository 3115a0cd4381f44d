"""Where it all comes from: files with their hashes, tools, command lines, and troubles in reading."""

from __future__ import annotations

from typing import Any

from ibforensic.report import words
from ibforensic.report.sections.base import Json, Section, View, first, sides

FILES = 60
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
    files, more_files = first(side["sources"], FILES)
    notes, more_notes = first(side["notes"], NOTES)
    commands, more_commands = first(side["commands"], COMMANDS)
    tools, more_tools = first(list(side["tools"].items()), TOOLS)
    return {
        "side": name,
        "label": side["label"],
        "when": words.window(side),
        "fabric": side["fabric"] or words.NOT_COLLECTED,
        "tools": [f"{tool} {version}".rstrip() for tool, version in tools],
        "commands": commands,
        "files": [_file(source) for source in files],
        "notes": [_note(note) for note in notes],
        "more": {
            "files": more_files,
            "notes": more_notes,
            "commands": more_commands,
            "tools": more_tools,
        },
    }


def _file(source: Json) -> dict[str, str]:
    flags = [source["outcome"]]
    flags += [] if source["whole"] else ["cut short"]
    flags += ["stale: from another run"] if source["stale"] else []
    return {
        "path": source["path"],
        "size": words.size(source["size"]),
        "sha256": source["sha256"][:HASH_DIGITS],
        "parser": source["parser"] or "none claims it",
        "outcome": ", ".join(flags),
        "time": words.when(source["own_time"]),
    }


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
