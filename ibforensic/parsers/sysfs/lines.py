"""Lines ``path:value`` of /sys, sorted into devices and ports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.host_paths import host_before, host_name

__all__ = ["Device", "Host", "Tree", "read"]

Cell = tuple[str, int]
"""A value as printed, and the line it stands on."""

_OF_DEVICE = re.compile(
    r"(?P<place>.*?)/(?P<name>node_guid|sys_image_guid|node_desc|node_type|fw_ver|hca_type|board_id|hw_rev"
    r"|device/(?:numa_node|(?:current|max)_link_(?:speed|width)|uevent|net/[^/:]+/[^:]+)):(?P<value>.*)\Z"
)
_OF_SLOT = re.compile(
    r"(?P<place>.*/[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])"
    r"/(?P<name>numa_node|(?:current|max)_link_(?:speed|width)):(?P<value>.*)\Z",
    re.ASCII,
)
_OF_HOST = re.compile(
    r"(?P<place>.*?)/?(?:proc/)?(?P<name>(?<=proc/)uptime|sys/kernel/random/boot_id|sys/kernel/hostname"
    r"|etc/hostname):(?P<value>.*)\Z"
)
_TITLED = re.compile(r"==> (\S+) <==\Z")
_PREFIX = re.compile(r"(?!pci[0-9a-f]{4}:)([A-Za-z][\w.-]*):[ \t]*(?=[/.\w])")
_FOLDERS = re.compile(r"(?P<base>.*?)/?\b(?:sys/(?:class/infiniband|devices/.*)|infiniband)/?\Z")
_SLOT = re.compile(r"/([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])/infiniband\Z", re.ASCII)
_HOST_AND_DEVICE = re.compile(r"(?P<host>.+?)[_.-](?P<device>(?:mlx\d_|ibp|ibs|rocep)\w{1,40})\Z", re.ASCII)
"""Name of a copied folder that was called after the host and the device: ``node01_mlx5_0``."""
_FAULT = re.compile(r"(?:grep|cat|find|tail|head|cp|tar): ")
_MANY = ("gids/", "gid_attrs/", "pkeys/")
"""Tables of hundreds of lines a port, of which only the first GID is looked at."""
_FIRST_GID = "gids/0"


@dataclass(slots=True)
class Device:
    """An RDMA device.

    Attributes:
        host: Host, where prefix, path or file name tell it.
        name: ``mlx5_0``.
        line: Line it is first met on.
        slot: PCI address in its path, empty where there is none.
        cells: What stands directly below it.
        ports: Port number → path below the port → cell.
    """

    host: str | None
    name: str
    line: int
    slot: str = ""
    cells: dict[str, Cell] = field(default_factory=dict)
    ports: dict[int, dict[str, Cell]] = field(default_factory=dict)


@dataclass(slots=True)
class Host:
    """What a host tells of itself: path below it → cell."""

    cells: dict[str, Cell] = field(default_factory=dict)


@dataclass(slots=True)
class Tree:
    """All that a file tells.

    Attributes:
        devices: Devices in the order in which they are met.
        hosts: Host → what it tells of itself; devices without a host share None.
        slots: Host and PCI address → what stands there.
    """

    devices: list[Device] = field(default_factory=list)
    hosts: dict[str | None, Host] = field(default_factory=dict)
    slots: dict[tuple[str | None, str], dict[str, Cell]] = field(default_factory=dict)


def read(text: str, file_host: str | None, troubles: Gathering) -> Tree:
    """Sort the lines of a file.

    Args:
        text: The file, with one kind of line end.
        file_host: Host in the file's name, for paths that tell none.
        troubles: Takes lines that are no values, and a last line that may be cut.

    Returns:
        Devices with their ports; values as printed.
    """
    return _Reader(file_host, troubles).read(text)


class _Reader:
    """Sorts lines; remembers which path leads to which device."""

    def __init__(self, file_host: str | None, troubles: Gathering) -> None:
        self._file_host = file_host
        self._troubles = troubles
        self._tree = Tree()
        self._by_path: dict[str, Device] = {}
        self._by_name: dict[tuple[str | None, str], Device] = {}

    def read(self, text: str) -> Tree:
        last = text.count("\n") + 1
        for number, line in _values(text):
            head, found, rest = line.partition("/ports/")
            if number == last and line:
                self._troubles.add("value_cut", number, "the last line has no end: its value may be cut")
            elif not found or not self._of_port(head, rest, number):
                self._other(line, number)
        return self._tree

    def _of_port(self, head: str, rest: str, number: int) -> bool:
        """Take a line about a port; False where it is none."""
        port, _, rest = rest.partition("/")
        name, colon, value = rest.partition(":")
        if not colon or not (port.isdigit() and port.isascii() and len(port) <= 3):
            return False
        device = self._by_path.get(head)
        if device is None:
            if _FAULT.match(head):
                return False
            device = self._begin(head, number)
        cells = device.ports.get(int(port))
        if cells is None:
            cells = device.ports[int(port)] = {}
        if not name.startswith(_MANY) or name == _FIRST_GID:
            cells.setdefault(name, (value, number))
        return True

    def _begin(self, head: str, number: int) -> Device:
        """Return the device a path leads to; one device may have several paths."""
        prefix, path = self._split(head)
        folders, _, name = path.rpartition("/")
        host = prefix or self._host(folders)
        named = _HOST_AND_DEVICE.match(name)
        if named and host_name(named["host"]):
            host, name = prefix or named["host"], named["device"]
        slot = _SLOT.search(folders)
        device = self._by_name.get((host, name))
        if device is None:
            device = self._by_name[host, name] = Device(host, name, number)
            self._tree.devices.append(device)
        if slot:
            device.slot = slot[1]
        self._by_path[head] = device
        return device

    def _split(self, head: str) -> tuple[str | None, str]:
        """Split the name of a host, as pdsh and clush print it, from a path."""
        prefix = _PREFIX.match(head)
        if prefix is None:
            return None, head
        return prefix[1], head[prefix.end() :]

    def _host(self, folders: str) -> str | None:
        """Return the host in a path, or in the name of the file."""
        match = _FOLDERS.match(folders)
        return host_before(match["base"] if match else folders) or self._file_host

    def _other(self, line: str, number: int) -> None:
        """Take a line about a device, its slot or its host."""
        for pattern in (_OF_DEVICE, _OF_SLOT, _OF_HOST):
            match = pattern.match(line)
            if match is None:
                continue
            place, name, cell = match["place"], match["name"], (match["value"], number)
            if pattern is _OF_DEVICE:
                device = self._by_path.get(place) or self._begin(place, number)
                if name == "device/uevent":
                    name, cell = f"{name}/{cell[0].partition('=')[0]}", (cell[0].partition("=")[2], number)
                device.cells.setdefault(name, cell)
                return
            prefix, path = self._split(place)
            if pattern is _OF_SLOT:
                base, _, slot = path.rpartition("/")
                key = (prefix or self._host(base), slot)
                self._tree.slots.setdefault(key, {}).setdefault(name, cell)
            else:
                host = prefix or host_before(path) or self._file_host
                self._tree.hosts.setdefault(host, Host()).cells.setdefault(name.rpartition("/")[2], cell)
            return
        if _FAULT.match(line):
            self._troubles.add(
                "tool_failed", number, f"a value could not be read: {line[:160]}", "read it as root"
            )


def _values(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines; ``head`` and ``tail`` print the path above the value."""
    if "==> " not in text:
        yield from enumerate(text.split("\n"), 1)
        return
    title = ""
    for number, line in enumerate(text.split("\n"), 1):
        titled = _TITLED.match(line)
        if titled:
            title = titled[1]
        elif not title:
            yield number, line
        elif line:
            yield number, f"{title}:{line}"
