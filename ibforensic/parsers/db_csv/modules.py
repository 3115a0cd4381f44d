"""Modules and cables: CABLE_INFO by the names of its columns, PHY_DB12 by the places of its fields.

CABLE_INFO has a hundred columns in no fixed order and quotes where they do not belong. PHY_DB12 is the page
of a register without names (PDDR module info); it is only believed where part and serial number look like
text, else it is kept as text. Its optical powers have no known unit and ride along.

Source: atlas §5.1 and §5.4. Units of voltage (100 µV) and temperature (1/256 °C) in PHY_DB12: from memory;
they agree with what .cables prints of the same modules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.parsers.db_csv import cells
from ibforensic.parsers.db_csv.sheet import INT, LayoutError, Mapped, Mapper, Sheet
from ibforensic.parsers.module_values import USED, module_values, plain_name
from ibforensic.parsers.readings import bias_ma, power_dbm

__all__ = ["SECTIONS"]

_SAME = {
    f"{side}{place}{kind}": f"{short}{measure}{side}thresh"
    for side in ("high", "low")
    for place, measure in (("temperature", "temperature"), ("supplyvoltage", "voltage"))
    for kind, short in (("alarm", "alarm"), ("warning", "warn"))
}
"""Limits as CABLE_INFO spells them → as .cables does."""
_LANE_NUMBERS = range(1, 17)
_LANE_LISTS: Mapping[str, tuple[str, Callable[[str], float | None]]] = {
    "rx_power_lanes": ("rx{}power", power_dbm),
    "tx_power_lanes": ("tx{}power", power_dbm),
    "tx_bias_lanes": ("tx{}bias", bias_ma),
}
_LANES = frozenset(stem.format(lane) for stem, _ in _LANE_LISTS.values() for lane in _LANE_NUMBERS)
_VENDOR, _PART, _REVISION, _SERIAL, _VOLTAGE, _TEMPERATURE = (
    "field22",
    "field23",
    "field24",
    "field26",
    "field27",
    "field28",
)
_WORDS_FOR_NONE = pa.array(["", "N/A", "NA", "0"])
_TEXT = r"^[ -~]*[A-Za-z0-9][ -~]*$"
_NUMBER = r"^(?:0[xX][0-9a-fA-F]*|[0-9]{1,3}|-[0-9]+)$"
_SIGN = 1 << 15


def cables(sheet: Sheet) -> Mapped:
    """Map CABLE_INFO."""
    key = sheet.key("NodeGuid", "PortNum")
    found: dict[str, pa.ChunkedArray] = {}
    for name in sheet.rows.columns:
        plain = plain_name(name)
        plain = _SAME.get(plain, plain)
        column = sheet.use(name) if plain in USED and plain not in found else None
        if column is not None:
            found[plain] = column
    by_lane = {target: _by_lane(found, stem, read) for target, (stem, read) in _LANE_LISTS.items()}
    cells_of = {plain: column.to_pylist() for plain, column in found.items() if plain not in _LANES}
    rows = [
        module_values({plain: column[row] for plain, column in cells_of.items()})
        for row in range(len(sheet.rows))
    ]
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in module_values({})}
    powered = pa.chunked_array([pa.array([volts is not None for volts in columns["voltage_v"]], pa.bool_())])
    bias = by_lane["tx_bias_lanes"]
    if bias is not None:
        # Passive copper prints 0.000 mA.
        by_lane["tx_bias_lanes"] = pc.if_else(powered, bias, pa.scalar(None, pa.string()))
    return Mapped((sheet.table("modules", {**key, **columns, **by_lane}),), tuple(sheet.notes))


def _by_lane(
    found: Mapping[str, pa.ChunkedArray], stem: str, read: Callable[[str], float | None]
) -> pa.ChunkedArray | None:
    """Return readings by lane as JSON lists, null where no lane has any.

    The same as ``module_values`` makes of one module, column by column: lanes are most of a large file.
    """
    lanes = [found[name] for lane in _LANE_NUMBERS if (name := stem.format(lane)) in found]
    if not lanes:
        return None
    texts = [cells.by_value(lane, lambda text: json.dumps(read(text)), pa.string()) for lane in lanes]
    joined = pc.binary_join_element_wise(*texts, ", ")
    nothing = pc.equal(joined, ", ".join(["null"] * len(lanes)))
    listed = pc.binary_join_element_wise("[", joined, "]", "")
    return pc.if_else(nothing, pa.scalar(None, pa.string()), listed)


def register(sheet: Sheet) -> Mapped:
    """Map PHY_DB12.

    Args:
        sheet: The section.

    Raises:
        LayoutError: Part or serial number do not look like text, so the fields are not known.
    """
    key = sheet.key("NodeGuid", "PortNum")
    part, serial = (_text(sheet, name) for name in (_PART, _SERIAL))
    volts = sheet.number(_VOLTAGE, INT)
    volts = None if volts is None else pc.if_else(pc.equal(volts, 0), pa.scalar(None, INT), volts)
    columns = {
        **key,
        "vendor": sheet.text(_VENDOR),
        "part_number": part,
        "serial": serial,
        "revision": sheet.text(_REVISION),
        "voltage_v": None if volts is None else pc.divide(volts.cast(pa.float64(), safe=False), 10_000.0),
        "temperature_c": _celsius(sheet.number(_TEMPERATURE, INT), volts),
    }
    return Mapped((sheet.table("modules", columns),), tuple(sheet.notes))


def _text(sheet: Sheet, name: str) -> pa.ChunkedArray:
    """Return a field that must be text in every row that has it; null where there is none."""
    column = sheet.use(name)
    if column is None:
        raise LayoutError(f"{sheet.rows.name} has no {name}")
    none = pc.is_in(column, _WORDS_FOR_NONE)
    fits = pc.and_(
        pc.match_substring_regex(column, _TEXT), pc.invert(pc.match_substring_regex(column, _NUMBER))
    )
    if not pc.all(pc.or_(none, fits)).as_py():
        raise LayoutError(f"{name} of {sheet.rows.name} is no text, the layout is not known")
    return pc.if_else(none, pa.scalar(None, pa.string()), column)


def _celsius(degrees: pa.ChunkedArray | None, volts: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
    """Turn 1/256 °C with a sign in 16 bits into °C; a module without a supply voltage measures nothing."""
    if degrees is None or volts is None:
        return None
    signed = pc.if_else(pc.greater_equal(degrees, _SIGN), pc.subtract(degrees, 2 * _SIGN), degrees)
    known = pc.and_(pc.is_valid(volts), pc.less(degrees, 2 * _SIGN))
    celsius = pc.divide(signed.cast(pa.float64(), safe=False), 256.0)
    return pc.if_else(pc.fill_null(known, False), celsius, pa.scalar(None, pa.float64()))


SECTIONS: Mapping[str, Mapper] = {"CABLE_INFO": cables, "PHY_DB12": register}
"""Section → mapper."""
