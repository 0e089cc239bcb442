"""A sentence agrees with those it names and with what it counts, in every language: in number, gender and person."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from flask import Flask

from scorekeeper.rules.contract import Evidence
from scorekeeper.store.journal.kinds import KINDS
from scorekeeper.store.queries import Names
from scorekeeper.web.base.i18n import LANGUAGES
from scorekeeper.web.match.entry_words import entry_words
from scorekeeper.web.words.because import counted_words
from scorekeeper.web.words.evidence import evidence_word
from scorekeeper.web.words.lengths import days_words, time_words
from scorekeeper.web.words.lines import line_detail
from scorekeeper.web.words.names import games, join_names
from scorekeeper.web.words.person import ask_to_accept, how_many
from scorekeeper.web.words.problems import in_words, kind_name
from scorekeeper.web.words.values import one_to_other, scores, signed

from ...helpers.agreement import (
    ABOUT_ONE,
    ABOUT_SEVERAL,
    beside_names,
    is_about_people,
    turns_on_people,
    unagreed,
    unchanged,
    verbs,
    wrong_number,
)
from ...helpers.filled import Message, filled, messages, said
from .test_every_code_has_words import REPORTED, problem_of
from .test_every_kind_has_words import full

MANY = {
    "most",
    "months",
    "hours",
    "limit",
    "all",
    "hand",
    "wanted",
    "players",
    "cut",
    "before",
    "three",
    "sweeps",
    "made",
    "cards",
}
"""Numbers that are never one."""
MANY_IN = frozenset(
    {
        "It turns on %(num)d cards that nobody has told of.",
        "%(num)d cards in the pile of %(name)s",
        "With %(num)d %(cards)s or more on the table the deal is void.",
        "With %(num)d equal cards or more on the table the deal is void.",
        # Examples of rules, which have these numbers.
        "They are level, and A has %(num)d cards.",
        "Two sevens each, and A has %(num)d sixes.",
    }
)
"""Messages whose number is never one."""
COUNTED = re.compile(r"%\((\w+)\)d (?!is\b|was\b|has\b|stands\b)([^\W\d_]+s)\b")
A_PAIR = {"en": "Ana and Leo", "es": "Ana y Leo"}


def asked_in(app: Flask, language: str) -> Any:
    """Return the context of a request in a language."""
    return app.test_request_context(headers={"Accept-Language": language.replace("_", "-")})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_names_people_has_two_forms_or_no_verb_beside_their_names(language: str) -> None:
    wrong = {m.one: list(unagreed(m, language)) for m in messages() if is_about_people(m)}
    assert not {one: words for one, words in wrong.items() if words}, "ngettext with people(name), or ABOUT_ONE"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_for_several_has_no_verb_of_the_form_for_one(language: str) -> None:
    wrong = {m.one: list(unchanged(m, language)) for m in messages() if turns_on_people(m)}
    assert not {one: words for one, words in wrong.items() if words}


def test_the_verbs_are_learned_from_the_messages() -> None:
    assert {"tiene": "tienen", "ganó": "ganaron", "levantó": "levantaron"}.items() <= verbs("es").items()
    assert {"has": "have", "wins": "win"}.items() <= verbs("en").items()


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("es", "ganó %(names)s, %(totals)s"),
        ("es", "%(name)s sonríe"),
        ("es", "La mesa: corta %(side)s"),
        ("en", "%(name)s smiles"),
        ("en", "%(names)s has seven"),
    ],
)
def test_a_new_verb_beside_a_name_is_found(language: str, sentence: str) -> None:
    assert list(beside_names(sentence, language))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("es", "El montón de %(name)s suma 90"), ("en", "Ask %(other)s: the pile of %(name)s adds")],
)
def test_a_name_that_does_nothing_needs_no_second_form(language: str, sentence: str) -> None:
    assert "suma" not in beside_names(sentence, language)
    assert "adds" not in beside_names(sentence, language)


def test_every_exception_is_a_message() -> None:
    known = {message.one for message in messages()}
    assert known >= ABOUT_ONE | ABOUT_SEVERAL | MANY_IN


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_counted_has_a_form_for_one(language: str) -> None:
    def counts(message: Message) -> bool:
        return any(name not in MANY for name, _noun in COUNTED.findall(said(message, language)))

    assert not [m.one for m in messages() if not m.many and m.one not in MANY_IN and counts(m)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_is_not_many(language: str) -> None:
    """ "1 carta", not "1 cartas": whichever message has two forms for a number."""
    one_of_many = re.compile(
        r"(?<![\d–−-])1 (?:cartas|manos|minutos|puntos|días|partidas|rondas|cards|deals|minutes|points)\b"
    )
    wrong = [text for m in messages() if m.many and "num" in m.placeholders() for text in filled(m, language)]
    assert not [text for text in wrong if one_of_many.search(text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_two_articles(language: str) -> None:
    doubled = re.compile(r"\b(?:de el|a el|de del|the the|el el|la la|los los|las las)\b", re.IGNORECASE)
    assert not [text for m in messages() for text in filled(m, language) if doubled.search(text)]


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("kind", ["cards", "coins", "figures"])
def test_how_many_agrees_with_what_is_counted_and_with_whom(app: Flask, language: str, kind: str) -> None:
    with asked_in(app, language):
        one, pair = how_many(kind, kind_name(kind), "Ana"), how_many(kind, kind_name(kind), join_names(["Ana", "Leo"]))
    if language == "en":
        assert re.fullmatch(r"How many [\w ]+ does Ana have\?", one)
        assert re.fullmatch(r"How many [\w ]+ do Ana and Leo have\?", pair)
    else:
        many = "¿Cuántas" if kind in ("cards", "figures") else "¿Cuántos"
        assert re.fullmatch(rf"{many} [\w ]+ tiene Ana\?", one)
        assert re.fullmatch(rf"{many} [\w ]+ tienen Ana y Leo\?", pair)


@pytest.mark.parametrize(
    ("asked", "own", "says"),
    [
        (["Beto"], ["Ana"], {"es": "Pedirle a Beto que acepte la mía", "en": "Ask Beto to accept mine"}),
        (["Beto"], ["Ana", "Leo"], {"es": "Pedirle a Beto que acepte la nuestra", "en": "Ask Beto to accept ours"}),
        (
            ["Beto", "Eva"],
            ["Ana", "Leo"],
            {"es": "Pedirles a Beto y Eva que acepten la nuestra", "en": "Ask Beto and Eva to accept ours"},
        ),
        (
            ["Beto", "Eva"],
            ["Ana"],
            {"es": "Pedirles a Beto y Eva que acepten la mía", "en": "Ask Beto and Eva to accept mine"},
        ),
    ],
)
@pytest.mark.parametrize("language", ["es", "en"])
def test_what_is_asked_turns_on_who_speaks_and_to_how_many(
    app: Flask, language: str, asked: list[str], own: list[str], says: dict[str, str]
) -> None:
    with asked_in(app, language):
        assert ask_to_accept(join_names(asked), join_names(own)) == says[language]


@pytest.mark.parametrize(
    ("names", "joined"),
    [(["Ana", "Irene"], "Ana e Irene"), (["Ana", "Íñigo"], "Ana e Íñigo"), (["Ana", "Hielo"], "Ana y Hielo")],
)
def test_and_sounds_otherwise_before_i(app: Flask, names: list[str], joined: str) -> None:
    with asked_in(app, "es_AR"):
        assert join_names(names) == joined


@pytest.mark.parametrize(
    ("number", "es", "en"), [(0, "ninguna carta", "no cards"), (1, "1 carta", "1 card"), (2, "2 cartas", "2 cards")]
)
def test_none_one_and_several_cards_are_counted(app: Flask, number: int, es: str, en: str) -> None:
    with asked_in(app, "es"):
        assert counted_words("cards", number) == es
    with asked_in(app, "en"):
        assert counted_words("cards", number) == en


@pytest.mark.parametrize(
    ("minutes", "es", "en"),
    [
        (0, "", ""),
        (1, "1 minuto", "1 minute"),
        (60, "una hora", "an hour"),
        (80, "una hora y media", "an hour and a half"),
        (150, "dos horas y media", "two and a half hours"),
        (610, "10 horas", "10 hours"),
    ],
)
def test_a_time_is_said_as_at_a_table(app: Flask, minutes: int, es: str, en: str) -> None:
    time = timedelta(minutes=minutes)
    with asked_in(app, "es"):
        assert time_words(time) == es
    with asked_in(app, "en"):
        assert time_words(time) == en


def test_a_match_of_several_days_took_days_and_not_minutes(app: Flask) -> None:
    with asked_in(app, "es"):
        assert [days_words(days) for days in (2, 3, 12)] == ["en dos días", "en tres días", "en 12 días"]


def test_a_number_below_nought_has_a_minus_and_no_hyphen(app: Flask) -> None:
    with asked_in(app, "es"):
        assert [signed(points) for points in (5, 0, -5, 2.5, -1.5)] == ["+5", "0", "−5", "+2,5", "−1,5"]
        assert scores([18, 16]) == "18–16"
        assert scores([-1, 2, -1]) == "−1, 2, −1"


def test_the_numbers_of_two_sides_are_said_as_one_says_them(app: Flask) -> None:
    with asked_in(app, "es"):
        assert one_to_other({"A": 22, "B": 18}, "AB") == "22 a 18"
        assert one_to_other({"A": -4, "B": 18}, "AB") == "−4, 18"
        assert one_to_other({"A": 9, "B": 8, "C": 23}, "ABC") == "9–8–23"
    with asked_in(app, "en"):
        assert one_to_other({"A": 22, "B": 18}, "AB") == "22–18"


def test_how_a_line_is_known_stands_behind_its_numbers(app: Flask) -> None:
    line: Any = {"item": "cards", "points": {"A": 1, "B": 0}, "reason": "most", "evidence": "counted"}
    with asked_in(app, "es"):
        assert line_detail({**line, "values": {"A": 22, "B": 18}}, {"A": "Ana", "B": "Beto"}) == "22 a 18, contando"


def test_how_a_thing_is_known_is_said_in_words_without_a_gender(app: Flask) -> None:
    """They stand behind a flor, the coins, the cards and the seven alike: "la flor, dicho" would be wrong."""
    with asked_in(app, "es"):
        words = [evidence_word(evidence) for evidence in get_args(Evidence)]
    assert all(words)
    assert not [word for word in words if re.search(r"(?:[aid]d|ich|st|rt)[oa]s?$", word.removesuffix("a la vista"))]


def entry_of(app: Flask, language: str, kind: str, name: str) -> str:
    """Return the sentence of an entry of a kind, whose sides and players all have this name."""
    sides = dict.fromkeys("ABC", name)
    match: Any = SimpleNamespace(
        sides=sides,
        all_sides=sides,
        players={1: "Beto", 2: "Cata"},
        plain_names=Names({1: "Beto", 2: "Cata"}, {}),
        setup=SimpleNamespace(game="la_escoba", players_per_side=2, options={}),
        standing=SimpleNamespace(state=SimpleNamespace(deal=lambda _number: None)),
        deal=None,
        table_rules=None,
        side_behind=lambda _id: "B",
        worth_of=lambda _declaration: {},
        game=games()["la_escoba"],
        game_title="La escoba",
    )
    match.as_of_entry = match.as_of = lambda _time: match
    entry: Any = SimpleNamespace(kind=kind, payload=full(kind), author="A")
    with asked_in(app, language):
        return entry_words(match, entry)


ONE_PLAYERS = {"entered", "left"}
"""Kinds about a side that is always one player."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_of_an_entry_agrees_with_its_side(app: Flask, language: str) -> None:
    for kind in sorted(set(KINDS) - ONE_PLAYERS):
        agrees(language, app, lambda name, kind=kind: entry_of(app, language, kind, name))  # type: ignore[misc]


def agrees(language: str, app: Flask, sentence_about: Callable[[str], str]) -> None:
    """Hold that a sentence about one person, and about a pair, has the number of each."""
    with asked_in(app, language):
        pair = join_names(["Ana", "Leo"])
    for name in ("Ana", pair):
        with asked_in(app, language):
            sentence = sentence_about(name)
        assert "%(" not in sentence
        assert not list(wrong_number(sentence, language, "Ana", A_PAIR[language.split("_")[0]])), sentence
        assert not list(wrong_number(sentence, language, "Ana", A_PAIR[language.split("_")[0]])), sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_of_a_problem_agrees_with_its_side(app: Flask, language: str) -> None:
    for _place, code, facts in REPORTED:
        problem = problem_of(code, facts)
        agrees(language, app, lambda name, of=problem: in_words(of, dict.fromkeys("ABCDE", name), "chorizo"))  # type: ignore[misc]
