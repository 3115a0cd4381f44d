"""Nodes and links: NODES, NODES_INFO, LINKS, and the switches of net_dump."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.model.devices import device_name
from ibforensic.model.enums import NodeType, Role
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.state import Sample
from ibforensic.simulate.tables.view import Made, View, made

_VENDOR = 713
_MANAGED = "MF0;"
_KEY = ("node_guid", "device_id", "generation")


def nodes(view: View) -> Iterator[Made]:
    """Yield the rows of ``nodes`` of the db_csv."""
    names = view.sample.names
    yield made(
        "nodes",
        "db_csv:NODES",
        (*_KEY, "node_type", "node_desc", "node_name", "system_guid", "port_guid", "num_ports"),
        (
            (
                *_key(node),
                str(NodeType.SWITCH if node.is_switch else NodeType.CA),
                names[node.guid],
                readable(names[node.guid]),
                node.system_guid,
                node.guid,
                1 if node.role is Role.AGGREGATION else node.inner_port or node.front_ports,
            )
            for node in view.nodes
        ),
        vendor_id=_VENDOR,
    )
    yield made(
        "nodes",
        "db_csv:NODES_INFO",
        (*_KEY, "fw_version", "psid", "uptime_s"),
        (
            (*_key(node), _version(view.sample, node), _psid(node), view.sample.uptimes[node.guid])
            for node in view.nodes
            if node.role is not Role.AGGREGATION
        ),
    )


def links(view: View) -> Iterator[Made]:
    """Yield the rows of ``links``."""
    yield made(
        "links",
        "db_csv:LINKS",
        ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b"),
        ((*link.key.a, *link.key.b) for link in view.sample.up_links()),
    )


def listed_switches(view: View) -> Iterator[Made]:
    """Yield the rows of ``nodes`` of net_dump."""
    names = view.sample.names
    yield made(
        "nodes",
        "net_dump",
        ("node_guid", "node_desc", "node_name", "lid"),
        (
            (node.guid, names[node.guid], readable(names[node.guid]), view.lid(node.guid))
            for node in view.nodes
            if node.is_switch
        ),
        node_type=str(NodeType.SWITCH),
    )


def readable(name: str) -> str:
    """Return a node description as people read it: ``MF0;leaf-01:MQM9700/U1`` is ``leaf-01/U1``."""
    if not name.startswith(_MANAGED):
        return name
    system, _, rest = name.removeprefix(_MANAGED).rpartition(":")
    model, slash, chip = rest.partition("/")
    return f"{system}{slash}{chip}" if model else name


def _key(node: SimNode) -> tuple[str, int, str | None]:
    """Return GUID, device id and chip."""
    return node.guid, node.chip.device_id, device_name(node.chip.device_id)


def _version(sample: Sample, node: SimNode) -> str:
    """Return the firmware version as drivers print it: the last part has four digits."""
    major, minor, sub = sample.firmware_of(node)
    return f"{major}.{minor}.{sub:04d}"


def _psid(node: SimNode) -> str:
    """Return the board id; switches without a management board have one of their own."""
    return node.chip.unmanaged_psid if node.is_switch and not node.managed else node.chip.psid
