"""What the ports of a link say of why it went down.

What it looks for: the reason opcodes that a port keeps of its last link down, where the link went down since
the baseline and neither a reset nor its old pace explains it, or where the link or port is down now.
Why it matters: a link down is counted at both ends and proves only the link. The reason tells which end
saw a bad signal first, whose module failed, or that somebody took the link down by command.
What else looks like this: "remote fault" and "TS1" only echo what the other end did; it is the reason of the
last down alone; numbers from 28 on mean different things to different tools.
What to do next: the end that lost the signal is where light or cable fail; the end with a module reason is to
be reseated first.
Source: KNOWLEDGE §1.8, §5.2; atlas §5.2 (opcodes); demand D-19.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene, strength, told_growth
from ibforensic.evidence.said_reasons import Said, reasons, unchanged
from ibforensic.model.down_reasons import Told
from ibforensic.model.enums import PortState, Strength
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Evidence, say

RULE = Rule("down_reason", "why links went down", 43)

_OF_THE_MODULE = (Told.UNPLUGGED, Told.THERMAL, Told.POWER, Told.MODULE)
MEANING = {
    Told.SIGNAL: "the signal that arrives there was bad",
    Told.ISOLATED: "a tool took it down for its bit errors",
    Told.LOGIC: "the port's own buffers or credits, neither cable nor module",
    Told.COMMANDED: "by command, the link was healthy",
    Told.ECHO: "the other end took it down",
    Told.PEER_RESET: "the other end was reset",
    Told.UNPLUGGED: "its module or cable was pulled, or could not be seen",
    Told.THERMAL: "it got too hot there",
    Told.POWER: "its module had no power",
    Told.MODULE: "its module failed",
    Told.NOTHING: "it gives no reason of its own",
    Told.UNKNOWN: "what that number means is not known",
}


def find(scene: Scene) -> Iterator[Evidence]:
    """Tell the reasons at the ends of links that went down or are down now."""
    said = reasons(scene)
    if not said:
        return
    for link in _down(scene):
        for port in link:
            if port in said:
                yield _evidence(scene, link, port, said[port], said.get(_other(link, port)))


def _down(scene: Scene) -> list[LinkKey]:
    """Links that counted a down, that are gone, or of which an end is down now and was not."""
    pair, links = scene.facts.pair, set(scene.facts.topology.lost_links)
    fell = told_growth(scene, "link_downed_counter") > 0
    then, now = pair.before["state"].to_pylist(), pair.after["state"].to_pylist()
    for at, port in enumerate(scene.ports):
        dead = then[at] == PortState.ACTIVE and now[at] not in (None, PortState.ACTIVE)
        link = scene.link(port) if fell[at] or dead else None
        if link is not None:
            links.add(link)
    return sorted(links)


def _other(link: LinkKey, port: PortKey) -> PortKey:
    return link.b if port == link.a else link.a


def _of_the_other(said: Said) -> str:
    """What a port has heard of the other end's reason, as the end of a sentence."""
    return f"; of the other end it has {said.remote.words} (reason {said.remote.code})" if said.remote else ""


def _evidence(scene: Scene, link: LinkKey, port: PortKey, said: Said, there: Said | None) -> Evidence:
    told, policy, who = said.reason.told, scene.policy, scene.facts.who
    damaged = told in (Told.SIGNAL, Told.ISOLATED)
    support = policy.reason_signal if damaged else 0.0
    if damaged and there is not None and there.reason.told is Told.ECHO:
        support += policy.reason_echoed
    if told in _OF_THE_MODULE or told is Told.LOGIC:
        support = policy.reason_part
    if unchanged(scene, port) and not scene.alone:
        support /= 2
    message = say(
        f"down_reason.{told}",
        "{port} says why its link to {peer} went down last: {words}: {meaning}{remote}{blame}",
        port=who.call(port),
        peer=who.call(_other(link, port)),
        words=said.words,
        meaning=MEANING[told],
        remote=_of_the_other(said),
        blame=f"; it calls the {said.blame} side responsible" if said.blame in ("local", "remote") else "",
    )
    return Evidence(
        RULE.id,
        message,
        where=port,
        towards=port if damaged else None,
        group="phy" if damaged else "link",
        weight=support,
        strength=strength(support) if support else Strength.WEAK,
        after=said.reason.code if said.reason.code >= 0 else None,
        source=said.source,
    )
