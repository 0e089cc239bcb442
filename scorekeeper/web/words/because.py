"""What settles a line although cards are unplaced, in words: its ``because``, one ground after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...rules import contract
from .cards import card_name, one_of, suit_name
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
        *_told(because, names),
        *_awarded(because, names, game),
    ]


def _shown(because: contract.Because, names: Names) -> Iterator[Ground]:
    for side, cards in because.get("piles", {}).items():
        if cards:
            drawn = _drawn(cards)
            words = (
                _("in the pile of %(name)s:", name=names[side])
                if drawn
                else _("%(num)d cards in the pile of %(name)s", num=len(cards), name=names[side])
            )
            yield Ground("shown", words, drawn)
    last = because.get("last_capturer")
    if because.get("leftover"):
        left = because["leftover"]
        owner = (
            _("left on the table, nobody's:")
            if last is None
            else _("left on the table for %(name)s:", name=names[last])
        )
        yield Ground("shown", owner, _drawn(left))
    elif last is not None:
        yield Ground(
            "shown", ngettext("%(name)s captured last", "%(name)s captured last", people(names[last]), name=names[last])
        )
    elif "last_capturer" in because:
        yield Ground("shown", _("nobody captured last"))


def _drawn(cards: Sequence[contract.Card]) -> Sequence[contract.Card]:
    in_pack_order = [code for code in rules.CODES if code in {card.upper() for card in cards}]
    return in_pack_order if len(in_pack_order) <= CARDS_DRAWN else ()


def _laid_out(because: contract.Because, names: Names) -> Iterator[Ground]:
    for side, best in because.get("best", {}).items():
        laid = ", ".join(best_words(suit, best[suit]) for suit in suits_of(best))
        if laid:
            yield Ground("shown", _best_of(names[side], laid))


def suits_of(best: contract.BestCards) -> list[contract.Suit]:
    """Return the suits of what a side laid out, in the order of the pack."""
    suits: tuple[contract.Suit, ...] = ("O", "C", "E", "B")
    return [suit for suit in suits if suit in best]


def best_words(suit: contract.Suit, rank: contract.BestRank) -> str:
    """Return the best card of a suit in words: the card, "only figures of cups", "no clubs"."""
    if rank == "figure":
        return str(_("only figures of %(suit)s", suit=suit_name(suit)))
    if rank is None:
        return str(_("no %(suit)s", suit=suit_name(suit)))
    return card_name(f"{rank}{suit}")


_NUMBER_OF: dict[str, Callable[[int], str]] = {
    "cards": lambda number: ngettext("%(num)d card", "%(num)d cards", number),
    "coins": lambda number: f"{number} {one_of('O') if number == 1 else suit_name('O')}",
    "sevens": lambda number: ngettext("%(num)d seven", "%(num)d sevens", number),
    "sixes": lambda number: ngettext("%(num)d six", "%(num)d sixes", number),
    "figures": lambda number: ngettext("%(num)d figure", "%(num)d figures", number),
}


def counted_words(kind: str, number: int) -> str:
    """Return a count in words: "all four sevens", "no coins", "21 cards"."""
    if number == 0:
        none: dict[str, str] = {
            "cards": _("no cards"),
            "coins": _("no %(suit)s", suit=suit_name("O")),
            "sevens": _("no sevens"),
            "sixes": _("no sixes"),
            "figures": _("no figures"),
        }
        return none[kind]
    if number == len(rules.cards_of_kinds()[kind]):
        whole: dict[str, str] = {
            "cards": _("all forty cards"),
            "coins": _("all ten %(suit)s", suit=suit_name("O")),
            "sevens": _("all four sevens"),
            "sixes": _("all four sixes"),
            "figures": _("all twelve figures"),
        }
        return whole[kind]
    return _NUMBER_OF[kind](number)


def _best_of(name: str, cards: str) -> str:
    words = ngettext(
        "%(name)s laid out as the best: %(cards)s",
        "%(name)s laid out as the best: %(cards)s",
        people(name),
        name=name,
        cards=cards,
    )
    return str(words)


def _holds(name: str, counted: str) -> str:
    words = ngettext("%(name)s has %(counted)s", "%(name)s have %(counted)s", people(name), name=name, counted=counted)
    return str(words)


def _lacks(name: str, lacked: str) -> str:
    words = ngettext("%(name)s has %(lacked)s", "%(name)s have %(lacked)s", people(name), name=name, lacked=lacked)
    return str(words)


def _counted(because: contract.Because, names: Names) -> Iterator[Ground]:
    for side, counts in because.get("counts", {}).items():
        numbers = [(kind, number) for kind, number in counts.items() if isinstance(number, int)]
        held = ", ".join(counted_words(kind, number) for kind, number in numbers if number)
        lacked = ", ".join(counted_words(kind, number) for kind, number in numbers if not number)
        if held:
            yield Ground("counted", _holds(names[side], held))
        if lacked:
            # A sentence of its own: some languages say "has not" of what is not there.
            yield Ground("counted", _lacks(names[side], lacked))


def _told(because: contract.Because, names: Names) -> Iterator[Ground]:
    for side, cards in because.get("told", {}).items():
        if cards:
            drawn = _drawn(cards)
            words = (
                _("said to be in the pile of %(name)s:", name=names[side])
                if drawn
                else _("%(num)d cards said to be in the pile of %(name)s", num=len(cards), name=names[side])
            )
            yield Ground("said", words, drawn)


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
        return str(_("It is so wherever the cards are."))
    else:
        words = {
            "said": _("It was said at the table: nobody counted or showed cards for it.")
            if family == "fishing"
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
