"""What shells and launchers put around the output of a benchmark: prompts, commands, names before lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["Shell", "Stream", "host_of_file", "shell_line", "streams", "without_tags"]

_TAG = re.compile(r"\[\d{1,6},\d{1,6}\]<(?:stdout|stderr|stddiag)>: ?")
_PROMPTS = (
    re.compile(r"\[?[\w.-]+@([A-Za-z0-9][\w.-]*)[:\s][^#$%>\n]{0,200}[#$%>]\]?\s*(.*)"),
    re.compile(r"()[#$>+]\s+(\S.*)"),
    re.compile(r"()(\S.*)"),
)
_NAMED = re.compile(r"[ ]{0,8}([A-Za-z0-9][\w.-]{0,254}):(?: |\Z)")
_WORDS = (".txt", ".out", ".log", ".stdout")
_HOST = re.compile(r"(?=[^\d]*\d)[A-Za-z][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63})*\Z")


@dataclass(frozen=True, slots=True)
class Shell:
    """A line with a command.

    Attributes:
        host: Host in the prompt, where it tells one.
        command: The command.
    """

    host: str | None
    command: str


@dataclass(frozen=True, slots=True)
class Stream:
    """Lines that one source has printed.

    Attributes:
        host: Name before the lines; None where there is none, or where it is the number of a task.
        lines: Number of the line in the file, and the line without the name.
    """

    host: str | None
    lines: list[tuple[int, str]]


def without_tags(text: str) -> str:
    """Take out what ``mpirun --tag-output`` puts before lines, and into lines that are printed in parts."""
    return _TAG.sub("", text) if "]<std" in text else text


def shell_line(line: str) -> Shell:
    """Split a line that holds a command into the host of the prompt and the command."""
    line = line.strip()
    for prompt in _PROMPTS:
        match = prompt.match(line)
        if match:
            return Shell(match.group(1) or None, match.group(2).strip())
    return Shell(None, line)


def streams(text: str, telling: re.Pattern[str]) -> list[Stream]:
    """Part the lines of a file by the names that pdsh, clush and ``srun -l`` put before them.

    Args:
        text: The file.
        telling: Finds the colon behind such a name in a line that begins a result.

    Returns:
        One stream a name that begins results, in the order met; lines under other names, and lines
        without any, go to the only stream there is, or else to one of their own.
    """
    names = _names(text, telling)
    lines = list(enumerate(text.split("\n"), 1))
    if not names:
        return [Stream(None, lines)]
    # Where one source begins all results, whatever stands under other names belongs to them as well.
    parted: dict[str, list[tuple[int, str]]] = {name: [] for name in names}
    others: list[tuple[int, str]] = parted[names[0]] if len(names) == 1 else []
    for number, line in lines:
        match = _NAMED.match(line)
        if match and match.group(1) in parted:
            parted[match.group(1)].append((number, line[match.end() :]))
        elif match and names[0].isdigit() and match.group(1).isdigit():
            others.append((number, line[match.end() :]))
        else:
            others.append((number, line))
    found = [Stream(None if name.isdigit() else name, parted[name]) for name in names]
    return found if len(names) == 1 or not others else [*found, Stream(None, others)]


def _names(text: str, telling: re.Pattern[str]) -> list[str]:
    """Find the names before lines that begin a result, in the order met."""
    names: dict[str, None] = {}
    for match in telling.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        named = _NAMED.match(f"{text[begin : match.start()]}: ")
        if named:
            names[named.group(1)] = None
    return list(names)


def host_of_file(path: str, words: re.Pattern[str]) -> str | None:
    """Return the host in a file's name.

    Args:
        path: Path of the file; only the name counts.
        words: Name of the tool as it stands in names of files.

    Returns:
        ``node01`` for ``node01_ib_write_bw.txt``; None where what is left is no name with a digit in it.
    """
    name = PurePosixPath(path).name
    for ending in _WORDS:
        name = name.removesuffix(ending)
    parts = words.split(name)
    left = [part.strip("._-") for part in parts if part.strip("._-")]
    return left[0] if len(parts) > 1 and len(left) == 1 and _HOST.match(left[0]) else None
