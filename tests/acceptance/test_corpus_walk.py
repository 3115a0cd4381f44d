"""Every real file of the reference corpus: read by a parser of its tool, or listed with the reason."""

from __future__ import annotations

from fnmatch import fnmatch

from conftest import CORPUS, real_file

from ibforensic.capture.parsing import read
from ibforensic.capture.records import RawFile
from ibforensic.model.enums import Outcome
from ibforensic.parsers import HEAD_BYTES, parsers

LAST_RESORT = "ibdiag_text"
NO_OUTPUT = {
    "MANIFEST.tsv": "the list of the corpus itself",
    "diags/gpud/README.sysfs": "notes of the collector",
    "diags/treydock/perfquery/0x506b4b0300cc02a6.out": "empty: the tool wrote nothing",
    "diags/superbench/ib_traffic_topo_aware_ibstat.txt": "names and GUIDs alone, made by a script",
    "exporter/node_exporter/*.ttar": "a text archive that only the tests of one project use",
    "ibdiagnet/gary-ndr*/ibdiagnet2.debug": "the debug log of ibdiagnet: nothing about the fabric",
    "ibdiagnet/gary-ndr/topodiff.names": "a list of names for another tool",
    "nccl/blocks/*nccom_tests*": "tests of another maker's library",
    "nccl/stas00/network-debug-README.md": "a document",
    "nccl/xxrjun/*failures.txt": "a list that a script wrote",
    "nccl/xxrjun/*summary.md": "a document that a script wrote",
    "other/blocks/*opensm-log.txt": "the log of the subnet manager, which no table holds",
    "other/hyungkwang/*": "screens of the switch's own command line",
    "other/issues/sharp_hello.log": "a test of SHARP, which measures nothing",
    "other/superbench/gpcnet_network_load_error.log": "an error message alone",
    "perftest/ngc_multinode_perf/README.md": "a document",
    "ufm/dts/node.json": "load of a host",
    "ufm/dts/resource_util.json": "load of a host",
    "ufm/ndt/*": "plans of cables, and reports about them",
    "ufm/rest/pkeys.json": "partitions by name alone",
    "ufm/thresholds/*": "tables of limits, and no output",
}
NOTHING_IN_IT = {
    "exporter/treydock/*.prom": "scrapes in which the collector failed",
    "ibdiagnet/6erm-yadro/*/ibdiagnet2.sharp_an_info": "GUIDs were replaced by words",
}
LARGE = 300_000
"""Octets from which a file is claimed here, and read in tests of its own parser."""
WHOLE_TREES = "sys-class-infiniband"
"""Copies of /sys are one input; tests of their own read them."""


def reason(relative: str, listed: dict[str, str]) -> str | None:
    return next((why for pattern, why in listed.items() if fnmatch(relative, pattern)), None)


def real_files():
    real_file("MANIFEST.tsv")
    for path in sorted(CORPUS.rglob("*")):
        relative = path.relative_to(CORPUS).as_posix()
        if path.is_file() and WHOLE_TREES not in relative:
            yield relative, path


def test_every_file_is_read_by_one_parser_or_listed():
    odd, listed = [], set()
    for relative, path in real_files():
        data = path.read_bytes()
        claims = {one.spec.name for one in parsers() if one.spec.claims(path.name, data[:HEAD_BYTES])}
        if len(claims - {LAST_RESORT}) > 1:
            odd.append((relative, f"claimed by {claims}"))
        listed.update(pattern for pattern in (*NO_OUTPUT, *NOTHING_IN_IT) if fnmatch(relative, pattern))
        if len(data) > LARGE and claims:
            continue
        one = read(RawFile(relative, data))
        failed = any(note.code == "capture.parser_failed" for note in one.parsed.notes)
        used = one.source.outcome in (Outcome.PARSED, Outcome.PARTIAL)
        expected = reason(relative, NO_OUTPUT) is None and one.source.parser is not None
        may_be_empty = reason(relative, NOTHING_IN_IT) is not None
        if failed or (used != expected and not (expected and may_be_empty)):
            odd.append((relative, one.source.parser, one.source.outcome))
    assert odd == []
    assert listed == {*NO_OUTPUT, *NOTHING_IN_IT}
