"""Names that the log of a collection is known by: who writes it and who reads it both take them from here."""

from __future__ import annotations

FORMAT = "ibforensic.collect/1"
"""First value in the log; a newer form has another number."""
LOG_FILE = "collect.json"
"""Its file. The folder with it is the top of one collection."""
