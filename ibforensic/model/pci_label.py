"""What ibdiagnet calls the port of an HCA: its place on the PCI bus, which is printed on no card."""

from __future__ import annotations

import re

_PLACE = re.compile(r"B(\d{1,3})D(\d{1,2})F(\d)(?:/.*)?", re.ASCII)
_MOST = (255, 31, 7)
"""Highest bus, device and function there can be."""


def pci_address(label: str) -> str | None:
    """Return the address that lspci shows for a label of an HCA.

    Args:
        label: Label of a port, such as ``B193D0F0/0/0/1``; bus, device and function are decimal
            (atlas §1, PORT_HIERARCHY_INFO).

    Returns:
        The address, such as ``c1:00.0``; None for labels of any other shape.
    """
    match = _PLACE.fullmatch(label)
    numbers = tuple(map(int, match.groups())) if match else ()
    if not numbers or any(number > most for number, most in zip(numbers, _MOST, strict=True)):
        return None
    bus, device, function = numbers
    return f"{bus:02x}:{device:02x}.{function}"


def shown_label(label: str) -> str:
    """Return a label as people can use it: ``PCI c1:00.0`` for that of an HCA, else as it is."""
    address = pci_address(label)
    return f"PCI {address}" if address else label
