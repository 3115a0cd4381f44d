"""What really happened, as an answer sheet for tests and the benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ibforensic.model.enums import Component, VictimBy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.state import Sample

Json = dict[str, Any]


@dataclass(slots=True)
class Truth:
    """Filled while faults are applied.

    Attributes:
        sample: Current sample; gives names and labels.
        suspects: Faults that a tool should name, in the order they were ordered.
        victims: Port → how it suffers.
        rebooted: Hosts that were restarted.
        renamed: Hosts that have another name.
        cleared: Switches whose counters were cleared, or all of them.
        gone: Node GUIDs that discovery no longer reaches.
        flapping: Ports whose link goes down now and then, as some do on every large fabric.
        harmless: What else happened and must not be blamed: kind, places, and what is known.
    """

    sample: Sample
    suspects: list[Json] = field(default_factory=list)
    victims: dict[PortKey, VictimBy] = field(default_factory=dict)
    rebooted: list[Json] = field(default_factory=list)
    renamed: list[Json] = field(default_factory=list)
    cleared: list[Json] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    flapping: list[Json] = field(default_factory=list)
    harmless: list[Json] = field(default_factory=list)

    def port(self, port: PortKey) -> Json:
        """Return a port as the answer sheet prints it."""
        return {
            "node_guid": port.node_guid,
            "port": port.port_num,
            "node": self.sample.names[port.node_guid],
            "label": self.sample.fabric.label(port),
        }

    def link(self, link: LinkKey) -> Json:
        """Return a link as the answer sheet prints it."""
        return {"a": self.port(link.a), "b": self.port(link.b)}

    def blame_link(
        self,
        kind: FaultKind,
        link: LinkKey,
        severity: str,
        *,
        end: PortKey | None = None,
        direction: tuple[PortKey, PortKey] | None = None,
        component: Component = Component.LINK,
        **more: Any,
    ) -> None:
        """Note that a cable is at fault.

        Args:
            kind: What is wrong with it.
            link: The cable.
            severity: low, medium or high.
            end: Port that counts the errors; None where both ends show the same.
            direction: Sending and receiving port of the bad direction; None where both are bad.
            component: What is to be repaired.
            more: What else is known: force, when it began (seconds after the baseline), where it counted.
        """
        self.suspects.append(
            {
                "kind": str(kind),
                "severity": severity,
                "link": self.link(link),
                "host": None,
                "end": self.port(end) if end else None,
                "direction": {"from": self.port(direction[0]), "to": self.port(direction[1])}
                if direction
                else None,
                "component": str(component),
                **more,
            }
        )

    def blame_box(
        self, kind: FaultKind, guid: str, severity: str, *, component: Component, **more: Any
    ) -> None:
        """Note that a switch as a whole is at fault; arguments as for ``blame_link``."""
        self.suspects.append(
            {
                "kind": str(kind),
                "severity": severity,
                "link": None,
                "host": None,
                "device": self.device(guid),
                "end": None,
                "direction": None,
                "component": str(component),
                **more,
            }
        )

    def blame(
        self,
        fault: Fault,
        component: Component,
        *,
        links: Sequence[LinkKey] = (),
        host: str | None = None,
        device: str | None = None,
        end: PortKey | None = None,
        direction: tuple[PortKey, PortKey] | None = None,
        **more: Any,
    ) -> None:
        """Note that a host, a device, or several links are at fault.

        Args:
            fault: What was ordered.
            component: What is to be repaired.
            links: Links that are concerned, the worst one first; all are told where there are several.
            host: The host.
            device: GUID of the switch or HCA.
            end: Port at which something is to be repaired.
            direction: Sending and receiving port of the bad direction.
            more: What else is known: force, when it began and how it went on, where it counted.
        """
        told = [self.link(link) for link in links]
        self.suspects.append(
            {
                "kind": str(fault.kind),
                "severity": fault.word,
                "link": told[0] if told else None,
                **({"links": told} if len(told) > 1 else {}),
                "host": self.host(host) if host else None,
                **({"device": self.device(device)} if device else {}),
                "end": self.port(end) if end else None,
                "direction": {"from": self.port(direction[0]), "to": self.port(direction[1])}
                if direction
                else None,
                "component": str(component),
                **more,
            }
        )

    def blame_host(self, host: str) -> None:
        """Note that a host is gone."""
        self.suspects.append(
            {
                "kind": str(FaultKind.DEAD_HOST),
                "severity": "high",
                "link": None,
                "host": self.host(host),
                "end": None,
                "direction": None,
                "component": str(Component.HOST),
            }
        )

    def excuse(
        self, kind: FaultKind, *, nodes: Iterable[str] = (), ports: Iterable[PortKey] = (), **more: Any
    ) -> None:
        """Note what happened that is harmless.

        Args:
            kind: What happened.
            nodes: Devices it happened to, by node GUID.
            ports: Ports it happened to, in any order.
            more: What else is known: serial numbers, firmware, degrees.
        """
        self.harmless.append(
            {
                "kind": str(kind),
                "nodes": [self.device(guid) for guid in nodes],
                "ports": [self.port(port) for port in sorted(ports)],
                **more,
            }
        )

    def device(self, guid: str) -> Json:
        """Return a device as the answer sheet prints it."""
        return {"node_guid": guid, "node": self.sample.names[guid]}

    def host(self, host: str) -> Json:
        """Return a host as the answer sheet prints it."""
        return {"host": host, "node_guids": [hca.guid for hca in self.sample.fabric.hosts[host]]}

    def as_json(self) -> Json:
        """Return the answer sheet; ``suspect`` is the first fault, or null where nothing is wrong."""
        victims = sorted(self.victims.items())
        return {
            "suspect": self.suspects[0] if self.suspects else None,
            "suspects": self.suspects,
            "victims": [{**self.port(port), "by": str(by)} for port, by in victims],
            "rebooted": self.rebooted,
            "renamed": self.renamed,
            "cleared": self.cleared,
            "gone": self.gone,
            "flapping": self.flapping,
            "harmless": self.harmless,
        }
