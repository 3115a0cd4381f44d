"""Sections about managers, and about what nodes are: SM_INFO, N2N_*, SHARP_AN_INFO, CHASSIS_INFO and others.

Keys and the activity counter of a subnet manager are kept beside the documents. Source: atlas §2.4 and
§2.6; where the columns are not known one by one, their names decide.
"""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.parsers.db_csv.sheet import Mapper
from ibforensic.parsers.db_csv.topics import Topic, mappers

__all__ = ["SECTIONS"]

_SM_STATE = {"0": "inactive", "1": "discovering", "2": "standby", "3": "master"}

SECTIONS: Mapping[str, Mapper] = mappers(
    {
        "SM_INFO": Topic(rest=frozenset({"sm_key", "actcount"}), words={"SmState": _SM_STATE}),
        "N2N_CLASS_PORT_INFO": Topic(),
        "N2N_KEY_INFO": Topic(),
        # The text file of the same name has documents of its own.
        "SHARP_AN_INFO": Topic(name="sharp_an_info_table"),
        "EXTENDED_NODE_INFO": Topic(),
        "EXTENDED_SWITCH_INFO": Topic(),
        "CHASSIS_INFO": Topic(),
        "PHYSICAL_HIERARCHY_INFO": Topic(rest=frozenset()),
    }
)
"""Section → mapper."""
