"""Physical-layer retransmission (PLR, from HDR on): code words asked for again over one link.

A transmit retry at this port means that the *other* end's receiver asked again: the retries of one end are
about the code errors of the other, a check of direction when one end's data is missing. Meanings and
register names: KNOWLEDGE §1.5; spellings of telemetry: the same names in camel case (atlas §9).
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "mstflint register database (name, width); KNOWLEDGE §1.5 (meaning)"
CLEARED_WITH = "plr"


def _plr(name: str, unit: str, side: Side, says: str, kind: C = C.PHYSICAL) -> Counter:
    """Build one 64-bit counter; telemetry spells it in camel case."""
    camel = "".join(word.capitalize() for word in name.split("_"))
    return Counter(
        name=name,
        group=CounterGroup.PLR,
        cleared_with=CLEARED_WITH,
        bits=64,
        unit=unit,
        exposure=Exposure.TIME if kind is C.TRAFFIC else Exposure.BITS,
        side=side,
        kind=kind,
        says=says,
        source=_SOURCE,
        aliases={"amber": (camel,), "ufm": (camel,)},
    )


COUNTERS: tuple[Counter, ...] = (
    _plr("plr_rcv_codes", "codes", Side.RECEIVE, "Code words received.", C.TRAFFIC),
    _plr(
        "plr_rcv_code_err", "codes", Side.RECEIVE, "Code words that arrived damaged and were asked for again."
    ),
    _plr(
        "plr_rcv_uncorrectable_code",
        "codes",
        Side.RECEIVE,
        "Code words that asking again did not repair.",
    ),
    _plr("plr_xmit_codes", "codes", Side.TRANSMIT, "Code words sent.", C.TRAFFIC),
    _plr(
        "plr_xmit_retry_codes",
        "codes",
        Side.TRANSMIT,
        "Code words sent again because the other end's receiver asked for them.",
    ),
    _plr(
        "plr_xmit_retry_events",
        "events",
        Side.TRANSMIT,
        "Times the other end's receiver asked for code words again.",
    ),
    _plr("plr_sync_events", "events", Side.BOTH, "Times the two ends had to agree anew on where they are."),
)
