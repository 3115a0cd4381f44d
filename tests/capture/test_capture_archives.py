"""Archives are read in place, with guards."""

from __future__ import annotations

import io
import random
import tarfile
import zipfile
from pathlib import Path

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
