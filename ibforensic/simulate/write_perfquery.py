"""perfquery of every port: one file a node, a block a port that is up."""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.perfquery_text import plain, write_node
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
        blocks = [plain(sample, node, port.port_num) for port in sample.up_ports(node)]
        write_node(directory, node, [line for block in blocks for line in block])


WRITER = Writer(
    "perfquery", "perfquery of every port: the plain counters, as narrow as they are", ("*.out",), write
)
