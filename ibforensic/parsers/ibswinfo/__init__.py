"""An unmanaged switch as ``ibswinfo`` prints it: the whole, ``-o vitals`` or ``-o status``.

**Who writes it:** ``ibswinfo`` (a script above ``mstreg``), for one switch a run.

**Sample**::

    GUID               | 0xf200000000000200
    PSU1 status        | ERROR
         DC power      | OK
    temperature (C)    | 45
    fan#1 (rpm)        | 8493

**Tables:** nodes (firmware, PSID, serial number, uptime), sensors (temperature, fans, power supplies).

**Odd input:** ``-o vitals`` (``cur.temp (C)       : 73``) and ``-o status`` (``psu0.status : OK``) do not
name the switch: its GUID is taken from the file name, else the readings belong to nobody and are kept all
the same. Empty values and words in the place of numbers are not known, never 0. The last line has no line
end. The highest temperature is the highest ever, no limit, and rides along.

**Source:** atlas §8; real files of EDR and HDR switches.
"""

from __future__ import annotations

from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.file_guid import guid_of_file
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibswinfo import rows
from ibforensic.parsers.ibswinfo.fields import read
from ibforensic.parsers.line_begin import LineBegin

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb"PSU\d+ status[ \t]*\||fan#\d+ \(rpm\)[ \t]*\||temperature \(C\)[ \t]*\|"
    rb"|psu\d+\.(?:status|power)\b[^\r\n]{0,20}:"
    rb"|cur\.temp \(C\)[ \t]*:|fan#\d+\.speed \(rpm\)[ \t]*:"
)


def _claims(_name: str, head: bytes) -> bool:
    return b"\0" not in head and _CLAIM.found_in(head.replace(b"\r", b"\n"))


SPEC = Spec(
    name="ibswinfo",
    title="an unmanaged switch by ibswinfo",
    tool="ibswinfo",
    order=48,
    claims=_claims,
    tables=("nodes", "sensors"),
    versions="0.6 to 0.8",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of ibswinfo output.

    Args:
        path: File; a GUID in its name is taken where the text has none.
        data: Its bytes.

    Returns:
        The switch, where its GUID is known, and its sensors.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    found = read(text.split("\n"), troubles)
    node_guid = rows.guid_of(found) or guid_of_file(path)
    sensors = rows.sensors(found, node_guid, path, troubles)
    tables = {"sensors": sensors} if sensors.num_rows else {}
    if node_guid is not None and found.fields:
        tables["nodes"] = rows.node(found, node_guid, path)
    elif found.fields:
        troubles.add(
            "no_guid",
            1,
            "neither the text nor the file name tells the switch: nobody knows whose readings these are",
            "put the node GUID into the file name, such as 0x0200000000000001.out",
        )
    return Parsed(tables, notes=(*undecoded, *troubles.notes()))
