"""A simulated subnet: the real tools against ibsim, its console on standard input."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

NEEDED = (
    "ibsim",
    "ibsim-run",
    "opensm",
    "ibnetdiscover",
    "iblinkinfo",
    "ibqueryerrors",
    "perfquery",
    "sminfo",
)
SBIN = "/usr/sbin:/sbin"
PRELOAD = sorted(Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"))
READY_S = 20.0
_numbers = itertools.count()


class NoSubnetError(Exception):
    """The subnet does not come up."""


def lacking() -> str:
    """Name what is not installed of what a subnet needs; empty where all is there."""
    path = f"{os.environ['PATH']}:{SBIN}"
    gone = [tool for tool in NEEDED if shutil.which(tool, path=path) is None]
    return "" if not gone and PRELOAD else ", ".join(gone) or "libumad2sim"


class Subnet:
    """ibsim with a fabric, and opensm that runs it."""

    def __init__(self, netfile: Path, folder: Path, host: str) -> None:
        """Start both.

        Args:
            netfile: Fabric, as ibnetdiscover prints it.
            folder: Empty folder for what they write.
            host: Node on which the tools run.
        """
        self.folder = folder
        self.environment = {
            **os.environ,
            "PATH": f"{os.environ['PATH']}:{SBIN}",
            "SIM_HOST": host,
            # Several simulators may run at a time, each under a name of its own.
            "IBSIM_SOCKNAME": f"ibforensic-{os.getpid()}-{next(_numbers)}",
            "OSM_CACHE_DIR": str(folder),
            "OSM_TMP_DIR": str(folder),
            "LC_ALL": "C",
        }
        self.running: list[subprocess.Popen[bytes]] = []
        self.simulator = self._start(["ibsim", "-s", str(netfile)], console=True)
        time.sleep(0.2)
        # It looks every second whether a link has changed; by default it would every ten.
        self._start(["ibsim-run", "opensm", "-s", "1", "-f", str(folder / "opensm.log")])
        self.wait_for_manager()

    def _start(self, command: Sequence[str], *, console: bool = False) -> subprocess.Popen[bytes]:
        with (self.folder / f"{command[0]}.out").open("wb") as out:
            started = subprocess.Popen(
                command,
                env=self.environment,
                cwd=self.folder,  # a program that is ended leaves a folder of its own where it ran
                stdin=subprocess.PIPE if console else None,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.running.append(started)
        return started

    def tool(self, *command: str) -> str:
        """Run one tool in the subnet and return what it prints."""
        done = subprocess.run(
            ["ibsim-run", *command],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            timeout=20,
            check=False,
        )
        return done.stdout.decode()

    def tell(self, *lines: str) -> None:
        """Give commands to the console, and wait until they are done.

        Args:
            lines: The commands.
        """
        stdin = self._console
        stdin.write("".join(f"{line}\n" for line in lines).encode())
        stdin.flush()
        time.sleep(0.2)

    def wait_for_manager(self) -> None:
        """Wait until the subnet manager has made every link active that is up."""
        end = time.monotonic() + READY_S
        while time.monotonic() < end:
            links = self.tool("iblinkinfo", "-l")
            if "Active/" in links and not re.search(r"(?:Initialize|Armed)/", links):
                return
            time.sleep(0.1)
        self.stop()
        raise NoSubnetError(f"opensm did not bring the subnet up in {READY_S} s")

    def lid(self, node_guid: str) -> int:
        """Return the LID of a switch."""
        links = self.tool("iblinkinfo", "-l")
        found = re.search(rf'^{node_guid} "[^"]*" +(\d+)', links, re.MULTILINE)
        if found is None:
            raise NoSubnetError(f"{node_guid} has no LID")
        return int(found[1])

    @property
    def _console(self) -> IO[bytes]:
        console = self.simulator.stdin
        assert console is not None  # it was started with one
        return console

    def stop(self) -> None:
        """End what was started here, and nothing else."""
        self._console.close()
        for one in reversed(self.running):
            if one.poll() is None:
                os.killpg(one.pid, signal.SIGTERM)
                try:
                    one.wait(5)
                except subprocess.TimeoutExpired:
                    os.killpg(one.pid, signal.SIGKILL)
                    one.wait(5)
