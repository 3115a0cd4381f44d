"""The counter catalogue: complete, unambiguous, and true to the widths of the registers."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from conftest import mini_file, real_file

from ibforensic.model.counters import CATALOGUE, by_spelling, in_group, quality_column
from ibforensic.model.counters.spellings import IN_OCTETS
from ibforensic.model.enums import CounterGroup
from ibforensic.model.tables import TABLES

EVERY = pytest.mark.parametrize("counter", CATALOGUE.values(), ids=lambda counter: counter.name)
TOOLS = sorted({tool for counter in CATALOGUE.values() for tool in (*counter.aliases, *counter.ext_aliases)})

NARROW_BITS = {
    # libibmad's field table, atlas §3.1
    "symbol_error_counter": 16,
    "link_error_recovery_counter": 8,
    "link_downed_counter": 8,
    "port_rcv_errors": 16,
    "port_rcv_remote_physical_errors": 16,
    "port_rcv_switch_relay_errors": 16,
    "port_xmit_discards": 16,
    "port_xmit_constraint_errors": 8,
    "port_rcv_constraint_errors": 8,
    "local_link_integrity_errors": 4,
    "excessive_buffer_overrun_errors": 4,
    "vl15_dropped": 16,
    "qp1_dropped": 16,
    "port_xmit_data": 32,
    "port_rcv_data": 32,
    "port_xmit_pkts": 32,
    "port_rcv_pkts": 32,
    "port_xmit_wait": 32,
}
WIDE_ONLY = {
    "port_unicast_xmit_pkts",
    "port_unicast_rcv_pkts",
    "port_multicast_xmit_pkts",
    "port_multicast_rcv_pkts",
}


@EVERY
def test_says_one_plain_sentence(counter):
    assert re.fullmatch(r"[A-Z].{8,119}\.", counter.says)
    assert counter.source
    assert counter.unit
    assert counter.cleared_with


@EVERY
def test_name_is_snake_case_and_fits_its_group(counter):
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", counter.name)
    assert not counter.name.endswith(("_ext", "_q"))
    assert counter in in_group(counter.group)
    assert counter.bits in {4, 8, 16, 32, 64}
    assert counter.full == 2**counter.bits - 1
    assert counter.ext_bits is None or counter.ext_bits > counter.bits
    assert counter.ext_bits is not None or not counter.ext_aliases


@EVERY
def test_columns_are_declared_with_their_quality(counter):
    names = TABLES[f"counters_{counter.group}"].schema.names
    for column in counter.columns:
        assert column in names
        assert quality_column(column) in names


def test_tables_hold_no_counter_that_is_not_in_the_catalogue():
    for group in CounterGroup:
        columns = {column for counter in in_group(group) for column in counter.columns}
        table = TABLES[f"counters_{group}"]
        assert {column.name for column in table.columns if column.role == "counter"} == columns


def test_no_name_is_used_twice_over_all_groups():
    columns = [column for counter in CATALOGUE.values() for column in counter.columns]
    assert len(columns) == len(set(columns))
    modules = sum(len(in_group(group)) for group in CounterGroup)
    assert modules == len(CATALOGUE) > 150


def test_every_group_has_counters():
    assert all(in_group(group) for group in CounterGroup)


@pytest.mark.parametrize("tool", TOOLS)
def test_one_spelling_means_one_counter(tool):
    owners = defaultdict(set)
    for counter in CATALOGUE.values():
        for spelling in (*counter.aliases.get(tool, ()), *counter.ext_aliases.get(tool, ())):
            assert spelling == spelling.strip() != ""
            owners[spelling].add(counter.name)
    assert {spelling: names for spelling, names in owners.items() if len(names) > 1} == {}
    assert set(by_spelling(tool)) == set(owners)


@pytest.mark.parametrize(("name", "bits"), NARROW_BITS.items())
def test_widths_of_port_counters(name, bits):
    assert (CATALOGUE[name].bits, CATALOGUE[name].ext_bits) == (bits, 64)


def test_port_counters_are_complete():
    assert {counter.name for counter in in_group(CounterGroup.PMA)} == {*NARROW_BITS, *WIDE_ONLY}
    assert {CATALOGUE[name].bits for name in WIDE_ONLY} == {64}


def test_details_are_sixteen_bits_wide():
    assert {counter.bits for counter in in_group(CounterGroup.DETAIL)} == {16}
    assert len(in_group(CounterGroup.DETAIL)) == 10


def test_widths_of_extended_speeds():
    for counter in in_group(CounterGroup.EXTENDED_SPEEDS):
        narrow = counter.name.startswith(("sync_header", "unknown_block", "error_detection"))
        assert counter.bits == (16 if narrow else 32)


def test_widths_of_the_physical_layer():
    assert {counter.bits for counter in in_group(CounterGroup.PLR)} == {64}
    narrow = {counter.name for counter in in_group(CounterGroup.PHY) if counter.bits != 64}
    assert all(name.endswith("_events") for name in narrow)


def test_queue_counters_are_32_bits_and_congestion_counters_64():
    wide = {counter.name for counter in in_group(CounterGroup.HW) if counter.bits == 64}
    assert wide >= {"np_cnp_sent", "np_ecn_marked_roce_packets", "rp_cnp_handled", "rp_cnp_ignored"}
    assert all(name.startswith(("np_", "rp_", "cc_")) for name in wide)


def test_lanes_are_counters_of_their_own():
    names = [f"fec_uncorrectable_block_ctr_lane{lane}" for lane in range(8)]
    assert all(name in CATALOGUE for name in names)
    assert by_spelling("pm")["fec_uncorrectable_block_counter_lane[3]"][1] == names[3]
    assert by_spelling("ufm")["Raw_Errors_Lane_2"][1] == "phy_raw_errors_lane2"


def test_perfquery_spells_both_registers_alike():
    assert by_spelling("perfquery")["PortXmitData"][1] == "port_xmit_data"
    assert by_spelling("perfquery", extended=True)["PortXmitData"][1] == "port_xmit_data_ext"


def test_the_kernel_reads_errors_narrow_and_data_wide():
    kernel = by_spelling("sysfs")
    assert kernel["symbol_error"][1] == "symbol_error_counter"
    assert kernel["port_xmit_wait"][1] == "port_xmit_wait"
    assert kernel["port_xmit_data"][1] == "port_xmit_data_ext"


def test_spellings_in_octets_are_spellings_of_data():
    known = {name: meant for tool in TOOLS for name, meant in by_spelling(tool).items()}
    assert {known[name][0].name for name in IN_OCTETS} == {"port_xmit_data", "port_rcv_data"}
    named = {name for tool in TOOLS for name in by_spelling(tool) if "bytes" in name}
    assert named <= IN_OCTETS


def _header(data: str, section: str) -> list[str]:
    """Return the column names of a db_csv section."""
    return [cell.strip() for cell in data.split(f"START_{section}\n")[1].splitlines()[0].split(",")]


def test_every_counter_column_of_a_real_db_csv_is_known():
    text = next(real_file("ibdiagnet/gary-ndr").rglob("*.db_csv")).read_text("latin-1")
    columns = set(_header(text, "PM_INFO")[3:])
    rates = {"retransmission_per_sec", "max_retransmission_rate"}
    assert columns - rates - set(by_spelling("db_csv")) == set()
    values = {by_spelling("db_csv")[column][1] for column in columns - rates}
    assert len(values) == len(columns) - len(rates)


def test_every_counter_line_of_a_real_pm_is_known():
    text = next(real_file("ibdiagnet/gary-ndr").rglob("*.pm")).read_text("latin-1")
    names = set(re.findall(r"^([a-z][a-z0-9_]*)=", text, re.MULTILINE))
    assert names - set(by_spelling("pm")) == {"retransmission_per_sec", "max_retransmission_rate"}


def test_every_counter_of_real_perfquery_output_is_known():
    unknown = set()
    for path in real_file("diags").rglob("*"):
        if path.is_file() and "perfquery" in str(path):
            unknown |= set(re.findall(r"^([A-Z][A-Za-z0-9]+):\.+", path.read_text("latin-1"), re.MULTILINE))
    unknown -= set(by_spelling("perfquery"))
    lanes_of_12x = {name for name in unknown if re.search(r"Lane(8|9|10|11)$", name)}
    assert unknown - lanes_of_12x == {"PortSelect", "CounterSelect", "CounterSelect2"}


def test_every_counter_file_of_a_real_host_is_known():
    root = real_file("diags/gpud/sys-class-infiniband-h100.0")
    names = {path.name for folder in ("counters", "hw_counters") for path in root.rglob(f"{folder}/*")}
    assert names - set(by_spelling("sysfs")) == {"lifespan"}


@pytest.mark.parametrize("tool", ["treydock", "node_exporter"])
def test_every_counter_of_real_exporters_is_known(tool):
    paths = [path for path in real_file(f"exporter/{tool}").iterdir() if path.suffix in {".prom", ".txt"}]
    text = "\n".join(path.read_text("utf-8") for path in paths)
    metrics = set(
        re.findall(r"^((?:node_infiniband|infiniband_(?:switch|hca))_[a-z0-9_]+_total)", text, re.M)
    )
    assert metrics
    assert metrics - set(by_spelling(tool)) <= {"node_infiniband_port_discards_received_total"}


def test_every_counter_of_real_rdma_statistics_is_known():
    text = real_file("mlxlink/notes/rdma-statistic-show-mlx5_0.txt").read_text("utf-8")
    names = re.findall(r"\b([a-z][a-z0-9_]+) \d+", text)
    assert set(names) - set(by_spelling("rdma")) == set()


def test_counters_of_telemetry_examples_are_known():
    header = mini_file("ufm_primary.csv").read_text("utf-8").splitlines()[0].split(",")
    registers = {name for name in header if name.endswith("Extended")}
    assert registers <= set(by_spelling("ufm"))
