"""Evidence is not overwritten; streams that close, fill up or cannot show a name do no harm."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ibforensic import pipeline
from ibforensic.cli.main import main
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident

OUTPUTS = {
    "--html": "r.html",
    "--markdown": "r.md",
    "--json": "r.json",
    "--xlsx": "r.xlsx",
    "--ports": "r.csv",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Raw output of a small fabric in which nothing went wrong, and a snapshot of each side."""
    folder = tmp_path_factory.mktemp("made")
    write_incident(
        folder, seed=3, faults=[Fault(FaultKind.RENAME_HOST)], leaves=1, spines=1, hosts_per_leaf=2
    )
    for side in ("baseline", "current"):
        pipeline.snapshot([folder / side], folder / f"{side}.ibf")
    return folder


@pytest.fixture
def work(made, tmp_path):
    return shutil.copytree(made, tmp_path / "work")


def run(*args) -> int:
    with pytest.raises(SystemExit) as leaving:
        main([str(arg) for arg in args])
    return int(leaving.value.code or 0)


def shell(command, folder, **variables):
    """Run a shell command in which ``ibf`` is the program."""
    program = f"{sys.executable} -m ibforensic"
    root = str(Path(pipeline.__file__).resolve().parents[1])
    env = {**os.environ, "PYTHONPATH": root, **variables}
    return subprocess.run(
        ["bash", "-c", f'ibf() {{ {program} "$@"; }}; '.encode() + command],
        cwd=folder,
        env=env,
        capture_output=True,
        check=False,
    )


def bytes_below(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("option", OUTPUTS)
@pytest.mark.parametrize(
    "place",
    ["current.ibf/manifest.json", "current.ibf/new", "current.ibf/sample=0000/new", "baseline.ibf/new"],
)
def test_nothing_is_written_into_a_snapshot(work, option, place, capsys):
    before = bytes_below(work)
    assert run("diff", "-q", work / "baseline", work / "current", option, work / place) == 2
    assert "snapshot" in capsys.readouterr().err
    assert bytes_below(work) == before


@pytest.mark.parametrize("option", OUTPUTS)
def test_no_file_of_an_input_is_overwritten(work, option, capsys):
    before = bytes_below(work)
    (work / "link").symlink_to("current/ibdiagnet2.db_csv")
    for name in ("current/ibdiagnet2.db_csv", "link", "baseline/../current/ibdiagnet2.log"):
        assert run("diff", "-q", work / "baseline.ibf", work / "current", option, work / name) == 2
        assert "input" in capsys.readouterr().err
    one = work / "current" / "ibdiagnet2.db_csv"
    assert run("diff", "-q", work / "baseline.ibf", one, option, one) == 2
    assert bytes_below(work).items() >= before.items()


def test_a_new_file_beside_the_raw_output_is_allowed(work):
    outputs = [word for option, name in OUTPUTS.items() for word in (option, work / "current" / name)]
    assert run("diff", "-q", work / "baseline.ibf", work / "current", *outputs) == 0
    assert all((work / "current" / name).exists() for name in OUTPUTS.values())


def test_two_outputs_into_one_file_are_refused(work, capsys):
    pair = (work / "baseline", work / "current")
    assert run("diff", "-q", *pair, "--html", work / "x", "--json", work / "x") == 2
    assert "two outputs" in capsys.readouterr().err


def test_a_snapshot_is_not_written_onto_its_input(work, capsys):
    before = bytes_below(work)
    for source in ("baseline.ibf", "baseline"):
        assert run("snapshot", "-q", work / source, "-o", work / source, "--force") == 2
    assert run("snapshot", "-q", work / "baseline", "-o", work / "current.ibf" / "x.ibf") == 2
    assert "input" in capsys.readouterr().err
    assert bytes_below(work) == before
    assert run("snapshot", "-q", work / "baseline", "-o", work / "baseline" / "x.ibf") == 0


def test_a_demo_that_cannot_be_written_is_no_fault_of_ours(work, capsys):
    (work / "file").touch()
    assert run("demo", "-q", "-o", work / "file" / "below") == 2
    assert "cannot make the folder" in capsys.readouterr().err
    assert run("demo", "-q", "-o", work / "current.ibf") == 2


def test_an_error_of_the_system_is_told_in_one_line(monkeypatch, work, capsys):
    def full(*_, **__):
        raise OSError(28, "No space left on device", "/tmp/x")

    monkeypatch.setattr(pipeline, "load", full)
    assert run("diff", "-q", work / "baseline", work / "current") == 2
    assert "error: /tmp/x: No space left on device" in capsys.readouterr().err


def test_quiet_still_tells_errors(work, monkeypatch, capsys):
    read_bytes = Path.read_bytes

    def guarded(path):
        if path.name == "ibdiagnet2.log":
            raise PermissionError(13, "Permission denied", str(path))
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", guarded)
    assert run("snapshot", "-q", work / "current", "-o", work / "x.ibf") == 0
    said = capsys.readouterr().err
    assert "Permission denied" in said
    assert "reading" not in said
    assert "info:" not in said
    assert run("diff", "-q", work / "baseline.ibf", work / "current") == 0
    assert "Permission denied" in capsys.readouterr().err


@pytest.mark.parametrize("locale", ["C.UTF-8", "C", "POSIX"])
def test_names_that_are_no_text_are_shown_escaped(work, locale):
    (work / "current").rename(work / os.fsdecode(b"bad\xffdir"))
    made_of_it = shell(b"ibf snapshot $'bad\\xffdir' -o $'o\\xff.ibf'", work, LC_ALL=locale)
    assert made_of_it.returncode == 0, made_of_it.stderr
    assert rb"o\xff.ibf: " in made_of_it.stdout
    done = shell(
        b"ibf diff baseline.ibf $'o\\xff.ibf' --html $'r\\xff.html' --json $'r\\xff.json'"
        b" --ports $'r\\xff.csv'",
        work,
        LC_ALL=locale,
    )
    assert done.returncode == 0, done.stderr
    assert rb"\xff" in done.stdout
    for name in (b"r\xff.html", b"r\xff.json", b"r\xff.csv", b"o\xff.ibf/manifest.json"):
        assert (work / os.fsdecode(name)).read_text("utf-8")
    assert json.loads((work / os.fsdecode(b"r\xff.json")).read_text("utf-8"))["verdict"] == "no_suspect"


@pytest.mark.parametrize(
    "command", [b"ibf show -q current ports --all", b"ibf show -q current ports --csv", b"ibf explain"]
)
def test_a_reader_that_leaves_ends_a_listing_quietly(work, command):
    done = shell(b"set -o pipefail; " + command + b" | head -1; echo ${PIPESTATUS[0]}", work)
    assert done.stdout.splitlines()[-1] == b"0"
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("pair", "status"), [(b"baseline current", b"0"), (b"current baseline", b"2"), (b"baseline other", b"3")]
)
def test_a_reader_that_leaves_does_not_change_the_verdict(work, pair, status):
    write_incident(work / "o", seed=9, leaves=1, spines=1, hosts_per_leaf=2)
    (work / "o" / "current").rename(work / "other")
    done = shell(b"ibf diff " + pair + b" 2>&1 | true; echo ${PIPESTATUS[0]}", work)
    assert done.stdout.splitlines()[-1] == status
    assert done.stderr == b""


@pytest.mark.parametrize("command", [b"ibf diff -q baseline current", b"ibf show -q current ports --csv"])
@pytest.mark.parametrize(("redirect", "word"), [(b">&-", b"closed"), (b">/dev/full", b"No space left")])
def test_a_result_that_cannot_be_written_is_an_error(work, command, redirect, word):
    done = shell(command + b" " + redirect, work)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert word in lines[0]


def test_closed_standard_error_does_no_harm(work):
    assert shell(b"ibf diff baseline current 2>&-", work).returncode == 0
