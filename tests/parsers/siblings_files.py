"""Fixtures of the siblings in an ibdiagnet2 directory, and the ports in them."""

from __future__ import annotations

from pathlib import Path

FIXTURES = Path(__file__).parents[1] / "fixtures"
LEAF, SPINE = "0x0abc000000000100", "0x0abc000000000200"
HOST_A, HOST_B = "0x0abc00000000a000", "0x0abc00000000b000"


def fixture(relative: str) -> bytes:
    """Return a fixture's bytes."""
    return (FIXTURES / relative).read_bytes()


def by_port(table) -> dict[tuple[str, int], dict]:
    """Return rows by node GUID and port."""
    return {(row["node_guid"], row["port_num"]): row for row in table.to_pylist()}
