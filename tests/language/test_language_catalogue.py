"""Every text has its translation, with the same fields, numbers and names; nothing is left of old code."""

from __future__ import annotations

import re

import pytest
from catalogues import fields, forms, languages, names, numbers, placeholders

OTHERS = [code for code in languages.LANGUAGES if code != "en"]
HANGUL = re.compile(r"[가-힣]")


@pytest.fixture(scope="module", params=OTHERS)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def held(language):
    return languages.read(language)


@pytest.fixture(scope="module")
def pairs(held):
    """English and translated forms of every entry that has a translation."""
    return [
        (message.context, english, other)
        for message in held
        if message.id and all(forms(message.string))
        for english, other in zip(forms(message.id), forms(message.string) * 2, strict=False)
    ]


def test_the_catalogue_holds_what_the_code_says_and_nothing_else(held):
    said = {(message.context, forms(message.id)) for message in languages.wanted() if message.id}
    kept = {(message.context, forms(message.id)) for message in held if message.id}
    assert said - kept == set(), "run: python docs/languages.py, and translate"
    assert kept - said == set(), "run: python docs/languages.py"


def test_no_text_lacks_its_translation(held):
    assert [message.id for message in held if message.id and not all(forms(message.string))] == []


def test_fields_and_their_formats_are_those_of_the_english_text(pairs):
    assert [english for _, english, other in pairs if fields(english) != fields(other)] == []
    assert [english for _, english, other in pairs if placeholders(english) != placeholders(other)] == []


def test_numbers_stay(pairs):
    assert [(english, other) for _, english, other in pairs if numbers(english) != numbers(other)] == []


def test_options_programs_and_abbreviations_stay(pairs):
    lost = [(names(english) - names(other), other) for _, english, other in pairs]
    assert [one for one in lost if one[0]] == []


def test_nothing_was_copied_untranslated(pairs):
    same = [english for _, english, other in pairs if english == other]
    assert [text for text in same if re.search(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}", text)] == []


def test_korean_sentences_are_korean(pairs, language):
    if language == "ko":
        words = re.compile(r"\{[^{}]*\}|[^A-Za-z ]")
        said = [other for _, english, other in pairs if len(words.sub("", english).split()) > 3]
        assert [text for text in said if not HANGUL.search(text)] == []


def test_particles_behind_a_field_come_in_both_forms(pairs, language):
    wrong = re.compile(r"(?<!%)\}(?:은|는|이|가|을|를|와|과|으로)(?=[ .,:;]|\Z)")
    if language == "ko":
        # The two samples are the words of this catalogue: their last letter is known.
        told = [other for _, _, other in pairs if wrong.search(re.sub(r"\{(other_)?sides?\}", "", other))]
        assert told == []


def test_the_compiled_catalogue_is_that_of_the_text(held, language):
    path = languages.FOLDER / language / "LC_MESSAGES" / f"{languages.DOMAIN}.mo"
    assert path.read_bytes() == languages.mo_bytes(held), "run: python docs/languages.py"
