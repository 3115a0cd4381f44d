"""Words a probe may print as they are: those of the tools, which are the same in every fabric.

Everything else becomes its class. A word stands here only if it names no host, site, person or customer.
"""

from __future__ import annotations

from functools import cache

from ibforensic.model import link_terms
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.tables import TABLES

__all__ = ["EXTENSIONS", "SENTINELS", "is_key_column", "words"]

SENTINELS = frozenset({"", "N/A", "NA", "-1", "ERR", "ERR - N/A", "0xfffffffffffffffe", "???", "inf", "nan"})
"""Cells that mean "no value"."""

_ENDINGS = """
    aguid aports ar arg2flid cables csv db_csv debug dfp dump end_port_pf epf far far_flid fat_tree
    fdbs flid gz html ibis iblinkinfo ibnetdiscover json log lst mcfdbs mlnx_cntrs names net_dump
    net_dump_agg net_dump_ext nodes_info out pcap pkey plft pm pm_agg port_hi ppcc prom rail_filter
    rails rn rnc rnc2 sharp sharp_an_info sharp_pm slvl sm tar tgz topo txt tzst vl2vl vports
    vports_pkey xml xz yaml zip zst
"""
EXTENSIONS = frozenset(_ENDINGS.split())
"""Ends of file names that tools write."""

_KEY_COLUMNS = """
    fanindex guid ibdiagnet_version lid localportnum name nodedesc nodeguid nodeguid1 plugin portguid
    portnum portnum1 portnumber psuindex scope sensorindex smguid switchguid treeid
"""
_KEYS = frozenset(_KEY_COLUMNS.split())
_OF_THE_TOOLS = """
    systemguid venid pn sn oui spd quantum quantum2 loading sample
    a access act action active actual adaptive added agg aggnodedesc aggregation alarm alias all
    allowed allreduce an and any aport app are arm array as asic at attribute automatically average
    back bad bandwidth base be been before ber bias bit bits block board buffer build but by bytes ca
    cable cables cage caguid calculate can capability card cdr change channel check child class clock
    closed cluster code codes collect command comment common comparison complete config configuration
    configured congestion connected connection connector control count counter counters created credit
    critical current data database date db dbm deadlock debug default degradation degraded delay delta
    desc description detected dev device devices devid diag diagnostic difference direct disabled
    discard discover discovered discovery done down drop dual dump duplicate duplicated duplication
    duration during dynamic each effective enable enabled end endianness endport enhanced error errors
    event events exceeds expected explanation ext extended external fabric failed failure false fan
    fans fast fec file files finished firmware first flow for found from full fw gbps general
    generated get grade group groups guid guids hashed health hf hierarchy high histogram hops hosts
    hw hybrid ib ibdiag ibdiagnet ibdm ibis id in inactive increased index indication info information
    ini init initiated input internal invalid ipoib is isl key keys label lag lane lanes last latched
    latency latest layer length level lft lid lids limit limited limits line linear link links linkup
    list lmc load local location log logical loop loops low ma mac mad mads management manager map
    mask master max maximum membership message min minimum mismatch missing mlid mode model module
    more mtu multicast mw nack name neighbor new no node nodes nominal non none not note num number of
    off offset ok on one only oos open operation optimized option options or other output over
    overflow packet packets page pair parent part partition partitions path pause pci peer performance
    phy phys physical pkey plane planes plugin plugins pm poll polling pool port ports post power
    present priority process profile protocol psid psu qos qpn qpns query queue radix rail rails rank
    rate raw rc reached read ready reason receive received recovery redundant reg remote removed
    report reports reproducibility request reset responding response retransmission retrieving retry
    rev revision rn rnr root round route router routers routing rows rq rtguid rtr run running rx
    sample samples scope section select send sensor sensors sent serial setting settings sharp site
    size skip skipped sl sleep sm special speed split stage standby start state statistics status
    subnet succeeded successfully suggested sum summary supply support supported sw sw_guid switch
    switches switchguid symbol symmetry sync sysimgguid system table tables task temperature test than
    the this threshold thresholds time timeout timestamp to topology total traffic trap traps tree
    treeid trees trip tx type u1 unexpected unhealthy unicast unit unknown unmanaged unsupported up
    update uptime usage use used user using uv validation value values vendid vendor verify version
    versions via virtual virtualization vl vlan vnode vnodes voltage vport vports vs wait warning
    warnings was watchdog weight which while width wire with without world write written x xmit zero
"""


def is_key_column(name: str) -> bool:
    """Whether a column is one of those by which ibdiagnet says what a row is about."""
    return name.strip().lower() in _KEYS


@cache
def words() -> frozenset[str]:
    """Return all words that may be printed, in lower case."""
    found = set(_OF_THE_TOOLS.split()) | _KEYS
    for counter in CATALOGUE.values():
        found |= {counter.name, counter.ext_name}
        for spellings in (*counter.aliases.values(), *counter.ext_aliases.values()):
            found.update(spellings)
    found.update(column.name for table in TABLES.values() for column in table.own)
    for names in (link_terms.FEC_SMP, link_terms.FEC_PHY_REGISTER, link_terms.RETRANSMISSION):
        found.update(names.values())
    found |= {*link_terms.LANE_GBPS, *link_terms.WIDTH_LANES}
    found |= {f"{width}{speed}" for width in link_terms.WIDTH_LANES for speed in link_terms.LANE_GBPS}
    return frozenset(word.lower() for word in found if word)
