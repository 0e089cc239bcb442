"""The engine over HTTP: the same JSON as everywhere, no cookie, no key; and the description of everything there."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from ... import rules
from ...limits import ANSWER_BYTES, MOST_CAPTURES, MOST_DEALS, NAME_LETTERS, REQUEST_BYTES
from ...strict_json import FUNCTIONS, IMPOSSIBLE, MALFORMED, answer, write_json
from . import openapi

bp = Blueprint("api", __name__, url_prefix="/api/v1")

RULES = {
    "type": ["integer", "null"],
    "enum": [*rules.RULES, None],
    "description": "Under rules 1 a deal is scored as the first version did; absent: the newest.",
}
STATUS = {IMPOSSIBLE: 422, MALFORMED: 400}
SUMMARIES = {
    "score": "Score one deal: an explained sheet",
    "match": "The standing after the deals of a match",
    "captures": "What a card may take from the table",
    "prime": "Who has the better prime",
}


def _json(found: object, status: int = 200) -> Response:
    return Response(write_json(found) + "\n", status, mimetype="application/json")


@bp.post("/<any(score, match, captures, prime):door>")
def ask(door: str) -> Response:
    """Answer a request: 200, 422 where it is impossible, 400 where it is malformed, 413 where it is too large."""
    request.max_content_length = REQUEST_BYTES
    status, found = answer(door, request.get_data(), bounded=True)
    response = _json(found, STATUS.get(status, 200))
    if (response.content_length or 0) > ANSWER_BYTES:
        problems = rules.Problems()
        message = f"The answer would have more than {ANSWER_BYTES} bytes: ask about fewer deals at once."
        problems.error("too_many_deals", "deals", message, most=MOST_DEALS)
        return _json({"status": "invalid", "problems": problems.as_json()}, STATUS[IMPOSSIBLE])
    return response


@bp.get("/games")
def games() -> Response:
    """Describe every game, its options and items."""
    return _json(rules.games())


@bp.get("/openapi.json")
def show_description() -> Response:
    """Describe this interface (OpenAPI 3.1)."""
    return _json(description())


def _operation(door: str) -> dict[str, Any]:
    answers = {
        "200": "The answer",
        "400": "Malformed: not JSON, or a value of the wrong type",
        "413": "Too large",
        "422": "Well-formed but impossible: every problem, each with its place",
    }
    schemas = {"200": {"$ref": f"#/components/schemas/{door}_answer"}}
    invalid = {"$ref": "#/components/schemas/invalid"}
    return {
        "operationId": door,
        "summary": SUMMARIES[door],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{door}_request"}}},
        },
        "responses": {
            status: {
                "description": text,
                "content": {"application/json": {"schema": schemas.get(status, invalid)}},
            }
            for status, text in answers.items()
        },
    }


def _object(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties}


def description() -> dict[str, Any]:
    """Give the interface's description."""
    word, number, cards = {"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "string"}}
    by_side = {"type": "object"}
    table = {
        "game": {"type": "string", "enum": [game["id"] for game in rules.games()["games"]]},
        "preset": {"type": ["string", "null"]},
        "options": {"type": ["object", "null"]},
        "sides": {
            "type": "array",
            "items": {"type": "string", "maxLength": NAME_LETTERS},
            "minItems": 2,
            "maxItems": 10,
        },
        "players_per_side": {"type": ["integer", "null"]},
        "rules": RULES,
    }
    problem = _object(
        ("severity", "code", "where", "message"),
        severity={"type": "string", "enum": ["error", "warning"]},
        code=word,
        where=word,
        message=word,
        facts={"type": "object"},
    )
    line = _object(
        ("item", "points", "reason"),
        item=word,
        points={"type": ["object", "null"]},
        reason=word,
        values={"type": "object"},
        at_least={"type": "object"},
        evidence={"type": "string", "enum": ["shown", "counted", "said"]},
        needs=cards,
    )
    problems = {"type": "array", "items": problem}
    deal = {"type": "object", "description": "What the table knows of a deal; every part is optional."}
    sheet = _object(
        ("status", "lines", "points", "problems"),
        status={"type": "string", "enum": ["complete", "open", "invalid"]},
        lines={"type": "array", "items": line},
        points=by_side,
        ask={"type": ["object", "null"]},
        redeal={"type": ["string", "null"], "enum": ["same", "next", None]},
        match=_object(won_by={"type": ["string", "null"]}, lost_by={"type": ["string", "null"]}),
        problems=problems,
    )
    schemas = {
        "invalid": _object(("status", "problems"), status={"type": "string", "const": "invalid"}, problems=problems),
        "score_request": _object(("game", "sides"), **table, deal=deal),
        "score_answer": sheet,
        "match_request": _object(
            ("game", "sides"), **table, deals={"type": "array", "items": deal, "maxItems": MOST_DEALS}
        ),
        "match_answer": _object(
            ("totals", "sheets", "status", "winner", "reason", "next_dealer"),
            totals=by_side,
            sheets={"type": "array", "items": sheet},
            status={"type": "string", "enum": ["playing", "won", "invalid"]},
            winner={"type": ["string", "array", "null"]},
            reason={"type": ["string", "null"]},
            next_dealer={"type": ["string", "null"]},
        ),
        "captures_request": _object(
            ("game", "layout", "card"),
            **table,
            layout=cards,
            card=word,
            hand=cards,
            last_play={"type": ["boolean", "null"]},
            **{"as": {"type": ["object", "null"]}},
        ),
        "captures_answer": _object(
            ("captures", "may_leave"),
            captures={
                "type": "array",
                "items": _object(("takes", "sweep"), takes=cards, sweep=number),
                "maxItems": MOST_CAPTURES,
            },
            may_leave={"type": "boolean"},
            more={"type": "integer", "minimum": 1, "description": "How many sets there are beyond those listed."},
        ),
        "prime_request": _object(
            ("method", "piles"),
            method={"type": "string", "enum": ["face", "half_ace", "italian", "seventy", "sevens_count"]},
            suits_required={"type": "integer", "enum": [0, 4]},
            needs_pip={"type": "boolean"},
            needs_seven={"type": "boolean"},
            piles={"type": "object", "additionalProperties": cards},
            rules=RULES,
        ),
        "prime_answer": _object(("primes", "winners"), primes=by_side, winners=cards),
    }
    games = {"responses": {"200": {"description": "Every game", "content": {"application/json": {"schema": by_side}}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Scorekeeper", "version": "1", "description": "A referee for fishing and trick games."},
        "paths": {
            **{f"/api/v1/{door}": {"post": _operation(door)} for door in FUNCTIONS},
            "/api/v1/games": {"get": {"operationId": "games", "summary": "Every game, its options and items", **games}},
            **openapi.paths(),
        },
        "components": {
            "schemas": {**schemas, **openapi.schemas()},
            "securitySchemes": openapi.security(),
        },
    }
