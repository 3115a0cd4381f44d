"""Finding files: what is read, what is left out, and under which name."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import pytest
from raw_output import db_csv, ibstat, net_dump, perfquery, write

from ibforensic.capture import capture
from ibforensic.capture import limits as capture_limits
from ibforensic.model.errors import UnreadableInput


def paths(captured) -> list[str]:
    return [source.path for sample in captured.samples for source in sample.sources]


def codes(captured) -> set[str]:
    return {note.code for note in captured.notes}


def test_directory_is_read_whole_and_sorted(tmp_path):
    write(tmp_path, {"b/x.txt": perfquery(7), "a.txt": perfquery(8), "b/a/y.txt": b"words"})
    captured = capture(tmp_path)
    assert paths(captured) == ["a.txt", "b/a/y.txt", "b/x.txt"]
    assert captured.notes == ()


def test_single_file_goes_by_its_name(tmp_path):
    write(tmp_path, {"deep/port.txt": perfquery()})
    captured = capture(tmp_path / "deep" / "port.txt")
    assert paths(captured) == ["port.txt"]
    assert set(captured.samples[0].tables["counters_pma"]["source"].to_pylist()) == {"port.txt"}


def test_every_file_is_kept_under_its_hash(tmp_path):
    write(tmp_path, {"port.txt": perfquery(), "notes.txt": b"words"})
    captured = capture(tmp_path)
    assert sorted(captured.files.values()) == sorted([perfquery(), b"words"])
    assert {source.sha256 for source in captured.samples[0].sources} == set(captured.files)


def test_hidden_files_and_folders_are_left_out_and_noted(tmp_path):
    write(tmp_path, {"port.txt": perfquery(), ".secret": b"x", ".git/port.txt": perfquery()})
    captured = capture(tmp_path)
    assert paths(captured) == ["port.txt"]
    assert [note.code for note in captured.notes] == ["capture.hidden"]


def test_links_are_followed_to_files_inside_alone(tmp_path):
    outside = write(tmp_path / "outside", {"other.txt": perfquery(9)})
    inside = write(tmp_path / "inside", {"port.txt": perfquery(), "real/x.txt": ibstat()})
    (inside / "again.txt").symlink_to("real/x.txt")
    (inside / "leak.txt").symlink_to(outside / "other.txt")
    (inside / "dangling.txt").symlink_to("nowhere")
    (inside / "loop").symlink_to("../inside")
    captured = capture(inside)
    assert paths(captured) == ["again.txt", "port.txt", "real/x.txt"]
    (note,) = captured.notes
    assert note.code == "capture.link"
    assert all(name in note.message for name in ("dangling.txt", "leak.txt", "loop"))


def test_pipe_is_not_opened(tmp_path):
    write(tmp_path, {"port.txt": perfquery()})
    os.mkfifo(tmp_path / "pipe")
    captured = capture(tmp_path)
    assert paths(captured) == ["port.txt"]
    assert codes(captured) == {"capture.special"}
    with pytest.raises(UnreadableInput, match="plain file"):
        capture(tmp_path / "pipe")


def test_name_with_controls_and_bytes_that_are_no_text(tmp_path):
    name = os.fsdecode(b"bad\x1b[31m\xff\n.txt")
    (tmp_path / name).write_bytes(perfquery())
    (shown,) = paths(capture(tmp_path))
    assert shown == "bad\\x1b[31m\\xff\\n.txt"


def test_gzip_file_is_unpacked(tmp_path):
    write(tmp_path, {"port.txt.gz": gzip.compress(perfquery())})
    captured = capture(tmp_path / "port.txt.gz")
    assert paths(captured) == ["port.txt"]
    assert list(captured.files.values()) == [perfquery()]


def test_file_beside_its_packed_twin_is_listed_twice_and_read_once(tmp_path):
    write(tmp_path, {"port.txt": perfquery(), "port.txt.gz": gzip.compress(perfquery())})
    captured = capture(tmp_path)
    assert paths(captured) == ["2/port.txt", "port.txt"]
    assert [source.outcome for source in captured.samples[0].sources] == ["parsed", "repeats"]
    assert captured.samples[0].tables["counters_pma"].num_rows == 1


def test_cut_gzip_file_gives_its_good_part(tmp_path):
    packed = gzip.compress(b"".join(perfquery(lid) for lid in range(1, 4000)))
    write(tmp_path, {"port.txt.gz": packed[: len(packed) // 2]})
    captured = capture(tmp_path)
    assert codes(captured) == {"capture.damaged"}
    assert 100 < captured.samples[0].tables["counters_pma"].num_rows < 3999
    assert captured.samples[0].sources[0].outcome == "partial"


def test_gzip_file_of_several_parts_and_padding(tmp_path):
    packed = gzip.compress(perfquery(1)) + gzip.compress(perfquery(2)) + b"\0" * 100
    captured = capture(write(tmp_path, {"port.txt.gz": packed}))
    assert captured.samples[0].tables["counters_pma"]["lid"].to_pylist() == [1, 2]
    assert captured.notes == ()


def test_sizes_and_numbers_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("ibforensic.capture.files.MOST_BYTES", 2000)
    monkeypatch.setattr("ibforensic.capture.files.MOST_FILES", 3)
    bomb = gzip.compress(b"0" * 500_000)
    assert len(bomb) < 2000
    files = {"a.txt": perfquery(), "b.txt": b"x" * 2001, "c.txt.gz": bomb, "d.txt": b"d"}
    captured = capture(write(tmp_path, files))
    assert paths(captured) == ["a.txt"]
    messages = {note.code: note.message for note in captured.notes}
    assert messages.keys() == {"capture.too_large", "capture.too_many"}
    assert "b.txt, c.txt.gz" in messages["capture.too_large"]
    assert capture_limits.MOST_BYTES == 2 << 30


def test_unreadable_file_is_noted(tmp_path, monkeypatch):
    write(tmp_path, {"port.txt": perfquery(), "locked.txt": perfquery(9)})
    read_bytes = Path.read_bytes

    def guarded(path):
        if path.name == "locked.txt":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", guarded)
    captured = capture(tmp_path)
    assert paths(captured) == ["port.txt"]
    assert codes(captured) == {"capture.unreadable"}


def test_several_inputs_make_one_sample_under_their_own_names(tmp_path):
    write(tmp_path, {"run/ibdiagnet2.db_csv": db_csv(), "node01.ibstat": ibstat()})
    captured = capture([tmp_path / "run", tmp_path / "node01.ibstat"])
    assert paths(captured) == ["node01.ibstat", "run/ibdiagnet2.db_csv"]
    assert captured.samples[0].tables["hosts"]["host"].to_pylist() == ["node01"]


def test_several_inputs_of_one_name_stay_apart(tmp_path):
    write(tmp_path, {"n1/ibstat.txt": ibstat("0x02000000000000c1", 1), "n2/ibstat.txt": ibstat()})
    write(tmp_path, {"n1/out/a.txt": perfquery(1), "n2/out/a.txt": perfquery(2)})
    given = [tmp_path / name for name in ("n1/ibstat.txt", "n2/ibstat.txt", "n1/out", "n2/out")]
    assert paths(capture(given)) == ["n1/ibstat.txt", "n1/out/a.txt", "n2/ibstat.txt", "n2/out/a.txt"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "no files"),
        (
            {"x.bin": bytes(range(256)), "y.txt": b"words"},
            r"2 files, none of them usable \(x.bin, y.txt\)",
        ),
        ({"x.out": b""}, r"only empty files \(x.out\)"),
        ({".hidden": perfquery()}, "hidden"),
        ({"p.txt": b"# Port counters: Lid 1 port 1\n"}, "p.txt:1: the block of LID 1 port 1 ends"),
    ],
    ids=["empty directory", "unknown formats", "empty file", "hidden", "claimed but useless"],
)
def test_nothing_usable_says_what_was_found_and_what_to_give(tmp_path, files, reason):
    folder = write(tmp_path / "given", files)
    folder.mkdir(exist_ok=True)
    with pytest.raises(UnreadableInput, match=reason) as caught:
        capture(folder)
    assert str(folder) in caught.value.message
    assert "ibdiagnet" in caught.value.help
    assert "perfquery" in caught.value.help


def test_missing_path_and_no_path(tmp_path):
    with pytest.raises(UnreadableInput, match="nowhere: No such file"):
        capture(tmp_path / "nowhere")
    with pytest.raises(UnreadableInput, match="no input"):
        capture([])


def test_files_of_a_net_dump_alone_are_usable(tmp_path):
    captured = capture(write(tmp_path, {"ibdiagnet2.net_dump": net_dump()}))
    assert captured.samples[0].tables["ports"].num_rows == 1
