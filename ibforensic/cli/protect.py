"""Evidence is never overwritten: which files an output option may name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ibforensic.cli.base import shown

__all__ = ["check_outputs"]


def check_outputs(outputs: Iterable[Path | None], inputs: Sequence[Path]) -> None:
    """Refuse to write over evidence, before anything is read.

    Args:
        outputs: What the options name; None and ``-`` are passed over.
        inputs: Snapshots and raw output that are read.

    Raises:
        BadUsage: An output is an input, is a file that exists inside one, or lies in a snapshot; or two
            outputs are one file.
    """
    from ibforensic.model.errors import BadUsage
    from ibforensic.snapshot.places import around

    places = [one.resolve() for one in inputs]
    taken: set[Path] = set()
    for output in outputs:
        if output is None or str(output) == "-":
            continue
        place = output.resolve()
        whole = around(output)
        inside = next((one for one in places if place == one or one in place.parents), None)
        if whole is not None:
            why = f"it lies in the snapshot {shown(whole)}, which is never changed"
        elif inside is not None and place.exists():
            why = "it is" + (" an input" if inside == place else f" a file of the input {shown(inside)}")
        elif place in taken:
            why = "two outputs would be this one file"
        else:
            if place.is_file() or not place.exists():
                taken.add(place)
            continue
        raise BadUsage(f"{shown(output)} is not written: {why}", "give another path")
