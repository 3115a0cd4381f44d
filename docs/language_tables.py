"""Where texts stand that no call shows: tables of words, and functions that make phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibforensic.evidence import rules
from ibforensic.evidence.base import lower
from ibforensic.ladder.wording import METRICS
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.down_reasons import REASONS
from ibforensic.model.enums import Component, Level, Outcome, PhysState, PortState, Role, Severity, Strength
from ibforensic.model.note_codes import FINDINGS, KINDS
from ibforensic.model.words import NOUNS
from ibforensic.report import answer, island, ladder, markdown, ports, rates, spared, stock, ticket, words
from ibforensic.report.charts import around
from ibforensic.report.sections import changes, how_to_read, provenance, sections
from ibforensic.verdict import common, sources

FREE: dict[str, tuple[int | str, ...]] = {
    "NotJudged": (0, 2, "what", "help"),
    "Kind": (0, 3),
    "_found": (0, 2),
    "Fitness": (2, 3, "message", "help"),
    "finding": (2, 3),
    "Evidence": ("unit", "before", "after"),
    "_Measure": (0,),
    "counted": (3, 4, 5),
    "_row": (0,),
    "Inventory": (1, 2, 5, 6, "title", "columns", "unit", "note"),
}
"""Call → arguments that are texts for people."""
RETURNED: dict[str, tuple[str, ...]] = {
    "diff/coverage.py": ("_compared", "_compared_phy"),
    "diff/no_time.py": ("pair_time_help",),
    "evidence/base.py": ("least", "grew"),
    "evidence/heat.py": ("_fans",),
    "evidence/link_age.py": ("words",),
    "evidence/link_down.py": ("_explained", "_commanded", "_unexplained"),
    "inventory/base.py": ("alike",),
    "inventory/temperatures.py": ("_devices", "_modules"),
    "snapshot/how_to_collect.py": ("counters_help", "time_help", "uptime_help"),
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
        "up",
        "x{before} {before2}",
        "x{row} {row2}",
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
        yield "ibforensic/model/counters", counter.cleared_with.replace("_", " ")
    for reason in REASONS.values():
        yield "ibforensic/model/down_reasons.py", reason.words
    for states in (PhysState, PortState, Role):
        yield from (("ibforensic/model/enums.py", str(word).replace("_", " ")) for word in states)
    for text in (*KINDS.values(), *FINDINGS.values()):
        yield "ibforensic/model/note_codes.py", text
    for noun in (word for both in NOUNS.values() for word in both):
        yield "ibforensic/model/words.py", f"{{number:,}} {noun}"
    yield from (("ibforensic/inventory", text) for text in _IN_CELLS)
    yield from (("ibforensic/diff", text) for text in _sides())
    yield from (("ibforensic/verdict", text) for text in (*_classes(), *_parts()))
    yield from (("ibforensic/ladder", text) for text in _measured())


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


def _measured() -> Iterator[str]:
    """What a benchmark measured, and lists of names that were cut."""
    names = [metric.replace("_", " ") for metric in METRICS]
    yield from (f"{name} of {{size}}" for name in names)
    # Without a size it is the elapsed time: the word alone counts how often something was.
    yield from (name for name in names if name != "time")
    yield "{names} and {number} more"


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


EARLIER = (
    ("link_down", "the link {port} – {peer} went down {count:,} {times} (counted at {both}): {reason}"),
    ("phrase", "time"),
    ("phrase", "times"),
)
"""Context and text of what earlier versions said: their documents are rendered still."""
NOUN_OF = {"count": 1, "more": 1, "_entries": 4, "_within": 3}
"""Function of a renderer → which argument is the noun of what is counted, one of them."""


def report_tables() -> Iterator[tuple[str, str]]:
    """Yield file and text of the tables of the renderers: they ask for a text when they use it."""
    yield from (("ibforensic/report/words.py", text) for text in _report_words())
    yield from (("ibforensic/report", text) for text in _report_texts())
    for section in sections():
        yield "ibforensic/report/sections", section.title
    for pairs in (how_to_read.TERMS, how_to_read.SIGNS, how_to_read.KEYS):
        yield from (("ibforensic/report/sections/how_to_read.py", text) for pair in pairs for text in pair)
    yield from (("ibforensic/report/sections/changes.py", name) for name, _ in changes.FAMILIES)
    yield "ibforensic/report/sections/changes.py", changes.OTHER
    for words_of in (Severity, Strength, Level, Outcome, Component, Role):
        yield from (("ibforensic/model/enums.py", str(word).replace("_", " ")) for word in words_of)
    for kind in (*(module.rule.id for module in rules()), common.RULE, sources.RULE, "shared_part"):
        yield "ibforensic/evidence", kind.replace("_", " ")
    for name in NOUNS:
        yield "ibforensic/model/words.py", name.replace("_", " ")


def _report_words() -> Iterator[str]:
    """Yield the words of all renderers."""
    yield from (word for _, word in words._BANDS)
    yield from words._COMPONENTS.values()
    yield from words.CLASSES.values()
    yield from words.VICTIMS.values()
    yield from (words.NO_BASELINE, words.UNKNOWN_TIME, "baseline", "current")
    yield from (unit for _, unit in words._UNITS_OF_TIME)


def _report_texts() -> Iterator[str]:
    """Yield the texts of single renderers."""
    yield from (*answer._LEADS.values(), answer.SAME_FABRIC)
    yield from (*ports._LEADS.values(), "The cabling of ", "Link ", "The link ", "The link at ")
    yield from ports.ROLES.values()
    yield from (span for span, _ in rates._SPANS)
    yield from (text for text, _ in island._STEPS)
    yield from (*markdown.COLUMNS, *ticket.COLUMNS)
    yield from ladder.STATES.values()
    yield from spared.SUFFERED.values()
    yield from provenance._CAPTIONS.values()
    yield from (noun for pair in around._MANY.values() for noun in pair if noun)
    yield from (noun for pair in stock._COUNTS.values() for noun in pair)
    yield from ("aggregation nodes", "bits", "packets")
