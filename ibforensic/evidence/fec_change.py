"""A link that came up with another error correction than before, or with a weaker one than its like.

What it looks for: FEC in use that differs from the baseline's at the same width and speed; without a
baseline, a code that corrects less than that of nearly all links of the kind.
Why it matters: the two ends agree on a code when the link trains. A weaker one than before leaves errors that
used to be repaired, and a link that trains differently has been trained under other conditions.
What else looks like this: somebody set another code, which then many links show; another cable or module.
What to do next: compare what both ends enable; let the link train again; look at its bit errors.
Source: KNOWLEDGE §1.6, §3.5; demand D-18.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow.compute as pc

from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.link_terms import FEC_CORRECTS
from ibforensic.model.records import Evidence, say

RULE = Rule("fec_change", "other FEC than before", 32)

_ROLL_OUT = 4
"""Links that changed alike from which on it may be a setting."""
_ROLL_OUT_SHARE = 0.2
_PEERS = 20
"""Links of a kind from which on they tell what is usual."""
_FEW = 0.05


@dataclass(frozen=True, slots=True)
class _Differs:
    """A link with another code.

    Attributes:
        link: The link.
        port: The end that shows it.
        usual: The code before, or that of links of its kind.
        now: The code now.
    """

    link: LinkKey
    port: PortKey
    usual: str
    now: str

    @property
    def weaker(self) -> bool:
        """Whether the code corrects less; codes of unknown strength are not called weaker."""
        usual, now = FEC_CORRECTS.get(self.usual), FEC_CORRECTS.get(self.now)
        return usual is not None and now is not None and now < usual


def find(scene: Scene) -> Iterator[Evidence]:
    """Find links whose code differs."""
    for found in _odd(scene) if scene.alone else _changed(scene):
        if scene.alone and not found.weaker:
            continue
        yield _evidence(scene, found)


def _changed(scene: Scene) -> list[_Differs]:
    """Links whose code is not the baseline's, but for changes that many links made alike."""
    pair = scene.facts.pair
    fields = ("fec", "speed_active", "width_active")
    other = pc.indices_nonzero(pc.not_equal(pair.before["fec"], pair.after["fec"]))
    then, now = (side.select(fields).take(other).to_pylist() for side in (pair.before, pair.after))
    found: dict[LinkKey, _Differs] = {}
    for at, before, after in zip(other.to_pylist(), then, now, strict=True):
        port = scene.ports[at]
        link = scene.link(port)
        if link is None or port not in pair.current.peers or not (before["fec"] and after["fec"]):
            continue
        same_rate = all(before[name] == after[name] for name in fields[1:])
        if same_rate:
            found.setdefault(link, _Differs(link, port, before["fec"], after["fec"]))
    alike = Counter((one.usual, one.now) for one in found.values())
    many = max(_ROLL_OUT, _ROLL_OUT_SHARE * len(pair.current.links))
    return [one for _, one in sorted(found.items()) if alike[one.usual, one.now] < many]


def _odd(scene: Scene) -> list[_Differs]:
    """Links of one sample whose code hardly any other link of the kind has."""
    pair, physical = scene.facts.pair, scene.facts.physical
    rows = pair.after.select(("fec", "speed_active")).to_pylist()
    kinds: dict[LinkKey, tuple[object, ...]] = {}
    codes: dict[LinkKey, tuple[PortKey, str]] = {}
    for at, port in enumerate(scene.ports):
        link, medium = scene.link(port), (bool(physical.copper[at]), bool(physical.optical[at]))
        if link is not None and rows[at]["fec"] and any(medium):
            kinds.setdefault(link, (int(scene.places[at]), rows[at]["speed_active"], *medium))
            codes.setdefault(link, (port, rows[at]["fec"]))
    sizes = Counter(kinds.values())
    shares = Counter((kinds[link], code) for link, (_, code) in codes.items())
    usual = {kind: code for (kind, code), _ in sorted(shares.items(), key=lambda item: item[1])}
    return [
        _Differs(link, port, usual[kinds[link]], code)
        for link, (port, code) in sorted(codes.items())
        if sizes[kinds[link]] >= _PEERS and shares[kinds[link], code] <= _FEW * sizes[kinds[link]]
    ]


def _evidence(scene: Scene, found: _Differs) -> Evidence:
    policy, who = scene.policy, scene.facts.who
    at = scene.facts.pair.positions[found.port]
    support = policy.fec_weaker if found.weaker else policy.fec_other
    if scene.alone or not scene.same_parts[at]:
        support /= 2
    message = say(
        "fec_change.weaker" if found.weaker else "fec_change.other",
        "the link {a} – {b} runs with FEC {now}, {usual_is} {usual}{corrects}",
        a=who.call(found.link.a),
        b=who.call(found.link.b),
        now=found.now,
        usual=found.usual,
        usual_is="its like with" if scene.alone else "before with",
        corrects=_corrects(found) if found.weaker else "",
    )
    return Evidence(
        RULE.id,
        message,
        where=found.port,
        group="rate",
        weight=support,
        strength=strength(support),
        before=None if scene.alone else found.usual,
        after=found.now,
        source=scene.port_source(at),
    )


def _corrects(found: _Differs) -> str:
    return f": it corrects {FEC_CORRECTS[found.now]} symbols of a code word, not {FEC_CORRECTS[found.usual]}"
