"""Every sentence of the pages, in every language, filled in with one person, a pair, long names and any number."""

from __future__ import annotations

import re

import pytest

from scorekeeper.web.base.i18n import LANGUAGES

from ...helpers.filled import PLACEHOLDER, Message, filled, messages, said

BROKEN = re.compile(r"%\(|\+-|\+−| {2}|\bNone\b|\bnull\b|\{\{|\}\}| [,.;](?!\.)|¿[^?]*$|^[^¿]*[a-záéíóúñ]\?$")
"""What no sentence has: a blank that was not filled in, two signs, two spaces, a question that is open at one end."""
OPEN_IN_ENGLISH = re.compile(r"%\(|\+-|\+−| {2}|\bNone\b|\bnull\b|\{\{|\}\}| [,.;](?!\.)")


def test_the_messages_are_found() -> None:
    assert len(messages()) > 800


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_broken_whatever_it_speaks_of(language: str) -> None:
    broken = BROKEN if language.startswith("es") else OPEN_IN_ENGLISH
    wrong = [
        (message.one, sentence)
        for message in messages()
        for sentence in filled(message, language)
        if broken.search(sentence)
    ]
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_is_the_same_in_every_language(language: str) -> None:
    def wrong(message: Message) -> bool:
        wanted = set(message.placeholders())
        return any(
            not {name for name, _kind in PLACEHOLDER.findall(said(message, language, number))} <= wanted | {"num"}
            for number in (1, 2)
        )

    assert not [message.one for message in messages() if wrong(message)]
