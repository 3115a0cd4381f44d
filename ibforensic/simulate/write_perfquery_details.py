"""perfquery -E and -D: one file a node, two blocks a port that is up: what two counters are made of."""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.perfquery_text import details, write_node
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
        blocks = [details(sample, node, port.port_num) for port in sample.up_ports(node)]
        write_node(directory, node, [line for block in blocks for line in block])


WRITER = Writer(
    "perfquery-details",
    "perfquery -E and -D of every port: why it refused and dropped packets",
    ("*.out",),
    write,
)
