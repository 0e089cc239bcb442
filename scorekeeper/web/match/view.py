"""A match as its pages see it: its standing, with the names of its players."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from math import inf
from typing import Any, cast

from flask import request, url_for
from flask_babel import gettext as _

from ... import rules
from ...rules import contract
from ...store import evenings, journal, queries
from ...store.agreement import Agreement, author_of, played_at
from ...store.db import Gone
from ...store.doubts import Doubt, decide_the_end, doubts_of
from ...store.journal import DealState, JournalEntry, Setup
from ...store.live import version_name
from ...store.lru import CacheVersion
from ...store.models import Match, Table
from ...store.same_notes import NotedTwice, noted_twice
from ...store.standings import Standing, score_closing, standing_of
from ...store.voices import Voices, voices_of
from ..base.access import visitor
from ..base.remembered import holders, is_mine
from ..words.cards import cards_for
from ..words.deals import DealWords, PlayedRound, deal_words, played_round
from ..words.evenings import evening_of
from ..words.names import (
    Game,
    Name,
    game_name,
    games,
    in_lines,
    join_names,
    option_value,
    pick,
    preset_name,
    set_apart,
    side_names,
)
from ..words.openings import opening_words
from ..words.values import takers_of
from .needs import NO_GRID, Needs, closing_needs

MARKED, MARK = 50, 8
"""How many entries a page names as those that it was drawn with (a phone sends as many at once), and by
how many signs."""
TAPS = (1, 5, -1)
"""The points of the buttons in a zone of the free pad."""


@dataclass
class MatchView:
    """A match as its pages see it."""

    table: Table
    row: Match
    """The row of the database."""
    as_of: DealState | None = None
    """The deal as of whose time the match is seen: who played, and by which options. None for the one being played."""

    def __post_init__(self) -> None:
        # A page of a match is about its game: its cards are named and drawn as they are there.
        cards_for(lambda: self.setup.game)

    @property
    def number(self) -> int:
        """The match's number at its table."""
        return self.row.number

    @property
    def key(self) -> str:
        """The key of the link that the visitor came by: every address on the page carries it."""
        return visitor().key(self.table)

    @property
    def shown(self) -> str:
        """The version that the page shows, as an open page names it when it asks what is new."""
        return version_name(self.number, self.standing.state.head)

    @cached_property
    def standing(self) -> Standing:
        """The standing: totals, sheets and state after all entries."""
        return standing_of(self.row)

    @cached_property
    def voices(self) -> Voices:
        """Which phones are at the table now. It hangs on the moment: no cached page shows anything of it."""
        return voices_of(self.row.table_id, self.standing.state)

    @property
    def setup(self) -> Setup:
        """Who plays what with whom: as it is now, or was in the deal as of which the match is seen."""
        return (self.as_of or self.standing.state.current).setup

    def at(self, deal: DealState | None) -> MatchView:
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
        """The match as of other times, by the set-ups of their deals, which the standing keeps."""
        return {}

    def of_entry(self, entry: JournalEntry) -> MatchView:
        """Return the match as of the time of the deal that an entry is about, where it is about one."""
        number = entry.payload.get("deal")
        return self if number is None else self.at(self.standing.state.deal(number))

    @property
    def game(self) -> Game:
        """The game, as the engine describes it."""
        return games()[self.setup.game]

    @cached_property
    def plain_names(self) -> dict[int, str]:
        """The players' names by number, as they were typed. Raises ``Gone`` where the table was deleted meanwhile."""
        names = queries.player_names(self.table)
        if not names:
            raise Gone
        return names

    @property
    def sitting_out(self) -> list[str]:
        """The names of those at the table who do not play in the match, as they were typed."""
        return [name for player, name in self.plain_names.items() if player not in self.setup.seats]

    @cached_property
    def players(self) -> dict[int, str]:
        """The players' names by number, as pages show them. Raises ``Gone`` as ``plain_names``."""
        return {number: set_apart(name) for number, name in self.plain_names.items()}

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
        """The name of the player, or of the side, who holds this phone; "" where it is everybody's."""
        return join_names(self.players[number] for number in holders(self.table) if number in self.players)

    @property
    def deal(self) -> DealState:
        """The deal being played."""
        return self.standing.state.current

    @cached_property
    def noted_twice(self) -> NotedTwice | None:
        """The two newest notes of the deal being played that may be one; None where nobody is to be asked."""
        return None if self.standing.is_over else noted_twice(self.deal)

    def taken_as_one(self, entry_id: str) -> str | None:
        """Return the id of a note of the deal being played if it was taken back, so that it may be counted again."""
        if not entry_id:
            return None
        entries, number = self.standing.state.entries, self.deal.number
        is_of_deal = any(one.id == entry_id and one.payload.get("deal") == number for one in entries)
        is_void = any(one.kind == journal.VOIDED and one.payload["entry"] == entry_id for one in entries)
        return entry_id if is_of_deal and is_void else None

    def written(self, entry_id: str) -> JournalEntry:
        """Return the entry of that id; there is one."""
        return next(entry for entry in self.standing.state.entries if entry.id == entry_id)

    @property
    def result(self) -> contract.Standing:
        """The engine's answer about the match."""
        return self.standing.result

    @property
    def engine_setup(self) -> contract.TableRequest:
        """What a request to the engine says of the table."""
        return self.standing.state.engine_setup(self.setup)

    @cached_property
    def _ending(self) -> rules.Ending:
        return rules.Ending() if self.table_rules is None else rules.match_ending(self.table_rules)

    @property
    def target(self) -> int | None:
        """The points that win the match; None where it ends in another way."""
        return self._ending.target

    @property
    def rounds(self) -> int | None:
        """The deals after which the match ends; None where it ends in another way."""
        return self._ending.rounds

    @property
    def is_ended_by_hand(self) -> bool:
        """Whether the match goes on until the table ends it."""
        return self._ending.is_by_hand

    @property
    def is_low_best(self) -> bool:
        """Whether the fewest points win."""
        return self._ending.winner == "lowest"

    @cached_property
    def points_of_items(self) -> dict[contract.ItemId, contract.Number | None]:
        """The points of each item that can score; None where they are not one number."""
        return {} if self.table_rules is None else dict(rules.item_points(self.table_rules))

    @cached_property
    def table_rules(self) -> rules.TableRules | None:
        """The game as this table plays it; None for what the engine does not know."""
        return rules.read_table(self.engine_setup, rules.Problems())

    @property
    def takes_adjustments(self) -> bool:
        """Whether the table may add points, or take some: a match of an early version knows no such line."""
        return self.table_rules is not None and rules.takes_adjustments(self.table_rules)

    @property
    def takes_plain_points(self) -> bool:
        """Whether the points of a deal may be told alone, where the game knows what else they come from."""
        return self.table_rules is not None and rules.takes_plain_points(self.table_rules)

    @property
    def sweep_points(self) -> contract.Number:
        """The points of one sweep."""
        return self.points_of_items.get("sweeps") or 0

    @property
    def is_in_rounds(self) -> bool:
        """Whether what is played one after another are rounds: Carioca, and whatever the free pad is used for."""
        return self.words.in_rounds

    @property
    def words(self) -> DealWords:
        """What a deal is called at this table."""
        return deal_words(self.setup.game)

    @property
    def taps(self) -> tuple[int, ...]:
        """The points that one tap on the board gives a side; none where points follow from what was played."""
        return TAPS if self.game["family"] == "free" else ()

    @property
    def has_dealers(self) -> bool:
        """Whether the page says who deals: nobody knows whether there are cards in what the free pad is used for."""
        return self.game["family"] != "free"

    @property
    def perfect_cut(self) -> int:
        """The points of a perfect cut; 0 where the cut does not count."""
        gives = None if self.table_rules is None else rules.points_by_themselves(self.table_rules)
        return 0 if gives is None else gives.once.get("perfect_cut", 0)

    @property
    def cutter(self) -> str:
        """The name of the player who cuts in the deal being played, where the cut counts; "" elsewhere."""
        if not self.perfect_cut:
            return ""
        return self.players[self.deal.setup.seats[self.deal.dealer_seat - 1]]

    @property
    def game_title(self) -> str:
        """The game as the table calls it: the free pad by what is played on it."""
        return self.setup.game_name or game_name(self.setup.game)

    def round_of(self, number: int) -> PlayedRound | None:
        """Return what is played in deal ``number`` of Carioca; None in other games, and where it has no such round."""
        return None if self.table_rules is None else played_round(self.table_rules, number)

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
        """Return the game with its target, as the top of a page has it: "Chorizo to 21"."""
        name = self.game_title
        return str(_("%(game)s to %(target)d", game=name, target=self.target)) if self.target else name

    def last_gain(self, label: str) -> contract.Number | None:
        """Return a side's points of the last counted deal; None before the first."""
        return self.standing.sheets[-1][1]["points"].get(label) if self.standing.sheets else None

    def minutes(self) -> int:
        """Return how many minutes the match took, from its start to its last counted deal; 0 where not known."""
        last = self._played_last
        return round((last - self.row.created_at).total_seconds() / 60) if last else 0

    def days(self) -> int:
        """Return in how many days the match was played, from its start to its last counted deal; 1 in one evening."""
        last = self._played_last
        if last is None or last - self.row.created_at < evenings.GAP:
            return 1
        return (evening_of(last) - evening_of(self.row.created_at)).days + 1

    @cached_property
    def _played_last(self) -> datetime | None:
        """When the last counted deal was played; None before the first."""
        sheets = self.standing.sheets
        return played_at(self.standing.state, sheets[-1][0]) if sheets else None

    @property
    def trump(self) -> str | None:
        """The suit of trumps of the deal being played, where trumps go round in a fixed cycle."""
        return None if self.table_rules is None else rules.fixed_trump(self.table_rules, self.deal.number)

    @property
    def batches(self) -> int:
        """How many times the dealer gives hands; 0 where the game has no batches."""
        return self.needs().batches

    def house_rules(self) -> list[tuple[str, str]]:
        """Return the options that differ from the game's defaults, each with its value, in words.

        The target and the number of sides are left out: the pages show those by themselves.
        """
        chosen = []
        for option in self.game["options"]:
            value = self.setup.options.get(option["id"], option["default"])
            if option["id"] not in ("sides", "target") and value != option["default"]:
                chosen.append((pick(option["label"]), _value_words(option, value)))
        return chosen

    def changed_rules(self, options: contract.Options, former: Setup | None = None) -> list[tuple[str, str, str]]:
        """Return options as (name, value before, value from then on) in words; ``former`` has them as before.

        How a match ends follows from the numbers that are named beside it.
        """
        before = (former or self.setup).options
        return [
            (_asked(option), _value_words(option, before.get(option["id"])), _value_words(option, value))
            for option in self.game["options"]
            for value in [options.get(option["id"], before.get(option["id"]))]
            if option["id"] in options and option["id"] != "end"
        ]

    def rules_of(self, deal: DealState) -> list[tuple[str, str]]:
        """Return the options by which a deal was scored, of those that have changed in the course of the match."""
        changes = [entry for entry in self.standing.state.changes if entry.kind == journal.RULES_CHANGED]
        changed = {id for entry in changes for id in entry.payload["options"]}
        return self.options_words({id: value for id, value in deal.setup.options.items() if id in changed})

    def options_words(self, options: contract.Options) -> list[tuple[str, str]]:
        """Return options as (name, value) in words."""
        return [(label, value) for label, _before, value in self.changed_rules(options)]

    def rules_words(self) -> str:
        """Return the game with the name of its house rules, such as "Chorizo, Flores"; a game has its own rules."""
        rules_name = self.setup.rules_name
        if not rules_name and len(self.game["presets"]) > 1:
            rules_name = preset_name(self.game, self.setup.preset or self.game["default_preset"])
        return ", ".join(filter(None, (self.game_title, rules_name)))

    def dealer(self, deal: DealState) -> str:
        """Return the name of the player who deals this deal."""
        return self.players[deal.setup.seats[deal.dealer_seat]]

    def winners(self) -> str:
        """Return the names of all who won, joined."""
        return join_names(self.sides[label] for label in self.standing.winners)

    def running(self, number: int) -> dict[contract.Side, contract.Number]:
        """Return the totals after deal ``number``."""
        return self._running.get(number) or dict.fromkeys(self.setup.labels, 0)

    @cached_property
    def _running(self) -> dict[int, dict[contract.Side, contract.Number]]:
        steps = zip(self.standing.sheets, self.standing.course, strict=True)
        return {deal.number: totals for (deal, _sheet), totals in steps}

    @cached_property
    def evening(self) -> evenings.Evening:
        """What each who won has won in the evening of this match."""
        is_first = self.number == 1 and not self.standing.is_over
        return evenings.Evening() if is_first else evenings.tally(self.table, self.number)

    @property
    def cache_key(self) -> tuple[Hashable, ...]:
        """The cache key of the page: everything its content depends on, but for the language.

        That is the version of the match, the names of the table and its players, the tally of the evening, the
        visitor's key (it is in every address), what the visitor may do, who holds the visitor's phone, and how many
        deals are in doubt by now.
        """
        who = (visitor().link, self.key, is_mine(self.table), *(holders(self.table) if visitor().may_write else ()))
        shown = CacheVersion(self.number, self.standing.state.head)
        return (*who, self.row.table_id, shown, self.table.name, *self.players.items(), *self.evening, len(self.doubts))

    @property
    def surplus(self) -> list[DealState]:
        """The closed deals that do not count, because a correction of an earlier deal ended the match before them."""
        return self.standing.state.closed[len(self.standing.sheets) :]

    def sheet_of(self, number: int) -> tuple[DealState, contract.Scored] | None:
        """Return a closed deal with its sheet, whether or not it counts; None where that number is not closed."""
        for deal, sheet in self.standing.sheets:
            if deal.number == number:
                return deal, sheet
        for deal in self.surplus:
            if deal.number == number and deal.closed is not None:
                return deal, score_closing(self.standing.state, deal, deal.closed)
        return None

    def gains(self) -> list[tuple[str, contract.Number, list[contract.SettledLine]]]:
        """Return for each side its name, its points in the last counted deal, and the lines that gave or took any.

        Empty before the first deal, and after a redeal.
        """
        if not self.standing.sheets:
            return []
        sheet = self.standing.sheets[-1][1]
        if sheet.get("redeal"):
            return []
        scored = self.by_weight([line for line in sheet["lines"] if line["reason"] != "open" and line["points"]])
        return [
            (name, sheet["points"][label], [line for line in scored if line["points"][label]])
            for label, name in self.at(self.standing.sheets[-1][0]).sides.items()
        ]

    def sweeps(self) -> dict[str, int]:
        """Return the sweeps noted in the deal being played, by side."""
        noted = self.deal.noted_facts().get("sweeps") or {}
        return {label: noted.get(label) or 0 for label in self.setup.labels}

    @cached_property
    def gained(self) -> dict[str, contract.Number]:
        """The points that what is noted in the deal being played gives each side already; the totals are without."""
        try:
            state = self.standing.state
            noted = state.deal_request(self.deal, self.deal.noted_so_far())
            points = rules.points_noted({**state.engine_setup(), "deal": noted})
        except rules.Malformed:
            points = {}
        return {label: points.get(label, 0) for label in self.setup.labels}

    def to_go(self, label: str, gained: contract.Number = 0) -> contract.Number:
        """Return the points that a side still lacks to the target; 0 where it has them, or there is no target."""
        return max((self.target or 0) - self.totals[label] - gained, 0)

    def log(self) -> list[JournalEntry]:
        """Return what was noted in the deal being played, newest first: of several openings only the newest.

        With it, who dealt out of turn, what was dealt again, and what has changed since the deal before.
        """
        deal, state = self.deal, self.standing.state
        changes = [entry for entry in state.changes if entry.payload["deal"] >= deal.number]
        seated = [] if state.closed else [entry for entry in state.entries if entry is state.seated]
        noted = sorted([*deal.noted, *deal.dealings, *changes, *seated], key=lambda entry: -entry.seq)
        return [entry for entry in noted if entry.kind != journal.LAYOUT_NOTED or entry == self.noted_opening()]

    def newest_marks(self) -> str:
        """Return the beginnings of the newest entries' ids: what waits on a phone is not counted beside them."""
        return " ".join(entry.id[:MARK] for entry in self.standing.state.entries[-MARKED:])

    def noted_opening(self) -> JournalEntry | None:
        """Return the opening noted in the deal being played, if there is one."""
        return self.deal.noted_openings[-1] if self.deal.noted_openings else None

    def opening_worth(self, deal: DealState, facts: Mapping[str, Any]) -> rules.OpeningWorth | None:
        """Return what the opening in ``facts`` of a deal comes to; None where none is known, or it cannot be."""
        if not facts.get("layout") and not facts.get("layout_result"):
            return None
        table = self.at(deal).table_rules
        if table is None:
            return None
        try:
            return rules.opening_worth(table, self.standing.state.deal_request(deal, cast(contract.Deal, facts)))
        except rules.Malformed:
            return None

    def opening_words(self, entry: JournalEntry) -> str:
        """Return what the opening of an entry comes to, in words; "" where it brings nothing to speak of."""
        deal, worth = self._deal_of(entry), self.opening_of(entry)
        return opening_words(worth, self.setup.game, self.dealing_side(deal)) if worth else ""

    def opening_of(self, entry: JournalEntry) -> rules.OpeningWorth | None:
        """Return what the opening comes to that an entry noted, or closed a deal with; None where there is none."""
        facts = cast(Mapping[str, Any], entry.payload.get("facts") or entry.payload)
        return self.opening_worth(self._deal_of(entry), facts)

    def _deal_of(self, entry: JournalEntry) -> DealState:
        return self.standing.state.deal(entry.payload["deal"]) or self.deal

    def opening_sweeps(self, deal: DealState, worth: rules.OpeningWorth | None) -> dict[str, int]:
        """Return the sweeps that an opening of a deal is, by side; they are not among those made in play."""
        dealer = deal.dealer.label
        return {label: worth.sweeps if worth and label == dealer else 0 for label in deal.setup.labels}

    def opened(self) -> dict[str, int]:
        """Return the sweeps of the opening noted in the deal being played, by side."""
        return self.opening_sweeps(self.deal, self.opening_worth(self.deal, self.deal.noted_facts()))

    def dealing_side(self, deal: DealState) -> str:
        """Return the name of the side that deals this deal."""
        return self.at(deal).sides[deal.dealer.label]

    def dealer_after(self, deal: DealState, redeal: contract.Redeal) -> str:
        """Return the name of the player who deals again after an opening that voids the deal."""
        seats = deal.setup.seats
        seat = deal.dealer_seat if redeal == "same" else (deal.dealer_seat + 1) % len(seats)
        return self.players[seats[seat]]

    def side_behind(self, entry_id: str) -> str | None:
        """Return the side that wrote an entry of the match, by its label; None where nobody knows."""
        written = next((entry for entry in self.standing.state.entries if entry.id == entry_id), None)
        return author_of(written).side if written is not None else None

    @property
    def is_current(self) -> bool:
        """Whether it is the match being played at its table."""
        current = queries.current_match(self.table)
        return current is not None and current.number == self.number

    @property
    def is_left_open(self) -> bool:
        """Whether it was left in the middle for another one, and can be taken up again."""
        return not self.standing.is_over and not self.is_current

    def leaders(self) -> Name | str:
        """Return the names of those who win if the match is cut now; "" where nobody is ahead."""
        found = self.standing.leaders(always=True) if self.standing.sheets else []
        return join_names(self.sides[label] for label in found)

    def credited(self, entry: JournalEntry) -> str:
        """Return the name of the player who made a sweep or declared; "" where nobody was named."""
        deal = self.standing.state.deal(entry.payload.get("deal", 0))
        player = deal.credits.get(entry.id) if deal is not None else None
        return "" if player is None else self.players[player]

    def awaiting_agreement(self) -> list[tuple[DealState, Agreement]]:
        """Return the newest closed deals in doubt, oldest first, with their agreements; those dropped are left out."""
        return [(doubt.deal, doubt.agreement) for doubt in self.doubts]

    @cached_property
    def doubts(self) -> list[Doubt]:
        """The newest closed deals in doubt, oldest first; not those of which nobody has said a word for a month."""
        return [doubt for doubt in doubts_of(self.standing.state) if not doubt.is_dropped]

    @cached_property
    def is_end_in_doubt(self) -> bool:
        """Whether another side would have won, or nobody, if a deal in doubt counted otherwise."""
        return decide_the_end(self.standing, self.doubts)

    def worth_of(self, declaration: journal.AnyPayload) -> dict[contract.ItemId, contract.Number]:
        """Return the points of one declaration by item; empty where it is impossible."""
        state = self.standing.state
        payload = cast(contract.Declaration, journal.reported_in(declaration))
        # The rest of the pack is given to that side, so that no line is open and the engine has nothing to weigh.
        facts: contract.FishingDeal = {"declarations": [payload], "rest": payload.get("side")}
        request = {**self.engine_setup, "deal": state.deal_request(self.as_of or self.deal, facts)}
        declared = set(self.needs().declarations)
        try:
            sheet = cast(contract.Scored, rules.score(request))
        except rules.Malformed:
            return {}
        lines = [line for line in sheet["lines"] if line["reason"] != "open" and line["item"] in declared]
        return {line["item"]: line["points"][payload["side"]] for line in lines if line["points"]}

    def last_capturer(self, deal: DealState) -> str | None:
        """Return the name of the side that captured last, worked out from the sums of the piles.

        None where the facts of the deal name it, or the piles leave it open.
        """
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

    def needs(self) -> Needs:
        """Return what a closing form must ask for this game; nothing outside the fishing family."""
        if self.game["family"] != "fishing":
            return NO_GRID
        return closing_needs(self.setup)


def _asked(option: contract.OptionDescription) -> str:
    """Return the name of an option as it stands before its value."""
    label = pick(option["label"])
    return label if label.endswith("?") else f"{label}:"


def _value_words(option: contract.OptionDescription, value: object) -> str:
    """Return what a value of an option is called; a sign for none."""
    if isinstance(value, bool) and str(value) not in option["value_labels"]:
        return str(_("yes") if value else _("no"))
    return "–" if value is None else option_value(option, value)


def board_address(key: str) -> str:
    """Return the address of the match being played, in the look that the request came from."""
    return url_for("boards.faces" if request.args.get("look") == "faces" else "tables.show", key=key)


OPENED = "opened"
"""The category of a message flashed when a table is opened: its first page then says where the owner's page is."""
