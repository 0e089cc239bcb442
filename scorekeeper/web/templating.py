"""Every name that templates can use, beside those of Flask (``url_for``, ``request`` …) and of translation (``_``)."""

from __future__ import annotations

import re

from flask import Flask
from flask_babel import get_locale
from jinja2.ext import Extension

from ..limits import DEALS_OF_A_TEXT, NOTED_SHOWN, ROUNDS_SHOWN
from ..names import drawn
from ..store.doubts import is_open, is_told
from ..store.journal import NOTED
from .base.access import visitor
from .base.i18n import languages
from .base.page_cache import call_cached, id_field_value, page_address, token_field
from .base.remembered import holder, is_mine
from .deal_entry.cells import cell_of
from .deal_entry.notes import CREDITED_KINDS
from .deal_entry.pile_sums import check_words
from .match.ahead import ahead_key, noted_here
from .match.ending import best_of_winner, evening_score
from .match.needs import IN_PACK
from .match.noted_twice import asked_pair
from .match.notices import staying_notice
from .match.standpoint import agreement_about
from .match.texts import deal_text, doubt_heading, doubt_words, outcome, penalty_price, won_at_once
from .words.because import CARDS_DRAWN
from .words.cards import (
    best_of_suit,
    card_index,
    card_label,
    card_name,
    grid_ranks,
    none_of_suit,
    pack_in_use,
    pack_names,
    suit_name,
)
from .words.dates import day, decimal
from .words.deals import deal_words, ordinal
from .words.evenings import clock, evening_words
from .words.evidence import evidence_words
from .words.names import (
    game_name,
    item_name,
    item_names,
    item_rule,
    join_names,
    people,
    pick,
    preset_name,
    short_item_name,
    sweep_name,
    upper_first,
)
from .words.openings import opening_name, opening_words, sweeps_words, void_words
from .words.primes import laid_primes, method_name, method_rule, numbers_large, wins, won_by
from .words.problems import in_words, kind_name
from .words.sparkline import polyline
from .words.tally import tally
from .words.values import (
    is_count,
    line_numbers,
    numbers_by_side,
    numbers_tell,
    numeral,
    rests_on_award,
    takers_of,
    were_noted,
)

FILTERS = {"name": drawn, "numeral": numeral}

GLOBALS = {
    # Who reads the page, and in which language.
    "visitor": visitor,
    "is_mine": is_mine,
    "held_by": holder,
    "get_locale": get_locale,
    "languages": languages,
    # Names of games, cards and players.
    "card_index": card_index,
    "card_label": card_label,
    "card_name": card_name,
    "grid_ranks": grid_ranks,
    "pack_in_use": pack_in_use,
    "pack_names": pack_names,
    "game_name": game_name,
    "item_name": item_name,
    "short_item_name": short_item_name,
    "item_names": item_names,
    "item_rule": item_rule,
    "join_names": join_names,
    "people": people,
    "kind_name": kind_name,
    "method_name": method_name,
    "method_rule": method_rule,
    "opening_name": opening_name,
    "opening_words": opening_words,
    "void_words": void_words,
    "preset_name": preset_name,
    "sweeps_words": sweeps_words,
    "suit_name": suit_name,
    "sweep_name": sweep_name,
    "cell_of": cell_of,
    "in_pack": IN_PACK.get,
    "deal_words": deal_words,
    "ordinal": ordinal,
    "pick": pick,
    "upper_first": upper_first,
    # Sentences, texts to share, numbers, dates.
    "agreement_about": agreement_about,
    "best_of_suit": best_of_suit,
    "check_words": check_words,
    "evening_words": evening_words,
    "evidence_words": evidence_words,
    "in_words": in_words,
    "is_count": is_count,
    "line_numbers": line_numbers,
    "numbers_by_side": numbers_by_side,
    "laid_primes": laid_primes,
    "none_of_suit": none_of_suit,
    "numbers_large": numbers_large,
    "numbers_tell": numbers_tell,
    "rests_on_award": rests_on_award,
    "takers_of": takers_of,
    "were_noted": were_noted,
    "best_of_winner": best_of_winner,
    "deal_text": deal_text,
    "evening_score": evening_score,
    "staying_notice": staying_notice,
    "ahead_key": ahead_key,
    "noted_here": noted_here,
    "asked_pair": asked_pair,
    "doubt_heading": doubt_heading,
    "doubt_words": doubt_words,
    "outcome": outcome,
    "is_open": is_open,
    "is_told": is_told,
    "penalty_price": penalty_price,
    "won_at_once": won_at_once,
    "wins": wins,
    "won_by": won_by,
    "clock": clock,
    "day": day,
    "decimal": decimal,
    "polyline": polyline,
    "tally": tally,
    # The page cache, and what differs in a cached part from phone to phone.
    "cached": call_cached,
    "new_id": id_field_value,
    "token_field": token_field,
    "here": page_address,
    # Bounds, and kinds of entries.
    "cards_drawn": CARDS_DRAWN,
    "noted_kinds": NOTED,
    "credited_kinds": CREDITED_KINDS,
    "noted_shown": NOTED_SHOWN,
    "rounds_shown": ROUNDS_SHOWN,
    "deals_of_a_text": DEALS_OF_A_TEXT,
}


class WithoutIndent(Extension):
    """Leaves the indent of the templates out of the pages, which nobody sees and every phone loads."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source with its lines flush left; a text to share, which is read as it stands, as it is."""
        return source if name and name.endswith(".txt") else re.sub(r"(?m)^[ \t]+", "", source)


def init_templating(app: Flask) -> None:
    """Add the filters and globals to the templates."""
    app.jinja_env.add_extension(WithoutIndent)
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(GLOBALS)
