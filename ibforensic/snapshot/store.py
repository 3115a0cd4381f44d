"""The snapshot on disk: a folder of Parquet files, a manifest and the original bytes.

::

    NAME.ibf/manifest.json
    NAME.ibf/sample=0000/<table>.parquet
    NAME.ibf/sample=0000/raw/<SECTION>.parquet
    NAME.ibf/originals/<sha256>.zst

The column ``sample`` of the tables stands in the folder's name alone, as Hive has it: in the files as well,
it would clash for readers that take it from there (pandas and Arrow, given the folder or several files).

It is written beside its place, flushed and moved there: a crash leaves the old one or none.
"""

from __future__ import annotations

import errno
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace as replaced
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ibforensic.capture import printable
from ibforensic.capture.limits import MOST_BYTES
from ibforensic.model.enums import Level
from ibforensic.model.errors import BadSnapshot, BadUsage
from ibforensic.model.records import Note
from ibforensic.model.tables import TABLES
from ibforensic.snapshot import durable, manifest
from ibforensic.snapshot.on_disk import MANIFEST, TablesOnDisk
from ibforensic.snapshot.records import Sample, Snapshot
from ibforensic.snapshot.shape import Shape, WrongShapeError

ORIGINALS = "originals"
_UNSAFE = re.compile(r"[^A-Za-z0-9_.()-]")
_CHUNK = 1 << 20
_LARGEST_MANIFEST = 256 << 20
"""Octets; a collection of 100,000 files has a tenth of that."""
_LONGEST = 120
"""Characters of a file name; file systems allow 255."""


def is_snapshot(path: Path) -> bool:
    """Whether a path is the folder of a snapshot."""
    return (path / MANIFEST).is_file()


def write(snapshot: Snapshot, path: Path, *, originals: bool = True, replace: bool = False) -> None:
    """Write a snapshot.

    Args:
        snapshot: What to write.
        path: Folder to be made.
        originals: Whether to keep the original bytes.
        replace: Whether an older snapshot of that name may be replaced.

    Raises:
        BadUsage: Something is there already, or the place cannot be written to.
    """
    _refuse_taken(path, replace)
    shown = printable(str(path))
    # A link stays, and leads to the new one.
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with durable.workplace(target) as work:
            _fill(work, snapshot, originals)
            # Somebody else may have written there meanwhile.
            _refuse_taken(path, replace)
            durable.put(work, target, replace=replace)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY):
            _refuse_taken(path, replace)
        raise BadUsage(
            f"cannot write {shown}: {error.strerror}", "free some space or give another --output"
        ) from error


def _refuse_taken(path: Path, replace: bool) -> None:
    """Stop where something stands already that is not to be replaced."""
    if path.exists() and not (replace and is_snapshot(path)):
        hint = "give another --output, or --force to replace the snapshot"
        what = "exists already" + ("" if is_snapshot(path) else " and is no snapshot")
        raise BadUsage(f"{printable(str(path))} {what}", hint)


def _fill(work: Path, snapshot: Snapshot, originals: bool) -> None:
    """Write all files of a snapshot into an empty folder."""
    for sample in snapshot.samples:
        folder = work / f"sample={sample.info.index:04d}"
        for name, table in sample.tables.items():
            _write_table(folder / f"{name}.parquet", table.drop_columns("sample"))
        for name, table in sample.raw.items():
            _write_table(folder / "raw" / f"{_file_name(name)}.parquet", table)
    if originals:
        (work / ORIGINALS).mkdir()
        for digest, data in snapshot.originals.items():
            # Opened by handle, here and elsewhere: Arrow takes no paths that are not UTF-8.
            with (
                (work / ORIGINALS / f"{digest}.zst").open("wb") as file,
                pa.CompressedOutputStream(file, "zstd") as out,
            ):
                out.write(data)
    hashes = {name: _hash(work / name) for name in _files(work)}
    (work / MANIFEST).write_text(manifest.dump(snapshot, hashes, originals), encoding="utf-8")
    for name in (*_files(work), MANIFEST):
        durable.flush(work / name)
    for folder in (*(place for place in work.rglob("*") if place.is_dir()), work):
        durable.flush_folder(folder)
    work.chmod(0o755)


def read(path: Path) -> Snapshot:
    """Open a snapshot; tables are read when they are asked for.

    Raises:
        BadSnapshot: The folder is no snapshot, or a damaged one.
    """
    if not is_snapshot(path):
        raise BadSnapshot(
            f"{printable(str(path))} is no snapshot: it has no {MANIFEST}",
            "make one with: ibforensic snapshot SOURCE",
        )
    data = _manifest(path)
    try:
        hashes = manifest.files(data)
        return Snapshot(
            label=printable(str(path)),
            fabric=manifest.fabric(data),
            samples=tuple(_sample(path, item, hashes) for item in manifest.samples(data)),
            fitness=manifest.fitness(data),
            tool_version=manifest.tool_version(data),
            created_at=manifest.created_at(data),
            path=path,
        )
    except WrongShapeError as error:
        raise BadSnapshot(
            f"the manifest of {printable(str(path))} is damaged: {error}",
            "restore a copy, or " + manifest.REDO,
        ) from error


def whole(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot with all tables in memory, so that its folder may go.

    Raises:
        BadSnapshot: A table is damaged.
    """
    samples = tuple(replaced(one, tables=dict(one.tables), raw=dict(one.raw)) for one in snapshot.samples)
    return replaced(snapshot, samples=samples, path=None)


def _manifest(path: Path) -> manifest.Json:
    shown = printable(str(path / MANIFEST))
    try:
        if (path / MANIFEST).stat().st_size > _LARGEST_MANIFEST:
            raise BadSnapshot(f"{shown} is damaged: it is larger than any manifest", manifest.REDO)
        text = (path / MANIFEST).read_text(encoding="utf-8")
    except OSError as error:
        raise BadSnapshot(f"cannot read {shown}: {error.strerror}", manifest.REDO) from error
    except ValueError as error:
        raise BadSnapshot(f"{shown} is damaged: it is not UTF-8", manifest.REDO) from error
    return manifest.load(text, shown)


def _sample(path: Path, data: Shape, hashes: Mapping[str, str]) -> Sample:
    info = manifest.sample_info(data)
    folder = f"sample={info.index:04d}"
    raw = {name: f"{folder}/raw/{_file_name(name)}.parquet" for name in info.raw}
    tables = {name: f"{folder}/{name}.parquet" for name in info.tables if name in TABLES}
    counts = manifest.counts(data)
    canonical = TablesOnDisk(path, tables, hashes, info.index)
    return Sample(info, canonical, TablesOnDisk(path, raw, hashes), counts)


def verify(path: Path) -> tuple[Note, ...]:
    """Check every hash of a snapshot.

    Args:
        path: Folder of the snapshot.

    Returns:
        A note for each file that is missing, changed or not listed; empty when all is well.

    Raises:
        BadSnapshot: The folder is no snapshot.
    """
    read(path)
    listed = manifest.files(_manifest(path))
    present = set(_files(path))
    notes = [_damage("missing", name, "is missing") for name in sorted(set(listed) - present)]
    notes += [
        _damage("stranger", name, "is not listed in the manifest") for name in sorted(present - set(listed))
    ]
    for name in sorted(present & set(listed)):
        if _hash(path / name) != listed[name]:
            notes.append(_damage("changed", name, "was changed after the snapshot was made"))
        elif name.startswith(f"{ORIGINALS}/") and _unpacked_hash(path / name) != Path(name).stem:
            notes.append(_damage("original_changed", name, "does not unpack to the bytes it is named after"))
    return tuple(notes)


def original(path: Path, sha256: str) -> bytes:
    """Return the original bytes of a source.

    Raises:
        BadSnapshot: They were not kept, or are damaged.
    """
    file = path / ORIGINALS / f"{sha256}.zst"
    shown = printable(str(path))
    if not file.is_file():
        raise BadSnapshot(
            f"the original {sha256} is not in {shown}", "it was made with --no-originals: give the raw output"
        )
    try:
        data = b"".join(_unpacked(file))
    except OSError as error:
        raise BadSnapshot(f"cannot read the original {sha256}", f"run: ibforensic verify {shown}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise BadSnapshot(f"the original {sha256} was changed", f"run: ibforensic verify {shown}")
    return data


def _unpacked(path: Path) -> Iterator[bytes]:
    """Unpack an original piece by piece; it ends where it is larger than any file that is kept."""
    left = MOST_BYTES
    with path.open("rb") as file, pa.input_stream(file, compression="zstd") as stream:
        while left > 0 and (piece := stream.read(_CHUNK)):
            left -= len(piece)
            yield piece


def _damage(code: str, name: str, what: str) -> Note:
    return Note(
        f"snapshot.{code}", Level.ERROR, what, name, help="take the snapshot again, or restore a copy"
    )


def _unpacked_hash(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        for piece in _unpacked(path):
            digest.update(piece)
    except OSError:
        return ""
    return digest.hexdigest()


def _files(path: Path) -> list[str]:
    """Files of a snapshot but the manifest, by their path within it."""
    found = (file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
    return sorted(name for name in found if name != MANIFEST)


def _file_name(section: str) -> str:
    """Name a section's file: other characters than letters, digits and ``_.()-`` become %XX.

    A name that is too long for a file is cut, and ends in a hash that keeps it apart from others.
    """
    name = _UNSAFE.sub(lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), section)
    if len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST - 17]}~{hashlib.sha256(section.encode()).hexdigest()[:16]}"


def _write_table(path: Path, table: pa.Table) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        pq.write_table(table, file, compression="zstd")


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for chunk in iter(partial(file.read, _CHUNK), b""):
            digest.update(chunk)
    return digest.hexdigest()
