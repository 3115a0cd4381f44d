"""An incident with something of everything, and what other tools than ibdiagnet show of it, read back."""

from __future__ import annotations

from pathlib import Path

from ibforensic.parsers import claimant
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, parse_also, write_also

KINDS = (
    FaultKind.BAD_LINK,
    FaultKind.SPEED_LOSS,
    FaultKind.DEAD_LINK,
    FaultKind.DEAD_HOST,
    FaultKind.HOST_REBOOT,
    FaultKind.RENAME_HOST,
    FaultKind.LID_RESHUFFLE,
)


def incident(seed: int = 5) -> Sample:
    """Return the current sample of an incident of all these kinds."""
    faults = [Fault(kind, severity="high") for kind in KINDS]
    return make_incident(make_fabric(3, 2, 4, 2, seed), faults, seed=seed)[0].current


def written(sample: Sample, directory: Path, names: str) -> Path:
    """Write a sample in some formats and return the folder."""
    write_also(directory, sample, parse_also(names), Occasion(5))
    return directory


def read_back(folder: Path, table: str) -> list[dict]:
    """Parse the files of a folder and return the rows of a table; no parser may complain."""
    rows: list[dict] = []
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        parser = claimant(path.name, data)
        assert parser is not None, path.name
        parsed = parser.parse(path.name, data)
        assert list(parsed.notes) == [], path.name
        assert parsed.whole
        rows += parsed.tables[table].to_pylist() if table in parsed.tables else []
    return rows
