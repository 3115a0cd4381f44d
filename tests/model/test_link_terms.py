"""Speed, width and FEC numbers against the values of atlas §4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibforensic.model.link_terms import (
    FEC_PHY_REGISTER,
    FEC_SMP,
    LANE_GBPS,
    LSA_SPEED,
    MTU_BYTES,
    NOMINAL_LANE_GBPS,
    PHYS_STATE,
    PORT_STATE,
    RETRANSMISSION,
    WIDTH_BITS,
    WIDTH_LANES,
    active_speed,
    line_bits_per_second,
    rate_gbps,
    speed_set,
    width_set,
)


@pytest.mark.parametrize(
    ("word", "speed"),
    [
        (0, None),
        (1, "SDR"),
        (2, "DDR"),
        (4, "QDR"),
        (0x0104, "FDR"),
        (0x0204, "EDR"),
        (0x0404, "HDR"),
        (2052, "NDR"),
        (2048, "NDR"),
        (0x010004, "FDR10"),
        (0x020004, "EDR20"),
        (0x01000004, "XDR"),
        (0x01000804, "XDR"),
        (0x8000, None),
    ],
)
def test_active_speed(word, speed):
    assert active_speed(word) == speed


@pytest.mark.parametrize(
    ("word", "speeds"),
    [
        (3845, "SDR,QDR,FDR,EDR,HDR,NDR"),
        (3841, "SDR,FDR,EDR,HDR,NDR"),
        (3591, "SDR,DDR,QDR,EDR,HDR,NDR"),
        (0x01000F05, "SDR,QDR,FDR,EDR,HDR,NDR,XDR"),
        (0x030000, "FDR10,EDR20"),
        (0, None),
        (0x80000000, None),
    ],
)
def test_speed_set(word, speeds):
    assert speed_set(word) == speeds


@pytest.mark.parametrize(
    ("mask", "widths"),
    [(19, "1x,2x,4x"), (3, "1x,4x"), (31, "1x,2x,4x,8x,12x"), (2, "4x"), (0, None), (32, None)],
)
def test_width_set(mask, widths):
    assert width_set(mask) == widths


@pytest.mark.parametrize(
    ("width", "speed", "rate"),
    [
        ("4x", "SDR", 10),
        ("4x", "QDR", 40),
        ("4x", "FDR10", 40),
        ("4x", "FDR", 56),
        ("4x", "EDR20", 80),
        ("4x", "EDR", 100),
        ("4x", "HDR", 200),
        ("2x", "HDR", 100),
        ("4x", "NDR", 400),
        ("2x", "NDR", 200),
        ("4x", "XDR", 800),
        ("1x", "XDR", 200),
        (None, "NDR", None),
        ("4x", None, None),
        ("3x", "NDR", None),
        ("4x", "ZDR", None),
    ],
)
def test_nominal_rate(width, speed, rate):
    assert rate_gbps(width, speed) == rate


@pytest.mark.parametrize(
    ("width", "speed", "rate"),
    [
        ("4x", "NDR", 425e9),
        ("4x", "HDR", 212.5e9),
        ("2x", "NDR", 212.5e9),
        ("4x", "QDR", 40e9),
        ("4x", None, None),
    ],
)
def test_line_rate_is_the_signalling_rate(width, speed, rate):
    assert line_bits_per_second(width, speed) == rate


@given(st.integers(min_value=0, max_value=2**32 - 1))
def test_any_word_is_decoded_or_none(word):
    speeds = speed_set(word)
    assert active_speed(word) in {*LANE_GBPS, None}
    assert speeds is None or set(speeds.split(",")) <= set(LANE_GBPS)


@given(st.integers(min_value=0, max_value=255))
def test_any_mask_is_decoded_or_none(mask):
    widths = width_set(mask)
    assert (widths or "").count(",") + bool(widths) == sum(bool(mask & bit) for bit in WIDTH_BITS)


def test_each_speed_has_both_rates():
    assert set(LANE_GBPS) == set(NOMINAL_LANE_GBPS)
    assert list(LANE_GBPS.values()) == sorted(LANE_GBPS.values())
    assert set(LSA_SPEED.values()) == set(LANE_GBPS)
    assert set(WIDTH_BITS.values()) == set(WIDTH_LANES)


def test_the_two_fec_scales_name_the_same_codes():
    """Atlas §4: ibdiagnet 4 = register 7, 13 = register 12, 14 = register 13 or 14."""
    assert FEC_SMP[4] == FEC_PHY_REGISTER[7] == "RS_FEC_544_514"
    assert FEC_SMP[13] == FEC_PHY_REGISTER[12] == "MLNX_RS_544_514_PLR"
    assert FEC_SMP[14] == FEC_PHY_REGISTER[13] == FEC_PHY_REGISTER[14] == "MLNX_RS_271_257_PLR"
    assert 255 not in FEC_SMP


def test_codes_of_states_and_sizes():
    assert [str(PORT_STATE[code]) for code in range(1, 5)] == ["down", "init", "armed", "active"]
    assert sorted(PHYS_STATE) == list(range(1, 8))
    assert str(PHYS_STATE[2]) == "polling"
    assert str(PHYS_STATE[5]) == "link_up"
    assert {code: 128 * 2**code for code in range(1, 6)} == MTU_BYTES
    assert RETRANSMISSION == {0: "none", 1: "LLR64", 2: "LLR128", 3: "PLR"}
