"""ibdiagnet2.cables: the module or cable in every port, with temperature, optical power and its limits.

Reads one block a port, under a title between dashes.

Written by: ibdiagnet 2.x with ``--get_cable_info`` or ``--get_phy_info``; seen: 2.10.0. Older versions print
neither ``Source`` nor ``Identifier``, and three numbers at ``Attenuation``; newer ones up to 8 lanes.

Sample::

    -------------------------------------------------------
    Port=1 Lid=0x0018 GUID=0x0abc000000000100 Port Name=leaf-1/U1/P1/1/1
    -------------------------------------------------------
    Vendor: ACME
    SN: AC0001
    Temperature: 58C
    RX1 Power: 1.585 mW, 2.000 dBm
    TX Bias Alarm and Warning:  0x0000

Tables: modules, runs.

Odd input: optical power without a reading in two forms and with its sign lost in a third; ``0C`` and
``0.000 mA`` of passive copper are no readings; a limit of 0 means that there is none. Both ends of a cable
and both halves of a twin-port module show one serial number, the legs of a splitter cable that of its plug
with ``-1`` or ``-2`` behind it: every port keeps its own row. The flags are kept as numbers, since which bit
is which lane is not known. A block that is cut or names no port is left out; of two blocks about one port the
first counts.

Source: atlas §5.4.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.model.tables import TABLES
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.module_values import USED, module_values, plain_name
from ibforensic.parsers.ruled_blocks import port_blocks
from ibforensic.parsers.siblings import claims, open_sibling

__all__ = ["SPEC", "parse"]

_CAGE = re.compile(r"/P\d{1,4}/(\d{1,4})/\d{1,4}(?:/\d{1,4})?\Z", re.ASCII)
_MOST_EXTRAS = 100
"""Unknown names kept as columns; what is beyond is damage, not a new version."""

SPEC = Spec(
    name="cables",
    title="ibdiagnet modules and cables (ibdiagnet2.cables)",
    tool="ibdiagnet",
    order=21,
    claims=claims(
        (".cables",),
        rb"^Port=\d+[ \t]+Lid=\S+[ \t]+GUID=\S+[ \t]+Port Name=[^\n]*\n+-+[ \t]*\n+"
        rb"(?:Source|Identifier|Vendor)[ \t]*:",
    ),
    tables=("modules", "runs"),
    versions="2.10.0",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .cables.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row of ``modules`` for each port with a block, and the run.
    """
    sibling = open_sibling(path, data, "cables")
    found = port_blocks(sibling, ":")
    plain = {name: plain_name(name) for block, _ in found for name in block.cells}
    rows = [module_values({plain[name]: text for name, text in block.cells.items()}) for block, _ in found]
    extras = [name for name in plain if plain[name] not in USED][:_MOST_EXTRAS]
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    columns["node_guid"] = [port.guid for _, port in found]
    columns["port_num"] = [port.port_num for _, port in found]
    columns["cage"] = [_cage(port.name) for _, port in found]
    columns["x_Port Name"] = [port.name for _, port in found]
    for name in extras:
        columns[f"x_{name}"] = [block.cells.get(name) for block, _ in found]
    table = TABLES["modules"].conform(
        columns, rows=len(found), source=path, origin="cables", line=[block.line for block, _ in found]
    )
    return sibling.parsed({"modules": table})


def _cage(name: str | None) -> int | None:
    """Return the cage in a label ``ASIC/Cage/Port`` or ``ASIC/Cage/Port/Split``; None for other labels."""
    match = _CAGE.search(name or "")
    return int(match[1]) if match else None
