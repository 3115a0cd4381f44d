"""Sentences as data: an id with parameters, and the English text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence as data: an id with parameters, and its English rendering.

    Attributes:
        id: Stable id; a catalogue of another language is looked up by it.
        params: Values that stand in the sentence.
        text: The sentence in English.
    """

    id: str
    params: Params
    text: str


def say(id: str, template: str, /, **params: Any) -> Message:  # noqa: A002
    """Make a message from a template with ``{names}``.

    Args:
        id: Message id.
        template: English sentence with ``{name}`` for each parameter.
        **params: The parameters: text and numbers only, so that they survive JSON.

    Returns:
        The message with its English text.
    """
    return Message(id, params, template.format(**params))


def message_json(message: Message) -> dict[str, Any]:
    """Return a message as it stands in the document."""
    return {"message": message.id, "params": dict(message.params), "text": message.text}
