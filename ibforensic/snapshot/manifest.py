"""The manifest: what a person, or another program, reads first in a snapshot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ibforensic.model.document import fitness_json, note_json, source_json, time_json, window_json
from ibforensic.model.enums import Level, Quality
from ibforensic.model.errors import BadSnapshot
from ibforensic.model.records import Fitness, Note, SampleInfo, SourceRecord, Window
from ibforensic.snapshot.records import FORMAT, Fabric, Sample, Snapshot
from ibforensic.snapshot.shape import Shape, WrongShapeError

Json = dict[str, Any]


def dump(snapshot: Snapshot, files: Mapping[str, str], originals: bool) -> str:
    """Render the manifest.

    Args:
        snapshot: The snapshot.
        files: Path within the snapshot → SHA-256 of the file's bytes, for ``verify``.
        originals: Whether the original bytes are kept.

    Returns:
        JSON text, indented, for people as well.
    """
    manifest = {
        "format": FORMAT,
        "tool_version": snapshot.tool_version,
        "created_at": time_json(snapshot.created_at),
        "label": snapshot.label,
        "fabric": {
            "fingerprint": snapshot.fabric.fingerprint,
            "switch_count": len(snapshot.fabric.switches),
        },
        "fitness": [fitness_json(item) for item in snapshot.fitness],
        "samples": [_sample(sample) for sample in snapshot.samples],
        "quality_codes": {str(int(code)): code.name.lower() for code in Quality},
        "originals_kept": originals,
        "files": dict(sorted(files.items())),
        "switches": list(snapshot.fabric.switches),
    }
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def _sample(sample: Sample) -> Json:
    info = sample.info
    return {
        "index": info.index,
        "window": window_json(info.window),
        "counts": dict(sample.counts),
        "tools": dict(info.tools),
        "commands": list(info.commands),
        "tables": dict(info.tables),
        "raw": dict(info.raw),
        "sources": [source_json(source) for source in info.sources],
        "notes": [note_json(note) for note in info.notes],
    }


def load(text: str, path: str) -> Json:
    """Read a manifest and check that it is one of ours.

    Raises:
        BadSnapshot: It is not JSON, not a manifest, damaged, or of a later format.
    """
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSnapshot(f"{path} is damaged: it is no JSON", REDO) from error
    kind = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(kind, str) or not kind.startswith(FORMAT.partition("/")[0]):
        raise BadSnapshot(f"{path} is no manifest of a snapshot of ibforensic", REDO)
    if kind != FORMAT:
        raise BadSnapshot(
            f"{path} is of format {kind}, this version reads {FORMAT}", "use a newer ibforensic"
        )
    checked: Json = manifest
    try:
        files(checked)
    except WrongShapeError as error:
        raise BadSnapshot(f"{path} is damaged: {error}", REDO) from error
    return checked


REDO = "make the snapshot again from the original output"


_COUNTED = (
    "nodes",
    "switches",
    "hcas",
    "aggregation_nodes",
    "routers",
    "links",
    "ports",
    "ports_down",
)


def files(data: Json) -> dict[str, str]:
    """Read the hashes of the files: path within the snapshot → SHA-256.

    Raises:
        WrongShapeError: Here and below: a key is missing or holds something else than it should.
    """
    return Shape(data).at("files").map_of(Shape.text)


def samples(data: Json) -> tuple[Shape, ...]:
    """Return the samples, at least one."""
    found = Shape(data).at("samples").items()
    if not found:
        raise WrongShapeError("samples", "at least one")
    return tuple(found)


def sample_info(data: Shape) -> SampleInfo:
    """Read the facts of one sample back from the manifest."""
    return SampleInfo(
        index=data.at("index").whole_number(),
        window=Window(_time(data.at("window").at("began_at")), _time(data.at("window").at("ended_at"))),
        sources=tuple(_source(item) for item in data.at("sources").items()),
        tables=data.at("tables").map_of(Shape.whole_number),
        raw=data.at("raw").map_of(Shape.whole_number),
        notes=tuple(_note(item) for item in data.at("notes").items()),
        tools=data.at("tools").map_of(Shape.text),
        commands=tuple(item.text() for item in data.at("commands").items()),
    )


def counts(data: Shape) -> dict[str, int | None]:
    """Read how many nodes, links and ports a sample shows."""
    held = data.at("counts")
    return {name: held.at(name).maybe(Shape.whole_number) for name in _COUNTED}


def fitness(data: Json) -> tuple[Fitness, ...]:
    """Read the fitness findings back from the manifest."""
    return tuple(
        Fitness(
            item.at("code").text(),
            item.at("level").one_of(Level),
            item.at("text").text(),
            item.at("help").text(),
            item.at("count").whole_number(),
            tuple(example.text() for example in item.at("examples").items()),
        )
        for item in Shape(data).at("fitness").items()
    )


def fabric(data: Json) -> Fabric:
    """Read the identity of the fabric back from the manifest."""
    whole = Shape(data)
    switches = tuple(item.text() for item in whole.at("switches").items())
    return Fabric(switches, whole.at("fabric").at("fingerprint").text())


def tool_version(data: Json) -> str:
    """Read which version of ibforensic made the snapshot."""
    return Shape(data).at("tool_version").text()


def created_at(data: Json) -> datetime | None:
    """Read the time at which the snapshot was made."""
    return _time(Shape(data).at("created_at"))


def _note(item: Shape) -> Note:
    return Note(
        code=item.at("code").text(),
        level=item.at("level").one_of(Level),
        message=item.at("message").text(),
        path=item.at("path").text(),
        line=item.at("line").maybe(Shape.whole_number),
        help=item.at("help").text(),
    )


def _source(item: Shape) -> SourceRecord:
    return SourceRecord(
        path=item.at("path").text(),
        sha256=item.at("sha256").text(),
        size=item.at("size").whole_number(),
        parser=item.at("parser").maybe(Shape.text),
        outcome=item.at("outcome").text(),
        whole=item.at("whole").flag(),
        own_time=_time(item.at("own_time")),
        stale=item.at("stale").flag(),
    )


def _time(item: Shape) -> datetime | None:
    return item.maybe(Shape.time)
