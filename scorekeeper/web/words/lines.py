"""The sentence of each line of a sheet, "Most cards: Ana 25, Beto 15": a row of ``SENTENCES`` for each reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flask_babel import gettext as _

from ...names import drawn
from ...rules import contract
from .evidence import evidence_word
from .marked import N_, Sentence, fill, ungettext
from .names import Name, item_name, join_names, people, upper_first
from .values import (
    Line,
    because_of,
    dashed,
    line_numbers,
    named_numbers,
    numbers_tell,
    rests_on_award,
    takers_of,
    values_of,
    were_noted,
)

Names = Mapping[contract.Side, str]


def line_words(line: Line, names: Names, game: str) -> str:
    """Return a line as a sentence: its item, and what was found."""
    return f"{upper_first(item_name(game, line['item']))}: {_found_words(_Found(line, names))}"


def line_detail(line: Line, names: Names, noted: Mapping[contract.Side, int] | None = None) -> str:
    """Return what a sheet says below the name of an item: what was found, and how it is known.

    What its columns of points say already is left out, and where they are more than two, that a line is open.
    ``noted`` are the sweeps noted while the deal was played.
    """
    found = _Found(line, names, in_columns=True)
    words = _found_words(found)
    is_shown_by_points = (
        line["reason"] in ("left_in_hand", "given")
        or (words == found.who and line["points"] is not None)
        or (len(names) > 2 and line.get("values") == line["points"])
    )
    return " · ".join(filter(None, ("" if is_shown_by_points else words, line_evidence(line, noted))))


def line_evidence(line: Line, noted: Mapping[contract.Side, int] | None = None) -> str:
    """Return how a line is known, as a quiet word; "" where there is nothing to know, as no sweep was made."""
    made = values_of(line) if line["item"] == "sweeps" else {}
    if made and not any(made.values()):
        return ""
    if made and noted is not None and were_noted(made, noted):
        return str(_("noted in play"))
    return "" if line["reason"] == "open" else evidence_word(line.get("evidence"))


@dataclass(frozen=True)
class _Found:
    """What was found for a line, as the words of its sentence."""

    line: Line
    names: Names
    in_columns: bool = False
    """Whether the sides stand above the line, so that two numbers need no names."""

    def __getitem__(self, word: str) -> str:
        return self.who

    @property
    def points(self) -> Mapping[contract.Side, contract.Number]:
        """The points of each side; {} of an open line."""
        return self.line["points"] or {}

    @property
    def values(self) -> Mapping[contract.Side, contract.Number | None]:
        """What each side has; {} where the line has no certain numbers."""
        return values_of(self.line)

    @property
    def who(self) -> str:
        """The names of those who took it, or "nobody"."""
        return self.named(takers_of(self.line)) or _("nobody")

    @property
    def people(self) -> int:
        """How many people took it."""
        return people(self.named(takers_of(self.line)))

    @property
    def numbers(self) -> str:
        """What each side has, in words; "" where the line has no certain numbers."""
        if not self.values:
            return ""
        is_short = self.in_columns and len(self.names) == 2
        return dashed(self.values, self.names) if is_short else named_numbers(self.values, self.names)

    @property
    def bounds(self) -> str:
        """Between what numbers each side is, in words; "" where no side has anything for certain."""
        is_known = any(least for least, _most in self.line.get("bounds", {}).values())
        return line_numbers(self.line, self.names) if is_known else ""

    def named(self, sides: Iterable[contract.Side]) -> Name:
        """Return the names of sides, joined; one that has no name here, as it has left, is named by its label."""
        return join_names(self.names.get(side, side) for side in sides)


def _found_words(found: _Found) -> str:
    """Return what was found, without the name of the item."""
    if found.line["points"] is None:
        return " ".join(filter(None, (_("still open"), found.bounds and f"({found.bounds})")))
    sentence = SENTENCES.get(found.line["reason"], _numbers_or_taken)
    return sentence(found) if callable(sentence) else fill(sentence, found)


def _listed(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _numbers_or_taken(found: _Found) -> str:
    return found.numbers or _taken(found)


def _taken(found: _Found) -> str:
    """Return who took it: by the numbers if they show it, else by name."""
    line = found.line
    if numbers_tell(line):
        return found.numbers or line_numbers(line, found.names)
    if rests_on_award(line) or (line["reason"] != "certain" and because_of(line) is None):
        return found.who
    return fill(N_("%(name)s, wherever the other cards are"), found)


def _tied(found: _Found) -> str:
    values = found.values
    if values and None not in values.values():
        return _listed(dashed(values, found.names), _("nobody"))
    return _listed(found.numbers, _("level"), _("nobody"))


def _tied_each_scores(found: _Found) -> str:
    if found.values and len(takers_of(found.line)) < len(found.names):
        return _listed(_taken(found), _("those ahead are level, and each scores"))
    return _listed(_taken(found), _("level, and each scores"))


def _not_all(found: _Found) -> str:
    if found.line["item"] == "piccola":
        return _listed(found.numbers, _("nobody has ace, two and three"))
    if found.line["item"] == "fifty_cards":
        return _listed(found.numbers, _("nobody has enough"))
    return _listed(found.numbers, _("nobody has them all"))


def _all(found: _Found) -> str:
    if not any(found.points.values()):
        sentence = ungettext("%(name)s has all ten: wins the match", "%(name)s have all ten: they win the match")
    elif found.line["item"] == "fifty_cards":
        sentence = ungettext("%(name)s has enough", "%(name)s have enough")
    else:
        sentence = ungettext("%(name)s has them all", "%(name)s have them all")
    return fill(sentence, found)


def _declared(found: _Found) -> str:
    if found.line["item"] == "marriage":
        return _numbers_or_taken(found)
    times = [found.values.get(side) or 0 for side in found.names]
    return found.who + "".join(f" ×{number}" for number in times if number > 1)


def _did_it(found: _Found) -> str:
    """Return the sides that did it, where points do not tell: a player who goes out at once has minus points."""
    return found.named(side for side in found.names if found.values.get(side))


SENTENCES: dict[str, Sentence | Callable[[_Found], str]] = {
    "tied": _tied,
    "tied_each_scores": _tied_each_scores,
    "best_untied": lambda found: _listed(found.numbers or found.who, _("the best that is not level scores")),
    "most_sixes": ungettext("level in sevens; %(name)s has more sixes", "level in sevens; %(name)s have more sixes"),
    "nobody_eligible": lambda found: (
        _("nobody has any") if found.values and None not in found.values.values() else _("nobody qualifies")
    ),
    "holds": lambda found: found.who,
    "nobody": N_("nobody"),
    "all": _all,
    "not_all": _not_all,
    "few_cards": lambda found: found.who,
    "not_few": lambda found: _listed(found.numbers, _("nobody")),
    "superseded": N_("another point counts instead"),
    "barred": N_("whoever took a wrong set cannot have it"),
    "certain": _taken,
    "fifteen": ungettext("%(name)s dealt four cards that add to 15", "%(name)s dealt four cards that add to 15"),
    "thirty": ungettext("%(name)s dealt four cards that add to 30", "%(name)s dealt four cards that add to 30"),
    "flush3": ungettext("%(name)s dealt three of one suit", "%(name)s dealt three of one suit"),
    "flush4": ungettext("%(name)s dealt four of one suit", "%(name)s dealt four of one suit"),
    "declared": _declared,
    "false_claim": N_("its points go to %(name)s"),
    "forfeit": N_("the points of this deal go to the others"),
    "wrong_capture": lambda found: _listed(
        found.named(side for side in found.names if found.points.get(side, 0) < 0),
        _("four points and one for each sweep of the deal"),
    ),
    # The Brisca family.
    "not_counted": lambda found: found.bounds or _("not counted"),
    "more_cards": ungettext(
        "level in card points; %(name)s has more cards", "level in card points; %(name)s have more cards"
    ),
    "three_killed": N_("the ace of trumps of %(name)s killed the three"),
    "within_limit": lambda found: _listed(found.numbers, _("within the limit: %(names)s", names=found.who)),
    "over_limit": lambda found: _listed(found.numbers, _("all over the limit")),
    "made": ungettext("%(names)s reached it", "%(names)s reached it"),
    "failed": ungettext("it was not reached; %(names)s scores", "it was not reached; %(names)s score"),
    "manual": lambda found: named_numbers(found.points, found.names),
    # Carioca.
    "out_at_once": _did_it,
    "perfect_cut": _did_it,
    # Any game.
    "agreed": lambda found: (
        _("comes in with these points") if found.line.get("text") == "entered" else drawn(found.line.get("text", ""))
    ),
}
"""What is said for each reason: a sentence about those who took the item, or a function that chooses among several.

Of other reasons the numbers of the sides, or who scores, say it all.
"""
