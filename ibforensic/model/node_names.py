"""What the name of an HCA in the fabric tells: the host it sits in, and the device there."""

from __future__ import annotations

import re

__all__ = ["host_in"]

_HOST = re.compile(
    r"(?P<host>\S+)\s+(?:mlx\d+_\d+|HCA-\d+|ibp?\w+|hfi\d+_\d+|\S*bond\w*)\s*\Z", re.IGNORECASE
)


def host_in(name: str) -> str | None:
    """Return the host in the name of an HCA; None where the name does not tell.

    Args:
        name: Node description, such as ``gpu-7 mlx5_3`` or ``gpu-7 HCA-1``.
    """
    match = _HOST.match(name)
    return match["host"] if match else None
