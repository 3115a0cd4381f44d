"""The physical layer: bit errors, modules and cables, and what the boxes' sensors say."""

from __future__ import annotations

from ibforensic.model.table import FLAG, INT, REAL, SMALL, Column, Table
from ibforensic.model.tables.base import (
    NODE_GUID,
    OBSERVED_AT,
    PORT_NUM,
    identity,
    level,
    setting,
    state,
    volatile,
)


def _ber(kind: str) -> tuple[Column, Column]:
    """Declare one bit error ratio: its logarithm, and "none seen" apart from it."""
    return (
        level(f"{kind}_ber_log10", f"log10 of the {kind} bit error ratio; null where none was seen.", REAL),
        level(f"{kind}_ber_none", f"Whether no {kind} error was seen (printed as 15E-255).", FLAG),
    )


PHY = Table(
    "phy",
    ("node_guid", "port_num"),
    (
        NODE_GUID,
        PORT_NUM,
        OBSERVED_AT,
        volatile("since_clear_s", "Seconds since the PHY clear or the link-up.", REAL, "s"),
        volatile("since_link_up_s", "Seconds since the link came up.", REAL, "s"),
        *_ber("raw"),
        *_ber("effective"),
        *_ber("symbol"),
        level("lane_values", "JSON object: measure → list by lane (BER, errors, eye grade)."),
        level("fec_histogram", "JSON list: code words by number of corrected symbols."),
        state("phy_state", "State of the PHY manager as text."),
        state("status_opcode", "Why the link is not up, as a number.", INT),
        state("status_text", "The same in the tool's words."),
        state("down_blame", "Who brought the link down: unknown, local or remote."),
        state("down_reason_local", "Reason opcode of this end.", INT),
        state("down_reason_remote", "Reason opcode of the other end.", INT),
        state("down_reason_scale", "Which table of numbers the reasons are from."),
        state("down_reason_text", "The reason in the tool's words."),
    ),
    "What the physical layer of a port reports.",
)

_SIDES = ("rx_power", "tx_power", "tx_bias")

MODULES = Table(
    "modules",
    ("node_guid", "port_num"),
    (
        NODE_GUID,
        PORT_NUM,
        OBSERVED_AT,
        setting("kind", "transceiver or cable."),
        setting("identifier", "Form factor, such as OSFP."),
        setting("vendor", "Vendor name."),
        setting("vendor_oui", "IEEE id of the vendor."),
        setting("part_number", "Part number."),
        setting("serial", "Serial number; the ends of one cable, and twin ports, share it."),
        setting("revision", "Hardware revision."),
        setting("fw_version", "Firmware of the module."),
        setting("technology", "What carries the signal: copper, optics …"),
        setting("length_m", "Length.", REAL, "m"),
        setting("date_code", "Date of manufacture as printed."),
        setting("cage", "Cage the module sits in.", SMALL),
        level("temperature_c", "Temperature of the module.", REAL, "°C"),
        level("voltage_v", "Supply voltage.", REAL, "V"),
        *(level(f"{side}_lanes", f"JSON list by lane: {side.replace('_', ' ')}.") for side in _SIDES),
        setting("thresholds", "JSON object: the module's own alarm and warning limits."),
        state("alarms", "JSON list: alarms and warnings the module raises."),
    ),
    "Modules and cables, one row for each port that leads to one.",
)

SENSORS = Table(
    "sensors",
    ("node_guid", "sensor"),
    (
        NODE_GUID,
        identity("sensor", "Kind and number, such as temperature/asic or psu/1."),
        identity("kind", "temperature, fan, psu, power or voltage."),
        OBSERVED_AT,
        level("value", "Measured value.", REAL),
        setting("unit", "Unit of the value."),
        setting("minimum", "Lowest healthy value, where the device gives one.", REAL),
        setting("maximum", "Highest healthy value, where the device gives one.", REAL),
        state("status", "State in the tool's words: OK, alarm, absent …"),
        setting("serial", "Serial number of the part."),
    ),
    "Fans, power supplies, temperatures.",
)

TABLES = (PHY, MODULES, SENSORS)
