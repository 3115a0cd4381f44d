"""What the hosts themselves see of their HCAs."""

from __future__ import annotations

from ibforensic.model.table import INT, REAL, SMALL, Table
from ibforensic.model.tables.base import OBSERVED_AT, identity, setting, state, volatile

HOSTS = Table(
    "hosts",
    ("host", "device", "port_num"),
    (
        identity("host", "Host name, from the file, its path or a prefix of its lines."),
        identity("device", "RDMA device on the host, such as mlx5_0."),
        identity("port_num", "Port of the device.", SMALL),
        OBSERVED_AT,
        setting("node_guid", "GUID of the HCA."),
        setting("system_guid", "System image GUID."),
        setting("port_guid", "GUID of the port: joins the host's view to the fabric's."),
        setting("hca_type", "Type as the host prints it, such as MT4129."),
        setting("fw_version", "Firmware version."),
        setting("hw_version", "Hardware version as printed."),
        setting("psid", "Board id."),
        state("state", "down, init, armed or active."),
        state("phys_state", "polling, disabled, link_up …"),
        state("rate_gbps", "Rate of the port.", REAL, "Gb/s"),
        volatile("lid", "Base LID; 65535 means the subnet manager gave none.", INT),
        volatile("sm_lid", "LID of the subnet manager.", INT),
        setting("link_layer", "InfiniBand or Ethernet."),
        setting("pci_address", "PCI address."),
        setting("numa_node", "NUMA node of the device.", INT),
        state("pcie_speed", "PCIe speed now, such as 32.0 GT/s."),
        state("pcie_width", "PCIe lanes now.", INT),
        setting("pcie_speed_max", "Highest PCIe speed."),
        setting("pcie_width_max", "Most PCIe lanes.", INT),
        setting("net_device", "Network device on top, such as ib0."),
        volatile("boot_id", "Changes with every boot."),
        volatile("uptime_s", "Seconds since boot.", INT, "s"),
        state("query_error", "What the tool said when the device did not answer."),
    ),
    "One row for each port of each device of each host.",
)

TABLES = (HOSTS,)
