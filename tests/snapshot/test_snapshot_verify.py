"""Damage is found, and a damaged or foreign folder is refused with a word of help."""

from __future__ import annotations

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from handmade import add_section

from ibforensic.capture import capture
from ibforensic.model.errors import BadSnapshot
from ibforensic.simulate.incident import write_incident
from ibforensic.snapshot import store
from ibforensic.snapshot.build import build


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    directory = tmp_path_factory.mktemp("made")
    write_incident(directory, seed=3, leaves=1, spines=1, hosts_per_leaf=2)
    add_section(directory / "current" / "ibdiagnet2.db_csv", "INVENTED")
    store.write(build(capture(directory / "current"), "x", "1"), directory / "a.ibf")
    return directory / "a.ibf"


@pytest.fixture
def snapshot(made, tmp_path):
    return shutil.copytree(made, tmp_path / "a.ibf")


def found(path):
    return [(note.code, note.path) for note in store.verify(path)]


def edit(path, change):
    """Change the manifest of a snapshot."""
    file = path / "manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))


def test_a_whole_snapshot_has_no_damage(snapshot):
    assert store.verify(snapshot) == ()


@pytest.mark.parametrize("name", ["sample=0000/nodes.parquet", "sample=0000/raw/INVENTED.parquet"])
def test_a_changed_table_is_found(snapshot, name):
    table = pq.ParquetFile(snapshot / name).read()
    pq.write_table(table.slice(1), snapshot / name)
    assert found(snapshot) == [("snapshot.changed", name)]


def test_one_bit_is_enough(snapshot):
    file = snapshot / "sample=0000" / "links.parquet"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert found(snapshot) == [("snapshot.changed", "sample=0000/links.parquet")]


def test_a_missing_file_is_found(snapshot):
    (snapshot / "sample=0000" / "ports.parquet").unlink()
    assert found(snapshot) == [("snapshot.missing", "sample=0000/ports.parquet")]
    with pytest.raises(BadSnapshot) as error:
        store.read(snapshot).latest.tables["ports"]
    assert "verify" in error.value.help


def test_a_strange_file_is_found(snapshot):
    (snapshot / "originals" / "more.txt").write_text("x")
    (snapshot / ".hidden").write_text("x")
    assert found(snapshot) == [("snapshot.stranger", ".hidden"), ("snapshot.stranger", "originals/more.txt")]


def test_a_changed_original_is_found(snapshot):
    file = next((snapshot / "originals").iterdir())
    with pa.CompressedOutputStream(str(file), "zstd") as out:
        out.write(b"something else")
    name = f"originals/{file.name}"
    assert found(snapshot) == [("snapshot.changed", name)]


def test_an_original_that_does_not_unpack_to_its_name_is_found(snapshot):
    """Somebody changed the original and its hash in the manifest alike."""
    whole, broken = sorted((snapshot / "originals").iterdir())[:2]
    shutil.copy(whole, broken)
    edit(
        snapshot,
        lambda data: data["files"].update(
            {f"originals/{broken.name}": data["files"][f"originals/{whole.name}"]}
        ),
    )
    assert found(snapshot) == [("snapshot.original_changed", f"originals/{broken.name}")]


def test_all_damage_is_told_at_once_with_help(snapshot):
    shutil.rmtree(snapshot / "sample=0000" / "raw")
    (snapshot / "stranger").write_text("x")
    (snapshot / "sample=0000" / "runs.parquet").write_bytes(b"")
    notes = store.verify(snapshot)
    assert {note.code for note in notes} == {"snapshot.missing", "snapshot.stranger", "snapshot.changed"}
    assert all(note.help and note.message and note.level == "error" for note in notes)


@pytest.mark.parametrize("data", [b"", b"PAR1 no parquet PAR1", b"\x00" * 50])
def test_a_table_that_cannot_be_read_is_told(snapshot, data):
    (snapshot / "sample=0000" / "links.parquet").write_bytes(data)
    with pytest.raises(BadSnapshot) as error:
        store.read(snapshot).latest.tables["links"]
    assert "links.parquet" in error.value.message
    assert error.value.help


def test_an_original_that_was_cut_is_told(snapshot):
    file = max((snapshot / "originals").iterdir(), key=lambda path: path.stat().st_size)
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(BadSnapshot):
        store.original(snapshot, file.stem)


MANIFESTS = [
    b"",
    b"not json",
    b"\xff\xfe{}",
    b"null",
    b"3",
    b"[]",
    b'"ibforensic.snapshot/1"',
    b"{}",
    b'{"format": null}',
    b'{"format": "ibforensic.snapshot/1"}',
    b'{"format": "ibforensic.snapshot/1", "files": []}',
    b'{"format": "ibforensic.snapshot/1", "files": {}, "samples": []}',
]


@pytest.mark.parametrize("text", MANIFESTS)
@pytest.mark.parametrize("door", [store.read, store.verify])
def test_a_broken_manifest_is_refused_with_help(snapshot, text, door):
    (snapshot / "manifest.json").write_bytes(text)
    with pytest.raises(BadSnapshot) as error:
        door(snapshot)
    assert "a.ibf" in error.value.message
    assert error.value.help


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("samples"),
        lambda data: data.update(samples={}),
        lambda data: data.update(samples=[]),
        lambda data: data.update(samples=[None]),
        lambda data: data["samples"][0].pop("window"),
        lambda data: data["samples"][0].update(window=[]),
        lambda data: data["samples"][0].update(index="first"),
        lambda data: data["samples"][0]["window"].update(began_at="yesterday"),
        lambda data: data["samples"][0]["window"].update(began_at=7),
        lambda data: data["samples"][0]["sources"][0].update(whole="red"),
        lambda data: data["samples"][0].update(sources=["x"]),
        lambda data: data["samples"][0].update(tables=None),
        lambda data: data["samples"][0].update(notes=[{"level": "awful"}]),
        lambda data: data.pop("fabric"),
        lambda data: data.update(fabric=None),
        lambda data: data.pop("switches"),
        lambda data: data.pop("tool_version"),
        lambda data: data.update(fitness=[{}]),
        lambda data: data.update(created_at="never"),
        lambda data: data.pop("files"),
    ],
)
def test_a_damaged_manifest_is_refused_with_help(snapshot, change):
    edit(snapshot, change)
    with pytest.raises(BadSnapshot) as error:
        store.read(snapshot)
    assert "damaged" in error.value.message
    assert error.value.help


def test_a_newer_format_asks_for_a_newer_version(snapshot):
    edit(snapshot, lambda data: data.update(format="ibforensic.snapshot/2"))
    with pytest.raises(BadSnapshot) as error:
        store.read(snapshot)
    assert "ibforensic.snapshot/2" in error.value.message
    assert "newer" in error.value.help


@pytest.mark.parametrize("kind", ["package/9", 3])
def test_a_foreign_manifest_does_not(snapshot, kind):
    edit(snapshot, lambda data: data.update(format=kind))
    with pytest.raises(BadSnapshot) as error:
        store.read(snapshot)
    assert "newer" not in error.value.help


@pytest.mark.parametrize("door", [store.read, store.verify])
def test_a_folder_without_a_manifest_is_no_snapshot(tmp_path, door):
    assert not store.is_snapshot(tmp_path)
    with pytest.raises(BadSnapshot) as error:
        door(tmp_path)
    assert "ibforensic snapshot" in error.value.help
    with pytest.raises(BadSnapshot):
        door(tmp_path / "absent")


def test_a_manifest_that_is_a_folder_is_no_manifest(tmp_path):
    (tmp_path / "manifest.json").mkdir()
    assert not store.is_snapshot(tmp_path)
