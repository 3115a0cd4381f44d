"""Sections of congestion control: CC_*, settings alone.

Source: atlas §2.2 and §6 (headers). CC_HCA_STATISTICS_QUERY and CC_HCA_ALGO_COUNTERS stay as text: whether
they count since a clear or within ``accumulators_period`` is not known, so no growth can be told from them.
"""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.parsers.db_csv.sheet import Mapper
from ibforensic.parsers.db_csv.topics import Topic, mappers

__all__ = ["SECTIONS"]

_ALGORITHM = ("algo_slot",)

SECTIONS: Mapping[str, Mapper] = mappers(
    {
        "CC_ENHANCED_INFO": Topic(rest=frozenset()),
        "CC_SWITCH_GENERAL_SETTINGS": Topic(rest=frozenset()),
        "CC_PORT_PROFILE_SETTINGS": Topic(),
        "CC_SL_MAPPING_SETTINGS": Topic(),
        "CC_HCA_GENERAL_SETTINGS": Topic(rest=frozenset()),
        "CC_HCA_RP_PARAMETERS": Topic(),
        "CC_HCA_NP_PARAMETERS": Topic(),
        "CC_HCA_ALGO_CONFIG_SUPPORT": Topic(parts=_ALGORITHM),
        # counter_en says whether counting is on: a setting in spite of its name.
        "CC_HCA_ALGO_CONFIG": Topic(parts=_ALGORITHM, rest=frozenset({"algo_status"})),
        "CC_HCA_ALGO_CONFIG_PARAMS": Topic(parts=_ALGORITHM),
    }
)
"""Section → mapper."""
