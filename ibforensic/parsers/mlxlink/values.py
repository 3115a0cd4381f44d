"""Words of mlxlink made into the words of the project, and its lists by lane into numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.enums import PhysState, PortState
from ibforensic.parsers.mlxlink.reports import Cell
from ibforensic.parsers.readings import ber, decimal, is_missing

__all__ = [
    "LINK_STATES",
    "PHYS_STATES",
    "as_json",
    "fec_of",
    "lane_values",
    "numbers",
    "ranged",
    "speeds",
    "text",
]

LINK_STATES = {
    "Active": PortState.ACTIVE,
    "Polling": PortState.DOWN,
    "Disable": PortState.DOWN,
    "Disabled": PortState.DOWN,
    "Port PLL Down": PortState.DOWN,
    "Close port": PortState.DOWN,
    "Sleep": PortState.DOWN,
    "Rx disable": PortState.DOWN,
}
"""State of the port's manager → state; "Physical LinkUp" may be Init or Armed and is not known."""
PHYS_STATES = {
    "LinkUp": PhysState.LINK_UP,
    "Polling": PhysState.POLLING,
    "Disabled": PhysState.DISABLED,
    "Disable": PhysState.DISABLED,
    "Sleep": PhysState.SLEEP,
    "Config Training": PhysState.TRAINING,
    "Configuration Training": PhysState.TRAINING,
    "Recovery": PhysState.RECOVERY,
    "Link Recovery": PhysState.RECOVERY,
}
_FEC = (
    (re.compile(r"no fec\Z", re.IGNORECASE), "NO-FEC"),
    (re.compile(r"firecode", re.IGNORECASE), "FIRECODE"),
    (re.compile(r"(?:.*LL.*\b)?.*\(271,257\).*PLR"), "MLNX_RS_271_257_PLR"),
    (re.compile(r".*\(544,514\).*PLR"), "MLNX_RS_544_514_PLR"),
    (re.compile(r".*\(544,514\)"), "RS_FEC_544_514"),
    (re.compile(r".*\(271,257\)"), "STD-LL-RS"),
    (re.compile(r".*\(528,514\)"), "STD-RS"),
)
"""What mlxlink calls the FEC → its name on the scale of ibdiagnet."""
_RANGED = re.compile(r"(.*?)\s*(?:\[\s*(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)\s*\])?\s*\Z", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,9})?\Z", re.ASCII)
_BIN = re.compile(r"\[?(\d{1,3})(?:[:-]\d{1,3})?\]?[\s,]+(\d{1,20})\s*\Z", re.ASCII)
_SPEEDS = re.compile(r"0x[0-9a-fA-F]+\s*\(([^)]*)\)")
_EYES = {
    "Physical Grade": "eye_grade",
    "Height Eye Opening [mV]": "eye_height_mv",
    "Phase Eye Opening [psec]": "eye_phase_ps",
    "Initial FOM": "fom_initial",
    "Last FOM": "fom_last",
    "Upper Grades": "eye_grade_upper",
    "Mid Grades": "eye_grade_mid",
    "Lower Grades": "eye_grade_lower",
}
_CODED = re.compile(r"(\d{1,5})(?:[ \t]*[(:-][ \t]*(.*?)\)?)?\Z", re.ASCII)
_LANES = re.compile(r"raw physical errors per lane|raw errors per lane", re.IGNORECASE)

Cells = Mapping[str, Cell]


def text(cells: Cells, name: str) -> str | None:
    """Value of a field, None for one that is not there or says so."""
    cell = cells.get(name)
    if cell is None or is_missing(cell[0]) or cell[0].startswith("<"):
        return None
    return cell[0]


def fec_of(words: str | None) -> tuple[str | None, str | None]:
    """Return the name of a FEC, and the retransmission that goes with it; unknown words as they are."""
    if words is None:
        return None, None
    known = next((name for pattern, name in _FEC if pattern.match(words)), None)
    return known or words, "PLR" if "PLR" in words else None


def coded(words: str | None) -> tuple[int | None, str | None]:
    """Read a code that may stand with its meaning: ``2``, ``2 (High BER)``, ``High_BER``.

    Returns:
        The number and the words, each None where it is not printed.
    """
    match = _CODED.match(words or "")
    if match is None:
        return None, words
    return int(match[1]), match[2]


def speeds(words: str | None) -> str | None:
    """Return the speeds in ``0x00000061 (HDR,EDR,SDR)``, slowest first; None for speeds of Ethernet."""
    match = _SPEEDS.match(words or "")
    names = {name.strip().upper() for name in match[1].split(",")} if match else set()
    return ",".join(name for name in link_terms.LANE_GBPS if name in names) or None


def numbers(words: str) -> list[float | None]:
    """Read numbers between commas; None for a lane that has none."""
    return [float(one) if _NUMBER.match(one) else None for one in map(str.strip, words.split(","))]


def ranged(words: str | None) -> tuple[list[float | None], tuple[float, float] | None]:
    """Read ``7.2,7.3 [5.4..8.5]``: the values, and the lowest and the highest that is right."""
    match = _RANGED.match(words or "")
    if match is None or not match[1]:
        return [], None
    limits = (float(match[2]), float(match[3])) if _is_number(match[2]) and _is_number(match[3]) else None
    return numbers(match[1]), limits


def _is_number(words: str | None) -> bool:
    return words is not None and _NUMBER.match(words) is not None


def lane_values(counters: Cells, eyes: Cells) -> str | None:
    """Return all that is told by lane as JSON; None where nothing is.

    Args:
        counters: Section of counters and ratios.
        eyes: Section of the eyes.
    """
    found: dict[str, list[Any]] = {}
    for name, (words, _) in counters.items():
        if _LANES.match(name):
            _keep(found, "raw_errors", words, lambda one: decimal(one, 20))
        elif name == "Raw Physical BER Per Lane":
            _keep(found, "raw_ber_log10", words, lambda one: ber(one).log10)
    for name, (words, _) in eyes.items():
        measure = _EYES.get(" ".join(name.split()))
        if measure:
            _keep(found, measure, words, lambda one: float(one) if _NUMBER.match(one) else None)
    return json.dumps(dict(sorted(found.items()))) if found else None


def _keep(found: dict[str, list[Any]], measure: str, words: str, read: Callable[[str], Any]) -> None:
    """Keep a list that holds anything."""
    values = [read(one.strip()) for one in words.split(",")]
    if any(value is not None for value in values):
        found[measure] = values


def as_json(bins: Cells) -> str | None:
    """Return a histogram as a JSON list by number of corrected symbols; None where a bin is missing."""
    counts: dict[int, int] = {}
    for words, _ in bins.values():
        match = _BIN.match(words)
        if match:
            counts[int(match[1])] = int(match[2])
    if not counts or sorted(counts) != list(range(len(counts))):
        return None
    return json.dumps([counts[at] for at in range(len(counts))])
