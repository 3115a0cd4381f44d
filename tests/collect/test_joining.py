"""The names that collect gives to files are those in which parsers find host, device and port."""

from __future__ import annotations

from ibforensic.capture import capture
from ibforensic.collect.plan import HOST_TOOLS, host_steps
from ibforensic.collect.records import Device, Machine
from ibforensic.collect.ssh import file_stem

SAYS = {
    "grep": """/proc/uptime:1000.22 5000.10
/proc/sys/kernel/hostname:login
/sys/class/infiniband/mlx5_0/node_guid:0200:0000:0000:7000
/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE
/sys/class/infiniband/mlx5_0/ports/1/counters/link_downed:2
/sys/class/infiniband/mlx5_0/device/current_link_width:8
""",
    "rdma link": "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ib0\n",
    "rdma statistic": "link mlx5_0/1 rx_write_requests 7 out_of_buffer 135 out_of_sequence 0\n",
    "ethtool": "NIC statistics:\n     rx_packets: 1200\n     link_down_events_phy: 3\n",
    "mlxlink": """Operational Info
----------------
State                              : Active
Speed                              : IB-NDR
Width                              : 4x

Physical Counters and BER Info
------------------------------
Time Since Last Clear [Min]        : 60.0
Symbol Errors                      : 44
""",
}


def said(words: tuple[str, ...]) -> str | None:
    return SAYS.get(" ".join(words[:2])) or SAYS.get(words[0])


def test_what_a_host_says_is_joined_to_its_hca_whatever_the_host_is_called(tmp_path):
    machine = Machine(frozenset(HOST_TOOLS), (Device("mlx5_0", (1,), ("ib0",)),))
    for host, node in (("login", "7000"), ("gpu-a.example.org", "8000"), ("10.0.0.7", "9000")):
        folder = tmp_path / "hosts" / host
        folder.mkdir(parents=True)
        for step in host_steps(machine):
            text = said(step.words)
            if text:
                (folder / f"{file_stem(step, f'root@{host}')}.txt").write_text(text.replace("7000", node))
    (sample,) = capture(tmp_path).samples
    tables = {name: table.to_pylist() for name, table in sample.tables.items()}
    nodes = {f"0x020000000000{node}" for node in ("7000", "8000", "9000")}
    for name in ("hosts", "counters_pma", "counters_hw", "counters_ethtool", "counters_phy", "ports", "phy"):
        assert {row["node_guid"] for row in tables[name]} == nodes, name
    hosts = {row["host"] for row in tables["hosts"]}
    assert hosts == {"login", "gpu-a.example.org", "10.0.0.7"}
    assert {row["link_down_events_phy"] for row in tables["counters_ethtool"]} == {3}
    assert {row["phy_symbol_errors"] for row in tables["counters_phy"]} == {44}
