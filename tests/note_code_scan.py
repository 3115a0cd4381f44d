"""Finds the codes of notes and findings in the source: what they are called where they are made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

MADE_BY = {"Note": 0, "Fitness": 0, "finding": 0, "Cut": 0, "_note": 0, "_damage": 0}
"""Call → place of the code, or of its last part, among its arguments."""
GATHERED_BY = ("troubles", "skipped", "notes")
"""Names of what collects troubles: ``troubles.add("bad_row", …)``."""


def kinds(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and last part of the codes a source makes; ``*`` stands for what is put in when it runs."""
    tree = ast.parse(source)
    named = {
        item.targets[0].id: item.value
        for item in tree.body
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any("Error" in ast.unparse(base) for base in node.bases):
            values = [item.value for item in node.body if isinstance(item, ast.Assign)]
            yield from ((node.lineno, text) for value in values for text in _texts(value))
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        if name == "add" and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value).rsplit(".", 1)[-1]
            place = 0 if owner in GATHERED_BY and len(node.args) > 1 else None
        else:
            place = MADE_BY.get(name)
        if place is not None and len(node.args) > place:
            yield from (
                (node.lineno, text.rpartition(".")[2])
                for text in _texts(named.get(ast.unparse(node.args[place]), node.args[place]))
            )


def _texts(value: ast.expr) -> Iterator[str]:
    """Yield the texts an expression may be; names of variables say nothing."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in value.values)
    elif isinstance(value, ast.IfExp):
        yield from _texts(value.body)
        yield from _texts(value.orelse)
