"""Builds small db_csv files the way ibdiagnet lays them out, and reads what came of them."""

from __future__ import annotations

from ibforensic.parsers.base import Parsed

LEAF = "0x0abc000000000100"
HOST = "0x0abc00000000a000"

RUN = (
    "IBDIAGNET_Version,IBDIAG_Version,Date,Args",
    '"IBDIAGNET 2.12.0","IBDIAG 2.1.1","2031-05-06 07:08:09 EST -0500"," --pm_pause_time 30 -o /tmp/out"',
)
NODES = (
    "NodeDesc,NumPorts,NodeType,ClassVersion,SystemImageGUID,NodeGUID,PortGUID,DeviceID,VendorID",
    f'"MF0;row-1, east:Q9700/U1",65,2,1,{LEAF},{LEAF},{LEAF},54002,713',
    f'"calc-1 mlx5_0 ",1,1,1,{HOST},{HOST},{HOST},4129,713',
)
PM = ("NodeGUID,PortGUID,PortNumber,LinkDownedCounter,SymbolErrorCounter,SymbolErrorCounterExt",)


def build(*sections: tuple[str, tuple[str, ...]], index: bool = True) -> bytes:
    """Return a db_csv of sections (name, lines), with a head comment and INDEX_TABLE unless unwanted."""
    head = "# INDEX_TABLE offset:%12d, line:%12d\n\n\n" if index else ""
    text = head % (0, 0) if index else ""
    entries = []
    for name, lines in sections:
        text += f"START_{name}\n"
        block = "".join(f"{line}\n" for line in lines)
        entry = (len(text.encode()), len(block.encode()), text.count("\n") + 1, len(lines) - 1)
        entries.append((name, entry))
        text += f"{block}END_{name}\n\n\n"
    if not index:
        return text.encode()
    place = (len(text.encode()), text.count("\n") + 1)
    text += "START_INDEX_TABLE\nName, Offset, Size, Line, Rows\n"
    for name, entry in entries:
        text += name + "".join(f",{value:12d}" for value in entry) + "\n"
    text += "END_INDEX_TABLE\n"
    return (head % place + text[len(head % (0, 0)) :]).encode()


def codes(parsed: Parsed) -> list[str]:
    """Return the codes of the notes."""
    return [note.code for note in parsed.notes]


def column(parsed: Parsed, table: str, name: str) -> list:
    """Return a column of a canonical table as a list."""
    return parsed.tables[table][name].to_pylist()
