"""The JSON of mlxlink, by itself, several in one file, or wrapped into other JSON, sorted into reports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.mlxlink.reports import Asked, Cell, Report, asked_in_name

__all__ = ["read"]

_DEEPEST = 40
_MOST_BROKEN = 100
"""Broken documents after which a file is given up: it is no longer JSON."""
_AGAIN = "ask for that port again"


_DOCUMENT = re.compile(r"[{\[](?=\s*(?:[\"{\[}\]]|\Z))")
"""Begin of a document; the bracket of a shell prompt is none."""


def read(text: str, path: str, troubles: Gathering) -> list[Report]:
    """Read all JSON documents of a file.

    Args:
        text: The file.
        path: File; its name may tell host and port.
        troubles: Takes what is cut, and the failures the tool tells.

    Returns:
        Reports in the order of the file.
    """
    host, asked = asked_in_name(path)
    found: list[Report] = []
    line, counted = 1, 0
    for document, begin in _documents(text, troubles):
        for output, status, told, device in _outputs(document, host, None):
            at = text.find(f'"{device}"' if device else '"output"', begin)
            if at > counted:
                line, counted = line + text.count("\n", counted, at), at
            about = Asked.of(device, None) if device else asked
            report = _report(output, told, about, line)
            report.error = _judge(status, line, about, troubles)
            found.append(report)
    return found


def _documents(text: str, troubles: Gathering) -> Iterator[tuple[Any, int]]:
    """Yield the documents of a file, and where each begins."""
    decoder = json.JSONDecoder()
    at = broken = 0
    while (at := _next_brace(text, at)) >= 0:
        try:
            document, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None) or text.count("\n", 0, at) + 1
            troubles.add("json_cut", line, "the JSON ends or breaks here: the document is left out", _AGAIN)
            later = text.find("\n{", at + 1)
            broken += 1
            if later < 0 or broken > _MOST_BROKEN:
                return
            at = later
            continue
        yield document, at
        at = end


def _next_brace(text: str, at: int) -> int:
    """Place of the next document; what stands between them is no JSON."""
    match = _DOCUMENT.search(text, at)
    return match.start() if match else -1


def _outputs(
    node: Any, host: str | None, device: str | None, depth: int = 0
) -> Iterator[tuple[dict[str, Any], Any, str | None, str | None]]:
    """Yield each ``output`` with its status, and the host and the device that stand around it."""
    if depth > _DEEPEST:
        return
    if isinstance(node, list):
        for item in node:
            yield from _outputs(item, host, device, depth + 1)
    if not isinstance(node, dict):
        return
    named = node.get("hostname")
    host = named if isinstance(named, str) and named else host
    result = node.get("result")
    output = result.get("output") if isinstance(result, dict) else None
    if isinstance(output, dict):
        yield output, node.get("status"), host, device
        return
    for key, item in node.items():
        inner = key if key.startswith("/dev/") else device
        yield from _outputs(item, host, inner, depth + 1)


def _report(output: dict[str, Any], host: str | None, asked: Asked, line: int) -> Report:
    """Make a report; lists become text with commas, as mlxlink prints them on a terminal."""
    sections: dict[str, dict[str, Cell]] = {}
    for title, section in output.items():
        if isinstance(section, dict):
            sections[title] = {name: (_text(value), line) for name, value in section.items()}
    return Report(host, asked, line, sections)


def _text(value: Any) -> str:
    """Return a value as the text form of the tool prints it."""
    if isinstance(value, dict):
        values = value.get("values")
        inner = ",".join(map(str, values)) if isinstance(values, list) else ""
        mask = value.get("mask")
        return f"{mask} ({inner})" if mask is not None else inner
    return "" if value is None else str(value)


def _judge(status: Any, line: int, asked: Asked, troubles: Gathering) -> str | None:
    """Note a status that is not 0, and return what was noted."""
    code = status.get("code") if isinstance(status, dict) else None
    if code in (None, 0, "0"):
        return None
    at = f" at {asked.device}" if asked.device else ""
    message = f"mlxlink ended with code {code}{at}: {str(status.get('message', ''))[:160]}"
    troubles.add("tool_failed", line, message, _AGAIN)
    return message
