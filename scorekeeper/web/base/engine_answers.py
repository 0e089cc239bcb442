"""Pages whose address asks: the cards in it, the engine's answer, and the part of the page that shows the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from flask import Response, make_response, render_template, request
from werkzeug.datastructures import MultiDict

from ... import rules
from ...rules import contract

Asked: TypeAlias = Mapping[str, object]
"""A question in the shape that the engine takes."""


def answer_to(
    asked: Asked, function: Callable[[Asked], contract.Answer]
) -> tuple[Mapping[str, object], list[contract.Problem], int]:
    """Ask the engine; return its answer (empty if it refuses), the problems, and the status of the page."""
    try:
        answer = function(asked)
    except rules.Malformed as fault:
        return {}, list(fault.problems), 400
    problems = list(cast(list[contract.Problem], answer.get("problems", [])))
    return ({}, problems, 422) if problems else (answer, [], 200)


def verdict_page(template: str, fragment: str, status: int, **context: Any) -> Response:
    """Return the page, or for htmx just its verdict, made by the template ``fragment``."""
    headers = request.headers
    part = headers.get("HX-Target") == "verdict" and headers.get("HX-History-Restore-Request") != "true"
    drawn = render_template(fragment if part else template, oob=part, **context)
    response = make_response(drawn, status)
    response.vary.add("HX-Request")
    response.vary.add("HX-Target")
    return response


def tapped_cards(args: MultiDict[str, str], name: str) -> list[str]:
    """Return the cards tapped in a grid; an address typed by hand may have small letters."""
    return [code.strip().upper() for code in args.getlist(name)]


def open_tab(args: MultiDict[str, str], tabs: str) -> str:
    """Return which pile is laid open: without script, the one that was."""
    tab = args.get("tab", "")
    return tab if len(tab) == 1 and tab in tabs else tabs[0]
