"""What one host is asked, as a text for its shell, and its answers taken apart.

One connection a host carries all of its commands: their outputs stand between marks with a random word, on
standard output and on standard error. Any shell of POSIX will do.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ibforensic.collect.records import Device, Machine, Step
from ibforensic.model.read_only import command

__all__ = ["Answer", "answers", "look_script", "machine_of", "steps_script"]

_HEAD = """\
LC_ALL=C
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
export LC_ALL PATH
"""
_LOOK = """\
for tool in {tools}; do
    command -v "$tool" >/dev/null 2>&1 && echo "{mark} tool $tool"
done
for device in /sys/class/infiniband/*; do
    [ -e "$device" ] || continue
    echo "{mark} device ${{device##*/}}"
    for port in "$device"/ports/*; do
        [ -e "$port" ] && echo "{mark} port ${{device##*/}} ${{port##*/}}"
    done
    for net in "$device"/device/net/*; do
        [ -e "$net" ] && echo "{mark} net ${{device##*/}} ${{net##*/}}"
    done
done
echo "{mark} end"
"""
_LIMITED = """\
limited() {
    seconds=$1
    shift
    if command -v timeout >/dev/null 2>&1; then timeout -k 5 "$seconds" "$@"; else "$@"; fi
}
"""
_STEP = """\
echo "{mark} begin {at} $(date +%s)"
echo "{mark} begin {at}" >&2
limited {seconds} {words} </dev/null
status=$?
printf '\\n%s\\n' "{mark} end {at} $status $(date +%s)"
printf '\\n%s\\n' "{mark} end {at}" >&2
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answered to one command.

    Attributes:
        stdout: What the command printed.
        stderr: What it said on standard error.
        began_s: When it began, in seconds of the host's own clock.
        ended_s: When it ended; None where the connection ended first.
        status: Exit status.
    """

    stdout: bytes
    stderr: str
    began_s: int
    ended_s: int | None
    status: int | None


def look_script(tools: Iterable[str], mark: str) -> str:
    """Write the text that finds out what a host has.

    Args:
        tools: Programs to look for.
        mark: Word that begins each line of the answer.
    """
    return _HEAD + _LOOK.format(tools=" ".join(map(shlex.quote, tools)), mark=mark)


def machine_of(answer: str, mark: str) -> Machine | None:
    """Read what a host has.

    Args:
        answer: What the text of ``look_script`` made it print; greetings of the host may stand between.
        mark: The word.

    Returns:
        The machine; None where the answer is not complete.
    """
    tools: set[str] = set()
    ports: dict[str, list[int]] = {}
    nets: defaultdict[str, list[str]] = defaultdict(list)
    whole = False
    for line in answer.splitlines():
        match line.split():
            case [head, "tool", tool] if head == mark:
                tools.add(tool)
            case [head, "device", device] if head == mark:
                ports[device] = []
            case [head, "port", device, port] if head == mark and port.isdecimal() and device in ports:
                ports[device].append(int(port))
            case [head, "net", device, net] if head == mark:
                nets[device].append(net)
            case [head, "end"] if head == mark:
                whole = True
    devices = (Device(name, tuple(sorted(ports[name])), tuple(nets[name])) for name in ports)
    return Machine(frozenset(tools), tuple(devices)) if whole else None


def steps_script(steps: Sequence[Step], mark: str) -> str:
    """Write the text that runs commands, each with a time limit where the host has ``timeout``.

    Args:
        steps: What to run; each is held against the allow-list once more.
        mark: Word that begins each mark.
    """
    return (
        _HEAD
        + _LIMITED
        + "".join(
            _STEP.format(
                mark=mark, at=at, seconds=int(step.timeout_s), words=shlex.join(command(*step.words))
            )
            for at, step in enumerate(steps)
        )
    )


def answers(stdout: bytes, stderr: bytes, mark: str) -> dict[int, Answer]:
    """Take apart what a host answered.

    Args:
        stdout: What the text of ``steps_script`` made it print.
        stderr: The same of standard error.
        mark: The word.

    Returns:
        Number of the step → its answer; those it did not come to are left out.
    """
    word = re.escape(mark.encode())
    begins = re.compile(rb"^%b begin (\d+) (\d+)\n" % word, re.MULTILINE)
    said = {
        int(match[1]): match[2].decode("utf-8", "backslashreplace")
        for match in re.finditer(
            rb"^%b begin (\d+)\n(.*?)(?:\n%b end \1\n|\Z)" % (word, word), stderr, re.MULTILINE | re.DOTALL
        )
    }
    found = {}
    for match in begins.finditer(stdout):
        at = int(match[1])
        end = re.compile(rb"\n%b end %d (\d+) (\d+)\n" % (word, at)).search(stdout, match.end() - 1)
        # Where a command prints nothing, the line end before the mark is the one behind the begin.
        printed = stdout[match.end() : max(end.start(), match.end()) if end else len(stdout)]
        found[at] = Answer(
            printed,
            said.get(at, ""),
            int(match[2]),
            int(end[2]) if end else None,
            int(end[1]) if end else None,
        )
    return found
