"""Ports: PORTS, PORT_HIERARCHY_INFO, PM_PORT_SAMPLES_CONTROL, and the lists net_dump and net_dump_ext."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.devices import DEVICES
from ibforensic.model.enums import PhysState, PortState, Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimLink, SimNode, cage_of, split_of
from ibforensic.simulate.spelling import FEC_NOT_APPLICABLE, fec_code
from ibforensic.simulate.tables.view import Made, View, made
from ibforensic.simulate.write_sections import ABILITIES

_KEY = ("node_guid", "port_num")
_USE = ("width_active", "speed_active", "rate_gbps")
_IN_USE = ("state", "phys_state", *_USE, "fec", "retransmission")
_CAN = ("width_enabled", "width_supported", "speed_enabled", "speed_supported")
_PLACE = ("asic", "cage", "cage_port", "split")
_ACTIVE = (str(PortState.ACTIVE), str(PhysState.LINK_UP))
_DOWN = (str(PortState.DOWN), str(PhysState.POLLING), *(None,) * 5)
_MTU = 4096
_WIDTHS, _INNER_WIDTHS = link_terms.width_set(1 | 2 | 16), link_terms.width_set(1 | 2)
_QDR = 4
"""Switch ports can do QDR too, which is a bit of its own."""
_INNER_SPEEDS = {"HDR": 0x607}
_INNER_SPEEDS_ELSE = 0xE07
_NOTHING: tuple[None, ...] = (None,) * 4


def ports(view: View) -> Iterator[Made]:
    """Yield the rows of ``ports`` of the db_csv."""
    yield made(
        "ports",
        "db_csv:PORTS",
        (*_KEY, "port_guid", "lid", *_IN_USE, *_CAN, "mtu", "mtu_cap", "round_trip"),
        (row for node in view.nodes for row in _node(view, node)),
    )
    yield made(
        "ports",
        "db_csv:PORT_HIERARCHY_INFO",
        (*_KEY, "port_guid", "port_label", "pci_address", *_PLACE, "aport", "plane", "planes"),
        (row for node in view.nodes for row in _places(view, node)),
    )
    yield made(
        "ports",
        "db_csv:PM_PORT_SAMPLES_CONTROL",
        (*_KEY, "port_guid", "wait_tick", "option_mask"),
        (row for node in view.nodes for row in _ticks(view, node)),
    )


def listed_ports(view: View) -> Iterator[Made]:
    """Yield the rows of ``ports`` of net_dump: those of switches, also those that are down."""
    yield made(
        "ports",
        "net_dump",
        (*_KEY, *_IN_USE, "port_label", "mtu", "peer_node_guid", "peer_label"),
        (row for node in view.nodes if node.is_switch for row in _listed(view, node)),
    )


def all_listed_ports(view: View) -> Iterator[Made]:
    """Yield the rows of ``ports`` of net_dump_ext: those of all nodes."""
    yield made(
        "ports",
        "net_dump_ext",
        (*_KEY, *_IN_USE, "port_label", "lid", "peer_label"),
        (row for node in view.nodes for row in _listed_besides(view, node)),
    )


def _node(view: View, node: SimNode) -> Iterator[tuple[Any, ...]]:
    """Yield the ports of a node that are up, port 0 of a switch first."""
    if node.is_switch:
        yield _port_zero(view, node)
    for port in view.up[node.guid]:
        link = view.sample.fabric.link_at[port]
        yield (
            *port,
            node.guid,
            None if node.is_switch else view.lid(node.guid),
            *_in_use(view, link),
            *_can(view, node, link),
            _MTU,
            _MTU,
            0 if link.fec == FEC_NOT_APPLICABLE else link.round_trip,
        )


def _port_zero(view: View, node: SimNode) -> tuple[Any, ...]:
    """Return the management port of a switch; without a management board it tells nothing but its LID."""
    key = (node.guid, 0, node.guid, view.lid(node.guid))
    if not node.managed:
        return (*key, *(None,) * 13, 0)
    width, speed = "4x", "SDR"
    use = (*_ACTIVE, width, speed, link_terms.rate_gbps(width, speed), None, None)
    return (*key, *use, _INNER_WIDTHS, _INNER_WIDTHS, speed, speed, _MTU, _MTU, 0)


def _in_use(view: View, link: SimLink) -> tuple[Any, ...]:
    """Return how a port that is up runs."""
    state = view.sample.links[link.key]
    rate = link_terms.rate_gbps(state.width, state.speed)
    fec = link_terms.FEC_SMP.get(fec_code(link.fec, state))
    return (*_ACTIVE, state.width, state.speed, rate, fec, link_terms.RETRANSMISSION[0])


def _can(view: View, node: SimNode, link: SimLink) -> tuple[str | None, ...]:
    """Return the widths and speeds of a port, enabled and supported ones alike."""
    if link.fec == FEC_NOT_APPLICABLE:
        word = _INNER_SPEEDS.get(view.sample.links[link.key].speed, _INNER_SPEEDS_ELSE)
        return _INNER_WIDTHS, _INNER_WIDTHS, *(link_terms.speed_set(word),) * 2
    word = ABILITIES[node.chip.speed] | (_QDR if node.is_switch else 0)
    return _WIDTHS, _WIDTHS, *(link_terms.speed_set(word),) * 2


def _places(view: View, node: SimNode) -> Iterator[tuple[Any, ...]]:
    """Yield where the ports of a node are: front ports of switches, also those that are down, and HCAs."""
    hca = node.role is Role.HCA
    address = f"{node.bus:02x}:00.0" if hca else None
    for number in range(1, node.front_ports + 1) if hca else node.shown_ports:
        port = PortKey(node.guid, number)
        planes = view.sample.fabric.plane(port) or (None, None, None)
        yield (*port, node.guid, view.label(port), address, *_place(node, number), *planes)


def _place(node: SimNode, number: int) -> tuple[int | None, ...]:
    """Return ASIC, cage, port and part of a split port; an HCA has one place for each port."""
    if node.role is Role.HCA:
        return None, 0, 0, number
    whole, part = split_of(number) if node.split else (number, None)
    if not node.chip.caged:
        return None, None, whole, part
    return (node.asic, *cage_of(whole), part)


def _ticks(view: View, node: SimNode) -> Iterator[tuple[Any, ...]]:
    """Yield the unit of PortXmitWait and the optional counters of the ports of a node."""
    tick = (DEVICES[node.chip.device_id].wait_tick_bytes or 8) - 1
    options = "0x01a6000010cc33c0" if node.role is Role.HCA else "0x01800000008cf7fc"
    return ((*port, node.guid, tick, options) for port in view.up[node.guid])


def _listed(view: View, node: SimNode) -> Iterator[tuple[Any, ...]]:
    """Yield the ports of a switch that net_dump lists."""
    fabric, inner = view.sample.fabric, node.inner_port
    for number in (*node.shown_ports, *((inner,) if inner else ())):
        port = PortKey(node.guid, number)
        if view.sample.is_up(port):
            peer = fabric.peer(port)
            use = _in_use(view, fabric.link_at[port])
            yield (*port, *use, view.label(port), _MTU, peer.node_guid, view.label(peer))
        else:
            yield (*port, *_DOWN, None if number == inner else view.label(port), *_NOTHING[:3])


def _listed_besides(view: View, node: SimNode) -> Iterator[tuple[Any, ...]]:
    """Yield the ports of a node that net_dump_ext lists."""
    fabric, lid = view.sample.fabric, view.lid(node.guid)
    up = view.up[node.guid]
    shown = (PortKey(node.guid, number) for number in node.shown_ports) if node.is_switch else ()
    for port in sorted({*up, *shown}):
        if view.sample.is_up(port):
            use = _in_use(view, fabric.link_at[port])
            yield (*port, *use, view.label(port), lid, view.label(fabric.peer(port)))
        else:
            yield (*port, *_DOWN, view.label(port), lid, None)
