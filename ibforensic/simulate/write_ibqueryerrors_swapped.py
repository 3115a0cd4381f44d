"""ibqueryerrors --details as rdma-core prints it: the two kinds of details bear each other's names."""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.ibqueryerrors_text import SWAPPED, text
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer, write_text


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``ibqueryerrors.txt``.

    Args:
        directory: Where the file goes.
        sample: What the tool sees.
        _occasion: Not needed.
    """
    write_text(directory / "ibqueryerrors.txt", text(sample, SWAPPED))


WRITER = Writer(
    "ibqueryerrors-swapped",
    "ibqueryerrors --details with the names confused as rdma-core does; not part of all",
    ("ibqueryerrors.txt",),
    write,
    usual=False,
)
