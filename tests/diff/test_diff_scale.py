"""What a comparison costs on large fabrics: columns that are read, and calls a port more takes."""

from __future__ import annotations

import cProfile
import pstats
from dataclasses import replace

from ibforensic import pipeline
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.snapshot.records import ByColumn

LARGE = {"ports", "modules", "phy", "counters_pma", "counters_detail", "counters_phy"}
CALLS_A_PORT = 180
"""Calls of Python that a port more may take, with its node, its link and the port it leads to."""


class Watched(ByColumn):
    """Tables that note which columns of which table were asked for; None stands for all of them."""

    def __init__(self, tables):
        self.tables = tables
        self.asked = set()

    def __getitem__(self, name):
        self.asked.add((name, None))
        return self.tables[name]

    def columns(self, name, wanted, coded=False):
        self.asked |= {(name, column) for column in wanted}
        return self.tables[name].select(wanted)

    def __iter__(self):
        return iter(self.tables)

    def __contains__(self, name):
        return name in self.tables

    def __len__(self):
        return len(self.tables)


def incident(hosts):
    """Return the snapshots before and after a fault in a fabric with so many hosts at each leaf."""
    spec = parse_spec(f"fat-tree:leaf=4,spine=2,hosts={hosts}")
    baseline, current, _ = pipeline.simulated(Order(spec, faults=(FaultKind.DIRTY_CONNECTOR,), seed=4))
    return baseline, current


def watched(snapshot):
    """Return a snapshot whose last sample notes what is read, and the notes."""
    tables = Watched(snapshot.latest.tables)
    samples = (*snapshot.samples[:-1], replace(snapshot.latest, tables=tables))
    return replace(snapshot, samples=samples), tables


def test_large_tables_are_never_read_as_a_whole():
    sides = [watched(snapshot) for snapshot in incident(4)]
    assert pipeline.diff(*(snapshot for snapshot, _ in sides)).document["suspects"]
    for _, tables in sides:
        assert {name for name, column in tables.asked if column is None} & LARGE == set()
        assert {name for name, _ in tables.asked} >= LARGE


def test_columns_that_nothing_is_made_of_are_not_read():
    one, tables = watched(incident(4)[1])
    pipeline.check(one)
    unread = {("ports", "option_mask"), ("modules", "thresholds")}
    assert tables.asked & unread == set()


def calls(hosts):
    """Count the calls that a comparison makes, and the ports it looks at."""
    baseline, current = incident(hosts)
    profile = cProfile.Profile()
    profile.enable()
    found = pipeline.diff(baseline, current)
    profile.disable()
    return pstats.Stats(profile).total_calls, len(found.facts.pair.port_keys)


def test_a_port_more_takes_few_calls_more():
    calls(4)
    few, many = calls(8), calls(24)
    assert (many[0] - few[0]) / (many[1] - few[1]) < CALLS_A_PORT
