"""Why it is this part of the link and no other: what singles it out, in one sentence.

The evidence says that a link is bad; here is what tells its parts apart. Where nothing does, that is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ibforensic.diff.who import Who
from ibforensic.model.enums import Component
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Message, say
from ibforensic.verdict.hypotheses import DARKER_DB, End, Seen, light_is_fine, receiver


@dataclass(frozen=True, slots=True)
class _Link:
    """A link, looked at from the end that is named.

    Attributes:
        here: That end; either where the cable as a whole is named.
        there: The other.
        seen: All that was seen.
    """

    here: End
    there: End
    seen: Seen

    @property
    def dark(self) -> bool:
        """Whether less light arrives here than before."""
        return self.here.lost >= DARKER_DB

    @property
    def weak(self) -> bool:
        """Whether less light is sent from here than before."""
        return self.here.unsent >= DARKER_DB

    @property
    def bright(self) -> bool:
        """Whether errors arrive here although the light is as it was."""
        return light_is_fine(self.here, self.there) and self.here.damage > 0

    @property
    def bright_both(self) -> bool:
        """Whether errors arrive at both ends alike although the light is as it was."""
        fine = light_is_fine(self.here, self.there) and light_is_fine(self.there, self.here)
        return fine and self.seen.damaged and receiver(self.seen) is None


_Form = tuple[Callable[[_Link], bool], str, str]
"""When it fits, message id, template; the first that fits is said."""

_SIGNAL: _Form = (
    lambda link: link.here.signal_lost,
    "signal",
    "{near} says that the link went down because it lost the signal",
)
_MODULE: _Form = (
    lambda link: link.here.module_failed,
    "module",
    "{near} says that the link went down for its module",
)
_BRIGHT: _Form = (
    lambda link: link.bright,
    "light_fine",
    "errors arrive at {near} although as much light arrives as before: what receives it is bad",
)
_CONNECTOR: tuple[_Form, ...] = (
    (
        lambda link: link.dark and link.there.unsent >= DARKER_DB,
        "light_lost_beyond",
        "{near} receives {lost:.1f} dB less light than before, beyond what {far} sends less",
    ),
    (
        lambda link: link.dark and not math.isnan(link.there.unsent),
        "light_lost",
        "{near} receives {lost:.1f} dB less light than before, although {far} sends as much",
    ),
    (
        lambda link: link.dark,
        "light_lost_alone",
        "{near} receives {lost:.1f} dB less light than before; nobody tells whether {far} sends less",
    ),
    _SIGNAL,
    _MODULE,
    (
        lambda link: True,
        "likely_connector",
        "nothing singles it out for certain: a dirty connector is the likeliest there",
    ),
)
_TRANSCEIVER: tuple[_Form, ...] = (
    (
        lambda link: link.here.followed,
        "followed",
        "the errors came along with the module that stands in {near} now",
    ),
    (
        lambda link: link.here.renewed and not link.weak,
        "renewed",
        "the module in {near} is another one than in the baseline, and the errors are new",
    ),
    (
        lambda link: link.weak and link.here.ageing,
        "laser_ages",
        "{near} sends {unsent:.1f} dB less light than before, although its laser gets more current",
    ),
    (lambda link: link.weak, "sends_less", "{near} sends {unsent:.1f} dB less light than before"),
    (lambda link: link.here.hot > 0, "hot", "the module in {near} got hot"),
    _MODULE,
    (lambda link: link.here.ageing, "current", "the laser in {near} gets more current than before"),
    (
        lambda link: link.bright_both,
        "light_fine_both",
        "errors arrive at both ends although as much light arrives as before: one of the two transceivers is "
        "bad or loose, and nothing tells which",
    ),
    _BRIGHT,
    _SIGNAL,
    (
        lambda link: True,
        "likely_module",
        "nothing singles it out for certain: a bad module is the likeliest there",
    ),
)
_PORT: tuple[_Form, ...] = (
    (
        lambda link: link.here.stayed,
        "stayed",
        "the module in {near} was changed, and the errors stayed",
    ),
    (
        lambda link: link.here.logic_failed,
        "logic",
        "{near} says that the link went down for its own buffers or credits",
    ),
    (
        lambda link: link.seen.copper and receiver(link.seen) is link.here,
        "one_way",
        "errors arrive mostly at {near}, and a bad copper cable damages both directions as a rule",
    ),
    _BRIGHT,
    (
        lambda link: True,
        "likely_port",
        "nothing singles it out for certain: the receiver of the port is the likeliest there",
    ),
)
_CABLE: tuple[_Form, ...] = (
    (
        lambda link: link.here.followed or link.there.followed,
        "cable_followed",
        "the errors came along with the cable that is there now",
    ),
    (
        lambda link: link.here.renewed and link.there.renewed,
        "cable_renewed",
        "the cable is another one than in the baseline, and the errors are new",
    ),
    (
        lambda link: link.dark and link.there.lost >= DARKER_DB,
        "dark_both",
        "less light arrives at both ends than before",
    ),
    (
        lambda link: link.seen.narrower,
        "narrower",
        "the link lost lanes or speed, and each lane runs through the whole cable",
    ),
    (
        lambda link: link.seen.damaged and receiver(link.seen) is None,
        "both_ways",
        "both directions are damaged, and the cable is what they have in common",
    ),
    (
        lambda link: True,
        "likely_cable",
        "nothing singles it out for certain: the cable is the likeliest",
    ),
)
_WHOLE: tuple[_Form, ...] = (
    (lambda link: True, "nothing", "nothing that is known singles out a part of the link"),
)


def because(component: Component, end: PortKey | None, seen: Seen, who: Who) -> Message | None:
    """Say what singles out a part of a link.

    Args:
        component: What is to be repaired.
        end: Where it sits; None for the cable as a whole.
        seen: What was seen of the link.
        who: Names.

    Returns:
        The strongest reason; None for components that rules name outright, which their evidence tells.
    """
    one, other = seen.ends
    link = _Link(other, one, seen) if end == other.port else _Link(one, other, seen)
    if component is Component.CONNECTOR:
        return _said(_CONNECTOR, link, who)
    if component is Component.TRANSCEIVER:
        return _said(_TRANSCEIVER, link, who)
    if component is Component.PORT:
        return _said(_PORT, link, who)
    if component is Component.CABLE:
        return _said(_CABLE, link, who)
    return _said(_WHOLE, link, who) if component is Component.LINK else None


def _said(forms: tuple[_Form, ...], link: _Link, who: Who) -> Message:
    """Say the first reason that fits."""
    name, template = next((name, template) for fits, name, template in forms if fits(link))
    known = {
        "near": who.call(link.here.port),
        "far": who.call(link.there.port),
        "lost": link.here.lost,
        "unsent": link.here.unsent,
    }
    used = {key: value for key, value in known.items() if f"{{{key}" in template}
    return say(f"because.{name}", template, **used)
