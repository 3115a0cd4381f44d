"""An HCA whose PCIe link runs narrower or slower than it can, or than it did.

What it looks for: PCIe width or speed below the baseline's at the same HCA, or below what the slot and the
card can do while the others of the fabric are not; and the tool's own warnings about it that are new. An HCA
of which no GUID is told is the one in that slot of that host; that it runs below what it can is then no
more than a weak sign, for it may always have.
Why it matters: a host that cannot move data holds back the fabric that feeds it, and no cable is at fault.
What else looks like this: all hosts of one model with a narrow slot: then it is how they were built.
What to do next: reseat the card, look at the slot and the BIOS.
Source: KNOWLEDGE §1.9, §5.2; FIELD §2 (PCI degradation).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ibforensic.diff.view import View
from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.first_rows import place
from ibforensic.model.enums import Strength
from ibforensic.model.pci_label import host_and_address, stand_in
from ibforensic.model.records import Evidence, say

RULE = Rule("host_pcie", "PCIe of a host narrower or slower", 67)

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_RARE = 0.1
"""Share of the HCAs up to which a narrow slot is no way of building hosts."""
Row = Mapping[str, Any]


def find(scene: Scene) -> Iterator[Evidence]:
    """Find HCAs with less PCIe than before, or than they can have."""
    then, now = (_rows(view) for view in scene.views)
    below = {guid for guid, row in now.items() if _bandwidth(row, "") < _bandwidth(row, "_max")}
    rare = len(below) <= max(2.0, _RARE * len(now))
    slots = {_slot(row): row for row in then.values()}
    for guid, row in sorted(now.items()):
        before = then.get(guid) or slots.get(_slot(row) or guid)
        fell = before is not None and 0 < _bandwidth(row, "") < _bandwidth(before, "")
        always = before is not None and _bandwidth(row, "") == _bandwidth(before, "")
        if fell or (guid in below and rare and not always):
            found = _about(scene, guid, row, before if fell else None)
            sure = fell or scene.alone or host_and_address(guid) is None
            yield found if sure else replace(found, group="watch", weight=0.0, strength=Strength.WEAK)
    yield from _told(scene, set(now) & below)


def _slot(row: Row) -> str | None:
    """Host and address of an HCA: a side that tells no GUID tells them."""
    return stand_in(row["host"], row["pci_address"]) if row["host"] and row["pci_address"] else None


def _rows(view: View) -> dict[str, Row]:
    """Node GUID → what its host says of its PCIe, where it says anything."""
    found: dict[str, Row] = {}
    for row in view.table("hosts").to_pylist():
        if row["node_guid"] and row["pcie_width"] and row["pcie_speed"]:
            found.setdefault(str(row["node_guid"]), row)
    return found


def _bandwidth(row: Row, which: str) -> float:
    """Width times speed, 0 where it is not known."""
    width, speed = row[f"pcie_width{which}"], _NUMBER.search(str(row[f"pcie_speed{which}"] or ""))
    return float(width or 0) * (float(speed.group()) if speed else 0.0)


def _about(scene: Scene, guid: str, row: Row, before: Row | None) -> Evidence:
    full = _bandwidth(before, "") if before else _bandwidth(row, "_max")
    message = say(
        "host_pcie.fell" if before else "host_pcie.below",
        "the PCIe link of {node} runs at x{width} {speed}, {other} x{width_other} {speed_other}",
        node=scene.facts.who.name(guid),
        width=row["pcie_width"],
        speed=row["pcie_speed"],
        other="before at" if before else "it can do",
        width_other=before["pcie_width"] if before else row["pcie_width_max"],
        speed_other=before["pcie_speed"] if before else row["pcie_speed_max"],
        share=round(_bandwidth(row, "") / full, 4),
    )
    support = scene.policy.pcie
    return Evidence(
        RULE.id,
        message,
        node_guid=guid,
        group="node",
        weight=support,
        strength=strength(support),
        before=f"x{before['pcie_width']} {before['pcie_speed']}" if before else None,
        after=f"x{row['pcie_width']} {row['pcie_speed']}",
        source=place(row["source"], row["line"]),
    )


def _told(scene: Scene, known: set[str]) -> Iterator[Evidence]:
    """Nodes about whose PCIe the tool warns now and did not before."""
    then, now = (_warned(view) for view in scene.views)
    if scene.alone and len(now) > max(2.0, _RARE * len(scene.facts.who.nodes)):
        return  # So many hosts are built so.
    for guid, row in sorted(now.items()):
        if guid in then or guid in known or guid not in scene.facts.who.nodes:
            continue
        message = say(
            "host_pcie.told",
            "the tool warns about the PCIe link of {node}"
            + (": {text}" if scene.alone else ", and did not before: {text}"),
            node=scene.facts.who.name(guid),
            text=str(row["text"] or "")[:120],
        )
        support = scene.policy.pcie_told
        yield Evidence(
            RULE.id,
            message,
            node_guid=guid,
            group="node",
            weight=support,
            strength=strength(support),
            source=place(row["source"], row["line"]),
        )


def _warned(view: View) -> dict[str, Row]:
    """Node GUID → the first warning about its PCIe."""
    found: dict[str, Row] = {}
    for row in view.table("events").to_pylist():
        about = f"{row['event'] or ''} {row['stage'] or ''}".upper()
        if row["node_guid"] and "PCI" in about and "DEGRAD" in about:
            found.setdefault(str(row["node_guid"]), row)
    return found
