"""Finding what stands in a folder: a parser, a rule or a section is one file, and nothing lists them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
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
