"""The engine over HTTP, with the JSON of docs/contract.md, no cookie and no key; and the description of the API."""

from __future__ import annotations

from flask import Blueprint, Response, request

from ... import rules
from ...limits import (
    ANSWER_BYTES,
    LINE_AT_LEAST,
    LINES_ANSWER_BYTES,
    LINES_ASKED,
    MOST_DEALS,
    REQUEST_BYTES,
    SCORED_LINES_STEPS,
)
from ...strict_json import IMPOSSIBLE, MALFORMED, answer, write_json
from . import openapi

bp = Blueprint("api", __name__, url_prefix="/api/v1")

STATUS = {IMPOSSIBLE: 422, MALFORMED: 400}
LINES = "application/x-ndjson"
"""The content type of a request a line, and of an answer a line."""
LATER = {"status": "later", "problems": []}
"""The answer to a line that has no room in its request: it is to be sent again."""


def _json(value: object, status: int = 200) -> Response:
    return Response(write_json(value) + "\n", status, mimetype="application/json")


def _refused(code: str, where: str, message: str, most: int) -> Response:
    problems = rules.Problems()
    problems.error(code, where, message, most=most)
    return _json({"status": "invalid", "problems": problems.as_json()}, STATUS[IMPOSSIBLE])


@bp.get("/", strict_slashes=False)
def show_addresses() -> Response:
    """Answer with what there is: every address, its methods and what each is for."""
    described = openapi.description()["paths"]
    return _json(
        {
            "openapi": "/api/v1/openapi.json",
            "links": [
                {"href": path, "method": method.upper(), "about": operation["summary"]}
                for path, operations in described.items()
                for method, operation in operations.items()
            ],
        }
    )


@bp.post("/<any(score, match, captures, prime):name>")
def ask(name: str) -> Response:
    """Answer a request with 200, or 422 if it is impossible, 400 if it is malformed, 413 if it is too large.

    ``score`` also takes a request a line, and answers each on a line of its own.
    """
    request.max_content_length = REQUEST_BYTES
    if name == "score" and request.mimetype == LINES:
        return _score_lines(request.get_data())
    status, result = answer(name, request.get_data(), shared=True)
    response = _json(result, STATUS.get(status, 200))
    if (response.content_length or 0) > ANSWER_BYTES:
        message = f"The answer would have more than {ANSWER_BYTES} bytes: ask about fewer deals at once."
        return _refused("too_many_deals", "deals", message, MOST_DEALS)
    return response


def _score_lines(data: bytes) -> Response:
    """Score a deal a line. The first is always scored; those beyond the work of one request are answered ``later``."""
    lines = data.removesuffix(b"\n").split(b"\n")
    if len(lines) > LINES_ASKED:
        return _refused("too_long", "", f"A request may have {LINES_ASKED} lines at most.", LINES_ASKED)
    answers: list[str] = []
    steps = length = 0
    for line in lines:
        if steps >= SCORED_LINES_STEPS or length >= LINES_ANSWER_BYTES:
            answers.append(write_json(LATER))
            continue
        with rules.tallied() as tally:
            answers.append(write_json(answer("score", line)[1]))
        steps += max(tally.steps, LINE_AT_LEAST)
        length += len(answers[-1])
    return Response("".join(f"{each}\n" for each in answers), mimetype=LINES)


@bp.get("/games")
def games() -> Response:
    """Answer with every game, its options and items."""
    return _json(rules.games())


@bp.get("/openapi.json")
def show_description() -> Response:
    """Answer with the description of this interface (OpenAPI 3.1)."""
    return _json(openapi.description())
