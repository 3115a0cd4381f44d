"""What notes of several parsers advise: one wording for one thing to do."""

from __future__ import annotations

__all__ = ["COPY_AGAIN", "LOOK", "OTHER_VERSION", "TELL_US"]

COPY_AGAIN = "copy the file again from where it was made, or collect again"
LOOK = "look at the line; if the file was edited, use the original"
OTHER_VERSION = "compare with the version of ibdiagnet in the head of the file"
TELL_US = "run: ibforensic explain --probe DIRECTORY, and report what it prints: it names nobody"
