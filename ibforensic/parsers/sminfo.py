"""The subnet manager as ``sminfo`` prints it.

**Who writes it:** ``sminfo`` of infiniband-diags, one line a manager that was asked.

**Sample**::

    sminfo: sm lid 1 sm guid 0x200000000000100, activity count 6720 priority 14 state 3 SMINFO_MASTER

**Tables:** settings (one document a subnet manager, topic ``sm_info``, the same as from ibdiagnet).

**Odd input:** several lines, prompts between them; a standby manager that was asked by LID. LID and activity
count are kept, and not compared. A line that is cut gives no document: half a state is none.

**Source:** infiniband-diags.
"""

from __future__ import annotations

import re

from ibforensic.model.enums import Level
from ibforensic.model.ids import guid
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.siblings import Setting, settings_table

__all__ = ["SPEC", "parse"]

_LINE = re.compile(
    r"\s*sminfo: sm lid (\d{1,6}) sm guid (0x[0-9a-fA-F]{1,16}), activity count (\d{1,12})"
    r" priority (\d{1,3}) state (\d{1,2}) SMINFO_([A-Z]+)\s*\Z",
    re.ASCII,
)
_CLAIM = LineBegin(rb"[ \t]*sminfo: sm lid \d")
_STATES = {"MASTER": "master", "STANDBY": "standby", "DISCOVER": "discovering", "NOTACT": "inactive"}

SPEC = Spec(
    name="sminfo",
    title="the subnet manager by sminfo",
    tool="sminfo",
    order=52,
    claims=lambda _name, head: b"\0" not in head and _CLAIM.found_in(head),
    tables=("settings",),
    versions="infiniband-diags, all",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of sminfo output.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        One document a subnet manager.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    found: dict[str, Setting] = {}
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.match(line)
        node = guid(match[2]) if match else None
        if match is not None and node is not None:
            document = {
                "GUID": node,
                "SmState": _STATES.get(match[6], match[6].lower()),
                "Priority": match[4],
            }
            rest = {"lid": match[1], "activity_count": match[3]}
            found.setdefault(node, Setting(node, node, document, rest, number))
        elif "sminfo:" in line:
            message = "the line is cut, or tells of a query that failed; it is left out"
            troubles.add("bad_line", number, message, "run sminfo again")
        elif line and not line.isspace():
            troubles.add("skipped", number, f"not a line of sminfo: {line[:80]}", level=Level.INFO)
    tables = {"settings": settings_table(list(found.values()), "sm_info", path, SPEC.name)} if found else {}
    whole = "bad_line" not in troubles
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole=whole)
