"""What a run was not asked, what an older tool does not know or writes another way; files that were cut."""

from __future__ import annotations

from random import Random

from ibforensic.model.counters import CATALOGUE, by_spelling
from ibforensic.model.enums import CounterGroup
from ibforensic.model.errors import BadUsage
from ibforensic.simulate.collection import MAIN, Collection
from ibforensic.simulate.spelling import VERSIONS
from ibforensic.simulate.truth import Json
from ibforensic.simulate.write_counters import NO_VALUE

PM_SECTIONS = ("PM_INFO", "PM_DELTA")
_MODULE_SECTIONS = ("CABLE_INFO", "PHY_DB12")
_PHY_EXTRAS = ("ERRORS_SYMBOL_BER_CHECK", "TEMPERATURE_SENSORS", "FANS_SPEED")
_TIMES = ("Running timestamp", "File created at", "File closed at")
_NARROW_BITS = 32
_HEX_COLUMNS = ("DataExtended", "PktsExtended", "PortXmitWaitExt")
_OLD_VERSIONS = (
    "IBDIAGNET 2.8.1.MLNX20210315.9f7c5a1",
    "IBDIAG 2.1.1.9f7c5a1",
    "IBDM 2.1.1.9f7c5a1",
    "IBIS 6.0.0.4d2e8b7",
)
_OLD_WITHOUT = {
    "PORTS": ("FECActv", "RetransActv", "CapMsk2", "OOOSLMask"),
    "NODES_INFO": ("SWInfo_SubMinor", "SWInfo_Minor", "SWInfo_Major", "HWInfo_technology"),
}
_SYMBOL_BER = 14
"""Place of the column in .net_dump_ext."""
_DATE = 4
"""Place of the column in RUN_INFO."""
_DB_CSV, _PM = by_spelling("db_csv"), by_spelling("pm")


def phy(runs: list[Collection], share: float, rng: Random) -> Json:
    """Leave out what --get_phy_info gives: registers of ports, sensors, fans, .net_dump_ext."""
    for run in runs:
        run.keep_sections(lambda name: name not in _PHY_EXTRAS and not name.startswith("PHY_"))
        run.drop_files("net_dump_ext")
        _unasked(run, "--get_phy_info")
    return {}


def modules(runs: list[Collection], share: float, rng: Random) -> Json:
    """Leave out what --get_cable_info gives, and the registers of modules."""
    for run in runs:
        run.keep_sections(lambda name: name not in _MODULE_SECTIONS)
        run.drop_files("cables")
        _unasked(run, "--get_cable_info")
    return {}


def details(runs: list[Collection], share: float, rng: Random) -> Json:
    """Leave the details of receive errors and discards empty, as where devices do not count them."""

    def in_csv(column: str, cell: str) -> str:
        return "-1" if column in _DB_CSV and _is_detail(_DB_CSV[column][0].group) else cell

    def in_pm(line: str) -> str:
        name = line.partition("=")[0]
        return f"{name}=NA" if name in _PM and _is_detail(_PM[name][0].group) else line

    for run in runs:
        for section in PM_SECTIONS:
            run.change_cells(section, in_csv)
        run.change_lines(in_pm)
    return {}


def narrow(runs: list[Collection], share: float, rng: Random) -> Json:
    """Leave out all counters of more than 32 bits; those that are left stick when they are full."""
    for run in runs:
        for section in PM_SECTIONS:
            run.keep_columns(section, lambda column: column not in _DB_CSV or not _wide(*_DB_CSV[column]))
        run.change_lines(_narrow_line)
    return {}


def columns(runs: list[Collection], share: float, rng: Random) -> Json:
    """Leave out columns that an older tool does not know."""
    for run in runs:
        for section in PM_SECTIONS:
            run.keep_columns(section, lambda column: not _twin(column) and column != "QP1DroppedExt")
        for section, names in _OLD_WITHOUT.items():
            run.keep_columns(section, lambda column, names=names: column not in names)  # type: ignore[misc]
    return {}


def old_version(runs: list[Collection], share: float, rng: Random) -> Json:
    """Write as ibdiagnet 2.8 did: wide counters in hexadecimal, -1 for none, port numbers for labels."""
    for run in runs:
        for section in PM_SECTIONS:
            run.change_cells(section, _old_cell)
        run.keep_rows(lambda name, row: name != "WARNINGS_VS_CAPABILITY_GMP")
        run.change_rows("RUN_INFO", _old_text)
        _number_neighbours(run)
        run.change_lines(_old_text)
        for name, text in run.files.items():
            run.files[name] = _old_ext(text) if name.endswith("_ext") else text
    return {"version": _OLD_VERSIONS[0]}


def no_times(runs: list[Collection], share: float, rng: Random) -> Json:
    """Leave out all times of the run; devices still tell their uptime."""
    for run in runs:
        run.change_rows("RUN_INFO", _dateless)
        run.change_lines(_timeless)
    return {}


def pm_only(runs: list[Collection], share: float, rng: Random) -> Json:
    """Keep .pm and the lists of links, as people send who know these files."""
    kept = ("ibdiagnet2.pm", "ibdiagnet2.net_dump", "ibdiagnet2.lst")
    for run in runs:
        if kept[0] not in run.files:
            raise BadUsage("there is no .pm to keep", "let the runs ask about the physical layer")
        run.sections = []
        run.files = {name: text for name, text in run.files.items() if name in kept}
    return {}


def cut(folder_of: Collection, rng: Random) -> Json:
    """Cut the db_csv of a collection that was written; return where.

    Raises:
        OSError: The file cannot be read or written.
    """
    path = folder_of.folder / MAIN
    data = path.read_bytes()
    size = len(data) * rng.randint(300, 900) // 1000
    path.write_bytes(data[:size])
    return {"bytes": size, "of": len(data)}


def _unasked(run: Collection, option: str) -> None:
    """Take an option out of the command line, wherever it is printed."""
    run.change_lines(lambda line: line.replace(f"{option} ", ""))
    run.change_rows("RUN_INFO", lambda row: row.replace(f" {option}", "").replace(f"{option} ", ""))


def _dateless(row: str) -> str:
    """Leave the date out of the row of RUN_INFO."""
    cells = row.split('","')
    cells[_DATE] = "N/A"
    return '","'.join(cells)


def _timeless(line: str) -> str:
    """Leave the time out of a line of the head, or of the last line, which stays: the file is whole."""
    for word in _TIMES:
        before, found, _ = line.partition(word)
        if found and before in ("", "# "):
            return f"{before}{word} : N/A"
    return line


def _is_detail(group: CounterGroup) -> bool:
    """Whether a counter is one of the details."""
    return group is CounterGroup.DETAIL


def _wide(counter: object, column: str) -> bool:
    """Whether a column holds a register of more than 32 bits."""
    found = CATALOGUE.get(column)
    return found is None or found.bits > _NARROW_BITS


def _twin(column: str) -> bool:
    """Whether a column of PM_INFO is the wide twin of an error counter."""
    if column not in _DB_CSV:
        return False
    counter, name = _DB_CSV[column]
    return name != counter.name and counter.bits < _NARROW_BITS


def _narrow_line(line: str) -> str | None:
    """Leave out a line of .pm about a wide register."""
    name, equals, _ = line.partition("=")
    return None if equals and name in _PM and _wide(*_PM[name]) else line


def _old_cell(column: str, cell: str) -> str:
    """Print a cell of PM_INFO as ibdiagnet 2.8 did."""
    if cell == NO_VALUE:
        return "-1"
    return f"0x{int(cell):016x}" if column.endswith(_HEX_COLUMNS) and not cell.startswith("-") else cell


def _old_text(line: str) -> str:
    """Name the old version, and print the command line as it did."""
    for new, old in zip(VERSIONS, _OLD_VERSIONS, strict=True):
        line = line.replace(new, old)
    return line.replace("Running command   :", "Running           :").replace("Running command:", "Running:")


def _old_ext(text: str) -> str:
    """Leave the column Symbol BER out of .net_dump_ext."""
    lines = []
    for line in text.split("\n"):
        cells = line.split(" : ")
        lines.append(" : ".join(cells[:_SYMBOL_BER] + cells[_SYMBOL_BER + 1 :]))
    return "\n".join(lines)


def _number_neighbours(run: Collection) -> None:
    """Print the number of the neighbour's port in .net_dump in place of its label."""
    far = {}
    for row in run.rows("LINKS"):
        one, other = (row["NodeGuid1"], row["PortNum1"]), (row["NodeGuid2"], row["PortNum2"])
        far[one], far[other] = other[1], one[1]
    guid, lines = "", []
    for line in run.files.get("ibdiagnet2.net_dump", "").split("\n"):
        cells = line.split(" : ")
        if line.startswith('"'):
            guid = f"0x{int(line.rsplit(', ', 2)[1], 16):016x}"
        elif len(cells) > 10 and (guid, cells[1].strip()) in far:
            cells[10] = f"{far[guid, cells[1].strip()]:<10}"
        lines.append(" : ".join(cells))
    if "ibdiagnet2.net_dump" in run.files:
        run.files["ibdiagnet2.net_dump"] = "\n".join(lines)
