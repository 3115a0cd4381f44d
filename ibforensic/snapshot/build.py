"""Making a snapshot from what was captured."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pyarrow as pa

from ibforensic.capture import Capture, CapturedSample
from ibforensic.model.records import SampleInfo
from ibforensic.snapshot import counts, fitness
from ibforensic.snapshot.records import Sample, Snapshot
from ibforensic.snapshot.this_run import of_this_run


def build(capture: Capture, label: str, tool_version: str, created_at: datetime | None = None) -> Snapshot:
    """Make a snapshot in memory.

    Args:
        capture: Parsed files.
        label: What the user called the input.
        tool_version: Version of ibforensic.
        created_at: Time to be written into the manifest.

    Returns:
        The snapshot, with its first fitness findings.
    """
    samples = [_sample(index, captured) for index, captured in enumerate(capture.samples)]
    # Troubles of finding and unpacking belong to no single sample: they stand with the one that is compared.
    last = samples[-1]
    samples[-1] = replace(last, info=replace(last.info, notes=(*capture.notes, *last.info.notes)))
    return Snapshot(
        label=label,
        fabric=counts.fabric(of_this_run(samples[-1].tables, samples[-1].info.sources)),
        samples=tuple(samples),
        fitness=fitness.assess(samples[-1]),
        tool_version=tool_version,
        created_at=created_at,
        originals=capture.files,
    )


def _sample(index: int, captured: CapturedSample) -> Sample:
    """Turn one captured sample into one of the snapshot."""
    runs = captured.tables.get("runs")
    info = SampleInfo(
        index=index,
        window=captured.window,
        sources=captured.sources,
        tables={name: table.num_rows for name, table in sorted(captured.tables.items())},
        raw={name: table.num_rows for name, table in sorted(captured.raw.items())},
        notes=captured.notes,
        tools=_tools(runs),
        commands=_commands(runs),
    )
    counted = counts.count(of_this_run(captured.tables, captured.sources))
    return Sample(info, dict(captured.tables), dict(captured.raw), counted)


def _tools(runs: pa.Table | None) -> dict[str, str]:
    """Tools and their versions, each once."""
    if runs is None:
        return {}
    pairs = zip(runs["tool"].to_pylist(), runs["tool_version"].to_pylist(), strict=True)
    return {tool: version or "" for tool, version in sorted(pairs, key=str, reverse=True) if tool}


def _commands(runs: pa.Table | None) -> tuple[str, ...]:
    """Command lines, each once, in the order of the files."""
    if runs is None:
        return ()
    return tuple(dict.fromkeys(command for command in runs["command"].to_pylist() if command))
