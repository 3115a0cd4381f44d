"""How to get what a collection lacks: it depends on the tools and files it was made of."""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.model.records import SourceRecord

__all__ = ["counters_help", "time_help", "uptime_help"]

_TIMED = ("db_csv", "ibdiagnet_log")
"""Parsers of the files by which a run of ibdiagnet tells its time."""
_MLXLINK = ("mlxlink", "mlxcables")
"""Parsers of tools that ask a port for its signal, and never for its packets."""


def time_help(sources: Sequence[SourceRecord]) -> str:
    """Say how to get the time of a collection.

    Args:
        sources: Its files.
    """
    timed = [source for source in sources if source.parser in _TIMED]
    if not timed:
        return (
            "keep ibdiagnet2.db_csv or ibdiagnet2.log with the rest: they carry the time of the run; "
            "or name the folder after the time, such as 2031-01-05T1000"
        )
    if any(not source.whole for source in timed):
        return "copy ibdiagnet2.db_csv and ibdiagnet2.log again, as a whole: the time of the run was cut off"
    return "keep ibdiagnet2.db_csv and ibdiagnet2.log as they were written: no time can be read from them"


def uptime_help(sources: Sequence[SourceRecord]) -> str:
    """Say how to get the uptime of nodes.

    Args:
        sources: The files of a collection that does not tell it of some nodes.
    """
    databases = [source for source in sources if source.parser == "db_csv"]
    if not databases:
        return "keep ibdiagnet2.db_csv with the rest: it carries how long each node has been up"
    if any(not source.whole for source in databases):
        return "copy ibdiagnet2.db_csv again, as a whole: how long nodes have been up was cut off"
    return "see whether these nodes answered, and collect again: ibdiagnet2.db_csv lacks their uptime"


def counters_help(sources: Sequence[SourceRecord], *, both_times: bool = False) -> str:
    """Say how to get error counters.

    Args:
        sources: The files of a collection that lacks them.
        both_times: Whether a baseline needs them too.
    """
    times = ", at both times" if both_times else ""
    parsers = {source.parser for source in sources if source.parser}
    if parsers and parsers.issubset(_MLXLINK):
        return f"add perfquery -x or ibdiagnet output of the same time beside that of mlxlink{times}"
    return f"run ibdiagnet without --skip pm, or add perfquery -x output{times}"
