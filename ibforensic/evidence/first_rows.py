"""Where a port is told about first in a table: few ports are asked for, of tables that may be long."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.view import View
from ibforensic.model.ids import PortKey

_MANY = 1 << 20
"""More than a node has ports."""


def place(source: str | None, line: int | None) -> str:
    """Say where a row was read: ``file:line``, or as much of it as is known."""
    return f"{source}:{line}" if source and line else source or ""


class FirstRows:
    """The first row of a table about each port."""

    def __init__(self, view: View, table: str) -> None:
        """Look at a table of a sample.

        Args:
            view: The sample.
            table: Name of the table.
        """
        self._rows = view.table(table, ("node_guid", "port_num", "source", "line"))
        self._guids = self._rows["node_guid"].combine_chunks().dictionary_encode()

    def source(self, port: PortKey) -> str:
        """``file:line`` of the first row about a port; empty where there is none."""
        numbers, order = self._in_order
        node = self._nodes.get(port.node_guid)
        if node is None:
            return ""
        wanted = node * _MANY + port.port_num
        at = int(np.searchsorted(numbers, wanted))
        if at == len(numbers) or int(numbers[at]) != wanted:
            return ""
        row = int(order[at])
        return place(self._rows["source"][row].as_py(), self._rows["line"][row].as_py())

    @cached_property
    def _nodes(self) -> Mapping[str, int]:
        """Node GUID → its number."""
        return {guid: number for number, guid in enumerate(self._guids.dictionary.to_pylist())}

    @cached_property
    def _in_order(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """A number for the port of each row, in order, and the rows in that order."""
        nodes, ports = self._guids.indices.cast(pa.int64()), self._rows["port_num"].cast(pa.int64())
        ported = pc.add(pc.multiply(nodes, _MANY), ports.combine_chunks())
        numbers = pc.fill_null(ported, -1).to_numpy()
        order = np.argsort(numbers, kind="stable")
        return numbers[order], order
