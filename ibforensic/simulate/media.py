"""What the links are made of: copper, active cables, optics; with part and serial numbers.

Hosts in the rack are connected by copper of 1 to 3 m, switches by optics over fibre. A twin-port module
serves both ports of a switch cage and shows the same serial number at both. A cable shows its serial at all
its ends; where it ends in one twin-port plug and two single ones, the single ones add ``-1`` and ``-2``.

FEC and round trip follow a real NDR fabric: copper of 2 m runs MLNX_RS_271_257_PLR and shows 62 to 78,
optics run RS_FEC_544_514 and show 126 to 174, in steps of 16 (atlas §4, §5.4). Part numbers have the shape
of real ones; serial numbers are invented.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.fabric import Fabric, SimLink

FEC_COPPER, FEC_OPTICS = 14, 4


@dataclass(frozen=True, slots=True)
class Medium:
    """A kind of link.

    Attributes:
        name: dac, acc, aoc, multimode or singlemode.
        technology: As ibdiagnet prints it.
        copper: Whether the signal is electric.
        powered: Whether the ends hold electronics, and so measure temperature and voltage.
        fixed: Whether it is one cable with fixed ends; else two transceivers and a fibre with connectors.
        lengths: Usual lengths, m.
    """

    name: str
    technology: str
    copper: bool
    powered: bool
    fixed: bool
    lengths: tuple[float, ...]

    @property
    def optical_power(self) -> bool:
        """Whether the ends measure what light they send and get; active optical cables do not."""
        return not self.copper and not self.fixed


DAC = Medium("dac", "Copper cable- unequalized", True, False, True, (1, 1, 1.5, 2, 2, 2, 3))
ACC = Medium("acc", "Copper cable- linear active equalizers", True, True, True, (3, 4, 5))
AOC = Medium("aoc", "850 nm VCSEL", False, True, True, (5, 10, 15, 20))
MULTIMODE = Medium("multimode", "850 nm VCSEL", False, True, False, (10, 20, 30, 50))
SINGLEMODE = Medium("singlemode", "1310 nm EML", False, True, False, (30, 50, 100, 150))
MEDIA = {medium.name: medium for medium in (DAC, ACC, AOC, MULTIMODE, SINGLEMODE)}


@dataclass(frozen=True, slots=True)
class Module:
    """One end of a link: a transceiver, or the plug of a cable.

    Attributes:
        vendor: Name.
        oui: IEEE id of the vendor, without ``0x``.
        part: Part number.
        serial: Serial number.
        revision: Hardware revision.
        firmware: Firmware version; empty for passive copper.
        made: Date of manufacture, YY-MM-DD.
    """

    vendor: str
    oui: str
    part: str
    serial: str
    revision: str
    firmware: str
    made: str


@dataclass(frozen=True, slots=True)
class Cable:
    """What connects the two ports of a link.

    Attributes:
        key: The two ports.
        medium: Kind.
        length_m: Length of the cable or of the fibre between the transceivers, m.
        a: Module at the first port of the key.
        b: Module at the second.
    """

    key: LinkKey
    medium: Medium
    length_m: float
    a: Module
    b: Module

    def at(self, port: PortKey) -> Module:
        """Return the module in a port."""
        return self.a if port == self.key.a else self.b

    @property
    def fec(self) -> int:
        """FEC at NDR on the scale of ibdiagnet."""
        return FEC_COPPER if self.medium.copper else FEC_OPTICS


_VENDORS = (("NVIDIA", "48b02d"), ("NVIDIA", "48b02d"), ("FIBERWAY", "a2d17c"), ("COPPERFIELD", "3e90b5"))
_PARTS = {
    "EDR": {
        "dac": "MCP1600-E{:03.0f}",
        "acc": "MCA1600-E{:03.0f}",
        "aoc": "MFA1A00-E{:03.0f}",
        "multimode": "MMA1B00-E100",
        "singlemode": "MMA1L10-CR",
    },
    "HDR": {
        "dac": "MCP1650-H{:03.0f}",
        "acc": "MCA1650-H{:03.0f}",
        "aoc": "MFS1S00-H{:03.0f}",
        "multimode": "MMA1T00-HS",
        "singlemode": "MMS1W50-HM",
    },
    "NDR": {
        "dac": "MCP7Y00-N{:03.0f}",
        "acc": "MCA7J60-N{:03.0f}",
        "aoc": "MFA7U10-H{:03.0f}",
        "multimode": "MMA4Z00-NS",
        "singlemode": "MMS4X00-NM",
    },
}
"""Speed → medium → part number; speeds above NDR take its shapes."""
_ELSEWHERE = {"dac": "OSFP-2C{:02.0f}", "acc": "OSFP-2A{:02.0f}", "aoc": "OSFP-AO{:02.0f}"}
_SINGLE = "400"
"""What stands behind the part number of a single-port transceiver for HCAs."""


@dataclass(slots=True)
class _Shop:
    """Sells modules: numbers them, in batches of one part, revision and date."""

    rng: Random
    sold: int = 0
    first: tuple[str, str] = _VENDORS[0]
    year: int = 30

    def __post_init__(self) -> None:
        """Choose what was bought for copper and for optics; a few parts come from elsewhere."""
        self.first = self.rng.choice(_VENDORS)
        self.year = self.rng.randint(23, 30)

    def buy(self, medium: Medium, length: float, speed: str) -> Module:
        """Sell one."""
        rng = self.rng
        vendor, oui = self.first if rng.randrange(30) else rng.choice(_VENDORS)
        part = _PARTS.get(speed, _PARTS["NDR"])[medium.name].format(length)
        if vendor != "NVIDIA":
            part = _ELSEWHERE.get(medium.name, f"OSFP-{medium.name[0].upper()}R8-800G").format(length)
        self.sold += rng.randint(1, 9)
        week, plant = rng.choice((4, 11, 18, 37)), rng.choice("VFJ")
        if vendor == "NVIDIA":
            serial = f"MT{self.year}{week:02d}{plant}S{self.sold:05d}"
        else:
            serial = f"{'C' if medium.copper else 'G'}{self.year}{week:02d}{self.sold:06d}"
        firmware = "" if not medium.powered else rng.choice(("46.120.0", "46.120.0", "46.120.4"))
        made = f"{self.year}-{1 + week * 12 // 53:02d}-{1 + week % 27:02d}"
        return Module(vendor, oui, part, serial, "A1" if week < 30 else "A2", firmware, made)


def draw_cables(fabric: Fabric, seed: int = 1) -> dict[LinkKey, Cable]:
    """Draw what every link is made of.

    Args:
        fabric: The fabric.
        seed: Seed of media, vendors and serial numbers.

    Returns:
        Link → cable, for all links but those inside a box. The first cage that faces hosts has copper.
    """
    rng = Random(f"media/{seed}")
    shop = _Shop(rng)
    trunk = rng.choice((MULTIMODE, MULTIMODE, SINGLEMODE))
    links = [link for link in fabric.links if not _internal(fabric, link)]
    facing: dict[str, list[SimLink]] = {}
    for link in links:
        facing.setdefault(cage(fabric, _upper(fabric, link)), []).append(link)
    twins: dict[str, Module] = {}
    cables: dict[LinkKey, Cable] = {}
    copper_yet = False
    trunks = {cage(fabric, end) for link in links if not _faces_host(fabric, link) for end in link.key}
    for place, together in facing.items():
        hosts = place not in trunks and all(_faces_host(fabric, link) for link in together)
        medium = trunk if not hosts or (copper_yet and not rng.randrange(8)) else _in_rack(rng)
        if hosts and not copper_yet:
            medium, copper_yet = DAC, True
        length = rng.choice(medium.lengths)
        if medium.fixed:
            cables.update(
                _splitter(fabric, together, medium, length, shop.buy(medium, length, together[0].speed))
            )
            continue
        for link in together:
            ends = [_transceiver(fabric, end, medium, twins, shop) for end in link.key]
            cables[link.key] = Cable(link.key, medium, rng.choice(medium.lengths), ends[0], ends[1])
    return {link.key: cables[link.key] for link in links}


def fitted(fabric: Fabric, cables: dict[LinkKey, Cable]) -> Fabric:
    """Give every link the FEC and the round trip of what it is made of."""
    return replace(
        fabric,
        links=tuple(
            link
            if (cable := cables.get(link.key)) is None
            else replace(
                link, fec=cable.fec if link.speed == "NDR" else link.fec, round_trip=_round_trip(cable)
            )
            for link in fabric.links
        ),
    )


def cage(fabric: Fabric, port: PortKey) -> str:
    """Name the cage of a port: all ports in it, and all planes of a port, share what is plugged in."""
    node = fabric.node[port.node_guid]
    if node.planes:
        plane = fabric.plane(port)
        return f"{node.system_guid}/{plane[0] if plane else fabric.label(port)}"
    parts = fabric.label(port).split("/")
    if node.role is Role.HCA:
        return f"{port.node_guid}/{port.port_num}"
    return f"{port.node_guid}/{'/'.join(parts[:2] if node.chip.caged else parts[:1])}"


def _round_trip(cable: Cable) -> int:
    """Return LinkRoundTripLatency: steps of 16; about 5 ns a metre each way, plus FEC and electronics."""
    if cable.medium.copper:
        return 62 if cable.length_m <= 2 else 78
    return 126 + 16 * min(9, round(cable.length_m / 16))


def _in_rack(rng: Random) -> Medium:
    """Draw what connects a host."""
    return rng.choice((DAC, DAC, DAC, DAC, ACC, AOC))


def _internal(fabric: Fabric, link: SimLink) -> bool:
    """Whether a link is inside a box."""
    return any(fabric.node[end.node_guid].role is Role.AGGREGATION for end in link.key)


def _faces_host(fabric: Fabric, link: SimLink) -> bool:
    """Whether one end of a link is an HCA."""
    return any(fabric.node[end.node_guid].role is Role.HCA for end in link.key)


def _upper(fabric: Fabric, link: SimLink) -> PortKey:
    """Return the end whose cage decides: the switch port that faces a host, else the first end."""
    a, b = link.key
    return b if fabric.node[a.node_guid].role is Role.HCA else a


def _splitter(
    fabric: Fabric, together: list[SimLink], medium: Medium, length: float, plug: Module
) -> dict[LinkKey, Cable]:
    """Plug one cable into a switch cage and the one or two HCAs it leads to."""
    found: dict[LinkKey, Cable] = {}
    far = [cage(fabric, fabric.peer(_upper(fabric, link))) for link in together]
    legs = list(dict.fromkeys(far))
    for link, place in zip(together, far, strict=True):
        upper = _upper(fabric, link)
        leg = plug if len(legs) == 1 else replace(plug, serial=f"{plug.serial}-{legs.index(place) + 1}")
        ends = [plug if end == upper else leg for end in link.key]
        found[link.key] = Cable(link.key, medium, length, ends[0], ends[1])
    return found


def _transceiver(
    fabric: Fabric, port: PortKey, medium: Medium, twins: dict[str, Module], shop: _Shop
) -> Module:
    """Return the transceiver in a port, bought when its first port is met."""
    place = cage(fabric, port)
    if place not in twins:
        module = shop.buy(medium, 0, fabric.link_at[port].speed)
        if fabric.node[port.node_guid].role is Role.HCA:
            module = replace(module, part=module.part + _SINGLE)
        twins[place] = module
    return twins[place]
