"""Sections about ports: PORTS, PORT_HIERARCHY_INFO, FEC_MODE, PM_PORT_SAMPLES_CONTROL.

PORTS has only ports that are up; PORT_HIERARCHY_INFO has the others too. Source: atlas §2.4 and §4.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model import link_terms
from ibforensic.parsers.db_csv import cells
from ibforensic.parsers.db_csv.sheet import SMALL, Mapped, Mapper, Sheet

__all__ = ["SECTIONS"]


def ports(sheet: Sheet) -> Mapped:
    """Map PORTS: state, width, speed and FEC of the ports that are up."""
    key = sheet.key("NodeGuid", "PortNum")
    width = sheet.code("LinkWidthActv", link_terms.WIDTH_BITS)
    speed = sheet.code("LinkSpeedActv", link_terms.active_speed)
    lid = sheet.number("LID")
    columns = {
        **key,
        "port_guid": sheet.guid("PortGuid"),
        # The ports of a switch print 0 where only port 0 has a LID.
        "lid": None if lid is None else pc.if_else(pc.equal(lid, 0), pa.scalar(None, pa.int64()), lid),
        "state": sheet.code("PortState", link_terms.PORT_STATE),
        "phys_state": sheet.code("PortPhyState", link_terms.PHYS_STATE),
        "width_active": width,
        "width_enabled": sheet.code("LinkWidthEn", link_terms.width_set),
        "width_supported": sheet.code("LinkWidthSup", link_terms.width_set),
        "speed_active": speed,
        "speed_enabled": sheet.code("LinkSpeedEn", link_terms.speed_set),
        "speed_supported": sheet.code("LinkSpeedSup", link_terms.speed_set),
        "rate_gbps": _rate(width, speed),
        "fec": sheet.code("FECActv", link_terms.FEC_SMP),
        "retransmission": sheet.code("RetransActv", link_terms.RETRANSMISSION),
        "mtu": sheet.code("NMTU", link_terms.MTU_BYTES, pa.int64()),
        "mtu_cap": sheet.code("MTUCap", link_terms.MTU_BYTES, pa.int64()),
        "round_trip": sheet.number("LinkRoundTripLatency"),
    }
    return Mapped((sheet.table("ports", columns),), tuple(sheet.notes))


def hierarchy(sheet: Sheet) -> Mapped:
    """Map PORT_HIERARCHY_INFO: where a port is found, ports that are down included."""
    columns = {
        **sheet.key("NodeGuid", "PortNum"),
        "port_guid": sheet.guid("PortGuid"),
        "port_label": sheet.text("Label"),
        "pci_address": _pci_address(sheet),
        "asic": sheet.number("ASIC", SMALL),
        "cage": sheet.number("Cage", SMALL),
        "cage_port": sheet.number("Port", SMALL),
        "split": sheet.number("Split", SMALL),
        "aport": sheet.number("APort", SMALL),
        "plane": sheet.number("Plane", SMALL),
        "planes": sheet.number("NumOfPlanes", SMALL),
    }
    return Mapped((sheet.table("ports", columns),), tuple(sheet.notes))


def fec_mode(sheet: Sheet) -> Mapped:
    """Map FEC_MODE: the FEC in use; versions before 2.10 have it here alone."""
    columns = {
        **sheet.key("NodeGuid", "PortNum"),
        "port_guid": sheet.guid("PortGuid"),
        "fec": sheet.code("FECActv", link_terms.FEC_SMP),
    }
    return Mapped((sheet.table("ports", columns),), tuple(sheet.notes))


def samples_control(sheet: Sheet) -> Mapped:
    """Map PM_PORT_SAMPLES_CONTROL: the tick of PortXmitWait and the optional counters of a port."""
    columns = {
        **sheet.key("NodeGuid", "PortNumber"),
        "port_guid": sheet.guid("PortGuid"),
        "wait_tick": sheet.number("Tick"),
        "option_mask": sheet.text("OptionMask"),
    }
    return Mapped((sheet.table("ports", columns),), tuple(sheet.notes))


def _rate(width: pa.ChunkedArray | None, speed: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
    """Return the nominal rates of ports."""
    if width is None or speed is None:
        return None
    both = pc.binary_join_element_wise(width, speed, " ")
    return cells.by_value(both, lambda text: link_terms.rate_gbps(*text.split()), pa.float64())


def _pci_address(sheet: Sheet) -> pa.ChunkedArray | None:
    """Return ``b8:00.0`` for bus 184, device 0, function 0; null where one of the three is not known."""
    parts = [sheet.number(name) for name in ("Bus", "Device", "Function")]
    known = [part.cast(pa.string()) for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    joined = pc.binary_join_element_wise(*known, " ")
    return cells.by_value(joined, _address, pa.string())


def _address(text: str) -> str:
    """Write decimal bus, device and function the way lspci does."""
    bus, device, function = (int(part) for part in text.split())
    return f"{bus:02x}:{device:02x}.{function:x}"


SECTIONS: Mapping[str, Mapper] = {
    "PORTS": ports,
    "PORT_HIERARCHY_INFO": hierarchy,
    "FEC_MODE": fec_mode,
    "PM_PORT_SAMPLES_CONTROL": samples_control,
}
"""Section → mapper."""
