"""The interface keeps to its own description, whatever is sent."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from scorekeeper import limits, rules
from scorekeeper.web.api.engine import LINES
from scorekeeper.web.api.openapi import FILLED_IN, description

from ..conftest import open_table

pytestmark = pytest.mark.whole

# A deal may have the right shape and still be impossible.
EXCLUDED = [positive_data_acceptance]
# Flask's test client does not unpack answers.
PLAIN = {"Accept-Encoding": "identity"}


@schemathesis.serializer(LINES)
def lines(_context: object, value: object) -> bytes:
    """Write a request of lines as it is; what is no text is none of ours either."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


class Served:
    """What the requests go to: the app of the test. The cases are made before, while tests are collected."""

    app: Flask

    def __call__(self, environ: Any, start_response: Any) -> Any:
        """Answer a request."""
        return self.app(environ, start_response)


served = Served()
schema = schemathesis.openapi.from_dict(deepcopy(description()))
schema.app, schema.location = served, "/api/v1/openapi.json"
# A list that is too long is refused as too large.
schema.config.checks.negative_data_rejection.expected_statuses.append("413")


@pytest.fixture(autouse=True)
def key(app: Flask) -> str:
    """The key of a table in the app that is asked."""
    served.app = app
    return open_table(app).key


@schema.parametrize()
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: schemathesis.Case) -> None:
    # Of lines each is answered for itself, also one that is no request at all.
    excluded = [*EXCLUDED, negative_data_rejection] if case.media_type == LINES else EXCLUDED
    case.call_and_validate(headers=PLAIN, excluded_checks=excluded)


@pytest.mark.whole
@schema.include(path="/api/v1/entries").parametrize()
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_so_does_every_answer_to_a_table_that_is_there(case: schemathesis.Case, key: str) -> None:
    if isinstance(case.body, dict) and isinstance(case.body.get("table"), str):
        case.body["table"] = key
    # The header is ours, and who asks for more than there is gets what there is.
    excluded = [*EXCLUDED, negative_data_rejection] if case.method == "GET" else EXCLUDED
    case.call_and_validate(headers={**PLAIN, "Authorization": f"Bearer {key}"}, excluded_checks=excluded)


def test_games_and_limits_are_filled_in() -> None:
    request = description()["components"]["schemas"]["match_request"]["properties"]

    assert request["game"] == {"type": "string", "enum": [game["id"] for game in rules.games()["games"]]}
    assert request["deals"]["maxItems"] == limits.MOST_DEALS
    assert FILLED_IN not in str(description())
