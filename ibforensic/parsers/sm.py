"""ibdiagnet2.sm: the subnet managers that were found, and which of them is master.

Reads a heading for each state, and one line a subnet manager below it.

Written by: ibdiagnet 2.x always; seen: 2.10.0.

Sample::

    ibdiagnet fabric SM report

      SM - master
        Port=0 lid=0x0001 guid=0x0abc000000000100 dev=54002 priority:12

Tables: settings (one document a subnet manager, topic ``sm_info``, the same as from db_csv), runs.

Odd input: LIDs, ports and device ids stand apart from what is compared; a line without GUID is left out and
told. A file that names no subnet manager gives no document: absent is not "none". Nor does one that is cut:
it would look as if subnet managers had gone.

Source: atlas §6.
"""

from __future__ import annotations

import re

from ibforensic.model.ids import guid
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.siblings import Setting, claims, open_sibling, settings_table

__all__ = ["SPEC", "parse"]

_STATE = re.compile(r"[ \t]*SM - (\S.{0,80})")
_FACT = re.compile(r"(\w{1,40})[=:](\S{1,80})", re.ASCII)
_REPORT = "ibdiagnet fabric SM report"
_MOST_OF_A_LINE = 1000

SPEC = Spec(
    name="sm",
    title="ibdiagnet subnet managers (ibdiagnet2.sm)",
    tool="ibdiagnet",
    order=26,
    claims=claims((".sm",), rb"^ibdiagnet fabric SM report"),
    tables=("settings", "runs"),
    versions="2.10.0",
    repeats=("SM_INFO",),
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .sm.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One document a subnet manager where the file is whole, and the run.
    """
    sibling = open_sibling(path, data, "sm")
    state: str | None = None
    found: dict[str, Setting] = {}
    for line, text in enumerate(sibling.lines, 1):
        if text.startswith(("#", _REPORT)) or not text.strip():
            continue
        heading = _STATE.fullmatch(text)
        facts = dict(_FACT.findall(text[:_MOST_OF_A_LINE]))
        node = guid(facts.get("guid", ""))
        if heading:
            state = heading[1].strip().lower()
        elif state is not None and node is not None:
            document = {"GUID": node, "SmState": state}
            if "priority" in facts:
                document["Priority"] = facts["priority"]
            rest = {name: facts[name] for name in ("Port", "lid", "dev") if name in facts}
            found.setdefault(node, Setting(node, node, document, rest, line))
        else:
            message = "the line is no subnet manager below a heading; it is left out"
            sibling.troubles.add("bad_line", line, message, "look at the line")
    rows = list(found.values()) if sibling.whole else []
    tables = {"settings": settings_table(rows, "sm_info", path, "sm")}
    return sibling.parsed(tables)
