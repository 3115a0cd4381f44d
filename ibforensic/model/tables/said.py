"""What the tools themselves said, and the small settings documents."""

from __future__ import annotations

from ibforensic.model.table import INT, SMALL, WHEN, Table
from ibforensic.model.tables.base import identity, setting, state, volatile

EVENTS = Table(
    "events",
    ("scope", "node_guid", "port_num", "event"),
    (
        identity("scope", "cluster, system, node or port."),
        identity("node_guid", "Node the event is about, where there is one."),
        identity("port_num", "Port the event is about, where there is one.", SMALL),
        identity("event", "The tool's own event name, or the check that printed the line."),
        state("level", "info, warning or error, as the tool says."),
        state("stage", "Check or stage of the run."),
        state("text", "The tool's own words."),
        volatile("at", "When, where the line tells it.", WHEN),
    ),
    "Warnings and errors that the tools printed. They are claims of the tool, not findings.",
)

SETTINGS = Table(
    "settings",
    ("entity", "topic"),
    (
        identity("entity", "fabric, a node GUID, or node GUID/port."),
        identity("node_guid", "Node, where the entity is one or belongs to one."),
        identity("port_num", "Port, where the entity is one.", SMALL),
        identity("topic", "What the document is about, such as switch_info."),
        setting("document", "JSON object, keys sorted: no counter, LID, clock or temperature."),
        setting("fingerprint", "Hash of the document: equal documents need no closer look."),
        volatile("rest", "JSON object: the other fields of the same place, kept but not compared."),
        volatile("fields", "Number of fields in the document.", INT),
    ),
    "Small nested documents: node info, switch info, routing options, partitions, run arguments.",
)

TABLES = (EVENTS, SETTINGS)
