"""The sentence of each entry of a journal, such as "Sweep of Ana": a row of ``_SENTENCES`` for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias

from flask_babel import gettext as _
from flask_babel import ngettext

from ...names import drawn
from ...rules import contract
from ...store.forgotten import without_forgotten
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry
from ...store.journal.kinds import AnyPayload
from ..words.cards import suit_name
from ..words.evenings import weekday_words
from ..words.marked import N_, Sentence, fill, ungettext
from ..words.names import item_name, item_names, join_names, people, sweep_name, upper_first
from ..words.openings import void_words
from ..words.values import numeral, signed
from .opening_worth import noted_opening_words, opening_of
from .rules_words import options_words
from .view import MatchView


def entry_words(here: MatchView, entry: JournalEntry) -> str:
    """Return an entry as a sentence, without the cards that were noted with it."""
    if entry.kind not in _SENTENCES:
        return _with(upper_first(_("something else")), entry.kind)
    return _said(_SENTENCES[entry.kind], _Words(here.as_of_entry(entry), entry))


def first_words(here: MatchView, entry: JournalEntry) -> str:
    """Return what to do where something cannot be taken back, or made, while ``entry`` counts."""
    return str(_("First take this back: %(entry)s.", entry=entry_words(here, entry)))


def declared_words(
    names: Mapping[str, str], game: str, declaration: AnyPayload, worth: Mapping[contract.ItemId, contract.Number]
) -> str:
    """Return a declaration with its worth by item, "Ana: flush 3, run 2 = 5"; without any, with what was said."""
    scored = [f"{item_name(game, item)} {points}" for item, points in worth.items()]
    items = scored or item_names(game, declaration.get("items") or [])
    # A damaged form is drawn again with what it said, by any name.
    name = names.get(declaration.get("side", ""), "")
    total = f" = {sum(worth.values())}" if len(worth) > 1 else ""
    return f"{name}: {', '.join(items)}{total}"


@dataclass(frozen=True)
class _Words:
    """An entry as the words of its sentence, with the names that were in use in its deal."""

    match: MatchView
    entry: JournalEntry

    def __getitem__(self, word: str) -> Any:
        return _WORDS[word](self)

    @property
    def payload(self) -> AnyPayload:
        """The payload of the entry."""
        return self.entry.payload

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.match.setup.game

    @property
    def side(self) -> str:
        """The name of the side that the entry is about, else of its author; "" if neither is known."""
        label = self.payload.get("side") or self.entry.author or ""
        return self.match.sides.get(label, "") or self.match.all_sides.get(label, "")

    @property
    def people(self) -> int:
        """How many people that side is."""
        return people(self.side)

    @property
    def owner(self) -> str:
        """The name of the side that wrote the proposed version; "" if that is not known."""
        taken = self.payload.get("takes")
        label = self.match.side_behind(taken) if taken else None
        return self.match.sides.get(label or "", "")


def _name(words: _Words) -> str:
    player = words.payload.get("player")
    return words.side if player is None else words.match.players[player]


def _rules(words: _Words) -> str:
    return "; ".join(f"{label} {value}" for label, value in options_words(words.match, words.payload["options"]))


def _seats(words: _Words) -> str:
    sides = (side["players"] for side in words.payload["sides"])
    return " · ".join(join_names(words.match.players[number] for number in players) for players in sides)


_WORDS: dict[str, Callable[[_Words], Any]] = {
    "name": _name,
    "other": lambda words: words.match.players[words.payload["other"]],
    "names": _seats,
    "owner": lambda words: words.owner,
    "number": lambda words: words.payload["deal"],
    "points": lambda words: numeral(words.payload["points"]),
    "rules": _rules,
    "game": lambda words: words.match.game_title,
    "item": lambda words: sweep_name(words.game),
    "suit": lambda words: suit_name(words.payload["trump"] or ""),
}
"""The functions that make the words of a sentence."""
_Sentence: TypeAlias = Sentence | Callable[[_Words], str]


def _said(sentence: _Sentence, words: _Words) -> str:
    return sentence(words) if callable(sentence) else fill(sentence, words)


def _if(fact: str, sentence: _Sentence, other: _Sentence) -> Callable[[_Words], str]:
    """Return what says ``sentence`` of an entry whose payload has a fact, and ``other`` of any other."""
    return lambda words: _said(sentence if words.payload.get(fact) else other, words)


def _by(sentence: Sentence, by_nobody: Sentence) -> Callable[[_Words], str]:
    """Return what says ``sentence`` of a side; ``by_nobody`` is for everybody's phone, on which nobody is named."""
    return lambda words: fill(sentence if words.side else by_nobody, words)


def _with(sentence: str, more: str) -> str:
    return f"{sentence}: {more}" if more else sentence


def _swept(words: _Words) -> str:
    count = words.payload["count"]
    return fill(N_("%(item)s of %(name)s"), words) + (f" ×{count}" if count > 1 else "")


def _declared(words: _Words) -> str:
    return declared_words(words.match.sides, words.game, words.payload, words.match.worth_of(words.payload))


def _points(words: _Words) -> str:
    return _("%(points)s for %(name)s", points=signed(words.payload["points"]), name=words.side)


def _dealt(words: _Words) -> str:
    dealt = fill(N_("Deal %(number)d was dealt by %(name)s"), words)
    return "; ".join((dealt, _("the turn goes on as before"))) if words.payload.get("once") else dealt


def _dealt_again(words: _Words) -> str:
    opening = opening_of(words.match, words.entry)
    reasons: dict[object, str] = {"shown": _("a card was shown"), "misdealt": _("misdealt")}
    reason = reasons.get(words.payload.get("why"), "")
    if opening and opening.redeal:
        reason = void_words(opening.redeal)
    return _with(fill(N_("Deal %(number)d was dealt again"), words), reason)


def _disputed(words: _Words) -> str:
    sentence = fill(ungettext("%(name)s disputes deal %(number)d", "%(name)s dispute deal %(number)d"), words)
    line = words.payload.get("line")
    return _with(sentence, item_name(words.game, line) if line else "")


_ASKS_TO_OPEN = ungettext("%(name)s asks to open deal %(number)d again", "%(name)s ask to open deal %(number)d again")


_PROPOSED_TO_OPEN = _by(_ASKS_TO_OPEN, N_("Deal %(number)d: it was proposed to open it again"))
_PROPOSED_ANOTHER = _by(
    ungettext(
        "Deal %(number)d: %(name)s proposes another version", "Deal %(number)d: %(name)s propose another version"
    ),
    N_("Deal %(number)d: another version was proposed"),
)


def _proposed_version(words: _Words) -> str:
    """Return whose version was proposed."""
    by_nobody = N_("Deal %(number)d: the version of %(owner)s was proposed")
    if not words.owner:
        by_nobody = N_("Deal %(number)d: it was proposed which version counts")
        by_name = ungettext(
            "Deal %(number)d: %(name)s proposes which version counts",
            "Deal %(number)d: %(name)s propose which version counts",
        )
    elif words.owner == words.side:
        by_name = ungettext(
            "Deal %(number)d: %(name)s asks that their version counts",
            "Deal %(number)d: %(name)s ask that their version counts",
        )
    else:
        by_name = ungettext(
            "Deal %(number)d: %(name)s accepts the version of %(owner)s",
            "Deal %(number)d: %(name)s accept the version of %(owner)s",
        )
    return _by(by_name, by_nobody)(words)


def _match_noted(words: _Words) -> str:
    texts = filter(None, (words.payload["note"], words.payload["stakes"]))
    return _("About the match: %(words)s", words=" · ".join(map(drawn, texts)) or "–")


def _renamed(words: _Words) -> str:
    told = without_forgotten(words.entry.kind, words.payload, words.match.plain_names.forgotten)
    if not told["to"]:
        # Of somebody who was forgotten, or whose name changed because two players are one, or are not.
        return _("The name of a player changed")
    return _("%(former)s is now called %(name)s", former=drawn(told["from"]), name=drawn(told["to"]))


def _result_typed(words: _Words) -> str:
    """Return a result from paper: its day, the totals, and who won."""
    payload, sides = words.payload, words.match.sides
    totals = ", ".join(f"{sides.get(label, label)} {numeral(total)}" for label, total in payload["totals"].items())
    day = weekday_words(date.fromisoformat(payload["date"]))
    said = _("Result from paper, %(day)s, %(game)s: %(totals)s", day=day, game=words.match.game_title, totals=totals)
    winners = join_names(sides.get(label, label) for label in payload["winners"])
    won = ngettext("%(names)s wins", "%(names)s win", people(winners), names=winners) if winners else ""
    return " · ".join(filter(None, (said, won)))


_SENTENCES: dict[str, _Sentence] = {
    kinds.MATCH_STARTED: _if("series", N_("The match began: %(game)s, best of three"), N_("The match began: %(game)s")),
    kinds.RESULT_TYPED: _result_typed,
    kinds.LAYOUT_NOTED: lambda words: _with(_("Opening"), noted_opening_words(words.match, words.entry)),
    kinds.SWEPT: _swept,
    kinds.DECLARED: _declared,
    kinds.POINTS_NOTED: _points,
    kinds.PENALISED: lambda words: _with(upper_first(item_name(words.game, words.payload["item"])), words.side),
    kinds.ADJUSTED: lambda words: _with(_points(words), drawn(words.payload["reason"])),
    kinds.TRUMP_NOTED: _if("trump", N_("Trumps: %(suit)s"), N_("No trumps named")),
    kinds.CREDITED: _if("player", N_("It was %(name)s"), N_("Nobody is named any more for what was noted")),
    kinds.TOLD_APART: N_("What two phones noted is two"),
    kinds.DEALT: _dealt,
    kinds.DEALT_AGAIN: _dealt_again,
    kinds.DEAL_CLOSED: _if(
        "redeal",
        _dealt_again,
        _if("takes", N_("Deal %(number)d: this version was chosen"), N_("Deal %(number)d was closed")),
    ),
    kinds.DEAL_CONTESTED: N_("Another version of deal %(number)d"),
    kinds.CONFIRMED: _if(
        "facts",
        N_("Deal %(number)d was closed alike"),
        _if(
            "side",
            ungettext("%(name)s accepts deal %(number)d", "%(name)s accept deal %(number)d"),
            N_("Deal %(number)d was accepted"),
        ),
    ),
    kinds.DISPUTED: _if(
        "unsays",
        ungettext(
            "%(name)s takes back a yes that was said on another phone: deal %(number)d is open",
            "%(name)s take back a yes that was said on another phone: deal %(number)d is open",
        ),
        _disputed,
    ),
    kinds.PROPOSED: _if("opens", _PROPOSED_TO_OPEN, _if("facts", _PROPOSED_ANOTHER, _proposed_version)),
    kinds.PROPOSAL_ACCEPTED: N_("%(name)s: yes to what is proposed about deal %(number)d"),
    kinds.PROPOSAL_DECLINED: N_("%(name)s: no to what is proposed about deal %(number)d"),
    kinds.VOIDED: N_("Taken back"),
    kinds.SEATED: N_("They sit so: %(names)s"),
    kinds.SUBSTITUTED: N_("%(name)s plays for %(other)s from deal %(number)d on"),
    kinds.ENTERED: N_("%(name)s comes in with %(points)s from deal %(number)d on"),
    kinds.LEFT: N_("%(name)s leaves before deal %(number)d, and keeps the total"),
    kinds.RULES_PROPOSED: _by(
        ungettext("%(name)s proposes: %(rules)s", "%(name)s propose: %(rules)s"), N_("It is proposed: %(rules)s")
    ),
    kinds.RULES_ACCEPTED: N_("%(name)s: yes to other rules"),
    kinds.RULES_DECLINED: N_("%(name)s: no to other rules"),
    kinds.RULES_CHANGED: N_("From deal %(number)d on: %(rules)s"),
    kinds.MATCH_RESUMED: N_("The match was taken up again"),
    kinds.MATCH_ENDED: _if("leader", N_("The match was stopped: whoever was ahead wins"), N_("The match was stopped")),
    kinds.MATCH_NOTED: _match_noted,
    kinds.PLAYER_RENAMED: _renamed,
    kinds.TABLE_RENAMED: _renamed,
    kinds.PHONE_HELD: _if("player", N_("%(name)s has a phone"), N_("A phone is everybody's again")),
}
"""The sentence of each kind, or a function that makes it."""
