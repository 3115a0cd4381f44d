"""Other limits of bit error ratios reach the verdict."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ibforensic import pipeline
from ibforensic.evidence import POLICY
from ibforensic.evidence.limits import ROWS
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec


@cache
def _pair():
    order = Order(parse_spec("fat-tree:leaf=2,spine=2,hosts=4"), faults=(FaultKind.DIRTY_CONNECTOR,), seed=2)
    baseline, current, _ = pipeline.simulated(order)
    return baseline, current


def _raw(policy):
    """What is said of bit errors before FEC, and how much it weighs."""
    found = pipeline.diff(*_pair(), policy=policy).judgement.evidence
    (item,) = [item for item in found if item.message.id == "bit_errors.raw"][:1]
    return item


def test_a_limit_of_the_policy_takes_the_place_of_the_tables():
    usual = _raw(POLICY)
    row = usual.message.params["row"]
    assert usual.message.params["limit"] == ROWS[row].raw.error
    strict, lax = (_raw(replace(POLICY, bit_error_limits={row: {"raw": error}})) for error in (1e-12, 1e-3))
    assert [item.message.params["limit"] for item in (strict, lax)] == [1e-12, 1e-3]
    assert "above the limit" in strict.message.text
    assert "above the limit" not in lax.message.text
    assert strict.weight >= lax.weight + POLICY.ber_error
