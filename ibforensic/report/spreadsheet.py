"""Text that a spreadsheet shows, and does not run: names from a fabric may begin like a formula."""

from __future__ import annotations

FORMULA = r"\A[=+\-@\t\r\n＝＋－＠]"
"""How a cell begins that a spreadsheet takes for a formula; full-width signs count in some languages.
Read by ``re`` and by Arrow."""
QUOTE = "'"
"""Makes a cell text where it stands in front."""
