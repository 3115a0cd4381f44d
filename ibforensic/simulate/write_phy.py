"""Sections of ibdiagnet2.db_csv with ``--get_phy_info``: registers of ports and modules, sensors, fans.

PHY_DB16 (PPCNT physical-layer statistics) and PHY_DB12 (PDDR module info) have columns without names; what
stands where: atlas §5.1. Fields of PHY_DB12 whose unit is not known are 0. TEMPERATURE_SENSORS and
FANS_SPEED: FIELD §2 and atlas §5.4.
"""

from __future__ import annotations

from ibforensic.model.ids import PortKey
from ibforensic.simulate.phy_ber import register
from ibforensic.simulate.phy_state import LANES
from ibforensic.simulate.spelling import fec_code, fec_name
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_cables import module_ports

_KEYS = "NodeGuid,PortGuid,PortNum"


def _fields(count: int) -> str:
    """Return a header of keys, version and so many fields."""
    return ",".join((_KEYS, "Version", *(f"field{place}" for place in range(count))))


PHY_DB12 = _fields(63)
PHY_DB16 = _fields(19)
TEMPERATURE_SENSORS = "NodeGuid,SensorIndex,Temperature"
FANS_SPEED = "NodeGuid,SensorIndex,FanSpeed"
SYMBOL_BER_LIMIT = 5e-12
"""ibdiagnet's own check of symbol errors (atlas §5.1)."""
_UNUSED_LANES = 8 - LANES
_VENDOR, _PART, _REVISION, _SERIAL, _VOLTAGE, _TEMPERATURE = 22, 23, 24, 26, 27, 28
_ACTIVE_COPPER_MV = 3281.3


def phy_statistics(sample: Sample) -> list[str]:
    """Return the rows of PHY_DB16."""
    assert sample.phy is not None
    rows = []
    for port in module_ports(sample):
        reading = sample.phy.readings[port]
        ratios = [
            register(errors, reading.bits)
            for errors in (sum(reading.raw), reading.effective, reading.symbols)
        ]
        fields = (
            round(reading.seconds * 1000),
            reading.bits,
            reading.symbols,
            reading.corrected,
            *reading.raw,
            *(0,) * _UNUSED_LANES,
            *(part for ratio in ratios for part in ratio),
            reading.effective,
        )
        rows.append(f"{port.node_guid},{port.node_guid},{port.port_num},1,{','.join(map(str, fields))}")
    return rows


def module_registers(sample: Sample) -> list[str]:
    """Return the rows of PHY_DB12."""
    phy = sample.phy
    assert phy is not None
    rows = []
    for port in module_ports(sample):
        cable = phy.cables[sample.fabric.link_at[port].key]
        module, optics = cable.at(port), phy.optics.get(port)
        fields = ["0"] * 63
        fields[_VENDOR], fields[_PART] = f'"{module.vendor}"', f'"{module.part}"'
        fields[_REVISION], fields[_SERIAL] = f'"{module.revision}"', f'"{module.serial}"'
        if cable.medium.powered:
            millivolts = optics.millivolts if optics else _ACTIVE_COPPER_MV
            fields[_VOLTAGE] = str(round(millivolts * 10))
            fields[_TEMPERATURE] = str(round(phy.heat[port]) * 256)
        rows.append(f"{port.node_guid},{port.node_guid},{port.port_num},1,{','.join(fields)}")
    return rows


def board_temperatures(sample: Sample) -> list[str]:
    """Return the rows of TEMPERATURE_SENSORS: the sensors of each switch, numbered from 1."""
    return _numbered(sample, {} if sample.phy is None else sample.phy.boards)


def fan_speeds(sample: Sample) -> list[str]:
    """Return the rows of FANS_SPEED: the fans of each switch, numbered from 1."""
    return _numbered(sample, {} if sample.phy is None else sample.phy.fans)


def symbol_ber_errors(sample: Sample) -> list[str]:
    """Return the rows of ERRORS_SYMBOL_BER_CHECK."""
    return [
        f'PORT,{port.node_guid},{port.node_guid},{port.port_num},BER_EXCEEDS_THRESHOLD,"{summary}"'
        for port, summary in over_limit(sample)
    ]


def over_limit(sample: Sample) -> list[tuple[PortKey, str]]:
    """Return the ports above the tool's own limit of symbol errors, and what it says about each."""
    assert sample.phy is not None
    found = []
    for port in module_ports(sample):
        reading, link = sample.phy.readings[port], sample.fabric.link_at[port]
        ratio = reading.symbols / reading.bits if reading.bits else 0.0
        if ratio > SYMBOL_BER_LIMIT:
            digit, power = register(reading.symbols, reading.bits)
            fec = fec_name(fec_code(link.fec, sample.links[link.key]))
            summary = (
                f"BER exceeds threshold - BER type: Symbol BER, FEC mode: {fec}, "
                f"BER value = {digit:.6f}e-{power:02d} / threshold = {SYMBOL_BER_LIMIT:e} "
            )
            found.append((port, summary))
    return found


def _numbered(sample: Sample, values: dict[str, list[int]]) -> list[str]:
    """Return one row for each number, in the order of the nodes."""
    return [
        f"{node.guid},{index},{value}"
        for node in sample.seen_nodes()
        for index, value in enumerate(values.get(node.guid, ()), 1)
    ]
