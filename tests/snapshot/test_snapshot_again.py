"""Snapshots as sources, archives of them, parts of them; tables and manifests that were tampered with."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibforensic import pipeline
from ibforensic.model.errors import BadSnapshot, BadUsage
from ibforensic.simulate.incident import write_incident
from ibforensic.snapshot import store


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    """Baseline and current of a small fabric, and a snapshot with both as samples."""
    folder = tmp_path_factory.mktemp("raw")
    write_incident(folder, seed=3, leaves=1, spines=1, hosts_per_leaf=2)
    pipeline.snapshot([folder / "baseline"], folder / "a.ibf")
    pipeline.snapshot([folder / "baseline", folder / "current"], folder / "both.ibf")
    return folder


def rows(snapshot):
    return [{name: table.num_rows for name, table in sample.tables.items()} for sample in snapshot.samples]


def pack(folder, path):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for file in sorted(folder.rglob("*")):
                archive.write(file, f"{folder.name}/{file.relative_to(folder)}")
    else:
        with tarfile.open(path, "w:gz") as archive:
            archive.add(folder, folder.name)
    return path


@pytest.mark.parametrize("name", ["a.ibf", "both.ibf"])
def test_the_originals_of_a_snapshot_are_parsed_again(raw, tmp_path, name):
    again = pipeline.snapshot([raw / name], tmp_path / "b.ibf")
    first = store.read(raw / name)
    assert rows(again) == rows(first)
    assert [one.info.window for one in again.samples] == [one.info.window for one in first.samples]
    assert [one.info.sources for one in again.samples] == [one.info.sources for one in first.samples]
    assert store.verify(tmp_path / "b.ibf") == ()


def test_several_snapshots_are_several_samples(raw, tmp_path):
    current = tmp_path / "current.ibf"
    pipeline.snapshot([raw / "current"], current)
    both = pipeline.snapshot([current, raw / "a.ibf"])
    assert len(both.samples) == 2
    assert both.samples[0].info.sources[0].path.startswith("a.ibf/")
    with pytest.raises(BadUsage, match="raw output"):
        pipeline.snapshot([raw / "a.ibf", raw / "current"])


def test_a_snapshot_without_originals_says_so(raw, tmp_path):
    pipeline.snapshot([raw / "baseline"], tmp_path / "x.ibf", originals=False)
    with pytest.raises(BadSnapshot) as error:
        pipeline.snapshot([tmp_path / "x.ibf"])
    assert "--no-originals" in error.value.help


@pytest.mark.parametrize("name", ["p.tgz", "p.zip"])
def test_an_archive_of_a_snapshot_is_opened_like_its_folder(raw, tmp_path, name):
    packed = pack(raw / "a.ibf", tmp_path / name)
    loaded = pipeline.load(packed)
    assert rows(loaded) == rows(store.read(raw / "a.ibf"))
    assert loaded.label == str(packed)
    assert loaded.path is None
    assert rows(pipeline.snapshot([packed])) == rows(loaded)
    found = pipeline.diff(loaded, pipeline.load(raw / "current"))
    assert found.document["coverage"]


def test_a_changed_table_in_an_archive_is_refused(raw, tmp_path):
    broken = shutil.copytree(raw / "a.ibf", tmp_path / "a.ibf")
    (broken / "sample=0000" / "nodes.parquet").write_bytes(b"x")
    with pytest.raises(BadSnapshot, match=r"nodes\.parquet was changed"):
        pipeline.load(pack(broken, tmp_path / "p.tgz"))
    (broken / "manifest.json").unlink()
    with pytest.raises(BadSnapshot, match=r"without its manifest\.json"):
        pipeline.load(pack(broken, tmp_path / "q.tgz"))


@pytest.mark.parametrize("piece", ["sample=0000", "originals", "sample=0000/nodes.parquet"])
def test_a_part_of_a_snapshot_names_the_snapshot(raw, piece):
    for use in (pipeline.load, lambda path: pipeline.snapshot([path])):
        with pytest.raises(BadSnapshot, match=r"a part of the snapshot .*a\.ibf"):
            use(raw / "a.ibf" / piece)


def test_a_snapshot_without_manifest_is_refused(raw, tmp_path):
    broken = shutil.copytree(raw / "a.ibf", tmp_path / "a.ibf")
    (broken / "manifest.json").unlink()
    for use in (pipeline.load, lambda path: pipeline.snapshot([path])):
        with pytest.raises(BadSnapshot, match=r"no manifest\.json"):
            use(broken)


def tables(path):
    return sorted(file.stem for file in (path / "sample=0000").glob("*.parquet"))


def test_every_table_is_checked_when_it_is_read(raw, tmp_path):
    for name in tables(raw / "a.ibf"):
        broken = shutil.copytree(raw / "a.ibf", tmp_path / name)
        file = broken / "sample=0000" / f"{name}.parquet"
        held = pq.ParquetFile(file).read()
        pq.write_table(held.slice(0, held.num_rows // 2), file, compression="gzip")
        with pytest.raises(BadSnapshot, match=f"{name}.parquet was changed") as error:
            _ = store.read(broken).latest.tables[name]
        assert "ibforensic verify" in error.value.help
        file.unlink()
        with pytest.raises(BadSnapshot, match=f"{name}.parquet is missing"):
            _ = store.read(broken).latest.tables[name]


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.drop_columns(["node_name"]),
        lambda table: table.append_column("more", pa.nulls(table.num_rows, pa.string())),
        lambda table: table.append_column("x_more", pa.nulls(table.num_rows, pa.int64())),
        lambda table: table.select(table.column_names[::-1]),
    ],
    ids=["column lost", "column added", "extra that is no text", "other order"],
)
def test_a_table_that_is_not_as_declared_is_refused_though_its_hash_is_right(raw, tmp_path, change):
    broken = shutil.copytree(raw / "a.ibf", tmp_path / "a.ibf")
    file = broken / "sample=0000" / "nodes.parquet"
    pq.write_table(change(pq.ParquetFile(file).read()), file)
    edit(
        broken,
        lambda data: data["files"].update(
            {"sample=0000/nodes.parquet": hashlib.sha256(file.read_bytes()).hexdigest()}
        ),
    )
    with pytest.raises(BadSnapshot, match="not laid out as the table nodes"):
        _ = store.read(broken).latest.tables["nodes"]


def edit(path, change):
    file = path / "manifest.json"
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))


def _places(value, place=()):
    """Yield the place of every value in a document, of lists the first member alone."""
    if isinstance(value, dict):
        members = list(value.items())
    else:
        members = list(enumerate(value[:1])) if isinstance(value, list) else []
    for key, member in members:
        yield (*place, key)
        yield from _places(member, (*place, key))


def test_whatever_is_wrong_in_a_manifest_is_named_by_its_key(raw, tmp_path):
    whole = (raw / "a.ibf" / "manifest.json").read_text()
    folder = shutil.copytree(raw / "a.ibf", tmp_path / "a.ibf")
    said = {}
    for place in _places(json.loads(whole)):
        for wrong in (None, [], {}, "awful", 7, -1, True):
            data = json.loads(whole)
            inner = data
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = wrong
            (folder / "manifest.json").write_text(json.dumps(data))
            said[place, str(wrong)] = refusal(folder)
    refused = {place: message for (place, _), message in said.items() if message}
    python = ("indices", "object is", "Error", "NoneType")
    assert len(refused) > 30
    assert not [message for message in refused.values() if any(word in message for word in python)]
    assert not [
        place for place, message in refused.items() if place != ("format",) and place[0] not in message
    ]


def refusal(folder):
    """What is said of a folder that is no good snapshot; nothing of one that can be opened."""
    try:
        store.read(folder)
    except BadSnapshot as error:
        return error.message
    return ""
