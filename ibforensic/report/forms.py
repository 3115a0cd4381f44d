"""The forms of a report that are text, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.model.errors import BadUsage


def render(document: Mapping[str, Any], form: str, *, generated_at: str | None = None) -> str:
    """Render a document.

    Args:
        document: What ``diff`` found, or a document read back from JSON.
        form: ``html``, ``json``, ``markdown`` or ``text``.
        generated_at: Time to be printed in the HTML; None leaves it out.

    Returns:
        The report.

    Raises:
        BadUsage: There is no such form.
    """
    # Each is loaded when it is wanted: a ticket needs no templates, a page no terminal.
    if form == "html":
        from ibforensic.report.html import render_html

        return render_html(document, generated_at=generated_at)
    if form == "json":
        from ibforensic.report.json import render_json

        return render_json(document)
    if form == "markdown":
        from ibforensic.report.markdown import render_markdown

        return render_markdown(document)
    if form == "text":
        from ibforensic.report.terminal import render_terminal

        return render_terminal(document, width=100, colour=False)
    raise BadUsage(f"there is no form {form}", "use html, json, markdown or text")
