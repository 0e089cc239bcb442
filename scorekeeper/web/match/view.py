"""A match as its pages see it: its standing, with the names of its players."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from math import inf
from typing import cast

from flask import abort
from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...rules import contract
from ...store import evenings, queries
from ...store.agreement import author_of
from ...store.db import Gone
from ...store.doubts import Doubt, decide_the_end, doubts_of, next_dropped
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, reported_in
from ...store.journal.match_setup import Setup
from ...store.journal.replay import DealState
from ...store.live import version_name
from ...store.lru import CacheVersion
from ...store.models import Match, Table
from ...store.same_notes import NotedTwice, noted_twice
from ...store.series import SeriesScore, score_of
from ...store.standings import Standing, score_closing, standing_of
from ...store.tapping import is_by_itself
from ...store.voices import Voices, voices_of
from ...store.who import Merged, as_now
from ..base.access import match_or_404, visitor
from ..base.by_facts import only_now, only_until
from ..base.remembered import holders, is_mine
from ..words.cards import cards_for
from ..words.deal_nouns import DealWords, PlayedRound, deal_words, played_round
from ..words.names import (
    Game,
    Name,
    games,
    in_lines,
    is_of_players,
    join_names,
    own_name,
    played_name,
    set_apart,
    shown_names,
    side_names,
)
from ..words.problems import from_paper_words
from ..words.values import MINUS, numeral, takers_of
from .closing_needs import NO_GRID, Needs, closing_needs

TAPS = (1, 5, -1)
"""The points of the buttons in a zone of the free pad."""


@dataclass
class MatchView:
    """A match as its pages see it."""

    table: Table
    row: Match
    """The row of the database."""
    as_of_deal: DealState | None = None
    """The deal at whose time the match is seen, for its players and options; None for the one being played."""

    @property
    def number(self) -> int:
        """The match's number at its table."""
        return self.row.number

    @property
    def key(self) -> str:
        """The key of the link that the visitor came by: every address on the page carries it."""
        return visitor().key(self.table)

    @property
    def version(self) -> str:
        """The version that the page shows, as an open page names it when it asks what is new."""
        return version_name(self.number, self.standing.state.head, self.table.moved_to)

    @cached_property
    def standing(self) -> Standing:
        """The standing: totals, sheets and state after all entries."""
        return standing_of(self.row)

    @cached_property
    def voices(self) -> Voices:
        """The phones that are at the table now. It depends on the moment: no cached page shows anything of it."""
        if any(player is not None for player in self.standing.state.phones.values()):
            # Of phones that nobody holds it says nothing.
            only_now()
        return voices_of(self.row.table_id, self.standing.state)

    @property
    def day_typed(self) -> date | None:
        """The day of a result from paper; None for a match that is played here."""
        typed = self.standing.state.typed
        return None if typed is None else date.fromisoformat(typed.payload["date"])

    @property
    def setup(self) -> Setup:
        """Who plays what with whom: now, or in the deal at whose time the match is seen."""
        return (self.as_of_deal or self.standing.state.current).setup

    def as_of(self, deal: DealState | None) -> MatchView:
        """Return the match as of the time of a deal: the sides, their players and the options that it is played by."""
        if deal is None or deal.setup == self.setup:
            return self
        seen = self._seen.get(id(deal.setup))
        if seen is None:
            seen = self._seen[id(deal.setup)] = MatchView(self.table, self.row, deal)
            # A journal asks for many entries of one time: names and standing are those of now.
            seen.standing, seen.plain_names = self.standing, self.plain_names
        return seen

    @cached_property
    def _seen(self) -> dict[int, MatchView]:
        """The match as of other times, by the set-ups of their deals, which live as long as the standing."""
        return {}

    def as_of_entry(self, entry: JournalEntry) -> MatchView:
        """Return the match as of the time of the deal that an entry is about, if it is about one."""
        number = entry.payload.get("deal")
        return self if number is None else self.as_of(self.standing.state.deal(number))

    @property
    def game(self) -> Game:
        """The game, as the engine describes it."""
        return games()[self.setup.game]

    @cached_property
    def plain_names(self) -> queries.Names:
        """The players' names by number, as they were typed. Raises ``Gone`` where the table was deleted meanwhile."""
        names = queries.player_names(self.table)
        if not names:
            raise Gone
        return names

    @property
    def sitting_out(self) -> list[str]:
        """The names of those at the table who do not play in the match, as they were typed."""
        seated = as_now(self.setup.seats, self.merged)
        return [name for player, name in self.plain_names.people.items() if player not in seated]

    @property
    def merged(self) -> Merged:
        """The number of who each merged player turned out to be."""
        return self.plain_names.merged

    @cached_property
    def players(self) -> dict[int, str]:
        """The players' names by number, as pages show them. Raises ``Gone`` as ``plain_names``."""
        return shown_names(self.plain_names)

    @cached_property
    def sides(self) -> dict[str, Name]:
        """The sides' names by label."""
        return side_names(self.setup.sides, self.players)

    @cached_property
    def all_sides(self) -> dict[str, Name]:
        """The names of all sides by label: of those that have left the match, too."""
        return side_names(self.standing.state.everybody, self.players)

    @property
    def totals(self) -> Mapping[contract.Side, contract.Number]:
        """The totals of all sides, also of those that have left."""
        return self.standing.totals

    def teams(self) -> dict[str, Name]:
        """Return who plays in each side that has given itself a name, by label."""
        return {side.label: join_names(self.names_of(side.label)) for side in self.setup.sides if side.name}

    def names_of(self, label: str) -> list[str]:
        """Return the names of a side's players."""
        return next(
            [self.players[number] for number in side.players] for side in self.setup.sides if side.label == label
        )

    def lines_of(self, label: str) -> list[str]:
        """Return a side's name in the lines that it is broken into where there is no room for it in one."""
        return in_lines(self.sides[label], self.names_of(label))

    @property
    def holder(self) -> str:
        """The name of the player, or of the side, who holds this phone; "" if it is everybody's."""
        return join_names(self.players[number] for number in holders(self.table) if number in self.players)

    @property
    def deal(self) -> DealState:
        """The deal being played."""
        return self.standing.state.current

    @cached_property
    def noted_twice(self) -> NotedTwice | None:
        """The two newest notes of the deal being played that may be one; None if nobody is to be asked."""
        return None if self.standing.is_over else noted_twice(self.deal)

    @property
    def engine_setup(self) -> contract.TableRequest:
        """The part of a request to the engine about the table."""
        return self.standing.state.engine_setup(self.setup)

    @cached_property
    def ending(self) -> rules.Ending:
        """When the match ends: its target or its rounds, if it has them."""
        return rules.Ending() if self.table_rules is None else rules.match_ending(self.table_rules)

    def ending_by(self, options: contract.Options) -> rules.Ending:
        """Return when the match would end with these options in place of its own."""
        asked: contract.TableRequest = {**self.engine_setup, "options": {**self.setup.options, **options}}
        table_rules = rules.read_table(asked, rules.Problems())
        return rules.Ending() if table_rules is None else rules.match_ending(table_rules)

    @property
    def is_low_best(self) -> bool:
        """True if the fewest points win."""
        return self.ending.winner == "lowest"

    @cached_property
    def points_of_items(self) -> dict[contract.ItemId, contract.Number | None]:
        """The points of each item that can score; None if they are not one number."""
        own = {line.id: line.points for line in self.own_lines}
        return {} if self.table_rules is None else {**dict(rules.item_points(self.table_rules)), **own}

    @property
    def own_lines(self) -> tuple[rules.OwnLine, ...]:
        """The lines of the table's own."""
        return () if self.table_rules is None else self.table_rules.own_lines

    @cached_property
    def table_rules(self) -> rules.TableRules | None:
        """The game as this table plays it; None for what the engine does not know."""
        return rules.read_table(self.engine_setup, rules.Problems())

    @property
    def takes_plain_points(self) -> bool:
        """True if a closing may say the points alone, in a game that has other facts."""
        return self.table_rules is not None and rules.takes_plain_points(self.table_rules)

    @property
    def sweep_points(self) -> contract.Number:
        """The points of one sweep."""
        return self.points_of_items.get("sweeps") or 0

    @property
    def is_in_rounds(self) -> bool:
        """True if rounds are played instead of deals: in Carioca, and on the free pad."""
        return self.words.in_rounds

    @property
    def words(self) -> DealWords:
        """The words for a deal at this table."""
        return deal_words(self.setup.game)

    @property
    def taps(self) -> tuple[int, ...]:
        """The points that one tap on the board gives a side; none if points follow from what was played."""
        return TAPS if self.game["family"] == "free" else ()

    @property
    def counts_at_once(self) -> bool:
        """True if what is tapped moves the totals at once, without closing a round."""
        return self.ending.counts_at_once

    @property
    def tap_that_ended(self) -> JournalEntry | None:
        """The tap that reached the end and closed the last deal by itself; its undo opens both again."""
        sheets = self.standing.sheets
        deal = sheets[-1][0] if sheets else None
        return deal.noted[-1] if deal and deal.noted and is_by_itself(self.standing.state, deal) else None

    @property
    def to_say_at_the_end(self) -> list[str]:
        """The names of the lines of the table's own that leave a round open in which taps have reached the target.

        Who takes them is said in closing the round: no tap says it, so none may end the match over them.
        """
        target = self.ending.target
        if self.standing.is_over or not self.counts_at_once or not target or max(self.totals.values()) < target:
            return []
        return [own_name(line.name) for line in self.own_lines if line.how == "one"]

    def half_words(self, label: str) -> str:
        """Return how many malas or buenas a side has, where the target is shown in these halves; "" elsewhere.

        The malas come first, and of an odd target they are one more.
        """
        target, total = self.ending.target, self.totals[label]
        if not (self.setup.halves and target) or self.is_low_best:
            return ""
        first = (target + 1) // 2
        if total > first:
            return str(ngettext("%(num)d buena", "%(num)d buenas", int(total) - first))
        return str(ngettext("%(num)d mala", "%(num)d malas", int(total))).replace("-", MINUS)

    def sum_words(self) -> str:
        """Return what a round that counts at once adds up to, where it has to add up to something else; else "".

        Until it does nobody wins by a tap, and it cannot be closed.
        """
        most = rules.round_sum(self.table_rules) if self.counts_at_once and self.table_rules else None
        noted = self.deal.noted_points()
        if most is None or not noted or sum(noted.values()) == most:
            return ""
        return str(
            _(
                "this round adds up to %(num)s; it must be %(most)s",
                num=numeral(sum(noted.values())),
                most=numeral(most),
            )
        )

    @property
    def has_dealers(self) -> bool:
        """True if the page says who deals: nobody knows whether there are cards in what the free pad is used for."""
        return self.game["family"] != "free"

    @property
    def perfect_cut(self) -> int:
        """The points of a perfect cut; 0 if the cut does not count."""
        gives = None if self.table_rules is None else rules.points_by_themselves(self.table_rules)
        return 0 if gives is None else gives.once.get("perfect_cut", 0)

    @property
    def game_title(self) -> str:
        """The game as the table calls it: by how it is played, and the free pad by what is played on it."""
        return self.setup.game_name or played_name(self.setup.game, self.setup.preset)

    def round_of(self, number: int) -> PlayedRound | None:
        """Return what is played in deal ``number`` of Carioca; None in other games, and where it has no such round."""
        return None if self.table_rules is None else played_round(self.table_rules, number)

    def trump_of(self, number: int) -> str | None:
        """Return the suit of trumps of a deal, where trumps go round in a fixed cycle."""
        return None if self.table_rules is None else rules.fixed_trump(self.table_rules, number)

    @property
    def names_trumps(self) -> bool:
        """True if the trumps of a deal are turned or named, so that the table may note them."""
        return self.table_rules is not None and rules.names_trumps(self.table_rules)

    @property
    def trump_now(self) -> str | None:
        """The suit of trumps of the deal being played; None if nobody has noted it."""
        return self.trump_of(self.deal.number) or (self.deal.noted_trump if self.names_trumps else None)

    def ranked(self) -> Sequence[tuple[int, str, str]]:
        """Return the sides as (place at the table from 1, label, name): where it is a race of rounds, the best first.

        That is by the totals; of sides that are level, who sits first comes first.
        """
        each = [(place, label, name) for place, (label, name) in enumerate(self.sides.items(), 1)]
        if not self.is_in_rounds or (len(each) == 2 and not self.is_low_best):
            return each
        sign = 1 if self.is_low_best else -1
        return sorted(each, key=lambda side: sign * self.totals[side[1]])

    def game_words(self) -> str:
        """Return which game this is, and when it ends: "Chorizo to 21", "Carioca, 8 rounds".

        Nobody knows when a match on paper was to end.
        """
        name, ending = self.game_title, rules.Ending() if self.day_typed else self.ending
        if ending.target:
            return _("%(game)s to %(target)d", game=name, target=ending.target)
        return ", ".join(filter(None, (name, self.words.many(ending.rounds) if ending.rounds else "")))

    def table_words(self) -> str:
        """Return the name of the table beside that of the game: one without a name has those who play now."""
        playing = [self.players[number] for number in self.setup.seats]
        return ", ".join(playing) if is_of_players(self.table.name, self.plain_names) else set_apart(self.table.name)

    def dealer(self, deal: DealState) -> str:
        """Return the name of the player who deals this deal."""
        return self.players[deal.setup.seats[deal.dealer_seat]]

    def running(self, number: int) -> dict[contract.Side, contract.Number]:
        """Return the totals after deal ``number``."""
        return self._running.get(number) or dict.fromkeys(self.setup.labels, 0)

    @cached_property
    def _running(self) -> dict[int, dict[contract.Side, contract.Number]]:
        steps = zip(self.standing.sheets, self.standing.course, strict=True)
        return {deal.number: totals for (deal, _sheet), totals in steps}

    @cached_property
    def evening(self) -> evenings.Evening:
        """The tally of the evening of this match."""
        is_first = self.number == 1 and not self.standing.is_over
        tally = evenings.Evening() if is_first else evenings.tally(self.table, self.number, self.merged)
        only_until(tally.until)
        return tally

    @cached_property
    def series(self) -> SeriesScore | None:
        """The score of the best of three that this match belongs to; None if it belongs to none."""
        score = score_of(self.row.table_id, self.number, self.standing.state.series)
        only_until(None if score is None else score.until)
        return score

    @property
    def cache_key(self) -> tuple[Hashable, ...]:
        """The cache key of the page: everything its content depends on, but for the language.

        That is the version of the match, the names of the table and its players, the tally of the evening, the score of
        the best of three, the visitor's key (it is in every address), what the visitor may do, who holds the visitor's
        phone, how many deals are in doubt by now, and where the table has moved.
        """
        who = (visitor().link, self.key, is_mine(self.table), *(holders(self.table) if visitor().may_write else ()))
        shown = CacheVersion(self.number, self.standing.state.head)
        others = (*self.evening, self.series, self.table.moved_to)
        return (*who, self.row.table_id, shown, self.table.name, *self.players.items(), *others, len(self.doubts))

    @property
    def surplus(self) -> list[DealState]:
        """The closed deals that do not count, because a correction of an earlier deal ended the match before them."""
        return self.standing.state.closed[len(self.standing.sheets) :]

    def sheet_of(self, number: int) -> tuple[DealState, contract.Scored] | None:
        """Return a closed deal with its sheet, whether or not it counts; None if that number is not closed."""
        for place, (deal, _sheet) in enumerate(self.standing.sheets):
            if deal.number == number:
                return deal, self.standing.explained(place)
        for deal in self.surplus:
            if deal.number == number and deal.closed is not None:
                return deal, score_closing(self.standing.state, deal, deal.closed)
        return None

    def dealing_side(self, deal: DealState) -> str:
        """Return the name of the side that deals this deal."""
        return self.as_of(deal).sides[deal.dealer.label]

    def dealer_after(self, deal: DealState, redeal: contract.Redeal) -> str:
        """Return the name of the player who deals again after an opening that voids the deal."""
        seats = deal.setup.seats
        seat = deal.dealer_seat if redeal == "same" else (deal.dealer_seat + 1) % len(seats)
        return self.players[seats[seat]]

    def side_behind(self, entry_id: str) -> str | None:
        """Return the side that wrote an entry of the match, by its label; None if not known."""
        entry = self.entry(entry_id)
        return author_of(entry).side if entry is not None else None

    def entry(self, entry_id: str) -> JournalEntry | None:
        """Return the entry of the match that has this id."""
        return next((entry for entry in self.standing.state.entries if entry.id == entry_id), None)

    @property
    def is_left_open(self) -> bool:
        """True if it was left in the middle for another one, and can be taken up again."""
        current = queries.current_match(self.table)
        return not self.standing.is_over and (current is None or current.number != self.number)

    def leaders(self) -> Name | str:
        """Return the names of those who win if the match is cut now; "" if nobody is ahead."""
        leading = self.standing.leaders(always=True) if self.standing.has_begun else []
        return join_names(self.sides[label] for label in leading)

    def credited(self, entry: JournalEntry) -> str:
        """Return the name of the player who made a sweep or declared; "" if nobody was named."""
        deal = self.standing.state.deal(entry.payload.get("deal", 0))
        player = deal.credits.get(entry.id) if deal is not None else None
        return "" if player is None else self.players[player]

    @cached_property
    def doubts(self) -> list[Doubt]:
        """The newest closed deals in doubt, oldest first; not those about which nothing was said for a month."""
        found = doubts_of(self.standing.state)
        only_until(next_dropped(doubt.last_word for doubt in found))
        return [doubt for doubt in found if not doubt.is_dropped]

    @cached_property
    def is_end_in_doubt(self) -> bool:
        """True if another side would have won, or nobody, if another version of a deal in doubt counted."""
        return decide_the_end(self.standing, self.doubts)

    def worth_of(self, declaration: kinds.AnyPayload) -> dict[contract.ItemId, contract.Number]:
        """Return the points of one declaration by item; empty if it is impossible."""
        state = self.standing.state
        payload = cast(contract.Declaration, reported_in(declaration))
        # The rest of the pack is given to that side, so that no line is open and the engine has nothing to weigh.
        facts: contract.FishingDeal = {"declarations": [payload], "rest": payload.get("side")}
        request = {**self.engine_setup, "deal": state.deal_request(self.as_of_deal or self.deal, facts)}
        declared = set(self.needs.declarations)
        try:
            sheet = cast(contract.Scored, rules.score(request))
        except rules.Malformed:
            return {}
        lines = [line for line in sheet["lines"] if line["reason"] != "open" and line["item"] in declared]
        return {line["item"]: line["points"][payload["side"]] for line in lines if line["points"]}

    def last_capturer(self, deal: DealState) -> str | None:
        """Return the name of the last capturer if the sums of the piles show it, and the facts do not name it."""
        if deal.facts().get("last_capturer"):
            return None
        state = self.standing.state
        label = rules.last_capturer({**state.engine_setup(deal.setup), "deal": state.deal_request(deal)})
        return None if label is None else self.sides[label]

    @staticmethod
    def longest_gain(sheet: contract.Sheet) -> int:
        """Return how many signs the longest number on a sheet has, its plus or minus included."""
        gained = [sheet.get("points") or {}, *(line["points"] or {} for line in sheet["lines"])]
        return max((len(f"{points:+g}") for each in gained for points in each.values()), default=0)

    def by_weight(self, lines: Sequence[contract.SettledLine]) -> list[contract.SettledLine]:
        """Return the lines sorted by the points that they move, the most first; before them one that wins the match."""

        def weight(line: contract.SettledLine) -> float:
            moved = max(abs(points) for points in line["points"].values())
            return moved or (inf if takers_of(line) else 0)

        return sorted(lines, key=weight, reverse=True)

    @cached_property
    def needs(self) -> Needs:
        """The needs of a closing form for this game; none outside the fishing family."""
        if self.game["family"] != "fishing":
            return NO_GRID
        return closing_needs(self.setup)


def shown_match(table: Table, row: Match) -> MatchView:
    """Return the match that this request is about: its answer names and draws cards as in the game of the match."""
    match = MatchView(table, row)
    cards_for(lambda: match.setup.game, lambda: match.setup.preset, lambda: match.setup.own_lines)
    return match


def match_at(key: str, number: int, deal: int | None = None, *, may_be_typed: bool = False) -> MatchView:
    """Return the match that the address names, as ``shown_match``, as of the time of a ``deal``; or answer 404.

    A result from paper has no such page unless ``may_be_typed``: then the answer is a 409 that says so.
    """
    return match_in(*match_or_404(key, number), deal, may_be_typed=may_be_typed)


def match_in(table: Table, row: Match, deal: int | None = None, *, may_be_typed: bool = False) -> MatchView:
    """Return a match of a table that is open, as ``match_at`` does; or answer 409."""
    match = shown_match(table, row)
    if match.day_typed is not None and not may_be_typed:
        abort(409, description=from_paper_words())
    return match if deal is None else match.as_of(match.standing.state.deal(deal))
