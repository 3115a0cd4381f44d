"""Rows that name their node as a host does: by a device or a LID beside them."""

from __future__ import annotations

import pytest
from raw_output import write

from ibforensic.capture import capture

LEAF = "0x02000000000000aa"
HCA = "0x02000000000000b0"
OTHER = "0x02000000000000c0"


def ibstat(guid: str, device: str = "mlx5_0", lid: int = 6) -> bytes:
    return (
        f"CA '{device}'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tNode GUID: {guid}\n\tPort 1:\n"
        f"\t\tState: Active\n\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tBase lid: {lid}\n"
        "\t\tLink layer: InfiniBand\n"
    ).encode()


def mlxlink(command: str = "") -> bytes:
    return (
        f"{command}\nOperational Info\n----------------\nState : Active\nSpeed : IB-NDR\nWidth : 4x\n\n"
        "Physical Counters and BER Info\n------------------------------\nSymbol BER : 15E-255\n"
        "Raw Physical BER : 3E-10\nSymbol Errors : 4\n"
    ).encode()


def guids(tmp_path, files: dict[str, bytes], table: str = "phy") -> set[str | None]:
    write(tmp_path, files)
    (sample,) = capture(tmp_path).samples
    return set(sample.tables[table]["node_guid"].to_pylist())


def test_device_of_a_host_that_ibstat_knows(tmp_path):
    files = {
        "node01.ibstat": ibstat(HCA),
        "node02.ibstat": ibstat(OTHER),
        "node01_mlx5_0_p1.txt": mlxlink(),
    }
    assert guids(tmp_path, files) == {HCA}


@pytest.mark.parametrize("table", ["phy", "ports", "counters_phy"])
def test_all_tables_are_filled(tmp_path, table):
    files = {"node01.ibstat": ibstat(HCA), "node01_mlx5_0_p1.txt": mlxlink()}
    assert guids(tmp_path, files, table) == {HCA}


def test_domain_of_a_host_does_not_matter(tmp_path):
    files = {"node01.example.org.ibstat": ibstat(HCA), "Node01_mlx5_0_p1.txt": mlxlink()}
    assert guids(tmp_path, files) == {HCA}


def test_device_of_another_host_is_another_device(tmp_path):
    files = {"node02.ibstat": ibstat(OTHER), "node01_mlx5_0_p1.txt": mlxlink()}
    assert guids(tmp_path, files) == {"node01/mlx5_0"}


def test_without_any_host_the_collection_is_one_host(tmp_path):
    files = {"ibstat.txt": ibstat(HCA), "mlx5_0_p1.txt": mlxlink()}
    assert guids(tmp_path, files) == {HCA}


def test_device_that_two_hcas_claim_stays_open(tmp_path):
    files = {"a/ibstat.txt": ibstat(HCA), "b/ibstat.txt": ibstat(OTHER), "mlx5_0_p1.txt": mlxlink()}
    assert guids(tmp_path, files) == {"mlx5_0_p1.txt/mlx5_0"}


def test_lid_that_the_fabric_knows(tmp_path):
    files = {
        "node01.ibstat": ibstat(HCA, lid=61),
        "a.txt": mlxlink("[root@mgmt1 ~]# mlxlink -d lid-61 -p 1 -c"),
    }
    assert guids(tmp_path, files) == {HCA}


def test_lid_that_nobody_has_is_called_by_itself(tmp_path):
    files = {"node01.ibstat": ibstat(HCA, lid=61), "lid-62_p1.txt": mlxlink()}
    assert guids(tmp_path, files) == {"lid:62"}


def test_sysfs_without_node_guid_is_joined_by_ibstat_of_the_host(tmp_path):
    files = {
        "node01.ibstat": ibstat(HCA),
        "node01.sysfs": b"/sys/class/infiniband/mlx5_0/ports/1/counters/link_downed:4\n",
    }
    assert guids(tmp_path, files, "counters_pma") == {HCA}


def test_network_device_by_way_of_the_device_it_is_on(tmp_path):
    files = {
        "node01.ibstat": ibstat(HCA),
        "node01/netdevs.txt": b"mlx5_0 port 1 ==> ib0 (Up)\n",
        "node01/ethtool_ib0.txt": b"NIC statistics:\n     rx_discards_phy: 4\n",
    }
    assert guids(tmp_path, files, "counters_ethtool") == {HCA}


def test_pci_address_by_way_of_the_device_that_has_it(tmp_path):
    long = b"0000:18:00.0 mlx5_0 (MT4129 - AC1) AC fw 28.41.1000 port 1 (ACTIVE) ==> ib0 (Up)\n"
    link = b"18:00.0 Infiniband controller: ACME\n\t\tLnkSta:\tSpeed 8GT/s, Width x4\n"
    write(tmp_path, {"node01.ibstat": ibstat(HCA), "node01/netdevs.txt": long, "node01/lspci.txt": link})
    (sample,) = capture(tmp_path).samples
    rows = sample.tables["hosts"].to_pylist()
    assert [row["node_guid"] for row in rows if row["pcie_width"] == 4] == [HCA]


NODE_EXPORTER = b"""node_uname_info{machine="x86_64",nodename="node01.cluster",release="6.8"} 1
node_infiniband_link_downed_total{device="mlx5_0",port="1"} 3
node_infiniband_state_id{device="mlx5_0",port="1"} 4
"""


@pytest.mark.parametrize("table", ["counters_pma", "ports"])
def test_node_exporter_of_a_host_that_ibstat_knows(tmp_path, table):
    files = {"node01.ibstat": ibstat(HCA), "scrapes/a.prom": NODE_EXPORTER}
    assert guids(tmp_path, files, table) == {HCA}


def test_node_exporter_in_a_file_of_the_host(tmp_path):
    scrape = NODE_EXPORTER.partition(b"\n")[2]
    files = {"node01.ibstat": ibstat(HCA), "node02.ibstat": ibstat(OTHER), "node01.prom": scrape}
    assert guids(tmp_path, files, "counters_pma") == {HCA}


def test_devices_of_nobody_are_told(tmp_path):
    (sample,) = capture(write(tmp_path, {"lid-62_p1.txt": mlxlink(), "lid-63_p2.txt": mlxlink()})).samples
    (note,) = [note for note in sample.notes if note.code == "capture.device_unresolved"]
    assert "LID 62" in note.message
    assert "ibnetdiscover" in note.help


def test_devices_that_are_known_need_no_note(tmp_path):
    files = {"node01.ibstat": ibstat(HCA), "node01_mlx5_0_p1.txt": mlxlink()}
    (sample,) = capture(write(tmp_path, files)).samples
    assert not [note for note in sample.notes if note.code == "capture.device_unresolved"]
