"""What is written is what is read; nothing is left behind, and nothing is replaced unasked."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from handmade import add_section

from ibforensic.capture import capture
from ibforensic.model.enums import Level
from ibforensic.model.errors import BadSnapshot, BadUsage
from ibforensic.model.records import Note, Window
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident
from ibforensic.snapshot import durable, store
from ibforensic.snapshot.build import build

WHEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """A directory with the raw output of two runs."""
    directory = tmp_path_factory.mktemp("outputs")
    write_incident(directory, seed=3, faults=[Fault(FaultKind.DEAD_LINK)], leaves=2, hosts_per_leaf=2)
    (directory / "truth.json").unlink()
    for run in ("baseline", "current"):
        add_section(directory / run / "ibdiagnet2.db_csv", "INVENTED_ONE")
        add_section(directory / run / "ibdiagnet2.db_csv", "INVENTED_TWO(2)")
    (directory / "current" / "notes.txt").write_bytes(b"a file of no known format\n")
    return directory


@pytest.fixture(scope="module")
def two(outputs):
    """A snapshot of two samples, in memory."""
    return build(capture(outputs), "two runs", "1.2.3", WHEN)


@pytest.fixture(scope="module")
def one(outputs):
    """A snapshot of one sample, in memory."""
    return build(capture(outputs / "current"), "one run", "1.2.3", WHEN)


def contents(folder):
    """Return the bytes of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def listed(folder):
    """Return the names in a folder."""
    return [path.name for path in folder.iterdir()]


def test_a_round_trip_keeps_every_sample_whole(tmp_path, two):
    store.write(two, tmp_path / "a.ibf")
    back = store.read(tmp_path / "a.ibf")
    assert len(back.samples) == len(two.samples) == 2
    for read, made in zip(back.samples, two.samples, strict=True):
        assert read.info == made.info
        assert dict(read.counts) == dict(made.counts)
        assert set(read.tables) == set(made.tables)
        assert set(read.raw) == set(made.raw)
        for name, table in made.tables.items():
            assert read.tables[name].equals(table), name
        for name, table in made.raw.items():
            assert read.raw[name].equals(table), name
        assert len(read.raw) >= 2
        assert len(read.tables) == len(made.tables) >= 9
    assert [sample.info.index for sample in back.samples] == [0, 1]
    assert back.samples[0].info.window.began_at < back.samples[1].info.window.began_at
    assert (back.fabric, back.fitness, back.tool_version) == (two.fabric, two.fitness, "1.2.3")
    assert back.created_at == WHEN
    assert back.path == tmp_path / "a.ibf"
    assert back.latest.info.index == 1


def test_notes_survive_with_place_and_level(tmp_path, one):
    note = Note("x.odd", Level.WARNING, "ein Ümlaut\n\x1b[31m", "dir/ü.txt", 7, "help")
    bare = Note("x.bare", Level.INFO, "")
    sample = replace(one.latest, info=replace(one.latest.info, notes=(note, bare)))
    store.write(replace(one, samples=(sample,)), tmp_path / "a.ibf")
    assert store.read(tmp_path / "a.ibf").latest.info.notes == (note, bare)


def test_begin_and_end_of_a_sample_are_kept(tmp_path, one):
    window = Window(WHEN, WHEN.replace(minute=59))
    sample = replace(one.latest, info=replace(one.latest.info, window=window))
    store.write(replace(one, samples=(sample,)), tmp_path / "a.ibf")
    assert store.read(tmp_path / "a.ibf").latest.info.window == window


def test_a_sample_without_times_comes_back_without_times(tmp_path):
    (tmp_path / "q.txt").write_text(
        "# Port counters: Lid 7 port 1 (CapMask: 0x5A00)\n"
        "PortSelect:......................1\nSymbolErrorCounter:..............4\n"
    )
    made = build(capture(tmp_path / "q.txt"), "q", "1")
    store.write(made, tmp_path / "a.ibf")
    back = store.read(tmp_path / "a.ibf")
    assert back.latest.info.window.began_at is back.latest.info.window.ended_at is None
    assert back.created_at is None
    assert back.latest.tables["counters_pma"]["symbol_error_counter"].to_pylist() == [4]


def test_troubles_of_unpacking_stand_in_the_snapshot(tmp_path, outputs):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ibdiagnet2.db_csv").write_bytes((outputs / "current" / "ibdiagnet2.db_csv").read_bytes())
    (folder / "more.tar.gz").write_bytes(gzip.compress(b"x" * 9_000)[:20])
    captured = capture(folder)
    assert captured.notes
    made = build(captured, "in", "1")
    assert set(captured.notes) <= set(made.latest.info.notes)


def test_the_originals_are_kept_byte_for_byte(tmp_path, outputs, two):
    store.write(two, tmp_path / "a.ibf")
    files = [path for path in outputs.rglob("*") if path.is_file()]
    assert len(files) == 7
    for file in files:
        data = file.read_bytes()
        assert store.original(tmp_path / "a.ibf", hashlib.sha256(data).hexdigest()) == data
    kept = {source.sha256 for sample in two.samples for source in sample.info.sources}
    assert {path.stem for path in (tmp_path / "a.ibf" / "originals").iterdir()} == kept
    (tmp_path / "again").mkdir()
    for digest in kept:
        (tmp_path / "again" / f"{digest}.txt").write_bytes(store.original(tmp_path / "a.ibf", digest))
    assert {source.sha256 for source in capture(tmp_path / "again").samples[0].sources} == kept


def test_originals_can_be_left_out(tmp_path, one):
    store.write(one, tmp_path / "a.ibf", originals=False)
    assert not (tmp_path / "a.ibf" / "originals").exists()
    assert store.verify(tmp_path / "a.ibf") == ()
    assert json.loads((tmp_path / "a.ibf" / "manifest.json").read_text())["originals_kept"] is False
    with pytest.raises(BadSnapshot) as error:
        store.original(tmp_path / "a.ibf", one.latest.info.sources[0].sha256)
    assert "--no-originals" in error.value.help


def test_the_same_input_gives_the_same_bytes(tmp_path, outputs):
    for name, when in (("a", WHEN), ("b", WHEN.replace(year=2030))):
        store.write(build(capture(outputs), "two runs", "1.2.3", when), tmp_path / f"{name}.ibf")
    first, second = (contents(tmp_path / f"{name}.ibf") for name in "ab")
    manifests = [json.loads(files.pop("manifest.json")) for files in (first, second)]
    assert first == second
    assert len(first) > 20
    assert manifests[0].pop("created_at") != manifests[1].pop("created_at")
    assert manifests[0] == manifests[1]
    assert list(manifests[0]) == list(manifests[1])


def test_an_existing_snapshot_is_replaced_only_when_asked(tmp_path, one, two):
    place = tmp_path / "a.ibf"
    store.write(one, place)
    before = contents(place)
    with pytest.raises(BadUsage) as error:
        store.write(two, place)
    assert "--force" in error.value.help
    assert contents(place) == before
    store.write(two, place, replace=True)
    assert len(store.read(place).samples) == 2
    assert store.verify(place) == ()
    assert listed(tmp_path) == ["a.ibf"]


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_snapshot_is_never_replaced(tmp_path, one, force):
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "thesis.txt").write_text("precious")
    with pytest.raises(BadUsage, match="no snapshot"):
        store.write(one, folder, replace=force)
    with pytest.raises(BadUsage, match="no snapshot"):
        store.write(one, folder / "thesis.txt", replace=force)
    assert contents(tmp_path) == {"home/thesis.txt": b"precious"}


def test_a_place_below_a_file_is_refused(tmp_path, one):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadUsage, match="cannot write"):
        store.write(one, tmp_path / "file" / "a.ibf")


def test_missing_folders_are_made_and_others_may_read(tmp_path, one):
    place = tmp_path / "new" / "deep" / "a.ibf"
    store.write(one, place)
    assert store.is_snapshot(place)
    assert place.stat().st_mode & 0o777 == 0o755
    assert listed(place.parent) == ["a.ibf"]


class BrokenError(Exception):
    """Something that nobody expects."""


def fails(at, error, call):
    """Return a function that fails the ``at``-th time, and does its work before that."""
    count = iter(range(at))

    def maybe(*args, **kwargs):
        if next(count, None) is None:
            raise error
        return call(*args, **kwargs)

    return maybe


POINTS = {
    "first table": (pq, "write_table", 0),
    "fifth table": (pq, "write_table", 4),
    "original": (pa, "CompressedOutputStream", 1),
    "manifest": (Path, "write_text", 0),
    "flush": (os, "fsync", 2),
    "into place": (Path, "rename", 0),
}


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), BrokenError(), KeyboardInterrupt()], ids=repr
)
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("old", [False, True])
def test_a_crash_leaves_the_old_snapshot_or_none(tmp_path, monkeypatch, one, two, point, error, old):
    place = tmp_path / "a.ibf"
    if old:
        store.write(one, place)
    before = contents(tmp_path)
    owner, name, at = POINTS[point]
    monkeypatch.setattr(owner, name, fails(at, error, getattr(owner, name)))
    with pytest.raises(BadUsage if isinstance(error, OSError) else type(error)) as raised:
        store.write(two, place, replace=True)
    monkeypatch.undo()
    assert contents(tmp_path) == before
    assert listed(tmp_path) == (["a.ibf"] if old else [])
    if isinstance(error, OSError):
        assert "No space left" in raised.value.message
        assert raised.value.help


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()], ids=repr)
def test_an_old_snapshot_comes_back_when_the_new_one_cannot_take_its_place(
    tmp_path, monkeypatch, one, two, error
):
    place = tmp_path / "a.ibf"
    store.write(one, place)
    before = contents(tmp_path)
    rename, calls = Path.rename, []

    def third_fails(path, target):
        # It finds the place taken, the old one goes aside, and then it fails.
        calls.append(path)
        if len(calls) == 3:
            raise error
        return rename(path, target)

    monkeypatch.setattr(durable, "_exchanged", lambda *_: False)
    monkeypatch.setattr(Path, "rename", third_fails)
    with pytest.raises((BadUsage, KeyboardInterrupt)):
        store.write(two, place, replace=True)
    monkeypatch.undo()
    assert contents(tmp_path) == before
    assert listed(tmp_path) == ["a.ibf"]
    assert len(calls) == 4


ODD_NAMES = [
    "PM_INFO(2)",
    "../../../outside",
    "..",
    ".",
    "",
    "/etc/passwd",
    "a/b",
    "a%2Fb",
    "a\\b",
    "new\nline\x00nul",
    "Ümlaut ßection",
    "-rf *",
    "CON:$(reboot)",
    "L" * 500,
    "L" * 499 + "M",
    "/" * 100,
]


def test_sections_with_odd_names_are_safe_files(tmp_path, one):
    raw = {name: pa.table({"at": [at]}) for at, name in enumerate(ODD_NAMES)}
    sample = one.latest
    info = replace(sample.info, raw=dict.fromkeys(ODD_NAMES, 1))
    store.write(replace(one, samples=(replace(sample, raw=raw, info=info),)), tmp_path / "deep" / "a.ibf")
    assert listed(tmp_path) == ["deep"]
    assert listed(tmp_path / "deep") == ["a.ibf"]
    folder = tmp_path / "deep" / "a.ibf" / "sample=0000" / "raw"
    names = [path.name for path in folder.iterdir()]
    assert len(names) == len(ODD_NAMES)
    assert all(name.isascii() and name.isprintable() and len(name) < 140 for name in names)
    assert not set("/\\ $*:") & set("".join(names))
    back = store.read(tmp_path / "deep" / "a.ibf").latest.raw
    assert {name: table["at"].to_pylist() for name, table in back.items()} == {
        name: [at] for at, name in enumerate(ODD_NAMES)
    }
    assert store.verify(tmp_path / "deep" / "a.ibf") == ()


def test_a_section_with_a_very_long_name_does_not_stop_a_snapshot(tmp_path, outputs):
    name = "A" * 400
    shutil.copy(outputs / "current" / "ibdiagnet2.db_csv", tmp_path / "long.db_csv")
    add_section(tmp_path / "long.db_csv", name)
    made = build(capture(tmp_path / "long.db_csv"), "long", "1")
    store.write(made, tmp_path / "a.ibf")
    assert store.read(tmp_path / "a.ibf").latest.raw[name]["y"].to_pylist() == ["2", "3"]
