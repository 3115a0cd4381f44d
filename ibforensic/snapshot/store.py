"""The snapshot on disk: a folder of Parquet files, a manifest and the original bytes.

::

    NAME.ibf/manifest.json
    NAME.ibf/sample=0000/<table>.parquet
    NAME.ibf/sample=0000/raw/<SECTION>.parquet
    NAME.ibf/originals/<sha256>.zst

It is written to a temporary sibling, flushed and renamed: a crash leaves the old one or none.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ibforensic.model.enums import Level
from ibforensic.model.errors import BadSnapshot, BadUsage
from ibforensic.model.records import Note
from ibforensic.snapshot import manifest
from ibforensic.snapshot.records import Sample, Snapshot

MANIFEST = "manifest.json"
ORIGINALS = "originals"
_UNSAFE = re.compile(r"[^A-Za-z0-9_.()-]")
_CHUNK = 1 << 20
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
    if path.exists() and not (replace and is_snapshot(path)):
        hint = "give another --output, or --force to replace the snapshot"
        raise BadUsage(f"{path} exists already" + ("" if is_snapshot(path) else " and is no snapshot"), hint)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise BadUsage(f"cannot write to {path.parent}: {error.strerror}", "give another --output") from error
    try:
        _fill(work, snapshot, originals)
        _swap(work, path)
    except OSError as error:
        raise BadUsage(
            f"cannot write {path}: {error.strerror}", "free some space or give another --output"
        ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _fill(work: Path, snapshot: Snapshot, originals: bool) -> None:
    """Write all files of a snapshot into an empty folder."""
    for sample in snapshot.samples:
        folder = work / f"sample={sample.info.index:04d}"
        for name, table in sample.tables.items():
            _write_table(folder / f"{name}.parquet", table)
        for name, table in sample.raw.items():
            _write_table(folder / "raw" / f"{_file_name(name)}.parquet", table)
    if originals:
        (work / ORIGINALS).mkdir()
        for digest, data in snapshot.originals.items():
            with pa.CompressedOutputStream(str(work / ORIGINALS / f"{digest}.zst"), "zstd") as out:
                out.write(data)
    hashes = {name: _hash(work / name) for name in _files(work)}
    (work / MANIFEST).write_text(manifest.dump(snapshot, hashes, originals), encoding="utf-8")
    for name in (*_files(work), MANIFEST):
        _flush(work / name)
    work.chmod(0o755)


def _swap(work: Path, path: Path) -> None:
    """Put the finished folder in its place; an older one leaves only once the new one stands."""
    if path.exists():
        old = work.with_name(work.name + ".old")
        path.rename(old)
        try:
            work.rename(path)
        except BaseException:
            old.rename(path)
            raise
        shutil.rmtree(old, ignore_errors=True)
    else:
        work.rename(path)
    _flush(path.parent)


def read(path: Path) -> Snapshot:
    """Open a snapshot; tables are read when they are asked for.

    Raises:
        BadSnapshot: The folder is no snapshot, or a damaged one.
    """
    if not is_snapshot(path):
        raise BadSnapshot(
            f"{path} is no snapshot: it has no {MANIFEST}", "make one with: ibforensic snapshot SOURCE"
        )
    data = _manifest(path)
    try:
        samples = tuple(_sample(path, item) for item in data["samples"])
        samples[-1]
        return Snapshot(
            label=str(path),
            fabric=manifest.fabric(data),
            samples=samples,
            fitness=manifest.fitness(data),
            tool_version=data["tool_version"],
            created_at=manifest.created_at(data),
            path=path,
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadSnapshot(
            f"the manifest of {path} is damaged: {error!r}", "run: ibforensic verify"
        ) from error


def _manifest(path: Path) -> manifest.Json:
    try:
        text = (path / MANIFEST).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadSnapshot(f"cannot read {path / MANIFEST}: {error}", manifest.REDO) from error
    return manifest.load(text, str(path / MANIFEST))


def _sample(path: Path, data: manifest.Json) -> Sample:
    info = manifest.sample_info(data)
    folder = path / f"sample={info.index:04d}"
    raw = {name: folder / "raw" / f"{_file_name(name)}.parquet" for name in info.raw}
    tables = {name: folder / f"{name}.parquet" for name in info.tables}
    return Sample(info, _Tables(tables), _Tables(raw), data["counts"])


class _Tables(Mapping[str, pa.Table]):
    """Parquet files that are read when they are asked for."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files
        self._read: dict[str, pa.Table] = {}

    def __getitem__(self, name: str) -> pa.Table:
        if name not in self._read:
            path = self._files[name]
            try:
                # Opened by handle: a path would make Arrow add "sample" from the folder's name once more.
                with path.open("rb") as file:
                    self._read[name] = pq.read_table(file)
            except (OSError, pa.ArrowException) as error:
                raise BadSnapshot(f"cannot read {path}: {error}", "run: ibforensic verify") from error
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


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
    listed: dict[str, str] = _manifest(path)["files"]
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
    try:
        with pa.input_stream(str(path / ORIGINALS / f"{sha256}.zst"), compression="zstd") as stream:
            data: bytes = stream.read()
    except OSError as error:
        raise BadSnapshot(
            f"the original {sha256} is not in {path}", "it was made with --no-originals"
        ) from error
    return data


def _damage(code: str, name: str, what: str) -> Note:
    return Note(
        f"snapshot.{code}", Level.ERROR, what, name, help="take the snapshot again, or restore a copy"
    )


def _unpacked_hash(path: Path) -> str:
    try:
        with pa.input_stream(str(path), compression="zstd") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""


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
    pq.write_table(table, path, compression="zstd")


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for chunk in iter(partial(file.read, _CHUNK), b""):
            digest.update(chunk)
    return digest.hexdigest()


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
