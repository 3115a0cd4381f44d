"""Archives are read in place, with guards."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
from raw_output import db_csv, net_dump, perfquery, write

from ibforensic.capture import capture
from ibforensic.model.errors import UnreadableInput

FILES = {"run/ibdiagnet2.db_csv": db_csv(), "run/ibdiagnet2.net_dump": net_dump()}


def make_tar(path: Path, files: dict[str, bytes], mode: str, *odd: tarfile.TarInfo) -> Path:
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for member in odd:
            archive.addfile(member)
    return path


def make_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def odd_member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    return member


def paths(captured) -> list[str]:
    return [source.path for sample in captured.samples for source in sample.sources]


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("d.tar", "w"),
        ("d.tar.gz", "w:gz"),
        ("d.tgz", "w:gz"),
        ("d.tar.xz", "w:xz"),
        ("d.bundle", "w"),
        ("d.gz", "w:gz"),
    ],
)
def test_tar_is_read_like_a_directory(tmp_path, name, mode):
    captured = capture(make_tar(tmp_path / name, FILES, mode))
    assert paths(captured) == [f"{name}/{inner}" for inner in FILES]
    assert captured.notes == ()
    assert captured.samples[0].tables["nodes"].num_rows == 3
    assert not list(tmp_path.glob("run"))


def make_zst(path: Path, files: dict[str, bytes]) -> Path:
    path.write_bytes(pa.compress(make_tar(path, files, "w").read_bytes(), codec="zstd", asbytes=True))
    return path


@pytest.mark.parametrize("name", ["d.tar.zst", "d.tzst"])
def test_zstd_is_read_like_a_directory(tmp_path, name):
    captured = capture(make_zst(tmp_path / name, FILES))
    assert paths(captured) == [f"{name}/{inner}" for inner in FILES]
    assert captured.notes == ()


def test_cut_zstd_gives_its_good_part(tmp_path):
    noise = random.Random(3)
    files = {f"{at}.txt": perfquery(at) + b"# " + noise.randbytes(9000).hex().encode() for at in range(1, 41)}
    path = make_zst(tmp_path / "cut.tar.zst", files)
    path.write_bytes(path.read_bytes()[:-40_000])
    captured = capture(path)
    assert 10 < len(paths(captured)) < 40
    assert {note.code for note in captured.notes} == {"capture.damaged"}


def test_an_archive_in_an_archive_is_read_and_one_deeper_is_not(tmp_path):
    make_tar(tmp_path / "inner.tgz", FILES, "w:gz")
    inner = (tmp_path / "inner.tgz").read_bytes()
    packed = gzip.compress(perfquery(7))
    middle = make_zip(tmp_path / "middle.zip", {"inner.tgz": inner, "port.txt.gz": packed}).read_bytes()
    once = capture(make_tar(tmp_path / "once.tar", {"a/inner.tgz": inner}, "w"))
    assert paths(once) == [f"once.tar/a/inner.tgz/{inner_name}" for inner_name in FILES]
    assert once.notes == ()
    twice = capture(make_tar(tmp_path / "twice.tar", {"middle.zip": middle}, "w"))
    assert paths(twice) == ["twice.tar/middle.zip/port.txt"]
    assert [note.code for note in twice.notes] == ["capture.nested"]


def test_the_folders_ibdiagnet_writes_to_may_stand_in_archives(tmp_path):
    for day in (2, 1):
        files = {f"var/tmp/ibdiagnet2/{name.partition('/')[2]}": data for name, data in FILES.items()}
        files["var/tmp/ibdiagnet2/ibdiagnet2.db_csv"] = db_csv(f"2031-01-0{day} 10:00:00")
        make_tar(tmp_path / f"{day}.tgz", files, "w:gz")
    captured = capture(tmp_path)
    assert [sample.window.began_at.day for sample in captured.samples] == [1, 2]
    assert all("var/tmp/ibdiagnet2/" in path for path in paths(captured))


@pytest.mark.parametrize("outer", ["d.tgz", "d.zip", "d.tar.zst"])
def test_what_unpacks_to_far_more_than_its_size_is_left_out(tmp_path, monkeypatch, outer):
    monkeypatch.setattr("ibforensic.capture.limits.RATIO_FROM", 100_000)
    monkeypatch.setattr("ibforensic.capture.limits.MOST_RATIO", 20)
    files = {"a.txt": perfquery(), "b.txt": b"0" * 5_000_000, "c.txt": perfquery(2)}
    make = {"d.tgz": lambda path: make_tar(path, files, "w:gz"), "d.zip": lambda path: make_zip(path, files)}
    captured = capture(make.get(outer, lambda path: make_zst(path, files))(tmp_path / outer))
    assert paths(captured) == [f"{outer}/a.txt"]
    assert [note.code for note in captured.notes] == ["capture.ratio"]


def test_archives_in_an_archive_share_its_bounds(tmp_path, monkeypatch):
    monkeypatch.setattr("ibforensic.capture.limits.MOST_UNPACKED", 9000)
    inner = {
        f"{at}.zip": make_zip(tmp_path / "i.zip", {"a.txt": perfquery(at) + b"\n" * 3000}).read_bytes()
        for at in range(1, 5)
    }
    captured = capture(make_tar(tmp_path / "d.tar", inner, "w"))
    assert paths(captured) == ["d.tar/1.zip/a.txt", "d.tar/2.zip/a.txt"]
    assert {note.code for note in captured.notes} == {"capture.bomb"}


def test_zip_is_read_like_a_directory(tmp_path):
    captured = capture(make_zip(tmp_path / "d.zip", FILES))
    assert paths(captured) == [f"d.zip/{inner}" for inner in FILES]


def test_archive_in_a_directory(tmp_path):
    make_tar(tmp_path / "d.tgz", FILES, "w:gz")
    write(tmp_path, {"port.txt": perfquery()})
    assert paths(capture(tmp_path)) == [*(f"d.tgz/{inner}" for inner in FILES), "port.txt"]


def test_links_devices_and_paths_out_of_it_are_left_out(tmp_path):
    hostile = {
        "../up.txt": perfquery(1),
        "/abs.txt": perfquery(2),
        "ok/../../up.txt": perfquery(3),
        ".h/x": b"x",
    }
    odd = (
        odd_member("link.txt", tarfile.SYMTYPE, "/etc/hostname"),
        odd_member("hard.txt", tarfile.LNKTYPE, "ok.txt"),
        odd_member("null", tarfile.CHRTYPE),
        odd_member("pipe", tarfile.FIFOTYPE),
    )
    path = make_tar(tmp_path / "d.tar", {"ok.txt": perfquery(), **hostile}, "w", *odd)
    captured = capture(path)
    assert paths(captured) == ["d.tar/ok.txt"]
    messages = {note.code: note.message for note in captured.notes}
    assert messages.keys() == {"capture.outside", "capture.link", "capture.special", "capture.hidden"}
    assert "../up.txt" in messages["capture.outside"]
    assert "/abs.txt" in messages["capture.outside"]


def test_zip_link_and_path_out_of_it_are_left_out(tmp_path):
    path = make_zip(tmp_path / "d.zip", {"ok.txt": perfquery(), "../up.txt": perfquery(1)})
    link = zipfile.ZipInfo("link.txt")
    link.create_system = 3
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/hostname")
    captured = capture(path)
    assert paths(captured) == ["d.zip/ok.txt"]
    assert {note.code for note in captured.notes} == {"capture.outside", "capture.link"}


WINDOWS = {
    "C:\\Users\\ops\\run\\a.txt": "Users/ops/run/a.txt",
    "d:/logs/b.txt": "logs/b.txt",
    "\\\\server\\share\\run\\c.txt": "run/c.txt",
    "run\\d.txt": "run/d.txt",
}
ESCAPES = ("C:\\..\\up.txt", "C:\\run\\..\\..\\..\\up.txt", "..\\up.txt", "\\abs.txt", "C:\\\\..\\x.txt")


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_paths_of_windows_count_from_below_the_drive(kind, tmp_path):
    files = {name: perfquery(number) for number, name in enumerate([*WINDOWS, *ESCAPES])}
    path = tmp_path / f"d.{kind}"
    make_zip(path, files) if kind == "zip" else make_tar(path, files, "w")
    captured = capture(path)
    assert sorted(paths(captured)) == sorted(f"{path.name}/{inside}" for inside in WINDOWS.values())
    (note,) = [note for note in captured.notes if note.code == "capture.outside"]
    assert f"and {len(ESCAPES) - 3} more" in note.message


def test_sizes_and_numbers_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("ibforensic.capture.limits.MOST_BYTES", 2000)
    monkeypatch.setattr("ibforensic.capture.limits.MOST_UNPACKED", 3000)
    large = capture(make_zip(tmp_path / "large.zip", {"a.txt": perfquery(), "b.txt": b"0" * 2001}))
    assert [note.code for note in large.notes] == ["capture.too_large"]
    many = {f"{at}.txt": perfquery(at) + b"\n" * 1500 for at in range(1, 4)}
    bomb = capture(make_tar(tmp_path / "bomb.tgz", many, "w:gz"))
    assert paths(bomb) == ["bomb.tgz/1.txt"]
    assert [note.code for note in bomb.notes] == ["capture.bomb"]
    monkeypatch.setattr("ibforensic.capture.limits.MOST_FILES", 2)
    few = capture(make_tar(tmp_path / "few.tar", {f"{at}.txt": perfquery(at) for at in range(1, 5)}, "w"))
    assert len(paths(few)) == 2
    assert [note.code for note in few.notes] == ["capture.too_many"]


@pytest.mark.parametrize(("ending", "mode"), [("tar", "w"), ("tar.gz", "w:gz"), ("tar.xz", "w:xz")])
def test_cut_tar_gives_its_good_part(tmp_path, ending, mode):
    noise = random.Random(3)
    files = {f"{at}.txt": perfquery(at) + b"# " + noise.randbytes(400).hex().encode() for at in range(1, 41)}
    data = make_tar(tmp_path / "whole", files, mode).read_bytes()
    path = tmp_path / f"cut.{ending}"
    path.write_bytes(data[: len(data) * 2 // 3])
    captured = capture(path)
    assert 10 < len(paths(captured)) < 40
    assert {note.code for note in captured.notes} == {"capture.damaged"}


@pytest.mark.parametrize(("ending", "mode"), [("tar", "w"), ("tar.gz", "w:gz"), ("tar.xz", "w:xz")])
def test_tar_without_a_whole_member_is_an_error_that_is_told(tmp_path, ending, mode):
    data = make_tar(tmp_path / "whole", FILES, mode).read_bytes()
    path = tmp_path / f"cut.{ending}"
    path.write_bytes(data[:40])
    with pytest.raises(UnreadableInput, match="damaged"):
        capture(path)


def test_every_cut_of_a_zip_is_an_error_that_is_told(tmp_path):
    data = make_zip(tmp_path / "d.zip", FILES).read_bytes()
    for cut in range(4, len(data) - 1, 97):
        (tmp_path / "cut.zip").write_bytes(data[:cut])
        with pytest.raises(UnreadableInput, match=r"cut\.zip"):
            capture(tmp_path / "cut.zip")


def test_two_runs_in_one_archive_are_two_samples(tmp_path):
    files = {f"dump/{day}/ibdiagnet2.db_csv": db_csv(f"2031-01-0{day} 10:00:00") for day in (2, 1)}
    captured = capture(make_tar(tmp_path / "d.tgz", files, "w:gz"))
    assert [sample.window.began_at.day for sample in captured.samples] == [1, 2]
