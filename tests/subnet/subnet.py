"""The simulated subnet of ``bench/peers`` as tests use it: they skip where the programs are not installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.peers.subnet import PRELOAD, Subnet, lacking

__all__ = ["Subnet", "preloaded", "require"]


def require() -> None:
    """Skip where the programs are not there; where CI=true that is a failure."""
    gone = lacking()
    if not gone:
        return
    why = f"no simulated subnet without {gone} (ibsim-utils, libumad2sim0, opensm)"
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


@contextmanager
def preloaded(subnet: Subnet) -> Iterator[None]:
    """Let programs that are started within talk to the simulator, as ibsim-run does."""
    names = ("SIM_HOST", "IBSIM_SOCKNAME")
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setenv(name, subnet.environment[name])
        patch.setenv("LD_PRELOAD", str(PRELOAD[0]))
        yield
