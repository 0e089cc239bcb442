"""The sentence of each line of a sheet, "Most cards: Ana 25, Beto 15": a row of ``SENTENCES`` for each reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from ...names import drawn
from ...rules import contract, is_own
from .cards import rank_name
from .evidence import evidence_word
from .marked import N_, Sentence, fill, ungettext
from .names import Name, item_name, join_names, own_name, people, upper_first
from .values import (
    Line,
    because_of,
    dashed,
    line_numbers,
    named_numbers,
    numbers_show,
    numeral,
    one_to_other,
    rests_on_award,
    takers_of,
    values_of,
    were_noted,
)

Names = Mapping[contract.Side, str]
Told = Mapping[str, contract.Evidence]
"""How what several declared is known of each of them, by their names."""


def line_words(line: Line, names: Names, game: str) -> str:
    """Return a line as a sentence: its item, and who has it by what."""
    return f"{line_title(line, game)}: {_sentence(_Words(line, names))}"


def line_title(line: Line, game: str) -> str:
    """Return the name of a line's item as it begins a sentence; a line of the table's own brings its name along."""
    name = own_name(line.get("text")) if is_own(line["item"]) else ""
    return upper_first(name or item_name(game, line["item"]))


def line_spoken(
    line: Line,
    names: Names,
    game: str,
    noted: Mapping[contract.Side, int] | None = None,
    told: Told | None = None,
    *,
    disputed: bool = False,
) -> str:
    """Return a line of a sheet as it is heard: its item, whose points, by what, and how that is known.

    It says what the columns show: their numbers, heard one after the other, are nobody's.
    """
    words = _Words(line, names)
    sentence = _sentence(words)
    if words.scored and sentence == words.who:
        sentence = ""
    elif sentence == words.numbers and len(names) == 2 and words.are_all_known:
        one, other = (numeral(words.values[side] or 0) for side in names)
        sentence = _("%(one)s to %(other)s", one=one, other=other)
    said = _listed(_("disputed") if disputed else "", words.scored, sentence, line_evidence(line, noted, told))
    return f"{line_title(line, game)}: {said}"


def line_detail(
    line: Line, names: Names, noted: Mapping[contract.Side, int] | None = None, told: Told | None = None
) -> str:
    """Return what a sheet says below the name of an item: who has it by what, and how that is known.

    It repeats nothing that the columns of points say: with more than two columns they also say that a line is open.
    ``noted`` are the sweeps noted while the deal was played, ``told`` is how each side's is known of a line that is
    known otherwise of each.
    """
    words = _Words(line, names, in_columns=True)
    sentence = _sentence(words)
    is_shown_by_points = (
        line["reason"] in ("left_in_hand", "given")
        or (sentence == words.who and line["points"] is not None)
        or (len(names) > 2 and line.get("values") == line["points"])
    )
    return _listed("" if is_shown_by_points else sentence, line_evidence(line, noted, told))


def line_evidence(line: Line, noted: Mapping[contract.Side, int] | None = None, told: Told | None = None) -> str:
    """Return how a line is known, as quiet words; "" if it is open, or no sweep was made."""
    if told:
        return _listed(*(f"{name}: {evidence_word(evidence)}" for name, evidence in told.items()))
    made = values_of(line) if line["item"] == "sweeps" else {}
    if made and not any(made.values()):
        return ""
    if made and noted is not None and were_noted(made, noted):
        return _("noted in play")
    return "" if line["reason"] == "open" else evidence_word(line.get("evidence"))


@dataclass(frozen=True)
class _Words:
    """A line as the words of its sentence: ``%(name)s`` are those who took the item."""

    line: Line
    names: Names
    in_columns: bool = False
    """True if the names of the sides head the columns above the line, so that two numbers need no names."""

    def __getitem__(self, word: str) -> str:
        return rank_name(1) if word == "ace" else self.who

    @property
    def points(self) -> Mapping[contract.Side, contract.Number]:
        """The points of each side; {} of an open line."""
        return self.line["points"] or {}

    @property
    def values(self) -> Mapping[contract.Side, contract.Number | None]:
        """The value of each side; {} if the line has no certain numbers."""
        return values_of(self.line)

    @property
    def are_all_known(self) -> bool:
        """True if each side has a number."""
        return bool(self.values) and None not in self.values.values()

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
        """The value of each side, in words; "" if the line has no certain numbers."""
        if self.in_columns and len(self.names) == 2 and self.values:
            return one_to_other(self.values, self.names)
        return named_numbers(self.values, self.names) if self.values else ""

    @property
    def scored(self) -> str:
        """The points of each side that has any, in words: "Ana, 2 points"; "" if there are none."""
        each = ((self.names.get(side, side), points) for side, points in self.points.items() if points)
        return _listed(*(f"{name}, {_counted(points)}" for name, points in each))

    @property
    def bounds(self) -> str:
        """The bounds of each side's number, in words; "" if no side certainly has anything."""
        is_known = any(least for least, _most in self.line.get("bounds", {}).values())
        return line_numbers(self.line, self.names) if is_known else ""

    def named(self, sides: Iterable[contract.Side]) -> Name:
        """Return the names of sides, joined; one that has no name here, as it has left, is named by its label."""
        return join_names(self.names.get(side, side) for side in sides)


def _counted(points: contract.Number) -> str:
    """Return a number of points in words."""
    return ngettext("%(points)s point", "%(points)s points", 1 if points == 1 else 2, points=numeral(points))


def _sentence(words: _Words) -> str:
    """Return who has the item by what, without the name of the item."""
    line = words.line
    if line["points"] is None:
        return " ".join(filter(None, (_("still open"), words.bounds and f"({words.bounds})")))
    of_reason = SENTENCES.get(line["reason"], _numbers_or_takers)
    sentence = _OF_ITEM.get((line["reason"], line["item"]), of_reason)
    return sentence(words) if callable(sentence) else fill(sentence, words)


def _listed(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _beside(sentence: Sentence) -> Callable[[_Words], str]:
    """Return what writes a sentence behind the numbers of the sides, if there are any."""
    return lambda words: _listed(words.numbers, fill(sentence, words))


def _numbers_or_takers(words: _Words) -> str:
    return words.numbers or _takers(words)


def _takers(words: _Words) -> str:
    """Return who took it: by the numbers if they show it, else by name."""
    line = words.line
    if numbers_show(line):
        return words.numbers or line_numbers(line, words.names)
    if rests_on_award(line) or (line["reason"] != "certain" and because_of(line) is None):
        return words.who
    return fill(N_("%(name)s, wherever the other cards are"), words)


def _tied(words: _Words) -> str:
    if words.are_all_known:
        return _listed(dashed(words.values, words.names), _("nobody"))
    return _listed(words.numbers, _("level"), _("nobody"))


def _tied_each_scores(words: _Words) -> str:
    is_of_some = words.values and len(takers_of(words.line)) < len(words.names)
    level = _("those ahead are level, and each scores") if is_of_some else _("level, and each scores")
    return _listed(_takers(words), level)


def _all(words: _Words) -> str:
    if any(words.points.values()):
        return words.who
    return fill(ungettext("%(name)s has all ten: wins the match", "%(name)s have all ten: they win the match"), words)


def _declared(words: _Words) -> str:
    times = [words.values.get(side) or 0 for side in words.names]
    return words.who + "".join(f" ×{number}" for number in times if number > 1)


def _did_it(words: _Words) -> str:
    """Return the sides that did it; not by their points, as a player who goes out at once has minus points."""
    return words.named(side for side in words.names if words.values.get(side))


SENTENCES: dict[str, Sentence | Callable[[_Words], str]] = {
    "tied": _tied,
    "tied_each_scores": _tied_each_scores,
    "best_untied": lambda words: _listed(words.numbers or words.who, _("the best that is not level scores")),
    "most_sixes": ungettext("level in sevens; %(name)s has more sixes", "level in sevens; %(name)s have more sixes"),
    "nobody_eligible": lambda words: _("nobody has any") if words.are_all_known else _("nobody qualifies"),
    "holds": lambda words: words.who,
    "nobody": N_("nobody"),
    "all": _all,
    "not_all": _beside(N_("nobody")),
    "few_cards": lambda words: words.who,
    "not_few": _beside(N_("nobody")),
    "superseded": N_("what having them all scores counts instead"),
    "barred": N_("whoever took a wrong set cannot have it"),
    "certain": _takers,
    "fifteen": ungettext("%(name)s dealt four cards that add to 15", "%(name)s dealt four cards that add to 15"),
    "thirty": ungettext("%(name)s dealt four cards that add to 30", "%(name)s dealt four cards that add to 30"),
    "flush3": ungettext("%(name)s dealt three of one suit", "%(name)s dealt three of one suit"),
    "flush4": ungettext("%(name)s dealt four of one suit", "%(name)s dealt four of one suit"),
    "declared": _declared,
    "false_claim": N_("its points go to %(name)s"),
    "forfeit": N_("the points of this deal go to the others"),
    "wrong_capture": lambda words: _listed(
        words.named(side for side in words.names if words.points.get(side, 0) < 0),
        _("four points and one for each sweep of the deal"),
    ),
    # The Brisca family.
    "not_counted": lambda words: words.bounds or _("not counted"),
    "more_cards": ungettext(
        "level in card points; %(name)s has more cards", "level in card points; %(name)s have more cards"
    ),
    "three_killed": N_("the ace of trumps of %(name)s killed the three"),
    "within_limit": _beside(N_("within the limit: %(names)s")),
    "over_limit": _beside(N_("all over the limit")),
    "made": ungettext("%(names)s reached it", "%(names)s reached it"),
    "failed": ungettext("it was not reached; %(names)s scores", "it was not reached; %(names)s score"),
    "manual": lambda words: named_numbers(words.points, words.names),
    # Carioca.
    "out_at_once": _did_it,
    "perfect_cut": _did_it,
    # Any game.
    "said_own": ungettext("%(name)s made it", "%(name)s made it"),
    "each_own": lambda words: words.numbers if any(words.values.values()) else _("nobody"),
    "agreed": lambda words: (
        _("comes in with these points") if words.line.get("text") == "entered" else drawn(words.line.get("text", ""))
    ),
}
"""The sentence of each reason, about those who took the item, or a function that makes it.

A reason without a sentence needs only the numbers of the sides, or the names of those who score.
"""
_OF_ITEM: dict[tuple[str, contract.ItemId], Sentence | Callable[[_Words], str]] = {
    ("all", "fifty_cards"): ungettext("%(name)s has enough", "%(name)s have enough"),
    ("superseded", "game_point"): N_("more than a hundred counts instead"),
    ("not_all", "fifty_cards"): _beside(N_("nobody has enough")),
    ("not_all", "piccola"): _beside(N_("nobody has %(ace)s, two and three")),
    ("declared", "marriage"): _numbers_or_takers,
}
"""The sentences of a reason that are another one for an item."""
