"""The physical layer of both samples side by side: bit error ratios, light, heat, counters of the PHY.

Facts only. A ratio is printed as an average since the last clear, and a month hides an hour; so where the
registers of errors and bits are known, the ratio of the time between the samples is worked out from them
(KNOWLEDGE §1.6). Where no error was seen there is a bound: below 3/N at 95 % after N bits (§2.3).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.deltas import Growth, Mask, absent, fell, grow
from ibforensic.diff.distinct import number_of_each
from ibforensic.diff.lanes import Lanes, lanes_of
from ibforensic.diff.merged import Merged
from ibforensic.diff.pair import CLOCK_SLACK_S, Pair
from ibforensic.diff.segment import aligned, begin_at_zero
from ibforensic.diff.view import View
from ibforensic.model.counters import CATALOGUE, in_group
from ibforensic.model.enums import CounterGroup

Reals = npt.NDArray[np.float64]

GROUPS = (CounterGroup.PHY, CounterGroup.PLR, CounterGroup.EXTENDED_SPEEDS)
"""Counter groups that are compared here: a link that comes up again clears them, and nothing else."""
KINDS = ("raw", "effective", "symbol")
RAW_LANES = tuple(f"phy_raw_errors_lane{lane}" for lane in range(8))
_ERRORS = {"raw": RAW_LANES, "effective": ("phy_effective_errors",), "symbol": ("phy_symbol_errors",)}
_ON_A_MODULE = ("vendor", "part_number", "serial", "fw_version", "date_code", "technology", "kind")
_BOUND = 3.0
"""No error in N bits: the ratio is below 3/N at 95 %."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """One bit error ratio at all ports, as log10; NaN where it is not known.

    Attributes:
        before: The baseline's, since its last clear.
        now: Of the time between the samples where counters tell it, else the current average.
        none_before: Where the baseline saw no error; ``before`` is a bound then.
        none_now: Where none was seen now.
    """

    before: Reals
    now: Reals
    none_before: Mask
    none_now: Mask

    @property
    def seen(self) -> Mask:
        """Where errors were seen now."""
        found: Mask = ~np.isnan(self.now) & ~self.none_now
        return found

    @property
    def risen(self) -> Reals:
        """Decades by which it rose, never less than it must have; NaN where either side is not known."""
        found: Reals = np.where(self.none_now & (self.now > self.before), 0.0, self.now - self.before)
        return found


@dataclass(frozen=True, slots=True)
class Level:
    """A measured value before and now, one a port; NaN where it is not known."""

    before: Reals
    now: Reals


@dataclass(frozen=True)
class Physical:
    """The physical layer of a pair; arrays are in the order of ``pair.keys``.

    Attributes:
        pair: The two samples.
    """

    pair: Pair

    def prepare(self) -> None:
        """Work out what takes long, so that it is at hand when it is asked for."""
        _ = self.ratios, self.light, self.temperature

    @cached_property
    def available(self) -> Mask:
        """Ports whose raw bit errors are known now."""
        return ~np.isnan(self.ratios["raw"].now)

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        """Kind (raw, effective, symbol) → ratios."""
        sides = self._phy
        return {kind: _ratio(kind, *sides, self.growth, self._span) for kind in KINDS}

    @cached_property
    def _phy(self) -> tuple[Merged, Merged]:
        return _rows(self.pair.baseline, self.pair, "phy"), _rows(self.pair.current, self.pair, "phy")

    @cached_property
    def _modules(self) -> tuple[Merged, Merged]:
        """Rows of modules; only those of samples that tell their serials can be compared as things."""
        return _rows(self.pair.baseline, self.pair, "modules"), _rows(self.pair.current, self.pair, "modules")

    @cached_property
    def _span(self) -> Reals:
        """Seconds since the clear or link-up of each port's PHY now; NaN where nobody tells."""
        return _reals(self._phy[1]["since_clear_s"])

    @cached_property
    def up_s(self) -> Reals:
        """Seconds for which each port's link is up, as that end tells; NaN where it does not.

        Where only the PHY's own clock is known, which a clear or a link-up starts, it was at least so long.
        """
        told = _reals(self._phy[1]["since_link_up_s"])
        return np.where(np.isnan(told), self._span, told)

    @cached_property
    def growth(self) -> Mapping[str, Growth]:
        """Counter of the groups above → growth; a PHY that began anew in between counts from zero."""
        ports, sides = self.pair.ports, (self.pair.baseline, self.pair.current)
        read = [group for group in GROUPS if any(view.counters(group) is not None for view in sides)]
        before, after = (aligned(view, ports, groups=read) for view in sides)
        begin_at_zero(before, after, np.full(len(ports.keys), self.pair.alone))
        restarted = ~np.isnan(self.pair.uptime_s)
        gap = self.pair.gap_s or 0.0
        young = self._span < gap - CLOCK_SLACK_S
        nothing = absent(len(ports.keys))
        found = {entry.name: nothing for group in GROUPS for entry in in_group(group)}
        for group in read:
            names = [entry.name for entry in in_group(group)]
            lower = [fell(before[name], after[name], CATALOGUE[name].full) for name in names]
            cleared = restarted | np.logical_or.reduce(lower)
            if group is not CounterGroup.EXTENDED_SPEEDS:
                cleared = cleared | young
            never = np.zeros(len(cleared), dtype=np.bool_)
            for name in names:
                found[name] = grow(before[name], after[name], CATALOGUE[name].full, cleared, never)
        return found

    @cached_property
    def raw_lanes(self) -> Reals:
        """log10 of raw errors of each lane over the bits of the port, shape (ports, 8); NaN where none."""
        bits = self.growth["phy_received_bits"]
        columns = [_log_share(self.growth[name], bits) for name in RAW_LANES]
        return np.stack(columns, axis=1)

    @cached_property
    def light(self) -> Mapping[str, Lanes]:
        """``rx_power``, ``tx_power`` (dBm) and ``tx_bias`` (mA) → values by lane."""
        then, now = self._modules
        return {
            side: Lanes(lanes_of(then[f"{side}_lanes"]), lanes_of(now[f"{side}_lanes"]))
            for side in ("rx_power", "tx_power", "tx_bias")
        }

    @cached_property
    def lit(self) -> Mask:
        """Ports of which anybody measured the light, in the baseline or now."""
        sides = [self.light[side] for side in ("rx_power", "tx_power")]
        values = [lanes for side in sides for lanes in (side.before, side.now)]
        found: Mask = np.logical_or.reduce([~np.isnan(lanes).all(axis=1) for lanes in values])
        return found

    @cached_property
    def temperature(self) -> Level:
        """Temperature of the module in each port, °C."""
        then, now = self._modules
        return Level(_reals(then["temperature_c"]), _reals(now["temperature_c"]))

    @cached_property
    def serial(self) -> tuple[list[str | None], list[str | None]]:
        """Serial of the module or cable in each port, before and now."""
        then, now = self._modules
        return then["serial"].to_pylist(), now["serial"].to_pylist()

    @cached_property
    def same_serial(self) -> Mask:
        """Ports that hold the same module or cable as before, as far as serials tell."""
        then, now = (side["serial"] for side in self._modules)
        told = pc.and_(pc.not_equal(then, ""), pc.not_equal(now, ""))
        other = pc.fill_null(pc.and_(told, pc.not_equal(then, now)), False)
        same: Mask = ~other.to_numpy().astype(np.bool_)
        return same

    @cached_property
    def module(self) -> list[Mapping[str, str | None]]:
        """What stands on the module of each port now, else before: who made it, what it is, and when."""
        found: list[Mapping[str, str | None]] = self.modules.to_pylist()
        return found

    @cached_property
    def modules(self) -> pa.Table:
        """The same as columns."""
        return pa.table({name: _latest(*(side[name] for side in self._modules)) for name in _ON_A_MODULE})

    def plugged(self, at: int) -> bool:
        """Whether anybody tells what is plugged into one port."""
        return any(side[name][at].as_py() for name in _ON_A_MODULE for side in self._modules)

    def part(self, at: int) -> tuple[Mapping[str, str | None], Mapping[str, str | None]]:
        """What stands on the module or cable in one port, before and now."""
        names = ("vendor", "part_number", "serial")
        then, now = ({name: side[name][at].as_py() for name in names} for side in self._modules)
        return then, now

    @cached_property
    def _technology(self) -> pa.ChunkedArray:
        """What carries the signal now, else what did before; null or empty where nobody tells."""
        return _latest(*(side["technology"] for side in self._modules))

    @cached_property
    def copper(self) -> Mask:
        """Ports whose cable is known to be copper."""
        return number_of_each(self._technology, _is_copper).astype(np.bool_)

    @cached_property
    def optical(self) -> Mask:
        """Ports whose cable is known to carry light."""
        lit = ~np.isnan(self.light["rx_power"].now).all(axis=1)
        told = number_of_each(self._technology, bool).astype(np.bool_)
        found: Mask = (lit | told) & ~self.copper
        return found


def _latest(then: pa.ChunkedArray, now: pa.ChunkedArray) -> pa.ChunkedArray:
    """What is told now, and what was told before where that is nothing."""
    return pc.if_else(pc.fill_null(pc.not_equal(now, ""), False), now, then)


def _is_copper(technology: str | None) -> bool:
    return "copper" in (technology or "").lower()


def _rows(view: View, pair: Pair, name: str) -> Merged:
    """Rows of a table in the order of the pair's ports; null where a sample tells nothing."""
    return view.merged(name).aligned(pair.ports)


def _reals(column: pa.ChunkedArray) -> Reals:
    values: Reals = pc.fill_null(column.cast(pa.float64()), math.nan).to_numpy().astype(np.float64)
    return values


def _ratio(kind: str, then: Merged, now: Merged, growth: Mapping[str, Growth], span: Reals) -> Ratio:
    """Put one ratio together: from counters where they tell, else as printed."""
    before, none_before = _printed(then, kind)
    after, none_after = _printed(now, kind)
    bits = growth["phy_received_bits"]
    parts = [growth[name] for name in _ERRORS[kind]]
    told = np.logical_or.reduce([part.told for part in parts]) & bits.told & (bits.delta > 0)
    errors = np.sum([np.where(part.told, part.delta, 0) for part in parts], axis=0).astype(np.float64)
    counted, counted_none = _of_counts(errors, bits.delta.astype(np.float64))
    had = np.logical_or.reduce([part.before.known for part in parts]) & bits.before.known
    had &= bits.before.value > 0
    old = np.sum([np.where(part.before.known, part.before.value, 0) for part in parts], axis=0)
    earlier, earlier_none = _of_counts(old.astype(np.float64), bits.before.value.astype(np.float64))
    return Ratio(
        np.where(had, earlier, before),
        np.where(told, counted, after),
        np.where(had, earlier_none, none_before),
        np.where(told, counted_none, none_after),
    )


def _of_counts(errors: Reals, bits: Reals) -> tuple[Reals, Mask]:
    """log10 of a ratio of counts, and where no error was counted: a bound stands there."""
    none: Mask = errors <= 0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(np.where(none, _BOUND, errors) / bits), none


CLEAN = -17.0
"""Stands for a printed "none seen" where nobody tells how long it was looked: no link lives that long."""


def _printed(table: Merged, kind: str) -> tuple[Reals, Mask]:
    """The ratio as a tool printed it, and where it saw none."""
    value = _reals(table[f"{kind}_ber_log10"])
    none = pc.fill_null(table[f"{kind}_ber_none"], False).to_numpy(zero_copy_only=False).astype(np.bool_)
    return np.where(none & np.isnan(value), CLEAN, value), none


def _log_share(errors: Growth, bits: Growth) -> Reals:
    """log10 of errors over bits; NaN where either is not known or no error was seen."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log10(errors.delta / bits.delta.astype(np.float64))
    return np.where(errors.told & bits.told & (errors.delta > 0) & (bits.delta > 0), found, math.nan)
