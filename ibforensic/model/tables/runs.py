"""Which runs and files a sample is made of, and which clears of counters are known."""

from __future__ import annotations

from ibforensic.model.table import FLAG, INT, REAL, SMALL, WHEN, Table
from ibforensic.model.tables.base import identity, level, provenance, setting, state, volatile

RUNS = Table(
    "runs",
    ("source",),
    (
        identity("tool", "Program that ran, such as ibdiagnet."),
        setting("tool_version", "Version as the tool prints it."),
        setting("command", "Command line as the tool prints it; empty for a bare run."),
        setting("options", "JSON object: option → value, read from the command line."),
        volatile("began_at", "Begin of the run.", WHEN),
        volatile("ended_at", "End of the run, where the files tell it.", WHEN),
        volatile("time_zone", "Time zone as printed."),
        volatile("host", "Host the tool ran on, where known."),
        setting("window_s", "Pause between two counter samples of the run.", REAL, "s"),
        state("summary", "JSON object: what the tool itself counted (nodes, links, warnings)."),
    ),
    "One row for each run of a tool that a file tells about.",
)

SOURCES = Table(
    "sources",
    ("source",),
    (
        provenance("sha256", "SHA-256 of the bytes."),
        provenance("bytes", "Size.", INT, "octets"),
        provenance("parser", "Parser that claimed the file; null where none did."),
        provenance("outcome", "parsed, partial, repeats, unknown or failed."),
        provenance("whole", "Whether the file is complete as far as its format can tell.", FLAG),
        provenance("own_time", "Begin of the run the file itself belongs to.", WHEN),
        provenance("stale", "Whether that run is not the run of the sample.", FLAG),
    ),
    "One row for each file of the sample.",
)

CLEARS = Table(
    "clears",
    ("scope", "node_guid", "port_num", "group"),
    (
        identity("scope", "fabric, node or port."),
        identity("node_guid", "Node, for the scopes node and port."),
        identity("port_num", "Port, for the scope port.", SMALL),
        identity("group", "What was cleared: a word of Counter.cleared_with, or phy."),
        volatile("cleared_at", "When, as far as it is known.", WHEN),
        volatile("who", "Who cleared it, such as the ibdiagnet run itself."),
        state("how_known", "option, counter_fell, uptime or time_since_clear."),
        level("uncertainty_s", "How far the time may be off.", REAL, "s"),
    ),
    "Clears of counters that are known from the files themselves.",
)

TABLES = (RUNS, SOURCES, CLEARS)
