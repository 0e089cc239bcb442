"""A page that is compressed once is, with each phone's values, what it would be without."""

from __future__ import annotations

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.web.base import packed
from scorekeeper.web.base.packed import Packed

PLACES = ("[start]", "[token]")
LETTERS = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_.", min_size=1, max_size=90)


def with_values(text: str, values: dict[str, str]) -> str:
    for place, value in values.items():
        text = text.replace(place, value)
    return text


@given(
    parts=st.lists(st.text(max_size=60) | st.sampled_from(PLACES), max_size=12),
    values=st.lists(st.tuples(LETTERS, LETTERS), min_size=1, max_size=4),
)
def test_what_a_phone_unpacks_is_the_page_with_its_values(parts: list[str], values: list[tuple[str, str]]) -> None:
    text = "".join(parts)
    page = Packed(text, PLACES)
    for each in values:
        named = dict(zip(PLACES, each, strict=True))
        assert brotli.decompress(page.with_values(named)).decode() == with_values(text, named)


def test_a_page_with_forms_is_compressed_once_for_all_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Packed('<p>Ana</p><i id="[start]0000" value="[token]"><i id="[start]0001" value="[token]">' * 9, PLACES)
    page.with_values({"[start]": "a" * 32, "[token]": "b" * 91})
    monkeypatch.setattr(packed, "compressed", None)
    monkeypatch.setattr(packed.brotli, "Compressor", None)
    assert b"c" * 32 in page.with_values({"[start]": "c" * 32, "[token]": "d" * 91})


def test_a_value_is_in_the_stream_once_however_often_it_is_on_the_page() -> None:
    page = Packed("".join(f'<li>{number}<b value="[token]">' for number in range(9)), PLACES)
    assert page.with_values({"[token]": "q" * 91}).count(b"q" * 91) == 1
