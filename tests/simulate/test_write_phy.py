"""What is written about the physical layer is read back by the parsers, whole, and equals the state."""

from __future__ import annotations

import json
import math
import re
import time

import pytest
from conftest import mini_file, real_file
from simulated import section

from ibforensic.model.counters import in_group, quality_column
from ibforensic.model.enums import CounterGroup
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import line_bits_per_second
from ibforensic.parsers import cables, claimant, db_csv, net_dump_ext, pm
from ibforensic.simulate import phy_ber
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import PHY_FAULTS, Fault, FaultKind
from ibforensic.simulate.incident import make_incident, write_incident, write_pair
from ibforensic.simulate.optics import received
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import parse_spec, parse_speeds
from ibforensic.simulate.write_cables import NO_POWER, power
from ibforensic.simulate.write_ibdiagnet import write_ibdiagnet

FILES = ("cables", "db_csv", "log", "lst", "net_dump", "net_dump_ext", "pm")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    directory = tmp_path_factory.mktemp("phy")
    faults = [
        Fault(FaultKind.BAD_MODULE, severity="high"),
        Fault(FaultKind.DIRTY_CONNECTOR, severity=0.6),
        Fault(FaultKind.DEAD_LINK),
    ]
    fabric = make_fabric(4, 2, 4, 2, seed=12, unused_ports=3)
    pair, truth = make_incident(fabric, faults, seed=12, phy=True)
    write_pair(directory, pair, truth)
    return directory / "current", pair.current


def _table(module, written, name):
    path = next(path for path in written[0].iterdir() if path.name.endswith(f".{module.SPEC.name}"))
    parsed = module.parse(path.name, path.read_bytes())
    return parsed.tables[name].to_pylist()


def _by_port(rows):
    return {PortKey(row["node_guid"], row["port_num"]): row for row in rows}


def test_all_files_are_there_and_nothing_is_wrong_with_them(written):
    directory, _ = written
    assert sorted(path.name for path in directory.iterdir()) == [f"ibdiagnet2.{name}" for name in FILES]
    for path in directory.iterdir():
        data = path.read_bytes()
        parsed = claimant(path.name, data).parse(path.name, data)
        assert list(parsed.notes) == []
        assert parsed.whole
        assert parsed.raw == {}


def test_the_run_says_what_it_was_asked(written):
    directory, _ = written
    words = "--get_phy_info --get_cable_info"
    for name in FILES:
        assert words in (directory / f"ibdiagnet2.{name}").read_text()


def _assert_ratios(row, reading):
    for kind, errors in (
        ("raw", sum(reading.raw)),
        ("effective", reading.effective),
        ("symbol", reading.symbols),
    ):
        digit, magnitude = phy_ber.register(errors, reading.bits)
        assert row[f"{kind}_ber_none"] is (errors == 0)
        expected = None if errors == 0 else pytest.approx(math.log10(digit) - magnitude, abs=1e-5)
        assert row[f"{kind}_ber_log10"] == expected


def test_registers_are_read_back(written):
    sample = written[1]
    ratios, counts = (_by_port(_table(db_csv, written, name)) for name in ("phy", "counters_phy"))
    seen = {port for port in sample.phy.readings if sample.is_up(port)}
    assert set(ratios) == set(counts) == seen
    assert len(seen) < len(sample.phy.receptions)
    for port in seen:
        reading, row = sample.phy.readings[port], counts[port]
        _assert_ratios(ratios[port], reading)
        assert ratios[port]["since_clear_s"] == pytest.approx(reading.seconds, abs=1e-3)
        assert row["phy_received_bits"] == reading.bits
        assert row["phy_corrected_bits"] == reading.corrected
        assert row["phy_effective_errors"] == reading.effective
        assert row["phy_symbol_errors"] == reading.symbols
        assert tuple(row[f"phy_raw_errors_lane{lane}"] for lane in range(4)) == reading.raw
        assert row["phy_raw_errors_lane4"] == 0


def test_net_dump_ext_says_the_same(written):
    sample = written[1]
    rows = _by_port(_table(net_dump_ext, written, "phy"))
    assert set(rows) == {port for port in sample.phy.readings if sample.is_up(port)}
    for port, row in rows.items():
        _assert_ratios(row, sample.phy.readings[port])
    ports = _by_port(_table(net_dump_ext, written, "ports"))
    listed = {PortKey(node.guid, number) for node in sample.seen_nodes() for number in node.shown_ports}
    assert listed <= set(ports)
    assert {port for port, row in ports.items() if row["state"] == "active"} == {
        port for node in sample.seen_nodes() for port in sample.up_ports(node)
    }


def test_modules_are_read_back_from_all_three_places(written):
    sample = written[1]
    fields = ("vendor", "part_number", "serial", "revision", "temperature_c")
    text = _by_port(_table(cables, written, "modules"))
    rows = _table(db_csv, written, "modules")
    info = _by_port(row for row in rows if row["origin"] == "db_csv:CABLE_INFO")
    register = _by_port(row for row in rows if row["origin"] == "db_csv:PHY_DB12")
    assert set(text) == set(info) == set(register)
    for port, row in text.items():
        cable = sample.phy.cables[sample.fabric.link_at[port].key]
        module, optics = cable.at(port), sample.phy.optics.get(port)
        assert (row["vendor"], row["part_number"], row["serial"]) == (
            module.vendor,
            module.part,
            module.serial,
        )
        assert row["technology"] == cable.medium.technology
        assert row["length_m"] == (cable.length_m if cable.medium.fixed else None)
        heat = sample.phy.heat.get(port)
        assert row["temperature_c"] == (None if heat is None else round(heat))
        lit = optics is not None and cable.medium.optical_power
        assert json.loads(row["rx_power_lanes"] or "null") == (
            received(sample.phy, port, sample.fabric.peer(port)) if lit else None
        )
        assert json.loads(row["tx_power_lanes"] or "null") == (optics.sent if lit else None)
        if optics:
            assert json.loads(row["tx_bias_lanes"]) == optics.bias
            assert row["voltage_v"] == pytest.approx(optics.millivolts / 1000)
        for name in (*fields, "rx_power_lanes", "tx_power_lanes", "technology", "length_m", "fw_version"):
            assert info[port][name] == row[name], name
        for name in fields:
            assert register[port][name] == row[name], name
        assert row["kind"] == ("cable" if cable.medium.fixed else "transceiver")


def test_pm_holds_the_counters_of_pm_info(written):
    text = _by_port(_table(pm, written, "counters_pma"))
    rows = _by_port(row for row in _table(db_csv, written, "counters_pma") if row["basis"] == "cumulative")
    assert set(text) == set(rows)
    counters = [column for counter in in_group(CounterGroup.PMA) for column in counter.columns]
    assert len(counters) > 30
    for port, row in text.items():
        for name in counters:
            assert row[name] == rows[port][name], name
            assert row[quality_column(name)] == rows[port][quality_column(name)], name


def test_sensors_are_read_back(written):
    sample = written[1]
    rows = {(row["node_guid"], row["sensor"]): row["value"] for row in _table(db_csv, written, "sensors")}
    for node in sample.seen_nodes():
        assert rows[node.guid, "temperature/asic"] == sample.temperatures[node.guid]
        for number, degrees in enumerate(sample.phy.boards.get(node.guid, ()), 1):
            assert rows[node.guid, f"temperature/{number}"] == degrees
        for number, turns in enumerate(sample.phy.fans.get(node.guid, ()), 1):
            assert rows[node.guid, f"fan/{number}"] == turns


def test_the_tool_itself_complains_about_symbol_errors(written):
    text = (written[0] / "ibdiagnet2.db_csv").read_text()
    rows = section(text, "ERRORS_SYMBOL_BER_CHECK")
    over = {
        port
        for port, reading in written[1].phy.readings.items()
        if written[1].is_up(port) and reading.symbols > 5e-12 * reading.bits
    }
    assert over
    assert {PortKey(row[1], int(row[3])) for row in rows[1:]} == over
    log = (written[0] / "ibdiagnet2.log").read_text()
    assert f"\nHigh BER reported by {len(over)} ports\n" in log
    assert "Plugins load will be skipped" not in log


def test_layout_is_that_of_real_files(written):
    directory, _ = written
    for name, separator in (("cables", ": "), ("pm", "=")):
        real = (real_file("ibdiagnet/gary-ndr") / f"ibdiagnet2.{name}").read_text().splitlines()
        ours = (directory / f"ibdiagnet2.{name}").read_text().splitlines()
        length = len(ours[: ours.index("-" * 55)])
        assert [re.sub(r"\d", "0", line) for line in ours[3:length]] == [
            re.sub(r"\d", "0", line) for line in real[3:length]
        ]
        (first, second), (here, there) = (
            [at for at, line in enumerate(lines) if line == "-" * 55][1:3] for lines in (ours, real)
        )
        assert [line.partition(separator)[0] for line in ours[first:second]] == [
            line.partition(separator)[0] for line in real[here:there]
        ]
        assert [len(line) for line in ours[-4:-1]] == [len(line) for line in real[-4:-1]]
    real = (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.net_dump_ext").read_text().splitlines()
    ours = (directory / "ibdiagnet2.net_dump_ext").read_text().splitlines()
    assert ours[12] == real[12]
    down = [next(line for line in lines if " DOWN " in line) for lines in (ours, real)]
    assert (
        down[0].partition(" : DOWN")[2].rpartition(" : ")[0]
        == down[1].partition(" : DOWN")[2].rpartition(" : ")[0]
    )
    bars = [
        [at for at, sign in enumerate(line.rpartition(' : "')[0]) if sign == ":"]
        for line in (ours[14], real[14])
    ]
    assert bars[0][:4] == bars[1][:4]


def test_anonymous_sections_have_the_columns_of_the_examples(written):
    ours = (written[0] / "ibdiagnet2.db_csv").read_text()
    assert section(ours, "PHY_DB16")[0] == section(mini_file("ibdiagnet2.db_csv").read_text(), "PHY_DB16")[0]
    examples = mini_file("extra_sections.db_csv").read_text()
    assert section(ours, "PHY_DB12")[0] == section(examples, "PHY_DB12")[0]
    assert section(ours, "FANS_SPEED")[0] == section(examples, "FANS_SPEED")[0]


def test_whole_decibels_lose_what_the_reference_run_lost():
    assert power(1.6, whole=True) == "1.585 mW, 2.000 dBm"
    assert power(0.3, whole=True) == NO_POWER
    assert power(-2.2, whole=True) == "inf mW, 65534.000 dBm"
    assert power(-40, whole=True) == "inf mW, 65496.000 dBm"
    assert power(0.0, whole=False) == "1.000 mW, 0.000 dBm"


def test_nothing_more_is_written_unless_it_is_asked_for(tmp_path):
    write_incident(tmp_path, seed=3, faults=[Fault(FaultKind.COPPER_CABLE)])
    assert len(list((tmp_path / "current").iterdir())) == 3
    assert "START_PHY" not in (tmp_path / "current" / "ibdiagnet2.db_csv").read_text()


@pytest.mark.parametrize("kind", sorted(PHY_FAULTS))
def test_no_fault_confuses_the_parsers(tmp_path, kind):
    write_incident(tmp_path, seed=9, leaves=2, faults=[Fault(kind, severity=1.0)], phy=True, days=2)
    for path in (tmp_path / "current").iterdir():
        data = path.read_bytes()
        assert not claimant(path.name, data).parse(path.name, data).notes


@pytest.mark.parametrize(
    ("shape", "speeds"),
    [("fat-tree3", "hdr"), ("fat-tree", "ndr,hdr"), ("rail:hosts=8", "ndr"), ("planes", "xdr")],
)
def test_other_fabrics_have_a_physical_layer_too(tmp_path, shape, speeds):
    fabric = build_topology(parse_spec(shape), parse_speeds(speeds), 3)
    faults = [Fault(FaultKind.BENT_FIBRE), Fault(FaultKind.COPPER_CABLE)]
    pair, truth = make_incident(fabric, faults, seed=3, phy=True)
    write_pair(tmp_path, pair, truth)
    for path in (tmp_path / "current").iterdir():
        data = path.read_bytes()
        assert not claimant(path.name, data).parse(path.name, data).notes
    for port, reading in pair.current.phy.readings.items():
        state = pair.current.links[fabric.link_at[port].key]
        assert reading.bits == pytest.approx(reading.seconds * line_bits_per_second(state.width, state.speed))


def test_512_ports_are_written_in_time(tmp_path):
    fabric = make_fabric(8, 8, 8, 2, seed=1, uplinks=2)
    pair, _ = make_incident(fabric, seed=1, phy=True)
    assert len(pair.current.phy.readings) == 512
    spent = []
    for attempt in range(2):
        began = time.perf_counter()
        write_ibdiagnet(tmp_path / str(attempt), pair.current)
        spent.append(time.perf_counter() - began)
    assert min(spent) < 1.5
