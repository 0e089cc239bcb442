"""Answers name what a phone must not have any more, and the phone lets go of all that it has stored of it.

A dead link takes all pages below its address with it, and so does a match that is not there (``js/match/gone.js``, and
the service worker). A phone that opens no page of a deleted match hears of it all the same: every answer of a table
says how many matches it has deleted, and a phone that has heard of fewer asks about those that it has pages of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flask import Flask, Response, g

from ...store.models import Table
from .links import LETTERS, is_key


class AtTable(NamedTuple):
    """The table of a request, which is in the cache key of each of its pages."""

    id: int
    deletions: int


def init_gone(app: Flask) -> None:
    """Name what is gone in the headers of every answer: the scripts and the service worker read no other part of it."""

    @app.after_request
    def name_what_is_gone(response: Response) -> Response:
        if "gone" in g:
            response.headers["Gone"] = " ".join(g.gone)
        if "at" in g and g.at.deletions:
            response.headers["Deletions"] = str(g.at.deletions)
        return response


def note_table(table: Table) -> None:
    """Note the table of this request."""
    g.at = AtTable(table.id, table.deletions)


def name_dead_links(links: Iterable[tuple[str, str]]) -> None:
    """Have the answer name dead links, each by its kind and its key.

    What has not the shape of a key was no link of ours, and may hold what no header may.
    """
    for link, key in links:
        if is_key(key):
            _name(f"/{LETTERS[link]}/{key}")


def name_missing_match(letter: str, key: str, number: int) -> None:
    """Have the answer name a match that is not at the table, or not any more."""
    _name(f"/{letter}/{key}/matches/{number}")


def _name(start: str) -> None:
    """Have the answer name the beginning of addresses that are gone."""
    g.setdefault("gone", []).append(start)
