"""ibdiagnet2.db_csv: sections between START_ and END_ lines, and an index with byte offsets at the end.

Layout: atlas §2.1, checked byte for byte against a real file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ibforensic.simulate import write_cables as c
from ibforensic.simulate import write_counters as pm
from ibforensic.simulate import write_extended_speeds as extended
from ibforensic.simulate import write_phy as p
from ibforensic.simulate import write_sections as s
from ibforensic.simulate.spelling import asks_phy
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_pci import pci_warnings

SPEED_COMMENT = (
    "# In the next section the values of the fields LinkSpeedEn/LinkSpeedActv/LinkSpeedSup are not "
    "real raw data from the wire but as follow: \n"
    "# They are 32 bit fields.\n# Byte1 is regular speeds,\n# Byte2 is extended speeds,\n"
    "# Byte3 is mlnx ext speeds,\n# Byte4 is reserved.\n"
)
SECTIONS: tuple[tuple[str, str, Callable[[Sample], list[str]]], ...] = (
    ("RUN_INFO", s.RUN_INFO, s.run_info),
    ("WARNINGS_VS_CAPABILITY_GMP", s.WARNINGS, s.no_response),
    ("NODES", s.NODES, s.nodes),
    ("PORTS", s.PORTS, s.ports),
    ("SWITCHES", s.SWITCHES, s.switches),
    ("PORT_HIERARCHY_INFO", s.HIERARCHY, s.hierarchy),
    ("LINKS", s.LINKS, s.links),
    ("SM_INFO", s.SM_INFO, s.sm_info),
    ("PM_PORT_SAMPLES_CONTROL", s.SAMPLES_CONTROL, s.samples_control),
    ("PM_INFO", pm.PM_HEADER, pm.pm_info),
    ("PM_DELTA", pm.PM_HEADER, pm.pm_delta),
    ("NODES_INFO", s.NODES_INFO, s.nodes_info),
    ("TEMP_SENSING", s.TEMP_SENSING, s.temperatures),
)
"""Name, header and rows of each section, in the order of a real file."""
PHY_SECTIONS: tuple[tuple[str, str, Callable[[Sample], list[str]]], ...] = (
    ("CABLE_INFO", c.CABLE_INFO, c.cable_info),
    ("TEMPERATURE_SENSORS", p.TEMPERATURE_SENSORS, p.board_temperatures),
    ("FANS_SPEED", p.FANS_SPEED, p.fan_speeds),
    ("PHY_DB12", p.PHY_DB12, p.module_registers),
    ("PHY_DB16", p.PHY_DB16, p.phy_statistics),
    ("WARNINGS_PCI_DEGRADATION_CHECK", s.WARNINGS, pci_warnings),
    ("ERRORS_SYMBOL_BER_CHECK", s.WARNINGS, p.symbol_ber_errors),
)
"""Sections of a run that was asked about the physical layer."""


class Section(NamedTuple):
    """A section.

    Attributes:
        name: Its name.
        header: Names of its columns.
        rows: Its rows.
    """

    name: str
    header: str
    rows: list[str]


_WITH_FEC = {"PM_INFO": extended.levels, "PM_DELTA": extended.growth}
_FIRST_LINE = "# INDEX_TABLE offset:{:12d}, line:{:12d}\n"


def db_csv(sample: Sample) -> str:
    """Print ibdiagnet2.db_csv.

    Args:
        sample: What the run sees.

    Returns:
        The text, ASCII as far as the names are; offsets in it count bytes.
    """
    return assemble(sections(sample))


def sections(sample: Sample) -> list[Section]:
    """Return the sections of a run that have something to say."""
    found = []
    for name, header, rows_of in (*SECTIONS, *(PHY_SECTIONS if asks_phy(sample) else ())):
        rows = rows_of(sample)
        if name.startswith(("WARNINGS_", "ERRORS_")) and not rows:
            continue
        if extended.asked(sample) and name in _WITH_FEC:
            more, ports = _WITH_FEC[name], pm.reported_ports(sample)
            header += extended.COLUMNS
            rows = [row + more(sample, port) for row, port in zip(rows, ports, strict=True)]
        planes = name == "PORT_HIERARCHY_INFO" and sample.fabric.has_planes
        found.append(Section(name, header + s.PLANE_COLUMNS * planes, rows))
    return found


def assemble(found: Iterable[Section]) -> str:
    """Put sections into a file, and the index behind them.

    Args:
        found: Sections, in order.

    Returns:
        The text; offsets in its index count bytes.
    """
    parts = ["\n\n"]
    index = ["Name, Offset, Size, Line, Rows"]
    offset, line = len(_FIRST_LINE.format(0, 0)) + 2, 4
    for name, header, rows in found:
        before = (SPEED_COMMENT if name == "PORTS" else "") + f"START_{name}\n"
        body = "\n".join((header, *rows)) + "\n"
        after = f"END_{name}\n\n\n"
        offset += _size(before)
        line += before.count("\n")
        index.append(f"{name},{offset:12d},{_size(body):12d},{line:12d},{len(rows):12d}")
        parts += (before, body, after)
        offset += _size(body) + _size(after)
        line += body.count("\n") + after.count("\n")
    parts += ("START_INDEX_TABLE\n", "\n".join(index), "\nEND_INDEX_TABLE\n")
    return _FIRST_LINE.format(offset, line) + "".join(parts)


def disassemble(text: str) -> list[Section]:
    """Take a file apart that ``assemble`` has put together.

    Args:
        text: The file.

    Returns:
        Its sections, in order, without the index.
    """
    found = []
    for part in text.split("\nSTART_")[1:]:
        name, header, *rest = part.split("\n")
        if name != "INDEX_TABLE":
            found.append(Section(name, header, rest[: rest.index(f"END_{name}")]))
    return found


def _size(text: str) -> int:
    """Return the number of bytes of a text."""
    return len(text.encode())
