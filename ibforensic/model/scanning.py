"""Finding what stands in a folder: a parser, a rule or a section is one file, and nothing lists them."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType


def modules_with(mark: str, package: str, path: Iterable[str]) -> Iterator[ModuleType]:
    """Yield the modules of a package that have a mark.

    Args:
        mark: Name that such a module defines, such as ``SPEC``.
        package: Name of the package.
        path: Its folders, its ``__path__``.
    """
    for info in pkgutil.iter_modules(path):
        module = importlib.import_module(f"{package}.{info.name}")
        if hasattr(module, mark):
            yield module


def names_with(mark: str, folder: Path) -> Iterator[str]:
    """Yield the names of the modules in a folder whose source defines a mark, without loading them.

    Args:
        mark: Name that such a module defines, such as ``SPEC``.
        folder: The folder of the package.
    """
    defined = re.compile(rf"^{mark}\b[^=\n]*=", re.MULTILINE)
    for path in sorted((*folder.glob("*.py"), *folder.glob("*/__init__.py"))):
        if defined.search(path.read_text(encoding="utf-8")):
            yield path.parent.name if path.name == "__init__.py" else path.stem
