"""Link speed, width, FEC and retransmission: numbers that tools print, and their names.

Sources: atlas §4 (LinkSpeed word of ibdiagnet, FEC scales), IBTA PortInfo for width and MTU codes.
"""

from __future__ import annotations

from ibforensic.model.enums import PhysState, PortState

LANE_GBPS: dict[str, float] = {
    "SDR": 2.5,
    "DDR": 5.0,
    "QDR": 10.0,
    "FDR10": 10.3125,
    "FDR": 14.0625,
    "EDR20": 20.0,
    "EDR": 25.78125,
    "HDR": 53.125,
    "NDR": 106.25,
    "XDR": 212.5,
}
"""Signalling rate of one lane in Gb/s."""

NOMINAL_LANE_GBPS: dict[str, float] = {
    "SDR": 2.5,
    "DDR": 5.0,
    "QDR": 10.0,
    "FDR10": 10.0,
    "FDR": 14.0,
    "EDR20": 20.0,
    "EDR": 25.0,
    "HDR": 50.0,
    "NDR": 100.0,
    "XDR": 200.0,
}
"""Rate of one lane in Gb/s as tools and people call it (4x NDR = 400)."""

WIDTH_LANES: dict[str, int] = {"1x": 1, "2x": 2, "4x": 4, "8x": 8, "12x": 12}

WIDTH_BITS: dict[int, str] = {1: "1x", 2: "4x", 4: "8x", 8: "12x", 16: "2x"}

_SPEED_BYTES: tuple[tuple[int, dict[int, str]], ...] = (
    (24, {1: "XDR"}),
    (8, {1: "FDR", 2: "EDR", 4: "HDR", 8: "NDR"}),
    (16, {1: "FDR10", 2: "EDR20"}),
    (0, {1: "SDR", 2: "DDR", 4: "QDR"}),
)
"""Bytes of ibdiagnet's 32-bit speed word, in the order in which the active speed is looked up."""

LSA_SPEED: dict[str, str] = {
    "2.5": "SDR",
    "5": "DDR",
    "10": "QDR",
    "FDR10": "FDR10",
    "14": "FDR",
    "25": "EDR",
    "EDR20": "EDR20",
    "50": "HDR",
    "100": "NDR",
    "200": "XDR",
}
"""Per-lane speed text of net_dump and .lst (LSA, SPD)."""

FEC_SMP: dict[int, str] = {
    0: "NO-FEC",
    1: "FIRECODE",
    2: "STD-RS",
    3: "STD-LL-RS",
    4: "RS_FEC_544_514",
    8: "MLNX-STRONG-RS",
    9: "MLNX-LL-RS",
    10: "MLNX-ADAPT-RS",
    11: "MLNX-COD-FEC",
    12: "MLNX-ZL-FEC",
    13: "MLNX_RS_544_514_PLR",
    14: "MLNX_RS_271_257_PLR",
}
"""FEC numbers on the SMP scale (ibdiagnet FECActv)."""

FEC_PHY_REGISTER: dict[int, str] = {
    0: "NO-FEC",
    1: "FIRECODE",
    2: "STD-RS",
    3: "STD-LL-RS",
    7: "RS_FEC_544_514",
    12: "MLNX_RS_544_514_PLR",
    13: "MLNX_RS_271_257_PLR",
    14: "MLNX_RS_271_257_PLR",
}
"""FEC numbers on the PHY-register scale (mlxlink, UFM Active_FEC). Not the scale above."""

RETRANSMISSION: dict[int, str] = {0: "none", 1: "LLR64", 2: "LLR128", 3: "PLR"}

MTU_BYTES: dict[int, int] = {1: 256, 2: 512, 3: 1024, 4: 2048, 5: 4096}

PORT_STATE: dict[int, PortState] = {
    1: PortState.DOWN,
    2: PortState.INIT,
    3: PortState.ARMED,
    4: PortState.ACTIVE,
}

PHYS_STATE: dict[int, PhysState] = {
    1: PhysState.SLEEP,
    2: PhysState.POLLING,
    3: PhysState.DISABLED,
    4: PhysState.TRAINING,
    5: PhysState.LINK_UP,
    6: PhysState.RECOVERY,
    7: PhysState.PHY_TEST,
}


def active_speed(word: int) -> str | None:
    """Name the active speed in ibdiagnet's 32-bit speed word.

    Args:
        word: ``LinkSpeedActv``; under an extended speed the low byte stays at QDR.

    Returns:
        ``SDR`` … ``XDR``, or None for 0 (no link) and for bits that are not known.
    """
    for shift, names in _SPEED_BYTES:
        byte = word >> shift & 0xFF
        if byte:
            return names.get(byte)
    return None


def speed_set(word: int) -> str | None:
    """Name all speeds in a word of enabled or supported speeds, slowest first, comma separated."""
    found = {name for shift, names in _SPEED_BYTES for bit, name in names.items() if word >> shift & bit}
    return ",".join(name for name in LANE_GBPS if name in found) or None


def width_set(word: int) -> str | None:
    """Name all widths in a mask of enabled or supported widths, narrowest first, comma separated."""
    found = {name for bit, name in WIDTH_BITS.items() if word & bit}
    return ",".join(name for name in WIDTH_LANES if name in found) or None


def rate_gbps(width: str | None, speed: str | None) -> float | None:
    """Return the nominal rate of a port in Gb/s: 4x NDR is 400.

    Args:
        width: ``4x`` …
        speed: ``NDR`` …

    Returns:
        The rate, or None where either is unknown.
    """
    if width not in WIDTH_LANES or speed not in NOMINAL_LANE_GBPS:
        return None
    return WIDTH_LANES[width] * NOMINAL_LANE_GBPS[speed]


def line_bits_per_second(width: str | None, speed: str | None) -> float | None:
    """Return the signalling rate of a port in bit/s, the exposure of bit errors."""
    if width not in WIDTH_LANES or speed not in LANE_GBPS:
        return None
    return WIDTH_LANES[width] * LANE_GBPS[speed] * 1e9


FEC_CORRECTS: dict[str, int] = {
    "NO-FEC": 0,
    "FIRECODE": 1,
    "STD-RS": 7,
    "STD-LL-RS": 7,
    "MLNX_RS_271_257_PLR": 7,
    "RS_FEC_544_514": 15,
    "MLNX_RS_544_514_PLR": 15,
}
"""Symbols of a code word that a code corrects (KNOWLEDGE §1.6; a fire code corrects one burst)."""
