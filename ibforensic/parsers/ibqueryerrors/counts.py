"""What a line of ibqueryerrors says of each counter, and what it says by leaving one out.

Left out means 0 only where the tool reads the counter of every port it prints, came to its end, and neither
a threshold nor ``--suppress`` hides the counter. Otherwise it means nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ibforensic.model.counters import CATALOGUE, by_spelling
from ibforensic.model.enums import CounterGroup, Level, Quality
from ibforensic.parsers.counter_rows import Cell, CounterRow, cell_reader
from ibforensic.parsers.diag_words import CAST_COUNTERS, DATA_COUNTERS
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibqueryerrors.lines import Found, PortLine
from ibforensic.parsers.readings import decimal

__all__ = ["ALWAYS_READ", "Rules", "read_line", "rules_of"]

_RECEIVE = (
    "port_local_physical_errors",
    "port_malformed_packet_errors",
    "port_buffer_overrun_errors",
    "port_dlid_mapping_errors",
    "port_vl_mapping_errors",
    "port_looping_errors",
)
_DISCARD = (
    "port_inactive_discards",
    "port_neighbor_mtu_discards",
    "port_sw_lifetime_limit_discards",
    "port_sw_hoq_lifetime_limit_discards",
)
_PARENTS = {"port_rcv_errors": _RECEIVE, "port_xmit_discards": _DISCARD}
"""Counter → what it is made of, in the order of the registers."""
_XMIT_WAIT = "port_xmit_wait"
ALWAYS_READ = (
    "symbol_error_counter",
    "link_error_recovery_counter",
    "link_downed_counter",
    "port_rcv_errors",
    "port_rcv_remote_physical_errors",
    "port_rcv_switch_relay_errors",
    "port_xmit_discards",
    "port_xmit_constraint_errors",
    "port_rcv_constraint_errors",
    "local_link_integrity_errors",
    "excessive_buffer_overrun_errors",
    "vl15_dropped",
)
"""Error counters that every port has."""
_NARROW, _WIDE = (by_spelling("ibqueryerrors", extended=wide) for wide in (False, True))
_NARROW_DATA, _WIDE_DATA = (by_spelling("perfquery", extended=wide) for wide in (False, True))
_WAITS = frozenset(("PortXmitWait", "XmtWait"))
_ALL_DATA = DATA_COUNTERS | CAST_COUNTERS
_DATA_NAMES = ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts")
_DATA_COLUMNS = frozenset(names[name][1] for names in (_NARROW_DATA, _WIDE_DATA) for name in _DATA_NAMES)
_NARROW_FULL = (1 << 32) - 1


class Rules(NamedTuple):
    """What a counter that is not printed means in one file.

    Attributes:
        zero: Counters that are 0 where they are not printed.
        counts_waits: Nodes that print PortXmitWait somewhere: they have that register.
        wide_data: Nodes that print 64-bit data counters.
    """

    zero: frozenset[str]
    counts_waits: frozenset[str]
    wide_data: frozenset[str]


class _Entry(NamedTuple):
    """What a printed name stands for.

    Attributes:
        counter: Name of the counter.
        column: The column its register has.
        cell_of: Reads its values.
        detail: Whether it is one of the details.
        parent: Whether details may follow it.
    """

    counter: str
    column: str
    cell_of: Callable[[str], Cell]
    detail: bool
    parent: bool


def rules_of(found: Found) -> Rules:
    """Find out from the whole file what is 0 where it is not printed."""
    summary = found.summary
    hidden = {name for name, most in (summary.thresholds or {}).items() if most} | set(summary.suppressed)
    counters = {_NARROW[name][0].name for name in hidden if name in _NARROW}
    trusted = found.complete and not found.data_alone
    return Rules(
        frozenset((*ALWAYS_READ, _XMIT_WAIT)) - counters if trusted else frozenset(),
        frozenset(port.node_guid for port in found.ports if port.names & _WAITS),
        frozenset(port.node_guid for port in found.ports if _prints_wide_data(port)),
    )


def _prints_wide_data(port: PortLine) -> bool:
    """Whether a line has data counters that only the 64-bit registers hold."""
    if port.names.isdisjoint(_ALL_DATA):
        return False
    return bool(port.names & CAST_COUNTERS) or any(
        name in DATA_COUNTERS and (decimal(text, 20) or 0) > _NARROW_FULL for name, text, _ in port.items
    )


def read_line(port: PortLine, rules: Rules, troubles: Gathering) -> tuple[CounterRow, CounterRow]:
    """Read the counters of a line.

    Args:
        port: The line.
        rules: What a counter that is not printed means.
        troubles: Takes values that cannot be, and names that are not known.

    Returns:
        The counters of the port and the details, which may be none. What is not among their cells was not
        collected, or may be hidden by a threshold.
    """
    pma: dict[str, Cell] = {}
    detail: dict[str, Cell] = {}
    extras: dict[str, str] = {}
    wide = False
    for name, _, spelt in port.items:
        if spelt and name not in _ALL_DATA:
            wide = True
            break
    wide_data = wide or port.node_guid in rules.wide_data
    parent: str | None = None
    for name, text, spelt in port.items:
        entry = _entry(name, bool(spelt), wide_data)
        if entry is None:
            extras[f"x_{name}"] = text
            troubles.add("unknown_field", port.line, f"{name} is not known: kept as text", level=Level.INFO)
            continue
        counter, column, cell_of, is_detail, is_parent = entry
        cell = cell_of(text)
        if cell[0] is None:
            message = f"{name} cannot be {text[:40]!r}: left out"
            troubles.add("bad_value", port.line, message, "the port is judged by its other counters")
        if is_detail:
            _add_detail(counter, cell, parent, port, detail, troubles)
        else:
            parent = counter if is_parent else parent
            pma[column] = cell
    waits = port.node_guid in rules.counts_waits
    data = not port.names.isdisjoint(DATA_COUNTERS)
    zeros = _zeros(rules.zero, wide, waits, wide_data if data else None) if port.whole else frozenset()
    if port.data_only:
        zeros &= _DATA_COLUMNS
    where = {"node_guid": port.node_guid, "port_num": port.num}
    return CounterRow(port.line, where, pma, extras, zeros), CounterRow(port.line, where, detail)


@lru_cache(maxsize=512)
def _entry(name: str, spelt: bool, wide_data: bool) -> _Entry | None:
    """Return what a name stands for."""
    if name in _ALL_DATA:
        known = (_WIDE_DATA if wide_data else _NARROW_DATA).get(name)
    else:
        known = (_WIDE if spelt else _NARROW).get(name)
    if known is None:
        return None
    counter, column = known
    details = counter.group is CounterGroup.DETAIL
    return _Entry(counter.name, column, cell_reader(column), details, counter.name in _PARENTS)


@lru_cache(maxsize=64)
def _zeros(read: frozenset[str], wide: bool, waits: bool, wide_data: bool | None) -> frozenset[str]:
    """Return the columns that are 0 where a line does not show them."""
    counters = (CATALOGUE[name] for name in read if waits or name != _XMIT_WAIT)
    columns = {counter.ext_name if wide else counter.name for counter in counters}
    if wide_data is not None:
        names = _WIDE_DATA if wide_data else _NARROW_DATA
        columns |= {names[name][1] for name in _DATA_NAMES}
    return frozenset(columns)


def _add_detail(
    name: str, cell: Cell, parent: str | None, port: PortLine, detail: dict[str, Cell], troubles: Gathering
) -> None:
    """Add a detail under its true name: rdma-core prints either kind under the names of the other.

    The two kinds share the places of their registers, and the details stand behind what they detail.
    """
    family = _PARENTS.get(parent or "")
    if family is None:
        troubles.add("lone_detail", port.line, f"{name} stands behind no counter it could detail: left out")
        return
    if name not in family:
        printed_as = _DISCARD if family is _RECEIVE else _RECEIVE
        place = printed_as.index(name)
        message = "details stand under each other's names, as some versions print them: read by their place"
        troubles.add("swapped_details", port.line, message, level=Level.INFO)
        if place >= len(family):
            return
        # What lies beyond the shorter list of names is not printed, so it is not known to be 0.
        family, name = family[: len(printed_as)], family[place]
    # Where a part of the line is lost, a detail that is not there is not known to be 0.
    for other in family if port.whole else ():
        detail.setdefault(other, (0, Quality.NARROW))
    detail[name] = cell
