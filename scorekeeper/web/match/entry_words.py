"""The sentence of each entry of a journal, such as "Sweep of Ana": a row of ``_SENTENCES`` for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _

from ...names import drawn
from ...rules import contract
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry
from ...store.journal.kinds import AnyPayload
from ..words.marked import N_, Sentence, fill, ungettext
from ..words.names import item_name, item_names, join_names, people, sweep_name, upper_first
from ..words.openings import void_words
from .opening import noted_opening_words, opening_of
from .rules_words import options_words
from .view import MatchView


def entry_words(here: MatchView, entry: JournalEntry) -> str:
    """Return an entry as a sentence, without the cards that were noted with it."""
    words = _Words(here.as_of_entry(entry), entry)
    sentence = _SENTENCES.get(entry.kind, _unknown)
    return sentence(words) if callable(sentence) else fill(sentence, words)


def declared_words(
    names: Mapping[str, str], game: str, declaration: AnyPayload, worth: Mapping[contract.ItemId, contract.Number]
) -> str:
    """Return a declaration with its worth by item, "Ana: flush 3, run 2 = 5"; without any, with what was said."""
    if worth:
        told = [f"{item_name(game, item)} {points}" for item, points in worth.items()]
    else:
        told = item_names(game, declaration.get("items") or [])
    # A damaged form is drawn again with what it said, whoever that was.
    name = names.get(declaration.get("side", ""), "")
    total = f" = {sum(worth.values())}" if len(worth) > 1 else ""
    return f"{name}: {', '.join(told)}{total}"


@dataclass(frozen=True)
class _Words:
    """An entry as the words of its sentence, with the names that were in use in its deal."""

    match: MatchView
    entry: JournalEntry

    def __getitem__(self, word: str) -> Any:
        return _WORDS[word](self)

    @property
    def payload(self) -> AnyPayload:
        """What the entry holds."""
        return self.entry.payload

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.match.setup.game

    @property
    def side(self) -> str:
        """The name of the side that the entry is about, else of its author; "" where neither is known."""
        label = self.payload.get("side") or self.entry.author or ""
        return self.match.sides.get(label, "") or self.match.all_sides.get(label, "")

    @property
    def people(self) -> int:
        """How many people that side is."""
        return people(self.side)

    @property
    def owner(self) -> str:
        """The name of the side that wrote the version that is proposed; "" where nobody knows."""
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
    "points": lambda words: words.payload["points"],
    "rules": _rules,
    "game": lambda words: words.match.game_title,
    "item": lambda words: sweep_name(words.game),
}
"""The functions that make the words of a sentence."""


def _with(sentence: str, more: str) -> str:
    return f"{sentence}: {more}" if more else sentence


def _unknown(words: _Words) -> str:
    return _with(upper_first(_("something else")), words.entry.kind)


def _swept(words: _Words) -> str:
    count = words.payload["count"]
    return fill(N_("%(item)s of %(name)s"), words) + (f" ×{count}" if count > 1 else "")


def _declared(words: _Words) -> str:
    return declared_words(words.match.sides, words.game, words.payload, words.match.worth_of(words.payload))


def _points(words: _Words) -> str:
    return _("%(points)s for %(name)s", points=f"{words.payload['points']:+d}", name=words.side)


def _dealt(words: _Words) -> str:
    dealt = fill(N_("Deal %(number)d was dealt by %(name)s"), words)
    goes_on = _("the turn goes on as before")
    return f"{dealt}; {goes_on}" if words.payload.get("once") else dealt


def _dealt_again(words: _Words) -> str:
    opening, why = opening_of(words.match, words.entry), words.payload.get("why")
    reason = ""
    if opening and opening.redeal:
        reason = void_words(opening.redeal)
    elif why == "shown":
        reason = _("a card was shown")
    elif why == "misdealt":
        reason = _("misdealt")
    return _with(fill(N_("Deal %(number)d was dealt again"), words), reason)


def _closed(words: _Words) -> str:
    if words.payload.get("redeal"):
        return _dealt_again(words)
    if words.payload.get("takes"):
        return fill(N_("Deal %(number)d: this version was chosen"), words)
    return fill(N_("Deal %(number)d was closed"), words)


def _confirmed(words: _Words) -> str:
    if words.payload.get("facts"):
        return fill(N_("Deal %(number)d was closed alike"), words)
    if words.payload.get("side"):
        return fill(ungettext("%(name)s accepts deal %(number)d", "%(name)s accept deal %(number)d"), words)
    return fill(N_("Deal %(number)d was accepted"), words)


def _disputed(words: _Words) -> str:
    if words.payload.get("unsays"):
        return fill(
            ungettext(
                "%(name)s takes back a yes that was said on another phone: deal %(number)d is open",
                "%(name)s take back a yes that was said on another phone: deal %(number)d is open",
            ),
            words,
        )
    sentence = fill(ungettext("%(name)s disputes deal %(number)d", "%(name)s dispute deal %(number)d"), words)
    line = words.payload.get("line")
    return _with(sentence, item_name(words.game, line) if line else "")


_ASKS_TO_OPEN = ungettext("%(name)s asks to open deal %(number)d again", "%(name)s ask to open deal %(number)d again")


def _proposed(words: _Words) -> str:
    """Return what was proposed about a deal; on a phone of everybody nobody is named who proposed it."""
    by_name: Sentence
    if words.payload.get("opens"):
        by_name, by_nobody = _ASKS_TO_OPEN, N_("Deal %(number)d: it was proposed to open it again")
    elif words.payload.get("facts"):
        by_nobody = N_("Deal %(number)d: another version was proposed")
        by_name = ungettext(
            "Deal %(number)d: %(name)s proposes another version", "Deal %(number)d: %(name)s propose another version"
        )
    elif words.owner:
        by_nobody = N_("Deal %(number)d: the version of %(owner)s was proposed")
        by_name = ungettext(
            "Deal %(number)d: %(name)s accepts the version of %(owner)s",
            "Deal %(number)d: %(name)s accept the version of %(owner)s",
        )
        if words.owner == words.side:
            by_name = ungettext(
                "Deal %(number)d: %(name)s asks that their version counts",
                "Deal %(number)d: %(name)s ask that their version counts",
            )
    else:
        by_nobody = N_("Deal %(number)d: it was proposed which version counts")
        by_name = ungettext(
            "Deal %(number)d: %(name)s proposes which version counts",
            "Deal %(number)d: %(name)s propose which version counts",
        )
    return fill(by_name if words.side else by_nobody, words)


def _match_noted(words: _Words) -> str:
    texts = filter(None, (words.payload["note"], words.payload["stakes"]))
    return _("About the match: %(words)s", words=" · ".join(map(drawn, texts)) or "–")


def _renamed(words: _Words) -> str:
    former, name = drawn(words.payload["from"]), drawn(words.payload["to"])
    return _("%(former)s is now called %(name)s", former=former, name=name)


_SENTENCES: dict[str, Sentence | Callable[[_Words], str]] = {
    kinds.MATCH_STARTED: N_("The match began: %(game)s"),
    kinds.LAYOUT_NOTED: lambda words: _with(_("Opening"), noted_opening_words(words.match, words.entry)),
    kinds.SWEPT: _swept,
    kinds.DECLARED: _declared,
    kinds.POINTS_NOTED: _points,
    kinds.PENALISED: lambda words: _with(upper_first(item_name(words.game, words.payload["item"])), words.side),
    kinds.ADJUSTED: lambda words: _with(_points(words), drawn(words.payload["reason"])),
    kinds.CREDITED: lambda words: fill(
        N_("Nobody is named any more for what was noted") if words.payload["player"] is None else N_("It was %(name)s"),
        words,
    ),
    kinds.TOLD_APART: N_("What two phones noted is two"),
    kinds.DEALT: _dealt,
    kinds.DEALT_AGAIN: _dealt_again,
    kinds.DEAL_CLOSED: _closed,
    kinds.DEAL_CONTESTED: N_("Another version of deal %(number)d"),
    kinds.CONFIRMED: _confirmed,
    kinds.DISPUTED: _disputed,
    kinds.PROPOSED: _proposed,
    kinds.PROPOSAL_ACCEPTED: N_("%(name)s: yes to what is proposed about deal %(number)d"),
    kinds.PROPOSAL_DECLINED: N_("%(name)s: no to what is proposed about deal %(number)d"),
    kinds.REOPENING_ASKED: _ASKS_TO_OPEN,
    kinds.REOPENING_ACCEPTED: ungettext(
        "%(name)s agrees to open deal %(number)d again", "%(name)s agree to open deal %(number)d again"
    ),
    kinds.VOIDED: N_("Taken back"),
    kinds.SEATED: N_("They sit so: %(names)s"),
    kinds.SUBSTITUTED: N_("%(name)s plays for %(other)s from deal %(number)d on"),
    kinds.ENTERED: N_("%(name)s comes in with %(points)s from deal %(number)d on"),
    kinds.LEFT: N_("%(name)s leaves before deal %(number)d, and keeps the total"),
    kinds.RULES_PROPOSED: lambda words: fill(
        ungettext("%(name)s proposes: %(rules)s", "%(name)s propose: %(rules)s")
        if words.side
        else N_("It is proposed: %(rules)s"),
        words,
    ),
    kinds.RULES_ACCEPTED: N_("%(name)s: yes to other rules"),
    kinds.RULES_DECLINED: N_("%(name)s: no to other rules"),
    kinds.RULES_CHANGED: N_("From deal %(number)d on: %(rules)s"),
    kinds.MATCH_RESUMED: N_("The match was taken up again"),
    kinds.MATCH_ENDED: lambda words: (
        _("The match was cut: whoever was ahead wins") if words.payload.get("leader") else _("The match was stopped")
    ),
    kinds.MATCH_NOTED: _match_noted,
    kinds.PLAYER_RENAMED: _renamed,
    kinds.TABLE_RENAMED: _renamed,
    kinds.PHONE_HELD: lambda words: fill(
        N_("A phone is everybody's again") if words.payload["player"] is None else N_("%(name)s has a phone"), words
    ),
}
"""The sentence of each kind, or a function that chooses among several."""
