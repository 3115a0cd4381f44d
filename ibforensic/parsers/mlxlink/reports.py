"""The text of mlxlink, sorted into reports: one a port that was asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from ibforensic.model.ids import guid
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.host_paths import host_before, host_name
from ibforensic.parsers.many_hosts import HostText, Line, by_host

__all__ = ["TITLES", "Asked", "Report", "asked_in_command", "asked_in_name", "read"]

TITLES = (
    "Operational Info",
    "Supported Info",
    "Troubleshooting Info",
    "Tool Information",
    "Module Info",
    "Physical Counters and BER Info",
    "EYE Opening Info",
    "EYE Opening Info (PCIe)",
    "Histogram of FEC Errors",
    "PCIe Operational (Enabled) Info",
    "Link Down Info",
)
"""Titles by which mlxlink is known; there are more of them."""
_BEGINS = rf"[ \t]*(?:{'|'.join(map(re.escape, TITLES))})[ \t]*$"
_RULE = re.compile(r"\s*-{4,}\s*\Z")
_REMARK = re.compile(r"\s+<[=-].*\Z|\s{2,}=\s.*\Z")
_COMMAND = re.compile(r"\bmlxlink\s.*?(?:-d|--device)[\s=]+(\S+)(?:.*?(?:\s-p|--port)[\s=]+([\w/]+))?")
_SAYS = re.compile(r"\s*-([EW])-\s*(.*)")
_LID = re.compile(r"(?:.*_)?lid-(0x[0-9a-fA-F]{1,4}|\d{1,5})\Z", re.IGNORECASE)
_PCI = re.compile(r"(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]\Z", re.IGNORECASE)
_IN_NAME = re.compile(
    r"(?:(?P<host>.+?)[_.])??(?P<device>lid-(?:0x[0-9a-fA-F]+|\d+)|mlx\d_\w+?|ib[ps]\w+?|mt\d+_pciconf[\d.]+|0x[0-9a-fA-F]{16})"
    r"(?:[_.-]p(?:ort)?[_-]?(?P<port>\d{1,3}))?\Z"
)
_ENDINGS = re.compile(r"(?:\.(?:txt|json|log|out|mlxlink))+\Z|[._-]mlxlink\b|\bmlxlink[._-]", re.IGNORECASE)

_LONGEST_NAME = 80

Cell = tuple[str, int]
"""A value as printed, and the line it stands on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which port was asked about, as far as it is told.

    Attributes:
        device: Device as given: ``mlx5_0``, ``/dev/mst/…``, ``lid-12``, a PCI address.
        port: Number of the port; an HCA has one where none is given.
        lid: LID, where the device is one.
        node_guid: Node, where a file name holds its GUID.
    """

    device: str | None = None
    port: int | None = None
    lid: int | None = None
    node_guid: str | None = None

    @classmethod
    def of(cls, device: str | None, port: str | None) -> Asked:
        """Make one of the two words of a command or a file name."""
        if not device:
            return cls(None, int(port) if port and port.isdigit() else None)
        by_lid = _LID.match(device)
        node = guid(device) if device.startswith("0x") else None
        number = int(port) if port and port.isdigit() and len(port) <= 3 else None
        if number is None and not by_lid and not node:
            number = 1
        return cls(None if node else device, number, int(by_lid[1], 0) if by_lid else None, node)

    @property
    def is_pci(self) -> bool:
        """Whether the device is given by its PCI address."""
        return _PCI.match(self.device or "") is not None


@dataclass(slots=True)
class Report:
    """What is said about one port.

    Attributes:
        host: Host that was asked on.
        asked: The port.
        line: Line it begins on.
        sections: Title → name → cell.
        error: Why the tool could not tell more.
    """

    host: str | None
    asked: Asked
    line: int
    sections: dict[str, dict[str, Cell]] = field(default_factory=dict)
    error: str | None = None

    def section(self, title: str) -> Mapping[str, Cell]:
        """Return a section; empty where it is not there."""
        return self.sections.get(title, {})


def asked_in_command(line: str) -> Asked | None:
    """Return the port a command line asks about; None for any other line."""
    match = _COMMAND.search(line) if "mlxlink" in line else None
    return Asked.of(match[1], match[2]) if match else None


def asked_in_name(path: str) -> tuple[str | None, Asked]:
    """Return host and port in the name of a file: ``node07_mlx5_0_p1.txt``, ``lid-12_p3.json``.

    Args:
        path: Path of the file; the folder may be called after the host.
    """
    folder, _, name = path.rpartition("/")
    match = _IN_NAME.match(_ENDINGS.sub("", name))
    host = host_name(match["host"]) if match and match["host"] else None
    asked = Asked.of(match["device"], match["port"]) if match else Asked()
    return host or host_before(folder), asked


def read(text: str, path: str, troubles: Gathering) -> list[Report]:
    """Sort the text of a file into reports.

    Args:
        text: The file, without colours and with one kind of line end.
        path: File; its name may tell host and port.
        troubles: Takes what the tool complained about, and values that are cut.

    Returns:
        Reports in the order of the file.
    """
    host, asked = asked_in_name(path)
    last = text.count("\n") + 1
    found = []
    for piece in by_host(text.replace("\xa0", " "), _BEGINS, host):
        found += _reports(piece, asked, last, troubles)
    return found


def _reports(piece: HostText, asked: Asked, last: int, troubles: Gathering) -> list[Report]:
    """Return the reports in the lines of one host."""
    found: list[Report] = []
    report: Report | None = None
    cells: dict[str, Cell] | None = None
    name = ""
    lines = piece.lines
    rules = _rules(lines)
    begin = 0
    for at in _places(lines, rules):
        if cells is not None:
            name = _fields(cells, lines[begin:at], name, last, troubles)
        begin = at + 1
        number, line = lines[at]
        told = asked_in_command(line)
        if told:
            asked, report, cells, name = told, None, None, ""
        elif at + 1 in rules and at not in rules and line.strip():
            title, name = line.strip(), ""
            if report is None and title not in TITLES:
                continue  # Other tools underline their titles too.
            if report is None or title in report.sections:
                report = Report(piece.host, asked, number)
                found.append(report)
            cells = report.sections[title] = {}
        elif cells is not None and at not in rules:
            name = _fields(cells, lines[at:begin], name, last, troubles)
        failed = _complain(line, number, asked, troubles)
        if failed is not None:
            report = report or Report(piece.host, asked, number)
            report.error = report.error or failed
            found += [] if report in found[-1:] else [report]
    if cells is not None:
        _fields(cells, lines[begin:], name, last, troubles)
    return found


def _rules(lines: Sequence[Line]) -> set[int]:
    """Return the places of the lines that underline titles."""
    return {at for at, (_, line) in enumerate(lines) if "----" in line and _RULE.match(line)}


def _places(lines: Sequence[Line], rules: Set[int]) -> list[int]:
    """Return the places of lines that are no fields: rules, what they underline, commands, complaints."""
    telling = {
        at for at, (_, line) in enumerate(lines) if "mlxlink" in line or "-E-" in line or "-W-" in line
    }
    return sorted(rules | telling | {at - 1 for at in rules if at})


def _fields(cells: dict[str, Cell], lines: Iterable[Line], name: str, last: int, troubles: Gathering) -> str:
    """Take lines of a section; return the name that a wrapped value on the next line belongs to."""
    for number, line in lines:
        found, colon, value = line.partition(":")
        found, value = found.strip(), value.strip()
        if colon and found[:1].isalpha() and len(found) <= _LONGEST_NAME:
            if number == last:
                troubles.add("value_cut", number, "the last line has no end: its value may be cut")
                name = ""
                continue
            if "<" in value or "=" in value:
                value = _REMARK.sub("", value)
            cells.setdefault(found, (value, number))
            name = found
            continue
        more = line.strip()
        if not more or more.startswith("$ "):
            name = ""
        elif name and not more.startswith("-"):
            value, begun = cells[name]
            joint = "" if value.endswith(",") else " "
            cells[name] = (f"{value}{joint}{more}", begun)
    return name


def _complain(line: str, number: int, asked: Asked, troubles: Gathering) -> str | None:
    """Note what the tool complained about; return why it failed, where it did."""
    says = _SAYS.match(line)
    if says and says[1] == "E":
        at = f" at {asked.device}" if asked.device else ""
        message = f"mlxlink failed{at}: {says[2][:160]}"
        troubles.add("tool_failed", number, message, "look at that device, then ask for that port again")
        return message
    if says:
        troubles.add("tool_warned", number, f"mlxlink warned: {says[2][:160]}")
    return None
