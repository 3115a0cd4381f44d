"""Devices and ports that did not answer the current collection, though they are well.

The wording of the warnings follows those that real logs have of other questions (atlas §2.5, §7).
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from random import Random

from ibforensic.model.errors import BadUsage
from ibforensic.simulate.collection import Collection
from ibforensic.simulate.missing_forms import PM_SECTIONS
from ibforensic.simulate.truth import Json
from ibforensic.simulate.write_db_csv import Section
from ibforensic.simulate.write_sections import WARNINGS

_HCA, _SWITCH = "1", "2"
_NEIGHBOUR, _CONN = 9, 9
_SHOWN = 5
_Port = tuple[str, str]


def hosts(runs: list[Collection], share: float, rng: Random) -> Json:
    """Let some hosts not answer: their links are up, and nobody knows what is at the other end."""
    names = _names(runs[0])
    by_host: dict[str, list[str]] = {}
    for guid, (kind, name) in names.items():
        if kind == _HCA and "Aggregation" not in name:
            by_host.setdefault(name.split()[0], []).append(guid)
    silent = rng.sample(sorted(by_host), max(1, round(share * len(by_host))))
    gone = {guid for host in silent for guid in by_host[host]}
    for run in runs:
        _silence(run, gone)
    return {"hosts": sorted(silent), "node_guids": sorted(gone)}


def switch(runs: list[Collection], share: float, rng: Random) -> Json:
    """Let one switch not answer; if there is one, such that nobody is cut off by it."""
    names = _names(runs[0])
    neighbours: dict[str, set[str]] = {}
    for row in runs[0].rows("LINKS"):
        neighbours.setdefault(row["NodeGuid1"], set()).add(row["NodeGuid2"])
        neighbours.setdefault(row["NodeGuid2"], set()).add(row["NodeGuid1"])
    switches = [guid for guid, (kind, _) in names.items() if kind == _SWITCH]
    if len(switches) < 2:
        raise BadUsage("no switch would be left", "use a larger fabric")
    boss = next(runs[0].rows("SM_INFO"))["NodeGUID"]
    ends = {guid for guid, (kind, name) in names.items() if kind == _HCA and "Aggregation" not in name}
    alone = {guid for guid in ends if len(neighbours[guid]) == 1}
    above = [guid for guid in switches if guid != boss and not neighbours[guid] & alone]
    guid = rng.choice(above or [one for one in switches if one != boss])
    gone = {guid} | {other for other in neighbours[guid] if neighbours[other] == {guid}}
    for run in runs:
        _silence(run, gone)
    return {"node_guids": [guid], "node": names[guid][1], "behind": sorted(gone - {guid})}


def ports(runs: list[Collection], share: float, rng: Random) -> Json:
    """Let some ports not answer when asked for their counters."""
    every = sorted({(row["NodeGUID"], row["PortNumber"]) for row in runs[0].rows("PM_INFO")})
    silent = set(rng.sample(every, max(1, round(share * len(every)))))

    def is_silent(name: str, row: str) -> bool:
        cells = row.split(",", 3)
        return name in PM_SECTIONS and (cells[0], cells[2]) in silent

    for run in runs:
        run.keep_rows(lambda name, row: not is_silent(name, row))
        kept = {name: text for name, text in run.files.items() if not name.endswith(".pm")}
        others, run.files = kept, {name: text for name, text in run.files.items() if name.endswith(".pm")}
        run.drop_blocks(lambda title: _titled(title) in silent)
        run.files |= others
        warn(run, "WARNINGS_PORT_COUNTERS", sorted(silent), "PMPortCountersGet", "Port Counters")
    return {"ports": [{"node_guid": guid, "port": int(port)} for guid, port in sorted(silent)]}


def warn(run: Collection, section: str, silent: list[_Port], question: str, stage: str) -> None:
    """Say in db_csv and log that ports did not answer.

    Args:
        run: Changed in place.
        section: Section of the db_csv.
        silent: Ports, as node GUID and number.
        question: What they were asked.
        stage: Stage of the log that says so.
    """
    tail = f"No response for MAD {question}"
    rows = [f'PORT,{guid},{guid},{port},PORT_NO_RESPONSE,"{tail}- status = 4"' for guid, port in silent]
    if not rows:
        return
    run.sections.append(Section(section, WARNINGS, rows))
    lines = [f"-W- S{guid[2:]}/N{guid[2:]}/P{port} - {tail}, status = 4" for guid, port in silent[:_SHOWN]]
    if len(silent) > _SHOWN:
        lines.append("-I- All other warnings can be found in ibdiagnet2.db_csv")
    log = run.files.get("ibdiagnet2.log", "")
    head, title, body = log.partition(f"\n{stage}\n")
    if title:
        run.files["ibdiagnet2.log"] = f"{head}{title}-W- {stage} finished with warnings\n" + "\n".join(
            (*lines, "", body)
        )


def _names(run: Collection) -> dict[str, tuple[str, str]]:
    """Return kind and name of every node."""
    (rows,) = [section.rows for section in run.sections if section.name == "NODES"]
    return {cells[6]: (cells[2], cells[0]) for cells in csv.reader(rows)}


def _titled(title: str) -> _Port:
    """Return the port that the title of a block names."""
    words = dict(word.split("=", 1) for word in title.split() if "=" in word)
    return words["GUID"], words["Port"]


def _silence(run: Collection, gone: set[str]) -> None:
    """Take devices out of a collection, and say at the ports that lead to them that nobody answers."""
    lids = {row["LID"] for row in run.rows("PORTS") if row["NodeGuid"] in gone}
    edge = [
        near
        for row in run.rows("LINKS")
        for near, far in (_ends(row), _ends(row)[::-1])
        if far[0] in gone and near[0] not in gone
    ]
    run.keep_rows(lambda name, row: not any(guid in row for guid in gone))
    run.drop_blocks(lambda title: _titled(title)[0] in gone)
    short = {f"0x{int(guid, 16):x}" for guid in gone}
    bare = {guid[2:] for guid in gone}
    changes: dict[str, Callable[[str], str]] = {
        "net_dump": lambda text: _net_dump(text, short),
        "net_dump_ext": lambda text: _net_dump_ext(text, gone, lids),
        "lst": lambda text: _lines(text, lambda line: not any(guid in line for guid in bare)),
    }
    for ending, change in changes.items():
        name = f"ibdiagnet2.{ending}"
        if name in run.files:
            run.files[name] = change(run.files[name])
    warn(run, "WARNINGS_FABRIC_DISCOVER", sorted(edge), "SMPNodeInfo", "Discovery")


def _ends(row: dict[str, str]) -> tuple[_Port, _Port]:
    """Return both ends of a row of LINKS."""
    return (row["NodeGuid1"], row["PortNum1"]), (row["NodeGuid2"], row["PortNum2"])


def _lines(text: str, wanted: Callable[[str], bool]) -> str:
    """Keep the lines that are wanted."""
    return "\n".join(line for line in text.split("\n") if wanted(line))


def _net_dump(text: str, gone: set[str]) -> str:
    """Leave out the blocks of silent switches, and the names of silent neighbours."""
    lines, skip = [], False
    for line in text.split("\n"):
        cells = line.split(" : ")
        if line.startswith(('"', "#")):
            skip = line.startswith('"') and line.rsplit(", ", 2)[1] in gone
        elif len(cells) > _NEIGHBOUR and cells[_NEIGHBOUR].strip() in gone:
            line = " : ".join((*cells[:_NEIGHBOUR], *(" " * len(cell) for cell in cells[_NEIGHBOUR:-1]), ""))
        if not skip:
            lines.append(line)
    return "\n".join(lines)


def _net_dump_ext(text: str, gone: set[str], lids: set[str]) -> str:
    """Leave out the ports of silent devices, and where other ports lead to them."""
    lines = []
    for line in text.split("\n"):
        cells = line.split(" : ")
        if len(cells) > _CONN and cells[3].strip() in gone:
            continue
        if len(cells) > _CONN and cells[_CONN].split(" ")[0] in lids:
            cells[_CONN] = " " * len(cells[_CONN])
        lines.append(" : ".join(cells))
    return "\n".join(lines)
