"""What --extended_speeds and --pm_per_lane add to PM_INFO, PM_DELTA and .pm: what FEC repaired, and what not.

Columns: atlas §3.1. The spelling of blocks by lane is not known, so those are left out. These counters go on
when a link comes up anew, other than the PHY registers, which they otherwise repeat: at healthy error ratios
hardly two bits of a code word are wrong, so that bits, symbols and code words repaired are about equal.
"""

from __future__ import annotations

from ibforensic.model.counters import by_spelling
from ibforensic.model.ids import PortKey
from ibforensic.simulate.phy_state import LANES
from ibforensic.simulate.spelling import CLEAR_COUNTERS
from ibforensic.simulate.state import Sample

OPTIONS = ("--extended_speeds", "all", "--pm_per_lane")
_NAMES: tuple[tuple[str, str], ...] = (
    ("SyncHeaderErrorCounter", "sync_header_error_counter"),
    ("UnknownBlockCounter", "unknown_block_counter"),
    *((f"ErrorDetectionCounterLane[{n}]", f"error_detection_counter_lane[{n}]") for n in range(LANES)),
    *(
        (f"FECCorrectedSymbolCounterLane[{n}]", f"fec_corrected_symbol_counter_lane[{n}]")
        for n in range(LANES)
    ),
    ("PortFECCorrectableBlockCounter", "port_fec_correctable_block_counter"),
    ("PortFECUncorrectableBlockCounter", "port_fec_uncorrectable_block_counter"),
    ("PortFECCorrectedSymbolCounter", "port_fec_corrected_symbol_counter"),
)
COLUMNS = "".join(f",{column}" for column, _ in _NAMES)
"""What the headers have behind their usual columns."""
COUNTERS = tuple(by_spelling("db_csv")[column][0] for column, _ in _NAMES)
"""The counters, in the order of the columns."""
_DIGITS = 8
_NOT_COUNTED = "-1"


def asked(sample: Sample) -> bool:
    """Return whether the run asks for these counters, and there are any."""
    return sample.phy is not None and OPTIONS[0] in sample.options


def values(sample: Sample, port: PortKey) -> list[int]:
    """Return the counters of a port, in the order of the columns; nothing for a port inside a box."""
    phy = sample.phy
    reading = phy.readings.get(port) if phy else None
    if phy is None or reading is None:
        return []
    every = [one for one in (reading, phy.kept.get(port)) if one is not None]
    repaired = sum(one.corrected for one in every)
    lanes = [sum(one.raw[lane] for one in every) for lane in range(LANES)]
    found = (0, 0, *(0,) * LANES, *lanes, repaired, sum(one.effective for one in every), repaired)
    return [min(value, counter.full) for value, counter in zip(found, COUNTERS, strict=True)]


def grown(sample: Sample, port: PortKey) -> list[int]:
    """Return what a second adds to each counter, or the whole window of a run; a full one does not grow."""
    found, reading = values(sample, port), sample.phy.readings.get(port) if sample.phy else None
    if reading is None:
        return []
    seconds = 1.0 if CLEAR_COUNTERS in sample.options else max(1.0, reading.seconds)
    return [
        round(value / seconds) if value < counter.full else 0
        for value, counter in zip(found, COUNTERS, strict=True)
    ]


def levels(sample: Sample, port: PortKey) -> str:
    """Return what the row of a port in PM_INFO has behind its usual cells."""
    return _cells(values(sample, port))


def growth(sample: Sample, port: PortKey) -> str:
    """Return what the row of a port in PM_DELTA has behind its usual cells."""
    return _cells(grown(sample, port))


def _cells(values: list[int]) -> str:
    """Print the cells of a port; one inside a box counts nothing."""
    return "".join(f",{value}" for value in values) or f",{_NOT_COUNTED}" * len(_NAMES)


def pm_lines(sample: Sample, port: PortKey) -> list[str]:
    """Return the lines of a port in .pm."""
    found = [f"0x{value:0{_DIGITS}x}" for value in values(sample, port)] or ["NA"] * len(_NAMES)
    return [f"{name}={value}" for (_, name), value in zip(_NAMES, found, strict=True)]
