"""The limits of bit error ratios by speed, FEC and medium: all rows of the field table (demand D-31)."""

from __future__ import annotations

import pytest

from ibforensic.evidence.limits import NEW_CHIPS, limits_of
from ibforensic.model.link_terms import FEC_SMP

QUANTUM, QUANTUM_2, CONNECTX_6, CONNECTX_7 = 0xD2F0, 0xD2F2, 0x101B, 0x1021
PLR, HDR_PLR, KP4, RS, LL = (FEC_SMP[code] for code in (14, 13, 4, 2, 3))
COPPER, ACTIVE = True, False
ROWS = [
    ("NDR", PLR, COPPER, QUANTUM_2, 1e-6, 1e-11, 1e-14),
    ("NDR", PLR, ACTIVE, QUANTUM_2, 1e-5, 1e-11, 1e-14),
    ("NDR", HDR_PLR, ACTIVE, CONNECTX_7, 1e-5, 1e-11, 1e-14),
    ("NDR", KP4, COPPER, CONNECTX_7, 1e-7, 1e-13, 1e-13),
    ("NDR", KP4, ACTIVE, QUANTUM_2, 1e-5, 1e-13, 1e-13),
    ("HDR", HDR_PLR, COPPER, CONNECTX_7, 1e-7, 1e-13, 1e-14),
    ("HDR", PLR, ACTIVE, QUANTUM_2, 1e-7, 1e-13, 1e-14),
    ("HDR", KP4, COPPER, QUANTUM_2, 1e-7, 1e-13, 1e-13),
    ("HDR", KP4, ACTIVE, CONNECTX_7, 1e-7, 1e-13, 1e-13),
    ("HDR", KP4, COPPER, CONNECTX_6, 1e-5, 1e-13, 1e-13),
    ("HDR", HDR_PLR, ACTIVE, QUANTUM, 1e-5, 1e-13, 1e-13),
    ("EDR", RS, COPPER, CONNECTX_6, 1e-9, 1e-13, 1e-13),
    ("EDR", RS, ACTIVE, QUANTUM, 1e-9, 1e-13, 1e-13),
    ("EDR", LL, COPPER, QUANTUM, 1e-12, 1e-13, 1e-13),
    ("EDR", RS, COPPER, CONNECTX_7, 1e-12, 1e-13, 1e-13),
    ("EDR", FEC_SMP[0], COPPER, QUANTUM, 1e-13, 1e-13, 1e-13),
    ("EDR", FEC_SMP[0], ACTIVE, CONNECTX_7, 1e-13, 1e-13, 1e-13),
]


@pytest.mark.parametrize(("speed", "fec", "copper", "device", "raw", "effective", "symbol"), ROWS)
def test_d31_a_row_of_the_field_table(speed, fec, copper, device, raw, effective, symbol):
    row = limits_of(speed, fec, copper, device)
    assert (row.raw.error, row.effective.error, row.symbol.error) == (raw, effective, symbol)


@pytest.mark.parametrize(("speed", "fec", "copper", "device"), [row[:4] for row in ROWS])
def test_a_warning_comes_at_half_the_limit_and_normal_is_a_tenth(speed, fec, copper, device):
    row = limits_of(speed, fec, copper, device)
    for limit in (row.raw, row.effective, row.symbol):
        assert limit.warning == limit.error / 2
        assert limit.normal == pytest.approx(limit.error / 10)
    assert speed in row.name


def test_xdr_is_judged_as_ndr():
    assert limits_of("XDR", PLR, ACTIVE, None) == limits_of("NDR", PLR, ACTIVE, None)


@pytest.mark.parametrize("speed", ["FDR", "QDR", None])
def test_slower_links_have_no_row(speed):
    assert limits_of(speed, None, COPPER, CONNECTX_6) is None


def test_where_nobody_tells_the_fec_the_usual_one_is_taken():
    for speed, usual in (("NDR", PLR), ("HDR", HDR_PLR), ("EDR", RS)):
        for device in (QUANTUM_2, QUANTUM):
            assert limits_of(speed, None, ACTIVE, device) == limits_of(speed, usual, ACTIVE, device)


def test_an_unknown_chip_is_held_to_the_wider_limits():
    assert limits_of("HDR", KP4, COPPER, None) == limits_of("HDR", KP4, COPPER, QUANTUM)
    assert not {QUANTUM, CONNECTX_6} & NEW_CHIPS
