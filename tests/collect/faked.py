"""Programs that are not what they seem: small scripts in a folder at the head of the search path."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

IBSTAT = """CA 'mlx5_0'
	CA type: MT4129
	Number of ports: 1
	Firmware version: 28.39.1002
	Hardware version: 0
	Node GUID: 0x020000000000a000
	System image GUID: 0x020000000000a000
	Port 1:
		State: Active
		Physical state: LinkUp
		Rate: 400
		Base lid: 12
		LMC: 0
		SM lid: 1
		Capability mask: 0xa751e848
		Port GUID: 0x020000000000a000
		Link layer: InfiniBand
"""


class Faked:
    """A folder of scripts, the only one in which tools are found."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        folder.mkdir()
        for shell in ("sh", "cat", "sleep", "date", "timeout", "env", "mkdir", "cp"):
            (folder / shell).symlink_to(
                next(p for p in (f"/usr/bin/{shell}", f"/bin/{shell}") if Path(p).exists())
            )
        patch.setenv("PATH", str(folder))
        patch.setattr("ibforensic.collect.machine._MORE_FOLDERS", ())

    def tool(self, name: str, script: str) -> None:
        """Add a tool that runs a text of the shell."""
        file = self.folder / name
        file.write_text(f"#!{self.folder}/sh\n{script}\n")
        file.chmod(0o755)

    def prints(self, name: str, text: str) -> None:
        """Add a tool that prints a text."""
        (self.folder / f"{name}.text").write_text(text)
        self.tool(name, f"cat '{self.folder}/{name}.text'")

    def ssh(self) -> None:
        """Add an ssh that stays on this host; hosts called down-… do not answer, others greet first."""
        self.tool(
            "ssh",
            "for word; do host=$last; last=$word; done\n"
            'case $host in *down-*) echo "ssh: connect to host $host: timed out" >&2; exit 255;; esac\n'
            'echo "Welcome to $host"\n'
            f"PATH={self.folder}:/nowhere; export PATH; exec sh -s",
        )


def children() -> set[int]:
    """Return the processes that were started from here and still run."""
    return {
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and _parent(entry) == os.getpid()
    }


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0
