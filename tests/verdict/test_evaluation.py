"""How often the verdict is right, over random incidents with everyday trouble around them."""

from __future__ import annotations

from random import Random

from incidents import FAULTS, HARMLESS, blames, drawn_size, hit, incident, port
from small_fabric import compare

from ibforensic.simulate.faults import Fault

INCIDENTS = 60
HEALTHY = 20


def _harmless(rng):
    return [Fault(kind) for kind in rng.sample(HARMLESS, rng.randint(0, 3))]


def test_the_right_link_is_named_first_and_victims_are_not():
    right = ends = directed = blamed = beside = 0
    wrong = []
    for seed in range(INCIDENTS):
        rng = Random(f"incident/{seed}")
        fault = Fault(FAULTS[seed % len(FAULTS)], severity=("medium", "high")[seed // len(FAULTS) % 2])
        baseline, current, truth = incident([fault, *_harmless(rng)], seed, **drawn_size(rng))
        suspects = compare(baseline, current).document["suspects"]
        sought = truth["suspect"]
        first = suspects[0] if suspects else None
        ok = first is not None and hit(sought, first)
        right += ok
        beside += sum(not hit(sought, suspect) for suspect in suspects)
        blamed += bool(first and not ok and blames({port(victim) for victim in truth["victims"]}, first))
        if ok and sought["end"]:
            directed += 1
            ends += first["end"] is not None and port(first["end"]) == port(sought["end"])
        if not ok:
            wrong.append((seed, str(fault.kind)))
    print(
        f"\n{INCIDENTS} incidents: link top-1 {right / INCIDENTS:.3f}, end {ends}/{directed}, "
        f"victim blamed {blamed / INCIDENTS:.3f}, further suspects {beside / INCIDENTS:.3f}; wrong: {wrong}"
    )
    assert right / INCIDENTS >= 0.9
    assert blamed / INCIDENTS <= 0.03
    assert beside / INCIDENTS <= 0.1
    assert directed
    assert ends / directed >= 0.85


def test_healthy_pairs_have_no_suspects():
    false = []
    for seed in range(HEALTHY):
        rng = Random(f"healthy/{seed}")
        baseline, current, truth = incident(_harmless(rng), 500 + seed, **drawn_size(rng))
        document = compare(baseline, current).document
        assert truth["suspect"] is None
        assert document["verdict"] != "cannot_judge"
        false += [suspect["headline"]["text"] for suspect in document["suspects"]]
    print(f"\n{HEALTHY} healthy pairs: {len(false) / HEALTHY:.3f} false suspects a pair")
    assert len(false) / HEALTHY <= 0.1, false
