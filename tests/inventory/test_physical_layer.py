"""Bit error ratios, temperatures, modules, power supplies, and what the tool itself says."""

from __future__ import annotations

import pytest
from handmade import guid, hca, port, switch
from stock import cells, stock

from ibforensic.model.inventory import Grade


def phy(number, port_num, **logs):
    """The row of a port's bit error ratios, as log10; None: no error was seen."""
    row = {"node_guid": guid(number), "port_num": port_num}
    for kind, value in logs.items():
        row |= {f"{kind}_ber_log10": value, f"{kind}_ber_none": value is None}
    return row


def test_ratios_are_judged_by_the_limits_of_their_kind_of_link():
    rows = [
        phy(11, 1, raw=-4.5, effective=-10.0, symbol=-12.0),
        phy(12, 1, raw=-5.5, effective=-11.5, symbol=-14.5),
    ]
    found = stock(phy=rows)
    for kind, ratio, limit in (("raw", 3.2e-5, 1e-5), ("effective", 1e-10, 1e-11), ("symbol", 1e-12, 1e-14)):
        section = found[f"{kind}_ber"]
        assert section.rows[0][:3] == ("host-11 mlx5_0 port 1", ratio, limit)
        assert (section.count, section.level) == (1, Grade.NOTICE)


def test_copper_has_another_limit():
    module = {"node_guid": guid(12), "port_num": 1, "technology": "Copper cable- unequalized"}
    found = stock(phy=[phy(12, 1, raw=-5.5)], modules=[module])["raw_ber"]
    assert found.rows[0][2] == 1e-6


def test_no_error_seen_is_none_above_the_limit():
    found = stock(phy=[phy(11, 1, raw=None, effective=None, symbol=None)])
    assert [found[f"{kind}_ber"].count for kind in ("raw", "effective", "symbol")] == [0, 0, 0]


def test_older_tools_print_errors_without_a_ratio():
    rows = [
        {
            "node_guid": guid(11),
            "port_num": 1,
            "basis": "cumulative",
            "phy_symbol_errors": 3,
            "phy_symbol_errors_q": 0,
        }
    ]
    found = stock(counters_phy=rows)["symbol_ber"]
    assert found.rows[0][:4] == ("host-11 mlx5_0 port 1", None, 1e-14, 3)


def sensor(number, value, name="temperature/asic"):
    return {"node_guid": guid(number), "sensor": name, "kind": "temperature", "value": value}


def test_hundreds_of_warm_devices_are_one_row_and_no_notice():
    hot = [hca(number, generation="ConnectX-7") for number in range(100, 400)]
    rows = [sensor(number, 74.0 + number % 5) for number in range(100, 400)]
    found = stock(nodes=[switch(1), *hot], links=[], ports=[], sensors=rows)
    assert found["device_temperatures"].rows[0][:5] == ("ConnectX-7 asic", 300, 76.0, 78.0, 300)
    assert found["device_temperatures"].level is Grade.INFO
    assert (found["far_warmer"].count, found["far_warmer"].level) == (0, Grade.INFO)


def test_one_that_is_far_warmer_than_its_kind_is_named():
    kind = [hca(number, generation="ConnectX-7") for number in range(100, 110)]
    rows = [sensor(number, 92.0 if number == 103 else 60.0) for number in range(100, 110)]
    found = stock(nodes=kind, links=[], ports=[], sensors=rows)["far_warmer"]
    assert found.rows == (("host-103 mlx5_0", "ConnectX-7 asic", 92.0, 60.0),)
    assert found.level is Grade.NOTICE


def module(number, vendor, part, serial, temperature=None):
    where = {"node_guid": guid(number), "port_num": 1, "vendor": vendor, "part_number": part}
    return {**where, "serial": serial, "temperature_c": temperature}


def test_third_party_modules_by_vendor_and_part():
    rows = [
        module(11, "NVIDIA", "MMA4Z00", "A1"),
        module(12, "Mellanox", "MFS1S00", "A2"),
        module(13, "ACME", "OSFP-1", "B1", 55.0),
        module(14, "ACME", "OSFP-1", "B1", 65.0),
    ]
    found = stock(modules=rows)
    assert found["third_party"].rows == (("ACME", "OSFP-1", 2, 1, "B1"),)
    assert found["third_party"].count == 2
    assert found["module_temperatures"].rows == (("ACME OSFP-1", 2, 60.0, 65.0, 0, "host-14 mlx5_0 port 1"),)


def supply(number, status):
    return {
        "node_guid": guid(1),
        "sensor": f"psu/{number}",
        "kind": "psu",
        "status": status,
        "serial": f"P{number}",
    }


FINE = "IsPresent 1; IsFRU 1; ACInput OK; DCState OK; AlertState OK; FanState OK; TemperatureState OK"


@pytest.mark.parametrize(
    ("state", "bad"),
    [
        ("IsPresent", "IsPresent 0"),
        ("IsFRU", "IsFRU 0"),
        ("DCState", "DCState Fail"),
        ("AlertState", "AlertState ALARM"),
    ],
)
def test_power_supplies_in_a_bad_state(state, bad):
    broken = "; ".join(bad if part.startswith(state) else part for part in FINE.split("; "))
    found = stock(sensors=[supply(1, FINE), supply(2, broken)])["power_supplies"]
    assert found.rows == (("leaf-1", "psu/2", bad, "P2"),)
    assert found.level is Grade.NOTICE


def test_healthy_power_supplies():
    found = stock(sensors=[supply(1, FINE), supply(2, FINE)])["power_supplies"]
    assert (found.count, found.level, found.note) == (0, Grade.INFO, "All 2 are fine.")


def line(event, text, level="error", **where):
    return {"event": event, "stage": event, "level": level, "text": text, **where}


def test_the_tools_own_blocks_stand_apart():
    events = [
        line("Rail Optimized Topology Validation", "rails are mixed"),
        line("PCI_DEGRADATION_CHECK", "x8 instead of x16", node_guid=guid(11)),
        line("Links Speed Check", "Unexpected actual link speed 25"),
        line("Partition Keys", "something else", "warning"),
        line("Partition Keys", "and again", "warning"),
    ]
    found = stock(events=events)
    assert cells(found["rails"], "Said by the tool") == ["rails are mixed"]
    assert found["pci"].rows == (("host-11 mlx5_0", "error", "x8 instead of x16"),)
    assert cells(found["speed_checks"], "Said by the tool") == ["Unexpected actual link speed 25"]
    assert found["tool_complaints"].rows == (("Partition Keys", "warning", 2, "something else"),)
    assert found["tool_complaints"].level is Grade.INFO


def test_a_run_without_complaints_is_told_from_no_run():
    assert stock(runs=[{"tool": "ibdiagnet"}])["pci"].count == 0
    assert stock()["pci"].count is None


def test_planes_are_spoken_of_by_the_tool_too():
    found = stock(ports=[port(1, 1)], events=[line("APort Symmetry Check", "2 planes of 4")])["planes"]
    assert cells(found, "What") == ["2 planes of 4"]
