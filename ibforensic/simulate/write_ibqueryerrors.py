"""ibqueryerrors: every port with errors, one line a port."""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.ibqueryerrors_text import text
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer, write_text


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``ibqueryerrors.txt``.

    Args:
        directory: Where the file goes.
        sample: What the tool sees.
        _occasion: Not needed.
    """
    write_text(directory / "ibqueryerrors.txt", text(sample, {}))


WRITER = Writer(
    "ibqueryerrors",
    "ibqueryerrors: the error counters that are not 0",
    ("ibqueryerrors.txt",),
    write,
)
