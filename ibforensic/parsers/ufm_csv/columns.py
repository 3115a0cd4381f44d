"""The columns of UFM telemetry: which of them say whose a row is, and what each of the others holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.counters import Counter, by_spelling
from ibforensic.parsers.readings import temperature_c

__all__ = ["BERS", "COUNTERS", "MODULES", "PORTS", "Keys", "histogram", "keys_of", "since_clear"]

COUNTERS: Mapping[str, tuple[Counter, str]] = by_spelling("ufm", extended=True)
"""Column → counter and value column."""
BERS = {
    "Total_Raw_BER": "raw",
    "Raw_BER": "raw",
    "Effective_BER": "effective",
    "Symbol_BER": "symbol",
}
"""Column → kind of bit error ratio."""
_SPEED_BITS = {
    1: "SDR",
    2: "DDR",
    4: "QDR",
    8: "FDR10",
    16: "FDR",
    32: "EDR",
    64: "HDR",
    128: "NDR",
    256: "XDR",
}
"""Speeds as the PHY registers number them."""
_CLEARED = re.compile(r"Time_since_last_clear_\[?Min\]?", re.IGNORECASE)
_HISTOGRAM = re.compile(r"hist(\d{1,2})", re.ASCII)

Read = Callable[[str], Any]


def _coded(words: Mapping[int, Any]) -> Read:
    """Make the reader of a number that stands for a word."""
    by_text = {str(number): word for number, word in words.items()}

    def read(text: str) -> Any:
        return by_text.get(text)

    return read


def _text(text: str) -> str | None:
    """Read text; a word for "nothing" is nothing."""
    return None if text.upper() in ("N/A", "NA") else text


PORTS: Mapping[str, tuple[str, Read]] = {
    "port_label": ("port_label", _text),
    "phy_state": ("phys_state", _coded(link_terms.PHYS_STATE)),
    "logical_state": ("state", _coded(link_terms.PORT_STATE)),
    "Link_speed_active": ("speed_active", _coded(_SPEED_BITS)),
    "Link_width_active": ("width_active", _coded(link_terms.WIDTH_BITS)),
    "Active_FEC": ("fec", _coded(link_terms.FEC_PHY_REGISTER)),
}
"""Column → column of ``ports``, and how it is read."""
MODULES: Mapping[str, tuple[str, Read]] = {"Module_Temperature": ("temperature_c", temperature_c)}
"""Column → column of ``modules``, and how it is read."""
_KEYS = {
    "nodeguid": "node",
    "portguid": "port_guid",
    "portnum": "port",
    "portnumber": "port",
    "timestamp": "time",
    "lid": "lid",
    "nodedescription": "name",
    "deviceid": "device",
}
"""Column in lower case without underscores → part of the key, or of the node."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Places of the columns that say whose a row is.

    Attributes:
        places: Part → place of its column.
    """

    places: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether node and port are told."""
        return {"node", "port"} <= self.places.keys()


def keys_of(header: Sequence[str]) -> Keys:
    """Find the columns that say whose a row is; of two of a kind the first.

    Args:
        header: Names of the columns.
    """
    places: dict[str, int] = {}
    for at, name in enumerate(header):
        part = _KEYS.get(name.lower().replace("_", ""))
        if part is not None:
            places.setdefault(part, at)
    return Keys(places)


def histogram(header: Sequence[str]) -> list[int]:
    """Return the places of ``hist0``, ``hist1`` … in their order.

    Args:
        header: Names of the columns.
    """
    bins: Iterable[tuple[int, int]] = (
        (int(match[1]), at) for at, name in enumerate(header) if (match := _HISTOGRAM.fullmatch(name))
    )
    return [at for _, at in sorted(bins)]


def since_clear(header: Sequence[str]) -> int | None:
    """Return the place of the minutes since the last clear, where there is one."""
    return next((at for at, name in enumerate(header) if _CLEARED.fullmatch(name)), None)
