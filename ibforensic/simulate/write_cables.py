"""ibdiagnet2.cables and CABLE_INFO: what sits in every port, and what it measures.

Names, order and odd values are those of a real run of 510 ports (atlas §5.4): passive copper prints ``0C``,
``0.000 mA`` and flags that mean nothing. The columns of CABLE_INFO are a part of the hundred that there are,
in the order of the tool's own structure; both files hold the same readings.

Optical power is printed to a thousandth of a dB. That run had whole dBm, and then 0 dBm is printed like no
reading and the sign of negative values is lost: ``Phy.whole_dbm`` asks for that.
"""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.media import Cable
from ibforensic.simulate.optics import received
from ibforensic.simulate.phy_state import LANES, Phy
from ibforensic.simulate.port_titles import title
from ibforensic.simulate.spelling import head, tail
from ibforensic.simulate.state import Sample

NO_POWER = "-999.999 mW, 0.000 dBm"
LOW_RX, LOW_TX = -6, -4
"""The module's own limits, dBm; printed without their sign."""
_WORD = 65_536
ACTIVE_COPPER_UV = 3_281_300
"""Supply voltage that active copper tells, µV."""
_WIDE_GAP = "TX Bias Alarm and Warning"
"""This line has a second blank behind its colon."""
_COLUMNS: tuple[tuple[str, str], ...] = (
    *((name, name) for name in ("Source", "Vendor", "OUI", "PN", "SN", "Rev")),
    ("LengthSMFiber", ""),
    ("LengthOM3", ""),
    ("LengthCopperOrActive", "Length"),
    ("Identifier", "Identifier"),
    ("LengthDesc", "Length"),
    ("TypeDesc", "Type"),
    ("SupportedSpeedDesc", "SupportedSpeed"),
    ("Temperature", "Temperature"),
    ("PowerClass", "PowerClass"),
    ("NominalBitrate", "NominalBitrate"),
    ("CDREnableTxRx", "CDREnableTxRx"),
    ("FWVersion", "FW Version"),
    ("RXPowerType", "RX power type"),
    *((f"RX{lane}Power", f"RX{lane} Power") for lane in range(1, LANES + 1)),
    *((f"TX{lane}Bias", f"TX{lane} Bias") for lane in range(1, LANES + 1)),
    *((f"TX{lane}Power", f"TX{lane} Power") for lane in range(1, LANES + 1)),
    *(
        (name, name)
        for name in (
            "Latched Temperature Alarm and Warning",
            "Latched Voltage Alarm and Warning",
            "RX Power Alarm and Warning",
            "TX Bias Alarm and Warning",
            "TX Power Alarm and Warning",
        )
    ),
    ("SupplyVoltageReporting", "Supply Voltage Reporting"),
    ("HighTemperatureAlarm", "AlarmTemperatureHighThresh"),
    ("LowTemperatureAlarm", "AlarmTemperatureLowThresh"),
    ("HighSupplyVoltageAlarm", "AlarmVoltageHighThresh"),
    ("LowSupplyVoltageAlarm", "AlarmVoltageLowThresh"),
    *(
        (name, name)
        for name in (
            "RXPowerHighThresh",
            "RXPowerLowThresh",
            "TXPowerHighThresh",
            "TXPowerLowThresh",
            "TXBiasHighThresh",
            "TXBiasLowThresh",
            "DateCode",
            "Lot",
        )
    ),
)
"""Column of CABLE_INFO → line of .cables; an empty one prints NA."""
CABLE_INFO = ",".join(("NodeGuid", "PortGuid", "PortNum", *(column for column, _ in _COLUMNS)))


def cables(sample: Sample) -> str:
    """Print ibdiagnet2.cables.

    Args:
        sample: What the run sees, with a physical layer.

    Returns:
        The text: one block for each port that is up and leads out of its box.
    """
    lines = [*head(sample, labels=False), ""]
    for port in module_ports(sample):
        lines += title(sample, port, device=False)
        lines += [
            f"{name}:  {text}" if name == _WIDE_GAP else f"{name}: {text}"
            for name, text in module_lines(sample, port).items()
        ]
        lines += ["", ""]
    return "\n".join([*lines, "", "", tail(sample)]) + "\n"


def cable_info(sample: Sample) -> list[str]:
    """Return the rows of CABLE_INFO."""
    rows = []
    for port in module_ports(sample):
        lines = module_lines(sample, port)
        cells = ",".join(f'"{lines[name] if name else "NA"}"' for _, name in _COLUMNS)
        rows.append(f"{port.node_guid},{port.node_guid},{port.port_num},{cells}")
    return rows


def module_ports(sample: Sample) -> list[PortKey]:
    """Return the ports that are up and have a module or cable, in the order of the nodes."""
    if sample.phy is None:
        return []
    found = sample.phy.receptions
    return [port for node in sample.seen_nodes() for port in sample.up_ports(node) if port in found]


def module_lines(sample: Sample, port: PortKey) -> dict[str, str]:
    """Return what is printed about the module in a port.

    Args:
        sample: What the run sees, with a physical layer.
        port: A port of ``module_ports``.

    Returns:
        Name → text, in the order of the file.
    """
    phy, fabric = sample.phy, sample.fabric
    assert phy is not None
    link = fabric.link_at[port]
    cable = phy.cables[link.key]
    medium, module = cable.medium, cable.at(port)
    wide = link.speed not in ("EDR", "HDR")
    switch = fabric.node[port.node_guid].role is not Role.HCA
    cdr = "N/A N/A" if medium.copper else "0xff 0xff" if switch and not medium.fixed else "0x0f 0x0f"
    some = 0 if medium.copper else 1
    light = _light(phy, port, fabric.peer(port), cable)
    return {
        "Source": "PHY_DD" if switch else "PHY_ACC_REG",
        "Identifier": "OSFP (0x08)" if wide else "QSFP28 (0x00)",
        "Vendor": module.vendor,
        "OUI": f"0x{module.oui}",
        "PN": module.part,
        "SN": module.serial,
        "Rev": module.revision,
        "Length": f"{cable.length_m:g} m" if medium.fixed else "NA",
        "Type": medium.technology,
        "SupportedSpeed": f"SDR/EDR/HDR{'/NDR' if wide else ''}" if medium.copper else "N/A",
        "Temperature": f"{round(phy.heat[port])}C" if medium.powered else "0C",
        "PowerClass": "1" if medium.copper else "8" if switch else "4",
        "NominalBitrate": "0 Gb/s",
        "CDREnableTxRx": cdr,
        "InputEq": "0 0 0 0",
        "OutputAmp": " ".join([str(some)] * LANES),
        "OutputEmp": "N/A",
        "FW Version": module.firmware or "N/A",
        "Attenuation(5,7,12,25)": "NA NA NA NA",
        "RX power type": "OMA" if medium.copper else "Average Power",
        **light,
        **_limits(phy, port, cable),
        "DateCode": module.made,
        "Lot": "0x3030" if medium.copper else "0x2020",
        "TX Adaptive Equalization Freeze": "N/A",
        "RX Output Disable": "N/A",
        "TX Adaptive Equalization Enable": "N/A",
        "OutputPreEmp": "0 0 0 0",
        "OutputPostEmp": "0 0 0 0",
    }


def power(dbm: float, whole: bool) -> str:
    """Print an optical power.

    Args:
        dbm: The power.
        whole: Whether the module only knows whole dBm.

    Returns:
        ``1.585 mW, 2.000 dBm`` or, with whole dBm, one of the odd forms.
    """
    if not whole:
        return f"{10 ** (dbm / 10):.3f} mW, {dbm:.3f} dBm"
    level = round(dbm)
    if level == 0:
        return NO_POWER
    return (
        f"{10 ** (level / 10):.3f} mW, {level}.000 dBm" if level > 0 else f"inf mW, {_WORD + level}.000 dBm"
    )


def low_flags(got: Sequence[float], sent: Sequence[float]) -> tuple[int, int]:
    """Return the flags of lanes that get, and that send, less light than the module's own limits."""
    low_rx = sum(1 << lane for lane, level in enumerate(got) if level < LOW_RX)
    return low_rx, sum(1 << lane for lane, level in enumerate(sent) if level < LOW_TX)


def _light(phy: Phy, port: PortKey, peer: PortKey, cable: Cable) -> dict[str, str]:
    """Return the lines about light and its flags."""
    optics, medium = phy.optics.get(port), cable.medium
    lanes = range(LANES)
    got, sent = [NO_POWER] * LANES, [NO_POWER] * LANES
    low_rx = low_tx = 0
    if optics and medium.optical_power:
        levels = received(phy, port, peer)
        got = [power(level, phy.whole_dbm) for level in levels]
        sent = [power(level, phy.whole_dbm) for level in optics.sent]
        low_rx, low_tx = low_flags(levels, optics.sent)
    bias = [f"{current:.3f} mA" for current in optics.bias] if optics else ["0.000 mA"] * LANES
    passive = medium.copper and not medium.powered
    return {
        **{f"RX{lane + 1} Power": got[lane] for lane in lanes},
        **{f"TX{lane + 1} Bias": bias[lane] for lane in lanes},
        **{f"TX{lane + 1} Power": sent[lane] for lane in lanes},
        "CDR Latched TX/RX Loss Indicator": "0x03" if passive else "0x00",
        "Latched Adaptive Equalization Fault": "0x00",
        "Latched  TX / RX LOL Indicator": "0x06" if passive else "0x00",
        "Latched Temperature Alarm and Warning": "0x00",
        "Latched Voltage Alarm and Warning": "0x00",
        "RX Power Alarm and Warning": f"0x{low_rx:04x}",
        "TX Bias Alarm and Warning": "0x3223" if passive else "0x0000",
        "TX Power Alarm and Warning": f"0x{low_tx:04x}",
    }


def _limits(phy: Phy, port: PortKey, cable: Cable) -> dict[str, str]:
    """Return the lines about supply voltage and limits."""
    medium, optics = cable.medium, phy.optics.get(port)
    volts = round(optics.millivolts * 1000) if optics else ACTIVE_COPPER_UV if medium.powered else 0
    light = not medium.copper
    return {
        "Supply Voltage Reporting": f"{volts}uV",
        "Transmitter Technology": "0x00" if light else "0x0a",
        "Extended Specification Compliance Codes": "0x32",
        "AlarmTemperatureHighThresh": "80C" if medium.powered else "0C",
        "AlarmTemperatureLowThresh": "-5C" if medium.powered else "0C",
        "WarnTemperatureHighThresh": "N/A",
        "WarnTemperatureLowThresh": "N/A",
        "AlarmVoltageHighThresh": "3630000uV" if medium.powered else "0uV",
        "AlarmVoltageLowThresh": "2970000uV" if medium.powered else "0uV",
        "WarnVoltageHighThresh": "N/A",
        "WarnVoltageLowThresh": "N/A",
        "RXPowerHighThresh": "4" if light else "0",
        "RXPowerLowThresh": str(_WORD + LOW_RX) if light else "0",
        "TXPowerHighThresh": "4" if light else "0",
        "TXPowerLowThresh": str(_WORD + LOW_TX) if light else "0",
        "TXBiasHighThresh": "6500" if light else "0",
        "TXBiasLowThresh": "1500" if light else "0",
    }
