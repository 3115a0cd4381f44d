"""What every parser promises: found by the package itself, so a new one is tested without a change here."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import CORPUS, MINI

from ibforensic.model.enums import Level
from ibforensic.model.tables import TABLES
from ibforensic.parsers import HEAD_BYTES, Parsed, Parser, parsers

FIXTURES = Path(__file__).parents[1] / "fixtures"
EACH = pytest.mark.parametrize("parser", parsers(), ids=lambda parser: parser.spec.name)
TRUNCATIONS = 25
MOST_BYTES = 200_000
LAST_RESORT = "ibdiag_text"
"""Claims every file of ibdiagnet, is asked last, and reads its run alone."""

MINI_FORMATS = {
    "ibdiagnet2.db_csv": "db_csv",
    "extra_sections.db_csv": "db_csv",
    "opensm-smdb.dump": "db_csv",
    "ibdiagnet2.net_dump": "net_dump",
    "xdr_net_dump.txt": "net_dump",
    "ibdiagnet2.log": "ibdiagnet_log",
    "ibdiagnet2.cables": "cables",
    "ibdiagnet2.net_dump_ext": "net_dump_ext",
    "ibdiagnet2.pm": "pm",
    "ibdiagnet2.lst": "lst",
    "ibdiagnet2.nodes_info": "nodes_info",
    "ibdiagnet2.sm": "sm",
    "ibdiagnet2.pkey": "pkey",
    "ibdiagnet2.ibnetdiscover": "ibnetdiscover",
    "ibdiagnet2.sharp_an_info": "sharp_an_info",
    "ibdiagnet2.sharp_pm": "sharp_pm",
    "ibnetdiscover.txt": "ibnetdiscover",
    "ibnetdiscover_p.txt": "ibnetdiscover",
    "ibswinfo.txt": "ibswinfo",
    "ibswinfo_vitals.txt": "ibswinfo",
    "ibswinfo_status.txt": "ibswinfo",
    "treydock.prom": "prometheus",
    "node_exporter.prom": "prometheus",
    "nmx_telemetry.prom": "prometheus",
    "ufm_primary.csv": "ufm_csv",
    "ufm_secondary.csv": "ufm_csv",
    "perfquery.txt": "perfquery",
    "perfquery_x.txt": "perfquery",
    "perfquery_E.txt": "perfquery",
    "iblinkinfo.txt": "iblinkinfo",
    "iblinkinfo_l.txt": "iblinkinfo",
    "ibqueryerrors.txt": "ibqueryerrors",
    "ibstat.txt": "ibstat",
    "ibstat_partial.txt": "ibstat",
    "sysfs.txt": "sysfs",
    "mlxlink.txt": "mlxlink",
    "mlxlink.json": "mlxlink",
    "ibstatus.txt": "ibstatus",
}
"""Example file → parser; all other files there belong to formats without a parser."""

CORPUS_FORMATS = {
    "ibdiagnet/**/ibdiagnet2.db_csv": "db_csv",
    "ibdiagnet/**/ibdiagnet2.net_dump": "net_dump",
    "ibdiagnet/**/ibdiagnet2.log": "ibdiagnet_log",
    "ibdiagnet/**/ibdiagnet2.cables": "cables",
    "ibdiagnet/**/ibdiagnet2.net_dump_ext": "net_dump_ext",
    "ibdiagnet/**/ibdiagnet2.pm": "pm",
    "ibdiagnet/**/ibdiagnet2.lst": "lst",
    "ibdiagnet/**/ibdiagnet2.nodes_info": "nodes_info",
    "ibdiagnet/**/ibdiagnet2.sm": "sm",
    "ibdiagnet/**/ibdiagnet2.pkey": "pkey",
    "ibdiagnet/**/ibdiagnet2.vports*": "vports",
    "ibdiagnet/**/ibdiagnet2.rnc2": "rnc2",
    "ibdiagnet/**/ibdiagnet2.ibnetdiscover": "ibnetdiscover",
    "ibdiagnet/**/ibdiagnet2.sharp_an_info": "sharp_an_info",
    "ibdiagnet/hyungkwang/*": "ibdiagnet_log",
    "diags/ufm_sdk/*": "ibnetdiscover",
    "diags/jhammond/*": "ibnetdiscover",
    "diags/superbench/*ibnetdiscover*": "ibnetdiscover",
    "diags/ibtopotool/*.topo": "ibnetdiscover",
    "diags/treydock/ibnetdiscover/*": "ibnetdiscover",
    "diags/treydock/ibswinfo/*": "ibswinfo",
    "diags/sckyzo/*": "ibswinfo",
    "diags/gsi/ibswinfo*": "ibswinfo",
    "diags/gsi/ibswitches*": "node_list",
    "diags/blocks/**/*.ibswitches.txt": "node_list",
    "diags/*/ibportstate*": "ibportstate",
    "diags/*/ibcheckerrors*": "ibcheckerrors",
    "exporter/treydock/*": "prometheus",
    "exporter/node_exporter/*e2e*": "prometheus",
    "ufm/rest/systems.json": "ufm_rest",
    "ufm/rest/ports.json": "ufm_rest",
    "ufm/rest/links.json": "ufm_rest",
    "diags/treydock/perfquery*/*.out": "perfquery",
    "diags/issues/perfquery-*": "perfquery",
    "diags/comment/perfquery-*": "perfquery",
    "diags/hyungkwang/perfquery-*": "perfquery",
    "diags/comment/ibqueryerrors*": "ibqueryerrors",
    "diags/*/iblinkinfo*": "iblinkinfo",
    "diags/blocks/**/*.iblinkinfo.txt": "iblinkinfo",
    "diags/gpud/ibstat.*": "ibstat",
    "diags/notes/ibstat-*": "ibstat",
    "diags/issues/ibstat-*": "ibstat",
    "diags/blocks/**/*.ibstat.txt": "ibstat",
    "mlxlink/**/mlxlink-*.txt": "mlxlink",
    "mlxlink/blocks/fchamicapereira*/*.mlxlink.txt": "mst_status",
    "mlxlink/**/*.json": "mlxlink",
    "diags/**/ibstatus*": "ibstatus",
    "diags/**/*.ibstatus.txt": "ibstatus",
    "diags/**/*.ibdev2netdev.txt": "ibdev2netdev",
    "mlxlink/**/*show_gids*": "show_gids",
    "mlxlink/**/rdma-*": "rdma",
    "mlxlink/**/mlxcables*": "mlxcables",
    "nccl/**/*topo-m*": "topo_m",
    "ufm/dts/full.json": "mlxlink",
    "ufm/dts/inv*.json": "mlxlink",
    "nccl/superbench/*": "nccl",
    "nccl/odissei/*": "nccl",
    "nccl/keitaw/*": "nccl",
    "nccl/alps/*.csv": "bench_table",
    "nccl/xxrjun/*.csv": "bench_table",
    "nccl/alps/*.out": "nccl",
    "nccl/xxrjun/*.log": "nccl",
    "nccl/issues/nccl*": "nccl",
    "nccl/blocks/**/*.nccl-debug.txt": "nccl",
    "nccl/blocks/[!a]*/*.nccl-tests.txt": "nccl",
    "other/**/*.osu.txt": "osu",
    "other/superbench/gpcnet_network_test.log": "gpcnet",
    "other/superbench/gpcnet_network_load.log": "gpcnet",
    "other/superbench/nvbandwidth_results.log": "nvbandwidth",
    "perftest/a100-hdr/*": "perftest",
    "perftest/superbench/*": "perftest",
    "perftest/blocks/**/*.perftest.txt": "perftest",
}
UNCLAIMED = (
    "ibdiagnet/**/ibdiagnet2.debug",
    "nccl/**/*.md",
    "ufm/**/*.csv",
    "ufm/rest/pkeys.json",
    "other/hyungkwang/*",
    "other/superbench/*error*",
    "perftest/**/*.md",
)


def claimants(name: str, data: bytes) -> list[str]:
    """Return the names of all parsers that claim a file; the last resort counts where no other does."""
    found = [parser.spec.name for parser in parsers() if parser.spec.claims(name, data[:HEAD_BYTES])]
    return [parser for parser in found if parser != LAST_RESORT] or found


@cache
def samples(name: str) -> tuple[tuple[str, bytes], ...]:
    """Return fixtures and example files of a parser, small ones only."""
    folder = FIXTURES / name
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    paths += [MINI / file for file, parser in MINI_FORMATS.items() if parser == name]
    found = [(path.name, path.read_bytes()) for path in paths if path.exists()]
    return tuple(
        (file, data) for file, data in found if len(data) < MOST_BYTES and name in claimants(file, data)
    )


def assert_as_promised(parser: Parser, parsed: Parsed, path: str) -> None:
    """Check tables, raw sections and notes of one result."""
    for name, table in parsed.tables.items():
        assert name in parser.spec.tables
        declared = TABLES[name].schema
        assert table.schema.names[: len(declared)] == declared.names
        assert table.schema.types[: len(declared)] == declared.types
        extras = table.schema.names[len(declared) :]
        assert all(extra.startswith("x_") for extra in extras)
        assert {table.schema.field(extra).type for extra in extras} <= {pa.string()}
        assert set(table["source"].to_pylist()) <= {path}
        assert set(table["sample"].to_pylist()) <= {0}
        assert all(line is None or line >= 1 for line in table["line"].to_pylist())
    for table in parsed.raw.values():
        assert set(table.schema.types) <= {pa.string(), pa.large_string()}
    for note in parsed.notes:
        assert re.fullmatch(rf"{parser.spec.name}\.[a-z0-9_]+", note.code)
        assert note.path == path
        assert note.message
        assert isinstance(note.level, Level)


@EACH
def test_spec_is_complete(parser):
    spec = parser.spec
    assert spec.title
    assert spec.tool
    assert spec.versions
    assert spec.tables
    assert set(spec.tables) <= set(TABLES)


def test_names_are_unique():
    names = [parser.spec.name for parser in parsers()]
    assert len(set(names)) == len(names)


@EACH
def test_docstring_tells_the_same_things_in_the_same_order(parser):
    places = [
        re.search(rf"^\W*{words}\W*?:", parser.doc, re.IGNORECASE | re.MULTILINE)
        for words in ("(who writes it|written by)", "sample", "tables", "odd input", "source")
    ]
    assert all(places)
    starts = [place.start() for place in places]
    assert starts == sorted(starts)


@EACH
def test_there_are_samples(parser):
    if not samples(parser.spec.name):
        assert not MINI.exists(), "no fixture and no example file is claimed by this parser"
        pytest.skip("no fixture, and the reference files are not beside this checkout")


@EACH
def test_results_are_as_declared(parser):
    for path, data in samples(parser.spec.name):
        parsed = parser.parse(path, data)
        assert any(table.num_rows for table in parsed.tables.values()), path
        assert_as_promised(parser, parsed, path)


@EACH
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\0" * 5000, bytes(range(256)) * 40], ids=["empty", "line", "zeros", "all"]
)
def test_what_is_no_text_is_not_claimed_and_does_no_harm(parser, data):
    assert not parser.spec.claims("x", data)
    parsed = parser.parse("x", data)
    assert_as_promised(parser, parsed, "x")
    assert not any(table.num_rows for name, table in parsed.tables.items() if name != "runs")


@EACH
def test_noise_does_no_harm(parser):
    noise = random.Random(7)
    for path, data in samples(parser.spec.name):
        for _ in range(4):
            damaged = bytearray(data)
            for _ in range(60):
                damaged[noise.randrange(len(damaged))] = noise.randrange(256)
            assert_as_promised(parser, parser.parse(path, bytes(damaged)), path)
        assert_as_promised(parser, parser.parse(path, noise.randbytes(3000)), path)


@EACH
def test_line_ends_do_not_matter(parser):
    for path, data in samples(parser.spec.name):
        if b"\r" in data:
            continue
        plain, carriage = (parser.parse(path, text) for text in (data, data.replace(b"\n", b"\r\n")))
        assert claimants(path, data.replace(b"\n", b"\r\n")) == claimants(path, data)
        assert plain.tables.keys() == carriage.tables.keys()
        for name, table in plain.tables.items():
            assert carriage.tables[name].equals(table), (path, name)


@EACH
def test_truncation_never_raises(parser):
    for path, data in samples(parser.spec.name):
        for step in range(TRUNCATIONS):
            cut = data[: len(data) * step // TRUNCATIONS]
            assert_as_promised(parser, parser.parse(path, cut), path)


@EACH
def test_same_input_gives_the_same_result(parser):
    for path, data in samples(parser.spec.name)[:1]:
        first, second = parser.parse(path, data), parser.parse(path, data)
        assert first.notes == second.notes
        assert all(second.tables[name].equals(table) for name, table in first.tables.items())


def test_exactly_one_parser_claims_each_example_file():
    if not MINI.exists():
        pytest.skip("the reference files are not beside this checkout")
    for path in sorted(MINI.iterdir()):
        expected = [MINI_FORMATS[path.name]] if path.name in MINI_FORMATS else []
        assert claimants(path.name, path.read_bytes()) == expected, path.name


@pytest.mark.parametrize("pattern", [*CORPUS_FORMATS, *UNCLAIMED])
def test_exactly_one_parser_claims_each_real_file(pattern):
    if not CORPUS.exists():
        pytest.skip("the reference corpus is not beside this checkout")
    paths = [path for path in sorted(CORPUS.glob(pattern)) if path.is_file() and path.stat().st_size]
    assert paths
    expected = [CORPUS_FORMATS[pattern]] if pattern in CORPUS_FORMATS else []
    for path in paths:
        with path.open("rb") as file:
            assert claimants(path.name, file.read(HEAD_BYTES)) == expected, path
