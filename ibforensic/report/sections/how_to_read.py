"""The words of the report, a sentence each."""

from __future__ import annotations

from ibforensic.report import words
from ibforensic.report.sections.base import Json, Section, View

TERMS = (
    ("baseline, current", "The fabric when it was healthy, and the fabric now."),
    ("suspect", "A link or a device that the evidence blames: an opinion, with its confidence."),
    (
        "end",
        "One of the two ports of a link. A receiver counts the errors, but the sender, the cable or the "
        "receiver may cause them; the suspected end is the one to touch first.",
    ),
    (
        "direction",
        "Each link carries two streams. Errors in one of them only point at one sender and one receiver.",
    ),
    ("victim", "A port that shows trouble which a suspect explains. It needs no repair of its own."),
    ("evidence", "A reading of what was measured at a port, with file and line of the value now."),
    (
        "exposure",
        "What a growth is divided by: bits on the line, packets, or time. Without it busy ports look worse.",
    ),
    ("HCA", "The adapter by which a host is connected: its network card."),
    ("leaf, spine", "A switch that hosts are plugged into, and a switch that joins leaves."),
    ("GUID", "The number by which a device is known for good, whatever its name or address becomes."),
    ("lane", "One of the parallel signals of a link; dirt or a bad laser often shows in one lane only."),
    ("FEC", "Repair of bit errors at the receiver: errors before it are normal, errors after it are not."),
    ("bit error ratio", "Wrong bits over all bits: 1e-13 is one in ten million million."),
    ("exact", "The growth of the counter is known."),
    (
        "at least",
        "The counter was cleared or was full in between: the true growth is this or more.",
    ),
    ("strength", "How much one piece of evidence weighs: weak, medium, strong or decisive."),
    (
        "label",
        "What is printed on the panel beside the port. It can differ from the port number, by which "
        "InfiniBand counts.",
    ),
    ("severity", "How much it hurts: critical, major or minor. It says nothing about how sure it is."),
    (
        "place in the fleet",
        "Where a value stands among ports of the same kind: a line from the lowest to the highest value, "
        "a box for the middle half, a tick for the median, and ▼ for this port.",
    ),
    (
        "change",
        "Something that differs between the two, true whatever one thinks of it. Most changes are harmless.",
    ),
)
SIGNS = (
    (words.NOT_COLLECTED, "not collected: nobody knows the value"),
    ("0", "collected, and zero"),
    (words.NOT_COMPARABLE, "collected, but cannot be compared"),
)

KEYS = (
    ("/", "go to the filter; Escape empties it"),
    ("j, k", "go to the next suspect, or to the one before"),
    ("?", "come here"),
)


def view(doc: Json) -> View:
    """Return the terms, the signs and the words for confidences; they are the same for every document."""
    return {"terms": TERMS, "signs": SIGNS, "bands": words.bands(), "keys": KEYS}


SECTION = Section(80, "How to read this", "sections/how_to_read.html.j2", view)
