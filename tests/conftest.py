"""Shared fixtures: the reference corpus of real files, read where it is present."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPUS = SHARED / "corpus"
MINI = SHARED / "formats" / "mini"
_read: set[Path] = set()


def real_file(relative: str) -> Path:
    """Return a real file or folder of the reference corpus, or skip the test where it is absent.

    Where ``CI=true`` and the reference folder exists, a missing file is a failure instead.
    """
    return _reference(CORPUS / relative)


def mini_file(name: str) -> Path:
    """Return one of the exactly formatted example files, or skip as ``real_file`` does."""
    return _reference(MINI / name)


def _reference(path: Path) -> Path:
    if not path.exists():
        if os.environ.get("CI") == "true" and SHARED.exists():
            pytest.fail(f"reference file is missing: {path}")
        pytest.skip("the reference corpus is not beside this checkout")
    _read.update(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else _read.add(path)
    return path


def pytest_terminal_summary(terminalreporter):
    """Say how many real files the tests looked at."""
    real = [path for path in _read if path.is_relative_to(CORPUS)]
    terminalreporter.write_line(
        f"reference corpus: {len(real)} real files, {len(_read) - len(real)} examples tested"
    )
