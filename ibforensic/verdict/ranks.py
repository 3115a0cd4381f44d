"""Every port with its rank, what its counters did, and what speaks against it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pandas as pd
import pyarrow as pa

from ibforensic.diff.facts import Facts
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.ids import PortKey
from ibforensic.verdict.judge import Judgement


def rank_ports(facts: Facts, judgement: Judgement) -> pa.Table:
    """Make the table of all ports.

    Args:
        facts: What is true of the two samples.
        judgement: What was made of it.

    Returns:
        One row a port: rank, node_guid, port_num, node, label, role, peer, suspect (rank of the suspect
        it belongs to), victim_of, score, rate_gbps before (where there is a baseline) and now, and
        for each counter its growth, class and growth an hour. Null where a number is not known.
    """
    score: dict[PortKey, float] = defaultdict(float)
    for item in judgement.evidence:
        if item.where and item.victim is None:
            score[item.where] += item.weight
    suspect, victim_of = _roles(judgement)
    pair, who = facts.pair, facts.who
    refs = [who.ref(port) for port in pair.port_keys]
    peers = [who.peers.get(port) for port in pair.port_keys]
    frame = pd.DataFrame(
        {
            "node_guid": [port.node_guid for port in pair.port_keys],
            "port_num": [port.port_num for port in pair.port_keys],
            "node": [ref.node for ref in refs],
            "label": [ref.label for ref in refs],
            "role": [ref.role for ref in refs],
            "peer": [who.call(peer) if peer else None for peer in peers],
            "suspect": pd.array([suspect.get(port) for port in pair.port_keys], dtype="Int64"),
            "victim_of": pd.array([victim_of.get(port) for port in pair.port_keys], dtype="Int64"),
            "score": [round(score.get(port, 0.0), 3) for port in pair.port_keys],
            **({} if pair.alone else {"rate_gbps_before": pair.before["rate_gbps"].to_pylist()}),
            "rate_gbps": pair.after["rate_gbps"].to_pylist(),
            **_growth(facts),
        }
    )
    order = frame.assign(accused=frame["suspect"].fillna(len(frame) + 1)).sort_values(
        ["accused", "score", "node_guid", "port_num"], ascending=[True, False, True, True]
    )
    ranked = frame.loc[order.index].reset_index(drop=True)
    ranked.insert(0, "rank", np.arange(1, len(ranked) + 1))
    return pa.Table.from_pandas(ranked, preserve_index=False)


def _roles(judgement: Judgement) -> tuple[dict[PortKey, int], dict[PortKey, int]]:
    """Port → rank of the suspect it is an end of; port → rank of the suspect it suffers from."""
    suspect: dict[PortKey, int] = {}
    victim: dict[PortKey, int] = {}
    for item in judgement.suspects:
        for end in item.link or ():
            suspect.setdefault(end, item.rank)
        for sufferer in item.victims:
            victim.setdefault(sufferer.port, item.rank)
    return suspect, victim


def _growth(facts: Facts) -> dict[str, object]:
    """Columns of the counters: growth, its class, growth an hour."""
    columns: dict[str, object] = {}
    for name, growth in facts.growth.counters.items():
        if not growth.told.any():
            continue
        delta = growth.delta.astype(object)
        delta[~growth.told] = None
        columns[f"{name}_delta"] = pd.array(delta, dtype="UInt64")
        columns[f"{name}_per_hour"] = facts.growth.per_hour(name)
        if not CATALOGUE[name].kind.startswith("traffic"):
            columns[f"{name}_class"] = np.array(["exact", "at_least", "unknown", "absent"])[growth.known]
    return columns
