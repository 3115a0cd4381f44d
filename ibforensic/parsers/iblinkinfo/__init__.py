"""Links as ``iblinkinfo`` prints them: a block for each node, or one line a link (``-l``).

**Who writes it:** ``iblinkinfo`` of infiniband-diags, all versions since the one in C (2010); seen: DDR to
NDR. The text names no version.

**Sample**::

    Switch: 0x0200000000000100 MF0;leaf-1:MQM9700/U1:
          1    2[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>      12    1[  ] "host-b mlx5_0" ( )
          1    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )

**Tables:** nodes, ports (those that are down included), links (each once), events: what the tool says of
links that could be wider or faster (``Could be 4X``). Speeds are those of a lane.

**Odd input:** in blocks the neighbour has a LID and a name, no GUID: it is found by its LID among the other
blocks, else it stays as text in ``x_peer``. An HCA's lines begin with the GUID of the *port*; the first
one of a block stands for the node, which is the same on all HCAs with one port. Prompts, other tools'
lines and ``...`` stand between the lines; names are padded in the one-line form; ``-p`` adds settings.

**Source:** atlas §8; infiniband-diags; real files from DDR to HDR.
"""

from __future__ import annotations

from ibforensic.model.enums import Level
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.iblinkinfo import rows
from ibforensic.parsers.iblinkinfo.lines import Found, scan
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.node_lines import node_table

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb'[ \t]*(?:0[xX][0-9a-fA-F]{1,16}[ \t]+(?:"[^"\r\n]{0,200}"[ \t]+)?)?\d{1,6}[ \t]+\d{1,3}[ \t]*'
    rb"\[[^\[\]\r\n]{0,12}\][ \t]*==\([^\r\n]{0,80}\)[^\r\n]{0,60}==>"
)


def _claims(_name: str, head: bytes) -> bool:
    return b"\0" not in head and _CLAIM.found_in(head.replace(b"\r", b"\n"))


SPEC = Spec(
    name="iblinkinfo",
    title="links by iblinkinfo",
    tool="iblinkinfo",
    order=44,
    claims=_claims,
    tables=("nodes", "ports", "links", "events"),
    versions="infiniband-diags 2010 to rdma-core",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of iblinkinfo output.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        Nodes, ports and links, and what the tool says of links that could do more.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    found = scan(text.split("\n"), troubles)
    known = rows.owners(found)
    rows.add_peers(found)
    _note_words(found, troubles)
    if found.last_line_cut:
        message = "the text ends within a line: what follows is missing"
        troubles.add("file_cut", text.count("\n") + 1, message, COPY_AGAIN)
    tables = {
        "nodes": node_table(list(found.nodes.values()), path, SPEC.name),
        "ports": rows.ports(found, known, path),
        "links": rows.links(found, known, path),
        "events": rows.events(found, path),
    }
    if not tables["ports"].num_rows:
        tables = {}
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole=not found.last_line_cut)


def _note_words(found: Found, troubles: Gathering) -> None:
    """Note states, widths and speeds that are not known."""
    for port in found.ports:
        for word in port.arrow.terms.strange:
            message = f"{word[:40]!r} is no known state, width or speed: left out"
            troubles.add("unknown_word", port.line, message, level=Level.INFO)
