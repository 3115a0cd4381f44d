"""UFM telemetry of a simulated fabric: columns as documented, cells as in the state."""

from __future__ import annotations

import csv

import pytest
from benches import contents, folder, incident
from conftest import mini_file

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import FEC_PHY_REGISTER, FEC_SMP
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.write_ufm_csv import COUNTERS, primary

FAULTS = (
    Fault(FaultKind.BAD_MODULE, severity="high"),
    Fault(FaultKind.WIDTH_LOSS, tier=Role.HCA),
    Fault(FaultKind.DEAD_LINK),
)
SPEEDS = {"HDR": "64", "NDR": "128"}
WIDTHS = {"4x": "2", "2x": "16"}


@pytest.fixture(scope="module")
def sample():
    return incident(*FAULTS).current


@pytest.fixture(scope="module")
def written(sample, tmp_path_factory):
    return folder(tmp_path_factory.mktemp("ufm"), sample, "ufm")


def rows(path):
    """Return the rows by port."""
    found = list(csv.DictReader(path.read_text().splitlines()))
    return {
        PortKey(row.get("node_guid") or row["Node_GUID"], int(row.get("port_num") or row["Port_Number"])): row
        for row in found
    }


def up_ports(sample):
    return {port for node in sample.seen_nodes() for port in sample.up_ports(node)}


@pytest.mark.parametrize("name", ["primary", "secondary"])
def test_columns_are_the_documented_ones_and_more(written, name):
    theirs = mini_file(f"ufm_{name}.csv").read_text().partition("\n")[0].split(",")
    text = (written / f"{name}.csv").read_text()
    ours = text.partition("\n")[0].split(",")
    assert [column for column in ours if column in theirs] == theirs
    assert {line.count(",") for line in text.splitlines() if line} == {len(ours) - 1}
    assert text.endswith("\n\n")
    assert not text.endswith("\n\n\n")


def test_counters_are_those_of_the_ports(sample, written):
    found = rows(written / "primary.csv")
    assert set(found) == up_ports(sample)
    for port, row in found.items():
        hca = sample.fabric.node[port.node_guid].role is Role.HCA
        for column, counter in COUNTERS.items():
            dead = hca and column in ("SymbolErrorCounterExtended", "LinkDownedCounterExtended")
            assert int(row[column]) == (0 if dead else sample.counters[port].get(counter, 0)), column
        assert int(row["timestamp"]) == sample.taken_at.timestamp() * 1e6


def test_packets_tell_the_unit(sample, written):
    inner = [port for link in sample.fabric.links if link.fec == 255 for port in link.key]
    found = rows(written / "primary.csv")
    assert inner
    for port in inner:
        assert int(found[port]["PortXmitDataExtended"]) == 72 * int(found[port]["PortXmitPktsExtended"])


def test_values_of_the_physical_layer_are_those_of_the_registers(sample, written):
    for port, row in rows(written / "secondary.csv").items():
        reading = sample.phy.readings.get(port)
        if not sample.is_up(port) or reading is None:
            assert row["Total_Raw_BER"] == row["Raw_Errors_Lane_0"] == row["hist0"] == ""
            continue
        assert tuple(int(row[f"Raw_Errors_Lane_{lane}"]) for lane in range(4)) == reading.raw
        assert int(row["Effective_Errors"]) == reading.effective
        assert int(row["Symbol_Errors"]) == reading.symbols
        for column, errors in (
            ("Total_Raw_BER", sum(reading.raw)),
            ("Effective_BER", reading.effective),
            ("Symbol_BER", reading.symbols),
        ):
            ratio = errors / reading.bits if errors else 1.5e-254
            assert float(row[column]) == pytest.approx(ratio, rel=0.5), column
        assert int(row["Time_since_last_clear_Min"]) == round(reading.seconds / 60)


def test_state_of_the_link_is_told_in_the_codes_of_registers(sample, written):
    down = 0
    for port, row in rows(written / "secondary.csv").items():
        states = [row[name] for name in ("Phy_Manager_State", "phy_state", "logical_state")]
        if not sample.is_up(port):
            down += 1
            assert states == ["2", "2", "1"]
            continue
        link = sample.fabric.link_at[port]
        state = sample.links[link.key]
        assert states == ["3", "5", "4"]
        assert row["Link_speed_active"] == SPEEDS[state.speed]
        assert row["Link_width_active"] == WIDTHS[state.width]
        fec = row["Active_FEC"]
        assert (FEC_PHY_REGISTER[int(fec)] if fec else None) == FEC_SMP.get(link.fec)
    assert down > 2


def test_histograms_count_the_repaired_symbols(sample, written):
    for port, row in rows(written / "primary.csv").items():
        reading = sample.phy.readings.get(port)
        if reading:
            bins = [int(row[f"hist{number}"]) for number in range(5)]
            repaired = sum(number * count for number, count in enumerate(bins))
            assert repaired == pytest.approx(reading.corrected, rel=0.001, abs=5)
            word = 2720 if sample.fabric.link_at[port].fec == 14 else 5440
            assert sum(bins) == reading.bits // word or bins[0] == 0


def test_without_a_physical_layer_its_cells_are_empty():
    sample = incident(phy=False).current
    assert all(row.endswith(",,,,,") for row in primary(sample))


def test_the_same_sample_gives_the_same_bytes(written, tmp_path):
    assert contents(folder(tmp_path, incident(*FAULTS).current, "ufm")) == contents(written)
