"""Problems of the engine in the reader's language, with the players' names: what is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from ...store.journal import Full
from .names import card_name, item_name, upper_first


def in_words(problem: Mapping[str, Any], names: Mapping[str, str] | None = None, game: str = "") -> str:
    """Return a problem as a sentence; ``names`` are the sides' by label.

    A code that has no words here yet is told in the engine's own plain English.
    """
    facts = dict(problem.get("facts", {}))
    say = _SENTENCES.get(problem["code"])
    if say is None:
        return str(problem["message"])
    try:
        return upper_first(say(_Facts(facts, names or {}, game)))
    except (KeyError, TypeError):
        return str(problem["message"])


class _Facts:
    """The facts of a problem, read as words."""

    def __init__(self, facts: Mapping[str, Any], names: Mapping[str, str], game: str) -> None:
        self.facts, self.names, self.game = facts, names, game

    def __getitem__(self, name: str) -> Any:
        return self.facts[name]

    @property
    def side(self) -> str:
        return self.names.get(self.facts["side"], self.facts["side"])

    @property
    def card(self) -> str:
        return card_name(self.facts["card"])

    def item(self, id: str | None = None) -> str:
        return item_name(self.game, id or self.facts["item"]) if self.game else str(id or self.facts["item"])

    def sides(self, labels: list[str]) -> str:
        return " + ".join(self.names.get(label, label) for label in labels) or _("nobody")

    def place(self, where: str) -> str:
        head, _dot, label = where.partition("[")[0].partition(".")
        if head == "piles":
            return _("the pile of %(name)s", name=self.names.get(label, label))
        if head == "layout":
            return _("the opening cards")
        if head == "leftover":
            return _("the cards left on the table")
        return _("a declaration")

    @property
    def kind(self) -> str:
        return kind_name(self.facts["kind"])

    @property
    def suit(self) -> str:
        return suit_name(self.facts["suit"])


def kind_name(kind: str) -> str:
    """Return what is counted, in words."""
    names: dict[str, str] = {
        "cards": _("cards"),
        "coins": _("coins"),
        "sevens": _("sevens"),
        "sixes": _("sixes"),
        "figures": _("figures"),
        "card_points": _("card points"),
        "left_points": _("points left in hand"),
        "points": _("points"),
    }
    return names.get(kind, kind)


def suit_name(suit: str) -> str:
    """Return a suit in words; what is no suit stays as it was typed."""
    names: dict[str, str] = {"O": _("coins"), "C": _("cups"), "E": _("swords"), "B": _("clubs")}
    return names.get(suit, suit)


def _duplicate(f: _Facts) -> str:
    if "first" not in f.facts:
        return _("%(card)s: the pack has only %(most)d. Take one away.", card=f["card"], most=f["most"])
    first, second = f.place(f["first"]), f.place(f["second"])
    if first == second:
        return _("%(card)s is twice in %(place)s. Take one away.", card=f.card, place=first)
    return _(
        "%(card)s is in %(first)s and in %(second)s. It can only be in one place.",
        card=f.card,
        first=first,
        second=second,
    )


def _impossible_counts(f: _Facts) -> str:
    if "kind" not in f.facts:
        return _("No pack can be shared out like this. Count again.")
    return _(
        "%(kind)s: together %(count)d; the pack has %(most)d. Count again.",
        kind=f.kind.capitalize(),
        count=f["count"],
        most=f["most"],
    )


def _mend(f: _Facts) -> str:
    mend = f.facts.get("mend")
    if not mend:
        return ""
    return " " + _(
        "It would be right with %(card)s moved from %(first)s to %(second)s.",
        card=card_name(mend["card"]),
        first=f.place(mend["from"]),
        second=f.place(mend["to"]),
    )


def _or(numbers: list[int]) -> str:
    return _(" or ").join(str(number) for number in numbers)


def _sweeps(f: _Facts) -> str:
    if "side" in f.facts:
        return _(
            "%(name)s cannot have made %(sweeps)d sweeps with these cards: %(most)d at most.",
            name=f.side,
            sweeps=f["sweeps"],
            most=f["most"],
        )
    return _(
        "%(sweeps)d sweeps are too many: a deal like this one has room for %(most)d.",
        sweeps=f["sweeps"],
        most=f["most"],
    )


_SENTENCES: dict[str, Any] = {
    "duplicate_card": _duplicate,
    "unknown_card": lambda f: (
        _("A wild card counts as a card by its index (1 to 7, 10, 11, 12), not %(index)s.", index=f["stands_for"])
        if "stands_for" in f.facts
        else _("There is no card %(card)s in this pack.", card=f["card"])
    ),
    "too_many_cards": lambda f: _("%(cards)d cards are listed; the pack has 40.", cards=f["cards"]),
    "layout_size": lambda f: _(
        "The opening layout has %(wanted)d cards, not %(cards)d.", wanted=f["wanted"], cards=f["cards"]
    ),
    "impossible_layout": lambda f: _("An opening is 15 or 30, three or four of a suit: not both."),
    "layout_contradicted": lambda f: _("The four cards say something else than what was noted; the cards count."),
    "negative_sweeps": lambda f: _("Sweeps cannot be fewer than none."),
    "too_many_sweeps": _sweeps,
    "impossible_counts": _impossible_counts,
    "counts_contradicted": lambda f: (
        _(
            "%(name)s was counted %(count)d %(kind)s, but the cards show %(shown)d; the cards count.",
            name=f.side,
            count=f["count"],
            kind=f.kind if "kind" in f.facts else kind_name("left_points"),
            shown=f["shown"],
        )
        if "side" in f.facts
        else _("The counts do not agree with the cards shown; the cards count.")
    ),
    "impossible_award": lambda f: _("%(item)s cannot go to %(names)s.", item=f.item(), names=f.sides(f["sides"])),
    "impossible_awards": lambda f: (
        _(
            "%(first)s to %(one)s and %(second)s to %(other)s cannot both be.",
            first=f.item(f["items"][0]),
            one=f.sides(f["sides"][0]),
            second=f.item(f["items"][1]),
            other=f.sides(f["sides"][1]),
        )
        if "sides" in f.facts
        else _("These cannot all be true of one pack.")
    ),
    "award_contradicted": lambda f: _(
        "%(item)s was given to %(names)s, but the cards and counts say otherwise; they count.",
        item=f.item(),
        names=f.sides(f["sides"]),
    ),
    "last_capturer_missing": lambda f: _("Say who captured last: the cards left on the table are theirs."),
    "leftover_modulus": lambda f: (
        _(
            "The cards left on the table add to %(sum)d; where only fifteens were taken it is %(wanted)s.",
            sum=f["sum"],
            wanted=_or(f["wanted"]),
        )
        + _mend(f)
    ),
    "leftover_parity": lambda f: _(
        "The cards left on the table add to %(sum)d; captures leave an even sum.", sum=f["sum"]
    ),
    "leftover_high": lambda f: _(
        "The cards left on the table add to %(sum)d: possible, but rare. Count again.", sum=f["sum"]
    ),
    "pile_modulus": lambda f: (
        _(
            "The pile of %(name)s adds to %(sum)d; a pile of fifteens is %(wanted)s.",
            name=f.side,
            sum=f["sum"],
            wanted=_or(f["wanted"]),
        )
        + _mend(f)
    ),
    "pile_parity": lambda f: (
        _("The pile of %(name)s adds to %(sum)d; every capture adds an even number.", name=f.side, sum=f["sum"])
        + _mend(f)
    ),
    "missed_fifteen": lambda f: _(
        "%(cards)s make fifteen and were left lying.", cards=", ".join(map(card_name, f["cards"]))
    ),
    "missed_pair": lambda f: _("%(cards)s were left lying side by side.", cards=", ".join(map(card_name, f["cards"]))),
    "declaration_size": lambda f: _("A declaration shows three cards, not %(cards)d.", cards=f["cards"]),
    "empty_declaration": lambda f: _("A declaration needs its cards, or what was said."),
    "claim_not_held": lambda f: _(
        "These cards do not hold %(items)s.", items=", ".join(f.item(id) for id in f["items"])
    ),
    "impossible_claim": lambda f: _(
        "No three cards hold %(items)s together.", items=", ".join(f.item(id) for id in f["items"])
    ),
    "card_not_declared": lambda f: _("%(card)s is not among the declared cards.", card=f.card),
    "wild_value_changed": lambda f: _("%(card)s keeps one value for the whole deal.", card=f.card),
    "impossible_wild": lambda f: _("%(card)s may change its rank or its suit, not both.", card=f.card),
    "not_wild": lambda f: _("%(card)s is not wild at this table.", card=f.card),
    "many_declarations": lambda f: _(
        "%(name)s shows more hands in this batch than there are players on that side.", name=f.side
    ),
    "too_many_declarations": lambda f: _(
        "%(name)s may announce %(most)d times in a deal.", name=f.side, most=f["most"]
    ),
    "unknown_batch": lambda f: _("This deal has batches 1 to %(batches)d.", batches=f["batches"]),
    "unknown_item": lambda f: _("%(item)s is not scored at this table.", item=f.item()),
    "unknown_penalty": lambda f: _("This game has no such penalty."),
    "unknown_game": lambda f: _("There is no game of that name here."),
    "unknown_preset": lambda f: _("This game is not played that way here. Choose one of the list."),
    "unknown_option": lambda f: _("This game has no such house rule."),
    "unknown_value": lambda f: _("This house rule cannot have that value. Choose one of the list."),
    "bad_number_of_sides": lambda f: _("This game is not played by that many."),
    "dealer_missing": lambda f: _("Say who dealt: the opening cards are the dealer's."),
    "wrong_type": lambda f: _("This form is damaged: load the page again."),
    "too_many_problems": lambda f: _(
        "More than %(most)d things are wrong: correct these first, then look again.", most=f["most"]
    ),
    "too_many_deals": lambda f: _("A match may have %(most)d deals at most.", most=f["most"]),
    "too_deep": lambda f: _("This form is damaged: load the page again."),
    "budget_spent": lambda f: (
        _(
            "Too little is known to say who takes %(items)s: tell some more cards or counts.",
            items=", ".join(f.item(id) for id in f["items"]),
        )
        if f["items"]
        else _("Too little is known to say what to look at next: tell some more cards or counts.")
    ),
    "too_long": lambda f: _("That is too long."),
    "too_large": lambda f: _("That number is out of all proportion."),
    "deal_after_end": lambda f: _("The match was over before this deal."),
    "pile_of_one": lambda f: _(
        "The pile of %(name)s is one card alone, but a capture takes two at least. Look again.", name=f.side
    ),
    "last_capturer_contradicted": lambda f: _(
        "%(name)s is said to have captured last, but the sums of the piles tell that %(other)s did.",
        name=f.side,
        other=f.names.get(f["shown"], f["shown"]),
    ),
    "unknown_side": lambda f: _("Nobody at this table is called %(name)s.", name=f["side"]),
    "duplicate_side": lambda f: _("Every side needs a name of its own."),
    "unknown_field": lambda f: _("%(name)s is not looked at in this game.", name=f["field"]),
    "unknown_count": lambda f: _("%(kind)s: not counted in this game.", kind=f.kind.capitalize()),
    "unknown_suit": lambda f: _("%(suit)s is no suit: coins, cups, swords or clubs.", suit=f["suit"]),
    "not_acceptable": lambda f: _("This cannot be let pass: correct it first."),
    "no_captures": lambda f: _("In this game no cards are taken from the table."),
    # Brisca and its kin.
    "impossible_card_points": lambda f: _(
        "No pile has %(count)d card points: count those of %(name)s again.", count=f["count"], name=f.side
    ),
    "card_points_sum": lambda f: _(
        "The card points add to %(count)d; the pack has %(most)d. Count again.", count=f["count"], most=f["most"]
    ),
    "card_points_contradicted": lambda f: _(
        "%(name)s was given %(count)d card points, but the cards show %(shown)d; the cards count.",
        name=f.side,
        count=f["count"],
        shown=f["shown"],
    ),
    "pile_size": lambda f: _(
        "%(name)s has %(cards)d cards, but a trick has %(players)d: count again.",
        name=f.side,
        cards=f["cards"],
        players=f["players"],
    ),
    "bid_missing": lambda f: _("Say who bid, and how much."),
    "impossible_bid": lambda f: _(
        "A bid is %(least)d to %(most)d, not %(bid)d.", least=f["least"], most=f["most"], bid=f["bid"]
    ),
    "trump_missing": lambda f: _("Say which suit is trumps: its marriage counts more."),
    "duplicate_marriage": lambda f: _("The marriage in %(suit)s is there twice: each suit marries once.", suit=f.suit),
    "impossible_marriage": lambda f: _(
        "The marriage in %(suit)s does not count: only the one in trumps does.", suit=f.suit
    ),
    "marriage_contradicted": lambda f: _(
        "The marriage in %(suit)s is not scored: %(name)s holds a card of it.", suit=f.suit, name=f.side
    ),
    # Carioca.
    "unknown_round": lambda f: _("This match has rounds 1 to %(rounds)d.", rounds=f["rounds"]),
    "too_many_players": lambda f: _(
        "The cards are not enough for %(players)d players in this round.", players=f["players"]
    ),
    "who_went_out": lambda f: (
        _("Two players cannot both go out: choose one.")
        if f["count"]
        else _("Somebody goes out in every round: say who.")
    ),
    "left_but_out": lambda f: _("%(name)s went out, so nothing can be left: take the cards away.", name=f.side),
    "nothing_left": lambda f: _("%(name)s did not go out, so must have cards left.", name=f.side),
    "not_in_fives": lambda f: _(
        "%(count)d points cannot be: every card is worth a multiple of five.", count=f["count"]
    ),
    "negative_steals": lambda f: _("%(name)s cannot have taken fewer than no discards.", name=f.side),
    "not_the_cutter": lambda f: _("%(name)s did not cut: the player before the dealer does.", name=f.side),
    # The free pad.
    "points_sum": lambda f: _(
        "These points add to %(count)d; a round has %(most)d. Correct one of them.", count=f["count"], most=f["most"]
    ),
}


def locked_words(number: int) -> str:
    """Say that a deal is agreed, and what to do to change it all the same."""
    return str(
        _(
            "Deal %(number)d is agreed and locked: nothing was changed. On its sheet, one side asks to open it again"
            " and the other accepts.",
            number=number,
        )
    )


def full_words(full: Full) -> str:
    """Say of what there is as much as there may be, and what to do about it."""
    most = full.most
    words: dict[str, str] = {
        "entries": _("This match has %(most)d entries, as many as one can have. Start a new match.", most=most),
        "deals": _("This match has %(most)d deals, as many as one can have. Start a new match.", most=most),
        "notes": _("In this deal %(most)d things were noted, as many as can be. Close the deal.", most=most),
        "rivals": _("This deal was told in many ways already. Settle first which one is right.", most=most),
        "said": _("Much was said about this sheet already: no more can be noted. Correct the deal.", most=most),
        "matches": _("This table has %(most)d matches, as many as one can have. Open a new table.", most=most),
        "players": _("This table has %(most)d players, as many as one can have. Open a new table.", most=most),
    }
    return words[full.what]
