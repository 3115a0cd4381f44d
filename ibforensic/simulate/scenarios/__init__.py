"""Scenarios with a story: the samples that are checked in, and that tests and the demo read.

To add one, add a module here with a ``SCENARIO``; nothing else has to be told. ``make samples`` writes all
of them to ``samples/``, and a test compares what is checked in with what would be written.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ibforensic.model.scanning import modules_with
from ibforensic.simulate.scenarios.base import Scenario, write_scenario

__all__ = ["Scenario", "scenarios", "write_samples", "write_scenario"]


@cache
def scenarios() -> dict[str, Scenario]:
    """Return all scenarios by name, in the order in which somebody new should read them."""
    found: list[Scenario] = [module.SCENARIO for module in modules_with("SCENARIO", __name__, __path__)]
    return {scenario.name: scenario for scenario in sorted(found, key=lambda one: (one.order, one.name))}


def write_samples(directory: Path) -> None:
    """Write every scenario into a folder of its name.

    Args:
        directory: ``samples/`` of a checkout. Files of the same names are overwritten, others stay.

    Raises:
        OSError: A file cannot be written.
    """
    for scenario in scenarios().values():
        write_scenario(directory / scenario.name, scenario)
