"""Where texts stand that no call shows: tables of words, and functions that make phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibforensic.evidence.base import lower
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.down_reasons import REASONS
from ibforensic.model.enums import PhysState, PortState, Role
from ibforensic.model.note_codes import FINDINGS, KINDS
from ibforensic.model.words import NOUNS

FREE: dict[str, tuple[int | str, ...]] = {
    "NotJudged": (0, 2, "what", "help"),
    "_found": (0, 2),
    "Fitness": (2, 3, "message", "help"),
    "finding": (2, 3),
    "Evidence": ("unit",),
    "_Measure": (0,),
    "counted": (3, 4, 5),
    "_row": (0,),
    "Inventory": (1, 2, 5, 6, "title", "columns", "unit", "note"),
}
"""Call → arguments that are texts for people."""
RETURNED: dict[str, tuple[str, ...]] = {
    "diff/coverage.py": ("_compared", "_compared_phy"),
    "evidence/base.py": ("least", "grew"),
    "evidence/heat.py": ("_fans",),
    "evidence/link_down.py": ("_explained", "_commanded", "_unexplained"),
    "inventory/base.py": ("alike",),
    "inventory/temperatures.py": ("_devices", "_modules"),
    "verdict/parties.py": ("_device", "_twin", "_trouble", "_counted", "names"),
}
"""File → functions that return phrases."""
SAME = frozenset(
    (
        "Gb/s",
        "dBm",
        "s",
        "µs",
        "FEC",
        "MTU",
        "PSID",
        "HCA",
        "GPU",
        "LID",
        "°C",
        "{name} cage {number}",
        "{name} port {port}",
        "port {port_num}",
        "the {side}",
    )
)
"""Texts that are the same in every language; a port is called ``leaf-03 port 12`` everywhere."""
CELLS = ("{number:,} or more", "{up} of {planes} planes up", "device {number}")
"""Shapes of cells of an inventory that are neither names nor numbers."""
_IN_CELLS = ("HCA → switch", "aggregation node", "device", "error", "info", "module", "switch → HCA")
_IN_CELLS = (*_IN_CELLS, "switch → switch", "warning")
_SIDES = ("baseline", "current sample")
_ENDS = ("HCA ports", "switch ports")
_PARTS = ("modules {part}", "HCAs {part}")
_MADE = ("", " made {date}")


def tables() -> Iterator[tuple[str, str]]:
    """Yield file and text of the tables of words."""
    for counter in CATALOGUE.values():
        yield "ibforensic/model/counters", _numbered(lower(counter.says))
        yield "ibforensic/model/counters", counter.unit
    for reason in REASONS.values():
        yield "ibforensic/model/down_reasons.py", reason.words
    for words in (PhysState, PortState, Role):
        yield from (("ibforensic/model/enums.py", str(word).replace("_", " ")) for word in words)
    for text in (*KINDS.values(), *FINDINGS.values()):
        yield "ibforensic/model/note_codes.py", text
    for noun in (word for both in NOUNS.values() for word in both):
        yield "ibforensic/model/words.py", f"{{number:,}} {noun}"
    yield from (("ibforensic/inventory", text) for text in _IN_CELLS)
    yield from (("ibforensic/diff", text) for text in _sides())
    yield from (("ibforensic/verdict", text) for text in (*_classes(), *_parts()))


def _numbered(text: str) -> str:
    """Let a number of many that differ in nothing else be a field: lanes, priorities, groups."""
    return re.sub(r"\b(lane|priority|sub-group) \d+", r"\1 {number}", text)


def _sides() -> Iterator[str]:
    first, second = _SIDES
    for side in (*_SIDES, "sample"):
        yield from (side, f"the {side}")
    yield "copy the output of the {side} again, as a whole"
    yield "copy the output of the {side} and of the {other_side} again, as a whole"
    yield from (f"{first} and the {second}", f"the {first} and the {second}")


def _classes() -> Iterator[str]:
    """Classes of ports that a value is compared within."""
    yield "ports"
    for end in _ENDS:
        yield end
        yield from (f"{{speed}} {medium}{end}" for medium in ("", "copper ", "optical "))
        yield from (f"{medium}{end}" for medium in ("copper ", "optical "))


def _parts() -> Iterator[str]:
    """Kinds of parts of which a batch may be bad."""
    for part in _PARTS:
        yield from (f"{part}{firmware}{made}" for firmware in ("", " firmware {version}") for made in _MADE)
