"""Where the templates and samples are: beside the package in a checkout, inside it in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from ibforensic.model.errors import ForensicError

_PACKAGE = Path(__file__).resolve().parents[1]


def templates_dir() -> Path:
    """Return the folder of the report templates."""
    return _resource("templates")


def samples_dir() -> Path:
    """Return the folder of the sample scenarios."""
    return _resource("samples")


def _resource(name: str) -> Path:
    """Find a resource folder, the checkout's first."""
    checkout = _PACKAGE.parent
    in_checkout = (checkout / "pyproject.toml").is_file()
    for root in (checkout, _PACKAGE) if in_checkout else (_PACKAGE,):
        if (root / name).is_dir():
            return root / name
    raise ForensicError(f"the folder {name} is missing from the installation", "install ibforensic again")
