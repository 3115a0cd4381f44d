"""The small tools of a host: ibstatus, ibdev2netdev, show_gids, ethtool, rdma, lspci, topo, mlxcables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import real_file

from ibforensic.model.enums import Quality
from ibforensic.parsers import HEAD_BYTES, Parsed, claimant, parsers

FIXTURES = Path(__file__).parents[1] / "fixtures"
PARSERS = {parser.spec.name: parser for parser in parsers()}
IBSTATUS = FIXTURES / "ibstatus" / "node07_ibstatus.txt"
NETDEVS = FIXTURES / "ibdev2netdev" / "node07.txt"
GIDS = FIXTURES / "show_gids" / "node07_show_gids.txt"
ETHTOOL = FIXTURES / "ethtool_s" / "node07.txt"
RDMA = FIXTURES / "rdma" / "node07.txt"
LSPCI = FIXTURES / "lspci" / "node07_lspci.txt"
TOPO = FIXTURES / "topo_m" / "node07_topo.txt"
CABLES = FIXTURES / "mlxcables" / "mgmt.txt"
ALL = (IBSTATUS, NETDEVS, GIDS, ETHTOOL, RDMA, LSPCI, TOPO, CABLES)


def parse(name: str, data: bytes) -> Parsed:
    return claimant(name, data).parse(name, data)


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def rows(parsed: Parsed, table: str) -> list[dict]:
    return parsed.tables[table].to_pylist()


def cell(row: dict, column: str) -> tuple[int | None, Quality]:
    return row[column], Quality(row[f"{column}_q"])


def codes(parsed: Parsed) -> set[str]:
    return {note.code.partition(".")[2] for note in parsed.notes}


def pick(row: dict, *names: str) -> tuple:
    return tuple(row[name] for name in names)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.parent.name)
def test_each_is_claimed_by_its_parser_and_whole(path):
    data = path.read_bytes()
    claiming = [name for name, one in PARSERS.items() if one.spec.claims(path.name, data[:HEAD_BYTES])]
    assert claiming == [path.parent.name]
    assert read(path).whole


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.parent.name)
def test_prefixes_of_hosts_and_colours_do_not_matter(path):
    """pdsh prints the host before each line; a prompt is no output then."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith(("[root@", "admin@"))]
    plain = parse("a.txt", ("\n".join(lines) + "\n").encode())
    text = "".join(f"\x1b[1mnode31\x1b[0m: {line}\n" for line in lines)
    told = parse("a.txt", text.encode())
    for name, table in plain.tables.items():
        there = told.tables[name].to_pylist()
        assert len(there) == table.num_rows
        hosts = {row.get("host") or row.get("x_host") for row in there}
        assert hosts <= {"node31", None}, name


def test_ibstatus():
    up, down, ethernet = rows(read(IBSTATUS), "ports")
    assert pick(up, "x_host", "x_device", "port_guid", "lid") == (
        "node07",
        "mlx5_0",
        "0x0200000000007001",
        71,
    )
    assert pick(up, "state", "rate_gbps", "width_active", "speed_active") == ("active", 400.0, "4x", "NDR")
    assert pick(down, "state", "phys_state", "rate_gbps", "lid") == ("down", "polling", None, None)
    assert pick(ethernet, "link_layer", "port_guid", "lid") == ("Ethernet", None, None)
    assert rows(read(IBSTATUS), "hosts")[1]["lid"] == 65535


def test_ibstatus_cut_within_a_value():
    data = IBSTATUS.read_bytes()
    parsed = parse("a", data[: data.index(b"400 Gb/sec") + 2])
    assert rows(parsed, "ports")[0]["rate_gbps"] is None
    assert not parsed.whole


def test_ibdev2netdev():
    short, _, long, down = rows(read(NETDEVS), "hosts")
    assert pick(short, "host", "device", "port_num", "net_device", "x_net_state") == (
        "node07",
        "mlx5_0",
        1,
        "ib0",
        "up",
    )
    assert pick(long, "pci_address", "hca_type", "fw_version", "state") == (
        "0000:18:00.0",
        "MT4129",
        "28.41.1000",
        "active",
    )
    assert pick(down, "state", "net_device") == ("down", "ens1f0")


def test_show_gids_tells_infiniband_from_ethernet():
    fabric, ethernet = rows(read(GIDS), "hosts")
    assert pick(fabric, "port_guid", "link_layer", "net_device") == ("0x0200000000007001", "InfiniBand", None)
    assert pick(ethernet, "port_guid", "link_layer", "net_device") == (None, "Ethernet", "ens1f0")
    assert read(GIDS).raw["show_gids"].num_rows == 5


def test_show_gids_without_its_end():
    parsed = parse("a", GIDS.read_bytes().replace(b"n_gids_found=5\n", b""))
    assert not parsed.whole
    assert "file_cut" in codes(parsed)


def test_ethtool_keeps_ethernet_apart():
    parsed = read(ETHTOOL)
    assert set(parsed.tables) == {"counters_ethtool"}
    first, second = rows(parsed, "counters_ethtool")
    assert pick(first, "host", "x_net_device", "port_num") == ("node07", "ens1f0", None)
    assert cell(first, "rx_prio3_pause") == (17, Quality.WIDE)
    assert cell(first, "link_down_events_phy") == (4294967295, Quality.NARROW)
    assert cell(first, "rx_crc_errors_phy") == (None, Quality.NOT_COLLECTED)
    assert cell(second, "rx_out_of_buffer") == (5, Quality.NARROW)
    assert cell(second, "module_unplug") == (None, Quality.NOT_COLLECTED)
    kept = {row["counter"]: row["value"] for row in parsed.raw["ethtool_s"].to_pylist()}
    assert kept == {"rx_packets": "120000", "outbound_pci_stalled_wr": "12", "ch0_poll": "99"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("node07_ens1f0_ethtool.txt", ("node07", "ens1f0")),
        ("ethtool_ib0.txt", (None, "ib0")),
        ("ethtool.txt", (None, None)),
    ],
)
def test_ethtool_device_from_the_file_name(name, told):
    (row,) = rows(parse(name, b"NIC statistics:\n     rx_discards_phy: 4\n"), "counters_ethtool")
    assert pick(row, "host", "x_net_device") == told


def test_rdma_links():
    up, down = rows(read(RDMA), "hosts")
    assert pick(up, "host", "device", "state", "phys_state", "net_device") == (
        "node07",
        "mlx5_0",
        "active",
        "link_up",
        "ib0",
    )
    assert pick(down, "device", "state", "phys_state", "lid", "sm_lid") == (
        "mlx5_1",
        "down",
        "polling",
        71,
        1,
    )


def test_rdma_statistic_wrapped_and_with_one_counter_a_line():
    wrapped, by_line = rows(read(RDMA), "counters_hw")
    assert cell(wrapped, "out_of_buffer") == (135, Quality.NARROW)
    assert cell(wrapped, "out_of_sequence") == (4294967295, Quality.NARROW)
    assert cell(wrapped, "np_cnp_sent") == (5_000_000_000, Quality.WIDE)
    assert cell(wrapped, "cc_rx_ce_pkts") == (7, Quality.WIDE)
    assert cell(wrapped, "packet_seq_err") == (None, Quality.NOT_COLLECTED)
    assert pick(by_line, "device", "rx_write_requests", "packet_seq_err") == ("mlx5_1", 1, 2)


def test_lspci_tells_what_the_link_is_and_what_it_can_be():
    slow, well = rows(read(LSPCI), "hosts")
    assert pick(slow, "host", "pci_address", "numa_node") == ("node07", "0000:18:00.0", 1)
    assert pick(slow, "pcie_speed", "pcie_width") == ("16.0 GT/s", 8)
    assert pick(slow, "pcie_speed_max", "pcie_width_max") == ("32.0 GT/s", 16)
    assert pick(well, "pci_address", "pcie_speed", "pcie_speed_max") == (
        "0000:32:00.0",
        "8.0 GT/s",
        "8.0 GT/s",
    )
    assert "tool_failed" in codes(read(LSPCI))


def test_topology_under_the_names_of_the_legend():
    (row,) = rows(read(TOPO), "settings")
    assert pick(row, "entity", "topic") == ("host node07", "gpu_topology")
    document = json.loads(row["document"])
    assert document["GPU0"] == {"GPU1": "NV18", "mlx5_0": "PIX", "mlx5_1": "SYS", "cpus": "0-23"}
    assert document["mlx5_1"]["GPU1"] == "PIX"


def test_topology_that_is_cut():
    data = TOPO.read_bytes()
    parsed = parse("a", data[: data.index(b"PIX\t24-47")])
    assert "GPU1" not in json.loads(rows(parsed, "settings")[0]["document"])
    assert not parsed.whole


def test_cables_by_lid_and_by_device():
    switch, hca = rows(read(CABLES), "modules")
    assert pick(switch, "x_lid", "port_num", "serial", "length_m", "kind") == (
        "12",
        40,
        "AC0040",
        3.0,
        "cable",
    )
    assert pick(switch, "identifier", "technology", "temperature_c") == (
        "QSFP+",
        "Copper cable unequalized",
        None,
    )
    assert pick(hca, "x_device", "port_num", "temperature_c", "kind") == (
        "mt4129_pciconf0",
        1,
        47.0,
        "transceiver",
    )


def test_several_tools_in_one_file_belong_to_the_first():
    data = IBSTATUS.read_bytes() + RDMA.read_bytes()
    parsed = parse("a.txt", data)
    assert parsed.tables["ports"].num_rows == 3
    note = next(note for note in parsed.notes if note.code == "ibstatus.also_holds")
    assert note.line == len(IBSTATUS.read_text().splitlines()) + 2


def test_real_ibstatus():
    first, *_ = rows(read(real_file("diags/issues/ibstatus-ibp-names.txt")), "hosts")
    assert pick(first, "device", "lid", "rate_gbps", "port_guid") == (
        "ibp142s0",
        41,
        100.0,
        "0x1c34da03005576d8",
    )
    assert len(rows(read(real_file("diags/gpud/ibstatus.39.0.a100.all.active.0")), "ports")) == 9


def test_real_rdma_statistic():
    (row,) = rows(read(real_file("mlxlink/notes/rdma-statistic-show-mlx5_0.txt")), "counters_hw")
    assert pick(row, "out_of_buffer", "resp_cqe_error", "req_cqe_error") == (135, 1009, 22)
    wrapped = rows(read(real_file("mlxlink/kernel/rdma-stat-show-wrapped.txt")), "counters_hw")
    assert [row["rx_atomic_requests"] for row in wrapped] == [0, 0]


def test_real_network_devices():
    folder = real_file("diags/blocks/magnate3__linux-riscv-dev")
    found = rows(read(folder / "exercises2_soft_roce_mellanox_bond_md.1.ibdev2netdev.txt"), "hosts")
    assert pick(found[8], "pci_address", "hca_type", "fw_version", "net_device") == (
        "0000:31:00.0",
        "MT4117",
        "14.27.1016",
        "ens4f0",
    )


def test_real_cables_and_topology():
    (row,) = rows(read(real_file("mlxlink/hyungkwang/mlxcables-qm8790-40.txt")), "modules")
    assert pick(row, "serial", "x_lid", "port_num", "length_m") == ("MT1335VS01041", "3", 40, 3.0)
    (row,) = rows(read(real_file("nccl/issues/topo-m-nic-sys.txt")), "settings")
    assert json.loads(row["document"])["GPU0"]["mlx5_0"] == "SYS"
