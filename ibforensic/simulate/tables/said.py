"""What the tool says itself, and small settings: events, SWITCHES, SM_INFO, NODES_INFO.

A settings document holds the cells of a row as they are printed; those are the one thing that is taken from
the writers' rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.simulate import write_sections as s
from ibforensic.simulate.port_titles import port_name
from ibforensic.simulate.tables.view import Made, View, made
from ibforensic.simulate.write_log import DISCOVERY, PHY_STAGE, SHOWN, silent
from ibforensic.simulate.write_pci import TITLE, degradations, shown_port
from ibforensic.simulate.write_phy import over_limit

_EVENT = ("scope", "node_guid", "port_num", "event", "text")
_IDENTITY = frozenset({"NodeGUID", "PortGUID", "PortNumber"})
_CAPABILITY = "VS Capability GMP"
_SM_STATE = {"3": "master"}
_SETTINGS_OF_NODES = (
    *("HWInfo_Device", "HWInfo_technology", "FWInfo_INI", "FWInfo_PSID", "SWInfo_", "CapabilityMask"),
)
"""Beginnings of the fields of NODES_INFO that are settings; the others are versions and clocks."""


def events(view: View) -> Iterator[Made]:
    """Yield the complaints of the db_csv, section by section."""
    text = "No response for MAD VSGeneralInfo- status = 4"
    mute = [("node", node.guid, None, "NODE_NO_RESPONSE", text) for node in silent(view.sample)]
    yield from _complaints(Level.WARNING, "VS_CAPABILITY_GMP", mute)
    if view.phy:
        slow = [
            ("node", node.guid, None, "PCI_LINK_DEGRADATION", text)
            for node, text in degradations(view.sample)
        ]
        yield from _complaints(Level.WARNING, "PCI_DEGRADATION_CHECK", slow)
        over = [
            ("port", *port, "BER_EXCEEDS_THRESHOLD", summary.strip())
            for port, summary in over_limit(view.sample)
        ]
        yield from _complaints(Level.ERROR, "SYMBOL_BER_CHECK", over)


def _complaints(level: Level, check: str, rows: list[tuple[Any, ...]]) -> Iterator[Made]:
    """Yield the complaints of a check; none where its section is left out because it has no rows."""
    if rows:
        section = f"db_csv:{level.upper()}S_{check}"
        yield made("events", section, _EVENT, rows, level=str(level), stage=check)


def logged_events(view: View) -> Iterator[Made]:
    """Yield the complaints of the log: the first few of each check."""
    sample = view.sample
    mute = [
        (
            *("node", node.guid, None, _CAPABILITY),
            f"S{node.system_guid[2:]}/N{node.guid[2:]} - No response for MAD VSGeneralInfo, status = 4",
        )
        for node in silent(sample)
    ]
    yield _logged(DISCOVERY, _CAPABILITY, mute)
    if view.phy:
        slow = [
            ("port", *port, TITLE, f"{port_name(sample, port)} - {text}")
            for port, text in ((shown_port(sample, node), text) for node, text in degradations(sample))
        ]
        yield _logged(PHY_STAGE, TITLE, slow)


def _logged(stage: str, check: str, rows: list[tuple[Any, ...]]) -> Made:
    """Make the complaints of a check: that there are some, and the first few of them."""
    first = [("cluster", None, None, check, f"{check} finished with warnings"), *rows[:SHOWN]] if rows else []
    return made("events", "ibdiagnet_log", _EVENT, first, level=str(Level.WARNING), stage=stage)


def settings(view: View) -> Iterator[Made]:
    """Yield the settings documents, in the order of the sections."""
    sample = view.sample
    volatile = ("LinearFDBTop", "MCastFDBTop", "PortStateChange")
    yield _documents(
        "SWITCHES", "switch_info", s.SWITCHES, s.switches(sample), lambda name: name not in volatile
    )
    yield _documents(
        "SM_INFO", "sm_info", s.SM_INFO, s.sm_info(sample), lambda name: name not in ("Sm_Key", "ActCount")
    )
    yield _documents(
        "NODES_INFO",
        "node_info",
        s.NODES_INFO,
        s.nodes_info(sample),
        lambda name: name.startswith(_SETTINGS_OF_NODES),
    )


def _documents(section: str, topic: str, header: str, rows: list[str], stable: Callable[[str], bool]) -> Made:
    """Make a document of each row.

    Args:
        section: Section of the db_csv.
        topic: Name of the documents.
        header: Names of its cells.
        rows: Its rows, one a node.
        stable: Whether a field is a setting; the others are kept beside the document.
    """
    names = header.split(",")
    compared = [(at, n) for at, n in enumerate(names) if n not in _IDENTITY and stable(n)]
    others = [(at, n) for at, n in enumerate(names) if n not in _IDENTITY and not stable(n)]
    made_rows = []
    for row in rows:
        cells = row.split(",")
        document = _text({name: _word(name, cells[at]) for at, name in compared})
        mark = hashlib.sha256(document.encode()).hexdigest()
        rest = _text({name: cells[at] for at, name in others})
        made_rows.append((cells[0], cells[0], document, mark, rest))
    columns = ("entity", "node_guid", "document", "fingerprint", "rest")
    return made("settings", f"db_csv:{section}", columns, made_rows, topic=topic, fields=len(compared))


def _word(name: str, cell: str) -> str:
    """Return a cell, or the word for the code in it."""
    return _SM_STATE.get(cell, cell) if name == "SmState" else cell


def _text(document: dict[str, str]) -> str:
    """Write a document as JSON with sorted keys."""
    return json.dumps(document, sort_keys=True, ensure_ascii=False)
