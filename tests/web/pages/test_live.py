"""Open pages follow the table: a stream of versions, and a 204 where nothing is new."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from werkzeug.test import TestResponse

from scorekeeper.web.pages import live

from ..conftest import ON_TRUST, Player

HTMX = {"HX-Request": "true"}
TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


def version(player: Player, path: str = "") -> str:
    return player.client.get(f"/t/{player.key}{path}").headers["Table-Version"]


def stream(player: Player, query: str) -> TestResponse:
    return player.client.get(f"/t/{player.key}/live{query}", buffered=False)


def news(response: TestResponse) -> Iterator[str]:
    """Yield the versions that the stream tells."""
    for chunk in response.iter_encoded():
        for line in chunk.decode().splitlines():
            if line.startswith("data: "):
                yield line.removeprefix("data: ")


def test_the_stream_tells_what_the_page_does_not_show(ana: Player, beto: Player) -> None:
    shown = version(ana)
    beto.sweep("B")
    with stream(ana, f"?v={shown}") as response:
        assert response.mimetype == "text/event-stream"
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Accel-Buffering"] == "no", "a proxy must hold nothing back"
        assert "Content-Encoding" not in response.headers
        told = news(response)
        assert next(told) == version(beto)
        beto.sweep("A")
        assert next(told) == version(beto)


def test_above_the_cap_the_stream_is_refused_without_a_word(ana: Player, beto: Player) -> None:
    ana.app.extensions["scorekeeper.hub"]._most = 1
    with stream(ana, ""):
        refused = beto.client.get(f"/t/{beto.key}/live")
        assert (refused.status_code, refused.data) == (204, b"")
    with stream(beto, "") as response:
        assert response.status_code == 200


def test_where_nothing_is_new_the_stream_says_so_at_once_and_again_and_again(
    ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.01)
    ana.app.config["LIVE_SECONDS"] = 2
    beat = f"event: beat\ndata: {version(ana)}\n\n".encode()
    with stream(ana, f"?v={version(ana)}") as response:
        chunks = response.iter_encoded()
        assert next(chunks).startswith(b"retry:")
        assert [next(chunks, b"the end") for _beat in range(3)] == [beat] * 3


def test_while_the_database_cannot_be_read_no_beat_claims_that_nothing_is_new(
    ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError("disk I/O error")

    monkeypatch.setattr(live, "HEARTBEAT", 0.01)
    monkeypatch.setattr(ana.app.extensions["scorekeeper.hub"], "_opened", fail)
    with stream(ana, f"?v={version(ana)}") as response:
        assert b": still here\n\n" in islice(response.iter_encoded(), 100)


@pytest.mark.parametrize("path", ["", "/matches/1/deals/1"])
def test_a_page_that_shows_the_newest_gets_204(ana: Player, beto: Player, path: str) -> None:
    ana.close(**ON_TRUST)
    shown = version(ana, path)
    known = f"/t/{ana.key}{path}?v={shown}"
    assert ana.client.get(known, headers=HTMX).status_code == 204
    beto.sweep("B", number=2)
    again = ana.client.get(known, headers=HTMX)
    assert again.status_code == 200
    assert again.headers["Table-Version"] == version(ana, path) != shown
    assert not {"HX-Retarget", "HX-Redirect"} & set(again.headers), "an open page is taken nowhere"


def test_a_tap_answers_with_the_version_it_made(ana: Player) -> None:
    answer = ana.client.post(
        f"/t/{ana.key}{ana.deal()}/sweep",
        data={"id": "11111111-1111-4111-8111-111111111111", "side": "A"},
        headers=HTMX,
    )
    assert answer.headers["Table-Version"] == version(ana)


def test_a_sheet_whose_deal_was_opened_again_says_so(ana: Player, beto: Player) -> None:
    ana.close(**ON_TRUST)
    shown = version(ana, "/matches/1/deals/1")
    closing = next(entry for entry in ana.entries() if entry.kind == "deal_closed")
    beto.post(f"/matches/1/undo/{closing.id}", {"id": "22222222-2222-4222-8222-222222222222"})
    again = ana.client.get(f"/t/{ana.key}/matches/1/deals/1?v={shown}", headers=HTMX)
    assert again.status_code == 409
    assert again.headers["HX-Retarget"] == "#refused"


def test_whoever_closes_a_deal_is_told_what_was_written_meanwhile(ana: Player, beto: Player) -> None:
    form = ana.closing()
    beto.sweep("B")
    told = ana.get(f"{ana.deal()}/meanwhile?seq={form['seq']}&v=1.{form['seq']}", headers=HTMX)
    assert "Beto" in told.words
    assert ana.get(f"{ana.deal()}/meanwhile?seq=2&v={version(ana)}", headers=HTMX).status == 204


def test_a_deal_that_this_phone_has_closed_is_not_told_to_it_as_closed_meanwhile(ana: Player, beto: Player) -> None:
    form = ana.closing()
    address = f"{ana.deal()}/meanwhile?seq={form['seq']}&v=1.{form['seq']}"
    assert ana.close(**TRUST).status == 303
    assert ana.get(address, headers=HTMX).words == ""
    assert "Written meanwhile" in beto.get(address, headers=HTMX).words


def test_a_stranger_follows_nothing(stranger: Player) -> None:
    assert stranger.client.get(f"/t/{stranger.key}/live").status_code == 404


def test_a_stream_begins_at_what_the_page_shows_not_at_what_the_phone_heard(ana: Player) -> None:
    ana.app.config["LIVE_SECONDS"] = 0.05
    headers = {"Last-Event-ID": version(ana)}
    with ana.client.get(f"/t/{ana.key}/live?v=1.0", headers=headers, buffered=False) as response:
        assert next(news(response)) == version(ana)
