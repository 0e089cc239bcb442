"""The interface keeps to its own description, whatever is sent."""

from __future__ import annotations

import tempfile

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from scorekeeper import create_app

# A deal may have the right shape and still be impossible.
EXCLUDED = [positive_data_acceptance]
# Flask's test client does not unpack answers.
PLAIN = {"Accept-Encoding": "identity"}

# The cases are made while tests are collected, before any fixture could lend a folder.
schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", create_app({"INSTANCE": tempfile.mkdtemp()}))


@schema.parametrize()
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: schemathesis.Case) -> None:
    case.call_and_validate(headers=PLAIN, excluded_checks=EXCLUDED)
