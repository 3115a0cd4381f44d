"""What this host has: which tools, which devices."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from ibforensic.collect.records import Device, Machine

__all__ = ["clearing_defaults", "host_name", "look", "search_path"]

_MORE_FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/ufm/ibutils/bin")
"""Where the tools may be though the search path of a plain user does not lead there."""
_DEFAULTS = Path("/etc/ibutils2/ibdiag.conf")
_CLEARS = re.compile(r"^[^#\n]*\b(?:pc|reset_phy_info|scr|csc|clear\w*|reset\w*)\b", re.MULTILINE)


def search_path() -> str:
    """Return the folders in which tools are looked for, with ``:`` between them."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(dict.fromkeys((*folders, *_MORE_FOLDERS)))


def host_name() -> str:
    """Return the name of this host, without its domain."""
    return platform.node().partition(".")[0] or "localhost"


def look(tools: Iterable[str], sys_folder: Path = Path("/sys/class/infiniband")) -> Machine:
    """Find what this host has.

    Args:
        tools: Programs to look for.
        sys_folder: Where the kernel shows its devices.
    """
    there = frozenset(tool for tool in tools if shutil.which(tool, path=search_path()))
    return Machine(there, tuple(_devices(sys_folder)))


def clearing_defaults(file: Path = _DEFAULTS) -> str:
    """Return the line of ibdiagnet's own default options that clears counters; empty where there is none.

    Args:
        file: Its file of default options.
    """
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:
        return ""
    match = _CLEARS.search(text)
    return match[0].strip() if match else ""


def _devices(folder: Path) -> Iterable[Device]:
    """Yield the devices of the kernel, in the order of their names."""
    for device in _entries(folder):
        ports = tuple(sorted(int(port.name) for port in _entries(device / "ports") if port.name.isdecimal()))
        nets = tuple(net.name for net in _entries(device / "device" / "net"))
        yield Device(device.name, ports, nets)


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder, sorted; nothing where there is none."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
