"""A snapshot that was damaged, is newer, may not be written, or is written by two at once."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ibforensic import pipeline
from ibforensic.capture import capture
from ibforensic.cli.main import main
from ibforensic.model.errors import BadSnapshot, BadUsage
from ibforensic.simulate.incident import write_incident
from ibforensic.snapshot import durable, on_disk, store
from ibforensic.snapshot.build import build


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write_incident(folder, seed=3, leaves=1, spines=1, hosts_per_leaf=2)
    pipeline.snapshot([folder / "current"], folder / "a.ibf")
    return folder


@pytest.fixture
def place(made, tmp_path):
    return shutil.copytree(made / "a.ibf", tmp_path / "a.ibf")


@pytest.fixture
def snapshot(made):
    """The same snapshot, in memory."""
    return build(capture(made / "current"), "x", "1")


def told(*args):
    """Run a command that must end with 2; return nothing, the caller looks at what it said."""
    with pytest.raises(SystemExit) as leaving:
        main([str(arg) for arg in args])
    assert leaving.value.code == 2


def change(place, **values):
    """Change values at the top of the manifest."""
    file = place / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def test_any_flipped_byte_of_a_table_is_found(place):
    chance = random.Random(4)
    file = place / "sample=0000" / "counters_pma.parquet"
    whole = file.read_bytes()
    for _ in range(40):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        file.write_bytes(data)
        with pytest.raises(BadSnapshot, match="was changed") as error:
            _ = store.read(place).latest.tables["counters_pma"]
        assert "verify" in error.value.help
        assert [note.code for note in store.verify(place)] == ["snapshot.changed"]


def test_damage_that_the_hashes_do_not_show_is_told(place, monkeypatch):
    """As if somebody had changed the hash as well: Parquet then gives an error or a table."""
    chance = random.Random(5)
    file = place / "sample=0000" / "counters_pma.parquet"
    whole = file.read_bytes()
    rows = pq.ParquetFile(file).metadata.num_rows

    class Any:
        def hexdigest(self):
            return json.loads((place / "manifest.json").read_text())["files"][
                "sample=0000/counters_pma.parquet"
            ]

    monkeypatch.setattr(on_disk.hashlib, "sha256", lambda _: Any())
    outcomes = set()
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(3):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        file.write_bytes(data)
        try:
            outcomes.add(store.read(place).latest.tables["counters_pma"].num_rows)
        except BadSnapshot as error:
            outcomes.add(error.help.partition(":")[0])
    assert "run" in outcomes
    assert outcomes <= {"run", rows}


@pytest.mark.parametrize("share", [0, 1, 50, 99])
def test_a_truncated_table_is_told_by_every_command(place, made, capsys, share):
    file = place / "sample=0000" / "ports.parquet"
    file.write_bytes(file.read_bytes()[: file.stat().st_size * share // 100])
    for command in (["check", "-q", place], ["diff", "-q", made / "a.ibf", place], ["verify", place]):
        told(*command)
        said = "".join(capsys.readouterr())
        assert "ports.parquet" in said
        assert "help:" in said


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "sparse"])
def test_a_table_that_is_no_file_is_told(place, capsys, kind):
    file = place / "sample=0000" / "ports.parquet"
    file.unlink()
    if kind == "folder":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "sparse":
        with file.open("wb") as sparse:
            sparse.truncate(10 << 30)
    told("check", "-q", place)
    assert "ports.parquet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "no manifest"),
        ('{"format": "ibforensic.snapshot/1"}', "damaged"),
        ('{"format": "ibforensic.snapshot/99"}', "newer ibforensic"),
        ('{"format": 1}', "no manifest"),
        ("\ufeff{}", "no JSON"),
        ('{"a": NaN, "format": "x"}', "no manifest"),
    ],
)
def test_a_manifest_of_no_use_is_refused(place, capsys, text, word):
    (place / "manifest.json").write_text(text)
    for command in ("check", "verify"):
        told(command, place)
        assert word in capsys.readouterr().err


def test_a_manifest_that_is_no_text_or_endless_is_refused(place, capsys):
    (place / "manifest.json").write_bytes(b"\xff\xfe\0")
    told("verify", place)
    assert "UTF-8" in capsys.readouterr().err
    with (place / "manifest.json").open("wb") as file:
        file.truncate(10 << 30)
    told("verify", place)
    assert "larger than any manifest" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["files", "samples", "switches", "fabric", "tool_version", "fitness"])
@pytest.mark.parametrize("value", [None, [], {}, "x", -1, [None], {"a": []}], ids=repr)
def test_a_manifest_with_other_things_in_it_is_damaged_or_read(place, key, value):
    change(place, **{key: value})
    with contextlib.suppress(BadSnapshot):
        made = store.read(place)
        dict(made.latest.raw)
        dict(made.latest.tables)


def test_a_name_in_the_manifest_leads_nowhere(place):
    """Files are named by table and section, never by what the manifest says."""
    data = json.loads((place / "manifest.json").read_text())
    data["samples"][0]["raw"] = {"../../../etc/passwd": 1}
    (place / "manifest.json").write_text(json.dumps(data))
    with pytest.raises(BadSnapshot, match="%2F"):
        dict(store.read(place).latest.raw)


def test_two_writers_leave_one_whole_snapshot(tmp_path, snapshot):
    place, results = tmp_path / "a.ibf", []
    start = threading.Barrier(4)

    def write():
        start.wait()
        try:
            store.write(snapshot, place)
            results.append("written")
        except BadUsage as error:
            results.append(error.message)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(results)) == [f"{place} exists already", "written"]
    assert results.count("written") == 1
    assert store.verify(place) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["a.ibf"]


def test_two_writers_that_replace_leave_one_whole_snapshot(tmp_path, snapshot):
    place, troubles = tmp_path / "a.ibf", []
    store.write(snapshot, place)

    def write():
        try:
            for _ in range(3):
                store.write(snapshot, place, originals=False, replace=True)
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert store.is_snapshot(place)
    assert troubles == []
    assert store.verify(place) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["a.ibf"]


def test_a_link_to_a_snapshot_stays_a_link(tmp_path, place, snapshot):
    link = tmp_path / "latest.ibf"
    link.symlink_to(place)
    store.write(snapshot, link, originals=False, replace=True)
    assert link.is_symlink()
    assert store.verify(place) == ()
    assert not (place / "originals").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ibf", "latest.ibf"]


def test_a_read_only_place_is_told_and_a_read_only_snapshot_is_read(tmp_path, monkeypatch, place, snapshot):
    """By an error of the system, as root may write everywhere."""

    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(durable.tempfile, "mkdtemp", refuse)
    with pytest.raises(BadUsage, match="Read-only file system") as error:
        store.write(snapshot, tmp_path / "b.ibf")
    assert "--output" in error.value.help
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    pipeline.check(pipeline.load(place))
    assert store.verify(place) == ()
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


def test_an_output_keeps_link_and_rights_of_the_file_it_replaces(tmp_path):
    (tmp_path / "real.html").write_text("old")
    (tmp_path / "real.html").chmod(0o640)
    (tmp_path / "report.html").symlink_to("real.html")
    durable.write_whole(tmp_path / "report.html", b"new")
    assert (tmp_path / "report.html").is_symlink()
    assert (tmp_path / "real.html").read_text() == "new"
    assert (tmp_path / "real.html").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["real.html", "report.html"]


def test_what_is_no_plain_file_is_written_to_as_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    durable.write_whole(tmp_path / "pipe", b"new")
    reader.join()
    assert got == [b"new"]


@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_what_is_open_already_is_written_to_by_its_number(tmp_path, kind):
    """As in ``--json /dev/stdout``: a file that took the place of the open one would not be seen there."""
    if kind == "pipe":
        reader, writer = os.pipe()
    else:
        writer = os.open(tmp_path / "out", os.O_CREAT | os.O_RDWR)
        reader = os.open(tmp_path / "out", os.O_RDONLY)
    durable.write_whole(Path(f"/dev/fd/{writer}"), b"new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    os.close(writer)
