"""The games as data for forms: what may be chosen, with names and one-sentence labels in every language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from . import contract, glossary
from .games import GAMES
from .options import Option, Value
from .ruleset import LineUps, RuleSet


def describe_games(
    shown: Mapping[contract.CardsOfThePlace, contract.CardsOfThePlace] | None = None,
) -> list[contract.GameDescription]:
    """Describe every game in the form of docs/contract.md, in the words of its cards or of those ``shown`` for them."""
    return [describe_game(rules.id, (shown or {}).get(rules.cards, rules.cards)) for rules in GAMES.values()]


@lru_cache(maxsize=64)
def describe_game(id: str, cards: contract.CardsOfThePlace) -> contract.GameDescription:
    """Describe one game, in the words of some cards.

    Beyond the contract: ``seats`` (line-ups), ``preset_seats`` (those of each preset), ``default_preset``, notes and
    labels of values.
    """
    rules: RuleSet = GAMES[id]
    return {
        "id": rules.id,
        "family": rules.family,
        "names": glossary.game_name(rules.id),
        "note": glossary.game_note(rules.id),
        "sides": sorted({count for count, _ in rules.line_ups}),
        "seats": _seats(rules.line_ups),
        "preset_seats": {preset: _seats(rules.line_ups_of(preset)) for preset in rules.preset_ids},
        "target": rules.target,
        "default_preset": rules.default_preset,
        "presets": {preset: dict(rules.presets.get(preset, {})) for preset in rules.preset_ids},
        "preset_names": {preset: glossary.preset_name(preset) for preset in rules.preset_ids},
        "preset_notes": {preset: glossary.preset_note(preset) for preset in rules.preset_ids},
        "played_as": {preset: glossary.played_as(rules, preset) for preset in rules.preset_ids},
        "options": [_describe_option(rules, option, cards) for option in rules.options],
        "items": [{"id": item, "names": glossary.item_name(rules, item, cards)} for item in rules.items],
        "cards": rules.cards,
    }


def _seats(line_ups: LineUps) -> list[contract.LineUp]:
    return [{"sides": count, "players_per_side": players} for count, players in line_ups]


def _words_of(value: Value) -> tuple[str, ...]:
    """Return a value as its words: true and false as JSON writes them, and as Python does."""
    return (str(value), str(value).lower()) if isinstance(value, bool) else (str(value),)


def _describe_option(rules: RuleSet, option: Option, cards: contract.CardsOfThePlace) -> contract.OptionDescription:
    described: contract.OptionDescription = {
        "id": option.id,
        "group": option.group,
        "type": option.kind,
        "values": list(option.values),
        "default": option.default,
        "table": option.table is not None,
        "note": option.note,
        "label": glossary.option_label(rules, option.id, cards),
        "about": glossary.option_about(rules, option.id, cards),
        "value_labels": {
            word: glossary.value_label(rules, option.id, value, cards)
            for value in option.values
            for word in _words_of(value)
        },
    }
    if option.kind == "int":
        described["minimum"] = option.minimum
    if option.upfront:
        described["upfront"] = True
    if option.presets:
        described["presets"] = list(option.presets)
    if option.concerns:
        described["concerns"] = list(option.concerns)
    if option.needs:
        described["needs"] = {id: list(values) for id, values in option.needs.items()}
    if option.sides:
        described["sides"] = list(option.sides)
    if option.players:
        described["players"] = list(option.players)
    return described
