"""What a port itself tells, and the module in it: mlxlink as text and as JSON.

**Who writes it:** ``mlxlink -d DEVICE -p PORT -m -c -e`` of MFT, with ``--json`` or without; the DOCA
telemetry service wraps the JSON. Seen: MFT 4.20, 4.21, 4.30 and 4.34.

**Sample**::

    Operational Info
    ----------------
    State                              : Active
    Speed                              : IB-NDR

    Physical Counters and BER Info
    ------------------------------
    Time Since Last Clear [Min]        : 143.1
    Raw Physical Errors Per Lane       : 5922257,5088529,0,12
    Raw Physical BER                   : 3E-10

**Tables:** ``ports`` (state, width, speed, FEC), ``phy`` (bit error ratios, lanes, histogram of FEC, eyes,
the firmware's own opinion), ``counters_phy``, ``modules``; ``hosts`` where the page about PCIe was asked
for. The node is never printed: it is found by LID (``-d lid-12``), or by the host and its device. A port
that runs Ethernet says so. All fields are kept as text besides.

**Odd input:** several reports in one file, with commands and prompts between them; prefixes of hosts;
colours; no-break blanks, indentation, arrows and remarks of authors behind values; long values wrapped into
the next line; older versions without symbol errors, pages without ports; limits behind a value
(``53 [-10..80]``);
``N/A`` for one lane of four; bins of the histogram in the order of text; ``status.code`` other than 0;
several JSON documents in one file, and a last one that is cut. ``15E-255`` means that no error was seen.

**Source:** atlas §9; mstflint (names of registers); real files of switches, HCAs and DPUs.
"""

from __future__ import annotations

import re

from ibforensic.model.enums import Level
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.host_screens import claims
from ibforensic.parsers.mlxlink import json_reports, reports, rows
from ibforensic.parsers.screen_text import as_shown

__all__ = ["SPEC", "parse"]

_TITLES = "|".join(map(re.escape, reports.TITLES)).encode()
_HEAD = 65536
"""Signs of a file by which text is told from JSON."""
_text_claims = claims("mlxlink")
_JSON_CLAIM = re.compile(rb'"(?:' + _TITLES + rb')"\s{0,40}:\s{0,40}\{')


_FAILED = re.compile(rb"\s{0,80}(?:[^\n]{0,160}mlxlink [^\n]{0,160}\n)?-E- ")
"""All that there is where the device does not answer."""


def _claims(name: str, head: bytes) -> bool:
    if _text_claims(name, head) or _JSON_CLAIM.search(as_shown(head)) is not None:
        return True
    failed = _FAILED.match(as_shown(head[:1024]))
    return failed is not None and (b"mlxlink" in failed[0] or "mlxlink" in name.lower())


SPEC = Spec(
    name="mlxlink",
    title="ports and modules by mlxlink, text or JSON",
    tool="mlxlink",
    order=47,
    claims=_claims,
    tables=("hosts", "ports", "phy", "modules", "counters_phy"),
    versions="MFT 4.20 to 4.34",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one or many reports.

    Args:
        path: File, for provenance; its name may tell host, device and port.
        data: Bytes of the file.

    Returns:
        What was told of each port.
    """
    text, undecoded = decode(as_shown(data), path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    structured = _JSON_CLAIM.search(text[:_HEAD].encode("utf-8", "replace")) is not None
    read = json_reports.read if structured else reports.read
    found = read(text, path, troubles)
    nameless = next((one for one in found if one.asked == reports.Asked()), None)
    if nameless is not None:
        troubles.add(
            "no_device",
            nameless.line,
            "neither a command nor the file name tells which port this is",
            "name the file node07_mlx5_0_p1.txt, or lid-12_p3.txt",
            Level.INFO,
        )
    whole = not any(kind in troubles for kind in ("json_cut", "value_cut"))
    raw = {"mlxlink": rows.everything(found)} if found else {}
    return Parsed(rows.tables(found, path, troubles), raw, undecoded + troubles.notes(), whole)
