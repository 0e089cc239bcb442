"""Brisca and its regional kin (docs/rules.md 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..examples import Ended, Example
from ..options import Option, Options, choice, flag, number
from ..problems import Problems
from ..ruleset import LineUps, RuleSet
from ..tricks.deciders import Bid, Call, Decider, Limit
from ..tricks.game import TrickGame
from ..tricks.table import Variant

USUAL_LINE_UPS: LineUps = ((2, 1), (3, 1), (2, 2), (2, 3))
CALLED: LineUps = ((5, 1),)
PACKS = {2: 40, 3: 39, 4: 40, 5: 40, 6: 48}


def to_a_limit(options: Options) -> Decider:
    """Return the rule of Mexicana: everyone with few card points wins."""
    return Limit(options.number("mexican_limit"))


def by_bid(options: Options) -> Decider:
    """Return the rule of Rematada: one declarer against two."""
    return Bid(options["rematada_score"] == "made")


def by_call(options: Options) -> Decider:
    """Return the rule of Chiamata: a caller and a hidden partner against the rest."""
    return Call(options.word("chiamata_scores"))


VARIANTS = {
    "brisca": Variant(),
    "mexican": Variant(to_a_limit),
    "scoperta": Variant(face_up=True),
    "mariaje": Variant(marriages="all"),
    "cinquecento": Variant(marriages="all"),
    "chiamata": Variant(by_call, called="at_once", hand=8),
    "chiamata_buia": Variant(by_call, called="after_first_trick", hand=8),
    "chiamata_a_punti": Variant(by_call, called="at_play", hand=8),
    "rematada": Variant(by_bid, "rematada_target", marriages="trumps", last_trick=True, hand=10, apart=2),
    "muerte_al_tres": Variant(three_killed=True),
}


CYCLED = ("brisca", "scoperta", "mariaje", "cinquecento")
"""The presets whose matches may be a cycle of four deals: there a deal is won by the most card points."""

BY_CALL = tuple(preset for preset, variant in VARIANTS.items() if variant.called)
BY_MOST = ("brisca", "scoperta", "mariaje", "muerte_al_tres")
"""The presets in which most card points bring a game point."""
FOR_DEALS = (*BY_MOST, "mexican", *BY_CALL)
"""The presets whose matches are played to a number of game points."""


def choose_pack(
    preset: str, options: dict[str, Any], sides: int, players_per_side: int, problems: Problems
) -> dict[str, Any]:
    """Choose the pack by the number of players where none was chosen; refuse a pack that cannot be dealt evenly."""
    players = sides * players_per_side
    if options["pack"] is None:
        options["pack"] = 32 if VARIANTS[preset].apart else PACKS.get(players, 40)
    if (options["pack"] - VARIANTS[preset].apart) % players:
        problems.error(
            "unknown_value",
            "options.pack",
            f"{options['pack']} cards cannot be shared by {players} players.",
            option="pack",
            value=options["pack"],
        )
    return options


OPTIONS: tuple[Option, ...] = (
    Option("cards", "pack", (None, 40, 48, 39, 36, 32), None),
    number("goal", "match_to", 3, 3, 5, 7, minimum=1, concerns=FOR_DEALS),
    choice("end", "match_mode", "game_points", "cycle_victories", "cycle_points", presets=CYCLED),
    choice("cards", "trump_method", "turned", "fixed_cycle"),
    choice("points", "pts_over_hundred", 1, 2, concerns=BY_MOST),
    choice("cards", "value_table", "standard", "seven_ten", "jack_knight_swapped"),
    flag("cards", "partners_show_cards", False, note=True),
    number("end", "mexican_limit", 11, concerns=("mexican",)),
    choice("end", "mariaje_match", "deal_wins", "sum_to_500", concerns=("mariaje",)),
    choice("points", "rematada_score", "bid", "made", concerns=("rematada",)),
    choice("end", "chiamata_scores", "two_one", "deal_wins", "manual", concerns=BY_CALL),
    number("goal", "rematada_target", None, minimum=1, nullable=True, concerns=("rematada",)),
)

NO_OPTIONS: Mapping[str, object] = {}

OF_BRISCA: tuple[Example, ...] = (
    Ended({"card_points": {"A": 61}}, ("game_point",), presets=("brisca", "scoperta", "muerte_al_tres")),
    Ended(
        {"card_points": {"A": 60}, "counts": {"A": {"cards": 22}}},
        ("game_point",),
        presets=("brisca", "scoperta", "muerte_al_tres"),
    ),
    Ended({"card_points": {"A": 105}}, ("game_point", "over_hundred"), presets=("brisca", "scoperta")),
    Ended(
        {"card_points": {"A": 55}, "trump": "O", "marriages": [{"side": "A", "suit": "O"}]},
        ("card_points", "marriage", "game_point"),
        presets=("mariaje", "cinquecento"),
    ),
    Ended({"card_points": {"A": 9}}, ("game_point",), presets=("mexican",)),
    Ended({"card_points": {"A": 40}}, ("game_point",), presets=("mexican",)),
    Ended({"three_killed": "A"}, ("game_point", "three_killed"), presets=("muerte_al_tres",)),
    Ended(
        {"bid": {"side": "A", "points": 110}, "trump": "O", "last_trick": "A", "card_points": {"A": 104}},
        ("bid",),
        sides=3,
        presets=("rematada",),
        bare=("bid",),
    ),
    Ended(
        {
            "bid": {"side": "A", "points": 110},
            "trump": "O",
            "last_trick": "B",
            "marriages": [],
            "card_points": {"A": 104},
        },
        ("bid",),
        sides=3,
        presets=("rematada",),
        bare=("bid",),
    ),
    *(
        Ended(
            {
                "bid": {"side": "A", "points": 61},
                "partner": partner,
                "card_points": dict(zip("ABCDE", made, strict=True)),
            },
            ("bid",),
            sides=5,
            presets=BY_CALL,
            bare=("bid",),
        )
        for partner, made in (("B", (40, 30, 20, 20, 10)), ("B", (30, 20, 30, 30, 10)), (None, (70, 20, 10, 10, 10)))
    ),
)

BRISCA = RuleSet(
    id="brisca",
    sources=("Wikipedia: Brisca",),
    examples=OF_BRISCA,
    family="tricks",
    line_ups=(*USUAL_LINE_UPS, *CALLED),
    options=OPTIONS,
    engine=lambda table: TrickGame(table, VARIANTS[table.preset]),
    items=("card_points", "marriage", "last_trick", "game_point", "over_hundred", "bid", "three_killed"),
    presets={preset: {"mariaje_match": "sum_to_500"} if preset == "cinquecento" else NO_OPTIONS for preset in VARIANTS},
    default_preset="brisca",
    form_values={preset: {"match_to": 11} for preset in BY_CALL},
    preset_line_ups={
        preset: CALLED if variant.called else ((3, 1),) if variant.apart else USUAL_LINE_UPS
        for preset, variant in VARIANTS.items()
    },
    complete=choose_pack,
)
