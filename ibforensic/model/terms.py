"""The words of the field: one word for one thing, with the words that tools and people use for it besides.

The words of a report, such as suspect and victim, stand where the report explains them. ``explain`` knows
both; ``docs/terms.md`` is made from both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["OTHER_WORDS", "TERMS", "Term", "term_of"]


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means here.

    Attributes:
        word: The word that ibforensic uses.
        meaning: What it means, in a sentence or two.
        others: Other words for the same thing, as tools or people say them.
    """

    word: str
    meaning: str
    others: tuple[str, ...] = ()


TERMS: Mapping[str, tuple[Term, ...]] = {
    "The fabric": (
        Term("fabric", "All nodes and links that one subnet manager runs.", ("subnet",)),
        Term("node", "What has a node GUID: a switch, an HCA or a router. A host is no node; its HCAs are."),
        Term(
            "node GUID",
            "The 64-bit number of a node, given by its maker. With the port number it says which port is "
            "meant, whatever name or LID it has.",
        ),
        Term(
            "port GUID",
            "The number of a port of an HCA; a switch has one for all its ports. LIDs are given to it. It "
            "is kept, but ports are told apart by node GUID and port number.",
        ),
        Term(
            "system image GUID",
            "The number that all nodes in one box share, such as the chips of a large switch.",
            ("system GUID",),
        ),
        Term(
            "LID",
            "The address that the subnet manager gives to a port, anew whenever it likes. It identifies "
            "nothing, and a new one is no finding.",
            ("local identifier",),
        ),
        Term(
            "subnet manager",
            "The program that gives out LIDs and routes. A standby takes over when the master goes.",
            ("SM", "opensm"),
        ),
        Term("host", "A machine with one HCA or several.", ("server", "compute node")),
        Term("switch", "A node that passes packets on. Port 0 of a switch is its own, and has no cable."),
        Term(
            "core",
            "A switch of a third level, which joins the spines of several pods.",
            ("core switch", "super spine"),
        ),
        Term(
            "port number",
            "The number by which InfiniBand counts the ports of a node, from 1. It is not always what is "
            "printed on the panel; that is the label.",
            ("port_num",),
        ),
        Term("link", "Two ports and whatever joins them: the cable with what is plugged at its ends."),
        Term(
            "transceiver",
            "What is plugged into the cage of a port, and turns signals into light and back. Tables and "
            "tools call it a module; a copper cable has a plug of the same form.",
            ("module", "optic"),
        ),
        Term("lane speed", "What one lane carries: EDR 25, HDR 50, NDR 100, XDR 200 Gb/s."),
        Term("rate", "Width times lane speed: 4x NDR is 400 Gb/s. A link that lost lanes is up, and slow."),
        Term(
            "plane",
            "One of the parallel networks of an XDR fabric. An aggregated port is one port in each plane, "
            "on as many chips.",
        ),
        Term(
            "aggregated port",
            "The ports of all planes that stand for one port of a host or switch.",
            ("aport",),
        ),
        Term(
            "rail",
            "The leaves into which all hosts plug the HCA of the same place: HCA 3 of every host is on "
            "rail 3.",
        ),
        Term(
            "SHARP",
            "Adding up of data in the switches. The nodes that do it are aggregation nodes; they have no "
            "port counters.",
            ("aggregation node",),
        ),
    ),
    "Collecting": (
        Term("raw output", "What tools printed or wrote, as it is: files, a directory or an archive."),
        Term(
            "snapshot",
            "A collection that is kept: a folder NAME.ibf with tables, a manifest and the original bytes.",
            ("ibf",),
        ),
        Term(
            "sample",
            "One run of the tools at one time. A snapshot holds one or several; over several, growth is "
            "added up.",
        ),
        Term("original", "A file of the collection, byte for byte, as the snapshot keeps it."),
        Term("manifest", "The file of a snapshot that says what it holds: times, files, hashes, notes."),
        Term("note", "A trouble met in reading, with file, line and what to do. The good part is used."),
        Term(
            "fitness",
            "How fit a snapshot is to be compared: what is missing or cut, and what was sick already.",
        ),
        Term("table", "Rows of one kind from all tools, such as ports or links, in a Parquet file."),
        Term("section", "A part of a db_csv, between START_ and END_. One without a table is kept as text."),
        Term("policy", "A file of limits, weights and known faults of a site.", ("policy file",)),
    ),
    "Counting": (
        Term(
            "counter",
            "A register that only grows until it is cleared. Its level says little; its growth is compared.",
        ),
        Term(
            "growth",
            "What a counter rose by between the two: exact, at least, or not known.",
            ("delta", "increase"),
        ),
        Term(
            "clear",
            "Setting counters to 0. It throws the past away: afterwards growth is a lower bound. "
            "ibforensic never does it.",
            ("reset of counters",),
        ),
        Term(
            "full",
            "A narrow register that stopped at all ones: the true value is this or more.",
            ("saturated", "pegged", "sticky"),
        ),
        Term(
            "twin",
            "The 64-bit register that stands beside a narrow one and counts the same.",
            ("extended counter",),
        ),
        Term(
            "raw BER",
            "Wrong bits before any repair. It is never 0 on fast links, and says how good the signal is.",
            ("pre-FEC BER",),
        ),
        Term(
            "effective BER",
            "What is left after FEC. On EDR links this is what applications see.",
            ("post-FEC BER",),
        ),
        Term(
            "symbol BER",
            "What is left after FEC and after retransmission on the link: the errors that reach packets.",
        ),
        Term(
            "PLR",
            "Retransmission on the link itself: what FEC could not repair is sent once more, and costs "
            "time only.",
            ("physical layer retransmission", "LLR"),
        ),
        Term(
            "mark",
            "The end of a packet that a switch found damaged while it passed it on: whoever receives it "
            "counts an error, and is a victim.",
            ("EBP", "end bad packet"),
        ),
        Term(
            "wait",
            "Time in which a port had data to send and no credit to send it: the trouble is further on.",
            ("xmit wait", "credit stall"),
        ),
    ),
}
"""Heading → its terms, in the order in which they are best read."""

OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "baseline": ("before", "reference"),
    "current": ("after", "now"),
    "hca": ("NIC", "adapter", "CA", "host channel adapter"),
    "leaf": ("ToR", "edge switch"),
    "spine": ("spine switch",),
    "suspect": ("culprit", "root cause"),
    "victim": ("bystander",),
    "fec": ("forward error correction", "RS-FEC"),
    "bit error ratio": ("BER", "bit error rate"),
    "label": ("port label", "panel number"),
}
"""Word that a report explains → other words for the same thing."""


def term_of(topic: str) -> Term | None:
    """Return the term of a word, or of another word for the same thing.

    Args:
        topic: The word, in any case of letters, one or several of it.
    """
    wanted = topic.lower()
    for one in (wanted, wanted.removesuffix("s")):
        for terms in TERMS.values():
            for term in terms:
                if one in {name.lower() for name in (term.word, *term.others)}:
                    return term
    return None
