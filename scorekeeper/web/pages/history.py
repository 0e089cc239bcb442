"""The matches of a table: the ranking, the matches evening by evening, and a file with all of them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO, StringIO

from flask import Blueprint, abort, render_template, request, send_file
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...limits import CHART_LINES, CHART_STEPS, RANKED_ROWS
from ...rules.contract import Number
from ...store import deleted, evenings, queries, ranking
from ...store.doubts import is_open
from ...store.live import version_name
from ...store.models import MatchSummary, Table
from ...store.ranking import ALL, Chosen, Ranked, Step
from ...store.series import places_in_series
from ...store.who import Merged, Players, as_now
from ..base.access import LINKS, for_watchers, table_or_404, visitor
from ..base.htmx import nothing_new
from ..base.remembered import is_mine
from ..base.request_bounds import number_in, whole_number
from ..match.rules_words import played_games
from ..match.typed_here import entry_typed_here
from ..words.chart import Chart, chart_of
from ..words.evenings import by_evening, result_of, wins_over_time
from ..words.names import games, in_lines, join_names, shown_names
from ..words.sparkline import thinned

bp = Blueprint("history", __name__, url_prefix=LINKS)

COLUMNS = ("match", "began", "game", "state", "deal", "side", "players", "points", "total", "won")
FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""A spreadsheet takes a text that begins so for a formula; some read the signs of full width as the others."""


@bp.get("/history")
@for_watchers
def show(key: str) -> BaseResponse | str:
    """Show the standing of the table and its matches, newest first, a page at a time; a 204 if nothing is new."""
    table = table_or_404(key)
    current = queries.current_match(table)
    # Read before all that is shown: the page may show more than its version says, and never less.
    version = version_name(current.number, current.head, table.moved_to) if current is not None else ""
    if (unchanged := nothing_new(version)) is not None:
        return unchanged
    names = shown_names(queries.player_names(table))
    chosen = _chosen(names)
    before = number_in(request.args, "before")
    merged = names.merged
    summaries, more = ranking.history(table, chosen, before, merged, size=queries.PAGE)
    tonight = evenings.tonight(table)
    periods = {"tonight": tonight.isoformat(), "year": f"{tonight:%Y}", "ever": ""}
    together = request.args.get("who") == "pairs"
    with_guests = request.args.get("guests") == "yes"
    # What stands above the newest matches is not worked out for the earlier ones.
    is_first = before is None
    period, of_period, ranked = "", ALL, list[Ranked]()
    if is_first:
        left_out = frozenset[int]() if with_guests else names.guests
        period, of_period, ranked = _period(table, periods, chosen, merged, left_out, together=together)
    steps = ranking.steps(table, of_period, merged, CHART_STEPS) if ranked else []
    # Again: players who came in while the matches were read are among them.
    names = shown_names(queries.player_names(table))
    shown_evenings = by_evening(summaries)
    pairs = ranking.pairs_in(table, merged) if is_first else []
    shown = [
        (day, evening, None if _is_cut(at, len(shown_evenings), before, more) else result_of(evening, merged))
        for at, (day, evening) in enumerate(shown_evenings)
    ]
    return render_template(
        "history/show.html",
        table=table,
        version=version,
        names=names,
        chosen=chosen,
        before=before,
        more=more,
        evenings=shown,
        shown_games=played_games(summaries),
        in_series=places_in_series(table.id, (summary.match for summary in summaries)),
        periods=periods,
        period=period,
        year=tonight.year,
        together=together,
        with_guests=with_guests,
        ranked=ranked[:RANKED_ROWS],
        is_first=is_first,
        has_pairs=bool(pairs),
        pairs=pairs[:CHART_LINES],
        games_played=ranking.games_in(table) if is_first else [],
        chart=_chart(steps, ranked[:CHART_LINES], names),
        parts=ranking.parts_to_take(table) if more is None else [],
        current=current.number if current is not None else None,
        from_paper=queries.from_paper(table, (summary.match for summary in summaries)),
        typed=_just_typed(table),
        deleted=deleted.deleted_matches(table) if is_first and is_mine(table) else [],
        kept=deleted.RESTORABLE,
    )


def _just_typed(table: Table) -> int | None:
    """Return the result from paper that this phone has just typed, if the address names it."""
    number = number_in(request.args, "typed")
    row = queries.match_by_number(table, number) if number is not None and visitor().may_write else None
    return row.number if row is not None and entry_typed_here(row) is not None else None


def _is_cut(at: int, evenings: int, before: int | None, more: int | None) -> bool:
    """Return whether an evening may be cut by the page: the first of a later page, the last before another one."""
    return (at == 0 and before is not None) or (at == evenings - 1 and more is not None)


def _chosen(names: queries.Names) -> Chosen:
    """Return which matches the address asks for. Aborts with 404 for players that the table does not have."""
    game = request.args.get("game") or None
    numbers = [whole_number(text) for text in filter(None, request.args.get("pair", "").split("-"))]
    together = as_now([number for number in numbers if number is not None and number in names], names.merged)
    if len(together) != len(numbers):
        abort(404, description=_("Nobody plays here under that number."))
    if game is not None and game not in games():
        abort(404, description=_("There is no game of that name here."))
    return Chosen(game, together) if game or together else ALL


def _period(
    table: Table,
    periods: Mapping[str, str],
    chosen: Chosen,
    merged: Merged,
    left_out: frozenset[int],
    *,
    together: bool,
) -> tuple[str, Chosen, list[Ranked]]:
    """Return the period that the address asks for, else this year if anything was won in it, with its ranking.

    Nobody of those ``left_out`` is ranked, alone or with a partner.
    """
    asked = request.args.get("period", "")
    lowest = [id for id, game in games().items() if game["family"] == "rummy"]
    for name in [asked] if asked in periods else ["year", "ever"]:
        of_period = replace(chosen, span=periods[name])
        everybody = ranking.ranking(table, of_period, merged, together=together, fewest_is_best=lowest)
        ranked = [one for one in everybody if left_out.isdisjoint(one.players)]
        if ranked:
            break
    return name, of_period, ranked


def _chart(steps: list[Step], ranked: list[Ranked], names: Mapping[int, str]) -> Chart | None:
    """Return the chart of the matches won by those who lead the ranking."""
    who: list[Players] = sorted(one.players for one in ranked)
    added = wins_over_time(steps, who) if who else None
    if added is None:
        return None
    shown = thinned(added)
    named = {one: "\n".join(in_lines(names_of(one, names), (names[number] for number in one))) for one in who}
    return chart_of([won for won, _step in shown], named, [step for _won, step in shown])


def names_of(players: Players, names: Mapping[int, str]) -> str:
    """Return the names of players who play together, joined."""
    return join_names(names[number] for number in players)


@bp.get("/history.csv")
@for_watchers
def take(key: str) -> BaseResponse:
    """Return the matches as a file, a line for each side of each deal; ``last`` asks for the part that ends with it."""
    table = table_or_404(key)
    summaries = ranking.part_to_take(table, number_in(request.args, "last"))
    text = StringIO()
    names = queries.player_names(table)
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for summary in summaries:
        writer.writerows(_lines(summary, names))
    # Without the mark at its beginning some spreadsheets take the accents for other letters.
    file = BytesIO(text.getvalue().encode("utf-8-sig"))
    answer = send_file(file, mimetype="text/csv", as_attachment=True, download_name=f"{table.name}.csv")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _lines(summary: MatchSummary, names: Mapping[int, str]) -> Iterator[list[str | Number]]:
    """Yield a line for each side of each deal; a match without a deal has a line for each side all the same.

    There a match that is over has its totals, which a result from paper has without any deal.
    """
    began = summary.started_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    total: Mapping[str, Number] = dict.fromkeys((side["label"] for side in summary.sides), 0)
    status, won = (ranking.OPEN, []) if is_open(summary) else (summary.status, summary.winners)
    steps: list[tuple[str | Number, Mapping[str, Number]]] = [*enumerate(summary.course, 1)]
    steps = steps or [("", total if summary.status == "playing" else summary.totals)]
    for deal, after in steps:
        for side in summary.sides:
            label = side["label"]
            yield [
                summary.match,
                began,
                summary.game,
                status,
                deal,
                label,
                safe(" + ".join(names[number] for number in side["players"])),
                "" if deal == "" else after[label] - total[label],
                after[label],
                int(label in won),
            ]
        total = after


def safe(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(FORMULAS) else text
