"""Printed readings: power, temperature, voltage, length, bit error ratios, hexadecimal numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibforensic.parsers.readings import (
    Ber,
    ber,
    ber_of,
    bias_ma,
    decimal,
    hexadecimal,
    is_missing,
    length_m,
    limit_dbm,
    number,
    power_dbm,
    temperature_c,
    voltage_v,
)

READERS = (power_dbm, temperature_c, voltage_v, length_m, bias_ma, limit_dbm)


@pytest.mark.parametrize(
    ("text", "dbm"),
    [
        ("1.585 mW, 2.000 dBm", 2.0),
        ("0.631 mW, -2.000 dBm", -2.0),
        ("1.000 mW, 0.000 dBm", 0.0),
        ('"1.000 mW, 0.000 dBm"', 0.0),
        ("2.000 dBm", 2.0),
        ("-999.999 mW, 0.000 dBm", None),
        ("0.000 mW, -999.999 dBm", None),
        ("inf mW, 65496.000 dBm", -40.0),
        ("inf mW, 65534.000 dBm", -2.0),
        ("inf mW, 64636.000 dBm", None),
        ("N/A", None),
        ("1.585 mW", None),
        ("1.585 mW, 2.000 dBm, more", None),
        ("", None),
    ],
)
def test_power_in_all_its_forms(text, dbm):
    assert power_dbm(text) == dbm


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("58C", 58),
        ("-5C", -5),
        ('"42C"', 42),
        ("0C", 0),
        ("61.5 C", 61.5),
        ("N/A", None),
        ("NA", None),
        ("F", None),
    ],
)
def test_temperatures(text, degrees):
    assert temperature_c(text) == degrees


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (voltage_v, "3303400uV", 3.3034),
        (voltage_v, "3300 mV", 3.3),
        (voltage_v, "0uV", 0.0),
        (voltage_v, "33034", None),
        (length_m, "2 m", 2.0),
        (length_m, "50cm", 0.5),
        (length_m, "2 km", 2000.0),
        (length_m, "NA", None),
        (length_m, "2", None),
        (bias_ma, "7.216 mA", 7.216),
        (bias_ma, "6500", 6500.0),
        (bias_ma, "N/A", None),
        (limit_dbm, "65530", -6.0),
        (limit_dbm, "4", 4.0),
        (limit_dbm, "32768", None),
        (limit_dbm, "1.5", None),
    ],
)
def test_other_readings(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("1e-08", Ber(-8.0, False)),
        ("5E-8", Ber(-7.30103, False)),
        ("1", Ber(0.0, False)),
        ("1.5e-254", Ber(None, True)),
        ("15E-255", Ber(None, True)),
        ("", Ber()),
        ("N/A", Ber()),
        ("0", Ber()),
        ("0e-08", Ber()),
        ("1.5e+01", Ber()),
        ("-1e-08", Ber()),
        ("1e-08 x", Ber()),
    ],
)
def test_bit_error_ratios(text, ratio):
    assert ber(text) == ratio


@given(st.integers(1, 15), st.integers(2, 249))
def test_a_register_and_its_print_mean_the_same(coefficient, magnitude):
    of_register = ber_of(coefficient, magnitude)
    assert of_register == ber(f"{coefficient}E-{magnitude}")
    assert of_register.none is False
    assert math.isclose(10**of_register.log10, coefficient * 10.0**-magnitude, rel_tol=1e-4)


@given(st.integers(-400, 400))
def test_power_survives_the_loss_of_its_sign(tenths):
    dbm = tenths / 10
    printed = dbm + 65536 if dbm < 0 else dbm
    assert power_dbm(f"inf mW, {printed:.3f} dBm") == pytest.approx(dbm)


@given(st.integers(-99, 199))
def test_temperature_reads_what_is_printed(degrees):
    assert temperature_c(f"{degrees}C") == degrees


@given(st.integers(0, (1 << 64) - 1))
def test_hexadecimal_with_and_without_prefix(value):
    assert hexadecimal(f"{value:x}") == hexadecimal(f"0x{value:X}") == hexadecimal(f"{value:016x}") == value


@pytest.mark.parametrize("text", ["", "0x", "g", "-1", "1 2", "0x10000000000000000", "N/A", "½"])
def test_what_is_not_hexadecimal(text):
    assert hexadecimal(text) is None


def test_numbers_of_a_width():
    assert (hexadecimal("ffffffff", 32), hexadecimal("0x100000000", 32)) == (0xFFFFFFFF, None)
    assert [decimal(text, 4) for text in ("0012", "9999", "10000", "", "-1", "1 ", "²", "0x1")] == [
        *(12, 9999),
        *[None] * 6,
    ]
    assert [number(text) for text in ("12", "0x12", "0XfF", "ff", "0x1ffffffff")] == [12, 18, 255, None, None]


@given(st.text(max_size=30))
def test_any_text_is_a_finite_reading_or_none(text):
    for read in READERS:
        value = read(text)
        assert value is None or math.isfinite(value)
    ratio = ber(text)
    assert (ratio.log10 is None) == (ratio.none is not False)
    assert hexadecimal(text) is None or hexadecimal(text) >= 0


@pytest.mark.parametrize("text", ["", " ", "N/A", "NA", '"N/A"', "ERR - N/A"])
def test_words_for_no_value(text):
    assert is_missing(text)
    assert not is_missing("0")
