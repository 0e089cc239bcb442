"""Problems of the engine in the reader's language, with the players' names: what is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...store.journal.entries import Full
from .cards import card_name, suit_name
from .marked import N_, Sentence, fill, ungettext
from .names import item_name, join_names, people, prime_name, upper_first


def in_words(problem: Mapping[str, Any], names: Mapping[str, str] | None = None, game: str = "") -> str:
    """Return a problem as a sentence; ``names`` are the sides' by label.

    The engine's own plain English is returned for a code that has no sentence here, and where a fact is missing.
    """
    sentence = _SENTENCES.get(problem["code"])
    if sentence is None:
        return str(problem["message"])
    words = _Words(problem.get("facts", {}), names or {}, game)
    try:
        said = sentence(words) if callable(sentence) else fill(sentence, words)
        return upper_first(said + _mend(words))
    except (KeyError, TypeError):
        return str(problem["message"])


class _Words:
    """The facts of a problem as the words of a sentence: ``words["card"]`` is the card's name.

    A fact without a function in ``_WORDS``, such as a number, is filled in unchanged; a missing one is a ``KeyError``.
    """

    def __init__(self, facts: Mapping[str, Any], names: Mapping[str, str], game: str) -> None:
        self.facts, self.names, self.game = facts, names, game

    def __getitem__(self, word: str) -> Any:
        make = _WORDS.get(word)
        return make(self) if make else self.facts[word]

    def side(self, label: str) -> str:
        """Return the name of a side."""
        return self.names.get(label, label)

    @property
    def people(self) -> int:
        """How many people the sentence is about."""
        return people(self["name"])

    def sides(self, labels: list[str]) -> str:
        """Return the names of sides that share something."""
        return join_names(self.side(label) for label in labels) or _("nobody")

    def item(self, id: str) -> str:
        """Return the name of an item; its id where the game is unknown."""
        return item_name(self.game, id) if self.game else str(id)

    def place(self, where: str) -> str:
        """Return where a card lies, in words."""
        head, label, *_rest = *where.partition("[")[0].split("."), ""
        places: dict[str, str] = {
            "piles": _("the pile of %(name)s", name=self.side(label)),
            "told": _("what was said of %(name)s", name=self.side(label)),
            "best": _("the %(prime)s of %(name)s", prime=prime_name(self.game), name=self.side(label)),
            "layout": _("the opening cards"),
            "leftover": _("the cards left on the table"),
        }
        return places.get(head) or _("a declaration")


def _joined(values: Any, join: Callable[[list[Any]], str]) -> Any:
    """Return several values in words; a number, as of cards, is returned unchanged."""
    return values if isinstance(values, int) else join(values)


_WORDS: dict[str, Callable[[_Words], Any]] = {
    "name": lambda words: words.side(words.facts["side"]),
    "names": lambda words: words.sides(words.facts["sides"]),
    "other": lambda words: words.side(words.facts["shown"]),
    "item": lambda words: words.item(words.facts["item"]),
    "items": lambda words: ", ".join(map(words.item, words.facts["items"])),
    "card": lambda words: card_name(words.facts["card"]),
    "cards": lambda words: _joined(words.facts["cards"], lambda cards: ", ".join(map(card_name, cards))),
    "suit": lambda words: suit_name(words.facts["suit"]),
    "wanted": lambda words: _joined(words.facts["wanted"], lambda numbers: _(" or ").join(map(str, numbers))),
    "kind": lambda words: kind_name(words.facts["kind"]).capitalize(),
    "swept": lambda words: words.item("sweeps"),
}
"""The functions that make the words of a sentence, for words that are not simply the fact of that name."""


def kind_name(kind: str) -> str:
    """Return the kind that is counted, in words."""
    names: dict[str, str] = {
        "cards": _("cards"),
        "coins": suit_name("O"),
        "sevens": _("sevens"),
        "sixes": _("sixes"),
        "figures": _("figures"),
        "card_points": _("card points"),
        "left_points": _("points left in hand"),
        "points": _("points"),
    }
    return names.get(kind, kind)


def _duplicate(words: _Words) -> str:
    facts = words.facts
    if "first" not in facts:
        return _("%(card)s: the pack has only %(most)d. Take one away.", card=facts["card"], most=facts["most"])
    first, second = words.place(facts["first"]), words.place(facts["second"])
    if first == second:
        return _("%(card)s is twice in %(place)s. Take one away.", card=words["card"], place=first)
    return _(
        "%(card)s is in %(first)s and in %(second)s. It can only be in one place.",
        card=words["card"],
        first=first,
        second=second,
    )


def _unknown_card(words: _Words) -> str:
    if "stands_for" in words.facts:
        return _(
            "A wild card counts as a card by its index (1 to 7, 10, 11, 12), not %(index)s.",
            index=words["stands_for"],
        )
    return _("There is no card %(card)s in this pack.", card=words.facts["card"])


def _if(fact: str, sentence: Sentence, other: Sentence) -> Callable[[_Words], str]:
    """Return what says ``sentence`` of a problem that has a fact, not 0 nor empty, and ``other`` of any other."""
    return lambda words: fill(sentence if words.facts.get(fact) else other, words)


def _counts_contradicted(words: _Words, otherwise: str = "left_points") -> str:
    """Return what was counted and what the cards show; ``otherwise`` is the kind if the problem names none."""
    if "side" not in words.facts:
        return _("The counts do not agree with the cards shown; the cards count.")
    return _(
        "%(kind)s of %(name)s: noted as %(count)d, but the cards show %(shown)d; the cards count.",
        name=words["name"],
        count=words["count"],
        kind=upper_first(kind_name(words.facts.get("kind", otherwise))),
        shown=words["shown"],
    )


def _impossible_awards(words: _Words) -> str:
    if "sides" not in words.facts:
        return _("These cannot all be true of one pack.")
    items, sides = words.facts["items"], words.facts["sides"]
    return _(
        "%(first)s to %(one)s and %(second)s to %(other)s cannot both be.",
        first=words.item(items[0]),
        one=words.sides(sides[0]),
        second=words.item(items[1]),
        other=words.sides(sides[1]),
    )


def _mend(words: _Words) -> str:
    """Return the sentence that names the only card whose move would make the sums right; often ""."""
    mend = words.facts.get("mend")
    if not mend:
        return ""
    return " " + _(
        "It would be right with %(card)s moved from %(first)s to %(second)s.",
        card=card_name(mend["card"]),
        first=words.place(mend["from"]),
        second=words.place(mend["to"]),
    )


_SENTENCES: dict[str, Sentence | Callable[[_Words], str]] = {
    "duplicate_card": _duplicate,
    "unknown_card": _unknown_card,
    "too_many_cards": N_("%(cards)d cards are listed; the pack has 40."),
    "layout_size": N_("The opening layout has %(wanted)d cards, not %(cards)d."),
    "impossible_layout": N_("An opening is 15 or 30, three or four of a suit: not both."),
    "layout_contradicted": N_("The four cards say something else than what was noted; the cards count."),
    "negative_sweeps": N_("There cannot be fewer %(swept)s than none."),
    "too_many_sweeps": _if(
        "side",
        ungettext(
            "%(name)s cannot have made %(sweeps)d %(swept)s with these cards: %(most)d at most.",
            "%(name)s cannot have made %(sweeps)d %(swept)s with these cards: %(most)d at most.",
        ),
        N_("%(sweeps)d %(swept)s are too many: a deal like this one has room for %(most)d."),
    ),
    "impossible_counts": _if(
        "kind",
        N_("%(kind)s: together %(count)d; the pack has %(most)d. Count again."),
        N_("No pack can be shared out like this. Count again."),
    ),
    "counts_contradicted": _counts_contradicted,
    "impossible_award": N_("%(item)s cannot go to %(names)s."),
    "impossible_awards": _impossible_awards,
    "award_contradicted": N_("%(item)s was given to %(names)s, but the cards and counts say otherwise; they count."),
    "told_contradicted": N_(
        "%(card)s was said to be with %(name)s, but the cards and counts say otherwise; they count."
    ),
    "best_contradicted": ungettext(
        "%(name)s cannot have laid out that card of %(suit)s: the cards shown say otherwise.",
        "%(name)s cannot have laid out that card of %(suit)s: the cards shown say otherwise.",
    ),
    "last_capturer_missing": N_("Say who captured last: the cards left on the table are theirs."),
    "leftover_modulus": N_(
        "The cards left on the table add to %(sum)d; where only fifteens were taken it is %(wanted)s."
    ),
    "leftover_parity": N_("The cards left on the table add to %(sum)d; captures leave an even sum."),
    "leftover_high": N_("The cards left on the table add to %(sum)d: possible, but rare. Count again."),
    "pile_modulus": N_("The pile of %(name)s adds to %(sum)d; a pile of fifteens is %(wanted)s."),
    "pile_parity": N_("The pile of %(name)s adds to %(sum)d; every capture adds an even number."),
    "missed_fifteen": N_("%(cards)s make fifteen and were left lying."),
    "missed_pair": N_("%(cards)s were left lying side by side."),
    "declaration_size": N_("A declaration shows three cards, not %(cards)d."),
    "empty_declaration": N_("A declaration needs its cards, or what was said."),
    "claim_not_held": N_("These cards do not hold %(items)s."),
    "impossible_claim": N_("No three cards hold %(items)s together."),
    "card_not_declared": N_("%(card)s is not among the declared cards."),
    "wild_value_changed": N_("%(card)s keeps one value for the whole deal."),
    "impossible_wild": N_("%(card)s may change its rank or its suit, not both."),
    "not_wild": N_("%(card)s is not wild at this table."),
    "many_declarations": ungettext(
        "%(name)s shows more hands in this batch than there are players on that side.",
        "%(name)s show more hands in this batch than there are players on that side.",
    ),
    "too_many_declarations": ungettext(
        "%(name)s may announce %(most)d times in a deal.", "%(name)s may announce %(most)d times in a deal."
    ),
    "unknown_batch": N_("This deal has batches 1 to %(batches)d."),
    "unknown_item": N_("%(item)s is not scored at this table."),
    "unknown_penalty": N_("This game has no such penalty."),
    "unknown_game": N_("There is no game of that name here."),
    "unknown_preset": N_("This game is not played that way here. Choose one of the list."),
    "unknown_option": N_("This game has no such house rule."),
    "unknown_value": N_("This house rule cannot have that value. Choose one of the list."),
    "bad_number_of_sides": N_("This game is not played by that many."),
    "dealer_missing": N_("Say who dealt: the opening cards are the dealer's."),
    "wrong_type": N_("This form is damaged: load the page again."),
    "too_many_problems": N_("More than %(most)d things are wrong: correct these first, then look again."),
    "too_many_deals": N_("A match may have %(most)d deals at most."),
    "too_deep": N_("This form is damaged: load the page again."),
    "budget_spent": _if(
        "items",
        N_("Too little is known to say who takes %(items)s: tell some more cards or counts."),
        N_("Too little is known to say what to look at next: tell some more cards or counts."),
    ),
    "too_long": N_("That is too long."),
    "too_large": N_("That number is out of all proportion."),
    "deal_after_end": N_("The match was over before this deal."),
    "pile_of_one": N_("The pile of %(name)s is one card alone, but a capture takes two at least. Look again."),
    "last_capturer_contradicted": N_(
        "The last capture was said to be by %(name)s, but the sums of the piles show that it was by %(other)s."
    ),
    "unknown_side": lambda words: _("Nobody at this table is called %(name)s.", name=words["side"]),
    "duplicate_item": lambda words: _(
        "Two lines are called %(line)s: give each a name of its own.", line=words.facts["name"]
    ),
    "duplicate_side": N_("Every side needs a name of its own."),
    "unknown_field": lambda words: _("%(name)s is not looked at in this game.", name=words["field"]),
    "unknown_count": N_("%(kind)s: not counted in this game."),
    "unknown_suit": lambda words: _(
        "%(suit)s is no suit: %(suits)s.", suit=words["suit"], suits=", ".join(map(suit_name, rules.SUITS))
    ),
    "not_acceptable": N_("This cannot be let pass: correct it first."),
    "no_captures": N_("In this game no cards are taken from the table."),
    # Brisca and its kin.
    "impossible_card_points": N_("No pile comes to %(count)d in card points: count those of %(name)s again."),
    "card_points_sum": N_("The card points add to %(count)d; the pack has %(most)d. Count again."),
    "card_points_contradicted": lambda words: _counts_contradicted(words, "card_points"),
    "pile_size": ungettext(
        "%(name)s has %(cards)d in the pile, but a trick has %(players)d: count again.",
        "%(name)s have %(cards)d in the pile, but a trick has %(players)d: count again.",
    ),
    "bid_missing": N_("Say who bid, and how much."),
    "impossible_bid": N_("A bid is %(least)d to %(most)d, not %(bid)d."),
    "trump_missing": N_("Say which suit is trumps: its marriage counts more."),
    "duplicate_marriage": N_("The marriage in %(suit)s is there twice: each suit marries once."),
    "marriage_not_in_trumps": N_("The marriage in %(suit)s does not count: only the one in trumps does."),
    "marriage_contradicted": ungettext(
        "The marriage in %(suit)s is not scored: %(name)s holds a card of it.",
        "The marriage in %(suit)s is not scored: %(name)s hold a card of it.",
    ),
    # Carioca.
    "unknown_round": N_("This match has rounds 1 to %(rounds)d."),
    "too_many_players": N_("The cards are not enough for %(players)d players in this round."),
    "who_went_out": _if(
        "count", N_("Two players cannot both go out: choose one."), N_("Somebody goes out in every round: say who.")
    ),
    "left_but_out": N_("%(name)s went out, so nothing can be left: take the cards away."),
    "nothing_left": N_("%(name)s did not go out, so must have cards left."),
    "not_in_fives": N_("%(count)d cannot be: every card is worth a multiple of five."),
    "negative_steals": N_("%(name)s cannot have taken fewer than no discards."),
    "not_the_cutter": N_("%(name)s did not cut: the player before the dealer does."),
    # The free pad.
    "points_sum": N_("These points add to %(count)d; a round has %(most)d. Correct one of them."),
    # Any game.
    "points_and_more": N_("The points of the whole deal are told: nothing else of it is told beside them."),
}
"""The text of each problem: a sentence with words to fill in, the same of one person and of several, or a function that
chooses among several sentences."""


def locked_words(number: int | None) -> str:
    """Return the sentences that say that a deal, or the rules (None), are for all sides to change, and how."""
    if number is None:
        return _("Every side agreed to these rules: nothing was changed. Propose the rules that you want instead.")
    return _(
        "Deal %(number)d is agreed on or in dispute: nothing was changed. Correct it on its sheet: that is"
        " proposed, and holds once every side has said yes.",
        number=number,
    )


def from_paper_words() -> str:
    """Return the sentences that say that nothing is ever added to a result from paper, and what to do instead."""
    return _("This result is from paper: nothing is added to it. If it is wrong, delete it and type it again.")


def voice_words(name: str, minutes: int) -> str:
    """Return the sentences that say that a side speaks for itself, and what to do; 0 minutes: that does not end."""
    if not minutes:
        return _("Nothing was changed: that is said or taken back only on the phone of %(name)s.", name=name)
    return ngettext(
        "Nothing was changed: that is said on the phone of %(name)s, which is at this table. If nobody uses it, it"
        " can be said here in a minute.",
        "Nothing was changed: that is said on the phone of %(name)s, which is at this table. If nobody uses it, it"
        " can be said here in %(num)d minutes.",
        minutes,
        name=name,
    )


def full_words(full: Full) -> str:
    """Return the sentence that says which limit is reached, and what to do about it."""
    most = full.most
    words: dict[str, str] = {
        "entries": _("This match has %(most)d entries, the most there can be. Start a new match.", most=most),
        "deals": _("This match has %(most)d deals, the most there can be. Start a new match.", most=most),
        "notes": _("In this deal %(most)d things were noted, the most there can be. Close the deal.", most=most),
        "rivals": _("This deal was told in many ways already. Settle first which one is right.", most=most),
        "said": _("Much was said about this sheet already: no more can be noted. Correct the deal.", most=most),
        "adjustments": _("In this deal points were added or taken %(most)d times, as often as can be.", most=most),
        "dealings": _("This deal was dealt again or by another %(most)d times, as often as can be.", most=most),
        "matches": _("This table has %(most)d matches, the most there can be. Open a new table.", most=most),
        "players": _("This table has %(most)d players, the most there can be. Open a new table.", most=most),
    }
    return words[full.what]
