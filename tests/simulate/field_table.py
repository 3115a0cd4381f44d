"""What a healthy fabric shows, beside what a real one of 7,982 HCAs showed (FIELD §5).

Run it to see the table: ``python tests/simulate/field_table.py``.
"""

from __future__ import annotations

from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.state import Sample
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import parse_spec

FIELD_PORTS, FIELD_CHIPS = 48_000, 8_600
"""About so many ports were up, and so many switches and HCAs were there, on its three levels."""
SPEC = "fat-tree:leaf=32,spine=16,hosts=4,hcas=8,uplinks=1"

CHIPS = "chip above 70 degrees"
FIELD = {
    "blocks that FEC could not repair": 1_290,
    "raw ratio above 1e-5": 93,
    "effective ratio above 1e-13": 69,
    "symbol ratio above 1e-13": 2,
    "link downs": 150,
    CHIPS: 783,
}
"""Reading → ports, or devices, that had it. Link downs there are those since a clear some weeks before."""


def readings(sample: Sample) -> dict[str, int]:
    """Count the ports and devices of a sample that have each reading."""
    assert sample.phy is not None
    every = [reading for reading in sample.phy.readings.values() if reading.bits]
    return {
        "blocks that FEC could not repair": sum(one.effective > 0 for one in every),
        "raw ratio above 1e-5": sum(sum(one.raw) > 1e-5 * one.bits for one in every),
        "effective ratio above 1e-13": sum(one.effective > 1e-13 * one.bits for one in every),
        "symbol ratio above 1e-13": sum(one.symbols > 1e-13 * one.bits for one in every),
        "link downs": sum(count > 0 for count in sample.fell.values()),
        CHIPS: sum(degrees > 70 for degrees in sample.temperatures.values()),
    }


def table(seeds: range) -> list[tuple[str, int, float]]:
    """Return reading, count of the real fabric, and ours scaled to its size."""
    found = dict.fromkeys(FIELD, 0)
    ports = chips = 0
    for seed in seeds:
        pair, _ = make_incident(build_topology(parse_spec(SPEC), ("NDR",), seed), seed=seed, phy=True)
        ports += len(pair.current.fabric.link_at)
        chips += len(pair.current.temperatures)
        for name, count in readings(pair.current).items():
            found[name] += count
    scale = {name: FIELD_CHIPS / chips if name == CHIPS else FIELD_PORTS / ports for name in FIELD}
    return [(name, real, found[name] * scale[name]) for name, real in FIELD.items()]


if __name__ == "__main__":
    for row in table(range(8)):
        print("{:<36}{:>8}{:>10.0f}".format(*row))
