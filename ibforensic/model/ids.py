"""Identities of nodes, ports and links, in the one spelling that the whole project uses.

A GUID is text: ``0x`` and 16 lower-case hexadecimal digits. Text survives pandas and JSON, where
a number above 2**63 does not. LIDs, ``mlx5_N``, labels and names never identify anything.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_HEX = re.compile(r"(?:0[xX])?([0-9a-fA-F]{1,16})\Z")
_MASKED = re.compile(r"0[xX](?![0-9a-fA-F]+\Z)\w+\Z")
NO_GUID = "0x0000000000000000"


class PortKey(NamedTuple):
    """A port: the GUID of its node and its number on that node.

    Attributes:
        node_guid: Normalised node GUID.
        port_num: Port number as InfiniBand counts it, from 1; 0 is a switch's own management port.
    """

    node_guid: str
    port_num: int


class LinkKey(NamedTuple):
    """A link: its two ports, the smaller key first.

    Attributes:
        a: The smaller port key.
        b: The other port key.
    """

    a: PortKey
    b: PortKey


def guid(text: str) -> str | None:
    """Normalise a GUID as any tool prints it.

    Args:
        text: ``0xb0cf…``, unpadded, with or without ``0x``, in either case.

    Returns:
        ``0x`` + 16 lower-case digits. Files masked by hand hold words such as ``0xhost1``: they are
        kept as lower-case text, so that a masked file can still be compared with itself.
        None for text that is no GUID at all (more than 16 digits are none either), and for the all-zero
        GUID, which means "none".
    """
    text = text.strip()
    match = _HEX.match(text)
    if match:
        whole = len(text) == len(NO_GUID) and text.islower()
        normal = text if whole else "0x" + match.group(1).lower().rjust(16, "0")
        return None if normal == NO_GUID else normal
    return text.lower() if _MASKED.match(text) else None


def link_key(one: PortKey, other: PortKey) -> LinkKey:
    """Return the key of the link between two ports, whichever is given first."""
    return LinkKey(one, other) if one <= other else LinkKey(other, one)
