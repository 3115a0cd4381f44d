"""Sentences in another language: by id and parameters, whole, and never failing on what it does not know."""

from __future__ import annotations

import pytest

from ibforensic.language import LANGUAGES, translate, translated
from ibforensic.language.phrases import cell, phrase
from ibforensic.model.message import message_json, say

PORT = "leaf-03 port 12 (1/6/2)"
GREW = "{counter} {grew} {least}{delta:,} at {port}: {says}"
HELD = "the error counters of {ports} cannot be compared"


def told(id_: str, template: str, **params) -> str:
    return translate(message_json(say(id_, template, **params)), "ko")


def test_english_is_what_the_document_says():
    message = message_json(say("headline.port_down", "the link {near} – {far} is down", near="a", far="b"))
    assert translate(message, "en") == "the link a – b is down"


def test_a_sentence_is_told_by_id_and_parameters():
    said = told("headline.flaps", "the link {near} – {far} keeps going down", near=PORT, far="b port 1")
    assert said == f"링크 {PORT} – b port 1이(가) 계속 다운됩니다"


def test_templates_of_one_id_are_told_apart_by_what_they_say():
    one = told("held_back.level", "{port} waited {share:.0%} of the time for leave to send to {peer}",
               port=PORT, share=0.5, peer="b")  # fmt: skip
    other = told("held_back.level", "{port} waited {share:.0%} of the time for leave to send to {peer}, "
                 "which cost it {lost:.0f} Gb/s", port=PORT, share=0.5, peer="b", lost=12.0)  # fmt: skip
    assert "50%" in one
    assert "Gb/s" not in one
    assert "12 Gb/s" in other


def test_words_within_a_sentence_are_translated_too():
    said = told("physical_errors.grew", GREW, counter="port_rcv_errors", grew="grew by", least="at least ",
                delta=1204, port=PORT, says="code words received")  # fmt: skip
    assert said == f"{PORT}에서 port_rcv_errors 최소 1,204 증가: 받은 코드워드"


def test_numbers_keep_their_format():
    template = (
        "the module in {port} went from {before:.0f} to {after:.0f} °C, "
        "{beyond:.0f} °C more than its neighbours"
    )
    said = told("heat.module", template, port=PORT, before=41.26, after=77.9, beyond=30.04)
    assert "41 °C에서 78 °C로" in said


def test_a_name_that_looks_like_a_word_stays():
    assert told("headline.node_lost", "{node} is gone from the fabric", node="absent").startswith(
        "absent이(가)"
    )


def test_what_is_added_to_a_sentence_is_told_with_it():
    before = message_json(
        say("headline.flaps", "the link {near} – {far} keeps going down", near="a", far="b")
    )
    text = before["text"] + " (a part of the fabric: leaf-*)"
    message = {**before, "params": {**before["params"], "scope": "leaf-*"}, "text": text}
    assert translate(message, "ko") == "링크 a – b이(가) 계속 다운됩니다 (패브릭 일부: leaf-*)"


def test_several_ports_are_a_list():
    said = told("missing.counters", HELD, ports=f"{PORT} and spine-01 port 2")
    assert said == f"{PORT}, spine-01 port 2의 오류 카운터를 비교할 수 없습니다"


@pytest.mark.parametrize(
    "message",
    [
        {"message": "headline.invented", "params": {"port": "p"}, "text": "p does what nobody knew"},
        {"message": "headline.flaps", "params": {}, "text": "a link that an old version spoke of"},
        {"message": "headline.flaps", "params": None, "text": "no parameters at all"},
        {"message": "headline.flaps", "text": "not even the key"},
        {"message": 7, "params": {"near": object()}, "text": "ids are texts"},
        {"params": {"share": "half"}, "message": "held_back.level", "text": "{share:.0%} stays as it is"},
        {"message": "headline.flaps", "params": {"near": "{", "far": "}"}, "text": "{near} {"},
    ],
)
def test_what_no_catalogue_knows_stays_in_english(message):
    assert translate(message, "ko") == message["text"]


def test_a_message_without_text_is_empty_and_no_failure():
    assert translate({"message": "headline.flaps", "params": {}}, "ko") == ""


def test_there_is_nothing_for_a_language_that_nobody_speaks():
    assert "tlh" not in LANGUAGES
    assert phrase("error counters", "tlh") is None
    assert translate({"message": "a", "params": {}, "text": "as it is"}, "tlh") == "as it is"


@pytest.mark.parametrize(
    ("english", "korean"),
    [
        ("1,204 nodes", "노드 1,204개"),
        ("2 suspects, 0 weak signs, 7 changes", "의심 대상 2개, 약한 징후 0개, 변경 7건"),
        ("leaf-01 port 1 is polling, gpu-2 port 1 is down", "leaf-01 port 1: polling, gpu-2 port 1: down"),
        ("port 5 of leaf-03", "leaf-03 port 5"),
        ("3 HDR words that nobody wrote", None),
        ("x" * 5000, None),
        ("", None),
    ],
)
def test_phrases_are_found_by_their_shape(english, korean):
    assert phrase(english, "ko") == korean


def test_cells_of_tables_are_words_or_stay():
    assert cell("65,535 or more", "ko") == "65,535 이상"
    assert cell("switch", "ko") == "스위치"
    assert cell("leaf-03 port 12 was reset", "ko") is None


def test_a_ladder_repeats_its_findings_in_the_same_language():
    title = message_json(say("ladder.title.links", "Links are alive and at their rate"))
    gone = message_json(say("ladder.links.gone", "{port}: the link is gone", port=PORT))
    quoted = {"title": title["text"], "finding": gone["text"]}
    headline = say("ladder.verdict.broken", "The lowest broken rung is “{title}”: {finding}.", **quoted)
    reason = say("ladder.reason.worse", "“{title}” got worse: {finding}", **quoted)
    ladder = {
        "headline": message_json(headline),
        "reasons": [message_json(reason)],
        "advice": [],
        "rungs": [{"id": "links", "title": title, "findings": [gone]}],
    }
    korean = translated({"ladder": ladder}, "ko")["ladder"]
    finding = f"{PORT}: 링크가 사라졌습니다"
    assert korean["rungs"][0]["findings"][0]["text"] == finding
    assert finding in korean["headline"]["text"]
    assert korean["reasons"][0]["text"] == f"“{korean['rungs'][0]['title']['text']}”: 나빠짐. {finding}"
    assert korean["reasons"][0]["params"] == ladder["reasons"][0]["params"]


@pytest.mark.parametrize(
    ("english", "korean"),
    [
        ("busbw of 8 GiB", "8 GiB busbw"),
        ("time of 8 B", "8 B 시간"),
        ("n1 - n2, n3 - n4 and 3 more", "n1 - n2, n3 - n4 외 3개"),
    ],
)
def test_what_a_benchmark_measured_is_told(english, korean):
    assert phrase(english, "ko") == korean


def test_a_document_keeps_everything_but_its_texts():
    message = message_json(say("headline.node_lost", "{node} is gone from the fabric", node="n1"))
    doc = {
        "schema": "ibforensic.diff/1",
        "verdict": "suspects",
        "headline": message,
        "suspects": [
            {"rank": 1, "component": "cable", "missing": [{"what": "rates", "help": "", **message}]}
        ],
        "coverage": {"share": 0.5, "compared": ["links", "FEC"], "not_judged": []},
        "inventory": [{"id": "x", "columns": ["Port"], "unit": ["port", "ports"], "rows": [["switch", 3]]}],
        "odd": [None, 1.5, {"text": "free"}],
    }
    korean = translated(doc, "ko")
    assert korean["headline"] == {**message, "text": "n1이(가) 패브릭에서 사라졌습니다"}
    assert korean["suspects"][0]["missing"][0]["what"] == "증가율"
    assert korean["suspects"][0]["component"] == "cable"
    assert korean["coverage"] == {"share": 0.5, "compared": ["링크", "FEC"], "not_judged": []}
    assert korean["inventory"][0]["rows"] == [["스위치", 3]]
    assert korean["odd"] == doc["odd"]
    assert list(korean) == list(doc)
    assert translated(doc, "en") == doc
