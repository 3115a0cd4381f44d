"""One command on this host: its output goes to a file, and it ends in time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from ibforensic.collect.machine import search_path
from ibforensic.collect.records import Done, Outcome, Step
from ibforensic.model.read_only import command

__all__ = ["MOST_SAID", "environment", "run", "run_many", "stop"]

MOST_SAID = 256 << 10
"""Most that is kept of standard error, octets."""
_GRACE_S = 5.0
_AT_ONCE = 8
_TELL_EVERY = 200


def environment() -> dict[str, str]:
    """Return the environment for a tool: ours, with messages in English and a search path that finds it."""
    return {**os.environ, "LC_ALL": "C", "PATH": search_path()}


async def run(step: Step, host: str, top: Path, folder: Path, stem: str = "") -> Done:
    """Run a step and wait for its end.

    Args:
        step: What to run; it is held against the allow-list once more.
        host: This host.
        top: Folder of the collection.
        folder: Folder below it for what is printed.
        stem: Stem of the file there; the name of the step where it is left out.

    Returns:
        What came of it. A command that cannot be started or does not end in time is no error here.
    """
    program, *rest = command(*step.words)
    path = shutil.which(program, path=search_path())
    folder.mkdir(parents=True, exist_ok=True)
    stem = stem or step.name
    out, err = (folder / f".{stem}.{kind}" for kind in ("stdout", "stderr"))
    began = datetime.now(UTC)
    status: int | None = None
    outcome, trouble = Outcome.FAILED, ""
    try:
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = await asyncio.create_subprocess_exec(
                path or program,
                *rest,
                stdin=DEVNULL,
                stdout=stdout,
                stderr=stderr,
                env=environment(),
                start_new_session=True,
            )
            try:
                status = await asyncio.wait_for(process.wait(), step.timeout_s)
                outcome = Outcome.DONE if not step.fine or status in step.fine else Outcome.FAILED
            except TimeoutError:
                outcome = Outcome.TIMEOUT
            finally:
                await stop(process)
    except OSError as error:
        trouble = f"{program}: {error.strerror}"
    said = _taken(err) + trouble
    printed = _taken(out) if step.writes else ""
    return Done(
        step,
        host,
        outcome,
        began,
        datetime.now(UTC),
        status,
        "" if step.writes else _kept(out, folder / f"{stem}.txt", top),
        printed,
        said,
    )


async def run_many(
    steps: Sequence[Step], host: str, top: Path, folder: Path, progress: Callable[[str], None]
) -> list[Done]:
    """Run many small steps, a few at a time.

    Args:
        steps: What to run.
        host: This host.
        top: Folder of the collection.
        folder: Folder below it for what is printed: one file for the steps of one name, in their order.
        progress: Told how far it is.

    Returns:
        What came of them, in their order.
    """
    places = asyncio.Semaphore(_AT_ONCE)
    ready = 0

    async def one(at: int, step: Step) -> Done:
        nonlocal ready
        async with places:
            done = await run(step, host, top, folder, f"{step.name}.{at:06d}")
        ready += 1
        if ready % _TELL_EVERY == 0 or ready == len(steps):
            progress(f"{step.words[0]}: {ready} of {len(steps)}")
        return done

    return [_joined(done, top) for done in await asyncio.gather(*map(one, count(), steps))]


def _joined(done: Done, top: Path) -> Done:
    """Put what a step printed behind what others of its name did."""
    if not done.stdout:
        return done
    part = top / done.stdout
    file = part.with_name(f"{done.step.name}.txt")
    with file.open("ab") as opened:
        opened.write(part.read_bytes())
    part.unlink()
    return replace(done, stdout=file.relative_to(top).as_posix())


async def stop(process: Process) -> None:
    """End a process that may still run, and all it started: kindly first, then for good."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE_S)


def _taken(file: Path) -> str:
    """Read a file of messages, as much as is kept, and remove it."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_SAID + 1)
        file.unlink()
    except OSError:
        return ""
    text = data[:MOST_SAID].decode("utf-8", "backslashreplace")
    return text if len(data) <= MOST_SAID else f"{text}\n(cut here)"


def _kept(part: Path, file: Path, top: Path) -> str:
    """Give a file of output its name; an empty one is no file. Return its path below the collection."""
    if not part.exists():
        return ""
    if not part.stat().st_size:
        part.unlink()
        return ""
    part.replace(file)
    return file.relative_to(top).as_posix()
