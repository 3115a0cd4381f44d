"""Which cut files put which facts in doubt: what a cut file lacks may be told by a whole one of the same run.

Whether a node or link is gone, and whether all ports were counted, is known as long as one whole file tells
of the whole fabric: a list of modules that lost its tail takes away modules and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
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
    return tuple(path for path in cut(sample) if any(_may_lack(sample, path, name) for name in tables))


def by_kind(sample: Sample, but: Collection[str]) -> dict[str, list[str]]:
    """Say what is not judged because files are cut.

    Args:
        sample: The sample.
        but: Cut files that are told of otherwise.

    Returns:
        What is not judged → the cut files that would have told it.
    """
    found: dict[str, list[str]] = {}
    for source in sample.info.sources:
        if source.path in cut(sample) and source.path not in but:
            filled = _fills().get(source.parser or "", ())
            what = next((kind for name, kind in _KINDS.items() if name in filled), "the rest of cut files")
            found.setdefault(what, []).append(source.path)
    return found


def _may_lack(sample: Sample, path: str, name: str) -> bool:
    """Whether a table may lack what was cut off from a file."""
    parser = next(source.parser for source in sample.info.sources if source.path == path)
    if parser is not None and name not in _fills().get(parser, ()):
        return False
    known = _nodes(sample, path)
    whole = (
        source.path
        for source in sample.info.sources
        if source.whole and not source.stale and source.parser in _WHOLE_FABRIC[name]
    )
    return not any(_holds(sample, other, name) and known <= _nodes(sample, other) for other in whole)


def _holds(sample: Sample, path: str, name: str) -> bool:
    """Whether a file filled a table."""
    found = sample.columns(name, ("source",))
    return found is not None and bool(pc.any(pc.equal(found["source"], path)).as_py())


def _nodes(sample: Sample, path: str) -> frozenset[str]:
    """GUIDs of the nodes that a file tells of, in whatever table."""
    return frozenset(guid for name in (*FABRIC, *COUNTERS) for guid in _guids(sample, path, name))


def _guids(sample: Sample, path: str, name: str) -> Iterator[str]:
    columns = [column for column in ("node_guid", "node_guid_a", "node_guid_b") if column in _columns(name)]
    found = sample.columns(name, (*columns, "source"))
    if found is not None:
        mine = found.filter(pc.equal(found["source"], path))
        for column in columns:
            yield from filter(None, pc.unique(mine[column]).to_pylist())


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
