"""What a host tells of itself as a whole: whether it started again between two samples."""

from __future__ import annotations

from ibforensic.diff.view import View

__all__ = ["rebooted"]


def rebooted(baseline: View, current: View, gap_s: float | None) -> dict[str, float]:
    """Find HCAs whose host has another boot id than before.

    Args:
        baseline: The earlier sample.
        current: The later one.
        gap_s: Seconds between the two, for hosts that do not tell for how long they have been up.

    Returns:
        Node GUID → uptime of its host now, in seconds; a host of which no time at all is known is left out.
    """
    before = _boots(baseline)
    found = {}
    for guid, (boot, uptime) in _boots(current).items():
        up = uptime if uptime is not None else gap_s
        if guid in before and before[guid][0] != boot and up is not None:
            found[guid] = float(up)
    return found


def _boots(view: View) -> dict[str, tuple[str, float | None]]:
    """Node GUID of an HCA → boot id of its host and its uptime in seconds, where the host tells."""
    table = view.table("hosts")
    columns = (table[name].to_pylist() for name in ("node_guid", "boot_id", "uptime_s", "source"))
    return {
        guid: (boot, uptime)
        for guid, boot, uptime, source in zip(*columns, strict=True)
        if guid and boot and source not in view.stale
    }
