"""Files damaged at random: through every parser, through the whole chain; and what such runs once found."""

from __future__ import annotations

import contextlib
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutating import damage, damaged

from ibforensic import pipeline
from ibforensic.capture.parsing import read
from ibforensic.capture.records import RawFile
from ibforensic.model.errors import ForensicError
from ibforensic.model.resources import samples_dir
from ibforensic.parsers import HEAD_BYTES, parsers
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident

FIXTURES = Path(__file__).parents[1] / "fixtures"
SMALL = 20_000
LONGEST_S = 10
"""Far beyond what any of these takes, on a busy machine as well; what is quadratic takes minutes."""
QUIETLY = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


def parser_named(name):
    return next(parser for parser in parsers() if parser.spec.name == name)


def parsed(name, text):
    """Return the tables that a parser makes of a text."""
    return parser_named(name).parse("x", text.encode()).tables


def fixture(name):
    return (FIXTURES / name).read_text()


@pytest.fixture(scope="module")
def files():
    """Small files that some parser claims."""
    found = [path for path in sorted(FIXTURES.rglob("*")) if path.is_file() and path.stat().st_size < SMALL]
    return [
        (path.name, data)
        for path in found
        for data in [path.read_bytes()]
        if any(parser.spec.claims(path.name, data[:HEAD_BYTES]) for parser in parsers())
    ]


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """The raw output of two runs of a small fabric."""
    folder = tmp_path_factory.mktemp("chain")
    faults = [Fault(FaultKind.DEAD_LINK)]
    write_incident(folder, seed=3, faults=faults, leaves=2, spines=1, hosts_per_leaf=2)
    return folder


@given(place=st.integers(0, 1 << 20), steps=damage())
@settings(max_examples=60, **QUIETLY)
def test_no_damage_makes_a_parser_fail(files, place, steps):
    name, data = files[place % len(files)]
    began = time.process_time()
    made = read(RawFile(name, damaged(data, steps)))
    assert "capture.parser_failed" not in {note.code for note in made.parsed.notes}
    assert time.process_time() - began < LONGEST_S


@given(
    places=st.lists(st.tuples(st.integers(0, 20), damage()), min_size=1, max_size=3),
    other=st.integers(0, 1 << 20),
    side=st.sampled_from(["baseline", "current"]),
)
@settings(max_examples=4, **QUIETLY)
def test_no_damage_breaks_the_chain(work, files, tmp_path_factory, places, other, side):
    folder = tmp_path_factory.mktemp("run")
    for name in ("baseline", "current"):
        shutil.copytree(work / name, folder / name)
    below = sorted(path for path in (folder / side).rglob("*") if path.is_file())
    for place, steps in places:
        path = below[place % len(below)]
        path.write_bytes(damaged(path.read_bytes(), steps))
    name, data = files[other % len(files)]
    (folder / side / f"other_{name}").write_bytes(data)
    # An error that is told is as good an end as a verdict.
    with contextlib.suppress(ForensicError):
        pair = [pipeline.snapshot([folder / run], folder / f"{run}.ibf") for run in ("baseline", "current")]
        for made in pair:
            assert "capture.parser_failed" not in {note.code for note in made.latest.info.notes}
        result = pipeline.diff(*map(pipeline.load, (folder / "baseline.ibf", folder / "current.ibf")))
        page = pipeline.render(result.document, "html")
        assert pipeline.read_document(page.encode(), "x")["verdict"] == result.document["verdict"]
        assert result.ports.num_rows


def test_titles_that_change_below_rows_begin_a_test_of_their_own():
    head = "# OSU MPI Bandwidth Test v7.1\n"
    text = f"{head}# Size      Bandwidth (MB/s)      Messages/s\n8   2.0   250000.0\n"
    text += "# Size      Bandwidth (MB/s)\n8   3.0\n"
    tables = parsed("osu", text)
    assert tables["bench_runs"].num_rows == 2
    points = tables["bench_points"].select(["metric", "value"]).to_pylist()
    assert [point["value"] for point in points if point["metric"] == "bandwidth"] == [0.016, 0.024]


def test_a_column_without_a_title_is_no_setting():
    text = "node,metric,value,,\nn1,bw,5,a,b\n"
    assert parsed("bench_table", text)["bench_points"]["value"].to_pylist() == [5.0]


def test_no_column_of_three_of_one_title_is_lost():
    text = "node,metric,value,team,team,team\nn1,bw,5,a,b,c\n"
    settings_of = parsed("bench_table", text)["bench_runs"]["settings"].to_pylist()[0]
    assert all(word in settings_of for word in ('"a"', '"b"', '"c"'))


@pytest.mark.parametrize("parser", ["db_csv", "bench_table"])
def test_a_header_of_many_thousand_commas_takes_no_long_time(work, parser):
    text = fixture("bench_table/collective.csv")
    line = 0
    if parser == "db_csv":
        text = (work / "current" / "ibdiagnet2.db_csv").read_text()
        line = text.split("\n").index("START_PM_INFO") + 1
    lines = text.split("\n")
    lines[line] += "," * 20_000
    began = time.process_time()
    parsed(parser, "\n".join(lines))
    assert time.process_time() - began < LONGEST_S


@pytest.mark.parametrize("gap", [" ", "\t", " \t"])
@pytest.mark.parametrize(
    ("file", "at"),
    [
        ("ibportstate/fdr10.txt", "PhysLinkState:...................LinkUp"),
        ("prometheus/exporter.prom", "infiniband_exporter_collect_timeouts"),
        ("net_dump/small.net_dump", "# Running command   :"),
        ("ibqueryerrors/details_swapped.txt", "## Thresholds:"),
    ],
)
def test_a_wide_gap_takes_no_long_time(file, at, gap):
    text = fixture(file)
    assert at in text
    raw = RawFile(Path(file).name, text.replace(at, at + gap * 100_000, 1).encode())
    began = time.process_time()
    assert read(raw).source.parser == file.partition("/")[0]
    assert time.process_time() - began < LONGEST_S


@pytest.mark.parametrize(
    ("parser", "file", "old", "new", "table", "column"),
    [
        ("perfquery", "perfquery/old_names.txt", "Lid 33 port", "Lid 0x port", "counters_pma", "lid"),
        ("net_dump", "net_dump/small.net_dump", "LID ", "LID 0x", "nodes", "lid"),
        ("ibportstate", "ibportstate/fdr10.txt", "port 18", "port 0x", "ports", "port_num"),
        (
            "ibqueryerrors",
            "ibqueryerrors/details_swapped.txt",
            "PortInactiveDiscards == 8",
            "PortInactiveDiscards == N/A",
            "counters_detail",
            "port_local_physical_errors",
        ),
    ],
)
def test_what_cannot_be_read_is_not_0(parser, file, old, new, table, column):
    text = fixture(file)
    assert old in text
    made = parsed(parser, text.replace(old, new)).get(table)
    assert made is None or 0 not in made[column].to_pylist()


def test_growth_of_no_known_port_says_nothing_about_traffic(tmp_path):
    """The db_csv lost all but what grew within its pause, and a file of other ports lies beside it."""
    text = (samples_dir() / "slow-host" / "current" / "ibdiagnet2.db_csv").read_text()
    section = text[text.index("START_PM_DELTA") : text.index("END_PM_DELTA") + len("END_PM_DELTA\n")]
    (tmp_path / "ibdiagnet2.db_csv").write_text(section)
    shutil.copy(FIXTURES / "ibportstate" / "fdr10.txt", tmp_path)
    shutil.copy(FIXTURES / "iblinkinfo" / "blocks.txt", tmp_path)
    tables = {table["id"]: table for table in pipeline.check(pipeline.load(tmp_path)).document["inventory"]}
    assert tables["traffic"]["rows"] == []
