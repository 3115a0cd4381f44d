"""perfquery -a: one file a node, with the sum over all its ports as port 255.

HCAs cannot add up by themselves; the tool then asks port by port and does it for them, and prints the same.
"""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.perfquery_text import ALL_PORTS, plain, write_node
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``<node GUID>.out`` for each node that discovery reaches.

    Args:
        directory: Where the files go.
        sample: What the tool sees.
        _occasion: Not needed.
    """
    for node in sample.seen_nodes():
        write_node(directory, node, plain(sample, node, ALL_PORTS))


WRITER = Writer("perfquery-a", "perfquery -a of every node: the sum over its ports", ("*.out",), write)
