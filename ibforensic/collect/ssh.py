"""The host side of many hosts at once, over plain OpenSSH.

The ssh of the system is used, and no library: only it does all that the users' own configuration asks for -
jump hosts, aliases, agents, Kerberos, certificates, shared connections, host keys of the site - and only it
is patched by their administrators. ``BatchMode`` keeps it from asking for anything, so a host that would ask
fails at once and becomes a note. A host takes two connections: one to see what it has, one that runs
everything; a limit says how many hosts are asked at a time.
"""

from __future__ import annotations

import asyncio
import secrets
from asyncio.subprocess import PIPE
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ibforensic.collect.plan import HOST_TOOLS, host_steps
from ibforensic.collect.records import Done, Machine, Outcome, Step
from ibforensic.collect.run import MOST_SAID, environment, stop
from ibforensic.collect.script import Answer, answers, look_script, machine_of, steps_script

__all__ = ["HostSide", "ask_hosts", "ssh_command"]

_CONNECT_S = 15
_LOOK_S = 60.0
_NO_ANSWER = Step("connection", ("ssh",), _LOOK_S)
Progress = Callable[[str], None]


@dataclass(slots=True)
class HostSide:
    """What came of one host.

    Attributes:
        host: The host.
        machine: What it has; None where it did not answer.
        done: What ran on it.
    """

    host: str
    machine: Machine | None = None
    done: list[Done] = field(default_factory=list)


def ssh_command(host: str) -> tuple[str, ...]:
    """Return the command that reads a text for the shell of a host from standard input."""
    options = ("BatchMode=yes", f"ConnectTimeout={_CONNECT_S}", "ServerAliveInterval=15", "LogLevel=ERROR")
    return ("ssh", "-T", *(word for option in options for word in ("-o", option)), "--", host, "sh -s")


async def ask_hosts(
    hosts: Sequence[str], top: Path, limit: int, progress: Progress, sides: list[HostSide]
) -> None:
    """Ask all hosts for their side.

    Args:
        hosts: Names as ssh takes them.
        top: Folder of the collection.
        limit: How many hosts are asked at a time.
        progress: Told how far it is.
        sides: Takes what came of each host, as it comes, so that nothing is lost where this is interrupted.
    """
    places = asyncio.Semaphore(limit)
    ready = 0

    async def one(host: str) -> None:
        nonlocal ready
        async with places:
            side = HostSide(host)
            sides.append(side)
            await _ask(side, top)
            ready += 1
            progress(f"hosts: {ready} of {len(hosts)} ({host})")

    await asyncio.gather(*map(one, hosts))


async def _ask(side: HostSide, top: Path) -> None:
    """Ask one host what it has, then for all of it."""
    mark = f"ibforensic-{secrets.token_hex(8)}"
    began = datetime.now(UTC)
    stdout, stderr, _ = await _say(side.host, look_script(HOST_TOOLS, mark), _LOOK_S)
    side.machine = machine_of(stdout.decode("utf-8", "replace"), mark)
    if side.machine is None:
        said = stderr[:MOST_SAID].decode("utf-8", "backslashreplace") or "no complete answer"
        end = datetime.now(UTC)
        side.done.append(Done(_NO_ANSWER, side.host, Outcome.UNREACHABLE, began, end, stderr=said))
        return
    steps = host_steps(side.machine)
    began = datetime.now(UTC)
    limit_s = sum(step.timeout_s for step in steps) + _LOOK_S
    stdout, stderr, late = await _say(side.host, steps_script(steps, mark), limit_s)
    found = answers(stdout, stderr, mark)
    # The clock of a host may be wrong: what ran on it is told by ours, from when its first command began.
    first = min((answer.began_s for answer in found.values()), default=0)
    for at, step in enumerate(steps):
        answer = found.get(at)
        if answer is not None:
            begins = began + timedelta(seconds=answer.began_s - first)
            side.done.append(_done(step, side.host, answer, begins, top))
        elif found:
            outcome = Outcome.TIMEOUT if late else Outcome.CUT
            said = "the connection ended before it could run"
            side.done.append(Done(step, side.host, outcome, began, datetime.now(UTC), stderr=said))


async def _say(host: str, text: str, limit_s: float) -> tuple[bytes, bytes, bool]:
    """Send a text to the shell of a host; return what it prints, and whether it took too long."""
    try:
        process = await asyncio.create_subprocess_exec(
            *ssh_command(host),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=environment(),
            start_new_session=True,
        )
    except OSError as error:
        return b"", f"ssh: {error.strerror}".encode(), False
    out, err = bytearray(), bytearray()
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None

    async def drain(stream: asyncio.StreamReader, into: bytearray) -> None:
        while block := await stream.read(1 << 16):
            into += block

    async def feed(stdin: asyncio.StreamWriter) -> None:
        try:
            stdin.write(text.encode())
            await stdin.drain()
            stdin.close()
        except (BrokenPipeError, ConnectionResetError):
            pass

    late = False
    try:
        work = (drain(process.stdout, out), drain(process.stderr, err), feed(process.stdin), process.wait())
        await asyncio.wait_for(asyncio.gather(*work), limit_s)
    except TimeoutError:
        late = True
    finally:
        await stop(process)
    return bytes(out), bytes(err), late


def _done(step: Step, host: str, answer: Answer, began: datetime, top: Path) -> Done:
    """Keep one answer of a host."""
    kept = ""
    if answer.stdout:
        folder = top / "hosts" / plain(host)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{file_stem(step, host)}.txt"
        file.write_bytes(answer.stdout)
        kept = file.relative_to(top).as_posix()
    outcome = Outcome.CUT
    if answer.status is not None:
        outcome = Outcome.DONE if not step.fine or answer.status in step.fine else Outcome.FAILED
        # The status with which timeout ends what took too long.
        outcome = Outcome.TIMEOUT if answer.status == 124 else outcome
    took = max((answer.ended_s or answer.began_s) - answer.began_s, 0)
    end = began + timedelta(seconds=took)
    return Done(step, host, outcome, began, end, answer.status, kept, stderr=answer.stderr[:MOST_SAID])


def plain(host: str) -> str:
    """Return the name of a host alone: without the user before it."""
    return host.rpartition("@")[2]


def file_stem(step: Step, host: str) -> str:
    """Return the stem of a file of a host: parsers read the host in it, and the device."""
    return f"{plain(host)}{'_' if '_' in step.name else '.'}{step.name}"
