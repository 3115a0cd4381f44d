"""The physical layer and the sensors: PHY_DB16, net_dump_ext, TEMP_SENSING, boards and fans."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from ibforensic.model.counters import not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup
from ibforensic.model.table import COUNT
from ibforensic.simulate.phy_ber import register
from ibforensic.simulate.phy_state import LANES, Reading
from ibforensic.simulate.tables.counters import wide
from ibforensic.simulate.tables.view import Made, View, conformed, made

_REGISTER_LANES = 8
_KEY = ("node_guid", "port_num")
_RATIOS = tuple(f"{kind}_ber_{what}" for kind in ("raw", "effective", "symbol") for what in ("log10", "none"))
_SENSOR = ("node_guid", "sensor", "value")
_DEGREES = {"kind": "temperature", "unit": "°C"}
_TURNS = {"kind": "fan", "unit": "rpm"}


def registers(view: View) -> Iterator[Made]:
    """Yield the bit error ratios and counters of the PHY registers."""
    readings = _readings(view)
    yield made(
        "phy",
        "db_csv:PHY_DB16",
        (*_KEY, "since_clear_s", *_RATIOS),
        (
            (*port, round(reading.seconds * 1000) / 1000.0, *_ratios(reading))
            for port, reading in zip(view.fitted, readings, strict=True)
        ),
    )
    lanes: dict[str, Sequence[int]] = {
        f"phy_raw_errors_lane{lane}": [reading.raw[lane] for reading in readings]
        if lane < LANES
        else [0] * len(readings)
        for lane in range(_REGISTER_LANES)
    }
    counted = {
        "phy_received_bits": [reading.bits for reading in readings],
        "phy_symbol_errors": [reading.symbols for reading in readings],
        "phy_corrected_bits": [reading.corrected for reading in readings],
        **lanes,
        "phy_effective_errors": [reading.effective for reading in readings],
    }
    guids = [port.node_guid for port in view.fitted]
    yield _counters(view, "db_csv:PHY_DB16", counted, {"port_guid": guids})


def listed_errors(view: View) -> Iterator[Made]:
    """Yield the bit error ratios and error counts of net_dump_ext."""
    readings = _readings(view)
    if not readings:
        return
    yield made(
        "phy",
        "net_dump_ext",
        (*_KEY, *_RATIOS),
        ((*port, *_ratios(reading)) for port, reading in zip(view.fitted, readings, strict=True)),
    )
    counted = {
        "phy_symbol_errors": [reading.symbols for reading in readings],
        "phy_effective_errors": [reading.effective for reading in readings],
    }
    lids = [view.lid(port.node_guid) for port in view.fitted]
    yield _counters(view, "net_dump_ext", counted, {"lid": lids})


def chips(view: View) -> Iterator[Made]:
    """Yield the temperature of every chip."""
    degrees = view.sample.temperatures
    rows = ((node.guid, "temperature/asic", degrees[node.guid]) for node in view.nodes)
    yield made("sensors", "db_csv:TEMP_SENSING", _SENSOR, rows, **_DEGREES)


def boards(view: View) -> Iterator[Made]:
    """Yield the temperatures of boards, and how fast fans turn."""
    phy = view.sample.phy
    assert phy is not None
    for section, values, same in (
        ("TEMPERATURE_SENSORS", phy.boards, _DEGREES),
        ("FANS_SPEED", phy.fans, _TURNS),
    ):
        rows = (
            (node.guid, f"{same['kind']}/{index}", value)
            for node in view.nodes
            for index, value in enumerate(values.get(node.guid, ()), 1)
        )
        yield made("sensors", f"db_csv:{section}", _SENSOR, rows, **same)


def _readings(view: View) -> list[Reading]:
    """Return the registers of the ports that have them."""
    phy = view.sample.phy
    assert phy is not None
    return [phy.readings[port] for port in view.fitted]


def _ratios(reading: Reading) -> Iterator[float | bool | None]:
    """Yield logarithm, and whether no error was seen, of the three ratios."""
    for errors in (sum(reading.raw), reading.effective, reading.symbols):
        none = errors <= 0 or reading.bits <= 0
        digit, power = register(errors, reading.bits)
        yield None if none else round(math.log10(digit) - power, 6)
        yield none


def _counters(
    view: View, origin: str, counted: Mapping[str, Sequence[int]], where: Mapping[str, Any]
) -> Made:
    """Make rows of ``counters_phy``: all registers are 64 bits wide."""
    columns: dict[str, Any] = {
        **not_collected(CounterGroup.PHY),
        "node_guid": [port.node_guid for port in view.fitted],
        "port_num": [port.port_num for port in view.fitted],
        "basis": str(Basis.CUMULATIVE),
        **where,
    }
    for name, values in counted.items():
        columns[name], columns[quality_column(name)] = wide(pa.array(values, COUNT))
    name = f"counters_{CounterGroup.PHY}"
    return name, conformed(name, origin, columns, len(view.fitted))
