"""ibdiagnet2.sharp: the SHARP trees and the aggregation nodes in them.

Written by: ibdiagnet 2.x with ``--sharp``; described for 2.13, no real file was seen.

Sample::

    TreeID:0, Max Radix:2
    (0), AN:Mellanox Technologies Aggregation Node, lid:32, port guid:0x0200000000000108, Child index:0, …

Tables: sharp (one row for each aggregation node of each tree), runs. Rank, child index and queue pairs
ride along as ``x_<name>``. Which node is above which is told by the queue pairs alone: ``parent_guid``
stays empty.

Odd input: files passed on without the head of ibdiagnet; nodes before the first tree (left out); lines
whose fields stand in another order (fields are found by their names).

Source: atlas §6; ibdiagnet manual 2.13.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.model.ids import guid
from ibforensic.parsers.advice import LOOK
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.readings import number
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.sharp_text import open_sharp
from ibforensic.parsers.siblings import Sibling, claims

__all__ = ["SPEC", "parse"]

_TREE = re.compile(r"TreeID[ \t]*:[ \t]*(\d{1,9})\b(?:.*?Max Radix[ \t]*:[ \t]*(\d{1,9}))?", re.ASCII)
_NODE = re.compile(r"[ \t]*\((\d{1,4})\)[ \t]*,[ \t]*AN[ \t]*:[ \t]*(.*)", re.ASCII)
_FIELD = re.compile(
    r",[ \t]*(lid|port guid|Child index|parent QPn|remote parent QPn|radix)[ \t]*:[ \t]*([^,]*)"
)
_EXTRAS = {"Child index": "child_index", "parent QPn": "parent_qpn", "remote parent QPn": "remote_parent_qpn"}

SPEC = Spec(
    name="sharp_tree",
    title="ibdiagnet SHARP trees (ibdiagnet2.sharp)",
    tool="ibdiagnet",
    order=26,
    claims=claims((".sharp",), rb"^TreeID[ \t]*:[ \t]*\d+[ \t]*,[ \t]*Max Radix"),
    tables=("sharp", "runs"),
    versions="described for 2.13",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .sharp.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row for each aggregation node of each tree, and the run.
    """
    sibling = open_sharp(path, data, SPEC.name)
    return sibling.parsed({"sharp": table_of("sharp", _scan(sibling), path, SPEC.name)})


def _scan(sibling: Sibling) -> list[dict[str, Any]]:
    """Read all lines."""
    rows: list[dict[str, Any]] = []
    tree: re.Match[str] | None = None
    for line, text in enumerate(sibling.lines, 1):
        begins = _TREE.match(text)
        tree = begins or tree
        node = _NODE.match(text)
        if node is None:
            continue
        fields = dict(_FIELD.findall(node[2]))
        node_guid = guid(fields.get("port guid", ""))
        if tree is None or node_guid is None:
            sibling.troubles.add(
                "bad_line",
                line,
                "the line is no aggregation node of a known tree; it is left out",
                LOOK,
            )
            continue
        rows.append(
            {
                "tree_id": int(tree[1]),
                "node_guid": node_guid,
                "lid": number(fields.get("lid", "").strip()),
                "radix": number(fields.get("radix", "").strip()),
                "line": line,
                "x_rank": node[1],
                "x_max_radix": tree[2],
                "x_node_desc": node[2].partition(", lid")[0].strip(),
                **{f"x_{name}": fields.get(spelling) for spelling, name in _EXTRAS.items()},
            }
        )
    return rows
