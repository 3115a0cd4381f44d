"""The command line of a perftest program: which host it was pointed at, and what its output does not say."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

__all__ = ["Command", "find"]

_TOOL = re.compile(r"(?:^|[\s/'\"])((?:ib|raw_ethernet)_[a-z_]{2,20}_(?:bw|lat))(?=['\"\s]|\Z)")
_WITH_VALUE = frozenset("dipsnmctrxuSQqloDfTIAwyBEJjM")
_LONG_WITH_VALUE = frozenset(
    (
        "ib-dev", "ib-port", "port", "size", "iters", "mtu", "connection", "tx-depth", "rx-depth",
        "gid-index", "qp", "duration", "sl", "tclass", "cq-mod", "inline_size", "outs", "bind_source_ip",
        "atomic_type", "margin", "qp-timeout", "mr_per_qp", "post_list", "rate_limit", "use_cuda", "use_rocm",
        "out_json_file",
    )
)  # fmt: skip
_DURATION = re.compile(r"\s(?:-D ?|--duration[= ])(\d+)\b")
_PLAIN = re.compile(r"[\w \t./:=,@%+-]*\Z", re.ASCII)
"""Words without quotes, which need no shell to be split."""
_GPU = re.compile(r"--use[_-](?:cuda|rocm|hl|neuron|mlu|opencl)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command line.

    Attributes:
        tool: Name of the program.
        text: From the program's name to the end, or all of it where another program starts it.
        peer: Host at its end: who starts it so is the client.
        gpu: Whether it asks for memory of a GPU.
        bidirectional: Whether it asks for both directions at once.
        duration: Seconds it is to last, where it asks for a duration.
    """

    tool: str
    text: str
    peer: str | None
    gpu: bool
    bidirectional: bool
    duration: str | None


def tool_in(line: str) -> str | None:
    """Return the name of a perftest program in a line."""
    match = _TOOL.search(line) if "_bw" in line or "_lat" in line else None
    return match.group(1) if match else None


def find(text: str) -> Command | None:
    """Read a command.

    Args:
        text: What was typed, without the prompt.

    Returns:
        The command; None for a line that only speaks of the program.
    """
    match = _TOOL.search(text)
    if not match or text[match.start(1) - 1 : match.start(1)] in ("'", '"'):
        return None
    words = _words(text[match.end(1) :])
    before = _words(text[: match.start(1)])
    if any(word[-1:] in ".:," for word in before):
        return None
    flags = "".join(word[1:] for word in words if re.fullmatch(r"-[a-zA-Z]{1,4}", word))
    return Command(
        match.group(1),
        text.strip(),
        _peer(words),
        any(_GPU.match(word) for word in words),
        "b" in flags or "--bidirectional" in words,
        duration.group(1) if (duration := _DURATION.search(text[match.end(1) :])) else None,
    )


def _words(text: str) -> list[str]:
    """Split as a shell does; what follows a redirection is no argument."""
    text = re.split(r"(?:^|\s)\d?(?:>|[|&;])", text, maxsplit=1)[0]
    if _PLAIN.match(text):
        return text.split()
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _peer(words: list[str]) -> str | None:
    """Find the argument that belongs to no option."""
    found = None
    before = ""
    for word in words:
        takes = before[-1:] in _WITH_VALUE if re.fullmatch(r"-[a-zA-Z]+", before) else False
        takes = takes or (before.removeprefix("--") in _LONG_WITH_VALUE and before.startswith("--"))
        if not word.startswith("-") and not takes:
            found = word
        before = word
    return found
