"""The rules of a match in words: its house rules, what has changed in them, and their name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...rules import contract
from ...store import queries
from ...store.journal import kinds
from ...store.journal.match_setup import Setup
from ...store.journal.replay import DealState
from ...store.models import MatchSummary
from ..words.deal_nouns import deal_words
from ..words.names import game_name, join_names, option_value, own_name, people, played_name, preset_name
from ..words.readers import pick
from .own_line_fields import own_line_words
from .view import MatchView


def house_rules(match: MatchView) -> list[tuple[str, str]]:
    """Return the options that differ from the game's defaults, and the lines of the table's own, in words.

    The target and the number of sides are left out: the pages show those by themselves.
    """
    chosen = []
    for option in match.game["options"]:
        value = match.setup.options.get(option["id"], option["default"])
        if option["id"] not in ("sides", "target") and value != option["default"]:
            chosen.append((pick(option["label"]), _value_words(option, value)))
    own = ((own_name(line["name"]), own_line_words(line)) for line in match.setup.own_lines)
    return [*chosen, *own]


def changed_rules(match: MatchView, options: contract.Options) -> list[tuple[str, str, str]]:
    """Return options as (name, value before, value from then on) in words; ``end`` follows from numbers beside it."""
    before = match.setup.options
    return [
        (_asked(option), _value_words(option, before.get(id)), _value_words(option, options[id]))
        for option in match.game["options"]
        if (id := option["id"]) in options and id != "end"
    ]


def reached_words(match: MatchView, options: contract.Options) -> str:
    """Return who has as many points as these options end the match at, and what comes of it; empty where nobody has."""
    target = match.ending_by(options).target
    there = [name for label, name in match.sides.items() if target is not None and match.totals[label] >= target]
    if not there:
        return ""
    names = join_names(there)
    words: str = ngettext(
        "%(names)s has %(target)d points already: the match ends with the next deal.",
        "%(names)s have %(target)d points already: the match ends with the next deal.",
        people(names),
        names=names,
        target=target,
    )
    return words


def options_words(match: MatchView, options: contract.Options) -> list[tuple[str, str]]:
    """Return options as (name, value) in words."""
    return [(label, value) for label, _before, value in changed_rules(match, options)]


def rules_of(match: MatchView, deal: DealState) -> list[tuple[str, str]]:
    """Return the options of a deal that have changed in the course of the match."""
    changes = [entry for entry in match.standing.state.changes if entry.kind == kinds.RULES_CHANGED]
    changed = {id for entry in changes for id in entry.payload["options"]}
    return options_words(match, {id: value for id, value in deal.setup.options.items() if id in changed})


def rules_words(match: MatchView) -> str:
    """Return the game with the name of its rules, where that says more: "Chorizo, Flores", "Chiamata"."""
    title, rules_name = match.game_title, match.setup.rules_name
    if not rules_name and title == game_name(match.setup.game):
        rules_name = preset_name(match.game, match.setup.preset or match.game["default_preset"])
    return ", ".join(dict.fromkeys(filter(None, (title, rules_name))))


def played_games(summaries: Iterable[MatchSummary]) -> dict[tuple[int, int], str]:
    """Return which game was played in these matches, by the table's id and the match's number.

    The target is not in it: a table may change that in the course of a match.
    """
    each = list(summaries)
    played = queries.played_as(each)
    games = {(summary.table_id, summary.match): summary.game for summary in each}
    named = ((place, game, *played.get(place, (None, None))) for place, game in games.items())
    return {place: name or played_name(game, preset) for place, game, preset, name in named}


def pad_words(stored: Mapping[str, Any]) -> str:
    """Return how a game was played on the pad, by its stored set-up: its end, who wins, and how it was counted."""
    setup = Setup.from_json(cast(kinds.StoredSetup, stored))
    asked = {"game": setup.game, "preset": setup.preset, "options": dict(setup.options), "sides": setup.labels}
    table = rules.read_table({**asked, "players_per_side": setup.players_per_side}, rules.Problems())
    ending = rules.Ending() if table is None else rules.match_ending(table)
    rounds = deal_words(setup.game).many(ending.rounds) if ending.rounds else ""
    parts = (
        _("to %(target)d", target=ending.target) if ending.target else rounds or _("without an end"),
        _("malas and buenas") if setup.halves and ending.target else "",
        _("lowest wins") if ending.winner == "lowest" else "",
        _("counted at once") if ending.counts_at_once else _("in rounds"),
    )
    return " · ".join(filter(None, map(str, parts)))


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
