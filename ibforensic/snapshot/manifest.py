"""The manifest: what a person, or another program, reads first in a snapshot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ibforensic.model.document import fitness_json, note_json, source_json, time_json, window_json
from ibforensic.model.enums import Level, Quality
from ibforensic.model.errors import BadSnapshot
from ibforensic.model.records import Fitness, Note, SampleInfo, SourceRecord, Window
from ibforensic.snapshot.records import FORMAT, Fabric, Sample, Snapshot

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
        manifest: Json = json.loads(text)
        kind = manifest["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadSnapshot(f"{path} is no manifest of a snapshot: {error}", REDO) from error
    if not str(kind).startswith(FORMAT.partition("/")[0]):
        raise BadSnapshot(f"{path} is no manifest of a snapshot, but of {kind}", REDO)
    if kind != FORMAT:
        raise BadSnapshot(
            f"{path} is of format {kind}, this version reads {FORMAT}", "use a newer ibforensic"
        )
    if not isinstance(manifest.get("files"), dict):
        raise BadSnapshot(f"{path} is damaged: it does not list the files", REDO)
    return manifest


REDO = "make the snapshot again from the original output"


def sample_info(data: Json) -> SampleInfo:
    """Read the facts of one sample back from the manifest."""
    return SampleInfo(
        index=data["index"],
        window=Window(_time(data["window"]["began_at"]), _time(data["window"]["ended_at"])),
        sources=tuple(_source(item) for item in data["sources"]),
        tables=data["tables"],
        raw=data["raw"],
        notes=tuple(Note(**{**item, "level": Level(item["level"])}) for item in data["notes"]),
        tools=data["tools"],
        commands=tuple(data["commands"]),
    )


def fitness(data: Json) -> tuple[Fitness, ...]:
    """Read the fitness findings back from the manifest."""
    return tuple(
        Fitness(
            item["code"],
            Level(item["level"]),
            item["text"],
            item["help"],
            item["count"],
            tuple(item["examples"]),
        )
        for item in data["fitness"]
    )


def fabric(data: Json) -> Fabric:
    """Read the identity of the fabric back from the manifest."""
    return Fabric(tuple(data["switches"]), data["fabric"]["fingerprint"])


def created_at(data: Json) -> datetime | None:
    """Read the time at which the snapshot was made."""
    return _time(data["created_at"])


def _source(item: Json) -> SourceRecord:
    return SourceRecord(**{**item, "own_time": _time(item["own_time"])})


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None
