"""What settings documents look like whichever file they are from: equal settings are equal text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["encode", "fingerprint", "stable_of_node"]

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False)
_STABLE_OF_NODE = (
    "hwinfo_device",
    "hwinfo_technology",
    "fwinfo_ini",
    "fwinfo_psid",
    "swinfo_",
    "capabilitymask",
)
"""Beginnings of the names that are compared; versions of firmware and clocks have places of their own."""


def encode(document: Mapping[str, Any]) -> str:
    """Write a document as JSON with sorted keys."""
    return _ENCODER.encode(document)


def fingerprint(text: str) -> str:
    """Return what tells different documents apart."""
    return hashlib.sha256(text.encode()).hexdigest()


def stable_of_node(name: str) -> bool:
    """Whether a field about firmware and hardware of a node is compared: only settings are."""
    return name.lower().startswith(_STABLE_OF_NODE)
