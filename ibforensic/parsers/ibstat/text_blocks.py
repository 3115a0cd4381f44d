"""The text of ibstat, split into devices and ports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ibforensic.model.enums import Level
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibstat import hosts
from ibforensic.parsers.readings import decimal

_DEVICE = re.compile(r"\s*CA '([^']{1,64})'")
_PORT = re.compile(r"\s*Port (\d{1,3}):\s*\Z", re.ASCII)
_FIELD = re.compile(r"(\s*)([A-Za-z][A-Za-z ]{1,30}):(?:\s+(.*?))?\s*\Z")
_FAILED = re.compile(r"\s*ibpanic: .*stat of IB device '([^']{1,64})' failed")
_AGAIN = "run ibstat again on that host; what is whole is used"
_TOOL_SAYS = re.compile(r"(ibwarn|ibpanic|iberror|ibstat): ")

DEVICE_FIELDS = frozenset(
    ("CA type", "Number of ports", "Firmware version", "Hardware version", "Node GUID", "System image GUID")
)
PORT_FIELDS = frozenset(
    (
        "State",
        "Physical state",
        "Rate",
        "Base lid",
        "LMC",
        "SM lid",
        "Capability mask",
        "Port GUID",
        "Link layer",
    )
)
_WHOLE_LAST = frozenset(("InfiniBand", "Ethernet"))
"""Values of the last field of a port: they are known, so that a cut one is seen."""


@dataclass(slots=True)
class Port:
    """A port of a device: its fields by name, as printed."""

    number: int
    line: int
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Device:
    """A device of a host: its fields by name, as printed, its ports, and the fields of the last of them."""

    host: str | None
    name: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)
    ports: list[Port] = field(default_factory=list)
    of_port: dict[str, str] | None = None

    def add_port(self, port: Port) -> None:
        """Add a port, which the fields that follow are about."""
        self.ports.append(port)
        self.of_port = port.fields

    @property
    def ports_told(self) -> int | None:
        """Number of ports the device says it has."""
        return decimal(self.fields.get("Number of ports", ""), 3)


@dataclass(frozen=True, slots=True)
class Failure:
    """A device that did not answer, and what the tool said."""

    host: str | None
    name: str
    line: int
    text: str


def read(text: str, file_host: str | None, troubles: Gathering) -> tuple[list[Device], list[Failure]]:
    """Split text into devices.

    Args:
        text: The file, with one kind of line end.
        file_host: Host in the file's name, for lines that name none.
        troubles: Takes lines that belong to no device, and what failed.

    Returns:
        Devices and failures in the order of the file.
    """
    lines = text.split("\n")
    known = hosts.prefixes(text)
    titles = hosts.titles(lines) if "-----" in text else {}
    last = len(lines) - 1
    host = file_host
    devices: list[Device] = []
    failures: list[Failure] = []
    current: dict[str | None, Device] = {}
    for at, line in enumerate(lines):
        owner, body = host, line
        if known:
            prefix, _, rest = line.partition(":")
            owner, body = (prefix, rest) if prefix in known else (host, line)
        # Most lines are fields that are known: they are dealt with first, without a pattern.
        name, _, value = body.partition(":")
        name = name.strip()
        mine = current.get(owner)
        if mine is not None and at < last:
            fields = mine.of_port
            if fields is not None and name in PORT_FIELDS:
                fields.setdefault(name, value.strip())
                continue
            if name in DEVICE_FIELDS:
                mine.fields.setdefault(name, value.strip())
                continue
        if at in titles:
            host = titles[at]
            continue
        device = _DEVICE.match(body) if "CA '" in body else None
        failed = _FAILED.match(body) if "ibpanic" in body and device is None else None
        if device:
            current[owner] = Device(owner, device.group(1), at + 1)
            devices.append(current[owner])
        elif failed:
            failures.append(Failure(owner, failed.group(1), at + 1, body.strip()[:300]))
            troubles.add(
                "device_failed",
                at + 1,
                f"{failed.group(1)} did not answer, and what comes after it was not asked",
                "look at that device on the host, then run ibstat again",
            )
        elif not _add(body, mine, at + 1, at == last, troubles):
            _other_line(body.strip(), at + 1, troubles)
    return devices, failures


def _add(line: str, device: Device | None, number: int, may_be_cut: bool, troubles: Gathering) -> bool:
    """Add a line to its device; tell whether it belongs to one."""
    if device is None:
        return False
    port = _PORT.match(line)
    if port:
        device.add_port(Port(int(port.group(1)), number))
        return True
    match = _FIELD.match(line)
    if not match:
        return False
    indent, name, value = match.groups()
    if may_be_cut and not (name == "Link layer" and value in _WHOLE_LAST):
        troubles.add("value_cut", number, "the last value has no line end, it may be cut: left out", _AGAIN)
    elif name in DEVICE_FIELDS:
        device.fields.setdefault(name, value or "")
    elif device.of_port is not None and (name in PORT_FIELDS or indent):
        device.of_port.setdefault(name, value or "")
    elif name not in PORT_FIELDS:
        return False
    return True


def _other_line(line: str, number: int, troubles: Gathering) -> None:
    """Deal with a line that belongs to no device."""
    says = _TOOL_SAYS.match(line)
    if not line:
        return
    if says is None:
        troubles.add("skipped", number, f"not a line of ibstat: {line[:80]}", level=Level.INFO)
    elif says.group(1) == "ibwarn":
        troubles.add("tool_warned", number, f"the tool warned: {line[:200]}", level=Level.INFO)
    else:
        troubles.add("tool_failed", number, f"the tool failed: {line[:200]}", _AGAIN)
