"""A cut file takes away what it alone would have told, and nothing that a whole file tells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from handmade import FILE, compared, counted, guid, hca, port, source, two_level, without

ERRORS = {"port_rcv_errors_ext": 1, "symbol_error_counter": 3}


def rows(*gone: int) -> dict[str, list]:
    """Return the small fabric with counters, without some nodes."""
    found = two_level()
    found["counters_pma"] = [
        counted(int(one["node_guid"], 16), one["port_num"], **ERRORS) for one in found["ports"]
    ]
    return {name: without(table, *gone) for name, table in found.items()}


def record(path: str, parser: str, *, whole: bool = False):
    return replace(source(path, whole=whole), parser=parser)


def cut(path: str, parser: str, more: dict | None = None, *gone: int):
    """Compare with a current sample of a whole db_csv and a cut file beside it."""
    sources = (source(sha256="another"), record(path, parser))
    return compared(rows(), {**rows(*gone), **(more or {}), "sources": sources})


def gaps(facts) -> dict[str, str]:
    return {gap.reason.id: gap.what for gap in facts.coverage.not_judged}


@pytest.mark.parametrize(
    ("path", "parser", "what"),
    [
        ("ibdiagnet2.cables", "cables", "cables and modules of some ports"),
        ("ibdiagnet2.net_dump_ext", "net_dump_ext", "bit error ratios of some ports"),
        ("ibdiagnet2.pm", "pm", "error counters of some ports"),
        ("ibdiagnet2.log", "ibdiagnet_log", "the rest of cut files"),
        ("gpu2.ibstat.txt", "ibstat", "the rest of cut files"),
        ("ibdiagnet2.lst", "lst", "the rest of cut files"),
    ],
)
def test_beside_a_whole_file_of_the_fabric_absence_is_observed(path, parser, what):
    facts = cut(path, parser, None, 14)
    assert facts.pair.lost_files == ()
    assert facts.topology.observed
    assert [change.kind for change in facts.changes].count("node_missing") == 1
    assert gaps(facts)["not_judged.cut_rest"] == what
    assert "not_judged.cut" not in gaps(facts)


def test_a_cut_file_of_the_fabric_alone_leaves_absence_open():
    now = {**rows(14), "sources": (record(FILE, "db_csv"),)}
    facts = compared(rows(), now)
    assert facts.pair.lost_files == (FILE,)
    assert not facts.topology.observed
    assert "not_judged.cut" in gaps(facts)
    assert "not_judged.cut_rest" not in gaps(facts)


def test_a_whole_list_of_links_does_not_stand_in_for_counters():
    sources = (record("ibdiagnet2.pm", "pm"), record(FILE, "ibnetdiscover", whole=True))
    facts = compared(rows(), {**rows(14), "sources": sources})
    assert facts.topology.observed
    assert facts.pair.lost_files == ("ibdiagnet2.pm",)


def test_a_file_of_one_host_does_not_stand_in_for_the_fabric():
    sources = (record("ibdiagnet2.lst", "lst"), record(FILE, "ibstat", whole=True))
    assert not compared(rows(), {**rows(14), "sources": sources}).topology.observed


def test_a_file_of_another_run_does_not_stand_in():
    stale = replace(record(FILE, "db_csv", whole=True), stale=True)
    facts = compared(rows(), {**rows(14), "sources": (record("ibdiagnet2.lst", "lst"), stale)})
    assert not facts.topology.observed


def test_a_whole_file_of_another_plane_does_not_stand_in():
    more = rows(14)
    other = {"source": "plane2.db_csv", "origin": "db_csv:TEST"}
    more["nodes"] = [*more["nodes"], hca(99, **other)]
    more["ports"] = [*more["ports"], port(99, 1, **other)]
    facts = cut("plane2.db_csv", "db_csv", more, 14)
    assert guid(99) in facts.pair.current.nodes
    assert facts.pair.lost_files == ("plane2.db_csv",)
    assert not facts.topology.observed


def test_a_file_that_no_parser_knows_may_hold_anything_but_a_whole_one_tells_all():
    now = {**rows(14), "sources": (source(sha256="another"), replace(record("x", ""), parser=None))}
    assert compared(rows(), now).topology.observed


def test_the_baseline_is_asked_in_the_same_way():
    sources = (source(), record("ibdiagnet2.cables", "cables"))
    facts = compared({**rows(14), "sources": sources}, rows())
    assert [change.kind for change in facts.changes].count("node_new") == 1
    assert "not_judged.cut_before" not in gaps(facts)
