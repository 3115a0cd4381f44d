"""Nodes as ``ibswitches``, ``ibhosts`` and ``ibrouters`` list them, one line a node.

**Who writes it:** infiniband-diags of all times (the tools are ``ibnetdiscover -S``, ``-H`` and ``-R``).

**Sample**::

    Switch  : 0x0200000000000100 ports 65 "MF0;leaf-1:MQM9700/U1" enhanced port 0 lid 1 lmc 0
    Ca      : 0x020000000000a000 ports 1 "host-a mlx5_0"

**Tables:** nodes.

**Odd input:** several lists and the prompts between them in one file; GUIDs masked by hand
(``0xXXXXXXXXXXXXXXXa``), which are kept as text; the last line without its end. Where the links of
iblinkinfo or the errors of ibqueryerrors stand in the same file, their parser reads these lines too.

**Source:** atlas §8; real files.
"""

from __future__ import annotations

import re

from ibforensic.model.enums import Level
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.node_lines import NodeLine, node_table, read_node_line

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(rb'(?:Switch|Ca|Rt|Router)[ \t]*:[ \t]*0[xX]\w{1,16}[ \t]+ports[ \t]+\d{1,4}[ \t]+"')
_OTHERS = re.compile(
    rb"==\([^\r\n]{0,80}\)[^\r\n]{0,60}==>|^(?:Errors|Data Counters) for |^## Summary", re.MULTILINE
)
_BEGINS = ("Switch", "Ca", "Rt", "Router")


def _claims(_name: str, head: bytes) -> bool:
    text = head.replace(b"\r", b"\n")
    return b"\0" not in head and _CLAIM.found_in(text) and _OTHERS.search(text) is None


SPEC = Spec(
    name="node_list",
    title="nodes by ibswitches, ibhosts, ibrouters",
    tool="ibswitches",
    order=46,
    claims=_claims,
    tables=("nodes",),
    versions="infiniband-diags, all",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one list of nodes.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        The nodes.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    nodes: dict[str, NodeLine] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            continue
        node = read_node_line(line, number)
        if node is not None:
            nodes.setdefault(node.node_guid, node)
        elif number == len(lines) and line.startswith(_BEGINS):
            troubles.add("file_cut", number, "the text ends within a line", COPY_AGAIN)
        else:
            troubles.add("skipped", number, f"not a line about a node: {line[:80]}", level=Level.INFO)
    tables = {"nodes": node_table(list(nodes.values()), path, SPEC.name)} if nodes else {}
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole="file_cut" not in troubles)
