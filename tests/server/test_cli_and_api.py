"""The engine's other doors, command line and HTTP: the same answers, and hostile input is input."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.app import create_app
from scorekeeper.cli.engine import EXAMPLES
from scorekeeper.cli.main import main

from ..conftest import UNBRAKED

ANSWER_BYTES, MOST_DEALS, REQUEST_BYTES = 2_000_000, 200, 256 * 1024
"""Written out, as docs/contract.md promises them."""
DEAL = {"game": "scopa", "sides": ["A", "B"], "deal": {"awards": {"cards": "A"}, "sweeps": {"A": 2}}}
IMPOSSIBLE = {"game": "scopa", "sides": ["A", "B"], "deal": {"piles": {"A": ["7O"], "B": ["7O"]}}}
HOSTILE = [
    b"",
    b"{",
    b"[]",
    b"\xff\xfe",
    b"[" * 40_000,
    b'{"game": NaN}',
    b'{"game": "scopa", "sides": ["A", "B"], "deal": {"sweeps": {"A": 1e999}}}',
    b'{"game": "scopa", "sides": ["A", "B"], "deal": {"sweeps": {"A": ' + b"9" * 5000 + b"}}}",
    b'{"game": "scopa", "game": "scopa", "sides": ["A", "B"]}',
    b'{"game": "scopa", "sides": ["\\ud800", "B"]}',
    json.dumps({"game": "scopa", "sides": ["x" * 200_000, "B"]}).encode(),
    json.dumps({"game": "scopa", "sides": "AB"}).encode(),
    json.dumps({**DEAL, "deal": {"declarations": {"side": "A"}}}).encode(),
]


@pytest.fixture
def api(tmp_path: Path) -> FlaskClient:
    app: Flask = create_app({"INSTANCE": tmp_path, **UNBRAKED})
    return app.test_client()


def run(
    args: list[str], data: bytes, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> tuple[int, list[Any]]:
    """Run a command on standard input; give its exit status and its answers."""

    class Stdin:
        buffer = io.BytesIO(data)

    monkeypatch.setattr(sys, "stdin", Stdin)
    status = main(args)
    return status, [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]


def test_a_deal_is_scored_alike_by_both_doors(
    api: FlaskClient, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    status, (said,) = run(["score"], json.dumps(DEAL).encode(), monkeypatch, capfdbinary)
    told = api.post("/api/v1/score", json=DEAL)

    assert status == 0
    assert told.status_code == 200
    assert told.json == said
    assert said["points"] == {"A": 3, "B": 0}
    assert "Set-Cookie" not in told.headers


def test_an_impossible_deal_is_422_and_exit_1(
    api: FlaskClient, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    status, (said,) = run(["score"], json.dumps(IMPOSSIBLE).encode(), monkeypatch, capfdbinary)
    told = api.post("/api/v1/score", json=IMPOSSIBLE)

    assert (status, told.status_code) == (1, 422)
    assert said["status"] == "invalid"
    assert said["problems"][0]["where"] == "piles.B[0]"


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_malformed_input_is_400_and_exit_2(
    data: bytes,
    api: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    status, (said,) = run(["score"], data, monkeypatch, capfdbinary)
    told = api.post("/api/v1/score", data=data, content_type="application/json")

    assert (status, told.status_code) == (2, 400)
    assert told.json == said
    assert said["status"] == "invalid"
    assert said["problems"]


def test_full_width_digits_are_no_card(api: FlaskClient) -> None:
    told = api.post("/api/v1/prime", json={"method": "face", "piles": {"A": ["７O"]}})

    assert told.status_code == 422
    assert told.json is not None
    assert told.json["problems"][0]["code"] == "unknown_card"


@pytest.mark.parametrize("size", [REQUEST_BYTES + 1, 1_100_000])
def test_a_body_that_is_too_long_is_too_large(api: FlaskClient, size: int) -> None:
    told = api.post("/api/v1/score", data=b" " * size)

    assert told.status_code == 413
    assert told.json is not None
    assert told.json["status"] == "invalid"
    assert told.json["problems"]


def test_a_body_without_a_stated_length_is_too_large_as_well(api: FlaskClient) -> None:
    chunks = io.BytesIO(b" " * (REQUEST_BYTES + 1))
    told = api.post("/api/v1/score", input_stream=chunks, environ_overrides={"wsgi.input_terminated": True})

    assert told.status_code == 413


def test_a_match_has_the_same_bound_on_the_web_and_on_the_command_line(
    api: FlaskClient, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    match = {"game": "free", "sides": ["A", "B"], "deals": [{"points": {"A": 1, "B": 0}}] * (MOST_DEALS + 1)}

    told = api.post("/api/v1/match", json=match)
    assert told.status_code == 422
    assert told.json is not None
    assert [problem["code"] for problem in told.json["problems"]] == ["too_many_deals"]
    assert run(["match"], json.dumps(match).encode(), monkeypatch, capfdbinary)[0] == 1


def test_an_answer_that_would_be_too_long_is_refused(api: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.web.api.engine.ANSWER_BYTES", 1000)
    match = {"game": "free", "sides": ["A", "B"], "deals": [{"points": {"A": 1, "B": 0}}] * 10}
    told = api.post("/api/v1/match", json=match)

    assert told.status_code == 422
    assert told.json is not None
    assert [problem["code"] for problem in told.json["problems"]] == ["too_many_deals"]


def test_a_quarter_of_a_megabyte_of_bad_cards_is_answered_with_the_first_problems(api: FlaskClient) -> None:
    cards = ["z"] * (REQUEST_BYTES // 5)
    told = api.post("/api/v1/score", data=json.dumps({**DEAL, "deal": {"piles": {"A": cards}}}, separators=(",", ":")))

    assert told.status_code == 422
    assert len(told.data) < 20_000


def test_bulk_answers_every_line_in_order_and_never_stops(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = b"\n".join([json.dumps(DEAL).encode(), b"nonsense", json.dumps(IMPOSSIBLE).encode(), b""])
    status, said = run(["score", "--lines"], lines, monkeypatch, capfdbinary)

    assert status == 0
    assert [answer["status"] for answer in said] == ["open", "invalid", "invalid"]


def test_bulk_answers_an_empty_line_and_one_without_end_too(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = b"\n" + b"x" * 2_500_000 + b"\n" + json.dumps(DEAL).encode()
    status, said = run(["score", "--lines"], lines, monkeypatch, capfdbinary)

    assert status == 0
    assert [answer["status"] for answer in said] == ["invalid", "invalid", "open"]


def test_games_are_described_by_both_doors(
    api: FlaskClient, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    status, (said,) = run(["games"], b"", monkeypatch, capfdbinary)

    assert status == 0
    assert api.get("/api/v1/games").json == said
    assert {"id", "family", "names", "sides", "target", "presets", "options", "items"} <= set(said["games"][0])


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_example_in_the_help_of_a_command_is_answered(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], command: str
) -> None:
    status, answers = run([command], json.dumps(EXAMPLES[command]).encode(), monkeypatch, capfdbinary)
    assert status == 0
    assert answers[0].get("status") != "invalid"


def test_one_game_is_described_by_its_id(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["games", "scopa"], b"", monkeypatch, capfdbinary)[1][0]["id"] == "scopa"
    assert run(["games", "canasta"], b"", monkeypatch, capfdbinary) == (2, [])


def test_the_description_names_every_door(api: FlaskClient) -> None:
    told = api.get("/api/v1/openapi.json").json

    assert told is not None
    assert told["openapi"] == "3.1.0"
    routes = {
        (path, method)
        for rule in api.application.url_map.iter_rules()
        if rule.rule.startswith("/api/v1")
        for path in _paths_of(rule.rule)
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    described = {(path, method.upper()) for path, methods in told["paths"].items() for method in methods}
    assert described == routes
    ids = [operation["operationId"] for methods in told["paths"].values() for operation in methods.values()]
    assert len(set(ids)) == len(ids)


def _paths_of(rule: str) -> list[str]:
    """Return the addresses of a route whose only part that varies is one of several words."""
    start, _open, rest = rule.partition("<any(")
    words, _close, end = rest.partition("):name>")
    return [f"{start}{word.strip()}{end}" for word in words.split(",")] if rest else [rule]


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1"])
def test_the_first_address_says_what_there_is(api: FlaskClient, path: str) -> None:
    told = api.get(path)

    assert told.status_code == 200
    assert told.json is not None
    assert api.get(told.json["openapi"]).status_code == 200
    assert {"/api/v1/score", "/api/v1/games", "/api/v1/entries"} <= {link["href"] for link in told.json["links"]}
    assert all(api.open(link["href"], method=link["method"]).status_code != 404 for link in told.json["links"])


@pytest.mark.parametrize("name", ["score", "match", "captures", "prime"])
def test_the_example_of_the_description_is_answered(api: FlaskClient, name: str) -> None:
    described = api.get("/api/v1/openapi.json").json
    assert described is not None
    for kind, content in described["paths"][f"/api/v1/{name}"]["post"]["requestBody"]["content"].items():
        example = content["example"]
        sent = example if isinstance(example, str) else json.dumps(example)
        told = api.post(f"/api/v1/{name}", data=sent, content_type=kind)
        assert told.status_code == 200
        assert json.loads(told.data).get("status") != "invalid"


def ask_lines(api: FlaskClient, *lines: bytes) -> tuple[int, list[Any]]:
    told = api.post("/api/v1/score", data=b"\n".join(lines), content_type="application/x-ndjson")
    assert told.mimetype == ("application/x-ndjson" if told.status_code == 200 else "application/json")
    return told.status_code, [json.loads(line) for line in told.data.splitlines()]


def test_lines_are_answered_each_for_itself_and_in_their_order(api: FlaskClient) -> None:
    lines = [json.dumps(DEAL).encode(), b"nonsense", b"", json.dumps(IMPOSSIBLE).encode(), json.dumps(DEAL).encode()]
    status, said = ask_lines(api, *lines)

    assert status == 200
    assert [answer["status"] for answer in said] == ["open", "invalid", "invalid", "invalid", "open"]
    assert said[0] == said[-1] == api.post("/api/v1/score", json=DEAL).json
    assert ask_lines(api, json.dumps(DEAL).encode() + b"\n")[1] == [said[0]]


def test_lines_beyond_the_work_of_a_request_are_answered_later(
    api: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.web.api.engine.SCORED_LINES_STEPS", 1)
    status, said = ask_lines(api, *[json.dumps(DEAL).encode()] * 3)

    assert status == 200
    assert [answer["status"] for answer in said] == ["open", "later", "later"]


def test_many_small_lines_count_too(api: FlaskClient) -> None:
    said = ask_lines(api, *[b"{"] * 3000)[1]

    assert len(said) == 3000
    assert [answer["status"] for answer in said[:100]] == ["invalid"] * 100
    assert said[-1]["status"] == "later"


def test_too_many_lines_are_refused(api: FlaskClient) -> None:
    status, (said,) = ask_lines(api, *[b""] * 4002)

    assert status == 422
    assert said["problems"][0]["code"] == "too_long"


def test_on_a_terminal_games_are_a_list_to_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)

    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    ids = [line.split()[0] for line in lines]
    assert {"scopa", "chorizo", "free"} <= set(ids)
    assert all(len(line) < 80 for line in lines)


@pytest.mark.parametrize("asked", [["--json"], ["--pretty"], ["scopa"]], ids=" ".join)
def test_what_is_asked_as_json_is_json_on_a_terminal_too(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], asked: list[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)

    assert main(["games", *asked]) == 0
    assert json.loads(capfdbinary.readouterr().out)


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_help_does_not_break_its_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    printed = capsys.readouterr().out
    quoted = printed.partition("echo '")[2].partition("'")[0]

    assert json.loads(quoted) == EXAMPLES[command]
    assert all(len(line) <= 80 for line in printed.splitlines())


@pytest.mark.parametrize(("path", "status"), [("/api/v1/nothing", 404), ("/api/v1/score", 405)])
def test_a_wrong_address_answers_in_json(api: FlaskClient, path: str, status: int) -> None:
    told = api.get(path)

    assert told.status_code == status
    assert told.json is not None
    assert told.json["status"] == "invalid"
