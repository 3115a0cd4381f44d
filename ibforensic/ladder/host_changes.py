"""What changed at the hosts of a run: firmware, NUMA node, PCIe; told beside what the run lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.runs import BenchRun
from ibforensic.model.message import Message, say

__all__ = ["host_changes", "lower", "setting_changes"]

_SETTINGS = (
    ("fw_version", "firmware"),
    ("numa_node", "NUMA node"),
    ("pcie_speed", "PCIe speed"),
    ("pcie_width", "PCIe lanes"),
)
_MOST = 6


def host_changes(run: BenchRun, grounds: Grounds) -> tuple[Message, ...]:
    """Name what changed at the devices of the hosts of a run.

    Args:
        run: The run.
        grounds: Knows what the hosts told on both sides.
    """
    hosts = {_short(member.host) for member in run.members if member.host}
    found = [
        message
        for key, now in sorted(grounds.after.hosts.items())
        if _short(key[0]) in hosts and key in grounds.before.hosts
        for _, message in setting_changes(f"{key[0]} {key[1]}", grounds.before.hosts[key], now)
    ]
    return tuple(found[:_MOST])


def setting_changes(
    who: str, then: Mapping[str, object], now: Mapping[str, object]
) -> Iterator[tuple[bool, Message]]:
    """Name settings of a device that differ, each with whether PCIe is slower now.

    Args:
        who: Host and device.
        then: What the host told before.
        now: What it tells now.
    """
    for name, word in _SETTINGS:
        one, other = then.get(name), now.get(name)
        if one is not None and other is not None and one != other:
            text = "{device}: {what} {before} → {after}"
            message = say("ladder.links.setting", text, device=who, what=word, before=one, after=other)
            yield name.startswith("pcie") and lower(one, other), message


def lower(one: object, other: object) -> bool:
    """Whether the number that a value begins with is lower in the other."""
    numbers = []
    for value in (one, other):
        try:
            numbers.append(float(str(value).split()[0]))
        except (ValueError, IndexError):
            return False
    return numbers[1] < numbers[0]


def _short(host: str) -> str:
    return host.partition(".")[0].lower()
