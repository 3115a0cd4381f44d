"""PortExtendedSpeedsCounters: what the receiver's block coding and FEC saw, in all and by lane.

All of it is about the receive direction. Widths: libibmad field table (KNOWLEDGE §1.3). Spellings: atlas
§3.1; the tools disagree on ``Ctr``, ``Counter`` and ``Countr`` and on brackets around the lane, so all of
these are listed. Lanes 4 to 11 are in use on wider links only.

Corrected counts are normal from HDR on (PAM4 needs its FEC) and fill 32 bits fast.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "libibmad field table (width); KNOWLEDGE §1.3 (meaning)"
CLEARED_WITH = "extended_speeds"
LANES = range(12)


def _counter(
    name: str,
    bits: int,
    unit: str,
    says: str,
    db_csv: tuple[str, ...],
    perfquery: tuple[str, ...],
    pm: tuple[str, ...],
) -> Counter:
    """Build one receive-side counter."""
    return Counter(
        name=name,
        group=CounterGroup.EXTENDED_SPEEDS,
        cleared_with=CLEARED_WITH,
        bits=bits,
        unit=unit,
        exposure=Exposure.BITS,
        side=Side.RECEIVE,
        kind=C.PHYSICAL,
        says=says,
        source=_SOURCE,
        aliases={"db_csv": db_csv, "perfquery": perfquery, "pm": pm},
    )


def _lanes(
    name: str,
    bits: int,
    unit: str,
    says: str,
    db_csv: tuple[str, ...],
    perfquery: str,
    pm: str,
) -> tuple[Counter, ...]:
    """Build one counter a lane: ``<name>_lane0`` and on."""
    return tuple(
        _counter(
            f"{name}_lane{lane}",
            bits,
            unit,
            f"Lane {lane}: {says}",
            (*(f"{stem}[{lane}]" for stem in db_csv), *(f"{stem}{lane}" for stem in db_csv)),
            (f"{perfquery}{lane}",),
            (f"{pm}{lane}", f"{pm}[{lane}]"),
        )
        for lane in LANES
    )


COUNTERS: tuple[Counter, ...] = (
    _counter(
        "sync_header_error_counter",
        16,
        "events",
        "Blocks whose sync header was damaged.",
        ("SyncHeaderErrorCounter",),
        ("SyncHeaderErrorCounter",),
        ("sync_header_err_cnt", "sync_header_error_counter"),
    ),
    _counter(
        "unknown_block_counter",
        16,
        "blocks",
        "Blocks of a type that does not exist: damage that block coding noticed.",
        ("UnknownBlockCounter",),
        ("UnknownBlockCounter",),
        ("unknown_block_cnt", "unknown_block_counter"),
    ),
    _counter(
        "port_fec_correctable_block_ctr",
        32,
        "blocks",
        "Code words that FEC repaired; a large count is normal from HDR on.",
        ("PortFECCorrectableBlockCounter",),
        ("PortFECCorrectableBlockCtr",),
        ("port_fec_correctable_block_counter",),
    ),
    _counter(
        "port_fec_uncorrectable_block_ctr",
        32,
        "blocks",
        "Code words with more damage than FEC could repair.",
        ("PortFECUncorrectableBlockCounter",),
        ("PortFECUncorrectableBlockCtr",),
        ("port_fec_uncorrectable_block_counter",),
    ),
    _counter(
        "port_fec_corrected_symbol_ctr",
        32,
        "symbols",
        "Symbols that FEC repaired; a large count is normal from HDR on.",
        ("PortFECCorrectedSymbolCounter",),
        ("PortFECCorrectedSymbolCtr",),
        ("port_fec_corrected_symbol_counter",),
    ),
    _counter(
        "fec_corrected_symbol_ctr_total",
        32,
        "symbols",
        "Symbols that FEC repaired, added up over the lanes.",
        (),
        (),
        ("fec_corrected_symbol_counter_total",),
    ),
    *_lanes(
        "error_detection_counter",
        16,
        "errors",
        "errors that the lane's parity or checksum noticed.",
        ("ErrorDetectionCounterLane",),
        "ErrorDetectionCounterLane",
        "error_detection_counter_lane",
    ),
    *_lanes(
        "fec_correctable_block_ctr",
        32,
        "blocks",
        "code words that FEC repaired.",
        ("FECCorrectableBlockCountrLane", "FECCorrectableBlockCounterLane"),
        "FECCorrectableBlockCtrLane",
        "fec_correctable_block_counter_lane",
    ),
    *_lanes(
        "fec_uncorrectable_block_ctr",
        32,
        "blocks",
        "code words with more damage than FEC could repair.",
        ("FECUncorrectableBlockCounterLane",),
        "FECUncorrectableBlockCtrLane",
        "fec_uncorrectable_block_counter_lane",
    ),
    *_lanes(
        "fec_correctable_symbol_ctr",
        32,
        "symbols",
        "symbols that FEC repaired.",
        ("FECCorrectedSymbolCounterLane",),
        "FECCorrectableSymbolCtrLane",
        "fec_corrected_symbol_counter_lane",
    ),
)
