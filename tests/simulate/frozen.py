"""The numbers of the simulator, as one fingerprint: they are frozen, so that nobody tunes what judges him.

``make evaluate`` measures the verdict on simulated incidents. Whoever changes a number there changes the
measure: then the figures of docs/accuracy.md, and those beside the naive rankers, have to be made again, and
the fingerprint with them.

    python tests/simulate/frozen.py     prints the fingerprint
"""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

import ibforensic.simulate

FOLDER = Path(ibforensic.simulate.__file__).parent
FORMS = ("write_", "tables", "text", "spelling", "missing", "names", "writers", "options", "stories")
"""Parts of names of modules that only put into words what was decided elsewhere."""


def numbers() -> dict[str, list[str]]:
    """Return the numbers that stand in each module of physics, in their order."""
    found = {}
    for path in sorted(FOLDER.glob("*.py")):
        if not any(form in path.stem for form in FORMS):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found[path.stem] = [
                repr(node.value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and type(node.value) in (int, float)
            ]
    return found


def fingerprint() -> str:
    """Return a hash over all of them."""
    return hashlib.sha256(repr(sorted(numbers().items())).encode()).hexdigest()[:16]


if __name__ == "__main__":
    print(fingerprint())
