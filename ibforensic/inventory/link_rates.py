"""What rates links run at, and which run below what both of their ends could do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.evidence.capability import links_below
from ibforensic.model.inventory import Grade, Inventory, Row

ORDER = 160


def build(scene: Scene) -> Iterator[Inventory]:
    """Make both sections."""
    pair, unit = scene.facts.pair, ("link", "links")
    widths, speeds = (pair.after[name].to_pylist() for name in ("width_active", "speed_active"))
    rates: Counter[str] = Counter()
    for link in pair.current.links:
        at = pair.positions.get(link.a, pair.positions.get(link.b))
        told = at is not None and widths[at] and speeds[at]
        rates[f"{widths[at]} {speeds[at]}" if told and at is not None else "not known"] += 1
    total = rates.total()
    if not total:
        for id_, title in (("link_rates", "Rates of links"), ("links_below", "Links below their rate")):
            yield Inventory(id_, title, unit=unit, note="not collected: no file tells of links")
        return
    rows = tuple((rate, count) for rate, count in rates.most_common())
    yield Inventory("link_rates", "Rates of links", ("Rate", "Links"), rows, total, unit)
    yield _below(scene, unit)


def _below(scene: Scene, unit: tuple[str, str]) -> Inventory:
    """Links that run below what both ends enable and support; those that were built so are counted."""
    who, found = scene.facts.who, links_below(scene)
    single = [one for one in found if not one.built_so]
    built = Counter((one.runs, one.could) for one in found if one.built_so)
    rows: list[Row] = [(who.call(one.link.a), who.call(one.link.b), one.runs, one.could) for one in single]
    rows += [
        (f"{count:,} links of a kind", None, runs, could) for (runs, could), count in built.most_common()
    ]
    return Inventory(
        "links_below",
        "Links below their rate",
        ("One end", "Other end", "Runs at", "Both ends could do"),
        tuple(rows),
        len(single),
        unit,
        "Where many of a kind run alike it was built so: the cable allows no more." if built else "",
        Grade.NOTICE if single else Grade.INFO,
    )
