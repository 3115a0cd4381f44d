"""Which part of a link it is, and at which end: hypotheses weighed against each other.

Each hypothesis is a component at an end, or the whole cable. Its score is the logarithm of how common it is,
plus what the observations say for or against it, each kind of observation up to a cap; the shares follow
from the scores (softmax). Signs and sizes: KNOWLEDGE §1.7, §3.2, §3.6, §5.2; how common: §3.6 (CorrOpt).

The *receiver* of a direction counts the errors. Dirt and a bad module or port sit there; a transmitter that
decays sits at the other end and is told by the light that it does not send.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ibforensic.model.enums import Component
from ibforensic.model.ids import LinkKey, PortKey

OTHER_WAY = 2.0
"""One direction is the bad one when it has so many times the damage of the other."""
DARKER_DB = 1.0
"""So many decibels less are missed."""
_FINE_DB = 0.7
"""Decibels less that still count as unchanged light."""
_MANY_FLAPS = 8.0
_RENEWED = 2.0
"""What it weighs that a part is new and the errors are: one of the two is seldom without the other."""


@dataclass(frozen=True, slots=True)
class End:
    """What was seen at one end of a link.

    Attributes:
        port: The port.
        damage: Support for damage that arrives here, nats.
        lost: Decibels less that arrive here and that the peer does send; NaN where it was not measured.
        unsent: Decibels less that are sent from here; NaN where it was not measured.
        ageing: Whether the laser here gets more current for it.
        hot: Support for a module here that got hot, nats.
        stayed: Whether the module here was changed, or was carried away, and the errors stayed.
        followed: Whether the errors came along with the module that stands here now.
        renewed: Whether another module or cable stands here than before, and nobody saw errors move or stay.
        signal_lost: Whether this end says that the link went down for the signal that arrives here.
        module_failed: Whether this end says that it went down for the module, its power or its seat.
        logic_failed: Whether this end says that it went down for its own buffers or credits.
    """

    port: PortKey
    damage: float = 0.0
    lost: float = math.nan
    unsent: float = math.nan
    ageing: bool = False
    hot: float = 0.0
    stayed: bool = False
    followed: bool = False
    renewed: bool = False
    signal_lost: bool = False
    module_failed: bool = False
    logic_failed: bool = False

    @property
    def told(self) -> bool:
        """Whether heat, a swap or a reason that it gives speaks about this end."""
        swapped = self.stayed or self.followed or self.renewed
        return self.hot > 0 or swapped or self.module_failed or self.logic_failed


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a link.

    Attributes:
        link: The link.
        ends: Its two ends.
        copper: Whether it is known to be copper.
        optical: Whether it is known to carry light.
        flaps: Times it went down, beyond what is explained.
        narrower: Whether it runs below its earlier width or speed.
    """

    link: LinkKey
    ends: tuple[End, End]
    copper: bool = False
    optical: bool = False
    flaps: float = 0.0
    narrower: bool = False

    @property
    def damaged(self) -> bool:
        """Whether packets or symbols are damaged at all."""
        return max(end.damage for end in self.ends) > 0


@dataclass(frozen=True, slots=True)
class Part:
    """A component, and the end it sits at; None for the cable as a whole."""

    component: Component
    end: PortKey | None


def shares(seen: Seen) -> dict[Part, float]:
    """Weigh all parts of a link against each other.

    Args:
        seen: What was seen.

    Returns:
        Part → share; they add up to 1.
    """
    scores = dict(_scores(seen))
    top = max(scores.values())
    weights = {part: math.exp(score - top) for part, score in scores.items()}
    total = sum(weights.values())
    return {part: weight / total for part, weight in weights.items()}


def singles_out(seen: Seen) -> bool:
    """Whether anything besides counted errors speaks for one part: light, heat, a swap, a reason, the width.

    Light that is as it was speaks for none: it was measured now, and the errors may be over. Copper that
    suffers both ways has no other part in common than the cable.
    """
    both = seen.damaged and receiver(seen) is None
    return seen.narrower or (seen.copper and both) or any(map(_marked, seen.ends))


def _marked(end: End) -> bool:
    dark = any(_known(light) and light >= DARKER_DB for light in (end.lost, end.unsent))
    return dark or end.told or end.signal_lost or end.ageing


def receiver(seen: Seen) -> End | None:
    """The end at which damage arrives, where one direction stands out."""
    here, there = seen.ends
    if not seen.damaged:
        return None
    if here.damage < there.damage:
        here, there = there, here
    return here if here.damage >= OTHER_WAY * there.damage else None


def _scores(seen: Seen) -> Iterator[tuple[Part, float]]:
    """Score each part."""
    one, other = seen.ends
    both = seen.damaged and receiver(seen) is None
    yield Part(Component.CABLE, None), _cable(seen, both)
    for here, there in ((one, other), (other, one)):
        share = _share(here, there)
        if not seen.copper:
            yield Part(Component.CONNECTOR, here.port), _connector(here, there, both) + share
            receives = _module_receives(here, seen, both) + share
            sends = _module_sends(here, there) + _share(there, here)
            yield Part(Component.TRANSCEIVER, here.port), _either(receives, sends)
        yield Part(Component.PORT, here.port), _port(here, seen, both) + share


def _either(one: float, other: float) -> float:
    """Score of "one or the other"."""
    top = max(one, other)
    return top + math.log(math.exp(one - top) + math.exp(other - top))


def _share(here: End, there: End) -> float:
    """How much of the damage arrives at this end: 0 where all of it does, -4 where none."""
    total = here.damage + there.damage
    return 0.0 if total <= 0 else 4.0 * (here.damage / total - 1.0)


def _known(value: float) -> bool:
    return not math.isnan(value)


def light_is_fine(end: End, sender: End) -> bool:
    """Whether light was measured in this direction and is as it was."""
    known = _known(end.lost)
    sent = not _known(sender.unsent) or sender.unsent < _FINE_DB
    return known and end.lost < _FINE_DB and sent


def _cable(seen: Seen, both: bool) -> float:
    """The cable or fibre as a whole: both directions suffer, or light is lost both ways."""
    score = math.log(0.6 if seen.copper else 0.2)
    losses = [end.lost for end in seen.ends if _known(end.lost)]
    if seen.damaged:
        score += 3.0 if both else -1.5
    if seen.narrower:
        score += 3.0
    if len(losses) == 2 and min(losses) >= DARKER_DB:
        score += 3.0 + min(1.5 * min(losses), 4.0)
    elif seen.optical and losses and both and max(losses) < DARKER_DB:
        # As much as unchanged light takes from a connector: less of it must not speak for the cable instead.
        score -= 4.0
    if any(end.stayed for end in seen.ends):
        score -= 4.0
    if any(end.followed for end in seen.ends):
        score += 3.0
    if all(end.renewed for end in seen.ends):
        score += _RENEWED
    if any(end.signal_lost for end in seen.ends):
        score += 0.5
    if any(end.logic_failed for end in seen.ends):
        score -= 2.0
    return score


def _connector(here: End, there: End, both: bool) -> float:
    """Dirt where light arrives: less of it, although as much is sent."""
    score = math.log(0.35)
    if _known(here.lost):
        score += min(1.5 * here.lost, 5.0) if here.lost >= DARKER_DB else -2.5
    if _known(there.unsent) and there.unsent >= DARKER_DB:
        score -= 1.5
    if both:
        score -= 1.0
    if _known(there.lost) and there.lost >= DARKER_DB:
        score -= 2.0
    if here.renewed:
        score += _RENEWED / 2  # whoever changed the module opened the connector
    score += 2.0 * here.signal_lost + 1.0 * here.module_failed - 2.0 * here.logic_failed
    return score - (2.0 if here.stayed else 0.0)


def _module_sends(here: End, there: End) -> float:
    """The transmitter here: less is sent, at times for more current; errors arrive at the other end."""
    score = math.log(0.1)
    if _known(here.unsent):
        score += min(2.0 * here.unsent, 6.0) if here.unsent >= DARKER_DB else -1.0
    if here.ageing:
        score += 2.0
    if _known(there.lost) and there.lost >= DARKER_DB:
        score -= 2.0
    score += 4.0 * here.followed + _RENEWED * here.renewed
    score += 1.5 * there.signal_lost + 2.0 * here.module_failed - 2.0 * here.logic_failed
    return score + min(here.hot, 3.0) - (4.0 if here.stayed else 0.0)


def _module_receives(here: End, seen: Seen, both: bool) -> float:
    """The receiving electronics of the module here: errors although the light is as it was."""
    there = seen.ends[1] if here is seen.ends[0] else seen.ends[0]
    score = math.log(0.25)
    if light_is_fine(here, there):
        score += 1.0
    if _known(here.lost) and here.lost >= DARKER_DB:
        score -= 2.0
    if _known(there.unsent) and there.unsent >= DARKER_DB:
        score -= 2.0
    if seen.flaps >= _MANY_FLAPS:
        score += 1.0
    score += 4.0 * here.followed + _RENEWED * here.renewed
    if both:
        score += 0.5 if seen.optical else 0.0
    score += 1.0 * here.signal_lost + 2.0 * here.module_failed - 2.0 * here.logic_failed
    return score + min(here.hot, 3.0) - (4.0 if here.stayed else 0.0)


def _port(here: End, seen: Seen, both: bool) -> float:
    """The port itself: whatever is plugged in, this receiver has errors."""
    there = seen.ends[1] if here is seen.ends[0] else seen.ends[0]
    score = math.log(0.1)
    if light_is_fine(here, there):
        score += 0.7
    if _known(here.lost) and here.lost >= DARKER_DB:
        score -= 2.0
    if seen.copper:
        score += 1.5 if not both else -1.0
    if here.stayed:
        score += 4.0
    if here.followed:
        score -= 4.0
    if both:
        score -= 1.5
    return score + 1.0 * here.signal_lost + 3.0 * here.logic_failed
