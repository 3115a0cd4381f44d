"""Rankers that need no thought, to be measured on the same cases.

Each gives ports a score from the same parsed data that our verdict is made of: the growth of counters is the
plain difference of two readings, and a reading that fell counts as no growth. Ports without a score are not
listed. These are our own programs after what is published of each way of ranking (KNOWLEDGE §1.10).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bench.evaluate.matching import Spot
from ibforensic.diff.facts import Facts
from ibforensic.diff.merge import Cells
from ibforensic.model.counters import in_group
from ibforensic.model.counters.pma import ERRORS
from ibforensic.model.enums import CounterGroup
from ibforensic.model.ids import PortKey

Scores = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Ranker = Callable[[Facts], Scores]

_ERRORS = tuple(counter.name for counter in in_group(CounterGroup.PMA) if counter.cleared_with == ERRORS)
"""The error counters that every tool reads."""
_SYMBOLS, _DOWNS = "symbol_error_counter", "link_downed_counter"
_BER_LIMIT, _EXPECTED = 1e-15, 3.0
"""The PDR plugin's longer window: more symbol errors than a line at its limit has in it."""
_DROP_LIMIT = 1e-12
_HOT_C, _JUMP_C = 70.0, 10.0


def _values(cells: Cells) -> Scores:
    """Return readings, 0 where there is none."""
    return np.where(cells.known, cells.value, 0).astype(np.float64)


def _now(facts: Facts, name: str) -> Scores:
    return _values(facts.growth.counters[name].after)


def _delta(facts: Facts, name: str) -> Scores:
    growth = facts.growth.counters[name]
    both = growth.before.known & growth.after.known
    return np.where(both, np.maximum(0.0, _values(growth.after) - _values(growth.before)), 0.0)


def _total(parts: Sequence[Scores | Mask]) -> Scores:
    return np.asarray(np.sum(parts, axis=0), dtype=np.float64)


def largest_reading(facts: Facts) -> Scores:
    """Rank by the sum of all error counters now."""
    return _total([_now(facts, name) for name in _ERRORS])


def largest_delta(facts: Facts) -> Scores:
    """Rank by how much the sum of all error counters grew."""
    return _total([_delta(facts, name) for name in _ERRORS])


def _above(limit: float) -> Ranker:
    """Return a ranker like ``ibqueryerrors``, which lists ports with a counter above a limit.

    It has no order of its own; here the port with most counters above comes first, then the largest sum.
    """

    def rank(facts: Facts) -> Scores:
        readings = [_now(facts, name) for name in _ERRORS]
        above = _total([reading > limit for reading in readings])
        total = _total([np.where(reading > limit, reading, 0.0) for reading in readings])
        return np.where(above > 0, above + total / (total + 1.0), 0.0)

    return rank


def pdr_like(facts: Facts) -> Scores:
    """Rank like the packet drop rate plugin of UFM: by how many of its rules fire, then by symbol errors.

    The rules: more symbol errors than the line's rate allows, more than one packet in 10^12 lost, a hot or
    suddenly hotter module, and link downs that rose at both ends. Links to hosts are not left out.
    """
    seconds = max(1.0, facts.pair.gap_s or 1.0)
    symbols = _delta(facts, _SYMBOLS)
    bits = np.nan_to_num(facts.growth.line_bits, nan=1e11) * seconds
    lost = _delta(facts, "port_rcv_errors") + _delta(facts, "port_xmit_discards")
    packets = _delta(facts, "port_rcv_pkts") + _delta(facts, "port_xmit_pkts")
    rules = [
        (symbols > bits * _BER_LIMIT) & (symbols > _EXPECTED),
        lost > _DROP_LIMIT * np.maximum(1.0, packets),
        _hot(facts),
        _downs_at_both_ends(facts),
    ]
    fired = _total(rules)
    return np.where(fired > 0, fired + symbols / (symbols + 1e6), 0.0)


def flaps(facts: Facts) -> Scores:
    """Rank by how often the link went down, as netfix does."""
    return _delta(facts, _DOWNS)


def _hot(facts: Facts) -> Mask:
    """Where a module is hot now, or much hotter than it was."""
    then, now = (_module_temperatures(facts, side) for side in ("baseline", "current"))
    return np.array(
        [
            now.get(port, 0.0) > _HOT_C or now.get(port, 0.0) - then.get(port, 1e9) > _JUMP_C
            for port in facts.pair.port_keys
        ]
    )


def _module_temperatures(facts: Facts, side: str) -> dict[PortKey, float]:
    """Read the temperatures of modules."""
    view = facts.pair.baseline if side == "baseline" else facts.pair.current
    rows = view.table("modules").select(["node_guid", "port_num", "temperature_c"]).to_pylist()
    return {
        PortKey(row["node_guid"], row["port_num"]): row["temperature_c"]
        for row in rows
        if row["node_guid"] and row["port_num"] is not None and row["temperature_c"] is not None
    }


def _downs_at_both_ends(facts: Facts) -> Mask:
    """Where link downs rose at a port and at its peer."""
    rose = dict(zip(facts.pair.port_keys, _delta(facts, _DOWNS) > 0, strict=True))
    peers = facts.who.peers
    return np.array([bool(up and rose.get(peers.get(port, port), False)) for port, up in rose.items()])


RANKERS: Mapping[str, Ranker] = {
    "largest reading": largest_reading,
    "largest delta": largest_delta,
    "ibqueryerrors > 0": _above(0.0),
    "ibqueryerrors > 10": _above(10.0),
    "ibqueryerrors > 100": _above(100.0),
    "PDR-like": pdr_like,
    "netfix-like (flaps)": flaps,
}
"""Name → ranker."""


def ranking(facts: Facts, ranker: Ranker) -> list[Spot]:
    """List ports from the most suspicious one on, as a ranker has it.

    Args:
        facts: The two samples.
        ranker: One of ``RANKERS``.

    Returns:
        Ports with a score; ports of equal score in the order of their keys.
    """
    scores = ranker(facts)
    peers = facts.who.peers
    order = np.argsort(-scores, kind="stable")
    ports = [facts.pair.port_keys[at] for at in order if scores[at] > 0]
    return [Spot(port, peers.get(port)) for port in ports]
