"""Identities: one spelling for every way a tool prints a GUID."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibforensic.model.ids import NO_GUID, LinkKey, PortKey, guid, link_key

numbers = st.integers(min_value=1, max_value=2**64 - 1)
ports = st.builds(PortKey, numbers.map(lambda number: f"0x{number:016x}"), st.integers(0, 128))


@given(numbers)
def test_every_spelling_of_a_number_is_one_guid(number):
    normal = f"0x{number:016x}"
    spellings = [
        normal,
        f"0x{number:x}",
        f"{number:016x}",
        f"{number:x}",
        f"0X{number:016X}",
        f"{number:X}",
        f"  {normal}\t",
    ]
    assert {guid(spelling) for spelling in spellings} == {normal}


@given(st.text())
def test_any_text_gives_a_guid_or_none_and_is_stable(text):
    once = guid(text)
    assert once is None or guid(once) == once


@given(st.text(alphabet="0123456789abcdefABCDEFxX g\n", max_size=24))
def test_text_that_looks_like_a_guid_is_stable(text):
    once = guid(text)
    assert once is None or (once.startswith("0x") and guid(once) == once)


@pytest.mark.parametrize("text", ["0x8000000000000001", "FFFFFFFFFFFFFFFE", "0xf200000000000200"])
def test_above_two_to_the_63rd_nothing_is_lost(text):
    assert int(guid(text), 16) == int(text, 16) > 2**63


@pytest.mark.parametrize(
    "text", ["", " ", NO_GUID, "0", "0x0", "N/A", "none", "0x", "12 34", "0x" + "1" * 16 + "\n2"]
)
def test_what_names_nobody_is_none(text):
    assert guid(text) is None


def test_masked_guids_are_kept_as_text():
    assert guid("0xHost_1") == "0xhost_1"


def test_seventeen_digits_are_not_a_number():
    assert guid("1" * 17) is None


@given(ports, ports)
def test_a_link_has_one_key_whichever_end_is_given_first(one, other):
    key = link_key(one, other)
    assert key == link_key(other, one)
    assert isinstance(key, LinkKey)
    assert key.a <= key.b
    assert {key.a, key.b} == {one, other}
