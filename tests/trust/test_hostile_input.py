"""Input that nobody collects by accident: what is good is used, the rest is told, nothing hangs or swells."""

from __future__ import annotations

import io
import os
import re
import resource
import socket
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from ibforensic import pipeline
from ibforensic.capture import capture, limits
from ibforensic.capture.limits import Budget
from ibforensic.cli.main import main
from ibforensic.model.errors import ForensicError, UnreadableInput

ROOT = str(Path(pipeline.__file__).resolve().parents[1])
GOOD = """# Port counters: Lid 7 port 1 (CapMask: 0x5A00)
PortSelect:......................1
SymbolErrorCounter:..............4
"""
MIB = 1 << 20


def program(*args, memory=None, folder=None):
    """Run the program in a process of its own, with a bound on its memory where one is given."""

    def bounded():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run(
        [sys.executable, "-m", "ibforensic", *map(str, args)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ROOT, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=bounded if memory else None,
    )


@pytest.fixture
def folder(tmp_path):
    """A folder with one good file, for something bad to be put beside it."""
    made = tmp_path / "in"
    made.mkdir()
    (made / "q.txt").write_text(GOOD)
    return made


def codes(captured):
    return {note.code for note in captured.notes}


def counted(captured):
    """Return the one counter of the good file."""
    return captured.samples[0].tables["counters_pma"]["symbol_error_counter"].to_pylist()


def sparse(path, size):
    """Make a file of so many octets that takes no room."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


def tar_of(members):
    """Pack a tar file of names and bytes, or of ready entries."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for entry in members:
            if isinstance(entry, tarfile.TarInfo):
                archive.addfile(entry)
            else:
                info = tarfile.TarInfo(entry[0])
                info.size = len(entry[1])
                archive.addfile(info, io.BytesIO(entry[1]))
    return packed.getvalue()


def zip_of(members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def entry(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_ten_thousand_files_are_one_collection(folder):
    for number in range(10_000):
        (folder / f"{number:05}.txt").write_bytes(b"%d\n" % number)
    captured = capture(folder)
    assert len(captured.samples) == 1
    assert len(captured.samples[0].sources) == 10_001
    assert counted(captured) == [4]


def test_a_sparse_file_of_ten_gigabytes_is_not_read(folder):
    sparse(folder / "huge.db_csv", 10 << 30)
    captured = capture(folder)
    assert "capture.too_large" in codes(captured)
    assert counted(captured) == [4]


@pytest.mark.parametrize(
    "command",
    [
        ["check", "-q", "huge"],
        ["snapshot", "-q", "huge", "-o", "x.ibf"],
        ["diff", "-q", "huge", "huge"],
        ["report", "huge"],
        ["check", "-q", "in", "--policy", "huge"],
    ],
    ids=lambda command: command[0] + command[-1],
)
def test_a_sparse_file_of_ten_gigabytes_is_refused_in_little_memory(folder, command):
    sparse(folder.parent / "huge", 10 << 30)
    done = program(*command, memory=3 << 30, folder=folder.parent)
    assert done.returncode == 2, done.stderr
    assert re.match(r"error: .*huge", done.stderr), done.stderr
    assert "help:" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder.parent / "x.ibf").exists()


@pytest.mark.parametrize("pack", [tar_of, zip_of])
@pytest.mark.parametrize("depth", [0, 1, 3])
def test_bombs_go_off_in_a_bounded_space(folder, monkeypatch, pack, depth):
    monkeypatch.setattr(limits, "RATIO_FROM", 2 * MIB)
    monkeypatch.setattr(limits, "MOST_RATIO", 1)
    monkeypatch.setattr(limits, "MOST_BYTES", 4 * MIB)
    taken = []
    take = Budget.take
    monkeypatch.setattr(Budget, "take", lambda self, octets: taken.append(octets) or take(self, octets))
    data = zip_of([(f"{number}.txt", b"\0" * MIB) for number in range(40)])
    for _ in range(depth):
        data = pack([("inner.zip", data)])
    (folder / ("bomb.zip" if pack is zip_of else "bomb.tar")).write_bytes(data)
    captured = capture(folder)
    assert codes(captured) & {"capture.ratio", "capture.bomb", "capture.nested"}
    assert sum(taken) < 5 * MIB
    assert counted(captured) == [4]


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out.txt", "a/../../out.txt", "..\\out.txt"])
@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_paths_out_of_an_archive_lead_nowhere(folder, name, pack):
    bad = "bad.tar" if pack is tar_of else "bad.zip"
    (folder / bad).write_bytes(pack([(name, GOOD.encode()), ("in.txt", b"x\n")]))
    captured = capture(folder)
    assert "capture.outside" in codes(captured)
    assert not list(folder.parent.glob("**/out.txt"))
    assert counted(captured) == [4]
    assert not any("out.txt" in source.path for source in captured.samples[0].sources)


@pytest.mark.parametrize(
    ("member", "code"),
    [
        (entry("l", tarfile.SYMTYPE, "/etc/passwd"), "capture.link"),
        (entry("l", tarfile.SYMTYPE, "l"), "capture.link"),
        (entry("l", tarfile.LNKTYPE, "/etc/passwd"), "capture.link"),
        (entry("l", tarfile.LNKTYPE, "nowhere"), "capture.link"),
        (entry("l", tarfile.LNKTYPE, "l"), "capture.link"),
        (entry("d", tarfile.CHRTYPE), "capture.special"),
        (entry("d", tarfile.BLKTYPE), "capture.special"),
        (entry("d", tarfile.FIFOTYPE), "capture.special"),
    ],
    ids=["symlink", "loop", "hard", "hard to nothing", "hard to itself", "char", "block", "fifo"],
)
def test_links_and_devices_in_a_tar_file_are_left_out(folder, member, code):
    (folder / "odd.tar").write_bytes(tar_of([member, ("in.txt", b"x\n")]))
    captured = capture(folder)
    assert codes(captured) & {code, "capture.damaged"}
    assert counted(captured) == [4]


def test_hard_links_are_files_like_others(folder):
    os.link(folder / "q.txt", folder / "same.txt")
    captured = capture(folder)
    assert [source.path for source in captured.samples[0].sources] == ["q.txt", "same.txt"]
    assert set(counted(captured)) == {4}


def test_pipes_sockets_and_devices_are_not_opened(folder, monkeypatch):
    os.mkfifo(folder / "pipe.txt")
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.txt")
    (folder / "zero.txt").symlink_to("/dev/zero")
    captured = capture(folder)
    assert {"capture.special", "capture.link"} <= codes(captured)
    assert counted(captured) == [4]


@pytest.mark.parametrize("place", ["/dev/zero", "pipe"])
def test_a_device_or_pipe_alone_is_refused(tmp_path, place):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableInput, match="neither a directory nor a plain file"):
        pipeline.load(tmp_path / place)


def test_loops_of_links_end(folder):
    (folder / "below").mkdir()
    (folder / "below" / "up").symlink_to("..")
    (folder / "self").symlink_to("self")
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    captured = capture(folder)
    assert "capture.link" in codes(captured)
    assert counted(captured) == [4]
    with pytest.raises(ForensicError):
        capture(folder / "self")


def test_what_may_not_be_read_is_told(folder, monkeypatch):
    read = Path.read_bytes

    def refuse(path):
        if path.name == "secret.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    (folder / "secret.txt").write_text(GOOD)
    captured = capture(folder)
    assert "capture.unreadable" in codes(captured)
    assert counted(captured) == [4]


NAMES = {
    "escape codes": "\x1b[2J\x1b]0;owned\x07.txt",
    "html": "<img src=x onerror=alert(1)>.txt",
    "very long": "n" * 251 + ".txt",
    "no utf-8": os.fsdecode(b"bad\xff\xfe.txt"),
    "line ends": "two\nlines\r.txt",
    "from right": "a\u202etxt.exe",
    "formula": "=HYPERLINK(1).txt",
    "option": "--force",
    "blank": " ",
    "template": "{{ 7*7 }}{% raw %}.txt",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_odd_names_are_shown_harmless_everywhere(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / name).write_text(GOOD + "\0cut")
    with pytest.raises(SystemExit) as leaving:
        main(["check", "in", "--html", "r.html", "--json", "r.json", "--markdown", "r.md"])
    assert leaving.value.code in (0, 3)
    page = (tmp_path / "r.html").read_text("utf-8")
    for text in (*capsys.readouterr(), page, (tmp_path / "r.md").read_text("utf-8")):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text)
    assert "<img" not in page
    assert "49" not in re.findall(r"\{\{ 7\*7 \}\}|\b49\b", page)
    made = pipeline.snapshot([folder], tmp_path / "a.ibf")
    assert made.latest.tables["counters_pma"].num_rows == 1
    assert pipeline.load(tmp_path / "a.ibf").latest.info.sources[0].path == made.latest.info.sources[0].path


def test_empty_files_are_told_and_harmless(folder):
    (folder / "ibdiagnet2.db_csv").touch()
    (folder / "empty.tar.gz").touch()
    (folder / "empty.zip").write_bytes(zip_of([]))
    captured = capture(folder)
    assert counted(captured) == [4]
    assert {"ibdiagnet2.db_csv", "q.txt"} <= {source.path for source in captured.samples[0].sources}


def test_a_gap_of_a_million_blanks_costs_no_time(folder):
    """Patterns try each blank of a run as its begin and its end: a million would be a week."""
    (folder / "q.txt").write_text(GOOD.replace("Lid", "Lid" + " \t" * 500_000, 1) + GOOD)
    assert set(counted(capture(folder))) == {4}
