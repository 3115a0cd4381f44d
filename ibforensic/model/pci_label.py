"""Places on the PCI bus: how ibdiagnet labels the port of an HCA; how an HCA without a GUID is called."""

from __future__ import annotations

import re

_PLACE = re.compile(r"B(\d{1,3})D(\d{1,2})F(\d)(?:/.*)?", re.ASCII)
_STAND_IN = re.compile(
    r"(?P<host>[^/\s]+)/(?P<address>[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])", re.ASCII
)
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


def short_host(name: str | None) -> str:
    """Return the name of a host by which tools agree on it: in lower case, without its domain."""
    return (name or "").partition(".")[0].lower()


def stand_in(host: str, address: str) -> str:
    """Return what an HCA is called in the place of its GUID, where only its host and its slot are known.

    Args:
        host: Name of the host.
        address: Address on its PCI bus with the domain, such as ``0000:c1:00.0``.
    """
    return f"{short_host(host)}/{address}"


def host_and_address(guid: str) -> tuple[str, str] | None:
    """Return host and address of an HCA that is called by them; None for any other node."""
    match = _STAND_IN.fullmatch(guid)
    return (match["host"], match["address"]) if match else None
