"""The lines of ibqueryerrors: nodes, ports with what they counted, links, and the summary at the end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from ibforensic.model.enums import Level
from ibforensic.model.ids import guid
from ibforensic.parsers.advice import COPY_AGAIN, LOOK
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibqueryerrors.silence import Silence
from ibforensic.parsers.link_arrows import Arrow, read_arrow
from ibforensic.parsers.node_lines import NodeLine, read_node_line
from ibforensic.parsers.stderr_lines import mended

__all__ = ["ALL_PORTS", "Found", "Item", "PortLine", "Summary", "scan"]

ALL_PORTS = 255
"""Number under which the sum over all ports of a switch is kept, as perfquery prints it."""

_TITLE = re.compile(r'(Errors|Data Counters) for (?:(0x[0-9a-fA-F]{1,16})[ :]+)?"(.*)"[ \t]*\Z')
_PORT = re.compile(r"[ \t]*GUID (0[xX][0-9a-fA-F]{1,16}):? port (ALL|\d{1,3})[ \t]*:(.*)", re.ASCII)
_ITEM = re.compile(r"\[(\w{1,60}) == (\w{1,24})(?: (\([^()\[\]]{0,24}\)))?\]", re.ASCII)
_LINK = "Link info:"
_NODES = re.compile(r"## Summary: (\d{1,9}) nodes checked, (\d{1,9}) bad nodes found", re.ASCII)
_PORTS = re.compile(r"##\s+(\d{1,9}) ports checked, (\d{1,9}) ports have errors beyond threshold", re.ASCII)
_FAILURES = re.compile(r"##\s+(\d{1,9}) PMA query failures", re.ASCII)
_SUPPRESSED = re.compile(r"(?:##[ \t]*)?Suppress(?:ed|ing):(.*)")
_THRESHOLD = re.compile(r"(\w{4,60})[ \t]*(?:==|[=:>])?[ \t]*(\d{1,20})", re.ASCII)
_TOOL_SAYS = re.compile(r"(?:src/\S+: ?)?(ibwarn|ibpanic|iberror|ibqueryerrors)\b.*?: ?|src/\w+\.c:\d+;")
_guid = lru_cache(maxsize=1 << 16)(guid)
_AGAIN = "run ibqueryerrors again; the counters that are whole are used"


Item = tuple[str, str, str]
"""Name and value as printed; and the value spelt once more for people, for 64-bit registers and all data."""


@dataclass(slots=True)
class PortLine:
    """What one line tells of a port.

    Attributes:
        node_guid: Node.
        num: Port; ``ALL_PORTS`` for the sum over all ports.
        line: Line.
        items: The counters in the order of the line.
        names: Their names.
        data_only: Whether data counters alone were asked.
        whole: Whether the line has its end.
        arrow: The link, where the line below tells it.
        arrow_line: That line.
    """

    node_guid: str
    num: int
    line: int
    items: list[Item]
    names: frozenset[str]
    data_only: bool
    whole: bool
    arrow: Arrow | None = None
    arrow_line: int = 0


@dataclass(slots=True)
class Summary:
    """What the end of the text says.

    Attributes:
        line: Line of its begin; None where it is missing.
        counts: ``nodes_checked``, ``bad_nodes``, ``ports_checked``, ``bad_ports``, ``query_failures``.
        thresholds: Counter → highest value that is not printed; None where the text does not tell.
        suppressed: Counters that are not printed whatever their values.
    """

    line: int | None = None
    counts: dict[str, int] = field(default_factory=dict)
    thresholds: dict[str, int] | None = None
    suppressed: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether the tool came to its end."""
        told = "nodes_checked" in self.counts and "ports_checked" in self.counts
        return told and self.thresholds is not None


@dataclass(slots=True)
class Found:
    """What the lines hold.

    Attributes:
        nodes: Nodes that the titles and lines of other tools name.
        ports: Ports in order.
        summary: The end of the text.
        failed: Whether the tool said that it failed as a whole.
        silence: Who did not answer a query.
        titles: How many nodes have a title.
        data_alone: Whether it is a list of data counters, which tells nothing of errors.
    """

    nodes: list[NodeLine] = field(default_factory=list)
    ports: list[PortLine] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)
    failed: bool = False
    silence: Silence = field(default_factory=Silence)
    titles: int = 0
    data_alone: bool = False

    @property
    def listed(self) -> int:
        """How many ports are listed, sums left out."""
        return sum(port.num != ALL_PORTS for port in self.ports)

    @property
    def lost(self) -> bool:
        """Whether the totals count more ports or nodes with errors than are listed."""
        counts = self.summary.counts
        return self.listed < counts.get("bad_ports", 0) or self.titles < counts.get("bad_nodes", 0)

    @property
    def complete(self) -> bool:
        """Whether the tool came to its end, and all that it found is listed."""
        return self.summary.complete and not self.failed and not self.lost

    @property
    def nameless(self) -> int:
        """How many queries failed, at the least, of which nothing tells whom they were sent to."""
        counted = self.summary.counts.get("query_failures", 0) - self.silence.named
        return max(counted, int(self.silence.nameless is not None))


def scan(lines: list[str], troubles: Gathering) -> Found:
    """Read all lines.

    Args:
        lines: The file.
        troubles: Takes lines that cannot be read, and what the tool said.

    Returns:
        What was found.
    """
    found = Found()
    title: re.Match[str] | None = None
    title_line = 0
    for number, line in mended(lines):
        port = _PORT.match(line)
        if port is not None:
            _port(port, title, title_line, number, found, troubles)
            continue
        if line.startswith(("Errors for", "Data Counters for")) and (told := _TITLE.match(line)):
            title, title_line = told, number
            found.titles += 1
            found.data_alone |= told[1] != "Errors"
        elif _LINK in line:
            _link(line, number, found, troubles)
        elif line.startswith(("##", "Suppress")):
            _end(line, number, found.summary)
        elif line and not line.isspace():
            _other_line(line.strip(), number, found, troubles, last=number == len(lines))
    return found


def _port(
    match: re.Match[str],
    title: re.Match[str] | None,
    title_line: int,
    number: int,
    found: Found,
    troubles: Gathering,
) -> None:
    """Add a port, and its node where the title above it is new."""
    node_guid = _guid(match[1])
    if node_guid is None:
        troubles.add("bad_line", number, "the port has no GUID: it is left out", LOOK)
        return
    rest = match[3].rstrip()
    items = _ITEM.findall(rest)
    whole = rest.endswith("]") and rest.count("[") == len(items)
    if not whole:
        message = "the line is cut, or holds a counter that cannot be read; what is whole is used"
        troubles.add("bad_counter", number, message, _AGAIN)
    num = ALL_PORTS if match[2] == "ALL" else int(match[2])
    names = frozenset([name for name, _, _ in items])
    data_only = title is not None and title[1] != "Errors"
    found.ports.append(PortLine(node_guid, num, number, items, names, data_only, whole))
    if title is not None and (not found.nodes or found.nodes[-1].line != title_line):
        # The kind of node is left open: a list of bad nodes must not pass for a list of all of them.
        found.nodes.append(NodeLine(node_guid, None, title[3], title_line))


def _link(line: str, number: int, found: Found, troubles: Gathering) -> None:
    """Add the link below a port to it."""
    arrow = read_arrow(line.split(_LINK, 1)[1])
    port = found.ports[-1] if found.ports else None
    if arrow is None or port is None or port.num != arrow.num or port.arrow is not None:
        troubles.add("bad_link", number, "the link cannot be read, or is none of the port above it", LOOK)
        return
    port.arrow, port.arrow_line = arrow, number


def _end(line: str, number: int, summary: Summary) -> None:
    """Read a line of the summary."""
    told = {"nodes": _NODES, "ports": _PORTS, "query": _FAILURES}
    hits = {what: hit for what, pattern in told.items() if (hit := pattern.match(line))}
    suppressed = _SUPPRESSED.match(line)
    if "nodes" in hits:
        summary.line = number
        summary.counts["nodes_checked"], summary.counts["bad_nodes"] = map(int, hits["nodes"].groups())
    elif "ports" in hits:
        summary.counts["ports_checked"], summary.counts["bad_ports"] = map(int, hits["ports"].groups())
    elif "query" in hits:
        summary.counts["query_failures"] = int(hits["query"][1])
    elif suppressed:
        summary.suppressed += suppressed[1].replace(",", " ").split()
    elif "ports_checked" in summary.counts and summary.thresholds is None:
        # An empty line of this kind says that no threshold was set: all are 0.
        summary.thresholds = {name: int(most) for name, most in _THRESHOLD.findall(line)}


def _other_line(line: str, number: int, found: Found, troubles: Gathering, *, last: bool) -> None:
    """Deal with a line that is neither node nor port."""
    says = _TOOL_SAYS.match(line)
    node = read_node_line(line, number)
    if node is not None:
        found.nodes.append(node._replace(node_type=None))
    elif says and says[1] in (None, "ibwarn"):
        if not found.silence.hear(line, number):
            troubles.add("tool_warned", number, f"the tool warned: {line[:200]}", level=Level.INFO)
    elif says:
        found.failed = True
        troubles.add("tool_failed", number, f"the tool failed: {line[:200]}", _AGAIN)
    elif last:
        troubles.add("file_cut", number, "the text ends within a line", COPY_AGAIN)
    else:
        troubles.add("skipped", number, f"not a line of ibqueryerrors: {line[:80]}", level=Level.INFO)
