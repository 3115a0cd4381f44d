"""Nodes, ports and links: what the fabric is made of."""

from __future__ import annotations

from ibforensic.model.table import FLAG, INT, REAL, SMALL, TEXT, Table
from ibforensic.model.tables.base import NODE_GUID, PORT_NUM, identity, level, setting, state, volatile

NODES = Table(
    "nodes",
    ("node_guid",),
    (
        NODE_GUID,
        setting("node_type", "ca, switch or router."),
        setting("node_desc", "Node description as found."),
        setting("node_name", "Node description made readable: host and device, or switch name."),
        setting("system_guid", "System image GUID: nodes in one box share it."),
        setting("port_guid", "GUID of the node's first or only port, as NODES prints it."),
        setting("device_id", "PCI device id.", INT),
        setting("vendor_id", "IEEE vendor id.", INT),
        setting("generation", "Chip name that belongs to the device id."),
        setting("fw_version", "Firmware version."),
        setting("psid", "Board id (PSID)."),
        setting("serial", "Serial number of the system."),
        setting("part_number", "Part number of the system."),
        setting("hw_revision", "Hardware revision as printed."),
        setting("product_name", "Product name of the system."),
        volatile("uptime_s", "Seconds since the device was reset.", INT, "s"),
        setting("num_ports", "Number of ports the node has.", INT),
        volatile("lid", "LID of the node (switches) or of its port.", INT),
    ),
    "One row for each node and each place that tells about it.",
)

PORTS = Table(
    "ports",
    ("node_guid", "port_num"),
    (
        NODE_GUID,
        PORT_NUM,
        setting("port_guid", "GUID of the port; a switch's ports carry the node's."),
        volatile("lid", "LID of the port.", INT),
        setting("port_label", "What is printed on the panel, such as 1/17/2."),
        state("state", "down, init, armed or active."),
        state("phys_state", "polling, disabled, link_up …"),
        state("width_active", "Width in use: 1x, 2x, 4x, 8x or 12x."),
        setting("width_enabled", "Widths that may be used, comma separated."),
        setting("width_supported", "Widths the port can do, comma separated."),
        state("speed_active", "Speed of a lane in use: SDR … XDR."),
        setting("speed_enabled", "Speeds that may be used, comma separated."),
        setting("speed_supported", "Speeds the port can do, comma separated."),
        state("rate_gbps", "Nominal rate in use: 4x NDR is 400.", REAL, "Gb/s"),
        state("fec", "Forward error correction in use, by name."),
        state("retransmission", "Link-level retransmission in use: none, LLR64, LLR128 or PLR."),
        setting("mtu", "MTU in use towards the neighbour.", INT, "octets"),
        setting("mtu_cap", "Largest MTU the port can do.", INT, "octets"),
        setting("link_layer", "InfiniBand or Ethernet, where a host tells it."),
        setting("asic", "Switch chip within the box.", SMALL),
        setting("cage", "Cage the port leads to.", SMALL),
        setting("cage_port", "Port within the cage.", SMALL),
        setting("split", "Part of a split port.", SMALL),
        setting("plane", "Plane of an XDR port; part of what the port is, not of its key.", SMALL),
        setting("planes", "Number of planes of the aggregated port.", SMALL),
        setting("aport", "Aggregated port the plane belongs to.", SMALL),
        setting("pci_address", "PCI address of the HCA behind the port: bus:device.function, hexadecimal."),
        setting("special", "Kind of a port inside the box: aggregation, router, gateway."),
        setting("wait_tick", "PortSamplesControl.Tick: unit of PortXmitWait.", INT),
        setting("option_mask", "PortSamplesControl.OptionMask: optional counters the port has."),
        level("round_trip", "LinkRoundTripLatency as printed; 0 where the port does not measure it.", INT),
        state("peer_node_guid", "Neighbour as the source names it, where it is not in the links."),
        state("peer_label", "Label of the neighbour's port as the source prints it."),
    ),
    "One row for each port and each place that tells about it; ports that are down included.",
)

LINKS = Table(
    "links",
    ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b"),
    (
        identity("node_guid_a", "Node of end a, the end with the smaller key."),
        identity("port_num_a", "Port of end a.", SMALL),
        identity("node_guid_b", "Node of end b."),
        identity("port_num_b", "Port of end b.", SMALL),
        state("width_active", "Width in use, where the source gives it."),
        state("speed_active", "Speed in use, where the source gives it."),
        state("state", "Logical state of the link, where the source gives it.", TEXT),
        state("internal", "Whether the link stays inside a box.", FLAG),
    ),
    "One row for each link.",
)

TABLES = (NODES, PORTS, LINKS)
