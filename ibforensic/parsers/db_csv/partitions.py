"""Sections about partitions, aliases and virtual ports: PKEY, AGUID, VNODES, VPORTS.

PKEY becomes ``{"PKey=0x7fff": {"Membership": "full"}}``: the partitions of most ports of the node, and those
of the ports that differ. Source: atlas §2.2 and §2.4.
"""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.parsers.db_csv.sheet import Mapper
from ibforensic.parsers.db_csv.topics import Topic, mappers

__all__ = ["SECTIONS"]

_MEMBERSHIP = {"0": "limited", "1": "full"}
_VPORT = ("VPortIndex",)

SECTIONS: Mapping[str, Mapper] = mappers(
    {
        # The place in the port's table of partitions means nothing.
        "PKEY": Topic(
            ports=("LocalPortNum",),
            parts=("PKey",),
            rest=frozenset({"blocknum", "index"}),
            words={"Membership": _MEMBERSHIP},
        ),
        "AGUID": Topic(parts=("Index",), rest=frozenset()),
        "VNODES": Topic(parts=_VPORT, rest=frozenset()),
        "VPORTS": Topic(
            parts=_VPORT,
            rest=frozenset({"vportlid", "vportclientreg", "vportstate", "qkeyviolations", "pkeyviolations"}),
        ),
    }
)
"""Section → mapper. VPORTS_GUID_INFO has no node GUID and stays as text."""
