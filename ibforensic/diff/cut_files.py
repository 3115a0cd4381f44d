"""Which cut files put which facts in doubt: what a cut file lacks may be told by a whole one of the same run.

Whether a node or link is gone, and whether all ports were counted, is known as long as one whole file tells
of the whole fabric: a list of modules that lost its tail takes away modules and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import CounterGroup
from ibforensic.model.tables import TABLES
from ibforensic.parsers import parsers
from ibforensic.snapshot.records import Sample

FABRIC = ("nodes", "ports", "links")
"""Tables by which a node or a link is there or gone."""
COUNTERS = (f"counters_{CounterGroup.PMA}",)
"""Tables by which damage is seen."""
_WHOLE_FABRIC = {
    "nodes": ("db_csv", "lst", "ibnetdiscover", "iblinkinfo"),
    "ports": ("db_csv", "net_dump", "ibnetdiscover", "iblinkinfo"),
    "links": ("db_csv", "lst", "ibnetdiscover", "iblinkinfo"),
    "counters_pma": ("db_csv", "pm"),
}
"""Table → formats that list all there is of it. All others tell of a part: of a host, of some ports."""
_KINDS = {
    "counters_pma": "error counters of some ports",
    "modules": "cables and modules of some ports",
    "phy": "bit error ratios of some ports",
    "counters_phy": "bit error ratios of some ports",
}
"""Table → what is not judged where a file that fills it is cut; the first one a format fills counts."""


def cut(sample: Sample) -> tuple[str, ...]:
    """Name the files of a sample that are cut; benchmarks tell of no fabric.

    Args:
        sample: The sample.
    """
    sources = sample.info.sources
    return tuple(source.path for source in sources if not source.whole and source.parser not in _benchmarks())


def doubtful(sample: Sample, tables: Collection[str]) -> tuple[str, ...]:
    """Name the cut files without which some tables may lack a part.

    Args:
        sample: The sample.
        tables: Names among ``FABRIC`` and ``COUNTERS``.
    """
    paths = cut(sample)
    if not paths:
        return ()
    told = _nodes(sample)
    whole = {name: [told[path] for path in _whole_files(sample, name)] for name in tables}
    parser = {source.path: source.parser for source in sample.info.sources}
    return tuple(
        path
        for path in paths
        if any(_may_lack(name, parser[path], told[path], nodes) for name, nodes in whole.items())
    )


def by_kind(sample: Sample, but: Collection[str]) -> dict[str, list[str]]:
    """Say what is not judged because files are cut.

    Args:
        sample: The sample.
        but: Cut files that are told of otherwise.

    Returns:
        What is not judged → the cut files that would have told it.
    """
    found: dict[str, list[str]] = {}
    parser = {source.path: source.parser for source in sample.info.sources}
    told = frozenset(but)
    for path in cut(sample):
        if path not in told:
            filled = _fills().get(parser[path] or "", ())
            what = next((kind for name, kind in _KINDS.items() if name in filled), "the rest of cut files")
            found.setdefault(what, []).append(path)
    return found


def _may_lack(name: str, parser: str | None, known: Set[str], whole: Iterable[Set[str]]) -> bool:
    """Whether a table may lack what was cut off from a file.

    Args:
        name: Name of the table.
        parser: Parser of the file, where there is one.
        known: Nodes that the file tells of.
        whole: Nodes that each whole file of the fabric tells of.
    """
    if parser is not None and name not in _fills().get(parser, ()):
        return False
    return not any(known <= nodes for nodes in whole)


def _whole_files(sample: Sample, name: str) -> Iterator[str]:
    """Whole files of this run that list all there is of a table, and filled it."""
    rows = sample.columns(name, ("source",))
    filled = frozenset() if rows is None else frozenset(pc.unique(rows["source"]).to_pylist())
    for source in sample.info.sources:
        listed = source.parser in _WHOLE_FABRIC[name] and source.path in filled
        if source.whole and not source.stale and listed:
            yield source.path


def _nodes(sample: Sample) -> Mapping[str, Set[str]]:
    """File → GUIDs of the nodes that it tells of, in whatever table: each is read once for all files."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in (*FABRIC, *COUNTERS):
        columns = [one for one in ("node_guid", "node_guid_a", "node_guid_b") if one in _columns(name)]
        rows = sample.columns(name, (*columns, "source"))
        if rows is None:
            continue
        for column in columns:
            pairs = rows.group_by(["source", column]).aggregate([])
            for path, guid in zip(pairs["source"].to_pylist(), pairs[column].to_pylist(), strict=True):
                if guid:
                    found[path].add(guid)
    return {path: found[path] for path in (source.path for source in sample.info.sources)}


def _columns(name: str) -> list[str]:
    schema: pa.Schema = TABLES[name].schema
    return list(schema.names)


@cache
def _fills() -> dict[str, tuple[str, ...]]:
    """Parser → tables it fills."""
    return {parser.spec.name: parser.spec.tables for parser in parsers()}


@cache
def _benchmarks() -> frozenset[str]:
    """Parsers that read results of benchmarks and nothing else."""
    return frozenset(
        name
        for name, tables in _fills().items()
        if tables and all(one.startswith("bench_") for one in tables)
    )
