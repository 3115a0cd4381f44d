from __future__ import annotations

import pytest

from ibforensic.report.rates import rate


def item(before, after, exposure, per, **extra):
    return {
        "before": before,
        "after": after,
        "exposure": exposure,
        "exposure_unit": per,
        "class": "exact",
        "unit": "events",
        "params": {},
        **extra,
    }


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (item(0, 12, 3600.0, "s"), "12 an hour"),
        (item(5, 26, 604800.0, "seconds"), "3 a day"),
        (item(0, 2, 604800.0, "s"), "2 in 7 d"),
        (item(0, 7200, 3600.0, "s"), "2 a second"),
        (item(0, 90, 3600.0, "s"), "1.5 a minute"),
        (item(107, 48578, 2.5704e17, "bits"), "errors per bit 1.9e-13"),
        (item(8, 17312, 76309529963.0, "packets"), "1 in 4.4e6 packets"),
        (item(0, 10, 10.0, "packets"), "every packet"),
        (item(0, 12, 3600.0, "s", **{"class": "at_least"}), "at least 12 an hour"),
        (item(0, 100, 1e15, "bits", **{"class": "at_least"}), "errors per bit at least 1e-13"),
        (item(0, 10, 1e6, "packets", **{"class": "at_least"}), "at least 1 in 1e5 packets"),
        (item(90, 12, 3600.0, "s", **{"class": "at_least", "params": {"delta": 24}}), "at least 24 an hour"),
    ],
)
def test_growth_over_what_it_is_divided_by(told, text):
    assert rate(told) == text


@pytest.mark.parametrize(
    "told",
    [
        item(None, 12, 3600.0, "s"),
        item(0, 12, None, ""),
        item(0, 12, 0, "s"),
        item(12, 12, 3600.0, "s"),
        item(90, 12, 3600.0, "s"),
        item(0, 12, 3600.0, "s", **{"class": "unknown"}),
        item(1.2e-15, 3.4e-9, 3600.0, "s", unit="BER"),
        item(400, 800, 3600.0, "s", unit="Gb/s"),
        item("FDR", "NDR", 3600.0, "s"),
        item(0, 12, 3600.0, "octets"),
    ],
)
def test_without_known_growth_there_is_no_rate(told):
    assert rate(told) == ""
