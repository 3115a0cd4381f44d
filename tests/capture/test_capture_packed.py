"""Single packed files of any kind, zip files as Windows writes them, and snapshots inside the input."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import warnings
import zipfile

import pyarrow as pa
import pytest
from raw_output import db_csv, perfquery, write

from ibforensic.capture import capture
from ibforensic.snapshot import store
from ibforensic.snapshot.build import build

PACKERS = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
}


def paths(captured) -> list[str]:
    return [source.path for sample in captured.samples for source in sample.sources]


@pytest.mark.parametrize("end", PACKERS)
def test_a_packed_file_goes_by_its_own_name(tmp_path, end):
    captured = capture(write(tmp_path, {f"port.txt.{end}": PACKERS[end](perfquery())}))
    assert paths(captured) == ["port.txt"]
    assert list(captured.files.values()) == [perfquery()]
    assert captured.notes == ()


@pytest.mark.parametrize("end", PACKERS)
def test_a_cut_packed_file_is_told(tmp_path, end):
    packed = PACKERS[end](b"".join(perfquery(lid) for lid in range(1, 4000)))
    captured = capture(
        write(tmp_path, {f"port.txt.{end}": packed[: len(packed) // 2], "other.txt": perfquery(9)})
    )
    assert [note.code for note in captured.notes] == ["capture.damaged"]


@pytest.mark.parametrize("end", PACKERS)
def test_a_packed_file_is_bounded(tmp_path, end, monkeypatch):
    monkeypatch.setattr("ibforensic.capture.files.MOST_BYTES", 2000)
    captured = capture(
        write(tmp_path, {f"bomb.txt.{end}": PACKERS[end](b"0" * 500_000), "port.txt": perfquery()})
    )
    assert paths(captured) == ["port.txt"]
    assert [note.code for note in captured.notes] == ["capture.too_large"]


def make_zip(path, members):
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(name, data)
    return path


def test_backslashes_of_windows_part_folders(tmp_path):
    members = [("run\\", b""), ("run\\ibdiagnet2.db_csv", db_csv()), ("run\\deep\\port.txt", perfquery())]
    captured = capture(make_zip(tmp_path / "w.zip", members))
    assert paths(captured) == ["w.zip/run/deep/port.txt", "w.zip/run/ibdiagnet2.db_csv"]
    assert captured.notes == ()


def test_backslashes_lead_nowhere(tmp_path):
    members = [("ok.txt", perfquery()), ("..\\up.txt", perfquery(1)), ("\\abs.txt", perfquery(2))]
    captured = capture(make_zip(tmp_path / "w.zip", members))
    assert paths(captured) == ["w.zip/ok.txt"]
    assert [note.code for note in captured.notes] == ["capture.outside"]


def test_two_members_of_one_name_are_both_kept_and_noted(tmp_path):
    captured = capture(make_zip(tmp_path / "d.zip", [("p.txt", perfquery(1)), ("p.txt", perfquery(2))]))
    assert paths(captured) == ["2/d.zip/p.txt", "d.zip/p.txt"]
    assert sorted(captured.files.values()) == sorted([perfquery(1), perfquery(2)])
    (note,) = captured.notes
    assert (note.code, note.level) == ("capture.same_name", "warning")
    assert "d.zip/p.txt" in note.message


def test_a_snapshot_inside_the_input_is_left_out(tmp_path):
    folder = write(tmp_path / "in", {"ibdiagnet2.db_csv": db_csv()})
    store.write(build(capture(folder), "x", "1"), folder / "x.ibf")
    assert paths(capture(folder)) == ["ibdiagnet2.db_csv"]
    assert [note.code for note in capture(folder).notes] == ["capture.snapshot"]
    with tarfile.open(tmp_path / "in.tgz", "w:gz") as archive:
        archive.add(folder, "in")
    captured = capture(tmp_path / "in.tgz")
    assert paths(captured) == ["in.tgz/in/ibdiagnet2.db_csv"]
    assert [note.code for note in captured.notes] == ["capture.snapshot"]
