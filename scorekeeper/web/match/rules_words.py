"""The rules of a match in words: its house rules, what has changed in them, and their name."""

from __future__ import annotations

from flask_babel import gettext as _

from ...rules import contract
from ...store.journal import kinds
from ...store.journal.replay import DealState
from ..words.names import option_value, pick, preset_name
from .view import MatchView


def house_rules(match: MatchView) -> list[tuple[str, str]]:
    """Return the options that differ from the game's defaults, each with its value, in words.

    The target and the number of sides are left out: the pages show those by themselves.
    """
    chosen = []
    for option in match.game["options"]:
        value = match.setup.options.get(option["id"], option["default"])
        if option["id"] not in ("sides", "target") and value != option["default"]:
            chosen.append((pick(option["label"]), _value_words(option, value)))
    return chosen


def changed_rules(match: MatchView, options: contract.Options) -> list[tuple[str, str, str]]:
    """Return options as (name, value before, value from then on) in words; ``end`` follows from numbers beside it."""
    before = match.setup.options
    return [
        (_asked(option), _value_words(option, before.get(id)), _value_words(option, options[id]))
        for option in match.game["options"]
        if (id := option["id"]) in options and id != "end"
    ]


def options_words(match: MatchView, options: contract.Options) -> list[tuple[str, str]]:
    """Return options as (name, value) in words."""
    return [(label, value) for label, _before, value in changed_rules(match, options)]


def rules_of(match: MatchView, deal: DealState) -> list[tuple[str, str]]:
    """Return the options of a deal that have changed in the course of the match."""
    changes = [entry for entry in match.standing.state.changes if entry.kind == kinds.RULES_CHANGED]
    changed = {id for entry in changes for id in entry.payload["options"]}
    return options_words(match, {id: value for id, value in deal.setup.options.items() if id in changed})


def rules_words(match: MatchView) -> str:
    """Return the game with the name of its house rules, such as "Chorizo, Flores"; a game has its own rules."""
    rules_name = match.setup.rules_name
    if not rules_name and len(match.game["presets"]) > 1:
        rules_name = preset_name(match.game, match.setup.preset or match.game["default_preset"])
    return ", ".join(filter(None, (match.game_title, rules_name)))


def _asked(option: contract.OptionDescription) -> str:
    """Return the name of an option as it is written before its value; the target in words that lead up to it."""
    if option["id"] == "target":
        return _("The match ends at")
    label = pick(option["label"])
    return label if label.endswith("?") else f"{label}:"


def _value_words(option: contract.OptionDescription, value: object) -> str:
    """Return what a value of an option is called; a sign for none."""
    if isinstance(value, bool) and str(value) not in option["value_labels"]:
        return _("yes") if value else _("no")
    return "–" if value is None else option_value(option, value)
