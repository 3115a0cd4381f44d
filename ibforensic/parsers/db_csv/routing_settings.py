"""Sections about routing: AR_INFO, HBF_CONFIG, WHBF_CONFIG, PFRN_CONFIG, ROUTERS_* and QOS_CONFIG_*.

How full a table is, its changes and LIDs follow the routing and are kept beside the documents. Entries of a
router are told apart by their subnet, not by their place in the table. Source: atlas §2.4; the columns of
HBF_CONFIG, WHBF_CONFIG, PFRN_CONFIG and QOS_CONFIG_* are not known one by one, so their names decide.
"""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.parsers.db_csv.sheet import Mapper
from ibforensic.parsers.db_csv.topics import Topic, mappers

__all__ = ["SECTIONS"]

_SUBNET = Topic(parts=("SubnetPrefix",), rest=frozenset({"blocknum", "recordnum", "mastersmlid"}))
_ROUTER_STATE = frozenset(
    {
        "nexthoptabletop",
        "adjacentsitelocalsubnetstabletop",
        "table_changes_bitmask",
        "global_mlid_start",
        "cap_router_lid",
        "adjacentsubnetsrouterlidinfo",
        "global_router_lid_base",
        "global_router_lid_top",
        "local_router_lid_base",
        "local_router_lid_top",
    }
)

SECTIONS: Mapping[str, Mapper] = mappers(
    {
        "AR_INFO": Topic(rest=frozenset({"group_top"})),
        "HBF_CONFIG": Topic(),
        "WHBF_CONFIG": Topic(),
        "PFRN_CONFIG": Topic(),
        "ROUTERS_INFO": Topic(rest=_ROUTER_STATE),
        "ROUTERS_ADJ_SITE_LOCAL_SUBNETS_TABLE": _SUBNET,
        "ROUTERS_NEXT_HOP_TABLE": _SUBNET,
        "QOS_CONFIG_SL": Topic(parts=("SL",)),
        "QOS_CONFIG_VL": Topic(parts=("VL",)),
    }
)
"""Section → mapper. ROUTERS_ADJ_SUBNETS_LID_INFO_TABLE holds LIDs alone and stays as text."""
