"""The text of ibqueryerrors: the counters of each port that are beyond a threshold, which is 0.

Layout: atlas §8. A device with 64-bit error counters is asked for those alone, and each value has a second
spelling for people in brackets; ports and counters without errors are not printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from ibforensic.model.counters import by_spelling
from ibforensic.model.ids import PortKey
from ibforensic.simulate import perfquery_text as fields
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.registers import SUMS_PORTS, cap_mask, cap_mask2, narrow, wide
from ibforensic.simulate.state import Sample

Details = Mapping[str, Mapping[str, str]]
"""Counter → counter that details it → name under which that is printed."""
DETAILS: Details = {
    "PortRcvErrors": {name: name for name in fields.RECEIVE_DETAILS},
    "PortXmitDiscards": {name: name for name in fields.DISCARD_DETAILS},
}
"""Details under their own names."""
SWAPPED: Details = {
    "PortRcvErrors": dict(zip(fields.RECEIVE_DETAILS, fields.DISCARD_DETAILS, strict=False)),
    "PortXmitDiscards": dict(zip(fields.DISCARD_DETAILS, fields.RECEIVE_DETAILS, strict=False)),
}
"""Details under the names of the others at the same offset, as rdma-core prints them (KNOWLEDGE §1.1)."""
_NO_ERRORS = frozenset(name for name in fields.WIDE if name.endswith(("Data", "Pkts", "Select2")))
_UNITS = ("", "K", "M", "G", "T", "P")
_OVERFLOW = 4
"""Power of 1024 that the tool's own divisor no longer holds: it divides by 0 there."""


def text(sample: Sample, details: Details) -> str:
    """Print what ibqueryerrors says of the whole fabric.

    Args:
        sample: What the tool sees.
        details: Details to print behind their counters; empty for none.
    """
    lines: list[str] = []
    bad_nodes = bad_ports = checked = 0
    for node in sample.seen_nodes():
        ports = sample.up_ports(node)
        checked += len(ports)
        found = {port: errors for port in ports if (errors := _errors(sample, (port,), details))}
        if not found:
            continue
        bad_nodes, bad_ports = bad_nodes + 1, bad_ports + len(found)
        lines.append(_title(sample, node))
        if cap_mask(node) & SUMS_PORTS:
            lines.append(_line(node, "ALL", _errors(sample, ports, {})))
        lines += [_line(node, str(port.port_num), errors) for port, errors in found.items()]
    return "\n".join(
        (
            *lines,
            "",
            f"## Summary: {len(sample.seen_nodes())} nodes checked, {bad_nodes} bad nodes found",
            f"##          {checked} ports checked, {bad_ports} ports have errors beyond threshold",
            "## ",
            "",
        )
    )


def _title(sample: Sample, node: SimNode) -> str:
    """Print the line above the ports of a node; only a switch shows its GUID there."""
    guid = f"0x{int(node.guid, 16):x} " if node.is_switch else ""
    return f'Errors for {guid}"{sample.names[node.guid]}"'


def _line(node: SimNode, port: str, errors: Sequence[str]) -> str:
    """Print the line of a port."""
    return f"   GUID 0x{int(node.guid, 16):x} port {port}: {' '.join(errors)}"


def _errors(sample: Sample, ports: Sequence[PortKey], details: Details) -> list[str]:
    """Print the counters of a port, or the sums over several ports, that are not 0."""
    is_wide = bool(cap_mask2(sample.fabric.node[ports[0].node_guid]))
    names = (name for name in (fields.WIDE if is_wide else fields.PLAIN) if name not in _NO_ERRORS)
    return list(chain.from_iterable(_counter(sample, ports, name, is_wide, details) for name in names))


def _counter(
    sample: Sample, ports: Sequence[PortKey], name: str, is_wide: bool, details: Details
) -> Iterator[str]:
    """Print a counter that is not 0, and behind it its details, which are narrow everywhere."""
    value = _value(sample, ports, name, is_wide)
    if not value:
        return
    yield f"[{name} == {value} ({human(value)})]" if is_wide else f"[{name} == {value}]"
    for detail, printed in details.get(name, {}).items():
        part = _value(sample, ports, detail, is_wide=False)
        if part:
            yield f"[{printed} == {part}]"


def _value(sample: Sample, ports: Sequence[PortKey], name: str, is_wide: bool) -> int:
    """Read a counter; a sum over ports sticks where the register of one port would."""
    counter, _ = by_spelling("perfquery", extended=is_wide)[name]
    if is_wide:
        return sum(wide(sample, port, counter) for port in ports)
    return min(sum(narrow(sample, port, counter) for port in ports), counter.full)


def human(value: int) -> str:
    """Print a number for people as the tool does: ``63.999K``; from 2 to the 40th it can say only ``inf``."""
    power = max(0, (value.bit_length() - 1) // 10)
    number = float("inf") if power >= _OVERFLOW else value / 1024**power
    return f"{number:5.3f}{_UNITS[power]}"
