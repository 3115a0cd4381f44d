"""What is told about every format: who writes it, versions seen, tables it fills. One text for all."""

from __future__ import annotations

from ibforensic.parsers.base import Spec

__all__ = ["facts_of"]


def facts_of(spec: Spec, mark: str = "") -> str:
    """Say who writes a format, which versions were seen, and which tables it fills.

    Args:
        spec: The format.
        mark: What stands before and behind the name of a table.
    """
    tables = ", ".join(f"{mark}{name}{mark}" for name in spec.tables)
    fills = f"Fills {tables}" if tables else "Fills no table"
    return f"Written by {spec.tool}. Versions seen: {spec.versions or 'any'}. {fills}."
