"""The ports of a sample or a comparison: as text keys, as records, and by the node they are on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.ids import PortKey

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ports:
    """Ports, in the order of all arrays about them.

    Attributes:
        keys: Port keys, ``node_guid/port_num``.
    """

    keys: pa.Array
    _found: list[tuple[pa.Array, pa.Array]] = field(default_factory=list, init=False, repr=False)

    def places_in(self, keys: pa.Array) -> pa.Array:
        """Find each port among other keys.

        Args:
            keys: Keys of ports, as most tables of a sample have them: the same, in the same order.

        Returns:
            Its position there; null where it is not among them.
        """
        for known, places in self._found:
            if known.equals(keys):
                return places
        places = pc.index_in(self.keys, value_set=keys)
        self._found.append((keys, places))
        return places

    @cached_property
    def _parts(self) -> tuple[pa.DictionaryArray, pa.Array]:
        """GUIDs and port numbers."""
        parts = pc.list_flatten(pc.split_pattern(self.keys, "/", max_splits=1, reverse=True))
        return parts[0::2].dictionary_encode(), parts[1::2].cast(pa.int64())

    @cached_property
    def nodes(self) -> list[str]:
        """GUIDs of the nodes that have these ports, each once."""
        found: list[str] = self._parts[0].dictionary.to_pylist()
        return found

    @cached_property
    def node_at(self) -> Codes:
        """Position in ``nodes`` of each port's node."""
        found: Codes = self._parts[0].indices.to_numpy().astype(np.int64)
        return found

    @cached_property
    def numbers(self) -> Codes:
        """Port number of each port on its node."""
        found: Codes = self._parts[1].to_numpy()
        return found

    @cached_property
    def records(self) -> list[PortKey]:
        """The same keys as records; ports of one node share the text of its GUID."""
        guids = map(self.nodes.__getitem__, self.node_at.tolist())
        return list(map(PortKey, guids, self.numbers.tolist()))

    def of_nodes(self, told: Mapping[str, float], unknown: float) -> npt.NDArray[np.float64]:
        """Give each port what is told of its node.

        Args:
            told: Node GUID → number.
            unknown: Number for ports of other nodes.
        """
        each = np.array([told.get(guid, unknown) for guid in self.nodes], dtype=np.float64)
        return each[self.node_at]
