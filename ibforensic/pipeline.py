"""The public Python door: what a notebook or a script imports.

::

    from pathlib import Path
    from ibforensic import pipeline

    healthy = pipeline.snapshot([Path("ibdiagnet2-accepted")], output=Path("healthy.ibf"))
    result = pipeline.diff(healthy, pipeline.load(Path("ibdiagnet2-today")))
    print(result.document["verdict"], result.ports.to_pandas().head())
    Path("report.html").write_text(pipeline.render(result.document, "html"))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from ibforensic import __version__
from ibforensic.capture import capture
from ibforensic.diff import facts as diff_facts
from ibforensic.diff.facts import Facts
from ibforensic.evidence import POLICY, Policy
from ibforensic.model.document import Json
from ibforensic.model.document import document as make_document
from ibforensic.model.errors import BadUsage
from ibforensic.report.html import render_html
from ibforensic.report.json import render_json
from ibforensic.report.terminal import render_terminal
from ibforensic.snapshot import store
from ibforensic.snapshot.build import build
from ibforensic.snapshot.records import Snapshot
from ibforensic.verdict.judge import Judgement, judge
from ibforensic.verdict.ranks import rank_ports
from ibforensic.verdict.result import conclude

__all__ = ["Comparison", "Snapshot", "diff", "load", "render", "snapshot"]

Progress = Callable[[str], None]
"""Told what is being done, in a few words."""


def _quiet(_: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Comparison:
    """Two snapshots compared.

    Attributes:
        document: The result as plain JSON types; reports are renderings of it.
        facts: What is true of the two samples.
        judgement: Suspects and the evidence behind them.
    """

    document: Json
    facts: Facts
    judgement: Judgement

    @cached_property
    def ports(self) -> pa.Table:
        """Every port with its rank, the growth of its counters and its rates."""
        return rank_ports(self.facts, self.judgement)


def snapshot(
    sources: Sequence[Path],
    output: Path | None = None,
    *,
    created_at: datetime | None = None,
    originals: bool = True,
    replace: bool = False,
    progress: Progress = _quiet,
) -> Snapshot:
    """Read raw output and make a snapshot of it.

    Args:
        sources: Directories, archives or files.
        output: Folder to write, ``NAME.ibf``; None keeps it in memory.
        created_at: Time to be written into the manifest.
        originals: Whether to keep the original bytes.
        replace: Whether an older snapshot of that name may be replaced.
        progress: Told what is being done.

    Returns:
        The snapshot.

    Raises:
        UnreadableInput: Nothing in the sources could be used.
        BadUsage: The output cannot be written.
    """
    label = ", ".join(str(source) for source in sources)
    progress(f"reading {label}")
    made = build(capture(sources), label, __version__, created_at)
    if output is not None:
        progress(f"writing {output}")
        store.write(made, output, originals=originals, replace=replace)
    return made


def load(path: Path, *, progress: Progress = _quiet) -> Snapshot:
    """Open a snapshot, or make one in memory from raw output.

    Args:
        path: A ``.ibf`` folder, or a directory, archive or file of raw output.
        progress: Told what is being done.

    Raises:
        UnreadableInput: Nothing in it could be used.
        BadSnapshot: It is a damaged snapshot.
    """
    if store.is_snapshot(path):
        progress(f"opening {path}")
        return store.read(path)
    return snapshot([path], progress=progress)


def diff(
    baseline: Snapshot, current: Snapshot, *, policy: Policy = POLICY, progress: Progress = _quiet
) -> Comparison:
    """Compare two snapshots: the last sample of each.

    Args:
        baseline: The healthy one.
        current: The one to be judged.
        policy: Limits and weights.
        progress: Told what is being done.

    Returns:
        The comparison.

    Raises:
        BadUsage: The baseline is the later one.
    """
    progress("comparing")
    facts = diff_facts.compare(baseline.latest, current.latest)
    if facts.pair.gap_s is not None and facts.pair.gap_s < 0 and not facts.same:
        raise BadUsage(
            f"{baseline.label} was collected after {current.label}: swapped?",
            "give the baseline first, then the current one",
        )
    progress("judging")
    judgement = judge(facts, policy)
    result = conclude(facts, judgement, policy, baseline, current, __version__)
    return Comparison(make_document(result), facts, judgement)


def render(document: Json, form: str, *, generated_at: str | None = None) -> str:
    """Render a document.

    Args:
        document: What ``diff`` found, or a document read back from JSON.
        form: ``html``, ``json`` or ``text``.
        generated_at: Time to be printed in the HTML; None leaves it out.

    Returns:
        The report.

    Raises:
        BadUsage: There is no such form.
    """
    if form == "html":
        return render_html(document, generated_at=generated_at)
    if form == "json":
        return render_json(document)
    if form == "text":
        return render_terminal(document, width=100, colour=False)
    raise BadUsage(f"there is no form {form}", "use html, json or text")
