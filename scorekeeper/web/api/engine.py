"""The engine over HTTP, with the JSON of docs/contract.md, no cookie and no key; and the description of the API."""

from __future__ import annotations

from flask import Blueprint, Response, request

from ... import rules
from ...limits import ANSWER_BYTES, MOST_DEALS, REQUEST_BYTES
from ...strict_json import IMPOSSIBLE, MALFORMED, answer, write_json
from . import openapi

bp = Blueprint("api", __name__, url_prefix="/api/v1")

STATUS = {IMPOSSIBLE: 422, MALFORMED: 400}


def _json(value: object, status: int = 200) -> Response:
    return Response(write_json(value) + "\n", status, mimetype="application/json")


@bp.post("/<any(score, match, captures, prime):name>")
def ask(name: str) -> Response:
    """Answer a request with 200, or 422 if it is impossible, 400 if it is malformed, 413 if it is too large."""
    request.max_content_length = REQUEST_BYTES
    status, result = answer(name, request.get_data(), bounded=True)
    response = _json(result, STATUS.get(status, 200))
    if (response.content_length or 0) > ANSWER_BYTES:
        problems = rules.Problems()
        message = f"The answer would have more than {ANSWER_BYTES} bytes: ask about fewer deals at once."
        problems.error("too_many_deals", "deals", message, most=MOST_DEALS)
        return _json({"status": "invalid", "problems": problems.as_json()}, STATUS[IMPOSSIBLE])
    return response


@bp.get("/games")
def games() -> Response:
    """Answer with every game, its options and items."""
    return _json(rules.games())


@bp.get("/openapi.json")
def show_description() -> Response:
    """Answer with the description of this interface (OpenAPI 3.1)."""
    return _json(openapi.description())
