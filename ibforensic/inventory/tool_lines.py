"""What the tool itself complained about, in its own words: blocks of its checks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from ibforensic.evidence import Scene
from ibforensic.model.enums import Level
from ibforensic.model.ids import PortKey
from ibforensic.model.inventory import Grade, Inventory, Row

ORDER = 200

_BLOCKS = (
    ("rails", "Rail-optimised topology, as the tool validated it", r"\brails?\b", "--rail_validation"),
    ("pci", "PCIe degradation, as the tool reports it", r"\bPCI", ""),
    ("speed_checks", "Link speed and width, as the tool checked them", r"\b(?:speed|width)\b", ""),
)
"""Id, title, what the name of the check holds, option that asks for it."""
_OTHERS = ("tool_complaints", "Other complaints of the tool")
_SAID = ("Where", "Level", "Said by the tool")


def build(scene: Scene) -> Iterator[Inventory]:
    """Make a section of each block, and one that counts everything else."""
    events = scene.facts.pair.current.table("events").to_pylist()
    ran = bool(scene.facts.pair.current.table("runs").num_rows)
    blocks: dict[str, list[dict[str, Any]]] = {id_: [] for id_, *_ in (*_BLOCKS, _OTHERS)}
    for row in events:
        blocks[_block_of(f"{row['event'] or ''} {row['stage'] or ''}")].append(row)
    for id_, title, _, option in _BLOCKS:
        yield _block(scene, id_, title, blocks[id_], ran, option)
    yield _rest(blocks[_OTHERS[0]], ran)


@cache
def _block_of(check: str) -> str:
    """Id of the block that a check belongs to."""
    said = check.replace("_", " ")
    return next(
        (id_ for id_, _, pattern, _ in _BLOCKS if re.search(pattern, said, re.IGNORECASE)), _OTHERS[0]
    )


def _block(
    scene: Scene, id_: str, title: str, lines: list[dict[str, Any]], ran: bool, option: str
) -> Inventory:
    if not lines and not ran:
        return Inventory(id_, title, unit=("line", "lines"), note="not collected: keep ibdiagnet2.log")
    note = f"The tool checks this with {option} only." if option and not lines else ""
    order = sorted(lines, key=lambda row: row["level"] != Level.ERROR)
    rows: list[Row] = [(_where(scene, row), row["level"], row["text"]) for row in order]
    grade = Grade.NOTICE if rows else Grade.INFO
    return Inventory(id_, title, _SAID, tuple(rows), len(rows), ("line", "lines"), note, grade)


def _where(scene: Scene, row: dict[str, Any]) -> str | None:
    guid, number = row["node_guid"], row["port_num"]
    if guid is None:
        return None
    who = scene.facts.who
    return who.name(guid) if number is None else who.call(PortKey(guid, number))


def _rest(lines: list[dict[str, Any]], ran: bool) -> Inventory:
    """Count the other complaints by check: claims of the tool, not findings."""
    id_, title = _OTHERS
    unit = ("line", "lines")
    if not lines and not ran:
        return Inventory(id_, title, unit=unit, note="not collected: keep ibdiagnet2.log")
    counts = Counter((str(row["event"] or row["stage"] or ""), str(row["level"] or "")) for row in lines)
    examples: dict[tuple[str, str], str | None] = {}
    for row in lines:
        examples.setdefault((str(row["event"] or row["stage"] or ""), str(row["level"] or "")), row["text"])
    order = sorted(counts, key=lambda kind: (kind[1] != Level.ERROR, -counts[kind], kind))
    rows = tuple((check, level, counts[check, level], examples[check, level]) for check, level in order)
    return Inventory(
        id_,
        title,
        ("Check", "Level", "Lines", "For example"),
        rows,
        len(lines),
        unit,
        "Claims of the tool, not findings; the log and the db_csv may tell one thing twice." if lines else "",
    )
