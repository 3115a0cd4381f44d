"""PHY_DB16: statistics of the physical layer, in columns without names.

The section holds a register (PPCNT group 0x16) field by field; two fields make a bit error ratio. Newer
layouts insert fields, so the section is only believed where all such pairs fit their widths of 4 and 8 bits;
else it is kept as text. Which registers the other PHY_DB<n> and P_DB<n> are is not known: they stay as text.

Source: atlas §5.1 (places 12 to 17: public parsers; the others: order of the register's fields).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.counters import not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup
from ibforensic.parsers.db_csv import cells
from ibforensic.parsers.db_csv.sheet import LayoutError, Mapped, Mapper, Sheet
from ibforensic.parsers.readings import ber_of

__all__ = ["SECTIONS"]

_RATIOS = {"raw": (12, 13), "effective": (14, 15), "symbol": (16, 17)}
"""Ratio → places of coefficient and magnitude."""
_COEFFICIENT, _MAGNITUDE = 15, 255
_COUNTERS = {
    1: "phy_received_bits",
    2: "phy_symbol_errors",
    3: "phy_corrected_bits",
    **{4 + lane: f"phy_raw_errors_lane{lane}" for lane in range(8)},
    18: "phy_effective_errors",
}
"""Place → counter. All are 64 bits wide."""
_BITS = 64


def statistics(sheet: Sheet) -> Mapped:
    """Map PHY_DB16 to bit error ratios and counters.

    Args:
        sheet: The section.

    Raises:
        LayoutError: The fields are not where they are expected.
    """
    key = {**sheet.key("NodeGuid", "PortNum")}
    ratios: dict[str, Any] = {}
    for kind, places in _RATIOS.items():
        both = _pair(sheet, *places)
        ratios[f"{kind}_ber_log10"] = cells.by_value(both, _log10, pa.float64())
        ratios[f"{kind}_ber_none"] = cells.by_value(both, _none, pa.bool_())
    port_guid = sheet.guid("PortGuid")
    passed = sheet.number("field0", pa.uint64())
    counted: dict[str, Any] = {**not_collected(CounterGroup.PHY)}
    for place, name in _COUNTERS.items():
        if sheet.has(f"field{place}"):
            counted[name], counted[quality_column(name)] = sheet.counter(f"field{place}", _BITS)
    where = {**key, "port_guid": port_guid, "basis": str(Basis.CUMULATIVE)}
    tables = (
        sheet.table("phy", {**key, "since_clear_s": _seconds(passed), **ratios}),
        sheet.table(f"counters_{CounterGroup.PHY}", {**where, **counted}, extras=False),
    )
    return Mapped(tables, tuple(sheet.notes))


def _pair(sheet: Sheet, coefficient: int, magnitude: int) -> pa.ChunkedArray:
    """Return two fields as one number, coefficient * 256 + magnitude; null where one is not known."""
    found = []
    for place, most in ((coefficient, _COEFFICIENT), (magnitude, _MAGNITUDE)):
        column = sheet.use(f"field{place}")
        if column is None:
            raise LayoutError(f"{sheet.rows.name} has no field{place}")
        values, unreadable = cells.numbers(column)
        large = pc.greater(values, pa.scalar(most, pa.uint64()))
        if pc.any(unreadable).as_py() or pc.any(large).as_py():
            raise LayoutError(
                f"field{place} of {sheet.rows.name} is no part of a bit error ratio, the layout is not known"
            )
        found.append(values)
    return pc.add(pc.multiply(found[0], pa.scalar(_MAGNITUDE + 1, pa.uint64())), found[1])


def _log10(both: int) -> float | None:
    """Return the logarithm of a ratio."""
    return ber_of(*divmod(both, _MAGNITUDE + 1)).log10


def _none(both: int) -> bool | None:
    """Return whether no error was seen."""
    return ber_of(*divmod(both, _MAGNITUDE + 1)).none


def _seconds(milliseconds: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
    """Turn milliseconds into seconds."""
    return None if milliseconds is None else pc.divide(milliseconds.cast(pa.float64(), safe=False), 1000.0)


SECTIONS: Mapping[str, Mapper] = {"PHY_DB16": statistics}
"""Section → mapper."""
