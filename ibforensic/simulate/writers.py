"""Formats of other tools than ibdiagnet: a writer is one file here, and nothing lists them.

To add one, add a module ``write_<tool>.py`` with a ``WRITER``. ``ibforensic simulate --also`` finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ibforensic.model.errors import BadUsage
from ibforensic.model.scanning import modules_with
from ibforensic.simulate.state import Sample

PACKAGE = "ibforensic.simulate"


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a writer may ask besides the sample itself.

    Attributes:
        seed: Seed of what the writer draws, if anything: ``Random(f"<tool>/{seed}/…")``.
        before: The baseline where the sample is the current one; None where it is the baseline.
    """

    seed: int = 1
    before: Sample | None = None


@dataclass(frozen=True, slots=True)
class Writer:
    """The format of a tool.

    Attributes:
        name: Name by which it is ordered, and of its folder below ``baseline/`` and ``current/``.
        title: What it writes, a line for people.
        files: Patterns of the paths it writes, below its folder: ``*.txt``, ``*/metrics``. Whatever matches
            is taken away when a simulation is written anew; all else is somebody's own.
        write: ``write(directory, sample, occasion)`` writes its files into a folder that is there.
        usual: Whether it is among ``all``; odd variants of a format must be named.
    """

    name: str
    title: str
    files: tuple[str, ...]
    write: Callable[[Path, Sample, Occasion], None]
    usual: bool = True


@cache
def writers() -> tuple[Writer, ...]:
    """Return all writers, by name."""
    folder = str(Path(__file__).parent)
    found: list[Writer] = [module.WRITER for module in modules_with("WRITER", PACKAGE, (folder,))]
    return tuple(sorted(found, key=lambda writer: writer.name))


def parse_also(text: str) -> tuple[Writer, ...]:
    """Read which formats are wanted.

    Args:
        text: none, all, or names with commas between them.

    Returns:
        The writers, each once.

    Raises:
        BadUsage: A name is unknown.
    """
    word = text.strip().lower()
    if word in ("none", "all"):
        return tuple(writer for writer in writers() if writer.usual and word == "all")
    known = {writer.name: writer for writer in writers()}
    wanted = tuple(dict.fromkeys(part.strip() for part in word.split(",")))
    for name in wanted:
        if name not in known:
            raise BadUsage(
                f"unknown format {name!r}",
                f"use all, or some of {', '.join(known)}; ibforensic simulate --list explains them",
            )
    return tuple(known[name] for name in wanted)


def write_also(directory: Path, sample: Sample, wanted: Sequence[Writer], occasion: Occasion) -> None:
    """Write a sample in other formats, each into a folder of its own.

    Args:
        directory: Folder of the sample, such as ``baseline``.
        sample: What the tools see.
        wanted: The formats.
        occasion: What the writers may ask besides.

    Raises:
        OSError: A file cannot be written.
    """
    for writer in wanted:
        folder = directory / writer.name
        folder.mkdir(parents=True, exist_ok=True)
        writer.write(folder, sample, occasion)


def write_text(path: Path, text: str) -> None:
    """Write a file with the line ends that all tools use, whatever the machine."""
    path.write_text(text, encoding="utf-8", newline="\n")


def written_by(folder: Path) -> list[Path] | None:
    """Return the files of a writer's folder, or None where something there is not the writer's.

    Args:
        folder: A folder below ``baseline`` or ``current``.
    """
    writer = next((writer for writer in writers() if writer.name == folder.name), None)
    files = [path for path in sorted(folder.rglob("*")) if not path.is_dir()]
    own = {path for pattern in writer.files for path in folder.glob(pattern)} if writer else set()
    return files if writer and own.issuperset(files) else None
