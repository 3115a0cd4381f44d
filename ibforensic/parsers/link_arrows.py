"""One link as infiniband-diags draw it: ``12 1[ ] ==( 4X 106.25 Gbps Active/LinkUp)==> 3 40[ ] "leaf" ( )``.

iblinkinfo prints one for each port, ``ibqueryerrors --report-port`` one below each port with errors. What
stands before the arrow is a LID and a port, what stands behind it the neighbour, with its GUID in some
forms. A port that is down has neither width nor speed nor neighbour. Source: atlas §8; real files.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ibforensic.model import link_terms
from ibforensic.model.enums import PhysState, PortState
from ibforensic.model.ids import guid
from ibforensic.parsers import diag_words

__all__ = ["Arrow", "Terms", "read_arrow"]

_ARROW = re.compile(
    r"[ \t]*(\d{1,6})[ \t]+(\d{1,3})[ \t]*\[([^\[\]]{0,12})\][ \t]*==\(([^\n]{0,80}?)\)[ \t]*"
    r"(?:\((HOQ[^)]{0,40})\))?[ \t]*==>[ \t]*(?:(0[xX][0-9a-fA-F]{1,16})[ \t]+)?"
    r'(?:(\d{1,6})[ \t]+)?(\d{1,3})?[ \t]*\[[^\[\]]{0,12}\][ \t]*"(.*)"[ \t]*(?:\((.*)\))?[ \t]*\Z',
    re.ASCII,
)
_TERMS = re.compile(r"[ \t]*(?:(\d{1,2}X)[ \t]+)?(.*?)[ \t]*(\w+)[ \t]*/[ \t]*(\w+)[ \t]*\Z", re.ASCII)
_COULD = re.compile(r"Could be (\d{1,2}X|[0-9.]{1,10}(?: Gbps)?|\w{3,5})", re.ASCII)


class Terms(NamedTuple):
    """What stands in the arrow.

    Attributes:
        width: ``4x`` …
        speed: ``NDR`` …
        rate_gbps: Nominal rate.
        state: Logical state.
        phys_state: Physical state.
        strange: Words that are not known.
    """

    width: str | None
    speed: str | None
    rate_gbps: float | None
    state: PortState | None
    phys_state: PhysState | None
    strange: tuple[str, ...]


class Arrow(NamedTuple):
    """A port and what it leads to.

    Attributes:
        lid: LID of the port; a switch's ports have the switch's.
        num: Number of the port.
        label: Number on the front of a chassis, where it is printed.
        terms: What stands in the arrow.
        peer_guid: GUID of the neighbour's port (a switch's: of the node), where it is printed.
        peer_lid: LID of the neighbour.
        peer_num: Number of its port; None where the port leads nowhere.
        peer_name: Its description.
        could_be: Widths and speeds that both ends are able to do, but do not.
        config: Head-of-queue settings, as ``iblinkinfo -p`` prints them.
    """

    lid: int
    num: int
    label: str | None
    terms: Terms
    peer_guid: str | None
    peer_lid: int | None
    peer_num: int | None
    peer_name: str
    could_be: tuple[str, ...]
    config: str | None


_guid = lru_cache(maxsize=1 << 16)(guid)


def read_arrow(text: str) -> Arrow | None:
    """Read a link.

    Args:
        text: From the LID of the port to the end of the line.

    Returns:
        The link; None where the text is none, or is cut.
    """
    match = _ARROW.match(text)
    if match is None:
        return None
    lid, num, label, terms, config, peer_guid, peer_lid, peer_num, name, hints = match.groups()
    return Arrow(
        int(lid),
        int(num),
        label.strip() or None,
        _terms(terms),
        _guid(peer_guid) if peer_guid else None,
        int(peer_lid) if peer_lid else None,
        int(peer_num) if peer_num else None,
        name,
        tuple(_COULD.findall(hints)) if hints and "Could" in hints else (),
        config,
    )


@lru_cache(maxsize=1024)
def _terms(text: str) -> Terms:
    """Read what stands in the arrow; a fabric has few different ones."""
    match = _TERMS.match(text)
    if match is None:
        return Terms(None, None, None, None, None, (text.strip(),))
    width_text, speed_text, state_text, phys_text = match.groups()
    width = diag_words.width(width_text) if width_text else None
    speed = diag_words.speed(speed_text) if speed_text else None
    state, phys = diag_words.STATES.get(state_text), diag_words.PHYS_STATES.get(phys_text)
    told = ((width_text, width), (speed_text, speed), (state_text, state), (phys_text, phys))
    strange = tuple(word for word, known in told if word and known is None)
    return Terms(width, speed, link_terms.rate_gbps(width, speed), state, phys, strange)
