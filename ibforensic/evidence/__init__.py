"""Rules: facts in, evidence out. One file a rule, each with a ``RULE`` and a ``find``.

To add a rule, add a module here; nothing else has to be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ibforensic.evidence import said_reasons, training
from ibforensic.evidence.base import Rule, Scene
from ibforensic.evidence.policy import POLICY, Policy
from ibforensic.model.records import Evidence
from ibforensic.model.scanning import modules_with

__all__ = ["POLICY", "Policy", "RuleModule", "Scene", "gather", "rules"]


@dataclass(frozen=True, slots=True)
class RuleModule:
    """A rule found in this package.

    Attributes:
        rule: What it is.
        find: ``find(scene)`` → evidence.
        doc: Docstring of the module.
    """

    rule: Rule
    find: Callable[[Scene], Iterator[Evidence]]
    doc: str


@cache
def rules() -> tuple[RuleModule, ...]:
    """Return all rules in their order."""
    found = [
        RuleModule(module.RULE, module.find, module.__doc__ or "")
        for module in modules_with("RULE", __name__, __path__)
    ]
    return tuple(sorted(found, key=lambda item: (item.rule.order, item.rule.id)))


def gather(scene: Scene) -> tuple[Evidence, ...]:
    """Apply all rules.

    Args:
        scene: The facts, with limits and weights.

    Returns:
        All evidence, in the order of the rules.
    """
    found = said_reasons.unexplained(scene, (one for item in rules() for one in item.find(scene)))
    return training.weigh(scene, found)
