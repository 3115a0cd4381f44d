"""Tables made straight from the state equal those that the parsers read from the written directories.

Not compared: lines, sizes and hashes of files, and ``x_`` columns, since nothing was written.
"""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from ibforensic import pipeline
from ibforensic.model.enums import Quality
from ibforensic.model.errors import BadUsage
from ibforensic.model.tables import TABLES
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.missing import parse_missing
from ibforensic.simulate.options import CONFOUNDERS
from ibforensic.simulate.order import Order, make_order, write_order
from ibforensic.simulate.pcie import at_best
from ibforensic.simulate.tables import tables_of
from ibforensic.simulate.topology_spec import parse_spec, parse_speeds

SIDES = ("baseline", "current")
ONLY_READ = {"line"}
ONLY_OF_FILES = {"sha256", "bytes"}

F = FaultKind
CASES = {
    "plain": ("fat-tree", "ndr", (F.BAD_LINK,), (), False),
    "links": ("fat-tree3", "hdr", (F.DEAD_LINK, F.FLAPPING_LINK, F.SPEED_LOSS), CONFOUNDERS, False),
    "phy": ("fat-tree", "ndr", (F.BAD_LINK, F.DEAD_LINK, F.WIDTH_LOSS), CONFOUNDERS, True),
    "mixed": ("fat-tree", "ndr,hdr", (F.BAD_MODULE, F.DEAD_HOST), (F.HOST_REBOOT,), True),
    "old": ("fat-tree:hosts=4", "edr", (F.FLAPPING_LINK,), (F.LID_RESHUFFLE,), True),
    "rails": ("rail:hosts=4", "ndr", (F.DIRTY_CONNECTOR,), (F.FABRIC_COUNTER_CLEAR,), True),
    "planes": ("planes:hosts=4", "xdr", (F.BENT_FIBRE,), (F.SWITCH_COUNTER_CLEAR,), True),
    "split": ("fat-tree:split=1,hosts=6", "ndr", (F.COPPER_CABLE,), (F.RENAME_HOST,), True),
}


def _order(name, seed=5):
    topology, speeds, faults, confounders, phy = CASES[name]
    return Order(parse_spec(topology), parse_speeds(speeds), faults, confounders, "high", seed, phy=phy)


@pytest.fixture(scope="module", params=CASES)
def both(request, tmp_path_factory):
    order = _order(request.param)
    directory = tmp_path_factory.mktemp(request.param)
    truth = write_order(directory, order)
    read = [pipeline.snapshot([directory / side]) for side in SIDES]
    *made, told = pipeline.simulated(order)
    assert told == truth
    return made, read


def _sorted(name, table):
    keys = dict.fromkeys((*TABLES[name].key, "origin", "source", *(("text",) if name == "events" else ())))
    return table.sort_by([(key, "ascending") for key in keys])


def _differing(name, made, read):
    """Return the columns that are not equal, with the first pair of values that differ."""
    made, read = (_sorted(name, table) for table in (made, read))
    assert made.num_rows == read.num_rows, name
    found = {}
    for column in (
        set(TABLES[name].schema.names) - ONLY_READ - (ONLY_OF_FILES if name == "sources" else set())
    ):
        pairs = zip(made[column].to_pylist(), read[column].to_pylist(), strict=True)
        wrong = next((pair for pair in pairs if pair[0] != pair[1]), None)
        if wrong is not None:
            found[column] = wrong
    return found


def test_every_table_is_the_one_that_is_read(both):
    for made, read in zip(*both, strict=True):
        assert list(made.latest.tables) == list(read.latest.tables)
        for name, table in read.latest.tables.items():
            assert _differing(name, made.latest.tables[name], table) == {}, name


def test_columns_have_the_declared_types(both):
    for made in both[0]:
        for name, table in made.latest.tables.items():
            assert table.schema.equals(TABLES[name].schema), name


def test_snapshots_say_the_same_of_themselves(both):
    for made, read in zip(*both, strict=True):
        assert made.fabric == read.fabric
        assert made.fitness == read.fitness
        assert made.latest.counts == read.latest.counts
        for name in ("window", "tools", "commands", "notes", "tables", "raw"):
            assert getattr(made.latest.info, name) == getattr(read.latest.info, name), name


def _without_places(document):
    """Return a document without what only files can tell."""
    if isinstance(document, dict):
        places = {"label", "sha256", "size"} if "sources" in document or "sha256" in document else set()
        kept = {key: _without_places(value) for key, value in document.items() if key not in places}
        if isinstance(kept.get("source"), str):
            kept["source"] = kept["source"].partition(":")[0]
        return kept
    return [_without_places(one) for one in document] if isinstance(document, list) else document


def test_the_verdict_is_the_same(both):
    made, read = (pipeline.diff(*pair).document for pair in both)
    assert made["suspects"]
    for one, other in zip(made["suspects"], read["suspects"], strict=True):
        for name in ("rank", "score", "link", "end", "component", "severity", "confidence"):
            assert one[name] == other[name]
    assert _without_places(made) == _without_places(read)


SMALL = "fat-tree:leaf=3,spine=2,hosts=4,hcas=2"


def _read_as_made(directory, order):
    """Check that all samples of both sides are read as they were made, and return those of current."""
    write_order(directory, order)
    *sides, _ = pipeline.simulated(order)
    for name, made in zip(SIDES, sides, strict=True):
        read = pipeline.snapshot([directory / name])
        assert len(made.samples) == len(read.samples)
        for one, other in zip(made.samples, read.samples, strict=True):
            assert list(one.tables) == list(other.tables)
            for table in one.tables:
                assert _differing(table, one.tables[table], other.tables[table]) == {}, (name, table)
            assert one.info.window == other.info.window
    return [sample.tables for sample in sides[1].samples]


@pytest.mark.parametrize("phy", [True, False], ids=["phy", "no-phy"])
@pytest.mark.parametrize("kind", [kind for kind in FaultKind if kind not in CONFOUNDERS])
def test_every_fault_reads_the_same(tmp_path, kind, phy):
    _read_as_made(tmp_path, Order(parse_spec(SMALL), faults=(kind,), severity=1.0, seed=8, phy=phy))


@pytest.mark.parametrize("kind", CONFOUNDERS)
def test_everything_harmless_reads_the_same(tmp_path, kind):
    _read_as_made(tmp_path, Order(parse_spec(SMALL), confounders=(kind,), seed=8))


@pytest.mark.parametrize("phy", [True, False], ids=["phy", "no-phy"])
def test_several_samples_and_a_window_read_the_same(tmp_path, phy):
    order = Order(parse_spec(SMALL), faults=(F.BAD_MODULE,), seed=8, phy=phy, samples=2, window=120)
    *earlier, window = _read_as_made(tmp_path, order)
    assert len(earlier) == 2
    assert set(window["counters_pma"]["window_s"].to_pylist()) == {None, 120.0}
    assert "clears" in window
    assert not any("clears" in tables for tables in earlier)
    if phy:
        full, narrow = int(Quality.SATURATED), int(Quality.NARROW)
        repaired = earlier[-1]["counters_extended_speeds"]["port_fec_corrected_symbol_ctr_q"]
        assert {full, narrow} <= set(repaired.to_pylist())


def test_narrow_registers_read_the_same(tmp_path):
    order = Order(parse_spec(SMALL), confounders=(F.CLAMPED_COUNTERS,), seed=8, phy=False)
    (made,) = _read_as_made(tmp_path, order)
    assert None in made["counters_pma"]["port_xmit_data_ext"].to_pylist()


def test_the_log_shows_the_first_slow_slots_only(tmp_path):
    pair, _ = make_order(Order(parse_spec(SMALL), seed=8))
    sample = pair.current
    for hcas in sample.fabric.hosts.values():
        for hca in hcas:
            sample.pcie[hca.guid] = replace(at_best(hca), width=4)
    read, made = _read_back(tmp_path, sample)["events"], tables_of(sample)["events"]
    assert _differing("events", made, read) == {}
    degraded = [row for row in made.to_pylist() if "PCI link degradation" in row["text"]]
    assert [row["origin"] for row in degraded].count("ibdiagnet_log") == 5
    assert len(degraded) == 24 + 5


def test_nothing_is_left_out_in_memory():
    order = Order(parse_spec(SMALL), missing=parse_missing("phy"))
    with pytest.raises(BadUsage, match="files only"):
        pipeline.simulated(order)


def test_whole_decibels_read_the_same(tmp_path):
    order = Order(parse_spec("fat-tree:leaf=2,spine=2,hosts=4"), faults=(F.DIRTY_CONNECTOR,), seed=2)
    pair, _ = make_order(order)
    pair.current.phy.whole_dbm = True
    read = _read_back(tmp_path, pair.current)
    assert _differing("modules", tables_of(pair.current)["modules"], read["modules"]) == {}


def _read_back(directory, sample):
    from ibforensic.simulate.write_ibdiagnet import write_ibdiagnet

    write_ibdiagnet(directory, sample)
    return pipeline.snapshot([directory]).latest.tables


def test_full_and_broken_registers_read_the_same(tmp_path):
    pair, _ = make_order(_order("plain"))
    sample = pair.current
    ports = sorted(port for port in sample.counters if sample.is_up(port))
    for port, count in zip(ports, (14, 15, 16, 255, 65_535, 2**32 - 1, 2**63, 2**63 + 1), strict=False):
        for counter in list(sample.counters[port]):
            sample.counters[port][counter] = count
            sample.window[port][counter] = count // 2
    read = _read_back(tmp_path, sample)
    made = tables_of(sample)
    for name in ("counters_pma", "counters_detail"):
        assert _differing(name, made[name], read[name]) == {}, name
    assert {2, 3} <= set(made["counters_pma"]["port_xmit_data_q"].to_pylist()) | set(
        made["counters_pma"]["port_xmit_data_ext_q"].to_pylist()
    )


def test_the_comparison_would_notice(both):
    read = both[1][1].latest.tables
    table = read["counters_pma"]
    at = table.schema.get_field_index("port_rcv_errors")
    zeros = table.set_column(at, table.schema.field(at), table["port_xmit_data"])
    assert "port_rcv_errors" in _differing("counters_pma", zeros, table)


def test_an_incident_of_512_ports_takes_no_second():
    order = Order(
        parse_spec("fat-tree:leaf=8,spine=4,hosts=16,uplinks=4"), faults=(F.BAD_MODULE,), seed=1, phy=True
    )
    spent = []
    for _ in range(2):
        began = time.perf_counter()
        pair, truth = make_order(order)
        for sample in (pair.baseline, pair.current):
            assert tables_of(sample)["counters_pma"].num_rows == 2 * 520
        spent.append(time.perf_counter() - began)
    assert truth["suspects"]
    assert min(spent) < 1
