"""What the pages of a match show: the standing, put into words and names."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import Response, request, url_for

from ... import rules
from ...limits import AGREEMENTS_SHOWN
from ...store import journal, queries
from ...store.agreement import Agreement, agreement_of
from ...store.db import Gone
from ...store.journal import DealState, JournalEntry, Setup
from ...store.live import version_name
from ...store.lru import CacheVersion
from ...store.models import Match, Table
from ...store.standings import Standing, score_deal, standing_of
from ..base.access import visitor
from ..base.htmx import nothing_new, page
from ..base.remembered import is_mine
from ..words.names import Game, games, join_names, pick, side_names
from .needs import NO_GRID, Needs, closing_needs

UNDOABLE = journal.NOTED


@dataclass
class MatchView:
    """A match as its pages see it."""

    table: Table
    row: Match
    """The match as the database has it."""

    @property
    def number(self) -> int:
        """The match's number at its table."""
        return self.row.number

    @property
    def key(self) -> str:
        """The key that its links carry: the visitor's own."""
        return visitor().key(self.table)

    @property
    def shown(self) -> str:
        """What open pages call this version."""
        return version_name(self.number, self.standing.state.head)

    @cached_property
    def standing(self) -> Standing:
        """Where it stands."""
        return standing_of(self.row)

    @property
    def setup(self) -> Setup:
        """What was agreed."""
        return self.standing.state.setup

    @property
    def game(self) -> Game:
        """The game, as the engine describes it."""
        return games()[self.setup.game]

    @cached_property
    def players(self) -> dict[int, str]:
        """The players' names by number. Raises ``Gone`` where there are none: the table was deleted meanwhile."""
        names = queries.player_names(self.table)
        if not names:
            raise Gone
        return names

    @cached_property
    def sides(self) -> dict[str, str]:
        """The sides' names by label."""
        return side_names(self.setup, self.players)

    @property
    def deal(self) -> DealState:
        """The deal being played."""
        return self.standing.state.current

    @property
    def result(self) -> dict[str, Any]:
        """The engine's answer about the match."""
        return self.standing.result

    @property
    def target(self) -> int | None:
        """The number to reach, where there is one."""
        options = self.setup.options
        if options.get("end", "target") != "target":
            return None
        target = options.get("target", options.get("match_to"))
        return target if isinstance(target, int) else None

    @property
    def batches(self) -> int:
        """How many times the dealer gives three cards; 0 where the game has no batches."""
        players = len(self.setup.seats)
        return 36 // (3 * players) if self.game["family"] == "fishing" and 36 % (3 * players) == 0 else 0

    def house_rules(self) -> list[tuple[str, str]]:
        """Return what was agreed beyond the game's usual rules: each option's sentence and its value, in words."""
        told = []
        for option in self.game["options"]:
            value = self.setup.options.get(option["id"], option["default"])
            if option["id"] not in ("sides", "target") and value != option["default"]:
                label = option["value_labels"].get(str(value))
                words = pick(label) if label else json.dumps(value) if isinstance(value, dict) else str(value)
                told.append((pick(option["label"]), words))
        return told

    def dealer(self, deal: DealState) -> str:
        """Return who deals it."""
        return self.players[self.setup.seats[deal.dealer_seat]]

    def winners(self) -> str:
        """Return who won, together."""
        return join_names(self.sides[label] for label in self.standing.winners)

    def running(self, number: int) -> dict[str, Any]:
        """Return the totals after deal ``number``."""
        return self._running.get(number) or dict.fromkeys(self.setup.labels, 0)

    @cached_property
    def _running(self) -> dict[int, dict[str, Any]]:
        steps = zip(self.standing.sheets, self.standing.course, strict=True)
        return {deal.number: totals for (deal, _sheet), totals in steps}

    @property
    def made_from(self) -> tuple[Hashable, ...]:
        """Tell apart all that its boards and its sheets show: journal, addresses, names, and who may do what."""
        who = (visitor().link, self.key, is_mine(self.table))
        shown = CacheVersion(self.number, self.standing.state.head)
        return (*who, self.row.table_id, shown, self.table.name, *self.players.items())

    @property
    def surplus(self) -> list[DealState]:
        """The deals that a correction has put behind the last point of the match: kept, not counted."""
        return self.standing.state.closed[len(self.standing.sheets) :]

    def sheet_of(self, number: int) -> tuple[DealState, Mapping[str, Any]] | None:
        """Return a closed deal with its sheet, whether or not it counts; None where there is none of that number."""
        for deal, sheet in self.standing.sheets:
            if deal.number == number:
                return deal, sheet
        return next(((one, score_deal(self.standing.state, one)) for one in self.surplus if one.number == number), None)

    def gains(self) -> list[tuple[str, int, list[dict[str, Any]]]]:
        """Return what the last deal gave: each side's name, its points, and the lines that gave or took any."""
        if not self.standing.sheets or self.standing.sheets[-1][1].get("redeal"):
            return []
        sheet = self.standing.sheets[-1][1]
        scored = self.by_weight([line for line in sheet["lines"] if line["points"]])
        return [
            (name, sheet["points"][label], [line for line in scored if line["points"][label]])
            for label, name in self.sides.items()
        ]

    def sweeps(self) -> dict[str, int]:
        """Return this deal's sweeps, a number a side."""
        noted = self.deal.noted_facts().get("sweeps", {})
        return {label: noted.get(label, 0) for label in self.setup.labels}

    def log(self) -> list[JournalEntry]:
        """Return what was noted in this deal, newest first."""
        return [entry for entry in reversed(self.deal.noted) if entry.kind in UNDOABLE]

    def unsettled(self) -> list[tuple[DealState, Agreement]]:
        """Return the newest closed deals about which the table has something to settle, with where it stands."""
        talked_about = [deal for deal in self.standing.state.closed if deal.rivals or deal.statements]
        settled = [(deal, agreement_of(deal)) for deal in talked_about]
        waiting = [(deal, one) for deal, one in settled if deal.contested or one.disputes or one.asked]
        return waiting[-AGREEMENTS_SHOWN:]

    def worth_of(self, declaration: Mapping[str, Any]) -> dict[str, Any]:
        """Return what one declaration scores, by item; empty where it is impossible."""
        state = self.standing.state
        told = journal.reported_in(declaration)
        # With every card placed nothing is open: only the declaration itself is worked out.
        facts = {"declarations": [told], "rest": told.get("side")}
        request = {**state.engine_setup(), "deal": state.deal_request(self.deal, facts)}
        declared = set(self.needs().declarations)
        try:
            lines = rules.score(request)["lines"]
        except rules.Malformed:
            return {}
        return {
            line["item"]: line["points"][told["side"]] for line in lines if line["item"] in declared and line["points"]
        }

    def last_capturer(self, deal: DealState) -> str | None:
        """Return who captured last, where the sums of the piles tell what nobody said."""
        if deal.facts().get("last_capturer"):
            return None
        state = self.standing.state
        label = rules.last_capturer({**state.engine_setup(), "deal": state.deal_request(deal)})
        return None if label is None else self.sides[label]

    def by_weight(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return a sheet's lines, those that moved most points first."""
        return sorted(lines, key=lambda line: -max(abs(points) for points in line["points"].values()))

    def needs(self) -> Needs:
        """Return what this game's deals need to be told."""
        if self.game["family"] != "fishing":
            return NO_GRID
        return closing_needs(self.setup)


LOOKS = {
    "play": ("boards/play.html", "boards/_play.html"),
    "faces": ("boards/faces.html", "boards/_faces.html"),
    "big": ("boards/big.html", "boards/_big.html"),
}
"""The ways to look at the match being played, each with its page and the board inside it."""


def show_match(table: Table, row: Match, look: str | None = None, **context: Any) -> Response:
    """Render the match being played, or just its board for htmx, as it is looked at: a tap says so in its address."""
    match = MatchView(table, row)
    whole, board = LOOKS.get(look or request.args.get("look", ""), LOOKS["play"])
    unchanged = nothing_new(match.shown)
    return unchanged or page(whole, board, made_from=(*match.made_from, *context.items()), match=match, **context)


def board_address(key: str) -> str:
    """Return where the match being played is shown, in the way that the request looks at it."""
    return url_for("boards.faces" if request.args.get("look") == "faces" else "tables.show", key=key)


OPENED = "opened"
"""Flashed once, when the table is opened: its page then says where the owner's page is."""
