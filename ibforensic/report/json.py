"""The document as JSON text: the outward contract, byte for byte the same for the same document."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def render_json(doc: Mapping[str, Any]) -> str:
    """Render the document.

    Text stands as it is, but for characters that steer a terminal, the writing direction or that no
    encoding can carry: those are JSON escapes, so that the output may be printed and still parses
    back to the same document.

    Args:
        doc: The document.

    Returns:
        JSON, two spaces to a level, with a newline at the end.

    Raises:
        ValueError: A number is not finite; JSON has no word for it.
    """
    return escaped(json.dumps(doc, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def escaped(text: str) -> str:
    """Replace characters that must not be printed raw by their JSON escapes."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
