"""How GPUs and adapters of a host are connected: the matrix of ``nvidia-smi topo -m``.

Written by: nvidia-smi topo -m; older versions name adapters ``mlx5_0``, newer ones ``NIC0`` with a legend.

Sample::

            GPU0    NIC0    CPU Affinity    NUMA Affinity
    GPU0     X      PIX     0-23            0
    NIC0    PIX      X

    NIC Legend:

      NIC0: mlx5_0

Tables: settings, one document a host: for each GPU and adapter its relation to all others, under the names of
the legend, and the CPUs next to it. A path that got longer (PIX to SYS) is a change of the document.

Odd input: colours; tabs turned into blanks; rows without affinity; blanks within titles; prompts and prefixes
of hosts; a matrix that is cut: rows with fewer cells than the header has are left out.

Source: real texts of nvidia-smi.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import Screen, claims, open_screen
from ibforensic.parsers.many_hosts import HostText
from ibforensic.parsers.siblings import Setting, settings_table

__all__ = ["SPEC", "parse"]

_NAME = r"(?:GPU|NIC)\d{1,3}|mlx\d_\w{1,20}|ib[ps]\w{1,20}|rocep\w{1,20}"
_NAMES = re.compile(rf"(?:{_NAME})\Z")
_HEADER = re.compile(r"\s+GPU0\s")
_ROW = re.compile(rf"\s*({_NAME})\s+(.*)\Z")
_RELATION = re.compile(r"X|SYS|NODE|PHB|PXB|PIX|NV\d{1,2}\Z")
_LEGEND = re.compile(r"\s*(NIC\d{1,3}):\s+([\w.-]{1,64})\s*\Z")
_AGAIN = "run nvidia-smi topo -m again"

SPEC = Spec(
    name="topo_m",
    title="GPUs and adapters of a host by nvidia-smi topo -m",
    tool="nvidia-smi topo -m",
    order=54,
    claims=claims("topo_m"),
    tables=("settings",),
    versions="drivers 450 to 570",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the matrix of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``settings`` a host.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "topo")
    found = [setting for piece in screen.pieces if (setting := _matrix(piece, screen)) is not None]
    tables = {"settings": settings_table(found, "gpu_topology", path, SPEC.name)} if found else {}
    return Parsed(tables, {}, undecoded + screen.troubles.notes(), "row_cut" not in screen.troubles)


def _matrix(piece: HostText, screen: Screen) -> Setting | None:
    """Read the matrix of a host; None where it has none."""
    header = next((at for at, (_, line) in enumerate(piece.lines) if _HEADER.match(line)), None)
    if header is None:
        return None
    names = [word for word in piece.lines[header][1].split() if _NAMES.match(word)]
    legend = {match[1]: match[2] for _, line in piece.lines if (match := _LEGEND.match(line))}
    called = [legend.get(name, name) for name in names]
    document: dict[str, Any] = {}
    for number, line in piece.lines[header + 1 :]:
        if _HEADER.match(line):
            break  # the same once more
        row = _ROW.match(line)
        if row is None or row[1] not in names:
            continue
        cells = row[2].split()
        if len(cells) < len(names) or not all(map(_RELATION.match, cells[: len(names)])):
            screen.troubles.add("row_cut", number, f"the row of {row[1]} is cut: left out", _AGAIN)
            continue
        own = str(legend.get(row[1], row[1]))
        document[own] = {to: how for to, how in zip(called, cells, strict=False) if to != own}
        if len(cells) > len(names) and row[1].startswith("GPU"):
            document[own]["cpus"] = cells[len(names)]
    if not document:
        return None
    entity = f"host {piece.host}" if piece.host else "host"
    return Setting(entity, None, document, {}, piece.lines[header][0])
