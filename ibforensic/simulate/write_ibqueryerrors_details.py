"""ibqueryerrors --details as it is meant: behind two counters stands what they are made of."""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.ibqueryerrors_text import DETAILS, text
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer, write_text


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``ibqueryerrors.txt``.

    Args:
        directory: Where the file goes.
        sample: What the tool sees.
        _occasion: Not needed.
    """
    write_text(directory / "ibqueryerrors.txt", text(sample, DETAILS))


WRITER = Writer(
    "ibqueryerrors-details",
    "ibqueryerrors --details: also why packets were refused and dropped",
    ("ibqueryerrors.txt",),
    write,
)
