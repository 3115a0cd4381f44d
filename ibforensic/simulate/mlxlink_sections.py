"""What mlxlink says about a port, section by section; ``write_mlxlink`` prints it as text and as JSON.

Sections, names and order are those of MFT 4.30 with ``-m -c -e`` (atlas §9, compared with real text and JSON
of MFT 4.20 to 4.34); what a simulated module does not have is ``N/A``. That newer ports (NDR, XDR) show
figures of merit and grades of three eyes, older ones a grade, follows real output of both; the sizes are
invented, and fall as the raw errors of the lane rise.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import WIDTH_LANES
from ibforensic.simulate.goodput import lanes_now
from ibforensic.simulate.host_view import firmware
from ibforensic.simulate.media import Cable, Module
from ibforensic.simulate.optics import received
from ibforensic.simulate.phy_ber import register
from ibforensic.simulate.phy_state import LANES, Phy
from ibforensic.simulate.spelling import fec_code
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_phy import SYMBOL_BER_LIMIT

NA = "N/A"
FEC_NAMES = {
    0: "No FEC",
    2: "Standard RS-FEC - RS(528,514)",
    3: "Standard LL RS-FEC - RS(271,257)",
    4: "Standard_RS-FEC - (544,514)",
    13: "RS-FEC (544,514) + PLR",
    14: "LL-FEC (271,257) + PLR",
}
"""FEC on the scale of ibdiagnet → what mlxlink calls it."""
SPEED_BITS = {"SDR": 0x1, "EDR": 0x20, "HDR": 0x40, "NDR": 0x80, "XDR": 0x100}
NEWER = ("NDR", "XDR")
_VERSION = {"amBER Version": "3.6", "MFT Version": "mft 4.30.1-8"}
_WELL = ("0", NA, "No issue was observed")
_NO_PARTNER = ("2", "PHY FW", "Negotiation failure")
_BAD_SIGNAL = ("15", "PHY FW", "Bad signal integrity")
_SLOWER = (
    "34",
    "PHY FW",
    "The active speed was degraded from maximal possible speed due to local signal integrity issue",
)


@dataclass(frozen=True, slots=True)
class Mask:
    """A set of speeds, which is printed as a number and in words."""

    bits: int
    names: tuple[str, ...]


Value = str | tuple[str, ...] | Mask
Section = dict[str, Value]


def sections(sample: Sample, port: PortKey, rng: Random) -> dict[str, Section]:
    """Return what is said about a port.

    Args:
        sample: A fabric; without a physical layer the last three sections are missing.
        port: A port with a cable.
        rng: Source of randomness for the eyes.

    Returns:
        Title → name → value, in the order of the tool.
    """
    found: dict[str, Section] = {
        "Operational Info": _operation(sample, port),
        "Supported Info": _speeds(sample, port),
        "Troubleshooting Info": _trouble(sample, port),
        "Tool Information": {
            "Firmware Version": firmware(sample, sample.fabric.node[port.node_guid]),
            **_VERSION,
        },
    }
    if sample.phy and port in sample.phy.readings:
        found["Module Info"] = _module(sample, sample.phy, port)
        found["Physical Counters and BER Info"] = _counters(sample, sample.phy, port)
        found["EYE Opening Info"] = _eyes(sample, sample.phy, port, rng)
    return found


def ratio(errors: int, bits: int) -> str:
    """Print a bit error ratio: ``3E-10``, ``15E-255`` where no error was seen."""
    digit, power = register(errors, bits)
    return f"{digit}E-{power}"


def _operation(sample: Sample, port: PortKey) -> Section:
    """Return state, speed, width and FEC."""
    link = sample.fabric.link_at[port]
    state = sample.links[link.key]
    up = state.up
    return {
        "State": "Active" if up else "Polling",
        "Physical state": "LinkUp" if up else "Polling",
        "Speed": f"IB-{state.speed}" if up else NA,
        "Width": state.width if up else NA,
        "FEC": FEC_NAMES.get(fec_code(link.fec, state), NA) if up else NA,
        "Loopback Mode": "No Loopback",
        "Auto Negotiation": "ON",
    }


def _speeds(sample: Sample, port: PortKey) -> Section:
    """Return the speeds that port and cable can do."""
    fabric = sample.fabric
    own = _mask(fabric.node[port.node_guid].chip.speed)
    return {"Enabled Link Speed": own, "Supported Cable Speed": _mask(fabric.link_at[port].speed)}


def _mask(fastest: str) -> Mask:
    """Return all speeds up to one, fastest first, as the tool does."""
    names = tuple(name for name, bit in SPEED_BITS.items() if bit <= SPEED_BITS[fastest])[::-1]
    return Mask(sum(SPEED_BITS[name] for name in names), names)


def _trouble(sample: Sample, port: PortKey) -> Section:
    """Return what the firmware of the port thinks of it."""
    link = sample.fabric.link_at[port]
    state, reading = sample.links[link.key], sample.phy.readings.get(port) if sample.phy else None
    verdict = _WELL
    if not state.up:
        verdict = _NO_PARTNER
    elif reading and reading.symbols > SYMBOL_BER_LIMIT * reading.bits:
        verdict = _BAD_SIGNAL
    elif state.speed != link.speed:
        verdict = _SLOWER
    return dict(zip(("Status Opcode", "Group Opcode", "Recommendation"), verdict, strict=True))


def _counters(sample: Sample, phy: Phy, port: PortKey) -> Section:
    """Return errors and bit error ratios; raw errors of the lanes that the link has."""
    reading, counts = phy.readings[port], sample.counters[port]
    width = min(LANES, WIDTH_LANES[sample.links[sample.fabric.link_at[port].key].width])
    return {
        "Time Since Last Clear [Min]": f"{reading.seconds / 60:.1f}",
        "Symbol Errors": str(reading.symbols),
        "Symbol BER": ratio(reading.symbols, reading.bits),
        "Effective Physical Errors": str(reading.effective),
        "Effective Physical BER": ratio(reading.effective, reading.bits),
        "Raw Physical Errors Per Lane": tuple(str(count) for count in reading.raw[:width]),
        "Raw Physical BER": ratio(sum(reading.raw), reading.bits),
        "Link Down Counter": str(counts.get("link_downed_counter", 0)),
        "Link Error Recovery Counter": str(counts.get("link_error_recovery_counter", 0)),
    }


def _eyes(sample: Sample, phy: Phy, port: PortKey, rng: Random) -> Section:
    """Return how open the eyes are."""
    link = sample.fabric.link_at[port]
    state = sample.links[link.key]
    width = min(LANES, WIDTH_LANES[state.width])
    levels = lanes_now(phy.receptions[port], width)
    merit = [max(4, round(112 - 7 * (level + 8.6) + rng.gauss(0, 4))) for level in levels]
    if not state.up:
        merit = [0] * width
    if state.speed not in NEWER:
        none = (NA,) * width
        return {
            "Physical Grade": tuple(str(each * 17) for each in merit),
            "Height Eye Opening [mV]": none,
            "Phase  Eye Opening [psec]": none,
        }

    def near(offset: int) -> tuple[str, ...]:
        return tuple(str(max(0, each + offset + rng.randint(-3, 3)) if each else 0) for each in merit)

    return {
        "FOM Mode": ("SLRG_FOM_MODE_EYEO",),
        "Lane": tuple(str(lane) for lane in range(width)),
        "Initial FOM": near(-2),
        "Last FOM": tuple(str(each) for each in merit),
        "Upper Grades": near(-1),
        "Mid Grades": near(14),
        "Lower Grades": near(-1),
    }


def _module(sample: Sample, phy: Phy, port: PortKey) -> Section:
    """Return what sits in the port and what it measures."""
    fabric = sample.fabric
    link = fabric.link_at[port]
    cable = phy.cables[link.key]
    medium, module = cable.medium, cable.at(port)
    wide = link.speed not in ("EDR", "HDR")
    light, digital = not medium.copper, medium.powered
    cdr: Value = ("ON",) * LANES if light else NA
    flags: Value = ("0",) * LANES if light else NA
    switch = fabric.node[port.node_guid].role is not Role.HCA
    return {
        **_measured(phy, port, fabric.peer(port), cable),
        "Identifier": "OSFP" if wide else "QSFP28",
        "Compliance": NA,
        "Cable Technology": _technology(cable),
        "Cable Type": _type(cable),
        "OUI": _house(module),
        "Vendor Name": module.vendor,
        "Vendor Part Number": module.part,
        "Vendor Serial Number": module.serial,
        "Rev": module.revision,
        "Wavelength [nm]": medium.technology.partition(" ")[0] if light else NA,
        "Transfer Distance [m]": f"{cable.length_m:g}" if medium.fixed else "0.0",
        "Attenuation (5g,7g,12g)[dB]": _attenuation(cable),
        "FW Version": module.firmware or NA,
        "Digital Diagnostic Monitoring": "Yes" if digital else "No",
        "Power Class": ("8 (15.0 W max)" if switch else "4 (8.0 W max)") if light else NA,
        "CDR RX": cdr,
        "CDR TX": cdr,
        "LOS Alarm": NA,
        "SNR Media Lanes [dB]": NA,
        "SNR Host Lanes [dB]": NA,
        "IB Cable Width": "1x,2x,4x",
        "Memory Map Revision": "64" if wide else "8",
        "Linear Direct Drive": "0",
        "Cable Breakout": "Unspecified",
        "SMF Length": NA,
        "MAX Power": ("15.0 W max" if switch else "8.0 W max") if light else "0",
        "Cable Rx AMP": "1" if light else NA,
        "Cable Rx Emphasis": "0" if light else NA,
        "Cable Rx Post Emphasis": "0" if light else NA,
        "Cable Tx Equalization": "0" if light else NA,
        "Wavelength Tolerance": NA,
        "Module State": "Ready state" if light else NA,
        "DataPath state [per lane]": ("DPActivated",) * LANES if light else NA,
        "Rx Output Valid [per lane]": flags,
        "Nominal bit rate": NA,
        "Rx Power Type": "Average power" if light else "OMA",
        "Manufacturing Date": "_".join(reversed(module.made.split("-"))),
        "Active Set Host Compliance Code": f"IB {link.speed}" if light else NA,
        "Active Set Media Compliance Code": NA,
        "Error Code Response": "ConfigUndefined" if light else NA,
        "Module FW Fault": "0" if light else NA,
        "DataPath FW Fault": "0" if light else NA,
        "Tx Fault [per lane]": flags,
        "Tx LOS [per lane]": flags,
        "Tx CDR LOL [per lane]": flags,
        "Rx LOS [per lane]": flags,
        "Rx CDR LOL [per lane]": flags,
        "Tx Adaptive EQ Fault [per lane]": flags,
    }


def _measured(phy: Phy, port: PortKey, peer: PortKey, cable: Cable) -> Section:
    """Return temperature, voltage, currents and light, each with the limits of the module."""
    medium, optics = cable.medium, phy.optics.get(port)
    lit = optics is not None and medium.optical_power
    bias = "[40..130]" if medium.name == "singlemode" else "[1.5..13]"
    got = _list(received(phy, port, peer)) if lit else ""
    return {
        "Temperature [C]": f"{round(phy.heat[port])} [-5..80]" if medium.powered else NA,
        "Voltage [mV]": f"{optics.millivolts:.1f} [2970..3630]" if optics else NA,
        "Bias Current [mA]": f"{_list(optics.bias)} {bias}" if optics else NA,
        "Rx Power Current [dBm]": f"{got} [-8.508..6.999]" if lit else NA,
        "Tx Power Current [dBm]": f"{_list(optics.sent)} [-6.904..6.999]" if optics and lit else NA,
    }


def _list(numbers: list[float]) -> str:
    """Print the numbers of the lanes."""
    return ",".join(f"{number:.3f}" for number in numbers)


def _technology(cable: Cable) -> str:
    """Name the technology as mlxlink does, which is not as ibdiagnet does."""
    words = {"dac": "Copper cable, passive, unequalized", "acc": "Copper cable, active, linear equalizers"}
    return words.get(cable.medium.name, cable.medium.technology)


def _type(cable: Cable) -> str:
    """Name the type of the cable."""
    if not cable.medium.fixed:
        return "Optical Module (separated)"
    return "Active cable (active copper / optics)" if cable.medium.powered else "Passive copper cable"


def _house(module: Module) -> str:
    """Name the vendor by its OUI: its own, or ``Other``."""
    return "Nvidia" if module.vendor == "NVIDIA" else "Other"


def _attenuation(cable: Cable) -> Value:
    """Return what a passive copper cable takes away at 5, 7 and 12 GHz, dB: about 2, 3 and 4 a metre."""
    if cable.medium.name != "dac":
        return NA
    return tuple(str(round(each * cable.length_m)) for each in (2, 3, 4))
