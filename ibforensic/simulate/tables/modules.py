"""Modules and cables: CABLE_INFO, PHY_DB12 and .cables tell the same readings, with more or fewer columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import cage_of, split_of
from ibforensic.simulate.media import Cable
from ibforensic.simulate.optics import received
from ibforensic.simulate.phy_state import LANES, Phy
from ibforensic.simulate.tables.view import Made, View, made
from ibforensic.simulate.write_cables import ACTIVE_COPPER_UV, LOW_RX, LOW_TX, low_flags

_KEY = ("node_guid", "port_num")
_MAKE = ("vendor", "part_number", "serial", "revision")
_MEASURED = ("temperature_c", "voltage_v")
_KNOWN = ("kind", "identifier", "vendor_oui", "fw_version", "technology", "length_m", "date_code")
_LIGHT = ("rx_power_lanes", "tx_power_lanes", "tx_bias_lanes", "thresholds", "alarms")
_REGISTER = (*_KEY, *_MAKE, *_MEASURED)
_COLUMNS = (*_KEY, *_MAKE, *_MEASURED, *_KNOWN, *_LIGHT)
_POWERED_LIMITS = {
    "temperature_c": {"alarm_high": 80.0, "alarm_low": -5.0},
    "voltage_v": {"alarm_high": 3.63, "alarm_low": 2.97},
}
_LIGHT_LIMITS = {
    "rx_power_dbm": {"high": 4.0, "low": float(LOW_RX)},
    "tx_power_dbm": {"high": 4.0, "low": float(LOW_TX)},
    "tx_bias_as_printed": {"high": 6500.0, "low": 1500.0},
}
_LIMITS = {
    (True, True): json.dumps(_POWERED_LIMITS | _LIGHT_LIMITS, sort_keys=True),
    (True, False): json.dumps(_POWERED_LIMITS, sort_keys=True),
    (False, False): None,
}
"""Whether a module measures, and has a laser → its own limits."""
Row = tuple[Any, ...]


def modules(view: View) -> Iterator[Made]:
    """Yield the rows of ``modules``: those of the two sections, then those of .cables."""
    rows = [_module(view, port) for port in view.fitted]
    yield made("modules", "db_csv:CABLE_INFO", _COLUMNS, rows)
    yield made("modules", "db_csv:PHY_DB12", _REGISTER, (_registers(view, row) for row in rows))
    cages = [_cage(view, port) for port in view.fitted]
    yield made(
        "modules",
        "cables",
        (*_COLUMNS, "cage"),
        ((*row, place) for row, place in zip(rows, cages, strict=True)),
    )


def _registers(view: View, row: Row) -> Row:
    """Return what the register tells of a module: less, and the voltage to a tenth of a mV alone."""
    phy, port = view.sample.phy, PortKey(row[0], row[1])
    assert phy is not None
    volts = row[len(_REGISTER) - 1]
    if volts is not None:
        optics = phy.optics.get(port)
        volts = round((optics.millivolts if optics else ACTIVE_COPPER_UV / 1000) * 10) / 10_000.0
    return (*row[: len(_REGISTER) - 1], volts)


def _module(view: View, port: PortKey) -> Row:
    """Return what is told about the module in a port."""
    phy, fabric = view.sample.phy, view.sample.fabric
    assert phy is not None
    link = fabric.link_at[port]
    cable = phy.cables[link.key]
    medium, module, optics = cable.medium, cable.at(port), phy.optics.get(port)
    volts = None
    if medium.powered:
        volts = round(round(optics.millivolts * 1000 if optics else ACTIVE_COPPER_UV) * 1e-6, 9)
    return (
        *port,
        module.vendor,
        module.part,
        module.serial,
        module.revision,
        float(round(phy.heat[port])) if medium.powered else None,
        volts,
        "cable" if medium.fixed else "transceiver",
        "QSFP28" if link.speed in ("EDR", "HDR") else "OSFP",
        f"0x{module.oui}",
        module.firmware or None,
        medium.technology,
        round(float(cable.length_m), 6) if medium.fixed else None,
        module.made,
        *_light(phy, port, fabric.peer(port), cable),
    )


def _light(phy: Phy, port: PortKey, peer: PortKey, cable: Cable) -> tuple[str | None, ...]:
    """Return light received and sent, the currents of the lasers, limits, and the alarms about light."""
    optics, medium = phy.optics.get(port), cable.medium
    got = sent = bias = alarms = None
    if optics:
        bias = _listed(optics.bias)
    elif medium.powered:
        bias = _listed([0.0] * LANES)
    if medium.powered:
        alarms = "[]"
    if optics and medium.optical_power:
        levels = received(phy, port, peer)
        got, sent = _powers(levels, phy.whole_dbm), _powers(optics.sent, phy.whole_dbm)
        flags = zip(("rx power", "tx power"), low_flags(levels, optics.sent), strict=True)
        alarms = json.dumps([f"{name} 0x{flag:04x}" for name, flag in flags if flag])
    return got, sent, bias, _LIMITS[medium.powered, not medium.copper], alarms


def _powers(levels: Sequence[float], whole: bool) -> str | None:
    """Return optical powers as JSON; a module that knows whole dBm takes 0 dBm for no reading."""
    if not whole:
        return _listed(levels)
    known = [float(round(level)) or None for level in levels]
    return json.dumps(known) if any(known) else None


def _listed(values: Sequence[float]) -> str:
    """Return readings, to a thousandth, as JSON."""
    return json.dumps([round(value, 3) for value in values])


def _cage(view: View, port: PortKey) -> int | None:
    """Return the cage a switch port leads to, where its label tells it."""
    node = view.sample.fabric.node[port.node_guid]
    if node.role is Role.HCA or not node.chip.caged or port.port_num > node.front_ports:
        return None
    return cage_of(split_of(port.port_num)[0] if node.split else port.port_num)[0]
