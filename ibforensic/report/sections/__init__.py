"""Sections of the report: one module each, with a ``SECTION``, and a template of the same stem.

To add a section, add a module here and ``templates/sections/<name>.html.j2``; nothing else has to be told.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ibforensic.report.sections.base import Section

__all__ = ["Section", "sections"]


@cache
def sections() -> tuple[Section, ...]:
    """Return all sections in their order in the page."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    found = [module.SECTION for module in modules if hasattr(module, "SECTION")]
    return tuple(sorted(found, key=lambda section: (section.order, section.anchor)))
