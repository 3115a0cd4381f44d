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
from dataclasses import replace as replaced
from datetime import date, datetime
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyarrow as pa

from ibforensic import __version__
from ibforensic.capture import (
    Capture,
    CapturedSample,
    RawFile,
    capture,
    named,
    numbered,
    printable,
    read_again,
)
from ibforensic.climb import benchmarks_alone, climb, together, with_label
from ibforensic.diff import facts as diff_facts
from ibforensic.diff.facts import Facts
from ibforensic.evidence import POLICY, Policy, rules
from ibforensic.evidence.policy_file import parse_policy
from ibforensic.inventory import take_stock
from ibforensic.model.document import Json
from ibforensic.model.document import document as make_document
from ibforensic.model.errors import BadPolicy, BadUsage
from ibforensic.model.records import Note, SourceRecord, Window
from ibforensic.report.forms import render
from ibforensic.report.saved import read_document
from ibforensic.snapshot import places, store
from ibforensic.snapshot.build import build
from ibforensic.snapshot.originals import raw_files
from ibforensic.snapshot.records import Snapshot
from ibforensic.verdict import sources
from ibforensic.verdict.judge import Judgement, judge
from ibforensic.verdict.result import conclude
from ibforensic.verdict.scope import EVERYWHERE, Scope, restrict

if TYPE_CHECKING:  # what makes fabrics up takes a while to load, and no comparison needs it
    from ibforensic.simulate.order import Order
    from ibforensic.simulate.state import Sample as Simulated

__all__ = [
    "Comparison",
    "Snapshot",
    "check",
    "diff",
    "labelled",
    "load",
    "observed",
    "only_ladder",
    "perf",
    "read_document",
    "read_policy",
    "render",
    "simulated",
    "snapshot",
]

_LARGEST_POLICY = 8 << 20
"""Characters."""
Progress = Callable[[str], None]
"""Told what is being done, in a few words."""


def _quiet(_: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Comparison:
    """Two snapshots compared, or one judged on its own.

    Attributes:
        document: The result as plain JSON types; reports are renderings of it.
        facts: What is true of the samples.
        judgement: Suspects and the evidence behind them.
    """

    document: Json
    facts: Facts
    judgement: Judgement

    @cached_property
    def ports(self) -> pa.Table:
        """Every port with its rank, the growth of its counters and its rates."""
        from ibforensic.verdict.ranks import rank_ports  # pandas takes a while to load

        return rank_ports(self.facts, self.judgement)


def snapshot(
    sources: Sequence[Path],
    output: Path | None = None,
    *,
    created_at: datetime | None = None,
    originals: bool = True,
    replace: bool = False,
    every_file: bool = False,
    progress: Progress = _quiet,
) -> Snapshot:
    """Read raw output and make a snapshot of it.

    Args:
        sources: Directories, archives or files; or snapshots, whose originals are then parsed again.
        output: Folder to write, ``NAME.ibf``; None keeps it in memory.
        created_at: Time to be written into the manifest.
        originals: Whether to keep the original bytes.
        replace: Whether an older snapshot of that name may be replaced.
        every_file: Whether to parse files too that only repeat what the db_csv of their run holds.
        progress: Told what is being done.

    Returns:
        The snapshot.

    Raises:
        UnreadableInput: Nothing in the sources could be used.
        BadSnapshot: A source is a damaged snapshot, a part of one, or one without originals.
        BadUsage: The output cannot be written, or snapshots are mixed with raw output.
    """
    label = named([printable(str(source)) for source in sources])
    progress(f"reading {label}")
    made = build(_captured(sources, label, every_file), label, __version__, created_at)
    if output is not None:
        progress(f"writing {printable(str(output))}")
        store.write(made, output, originals=originals, replace=replace)
    return made


def load(path: Path, *, progress: Progress = _quiet) -> Snapshot:
    """Open a snapshot, or make one in memory from raw output.

    Args:
        path: A ``.ibf`` folder or an archive of one, or a directory, archive or file of raw output.
        progress: Told what is being done.

    Raises:
        UnreadableInput: Nothing in it could be used.
        BadSnapshot: It is a damaged snapshot, or a part of one.
    """
    places.refuse_pieces(path)
    if store.is_snapshot(path):
        progress(f"opening {printable(str(path))}")
        return store.read(path)
    with TemporaryDirectory(prefix="ibforensic.") as folder:
        unpacked = places.unpack(path, Path(folder))
        if unpacked is not None:
            progress(f"opening {printable(str(path))}")
            return replaced(store.whole(store.read(unpacked)), label=printable(str(path)))
    return snapshot([path], progress=progress)


def _captured(sources: Sequence[Path], label: str, every_file: bool) -> Capture:
    """Find and parse raw output, or the originals that snapshots keep."""
    for source in sources:
        places.refuse_pieces(source)
    with TemporaryDirectory(prefix="ibforensic.") as folder:
        kept: dict[Path, Path] = {}
        for at, source in enumerate(sources):
            inside = source if store.is_snapshot(source) else places.unpack(source, Path(folder) / str(at))
            if inside is not None:
                kept[source] = inside
        if not kept:
            return capture(sources, every_file=every_file)
        if len(kept) < len(sources):
            raise BadUsage(
                f"{printable(str(next(iter(kept))))} is a snapshot, the other sources are raw output",
                "make a snapshot of the raw output alone, or give snapshots alone",
            )
        groups: list[tuple[RawFile, ...]] = []
        notes: list[Note] = []
        for source, inside in kept.items():
            below = f"{printable(source.name)}/" if len(kept) > 1 else ""
            found, told = raw_files(inside, below)
            groups += found
            notes += told
        return read_again(groups, label, notes, every_file=every_file)


def simulated(order: Order) -> tuple[Snapshot, Snapshot, Json]:
    """Make up an incident in memory: what ``ibforensic simulate`` writes, without files.

    Args:
        order: What is wanted. The same order gives the same snapshots.

    Returns:
        The snapshot before and the one after, and what was planted, as in ``truth.json``.

    Raises:
        BadUsage: The fabric cannot be built or has no place for a fault, or data shall be missing: they are
            taken out of files only. Formats of other tools are in files only, too.
    """
    if order.missing:
        raise BadUsage("data can be missing in files only", "write the order and read what was written")
    from ibforensic.simulate.order import collect, make_order

    pair, truth = make_order(order)
    runs = collect(order, pair)
    return observed(runs["baseline"], "baseline"), observed(runs["current"], "current"), truth


def observed(samples: Sequence[Simulated], label: str) -> Snapshot:
    """Make the snapshot that runs of ibdiagnet on a simulated fabric give.

    Args:
        samples: The fabric at one or more moments, the earliest first.
        label: What to call them.

    Returns:
        The snapshot. It equals one that is read from the written directory, but that it holds no original
        files, no lines and no ``x_`` columns.
    """
    folders = [f"{number}/" for number in range(1, len(samples) + 1)] if len(samples) > 1 else [""]
    captured = map(_seen, samples, folders)
    return build(Capture(tuple(map(numbered, captured, count()))), label, __version__)


def _seen(sample: Simulated, folder: str) -> CapturedSample:
    """Return what reading the files of a run in a folder would give."""
    from ibforensic.simulate.tables import tables_of

    tables = tables_of(sample, folder)
    files = tuple(
        SourceRecord(
            row["source"],
            row["sha256"],
            row["bytes"],
            row["parser"],
            row["outcome"],
            row["whole"],
            row["own_time"],
            row["stale"],
        )
        for row in tables["sources"].to_pylist()
    )
    return CapturedSample(tables, {}, files, (), Window(sample.taken_at, sample.taken_at))


def read_policy(path: Path) -> Policy:
    """Read a policy file; ``ibforensic explain policy`` tells what may stand in it.

    Args:
        path: TOML.

    Returns:
        The policy: what the file does not mention is as it is without one.

    Raises:
        BadPolicy: The file cannot be read, is not TOML, or says something that is not understood.
    """
    name = printable(str(path))
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_LARGEST_POLICY + 1)
    except OSError as error:
        raise BadPolicy(f"{name}: {error.strerror}", "give a policy file") from error
    except UnicodeDecodeError as error:
        raise BadPolicy(f"{name}: this is not text in UTF-8", "save it as UTF-8") from error
    if len(text) > _LARGEST_POLICY:
        raise BadPolicy(f"{name}: this is larger than any policy", "give a policy file")
    return parse_policy(text, name, {*(item.rule.id for item in rules()), sources.RULE})


def diff(
    baseline: Snapshot,
    current: Snapshot,
    *,
    policy: Policy = POLICY,
    today: date | None = None,
    scope: Scope = EVERYWHERE,
    progress: Progress = _quiet,
) -> Comparison:
    """Compare the last sample of a baseline with the last of another snapshot.

    Counters are added up over all samples of the current snapshot.

    Args:
        baseline: The healthy one.
        current: The one to be judged.
        policy: Limits and weights, known faults.
        today: Day by which known faults expire; None takes the day of the current sample.
        scope: Layers and nodes that the document is restricted to; what is left out is counted in it.
        progress: Told what is being done.

    Returns:
        The comparison.

    Raises:
        BadUsage: The baseline is the later one, or the scope names what there is not.
    """
    progress("comparing")
    facts = diff_facts.compare(baseline.latest, current.latest, current.samples[:-1])
    backwards = facts.pair.clock_gap_s is not None and facts.pair.clock_gap_s < 0
    if backwards and not facts.same and not facts.pair.later_by_uptime:
        raise BadUsage(
            f"{baseline.label} was collected after {current.label}: swapped?",
            "give the baseline first, then the current one",
        )
    progress("judging")
    judgement = judge(facts, policy, today)
    result = conclude(*restrict(facts, judgement, scope), policy, baseline, current, __version__)
    ladder = climb(facts, result, baseline, current)
    return Comparison({**make_document(result), "ladder": ladder}, facts, judgement)


def labelled(snapshot: Snapshot, label: str) -> Snapshot:
    """Give all benchmark runs of a snapshot a label, such as ``on`` or ``alone``.

    Args:
        snapshot: Results in memory; what is on disk is not changed.
        label: The label.
    """
    return replaced(snapshot, samples=tuple(map(partial(with_label, label=label), snapshot.samples)))


def perf(baseline: Snapshot | None, current: Sequence[Snapshot], *, progress: Progress = _quiet) -> Json:
    """Compare results of benchmarks, with the fabric where both sides tell of one.

    Args:
        baseline: Results of before; None where labelled runs are compared with each other.
        current: Results of now; all of them count, the first one tells of the fabric.
        progress: Told what is being done.

    Returns:
        A document with the ladder alone.
    """
    progress("comparing")
    now = together(current)
    ladder = None
    if baseline is not None:
        facts = diff_facts.compare(baseline.latest, now.latest)
        if not facts.pair.empty and facts.pair.related:
            judgement = judge(facts, POLICY)
            result = conclude(facts, judgement, POLICY, baseline, now, __version__)
            ladder = climb(facts, result, baseline, now)
    sides = {"baseline": baseline and {"label": baseline.label}, "current": {"label": now.label}}
    return only_ladder({**sides, "ladder": ladder or benchmarks_alone(baseline, now)}, "perf")


def only_ladder(document: Json, kind: str) -> Json:
    """Return a document with the ladder alone.

    Args:
        document: What ``diff`` found.
        kind: ladder or perf.
    """
    sides = {name: {"label": side["label"]} if (side := document[name]) else None for name in _SIDES}
    top = {"schema": "ibforensic.ladder/1", "kind": kind, "engine": __version__}
    return {**top, **sides, "ladder": document["ladder"]}


_SIDES = ("baseline", "current")


def check(
    snapshot: Snapshot,
    *,
    policy: Policy = POLICY,
    today: date | None = None,
    scope: Scope = EVERYWHERE,
    progress: Progress = _quiet,
) -> Comparison:
    """Judge the last sample of one snapshot by the fleet and by limits.

    Levels only: what is new and what has been so for months cannot be told apart, so the confidence is
    lower than in a comparison.

    Args:
        snapshot: What to judge.
        policy: Limits and weights; those for levels follow from them.
        today: Day by which entries of the policy expire; None takes the day of the sample.
        scope: Layers and nodes that the document is restricted to; what is left out is counted in it.
        progress: Told what is being done.

    Returns:
        The result, its document with an inventory.

    Raises:
        BadUsage: The scope names what there is not.
    """
    progress("looking")
    facts = diff_facts.look(snapshot.latest)
    progress("judging")
    levels = policy.for_levels
    judgement = judge(facts, levels, today)
    inventory = take_stock(facts, levels)
    within = restrict(facts, judgement, scope)
    result = conclude(*within, levels, None, snapshot, __version__, inventory)
    return Comparison(make_document(result), facts, judgement)
