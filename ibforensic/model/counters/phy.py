"""Counters of the physical layer: the port's own registers, as mlxlink, amBER, UFM and PHY_DB show them.

Meanings: KNOWLEDGE §1.6; names of the register fields and 64-bit widths: register database of mstflint
(atlas §5.2); 32 bits for link-down and recovery events: from memory. They count since the PHY clear or
since the link came up, whichever is later.

mlxlink prints ``Raw Physical Errors Per Lane`` as one list: its elements are ``phy_raw_errors_lane0`` and
on. On EDR products its ``Effective Physical Errors`` is the register of ``phy_symbol_errors``. The
histogram of FEC errors and the bit error ratios stand in the table ``phy``.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.counters.spellings import Names
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "mstflint register database (name, width); KNOWLEDGE §1.6 (meaning)"
CLEARED_WITH = "phy"
LANES = range(8)


def _phy(
    name: str,
    unit: str,
    says: str,
    aliases: Names,
    *,
    bits: int = 64,
    exposure: Exposure = Exposure.BITS,
    side: Side = Side.RECEIVE,
    kind: C = C.PHYSICAL,
) -> Counter:
    """Build one counter; receive-side errors by line bits unless told otherwise."""
    return Counter(
        name=name,
        group=CounterGroup.PHY,
        cleared_with=CLEARED_WITH,
        bits=bits,
        unit=unit,
        exposure=exposure,
        side=side,
        kind=kind,
        says=says,
        source=_SOURCE,
        aliases=aliases,
    )


def _event(name: str, says: str, aliases: Names, kind: C = C.LIFECYCLE) -> Counter:
    """Build one 32-bit counter of things that happen to the whole link."""
    return _phy(name, "events", says, aliases, bits=32, exposure=Exposure.TIME, side=Side.BOTH, kind=kind)


def _telemetry(*spellings: str) -> Names:
    """Spell a counter as UFM's low-frequency telemetry and amBER files do."""
    return {"ufm": spellings, "amber": spellings}


COUNTERS: tuple[Counter, ...] = (
    _phy(
        "phy_received_bits",
        "bits",
        "Bits received: what the errors are to be divided by.",
        {},
        exposure=Exposure.TIME,
        kind=C.TRAFFIC,
    ),
    *(
        _phy(
            f"phy_raw_errors_lane{lane}",
            "bits",
            f"Lane {lane}: bits that arrived wrong, before any repair; the earliest sign of a weak link.",
            _telemetry(f"Raw_Errors_Lane_{lane}", f"Raw_Errors_lane_{lane}"),
        )
        for lane in LANES
    ),
    _phy(
        "phy_corrected_bits",
        "bits",
        "Bits that FEC repaired; a large count is normal from HDR on.",
        {},
    ),
    _phy(
        "phy_effective_errors",
        "errors",
        "Errors left after FEC; on EDR links applications see these.",
        {
            **_telemetry("Effective_Errors"),
            "mlxlink": ("Effective Physical Errors",),
            "net_dump_ext": ("Effective Err",),
        },
    ),
    _phy(
        "phy_symbol_errors",
        "errors",
        "Errors left after FEC and retransmission; from HDR on applications see these.",
        {
            **_telemetry("Symbol_Errors"),
            "mlxlink": ("Symbol Errors",),
            "net_dump_ext": ("Symbol Err",),
        },
    ),
    _phy("sync_headers_errors", "events", "Blocks whose sync header was damaged.", {}),
    _phy("rs_fec_corrected_blocks", "blocks", "Code words that FEC repaired; normal from HDR on.", {}),
    _phy("rs_fec_uncorrectable_blocks", "blocks", "Code words with more damage than FEC could repair.", {}),
    _phy(
        "rs_fec_no_errors_blocks",
        "blocks",
        "Code words that arrived without any damage.",
        {},
        exposure=Exposure.TIME,
        kind=C.TRAFFIC,
    ),
    _phy("rs_fec_corrected_symbols_total", "symbols", "Symbols that FEC repaired, all lanes together.", {}),
    _event(
        "link_down_events",
        "Times the link went down: a fault, a reboot, a pulled cable or a command.",
        {**_telemetry("Link_Down_IB", "Link_Down"), "mlxlink": ("Link Down Counter",)},
    ),
    _event(
        "intentional_link_down_events",
        "Times the link was taken down on purpose: these are no fault.",
        {},
    ),
    _event(
        "unintentional_link_down_events",
        "Times the link went down though nobody asked for it.",
        {},
        C.PHYSICAL,
    ),
    _event(
        "successful_recovery_events",
        "Times the link lost its footing and recovered without going down.",
        {"mlxlink": ("Link Error Recovery Counter",)},
        C.PHYSICAL,
    ),
)
