"""Whatever call is the last before the end: there is the old state, or the new one, or none; never a half."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fuses import Fuse, Killed

from ibforensic import pipeline
from ibforensic.capture import capture
from ibforensic.model.errors import BadUsage
from ibforensic.snapshot import durable, store
from ibforensic.snapshot.build import build

ROOT = str(Path(pipeline.__file__).resolve().parents[1])
TEXT = """# Port counters: Lid {lid} port 1 (CapMask: 0x5A00)
PortSelect:......................1
SymbolErrorCounter:..............{errors}
"""


def snapshot(folder, errors):
    """Make a snapshot of one counter in memory."""
    folder.mkdir()
    (folder / "q.txt").write_text(TEXT.format(lid=7, errors=errors))
    return build(capture(folder), "q", "1")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """An old and a new snapshot, in memory."""
    folder = tmp_path_factory.mktemp("two")
    return snapshot(folder / "old", 1), snapshot(folder / "new", 2)


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def errors_in(place):
    """Return what a snapshot that is whole says; None where there is none."""
    if not place.exists():
        return None
    assert store.verify(place) == ()
    return store.read(place).latest.tables["counters_pma"]["symbol_error_counter"].to_pylist()[0]


def calls_of(made, place, monkeypatch, **options):
    """Count the calls of a write that nothing stops."""
    with monkeypatch.context() as patch:
        fuse = Fuse(patch)
        store.write(made, place, **options)
    return fuse.count


def blow(made, place, monkeypatch, at, full=False, **options):
    """Write with a fuse; return the name of the call that failed, and what was raised."""
    with monkeypatch.context() as patch:
        fuse = Fuse(patch, at, full)
        try:
            store.write(made, place, **options)
        except (Killed, BadUsage) as error:
            return fuse.blown, error
    return fuse.blown, None


def test_killed_at_any_call_there_is_no_snapshot_or_a_whole_one(tmp_path, monkeypatch, two):
    old, _ = two
    count = calls_of(old, tmp_path / "probe.ibf", monkeypatch)
    assert count > 25
    seen = set()
    for at in range(count):
        place = tmp_path / str(at) / "a.ibf"
        blown, error = blow(old, place, monkeypatch, at)
        seen.add((blown, errors_in(place)))
        assert isinstance(error, Killed) or blown in ("rmdir", "unlink", "open"), blown
        left = names_in(place.parent) if place.parent.exists() else []
        assert all(one.startswith(".a.ibf.") for one in left if one != "a.ibf")
    assert {name for name, _ in seen} >= {"mkdir", "rename", "fsync", "chmod", "write_table", "open"}
    assert {state for _, state in seen} == {None, 1}


@pytest.mark.parametrize("exchange", [True, False], ids=["one step", "two renames"])
def test_killed_while_replacing_the_old_or_the_new_one_is_there(tmp_path, monkeypatch, two, exchange):
    old, new = two
    if not exchange:
        monkeypatch.setattr(durable, "_exchanged", lambda *_: False)
    store.write(old, tmp_path / "old.ibf")
    shutil.copytree(tmp_path / "old.ibf", tmp_path / "probe.ibf")
    count = calls_of(new, tmp_path / "probe.ibf", monkeypatch, replace=True)
    states = []
    for at in range(count):
        place = tmp_path / str(at) / "a.ibf"
        shutil.copytree(tmp_path / "old.ibf", place)
        blow(new, place, monkeypatch, at, replace=True)
        state = errors_in(place)
        if state is None:
            assert not exchange
            aside = [one for one in place.parent.iterdir() if one.name.endswith(".old")]
            assert [errors_in(one) for one in aside] == [1]
        states.append(state)
    assert states[0] == 1
    assert states[-1] == 2
    assert states.count(None) == (0 if exchange else 1)


@pytest.mark.parametrize("replace", [False, True])
def test_a_disk_full_at_any_call_leaves_what_was_there(tmp_path, monkeypatch, two, replace):
    old, new = two
    if replace:
        store.write(old, tmp_path / "old.ibf")
        shutil.copytree(tmp_path / "old.ibf", tmp_path / "probe.ibf")
    count = calls_of(new, tmp_path / "probe.ibf", monkeypatch, replace=replace)
    for at in range(count):
        place = tmp_path / str(at) / "a.ibf"
        place.parent.mkdir()
        if replace:
            shutil.copytree(tmp_path / "old.ibf", place)
        blown, error = blow(new, place, monkeypatch, at, full=True, replace=replace)
        state = errors_in(place)
        if error is None:
            assert state == 2
            continue
        assert "cannot write" in error.message
        assert "No space left" in error.message
        assert error.help
        # All but the last flush, after which the new one stands already.
        assert state == (1 if replace else None) or (blown, state) in {("fsync", 2), ("open", 2)}
        assert set(names_in(place.parent)) <= {"a.ibf"}


def test_a_file_is_the_old_or_the_new_one_at_any_call(tmp_path, monkeypatch):
    old, new = b"old" * 999, b"new" * 999
    (tmp_path / "probe").write_bytes(old)
    with monkeypatch.context() as patch:
        probe = Fuse(patch)
        durable.write_whole(tmp_path / "probe", new)
    found = []
    for at in range(probe.count):
        for full in (False, True):
            file = tmp_path / f"{at}.{full}" / "report.html"
            file.parent.mkdir()
            file.write_bytes(old)
            with monkeypatch.context() as patch:
                fuse = Fuse(patch, at, full)
                with contextlib.suppress(Killed, OSError):
                    durable.write_whole(file, new)
            found.append(file.read_bytes())
            assert found[-1] in (old, new)
            # A full disk is no reason for which the tidying fails.
            tidied = full and fuse.blown not in ("rmdir", "unlink", "open")
            assert not tidied or names_in(file.parent) == ["report.html"]
    assert {old, new} == set(found)


@pytest.mark.parametrize("command", ["snapshot -q raw -o a.ibf --force", "check -q raw --json a.json"])
def test_killed_by_a_signal_the_old_state_is_read(tmp_path, command):
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "q.txt").write_text(TEXT.format(lid=7, errors=1))
    pipeline.snapshot([tmp_path / "raw"], tmp_path / "a.ibf")
    (tmp_path / "a.json").write_text("old")
    die = f"os.fsync = lambda _: os.kill(os.getpid(), {int(signal.SIGKILL)})"
    program = f"import os; {die}; from ibforensic.cli.main import main; main({command.split()!r})"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env={**os.environ, "PYTHONPATH": ROOT}, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert errors_in(tmp_path / "a.ibf") == 1
    assert (tmp_path / "a.json").read_text() == "old"
