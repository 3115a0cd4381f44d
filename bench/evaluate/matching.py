"""When an answer is right: how what is named is compared with the answer sheet.

The rules:

* The fault of a link is found by a suspect that is that link, whichever end is told first, or that is one of
  its ports where nobody tells the link. Where one fault concerns several links, each of them will do; of
  cables that were swapped also a link as it was before. A suspect that is neither a link nor a device, such
  as a batch of parts, names such a fault if most of the ports that it accuses belong to its links; victims,
  which suffer elsewhere, do not count.
* The fault of a host or an HCA is found by a suspect that is that host or one of its HCAs, or that is a link
  which leads there and for which a host or HCA is to be repaired. Where all of it is gone any link that leads
  to it will do: they are all down.
* The fault of another device is found by a suspect that is that device, not by one of its links.
* Behind the suspects the ranking goes on with the ports of the table of all ports, as far as anything speaks
  against them; both ports of a link are one place. A port finds the fault of its link, of its own device, and
  of the host it belongs to or leads to. The same holds for the ports that the other rankers list.
* The end is asked for where the answer sheet names one of a single link, and counts where the right link was
  named by a suspect. A suspect that leaves the end open is wrong there.
* The component is asked for where the answer sheet is more specific than "link", and counts by class: cable
  and connector are one, switch and cooling, host and HCA. A suspect that says "link" is wrong there.
* A suspect that is right about no fault, but is a link at which the answer sheet says that a fault counted,
  is neither right nor wrong: the other port of a hot module, a port of a bad chip. It does not find the fault
  and is no false suspect.
* A victim is blamed where the first suspect is right about no fault and has an end at a port that the
  answer sheet calls a victim, or is a device with such a port.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ibforensic.model.enums import Component
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.model.records import Suspect

Json = dict[str, Any]

HOST = "host"
_CLASSES = {
    Component.CABLE: "cable",
    Component.CONNECTOR: "cable",
    Component.SWITCH: "switch",
    Component.COOLING: "switch",
    Component.HOST: HOST,
    Component.HCA: HOST,
}


def component_class(component: str) -> str:
    """Return the class of a component; most are one of their own."""
    return _CLASSES.get(Component(component), component)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a ranking that names a port: itself, and the port at the other end of its link.

    Attributes:
        port: The port.
        peer: The other end; None where nobody tells.
    """

    port: PortKey
    peer: PortKey | None = None

    @property
    def ends(self) -> frozenset[PortKey]:
        """Both ports, by which two spots of one link are known to be the same."""
        return frozenset({self.port, self.peer or self.port})


@dataclass(frozen=True, slots=True)
class Sought:
    """One fault of the answer sheet.

    Attributes:
        kind: What happened.
        links: The link, or the links, where it is about links.
        guids: The HCAs of the host, or the device.
        host: Name of the host, where it is one.
        end: The end to be touched; None where both are alike.
        component: What is to be repaired.
        counted_at: Ports at which it left errors, as far as they are told.
        gone: Whether the host or HCA does not answer any more.
    """

    kind: str
    links: frozenset[LinkKey]
    guids: frozenset[str]
    host: str | None
    end: PortKey | None
    component: str
    counted_at: frozenset[PortKey] = frozenset()
    gone: bool = False

    @property
    def component_asked(self) -> bool:
        """Whether there is a component to be told."""
        return self.component != Component.LINK

    @property
    def ports(self) -> frozenset[PortKey]:
        """All ports of its links."""
        return frozenset(end for link in self.links for end in link)

    @property
    def at_host(self) -> bool:
        """Whether it is a host or an HCA."""
        return not self.links and component_class(self.component) == HOST

    def found_by(self, suspect: Suspect) -> bool:
        """Whether a suspect names this fault."""
        if self.links:
            return self._links_found_by(suspect)
        if suspect.node_guid in self.guids or (self.host is not None and suspect.host == self.host):
            return True
        leads_there = suspect.link is not None and any(end.node_guid in self.guids for end in suspect.link)
        return self.at_host and leads_there and (self.gone or component_class(suspect.component) == HOST)

    def _links_found_by(self, suspect: Suspect) -> bool:
        """Whether a suspect is one of the links, one of their ports, or a group made of them."""
        if suspect.link is not None:
            return suspect.link in self.links
        if suspect.node_guid is not None:
            return suspect.end in self.ports
        shown = [item.where for item in suspect.evidence if item.where is not None]
        return 2 * sum(port in self.ports for port in shown) > len(shown)

    def touches(self, suspect: Suspect) -> bool:
        """Whether a suspect is a link at which this fault left errors."""
        return suspect.link is not None and bool(self.counted_at & set(suspect.link))

    def found_at(self, spot: Spot) -> bool:
        """Whether a port of a ranking belongs to this fault."""
        if self.links:
            return any(spot.ends == frozenset(link) for link in self.links)
        near = {end.node_guid for end in spot.ends} if self.at_host else {spot.port.node_guid}
        return bool(near & self.guids)

    def end_right(self, suspect: Suspect) -> bool | None:
        """Whether a suspect that names this fault names the right end; None where none is sought."""
        return None if self.end is None else suspect.end == self.end

    def component_right(self, suspect: Suspect) -> bool | None:
        """Whether a suspect that names this fault names the right component; None where none is sought."""
        if not self.component_asked:
            return None
        return component_class(suspect.component) == component_class(self.component)


def sought(truth: Json) -> list[Sought]:
    """Read the faults of an answer sheet."""
    gone = frozenset(truth.get("gone", ()))
    return [_fault(told, gone) for told in truth["suspects"]]


def _fault(told: Json, gone: frozenset[str]) -> Sought:
    """Read one fault. What is to be repaired in a device is the device, though links may be told besides."""
    host, device = told["host"], told.get("device")
    guids = frozenset(host["node_guids"] if host else [device["node_guid"]] if device else [])
    links = [] if guids else [told["link"], *_more_links(told)]
    keys = frozenset(link_key(port_of(link["a"]), port_of(link["b"])) for link in links)
    return Sought(
        kind=told["kind"],
        links=keys,
        guids=guids,
        host=host["host"] if host else None,
        end=port_of(told["end"]) if told["end"] and len(keys) == 1 else None,
        component=told["component"],
        counted_at=frozenset(port_of(port) for port in told.get("counted_at", ())),
        gone=bool(guids) and guids <= gone,
    )


def _more_links(told: Json) -> list[Json]:
    """Return the other links of a fault of several, also as they were before cables were swapped."""
    return [*told["links"], *told.get("was", ())] if "links" in told else []


def blames_victim(truth: Json, suspect: Suspect) -> bool:
    """Whether a suspect, which is right about no fault, is a place that only suffers."""
    victims = {port_of(victim) for victim in truth["victims"]}
    if suspect.link is not None:
        return bool(victims & set(suspect.link))
    return suspect.node_guid in {victim.node_guid for victim in victims}


def port_of(told: Json) -> PortKey:
    """Read a port of an answer sheet."""
    return PortKey(told["node_guid"], told["port"])
