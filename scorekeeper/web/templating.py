"""Every name that templates can use, beside those of Flask (``url_for``, ``request`` …) and of translation (``_``)."""

from __future__ import annotations

import re

from flask import Flask
from flask_babel import get_locale
from jinja2.ext import Extension

from ..limits import NOTED_SHOWN, ROUNDS_SHOWN
from ..names import drawn
from ..store.doubts import is_open, is_told
from ..store.journal import kinds
from .base.access import host_of, visitor
from .base.i18n import languages
from .base.links import lost_link
from .base.page_cache import call_cached, id_field_value, page_address, token_field
from .base.remembered import holder, is_mine
from .base.zones import time_in
from .deal_entry.cells import are_all_nobodys, cell_of, declared_in, lines_to_say, rare_words
from .deal_entry.declaration import adding_of, declared_cards, looks_of
from .deal_entry.next_question import reason_for, where_nobody_knows
from .deal_entry.notes import CREDITED_KINDS
from .deal_entry.opening_layout import rank_of_wild
from .deal_entry.own_fields import own_rows
from .deal_entry.pile_sums import card_point_words, check_words, sum_words
from .match import ahead, ending, entry_words, opening_worth, rules_words, series_words, texts
from .match.closing_needs import IN_PACK
from .match.deal_agreement import agreement_about
from .match.noted_twice import asked_pair
from .match.notices import staying_notice
from .words import cards, dates, evenings, lines, names, openings, person, primes, readers, table_files, values
from .words.because import CARDS_DRAWN, basis_words
from .words.deal_nouns import deal_words, ordinal, round_rule
from .words.evidence import evidence_word, evidence_words
from .words.problems import in_words, kind_name
from .words.small_numbers import numbers_in_words
from .words.sparkline import polyline
from .words.tally_marks import tally_marks

FILTERS = {"name": drawn, "numeral": values.numeral}

FUNCTIONS = (
    # Who reads the page, and in which language.
    visitor,
    is_mine,
    get_locale,
    languages,
    # Names of games, cards and players.
    cards.card_index,
    cards.card_label,
    cards.card_name,
    cards.rank_called,
    cards.rank_name,
    cards.grid_ranks,
    cards.pack_in_use,
    cards.pack_names,
    names.game_name,
    names.is_of_players,
    names.item_name,
    names.short_item_name,
    names.item_names,
    names.played_name,
    names.short_item_names,
    names.prime_name,
    names.item_rule,
    names.join_names,
    names.people,
    names.side_of,
    names.winners_of,
    kind_name,
    primes.method_name,
    primes.method_rule,
    openings.opening_name,
    opening_worth.opening_sweeps,
    openings.opening_words,
    opening_worth.opening_worth,
    openings.void_words,
    names.preset_name,
    openings.sweeps_words,
    cards.suit_name,
    names.sweep_name,
    cell_of,
    declared_in,
    lines_to_say,
    own_rows,
    rare_words,
    are_all_nobodys,
    deal_words,
    ordinal,
    names.round_name,
    round_rule,
    readers.pick,
    names.upper_first,
    # Sentences, texts to share, numbers, dates.
    agreement_about,
    basis_words,
    cards.best_of_suit,
    card_point_words,
    check_words,
    numbers_in_words,
    reason_for,
    rank_of_wild,
    adding_of,
    declared_cards,
    looks_of,
    where_nobody_knows,
    sum_words,
    evenings.evening_words,
    evenings.weekday_words,
    evenings.span_words,
    evenings.state_words,
    evidence_word,
    evidence_words,
    entry_words.entry_words,
    entry_words.declared_words,
    lines.line_spoken,
    lines.line_words,
    lines.line_detail,
    lines.line_evidence,
    values.named_numbers,
    values.dash,
    values.scores,
    values.signed,
    values.dashed,
    values.one_to_other,
    in_words,
    rules_words.changed_rules,
    rules_words.house_rules,
    rules_words.reached_words,
    rules_words.rules_of,
    rules_words.rules_words,
    values.is_count,
    values.line_numbers,
    values.numbers_by_side,
    primes.laid_primes,
    cards.none_of_suit,
    primes.numbers_large,
    values.rests_on_award,
    values.takers_of,
    ending.best_of_winner,
    texts.around_the_winners,
    texts.deal_text,
    texts.lines_of_winners,
    ending.evening_score,
    ending.length_words,
    series_words.series_words,
    staying_notice,
    ahead.ahead_key,
    ahead.newest_marks,
    ahead.noted_here,
    asked_pair,
    texts.doubt_heading,
    texts.doubt_words,
    texts.outcome,
    is_open,
    is_told,
    texts.penalty_price,
    texts.won_at_once,
    primes.wins,
    primes.won_by,
    evenings.clock,
    evenings.day_and_month,
    person.how_many,
    dates.day,
    dates.decimal,
    dates.is_today,
    dates.on_day,
    polyline,
    tally_marks,
    host_of,
    lost_link,
    time_in,
    table_files.place_words,
    table_files.refused_words,
    # What differs in a cached part from phone to phone.
    token_field,
)
"""The functions that templates call by their own names."""

GLOBALS = {
    **{function.__name__: function for function in FUNCTIONS},
    "held_by": holder,
    "in_pack": IN_PACK.get,
    # The page cache, and what differs in a cached part from phone to phone.
    "cached": call_cached,
    "new_id": id_field_value,
    "here": page_address,
    # Bounds, and kinds of entries.
    "cards_drawn": CARDS_DRAWN,
    "noted_kinds": kinds.NOTED,
    "credited_kinds": CREDITED_KINDS,
    "noted_shown": NOTED_SHOWN,
    "rounds_shown": ROUNDS_SHOWN,
}


class WithoutIndent(Extension):
    """Leaves the indent of the templates out of the pages, which nobody sees and every phone loads."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source with its lines flush left; a text to share, which is read as it is, unchanged."""
        return source if name and name.endswith(".txt") else re.sub(r"(?m)^[ \t]+", "", source)


def init_templating(app: Flask) -> None:
    """Add the filters and globals to the templates."""
    app.jinja_env.add_extension(WithoutIndent)
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(GLOBALS)
