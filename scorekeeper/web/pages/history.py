"""The matches of a table: the ranking, the matches evening by evening, and a file with all of them."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from io import BytesIO, StringIO

from flask import Blueprint, abort, render_template, request, send_file, url_for
from werkzeug.wrappers import Response as BaseResponse

from ...limits import CHART_LINES, CHART_STEPS, PAIRS_OFFERED, RANKED_ROWS, UNFINISHED_SHOWN
from ...rules.contract import Number
from ...store import deleted, finding, moments, queries, ranking
from ...store.doubts import is_open
from ...store.finding import ALL, STATES, YEAR, Chosen
from ...store.live import version_name
from ...store.models import MatchSummary, Table, now
from ...store.moments import Present
from ...store.ranking import Ranked, Step
from ...store.series import places_in_series
from ...store.who import Merged, Players
from ..base.access import LINKS, table_or_404, visitor
from ..base.by_facts import by_facts_of_table, only_until, present_at
from ..base.choice import EVER, chosen_matches, in_address, is_ever, is_untidy, what_is_asked, without
from ..base.htmx import go, nothing_new
from ..base.marks import for_watchers
from ..base.page_cache import only_here
from ..base.remembered import is_mine
from ..base.request_bounds import number_in
from ..base.whole_pages import cached_page
from ..match.rules_words import played_games
from ..match.typed_here import entry_typed_here
from ..words.chart import Chart, chart_of
from ..words.evenings import (
    Result,
    by_evening,
    day_ends,
    evening_of,
    result_of,
    span_words,
    state_words,
    wins_over_time,
)
from ..words.names import game_name, games, in_lines, join_names, plain, shown_names
from ..words.sparkline import thinned

bp = Blueprint("history", __name__, url_prefix=LINKS)

COLUMNS = ("match", "began", "game", "state", "deal", "side", "players", "points", "total", "won")
MONTHS = 12
"""Months of a year, all of which are offered."""
RANKED_STATES = ("", "won")
"""The states of matches of which there is a ranking."""
FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""A spreadsheet takes a text that begins so for a formula; some read the signs of full width as the others."""


@bp.get("/history")
@for_watchers
@by_facts_of_table
def show(key: str) -> BaseResponse:
    """Show the standing of the table and its matches, newest first, a page at a time; a 204 if nothing is new.

    The address may ask for some of the matches; ``find`` shows the form for that.
    """
    table = table_or_404(key)
    # Read before all that is shown: the page may show more than its version says, and never less.
    present = present_at(table)
    version = "" if present.match is None else version_name(present.match, present.head or 0, table.moved_to)
    if (unchanged := nothing_new(version)) is not None:
        return unchanged
    tonight, days = _days(table, present)
    asked = (*what_is_asked(), _is_together(), _with_guests(), is_ever(), number_in(request.args, "before"))
    draw = partial(_draw, table, present, version, tonight)
    return cached_page(draw, "history/show.html", table, present, *asked, days)


def _days(table: Table, present: Present) -> tuple[date, Hashable]:
    """Return the day of tonight, and all of a table that turns by time alone."""
    turning = moments.turns(table, present)
    for turns in (turning.until(table.zone), day_ends(now())):
        only_until(turns)
    tonight = moments.tonight(table, turning)
    return tonight, (tonight, evening_of(now()), turning.next)


def _draw(table: Table, present: Present, version: str, tonight: date) -> str:
    """Draw the page. Aborts with a redirect to the address as it should be."""
    names = queries.player_names(table)
    chosen = chosen_matches(names)
    together = _is_together()
    if is_untidy():
        abort(go(_address(visitor().key(table), chosen, together=together)))
    before = number_in(request.args, "before")
    summaries, more = finding.history(table, chosen, before, names.merged, size=queries.PAGE)
    # What is above the newest matches is not worked out for the earlier ones.
    is_first = before is None
    unfinished = queries.matches_left_open(table, size=UNFINISHED_SHOWN) if is_first and chosen == ALL else []
    of_period, ranked = _ranking(table, tonight, chosen, names, together=together) if is_first else (ALL, [])
    steps = ranking.steps(table, of_period, names.merged, CHART_STEPS) if ranked else []
    # Again: players who came in while the matches were read are among them.
    names = shown_names(queries.player_names(table))
    return render_template(
        "history/show.html",
        table=table,
        version=version,
        names=names,
        chosen=chosen,
        chips=_chips(chosen, names, tonight),
        instead=_instead(table, chosen, names.merged) if is_first and not summaries else [],
        asked=in_address(chosen),
        before=before,
        more=more,
        has_matches=bool(summaries),
        unfinished=unfinished,
        is_more_unfinished=len(unfinished) == UNFINISHED_SHOWN,
        evenings=_evenings(summaries, {one.match for one in unfinished}, before, more, names.merged),
        shown_games=played_games([*summaries, *unfinished]),
        in_series=places_in_series(table.id, {one.match for one in [*summaries, *unfinished]}),
        periods={"tonight": tonight.isoformat(), "year": f"{tonight:%Y}", EVER: EVER},
        period=of_period.span or EVER,
        together=together,
        with_guests=_with_guests(),
        ranked=ranked[:RANKED_ROWS],
        is_first=is_first,
        is_ranked=chosen.state in RANKED_STATES,
        has_pairs=is_first and finding.has_pairs(table),
        chart=_chart(steps, ranked[:CHART_LINES], names),
        is_last=bool(summaries) and more is None and chosen == ALL,
        is_one_part=more is None and chosen == ALL and ranking.is_one_part(table),
        current=present.match,
        from_paper=queries.from_paper(table, (summary.match for summary in summaries)) if summaries else set[int](),
        typed=_just_typed(table),
        deleted=deleted.deleted_matches(table) if is_first and is_mine(table) else [],
        kept=deleted.RESTORABLE,
    )


def _just_typed(table: Table) -> int | None:
    """Return the result from paper that this phone has just typed, if the address names it."""
    number = number_in(request.args, "typed")
    if number is not None:
        only_here()
    row = queries.match_by_number(table, number) if number is not None and visitor().may_write else None
    return row.number if row is not None and entry_typed_here(table, row) is not None else None


@bp.get("/history/find")
@for_watchers
@by_facts_of_table
def find(key: str) -> BaseResponse:
    """Show the form that asks for some of the matches, with what the address asks for already."""
    table = table_or_404(key)
    present = present_at(table)
    tonight, days = _days(table, present)
    asked = (*what_is_asked(), _is_together())
    return cached_page(partial(_draw_form, table, tonight), "history/find.html", table, present, *asked, days)


def _draw_form(table: Table, tonight: date) -> str:
    names = queries.player_names(table)
    chosen = chosen_matches(names)
    pairs = finding.pairs_in(table, names.merged, most=PAIRS_OFFERED, of=chosen.person)
    years = finding.years_in(table)
    in_year = chosen.span[:YEAR] or next(iter(years), "")
    months = finding.months_in(table, in_year, MONTHS) if in_year else []
    spans = [tonight.isoformat(), *years]
    if chosen.span not in ("", *spans, *months):
        spans.insert(0, chosen.span)
    return render_template(
        "history/find.html",
        table=table,
        names=shown_names(names),
        chosen=chosen,
        asked=in_address(chosen),
        together=_is_together(),
        games_played=finding.games_in(table),
        people=sorted(names.people, key=lambda number: plain(names[number])),
        pairs=[players for players in pairs if all(names[number] for number in players)],
        is_cut=len(pairs) == PAIRS_OFFERED,
        tonight=tonight,
        spans=spans,
        in_year=in_year,
        months=months,
        states=STATES,
    )


def _address(key: str, chosen: Chosen, *, together: bool) -> str:
    return url_for("history.show", key=key, **in_address(chosen), who="pairs" if together else None)


def _chips(chosen: Chosen, names: queries.Names, tonight: date) -> dict[str, str]:
    """Return what is chosen in words, by the name under which an address says it."""
    words = {
        "game": game_name(chosen.game) if chosen.game else "",
        "player": "" if chosen.person is None else names[chosen.person],
        "pair": names_of(chosen.players, names) if chosen.players else "",
        "period": span_words(chosen.span, tonight) if chosen.span else "",
        "state": state_words(chosen.state) if chosen.state else "",
    }
    return {name: words[name] for name in in_address(chosen)}


def _instead(table: Table, chosen: Chosen, merged: Merged) -> list[str]:
    """Return the names of those parts of a choice without each of which there are matches."""
    return [name for name in in_address(chosen) if finding.is_any(table, without(chosen, name), merged)]


def _evenings(
    summaries: list[MatchSummary], shown: set[int], before: int | None, more: int | None, merged: Merged
) -> list[tuple[date, list[MatchSummary], Result | None]]:
    """Return the evenings of a page, each with its matches but for those that it shows already, and its result."""
    found = []
    each = by_evening(summaries)
    for at, (day, matches) in enumerate(each):
        result = None if _is_cut(at, len(each), before, more) else result_of(matches, merged)
        if left := [one for one in matches if one.match not in shown]:
            found.append((day, left, result))
    return found


def _is_cut(at: int, evenings: int, before: int | None, more: int | None) -> bool:
    """Return whether an evening may be cut by the page: the first of a later page, the last before another one."""
    return (at == 0 and before is not None) or (at == evenings - 1 and more is not None)


def _is_together() -> bool:
    """Return whether the address asks for a ranking of pairs."""
    return request.args.get("who") == "pairs"


def _with_guests() -> bool:
    """Return whether the address asks for a ranking with the guests."""
    return request.args.get("guests") == "yes"


def _ranking(
    table: Table, tonight: date, chosen: Chosen, names: queries.Names, *, together: bool
) -> tuple[Chosen, list[Ranked]]:
    """Return the ranking of the chosen matches, and of which it is; of all matches that of this year, if there is any.

    There is none of matches that nobody has won. Guests are in it only where the address asks for them.
    """
    if chosen.state not in RANKED_STATES:
        return chosen, []
    lowest = [id for id, game in games().items() if game["family"] == "rummy"]
    left_out = frozenset[int]() if _with_guests() else names.guests
    this_year = replace(chosen, span=f"{tonight:%Y}")
    for of_period in [this_year, chosen] if chosen == ALL and not is_ever() else [chosen]:
        everybody = ranking.ranking(table, of_period, names.merged, together=together, fewest_is_best=lowest)
        ranked = [one for one in everybody if left_out.isdisjoint(one.players)]
        if ranked:
            break
    return of_period, ranked


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


@bp.get("/history/parts")
@for_watchers
def parts(key: str) -> str:
    """Show the parts of the file, for a table whose matches are too many for one."""
    table = table_or_404(key)
    return render_template("history/parts.html", table=table, parts=ranking.parts_to_take(table))


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
