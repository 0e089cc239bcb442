"""The grounds that settle a line although cards are unplaced, in words: its ``because``, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...rules import contract
from .cards import card_name, one_of, suit_name
from .marked import N_, ungettext
from .names import item_name, item_rule, join_names, people, upper_first

CARDS_DRAWN = 12
"""Cards of one ground that are drawn; of more only their number is said."""

Names = Mapping[contract.Side, str]


@dataclass(frozen=True)
class Ground:
    """One thing that was known: how (shown, counted, said), a sentence, and the cards that it is about."""

    evidence: contract.Evidence
    words: str
    cards: Sequence[contract.Card] = ()


def grounds_of(because: contract.Because, names: Names, game: str) -> list[Ground]:
    """Return what settles a line, the strongest first."""
    return [
        *_shown(because, names),
        *_laid_out(because, names),
        *_counted(because, names),
        *_said(because, names),
        *_awarded(because, names, game),
    ]


def _shown(because: contract.Because, names: Names) -> Iterator[Ground]:
    yield from _in_piles("shown", because.get("piles", {}), names)
    last = because.get("last_capturer")
    name = "" if last is None else names[last]
    if because.get("leftover"):
        owner = _("left on the table for %(name)s:", name=name) if name else _("left on the table, nobody's:")
        yield Ground("shown", owner, _drawn(because["leftover"]))
    elif name:
        yield Ground("shown", _about(name, ungettext("%(name)s captured last", "%(name)s captured last")))
    elif "last_capturer" in because:
        yield Ground("shown", _("nobody captured last"))


def _in_piles(
    evidence: contract.Evidence,
    piles: Mapping[contract.Side, Sequence[contract.Card]],
    names: Names,
) -> Iterator[Ground]:
    """Yield a ground for the cards of each side: whose pile they are in, before the cards, or with their number."""
    for side, cards in piles.items():
        if cards:
            shown, name = _drawn(cards), names[side]
            of_many = _("%(num)d cards in the pile of %(name)s", num=len(cards), name=name)
            yield Ground(evidence, _("in the pile of %(name)s:", name=name) if shown else of_many, shown)


def _about(name: str, sentence: tuple[str, str], **words: str) -> str:
    """Return a marked sentence about one person, or about several, in the reader's language."""
    return ngettext(*sentence, people(name), name=name, **words)


def _drawn(cards: Sequence[contract.Card]) -> Sequence[contract.Card]:
    in_pack_order = [code for code in rules.CODES if code in {card.upper() for card in cards}]
    return in_pack_order if len(in_pack_order) <= CARDS_DRAWN else ()


def _laid_out(because: contract.Because, names: Names) -> Iterator[Ground]:
    for side, best in because.get("best", {}).items():
        laid = ", ".join(best_words(suit, best[suit]) for suit in suits_of(best))
        if laid:
            sentence = ungettext("%(name)s laid out as the best: %(cards)s", "%(name)s laid out as the best: %(cards)s")
            yield Ground("shown", _about(names[side], sentence, cards=laid))


def suits_of(best: contract.BestCards) -> list[contract.Suit]:
    """Return the suits of what a side laid out, in the order of the pack."""
    suits: tuple[contract.Suit, ...] = ("O", "C", "E", "B")
    return [suit for suit in suits if suit in best]


def best_words(suit: contract.Suit, rank: contract.BestRank) -> str:
    """Return the best card of a suit in words: the card, "only figures of cups", "no clubs"."""
    if rank == "figure":
        return _("only figures of %(suit)s", suit=suit_name(suit))
    if rank is None:
        return _("no %(suit)s", suit=suit_name(suit))
    return card_name(f"{rank}{suit}")


_COUNTED = {
    "cards": (N_("no cards"), N_("all forty cards"), ungettext("%(num)d card", "%(num)d cards")),
    "coins": (N_("no %(suit)s"), N_("all ten %(suit)s"), ("", "")),
    "sevens": (N_("no sevens"), N_("all four sevens"), ungettext("%(num)d seven", "%(num)d sevens")),
    "sixes": (N_("no sixes"), N_("all four sixes"), ungettext("%(num)d six", "%(num)d sixes")),
    "figures": (N_("no figures"), N_("all twelve figures"), ungettext("%(num)d figure", "%(num)d figures")),
}
"""The words for none, for all and for a number of each kind; coins are counted by the name of the suit."""


def counted_words(kind: str, number: int) -> str:
    """Return a count in words: "all four sevens", "no coins", "21 cards"."""
    none, whole, some = _COUNTED[kind]
    if number in (0, len(rules.cards_of_kinds()[kind])):
        return _(whole if number else none) % {"suit": suit_name("O")}
    if kind == "coins":
        return f"{number} {one_of('O') if number == 1 else suit_name('O')}"
    return ngettext(*some, number)


def _counted(because: contract.Because, names: Names) -> Iterator[Ground]:
    for side, counts in because.get("counts", {}).items():
        numbers = [(kind, number) for kind, number in counts.items() if isinstance(number, int)]
        held = ", ".join(counted_words(kind, number) for kind, number in numbers if number)
        lacked = ", ".join(counted_words(kind, number) for kind, number in numbers if not number)
        if held:
            has = ungettext("%(name)s has %(counted)s", "%(name)s have %(counted)s")
            yield Ground("counted", _about(names[side], has, counted=held))
        if lacked:
            # A sentence of its own: some languages say "has not" of a count of none.
            has_not = ungettext("%(name)s has %(lacked)s", "%(name)s have %(lacked)s")
            yield Ground("counted", _about(names[side], has_not, lacked=lacked))


def _said(because: contract.Because, names: Names) -> Iterator[Ground]:
    yield from _in_piles("said", because.get("told", {}), names)


def _awarded(because: contract.Because, names: Names, game: str) -> Iterator[Ground]:
    for item, awarded in because.get("awards", {}).items():
        sides = [awarded] if isinstance(awarded, str) else awarded or []
        who = join_names(names[side] for side in sides) if sides else _("nobody")
        yield Ground("said", f"{upper_first(item_name(game, item))}: {who}")


def basis_words(line: contract.Line, grounds: Sequence[Ground], family: str) -> str:
    """Return how a settled line is known, in a sentence; ``grounds`` settle it although cards are unplaced."""
    evidence = None if line["reason"] == "open" else line.get("evidence")
    if any(ground.evidence != "said" for ground in grounds):
        words: dict[str, str] = {
            "said": _("What was said settles it, with what was shown or counted, wherever the other cards are:"),
            "counted": _("What was counted settles it, wherever the other cards are:"),
            "shown": _("The cards shown settle it, wherever the others are:"),
        }
    elif evidence != "said" and line.get("because") is not None and not grounds:
        return _("True wherever the other cards are.")
    else:
        words = {
            "said": _("It was said at the table: nobody counted or showed cards for it.")
            if family == "fishing" and not rules.is_own(line["item"])
            else _("It was said at the table."),
            "counted": _("It was counted."),
            "shown": _("The cards were shown."),
        }
    return words.get(evidence or "", "")


TIED = ("tied", "tied_each_scores", "best_untied")
"""Reasons of a line in which the sides ahead are level: the tie rule decides it."""


def rule_words(line: contract.Line, table: rules.TableRules) -> str:
    """Return the rule that gave a line its points, in a few words: its item's, or that of a special way to win it."""
    tricks = rules.trick_deal(table)
    limit = None if tricks is None else tricks.card_limit
    special: dict[str, str] = {
        "more_cards": _("level in card points, so that more cards win"),
        "within_limit": _("whoever has %(limit)s card points or fewer", limit=limit),
        "over_limit": _("whoever has %(limit)s card points or fewer", limit=limit),
        "three_killed": _("the ace of trumps takes the three of trumps: the deal is won"),
        "manual": _("what the table wrote down"),
    }
    return special.get(line["reason"]) or item_rule(table.rules.id, line["item"], table.options)
