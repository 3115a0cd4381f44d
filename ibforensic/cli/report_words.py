"""Words, for ``explain``: those of a report as it explains them itself, its numbers, those of the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["report_words", "words_like"]

_NUMBERS = {
    "confidence": "How sure the verdict is, from 0 to 100 %: of the link or device, of its end, and of the "
    "component, each by itself. In words:",
    "score": "How much the evidence supports a suspect, in nats (natural logarithms of odds). Suspects are "
    "ordered by it; it is no probability.",
    "coverage": "How much could be judged: the ports whose error counters could be compared, of all that are "
    "in use, and what could not be judged, why, and how to collect it next time.",
}
"""What a report shows as a number, which its own words need not explain."""


def report_words() -> dict[str, str]:
    """Return each word of a report, in small letters, and what it means."""
    from ibforensic.report.sections.how_to_read import TERMS

    told = {word.lower(): meaning for words, meaning in TERMS for word in words.split(", ")}
    return {**_NUMBERS, **told}


def words_like(topic: str) -> Iterator[str]:
    """Yield what a word of the report, or of the field, means.

    Args:
        topic: The word, in any case of letters, one or several of it.
    """
    from ibforensic.model.terms import OTHER_WORDS, term_of

    word = topic.lower().replace("_", " ")
    every = report_words()
    others = {name.lower(): own for own, names in OTHER_WORDS.items() for name in names}
    known = {**others, **{own: own for own in every}}
    found = next((known[name] for name in (word, word.removesuffix("s")) if name in known), "")
    if found:
        head = f"word {found}, as reports use it"
        yield "\n".join([head, "", f"  {every[found]}", *_also(OTHER_WORDS.get(found, ())), *_levels(found)])
    term = term_of(word)
    if term is not None:
        yield "\n".join([f"word {term.word}", "", f"  {term.meaning}", *_also(term.others)])


def _also(others: Sequence[str]) -> Iterator[str]:
    """Yield other words for the same thing."""
    if others:
        yield f"  also called: {', '.join(others)}"


def _levels(word: str) -> Iterator[str]:
    """Yield the words for the levels of a confidence."""
    from ibforensic.report.words import bands

    if word == "confidence":
        yield from (f"  {name:24} {share}" for name, share in bands())
