"""What is played: every game and preset in every line-up, and all that can happen around a deal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any
from uuid import uuid4

from scorekeeper import rules
from scorekeeper.store import commands, queries
from scorekeeper.store.db import writing
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.standings import Standing, standing_of
from scorekeeper.web.match.closing_needs import closing_needs

from . import deals
from .phones import Evening, Phone

NAMES = ["Ana", "Beto", "Leo", "Cata", "Dina", "Elio", "Fede", "Gala", "Hugo", "Inés"]
NO_PAGE_STARTS = ("chiamata", "chiamata_buia", "chiamata_a_punti", "rematada")
"""Presets that the form of a new match refuses."""
LONGEST = 12
"""Deals of a match that is played to its end, unless it takes more."""
GAMES: Mapping[str, Mapping[str, Any]] = {game["id"]: game for game in rules.games()["games"]}


def standing(evening: Evening) -> Standing:
    """Return where the match stands."""
    with evening.phone.app.app_context():
        table = queries.table_by_play_key(evening.key)
        assert table is not None
        match = queries.match_by_number(table, evening.match)
        assert match is not None
        return standing_of(match)


def setup_of(now: Standing) -> deals.Setup:
    """Return what the match was started with."""
    one = now.state.setup
    return deals.Setup(one.game, one.preset, one.options, one.labels, one.players_per_side)


def line_ups(game: str) -> Iterator[tuple[str, str]]:
    """Yield every preset of a game with every number of players it is played by, as its form names them."""
    for preset in GAMES[game]["presets"]:
        rule_set = rules.find_game(game)
        assert rule_set is not None
        for sides, each in rule_set.preset_line_ups.get(preset, rule_set.line_ups):
            yield preset, f"{sides}x{each}"


def players(shape: str) -> list[str]:
    """Return who sits at a table of that shape."""
    sides, _x, each = shape.partition("x")
    return NAMES[: int(sides) * int(each)]


def play_deal(evening: Evening, random: Random, way: str = "shown") -> None:
    """Play the next deal of the match and close it on its page."""
    now = standing(evening)
    setup, number = setup_of(now), now.state.current.number
    dealer = now.state.setup.side_at(now.state.current.dealer_seat).label
    family = GAMES[setup.game]["family"]
    if family == "tricks":
        evening.close(number, None, 303, **deals.tricks(setup, number, random))
    elif family == "rummy":
        evening.close(number, None, 303, **deals.rummy(setup, number, dealer, random))
    elif family == "free":
        evening.close(number, None, 303, **deals.pad(setup, random))
    else:
        needs = closing_needs(now.state.setup)
        items = [row.item for row in needs.rows]
        whole = deals.fishing(setup, dealer, random)
        # Where the game cannot be told one way (wild cards that may be anything), it is told in words.
        for one in (way, "shown", "said"):
            told = deals.told(one, setup, whole, items, needs.counts, random)
            page = evening.close(number, told, None)
            if page.status == 303:
                return
        evening.close(number, {"rest": dealer})


def play_on(evening: Evening, random: Random, most: int, start: int = 0) -> None:
    """Play deals until the match is over, at most so many, each told another way."""
    for turn in range(start, start + most):
        if standing(evening).is_over:
            return
        few = len(standing(evening).state.setup.labels) == 2
        ways = deals.WAYS if few else deals.SHORT_WAYS
        play_deal(evening, random, ways[turn % len(ways)])


def every_line_up(phone: Phone, game: str, random: Random) -> Evening:
    """Play a game with every preset in every line-up: to the end, stopped, or left open in the middle of a deal."""
    evening: Evening | None = None
    played: set[str] = set()
    for turn, (preset, shape) in enumerate(line_ups(game)):
        is_first = preset not in played
        played.add(preset)
        options = options_to_the_end(game) if is_first else {}
        # Nine cannot play the round in which everybody gets thirteen cards.
        if game == "carioca" and shape == "9x1":
            options = {**options, "rounds": "7"}
        if game == "brisca":
            options = {**options, "pack": "null"}
        chosen = {"game": game, "preset": preset, "shape": shape, "first_dealer": turn % len(players(shape))}
        if evening is None:
            evening = Evening.opened(phone, players(shape), options, table_name=game, **chosen)
        elif preset in NO_PAGE_STARTS:
            start_below(evening, game, preset, shape)
        else:
            evening.start(players(shape), options, **chosen)
        if is_first:
            play_on(evening, random, LONGEST, turn)
            continue
        play_on(evening, random, 2, turn)
        if standing(evening).is_over:
            continue
        if turn % 3 == 0:
            evening.end()
        elif GAMES[game]["family"] == "fishing":
            note(evening, random)
    assert evening is not None
    return evening


def start_below(evening: Evening, game: str, preset: str | None, shape: str, **options: Any) -> None:
    """Start a match through the function below the pages, as no page does."""
    sides, _x, each = shape.partition("x")
    labels = [chr(ord("A") + side) for side in range(int(sides))]
    with evening.phone.app.app_context(), writing():
        table = queries.table_by_play_key(evening.key)
        assert table is not None
        numbers = commands.seat_players(table, players(shape))
        asked = {"game": game, "preset": preset, "options": options, "sides": labels, "players_per_side": int(each)}
        resolved = rules.score({**asked, "deal": {}})["options"]
        seated = sides_of([numbers[side :: int(sides)] for side in range(int(sides))])
        match = commands.start_match(table, str(uuid4()), Setup(game, preset, resolved, seated, first_dealer=0))
        evening.match = match.number


def options_to_the_end(game: str) -> dict[str, Any]:
    """Return options under which a match comes to its end in a few deals."""
    if game == "free":
        return {"target": 100, "end": json.dumps("target")}
    if game in ("carioca", "brisca"):
        return {}
    options = {option["id"]: option for option in GAMES[game]["options"]}
    return {"target": 15} if options["target"]["type"] == "int" else {}


def note(evening: Evening, random: Random) -> None:
    """Note what happens in the middle of a deal: sweeps, the opening, a hand declared, a penalty."""
    now = standing(evening)
    needs, number = closing_needs(now.state.setup), now.state.current.number
    labels = now.state.setup.labels
    if needs.sweeps:
        for _tap in range(random.randint(1, 3)):
            evening.sweep(number, random.choice(labels))
    if needs.openings:
        evening.layout(number, told=needs.openings[0])
    if needs.declarations:
        evening.declare(number, labels[0], "1B", "2B", "3B", expect=None, batch=1)
    if needs.penalties:
        evening.penalty(number, needs.penalties[-1], labels[-1])


def every_option(game: str, evening: Evening, random: Random) -> None:
    """Play with each value of each house rule at least once, as many as can be in one match."""
    options = [option for option in GAMES[game]["options"] if option["id"] not in ("sides", "target", "pack")]
    # Each of these needs the others to be as they are, or no page can close its deals.
    apart = ("chiamata_scores", "match_mode", "end", "rounds", "last_cards")
    options = [option for option in options if option["id"] not in apart]
    most = max((len(option["values"]) for option in options), default=0)
    for turn in range(1, most):
        chosen = {}
        for option in options:
            others = [value for value in option["values"] if value != option["default"]]
            if others:
                value = others[(turn - 1) % len(others)]
                if option["type"] == "bool":
                    chosen[option["id"]] = "y" if value else None
                else:
                    chosen[option["id"]] = value if option["type"] == "int" else json.dumps(value)
        shape = next(shape for _preset, shape in line_ups(game))
        evening.start(players(shape), chosen, game=game, shape=shape, first_dealer=0, rules_name=f"{game} {turn}")
        play_on(evening, random, 2, turn)


def all_to_one(evening: Evening, game: str) -> None:
    """One side takes everything, in each preset: what is rare happens."""
    family = GAMES[game]["family"]
    for preset, shape in dict(reversed(list(line_ups(game)))).items():
        if family != "fishing":
            return
        evening.start(players(shape), game=game, preset=preset, shape=shape, first_dealer=0)
        openings = closing_needs(standing(evening).state.setup).openings
        if openings:
            evening.layout(1, told=openings[evening.match % len(openings)])
        evening.close(1, {"rest": "A"})
