"""Device ids and what they are: generation of switch chips and HCAs.

Source: atlas §2.4 and KNOWLEDGE §1.4; ids of older chips from the PCI id registry.
"""

from __future__ import annotations

from dataclasses import dataclass

from ibforensic.model.enums import Role


@dataclass(frozen=True, slots=True)
class Device:
    """A known device id.

    Attributes:
        name: Marketing name of the chip.
        wait_tick_bytes: Bytes of line time that one PortXmitWait tick stands for; None where unknown.
        wait_per_lane: Whether that is counted for each lane.
        role: Role that the device id alone decides (aggregation nodes), else None.
    """

    name: str
    wait_tick_bytes: int | None = None
    wait_per_lane: bool = False
    role: Role | None = None


DEVICES: dict[int, Device] = {
    0xC738: Device("SwitchX", 32, True),
    0xCB20: Device("Switch-IB", 32, True),
    0xCF08: Device("Switch-IB 2", 32, True),
    0xCF09: Device("SHARP aggregation node", role=Role.AGGREGATION),
    0xD2F0: Device("Quantum", 8),
    0xD2F2: Device("Quantum-2", 8),
    0xD2F4: Device("Quantum-3", 8),
    0x1003: Device("ConnectX-3"),
    0x1007: Device("ConnectX-3 Pro"),
    0x1011: Device("Connect-IB"),
    0x1013: Device("ConnectX-4"),
    0x1015: Device("ConnectX-4 Lx"),
    0x1017: Device("ConnectX-5"),
    0x1019: Device("ConnectX-5 Ex"),
    0x101B: Device("ConnectX-6"),
    0x101D: Device("ConnectX-6 Dx"),
    0x101F: Device("ConnectX-6 Lx"),
    0x1021: Device("ConnectX-7"),
    0x1023: Device("ConnectX-8"),
    0xA2D2: Device("BlueField"),
    0xA2D6: Device("BlueField-2"),
    0xA2DC: Device("BlueField-3"),
}


def device_name(device_id: int | None) -> str | None:
    """Return the chip's name for a device id, or None where it is not known."""
    device = DEVICES.get(device_id) if device_id is not None else None
    return device.name if device else None
