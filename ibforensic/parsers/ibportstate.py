"""One port and its neighbour as ``ibportstate`` prints them: states, and speeds that are in use or could be.

**Who writes it:** ``ibportstate <lid> <port>`` of infiniband-diags (query only).

**Sample**::

    # Port info: Lid 1 port 36
    LinkState:.......................Active
    LinkSpeedExtActive:..............14.0625 Gbps
    Peer PortInfo:
    # Port info: Lid 1 DR path slid 6; dlid 65535; 0,36 port 40

**Tables:** ports (the port that was asked; its neighbour's number rides along), events (what the tool says of
speeds that are lower than they could be). The neighbour is named by its path alone: it stays as text in the
raw section ``ibportstate``.

**Odd input:** the port has a LID and no GUID: other files tell whose it is, else a GUID in the file name. The
extended speed counts where there is one, then FDR10 of the block ``MLNX ext Port info``. Prompts, arrows and
remarks behind values.

**Source:** atlas §8; infiniband-diags; two real files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import pyarrow as pa

from ibforensic.model import link_terms
from ibforensic.model.enums import Level
from ibforensic.parsers import diag_words
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.file_guid import guid_of_file
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.readings import hexadecimal
from ibforensic.parsers.rows import table_of

__all__ = ["SPEC", "parse"]

_HEADER = re.compile(
    r"[ \t]*# (MLNX ext )?Port info: (?:Lid (\d{1,6}) )?(DR path .{1,80}? )?port (\d{1,3})\b", re.ASCII
)
_NAME = re.compile(r"[ \t]*(\w{1,40})\Z", re.ASCII)
_REMARK = re.compile(r"[ \t]{2,}\S.*\Z|[ \t]*[=<#]{2,}.*\Z")
_TITLE = re.compile(r"[ \t]*(?:\w+ )?PortInfo:[ \t]*\Z")
_TOOL_SAYS = re.compile(r"[ \t]*(?:ibwarn|ibpanic|iberror|ibportstate): (?:\[\d+\] )?(?:\w+: )?(.*)")
_NO_LID = (0, 65535)
_FDR10 = 1

SPEC = Spec(
    name="ibportstate",
    title="one port by ibportstate",
    tool="ibportstate",
    order=50,
    claims=lambda _name, head: b"\0" not in head and b"# Port info: " in head and b"LinkState:." in head,
    tables=("ports", "events"),
    versions="infiniband-diags 1.6 to rdma-core",
)


@dataclass(slots=True)
class _Block:
    """One block of fields."""

    line: int
    lid: int | None
    num: int
    path: str | None
    fields: dict[str, str] = field(default_factory=dict)
    vendor: dict[str, str] = field(default_factory=dict)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of ibportstate output.

    Args:
        path: File; a GUID in its name is taken as the node's.
        data: Its bytes.

    Returns:
        The ports that were asked, what the tool said of them, and all blocks as text.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    blocks, said = _read(text.split("\n"), troubles)
    node_guid = guid_of_file(path)
    ports = [
        _port(block, node_guid, after if after is not None and after.path is not None else None)
        for block, after in zip_longest(blocks, blocks[1:])
        if block.path is None
    ]
    events = [
        {
            "scope": "node" if block is None else "port",
            "node_guid": node_guid,
            "port_num": None if block is None else block.num,
            "event": "IBPORTSTATE",
            "level": Level.WARNING.value,
            "text": words,
            "line": line,
            "x_lid": None if block is None else str(block.lid),
        }
        for line, words, block in said
    ]
    tables = {"ports": table_of("ports", ports, path, SPEC.name)} if ports else {}
    if events:
        tables["events"] = table_of("events", events, path, SPEC.name)
    raw = {"ibportstate": _raw(blocks, path)}
    return Parsed(tables, raw if blocks else {}, (*undecoded, *troubles.notes()))


def _read(lines: list[str], troubles: Gathering) -> tuple[list[_Block], list[tuple[int, str, _Block | None]]]:
    """Split text into blocks; and what the tool said, with the port it was asked for."""
    blocks: list[_Block] = []
    said: list[tuple[int, str, _Block | None]] = []
    fields: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line) if "ort info: " in line else None
        told, dots, value = line.partition(":.")
        name = _name(told) if dots and header is None and blocks else None
        if header:
            vendor = bool(header[1])
            lid = int(header[2]) if header[2] else None
            if not vendor:
                blocks.append(_Block(number, lid, int(header[4]), header[3]))
            if blocks:
                fields = blocks[-1].vendor if vendor else blocks[-1].fields
        elif name:
            fields.setdefault(name, _without_remark(value.lstrip(".")))
        elif says := _TOOL_SAYS.match(line):
            asked = next((block for block in reversed(blocks) if block.path is None), None)
            said.append((number, says[1].strip()[:300], asked))
        elif line.strip() and not _TITLE.match(line):
            troubles.add("skipped", number, f"not a line of ibportstate: {line[:80]}", level=Level.INFO)
    return blocks, said


def _port(block: _Block, node_guid: str | None, peer: _Block | None) -> dict[str, Any]:
    """Make the row of a port; the block of its neighbour follows its own."""
    fields = block.fields
    width, speed = _width(fields), _speed(block)
    return {
        "node_guid": node_guid,
        "port_num": block.num,
        "lid": None if block.lid in _NO_LID else block.lid,
        "state": diag_words.STATES.get(fields.get("LinkState", "")),
        "phys_state": diag_words.PHYS_STATES.get(fields.get("PhysLinkState", "")),
        "width_active": width,
        "width_enabled": _widths(fields.get("LinkWidthEnabled", "")),
        "width_supported": _widths(fields.get("LinkWidthSupported", "")),
        "speed_active": speed,
        "speed_enabled": _speeds(fields, "Enabled"),
        "speed_supported": _speeds(fields, "Supported"),
        "rate_gbps": link_terms.rate_gbps(width, speed),
        "x_peer_port": None if peer is None else str(peer.num),
        "line": block.line,
    }


def _width(fields: dict[str, str]) -> str | None:
    return diag_words.width(fields.get("LinkWidthActive", ""))


def _speed(block: _Block) -> str | None:
    """Return the speed in use: the extended one, else FDR10, else the plain one."""
    fields = block.fields
    for name in ("LinkSpeedExt2Active", "LinkSpeedExtActive"):
        extended = diag_words.speed(fields.get(name, ""))
        if extended is not None:
            return extended
    if hexadecimal(block.vendor.get("LinkSpeedActive", "")) == _FDR10:
        return "FDR10"
    return diag_words.speed(fields.get("LinkSpeedActive", ""))


def _speeds(fields: dict[str, str], kind: str) -> str | None:
    """Return the speeds of a kind from the plain and the extended list."""
    names = (f"LinkSpeed{kind}", f"LinkSpeedExt{kind}", f"LinkSpeedExt2{kind}")
    told = " or ".join(fields[name] for name in names if name in fields)
    return _speeds_in(told)


@lru_cache(maxsize=4096)
def _name(text: str) -> str | None:
    """Return the name of a field, which stands before its dots."""
    match = _NAME.match(text)
    return match[1] if match else None


@lru_cache(maxsize=4096)
def _without_remark(value: str) -> str:
    """Take off what somebody wrote behind a value."""
    return _REMARK.sub("", value).strip()


@lru_cache(maxsize=1024)
def _widths(text: str) -> str | None:
    """Return the widths that a list such as ``1X or 4X`` names, in the order of the project."""
    found = {diag_words.width(word) for word in text.split(" or ")}
    return ",".join(name for name in link_terms.WIDTH_LANES if name in found) or None


@lru_cache(maxsize=1024)
def _speeds_in(text: str) -> str | None:
    """Return the speeds that a list such as ``2.5 Gbps or 5.0 Gbps`` names, in the order of the project."""
    found = {diag_words.speed(word) for word in text.split(" or ")}
    return ",".join(name for name in link_terms.LANE_GBPS if name in found) or None


def _raw(blocks: list[_Block], path: str) -> pa.Table:
    """Keep every field as text."""
    titles: list[str] = []
    names: list[str] = []
    values: list[str] = []
    lines: list[str] = []
    for block in blocks:
        names += block.fields
        names += [f"MLNX ext {name}" for name in block.vendor]
        values += block.fields.values()
        values += block.vendor.values()
        titles += [f"Lid {block.lid} {block.path or ''}port {block.num}"] * (len(names) - len(titles))
        lines += [str(block.line)] * (len(names) - len(lines))
    columns = {"block": titles, "field": names, "value": values, "source": [path] * len(names), "line": lines}
    return pa.table({name: pa.array(told, pa.string()) for name, told in columns.items()})
