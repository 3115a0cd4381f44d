"""The sections WARNINGS_<CHECK> and ERRORS_<CHECK>: what ibdiagnet itself found.

They hold every row; log and screen show five a check. Source: atlas §2.5.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import Level
from ibforensic.parsers.db_csv.sheet import SMALL, Mapped, Mapper, Sheet

__all__ = ["PREFIXES"]


def _events(sheet: Sheet, level: Level, stage: str) -> Mapped:
    """Map the rows of one check."""
    scope = sheet.text("Scope")
    port = sheet.number("PortNumber", SMALL)
    printed = sheet.use("PortNumber")
    if port is not None:
        # Node-scope rows print 0x00 where port-scope rows print a decimal number.
        port = pc.if_else(pc.equal(printed, "0x00"), pa.scalar(None, SMALL), port)
    columns = {
        "scope": None if scope is None else pc.utf8_lower(scope),
        "node_guid": sheet.guid("NodeGuid"),
        "port_num": port,
        "event": sheet.text("EventName"),
        "level": level.value,
        "stage": stage,
        "text": sheet.text("Summary"),
    }
    return Mapped((sheet.table("events", columns),), tuple(sheet.notes))


def warnings(sheet: Sheet) -> Mapped:
    """Map WARNINGS_<CHECK>."""
    return _events(sheet, Level.WARNING, sheet.rows.name.removeprefix("WARNINGS_"))


def errors(sheet: Sheet) -> Mapped:
    """Map ERRORS_<CHECK>."""
    return _events(sheet, Level.ERROR, sheet.rows.name.removeprefix("ERRORS_"))


PREFIXES: Mapping[str, Mapper] = {"WARNINGS_": warnings, "ERRORS_": errors}
"""Begin of a section's name → mapper."""
