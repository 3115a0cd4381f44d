"""The report as one HTML file: complete without scripts, nothing fetched, same document, same bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ibforensic.language import gettext, ngettext, speaking, spoken, translated
from ibforensic.language import gettext as _
from ibforensic.model.resources import templates_dir
from ibforensic.report import words
from ibforensic.report.island import LIMIT as ISLAND
from ibforensic.report.island import island
from ibforensic.report.ports import blame_short, culprit
from ibforensic.report.sections import sections
from ibforensic.report.text import NAME, cut, tidy, visible

LIMIT = 1_000_000
"""Bytes the page may take, whatever is in the document."""
TARGET = 300_000
"""Bytes it should take; the embedded document gives way before the page does."""
END = 8_000
"""Bytes of the footer and the scripts, rounded up."""
LEAST_ISLAND = 60_000
"""Room the embedded document has in any case."""
TEXT_LIMITS = (400, 120, 40, 14)
"""Longest text shown; the next one is taken where the page would become too large."""

_OPTION = re.compile(r"((?<!\S)--[a-z_]{1,30}\b)")
_FIGURE = re.compile(r"(\S{0,20}\de-\d{1,4}(?!\S))")
_NAME = re.compile(r"((?<!\S)\S{0,60}\w-\w\S{0,60})")
_NOWRAP = Markup('<span class="option">{}</span>')
_WHOLE = Markup('<span class="whole">{}</span>')

Json = Mapping[str, Any]


def render_html(doc: Json, *, generated_at: str | None, language: str = "en") -> str:
    """Render the report.

    Args:
        doc: The document.
        generated_at: When the report is made, to be shown; None leaves it out.
        language: Language of its texts; the embedded document stays as it is.

    Returns:
        One HTML page of at most 1 MB. The document is embedded as JSON, cut to 400 KB where needed.

    Raises:
        ValueError: A number in the document is not finite.
    """
    made = visible(generated_at) if generated_at else None
    told = translated(doc, language)
    with speaking(language):
        for limit in TEXT_LIMITS:
            page = _page(tidy(told, limit))
            size = len(page.encode()) + END
            if size + LEAST_ISLAND <= LIMIT:
                break
        data, left_out = island(doc, min(ISLAND, LIMIT - size, max(TARGET - size, LEAST_ISLAND)))
        return page + _end(data, left_out, cut(doc["engine"], NAME), made)


def _page(doc: Json) -> str:
    """Return the page up to its end of body."""
    parts = [(section, section.view(doc)) for section in sections()]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            title=_title(doc),
            eyebrow=_eyebrow(doc),
            parts=[(section, values) for section, values in parts if values is not None],
            css=_file("report.css"),
            counts=_counts(doc),
            language=spoken(),
        )
    )


def _end(data: str, left_out: list[str], engine: str, generated_at: str | None) -> str:
    """Return the embedded document, the scripts and the end of the page."""
    template = _environment().get_template("report_end.html.j2")
    end = template.render(
        data=Markup(data),
        left_out=[_(part) for part in left_out],
        js=_file("report.js"),
        engine=engine,
        generated_at=generated_at,
    )
    return end + "\n"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
        extensions=["jinja2.ext.i18n"],
    )
    made.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    made.filters["names"] = lambda text: _unbroken(_NAME, text, _WHOLE)
    made.filters["options"] = lambda text: _unbroken(_OPTION, text)
    made.filters["figures"] = lambda text: _unbroken(_FIGURE, text)
    return made


def _unbroken(pattern: re.Pattern[str], text: str, kept: Markup = _NOWRAP) -> Markup:
    """Keep parts of a text on one line each: ``gpu-001``, ``8.5e-14`` may not break at a hyphen."""
    parts = pattern.split(visible(text))
    # Every second part is a match: the pattern is one group.
    marked = [kept.format(part) if at % 2 else escape(part) for at, part in enumerate(parts)]
    return Markup("").join(marked)


def _printable(value: Any) -> Any:
    """Keep control characters out of the page, as a second fence; line ends of our own texts stay."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "\n".join(visible(line) for line in value.split("\n"))
    return value


@cache
def _file(name: str) -> Markup:
    return Markup((templates_dir() / name).read_text(encoding="utf-8"))


def _title(doc: Json) -> str:
    suspect = culprit(doc)
    if suspect:
        return blame_short(suspect)
    return _("Fabric: cannot judge") if doc["verdict"] == "cannot_judge" else _("Fabric: nobody is to blame")


def _eyebrow(doc: Json) -> str:
    if not doc["baseline"]:
        return _("Fabric check of {current}").format(current=_dated(doc["current"]))
    text = _("Fabric comparison: {baseline} → {current}")
    return text.format(baseline=_dated(doc["baseline"]), current=_dated(doc["current"]))


def _dated(side: Json) -> str:
    """Name a snapshot with its time: on a telephone nothing else of it is on the first screen."""
    return f"{side['label']} ({words.window(side, length=False)})"


def _counts(doc: Json) -> dict[str, str]:
    """Return what stands behind an entry of the table of contents."""
    numbers = {
        "suspects": len(doc["suspects"]),
        "watch": len(doc.get("watch") or ()),
        "ignored": len(doc.get("ignored") or ()),
        "changes": sum(group["count"] for group in doc["changes"]),
        "not_judged": len(doc["coverage"]["not_judged"]),
        "fitness": len(doc["fitness"]),
        "inventory": len(doc.get("inventory") or ()),
    }
    return {anchor: words.number(number) for anchor, number in numbers.items() if number}
