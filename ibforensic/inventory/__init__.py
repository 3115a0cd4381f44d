"""What one snapshot holds, section by section: lists that engineers ask for, beside the verdict.

To add a section, add a module here with an ``ORDER`` and a ``build``; nothing else has to be told. They
tell levels and accuse nobody.
"""

from __future__ import annotations

from ibforensic.diff.facts import Facts
from ibforensic.evidence import POLICY, Policy, Scene
from ibforensic.model.inventory import Inventory
from ibforensic.model.scanning import modules_with

__all__ = ["take_stock"]


def take_stock(facts: Facts, policy: Policy = POLICY) -> tuple[Inventory, ...]:
    """Build all sections.

    Args:
        facts: What is true of a sample on its own.
        policy: Limits.

    Returns:
        The sections in their order; those without rows say that there is nothing, or that nothing was
        collected.
    """
    scene = Scene(facts, policy)
    modules = sorted(modules_with("ORDER", __name__, __path__), key=lambda module: module.ORDER)
    return tuple(section for module in modules for section in module.build(scene))
