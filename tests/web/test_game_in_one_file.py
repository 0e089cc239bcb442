"""A game is one value of data, also for the pages: a twin of a game under another id is told like the game itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from scorekeeper.rules.games import GAMES
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.web.words import names

from ..helpers.reading import Page


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleSet]:
    """A game that has a twin; words of its own are those of its twin, too."""
    found: RuleSet = request.param
    twin = replace(found, id=twin_of(found), vocabularies=(found.id, *found.vocabularies))
    monkeypatch.setitem(GAMES, twin.id, twin)
    names.described.cache_clear()
    yield found
    monkeypatch.undo()
    names.described.cache_clear()


def twin_of(game: RuleSet) -> str:
    """Return the id of a game's twin: one of its own, as what is worked out for a game is cached by its id."""
    return f"twin_of_{game.id}"


def told(client: FlaskClient, game: RuleSet, preset: str) -> list[list[str]]:
    """Return what the rules of a game and those of its twin say, without their names and the sentences about them."""
    both = [names.games()[id] for id in (game.id, twin_of(game))]
    own = sorted((each[part]["en"] for each in both for part in ("note", "names")), key=len, reverse=True)  # type: ignore[literal-required]
    pages = [Page(client.get(f"/rules/{each['id']}?preset={preset}")).words for each in both]
    for word in own:
        pages = [page.replace(word, "…") for page in pages]
    return [page.split() for page in pages]


def test_the_rules_page_of_a_twin_has_the_same_sentences_and_examples(client: FlaskClient, game: RuleSet) -> None:
    ours, the_twins = told(client, game, [*game.preset_ids][-1])
    assert the_twins == ours
