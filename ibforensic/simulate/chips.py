"""Generations of switches and HCAs: what a device says of itself, and how many ports it has.

Device ids are those of ``model.devices``. Firmware versions and PSIDs are ones that real output of that
generation shows (atlas §1 to §8); where none was seen the PSID begins with ``SIM_``. The port counts are
those of the 1U switches (Switch-IB 36, Quantum 40, Quantum-2 64) and of the Q3400 (144, four ASICs, each
of which has one plane of every port).
"""

from __future__ import annotations

from dataclasses import dataclass

from ibforensic.model.link_terms import NOMINAL_LANE_GBPS


@dataclass(frozen=True, slots=True)
class Chip:
    """A generation of a device.

    Attributes:
        device_id: Device id, one of ``model.devices.DEVICES``.
        speed: Fastest speed of a lane.
        ports: Front ports of a switch, or ports of an HCA.
        firmware: Version of the firmware: major, minor, subminor.
        psid: PSID of the firmware image; of a switch with a management board.
        model: Model of a switch with a management board, as its name shows it.
        unmanaged_psid: PSID of a switch without a management board.
        unmanaged_name: What such a switch calls itself; empty where none was seen.
        caged: Whether labels are ``ASIC/cage/port``; else they are the port number.
        sharp: Whether a switch can have an aggregation node.
        others: Other versions of the firmware that a few devices of a fabric run.
    """

    device_id: int
    speed: str
    ports: int
    firmware: tuple[int, int, int]
    psid: str
    model: str = ""
    unmanaged_psid: str = ""
    unmanaged_name: str = ""
    caged: bool = False
    sharp: bool = False
    others: tuple[tuple[int, int, int], ...] = ()


AGGREGATION_NODE = Chip(0xCF09, "QDR", 1, (0, 0, 0), "")
SWITCHES: dict[str, Chip] = {
    "EDR": Chip(
        0xCB20,
        "EDR",
        36,
        (11, 2008, 2102),
        "MT_1880110032",
        "MSB7700",
        "MT_1880110032",
        "SwitchIB Mellanox Technologies",
    ),
    "HDR": Chip(
        0xD2F0,
        "HDR",
        40,
        (27, 2010, 3118),
        "MT_0000000063",
        "MQM8700",
        "MT_0000000063",
        "Quantum Mellanox Technologies",
        sharp=True,
        others=((27, 2008, 3328), (27, 2010, 4102)),
    ),
    "NDR": Chip(
        0xD2F2,
        "NDR",
        64,
        (31, 2012, 1068),
        "MT_0000000577",
        "MQM9700",
        "MT_0000000579",
        "Quantum-2 Mellanox Technologies",
        caged=True,
        sharp=True,
        others=((31, 2012, 1024),),
    ),
    "XDR": Chip(0xD2F4, "XDR", 144, (35, 2014, 1000), "SIM_0000000001", "Q3400", caged=True, sharp=True),
}
"""Speed → the switch of that generation."""
HCAS: dict[str, Chip] = {
    "EDR": Chip(0x1017, "EDR", 1, (16, 27, 1016), "SIM_0000000002"),
    "HDR": Chip(0x101B, "HDR", 1, (20, 33, 1048), "MT_0000000226", others=((20, 30, 1004), (20, 41, 1000))),
    "NDR": Chip(
        0x1021,
        "NDR",
        1,
        (28, 40, 1000),
        "MT_0000001120",
        others=((28, 37, 1014), (28, 39, 1002), (28, 41, 1000)),
    ),
    "XDR": Chip(0x1023, "XDR", 1, (40, 46, 5500), "SIM_0000000003"),
}
"""Speed → the HCA of that generation."""
SPEEDS = tuple(SWITCHES)
"""Speeds that can be ordered, slowest first."""


def slower(one: str, other: str) -> str:
    """Return the speed at which two ports run that can do these."""
    return min(one, other, key=NOMINAL_LANE_GBPS.__getitem__)
