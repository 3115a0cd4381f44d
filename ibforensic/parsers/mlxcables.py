"""Modules and cables by ``mlxcables``.

Written by: mlxcables of MFT; seen: 4.20.

Sample::

    Cable #1:
    ---------
    Cable name    : SW_MT54000_EXAMPLE_lid-0x0003,mlx5_0,1_cable_40
    -------- Cable EEPROM --------
    Identifier                     : QSFP+ (0dh)
    Serial number                  : AC0001
    Length [m]                     : 3 m

Tables: modules. The node is found by the LID in the name of a switch, or by the host and the device of an
HCA; the number behind ``_cable_`` is that of the port, from 0 on an HCA.

Odd input: codes behind words; ``>> No FW data to show``; attenuation over several lines; names of devices
with commas; blanks behind values; several cables in one file; prompts and prefixes of hosts; a last line that
may be cut.

Source: real texts of MFT 4.20.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import Screen, claims, open_screen
from ibforensic.parsers.many_hosts import HostText
from ibforensic.parsers.readings import is_missing, length_m, temperature_c

__all__ = ["SPEC", "parse"]

_FIELD = re.compile(r"\s*([A-Z][^:]{1,40}?)\s*:\s+(.*?)\s*\Z")
_CODE = re.compile(r"\s*\([0-9a-fA-F]{1,4}h\)\Z")
_NAME = re.compile(r"(?:.*lid-(?P<lid>0x[0-9a-fA-F]{1,4}|\d{1,5}).*|(?P<device>.+))_cable_(?P<port>\d{1,3})")
_BEGINS = ("Cable name", "Identifier")
_TEXTS = {
    "identifier": "Identifier",
    "vendor": "Vendor",
    "vendor_oui": "OUI",
    "part_number": "Part number",
    "serial": "Serial number",
    "revision": "Revision",
    "fw_version": "FW version",
    "technology": "Technology",
    "date_code": "Date code",
}

SPEC = Spec(
    name="mlxcables",
    title="modules and cables by mlxcables",
    tool="mlxcables",
    order=55,
    claims=claims("mlxcables"),
    tables=("modules",),
    versions="MFT 4.20",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one cable or many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``modules`` a cable.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "mlxcables")
    rows = [
        _row(cells, piece.host, line) for piece in screen.pieces for cells, line in _cables(piece, screen)
    ]
    tables = screen.table("modules", rows)
    return Parsed(tables, {}, undecoded + screen.troubles.notes(), "value_cut" not in screen.troubles)


def _cables(piece: HostText, screen: Screen) -> Iterator[tuple[dict[str, str], int]]:
    """Yield the fields of each cable, and the line they begin on."""
    cells: dict[str, str] = {}
    begun = 0
    for number, line in piece.lines:
        match = _FIELD.match(line)
        if match is None:
            continue
        if number == screen.last:
            screen.troubles.add("value_cut", number, "the last line has no end: its value may be cut")
            continue
        if match[1] in _BEGINS and match[1] in cells:
            yield cells, begun
            cells = {}
        begun = begun if cells else number
        cells.setdefault(match[1], _CODE.sub("", match[2]))
    if cells:
        yield cells, begun


def _row(cells: dict[str, str], host: str | None, line: int) -> dict[str, Any]:
    """Read one cable."""
    told = {column: cells[name] for column, name in _TEXTS.items() if not is_missing(cells.get(name, ""))}
    about = _NAME.match(cells.get("Cable name", ""))
    lid = int(about["lid"], 0) if about and about["lid"] else None
    port = int(about["port"]) if about else None
    if port is not None and lid is None:
        port += 1
    technology = told.get("technology", "").lower()
    length = length_m(cells.get("Length [m]", ""))
    kind = "cable" if length or "copper" in technology else "transceiver"
    return {
        **told,
        "kind": kind if technology else None,
        "length_m": length or None,
        "temperature_c": temperature_c(cells.get("Temperature [c]", "").partition(" [")[0]),
        "port_num": port,
        "x_host": None if lid is not None else host,
        "x_device": about["device"] if about and lid is None else None,
        "x_lid": None if lid is None else str(lid),
        "x_compliance": cells.get("Compliance"),
        "line": line,
    }
