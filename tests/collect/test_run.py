"""One command: its output, its end, its limits."""

from __future__ import annotations

import asyncio
import time

import pytest
from faked import Faked, children

from ibforensic.collect.records import Outcome, Step
from ibforensic.collect.run import run, run_many


@pytest.fixture
def faked(tmp_path, monkeypatch) -> Faked:
    return Faked(tmp_path / "bin", monkeypatch)


def ran(step: Step, tmp_path):
    return asyncio.run(run(step, "here", tmp_path, tmp_path / "out"))


def test_output_status_and_times_are_kept(faked, tmp_path):
    faked.tool("sminfo", "echo out; echo err >&2; echo $LC_ALL; exit 3")
    done = ran(Step("sminfo", ("sminfo",), 10), tmp_path)
    assert (done.outcome, done.status, done.stdout) == (Outcome.FAILED, 3, "out/sminfo.txt")
    assert (tmp_path / done.stdout).read_text() == "out\nC\n"
    assert done.stderr == "err\n"
    assert done.began_at <= done.ended_at
    assert ran(Step("again", ("sminfo",), 10, fine=frozenset((3,))), tmp_path).outcome == Outcome.DONE


def test_a_command_that_hangs_is_ended_with_all_it_started(faked, tmp_path):
    faked.tool("sminfo", "echo first; sleep 60 & wait")
    others, began = children(), time.monotonic()
    done = ran(Step("sminfo", ("sminfo",), 0.3), tmp_path)
    assert time.monotonic() - began < 5
    assert done.outcome == Outcome.TIMEOUT
    assert (tmp_path / done.stdout).read_text() == "first\n"
    until = time.monotonic() + 10
    while children() - others and time.monotonic() < until:
        time.sleep(0.05)  # what was killed may take a moment to go
    assert not children() - others


def test_a_command_that_is_not_there_is_no_error(faked, tmp_path):
    done = ran(Step("sminfo", ("sminfo",), 5), tmp_path)
    assert (done.outcome, done.status, done.stdout) == (Outcome.FAILED, None, "")
    assert "No such file" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []


def test_long_messages_are_cut(faked, tmp_path):
    faked.tool(
        "sminfo",
        "i=0; while [ $i -lt 6000 ]; do echo 'a line of a message, again and again' $i >&2; "
        "i=$((i+1)); done; sleep 0; cat /dev/zero 2>/dev/null | head -c 0",
    )
    done = ran(Step("sminfo", ("sminfo",), 20), tmp_path)
    assert len(done.stderr) < 270_000


def test_what_is_not_on_the_list_is_not_started(faked, tmp_path):
    faked.tool("perfquery", f"echo ran > {tmp_path}/ran")
    with pytest.raises(ValueError, match="on the list"):
        ran(Step("x", ("perfquery", "-R", "1", "1"), 5), tmp_path)
    assert not (tmp_path / "ran").exists()


def test_many_steps_share_files_by_name_in_their_order(faked, tmp_path):
    faked.tool("perfquery", 'case "$*" in "7 1") sleep 0.2; echo late;; *) echo "$*";; esac')
    told: list[str] = []
    steps = [
        Step(name, ("perfquery", *flags, str(lid), "1"), 5)
        for lid in range(7, 10)
        for name, flags in (("perfquery", ()), ("perfquery-x", ("-x",)))
    ]
    done = asyncio.run(run_many(steps, "here", tmp_path, tmp_path / "out", told.append))
    assert [one.step for one in done] == steps
    assert (tmp_path / "out" / "perfquery.txt").read_text() == "late\n8 1\n9 1\n"
    assert (tmp_path / "out" / "perfquery-x.txt").read_text() == "-x 7 1\n-x 8 1\n-x 9 1\n"
    assert {one.stdout for one in done} == {"out/perfquery.txt", "out/perfquery-x.txt"}
    assert len(list((tmp_path / "out").iterdir())) == 2
    assert told == ["perfquery: 6 of 6"]
