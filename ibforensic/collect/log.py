"""collect.json: what ran when, how it ended, and where its output is. Its parser is ``collect_log``."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from ibforensic import __version__
from ibforensic.collect.records import Collection, Done
from ibforensic.model.collect_format import FORMAT, LOG_FILE

__all__ = ["document", "write"]


def document(collection: Collection) -> dict[str, Any]:
    """Return the log of a collection as plain JSON types.

    Args:
        collection: The collection, whether it came to its end or not.
    """
    return {
        "format": FORMAT,
        "version": __version__,
        "host": collection.host,
        "began_at": collection.began_at.isoformat(),
        "ended_at": collection.ended_at.isoformat() if collection.ended_at else None,
        "missing": {tool: sorted(hosts) for tool, hosts in sorted(collection.missing.items())},
        "remarks": [{"text": text, "help": help_} for text, help_ in collection.remarks.items()],
        "steps": [_step(one) for one in sorted(collection.done, key=lambda one: (one.began_at, one.host))],
    }


def write(collection: Collection, folder: Path) -> None:
    """Write the log into the folder of a collection; a reader sees an old one, or the new one whole.

    Args:
        collection: The collection.
        folder: Its folder.
    """
    part = folder / f".{LOG_FILE}.part"
    part.write_text(json.dumps(document(collection), indent=1, ensure_ascii=False) + "\n", "utf-8")
    part.replace(folder / LOG_FILE)


def _step(one: Done) -> dict[str, Any]:
    """Return what came of one step."""
    told = {
        "host": one.host,
        "scope": str(one.step.scope),
        "tool": one.step.words[0],
        "command": shlex.join(one.step.words),
        "began_at": one.began_at.isoformat(),
        "ended_at": one.ended_at.isoformat(),
        "outcome": str(one.outcome),
        "status": one.status,
        "stdout": one.stdout or None,
    }
    return told | {name: text for name, text in (("printed", one.said), ("stderr", one.stderr)) if text}
