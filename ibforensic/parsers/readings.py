"""From printed readings to numbers: optical power, temperature, voltage, length, bit error ratios, hex.

A reading that is not there is None, never 0. What counts as "not there":

=================================  ====================================================================
empty, ``N/A``, ``NA``             the device does not have it, or the register was not asked for
``-999.999 mW, 0.000 dBm``         no reading (exactly 0 dBm is printed with 1.000 mW)
``0.000 mW, -999.999 dBm``         the same in older versions
``inf mW, 65496.000 dBm``          a reading: 16 bits with a sign printed without it, here -40 dBm
``15E-255``, ``1.5e-254``          a bit error ratio of "no error seen"
a bit error ratio of 0 or above 1  no reading: the register was not filled
=================================  ====================================================================

Source: atlas §5.1, §5.3 and §5.4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import NamedTuple, TypeVar

__all__ = [
    "Ber",
    "bare",
    "ber",
    "ber_of",
    "bias_ma",
    "decimal",
    "hexadecimal",
    "is_missing",
    "length_m",
    "limit_dbm",
    "number",
    "power_dbm",
    "temperature_c",
    "voltage_v",
]

_MISSING = frozenset({"", "n/a", "na", "err", "err - n/a"})
_AMOUNT = r"([+-]?\d{1,12}(?:\.\d{1,12})?)"
_TEMPERATURE = re.compile(rf"{_AMOUNT}[ \t]*(?:°?C)?", re.ASCII)
_VOLTAGE = re.compile(rf"{_AMOUNT}[ \t]*([um]?V)", re.ASCII)
_LENGTH = re.compile(rf"{_AMOUNT}[ \t]*(cm|m|km)", re.ASCII)
_BIAS = re.compile(rf"{_AMOUNT}[ \t]*(?:mA)?", re.ASCII)
_POWER = re.compile(
    rf"(?:(?P<mw>[+-]?(?:\d{{1,12}}(?:\.\d{{1,12}})?|inf|nan))[ \t]*mW[ \t]*,?[ \t]*)?{_AMOUNT}[ \t]*dBm",
    re.ASCII,
)
_WHOLE = re.compile(r"[+-]?\d{1,12}", re.ASCII)
_BER = re.compile(r"(\d{1,12}(?:\.\d{0,12})?)(?:[eE]([+-]?\d{1,3}))?", re.ASCII)
_HEX = re.compile(r"(?:0[xX])?([0-9a-fA-F]{1,16})", re.ASCII)
_NO_ERROR_BELOW = -250.0
_NO_POWER = 900.0
_VOLTS = {"uV": 1e-6, "mV": 1e-3, "V": 1.0}
_METRES = {"cm": 0.01, "m": 1.0, "km": 1000.0}
_LONGEST = 80
_Read = TypeVar("_Read")


class Ber(NamedTuple):
    """A bit error ratio.

    Attributes:
        log10: Its logarithm; None where no error was seen or nothing is known.
        none: True where no error was seen, False where one was, None where nothing is known.
    """

    log10: float | None = None
    none: bool | None = None


def _remembered(read: Callable[[str], _Read]) -> Callable[[str], _Read]:
    """Remember what short texts mean, since they repeat; no reading is longer than that."""
    known = lru_cache(maxsize=4096)(read)

    @wraps(read)
    def look(text: str) -> _Read:
        return known(text) if len(text) <= _LONGEST else read("")

    return look


def is_missing(text: str) -> bool:
    """Whether a text is one of the words for "no value"."""
    return len(text) <= _LONGEST and _missing(text)


@lru_cache(maxsize=4096)
def _missing(text: str) -> bool:
    """Do the work of ``is_missing``, once for each text."""
    return bare(text).lower() in _MISSING


def bare(text: str) -> str:
    """Return a text without the blanks and stray quotes at its ends."""
    return text.strip().strip('"').strip()


@_remembered
def temperature_c(text: str) -> float | None:
    """Read a temperature.

    Args:
        text: ``58C``, ``-5C``, ``N/A``.

    Returns:
        Degrees Celsius. ``0C`` is 0: whether the module can measure at all, only its other lines tell.
    """
    match = _TEMPERATURE.fullmatch(bare(text))
    return float(match[1]) if match else None


@_remembered
def voltage_v(text: str) -> float | None:
    """Read a voltage such as ``3303400uV``; None for one without its unit."""
    match = _VOLTAGE.fullmatch(bare(text))
    return round(float(match[1]) * _VOLTS[match[2]], 9) if match else None


@_remembered
def length_m(text: str) -> float | None:
    """Read a length such as ``2 m``; None for one without its unit."""
    match = _LENGTH.fullmatch(bare(text))
    return round(float(match[1]) * _METRES[match[2]], 6) if match else None


@_remembered
def bias_ma(text: str) -> float | None:
    """Read a laser's bias current such as ``7.216 mA``."""
    match = _BIAS.fullmatch(bare(text))
    return float(match[1]) if match else None


@_remembered
def power_dbm(text: str) -> float | None:
    """Read an optical power.

    Args:
        text: ``1.585 mW, 2.000 dBm`` or one of the odd forms above; ``2.000 dBm`` alone is read too.

    Returns:
        dBm, None where the module gives no reading.
    """
    match = _POWER.fullmatch(bare(text))
    if not match:
        return None
    dbm = _signed(float(match[2]))
    milliwatts = float(match["mw"]) if match["mw"] else None
    if abs(dbm) >= _NO_POWER or (dbm == 0 and milliwatts is not None and milliwatts <= -_NO_POWER):
        return None
    return dbm


@_remembered
def limit_dbm(text: str) -> float | None:
    """Read a limit of optical power: whole dBm, a negative one without its sign (``65530`` is -6)."""
    match = _WHOLE.fullmatch(bare(text))
    dbm = _signed(float(match[0])) if match else None
    return None if dbm is None or abs(dbm) >= _NO_POWER else dbm


@_remembered
def ber(text: str) -> Ber:
    """Read a bit error ratio.

    Args:
        text: ``1e-08``, ``1.5e-254``, ``15E-255``, ``N/A`` or blank.

    Returns:
        Its logarithm, or that no error was seen; a blank cell gives neither: it was not collected.
    """
    match = _BER.fullmatch(bare(text))
    if not match:
        return Ber()
    return ber_of(float(match[1]), -int(match[2] or 0))


def ber_of(coefficient: float, magnitude: int) -> Ber:
    """Make a bit error ratio of ``coefficient * 10**-magnitude``, as the PHY registers hold it.

    Args:
        coefficient: From 0 to 15 in a register.
        magnitude: From 0 to 255 in a register; 15 and 255 mean that no error was seen.

    Returns:
        The ratio; nothing where it is 0 or above 1, which no filled register holds.
    """
    if not coefficient > 0 or not math.isfinite(coefficient):
        return Ber()
    log10 = math.log10(coefficient) - magnitude
    if log10 <= _NO_ERROR_BELOW:
        return Ber(None, True)
    return Ber(round(log10, 6), False) if log10 <= 0 else Ber()


def hexadecimal(text: str, bits: int = 64) -> int | None:
    """Read a hexadecimal number with or without ``0x``, at most 64 bits; None for anything else.

    Args:
        text: The number.
        bits: A number that needs more is none.
    """
    match = _HEX.fullmatch(text.strip())
    value = int(match[1], 16) if match else None
    return value if value is not None and value < 1 << bits else None


def decimal(text: str, digits: int = 9) -> int | None:
    """Read a decimal number without a sign; None for anything else, and for one of more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def number(text: str) -> int | None:
    """Read a number of at most 32 bits, hexadecimal where it says so; None for anything else."""
    return hexadecimal(text, 32) if text[:2] in ("0x", "0X") else decimal(text)


def _signed(value: float) -> float:
    """Give a number above 32767 the sign that was lost in print."""
    return value - 65536 if 32767 < value < 65536 else value
