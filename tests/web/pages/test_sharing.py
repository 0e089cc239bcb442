"""What a table hands on: sentences for a chat, the result as a picture; no key is in either."""

from __future__ import annotations

import struct
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.store import queries
from scorekeeper.web.match.result_picture import Svg, draw
from scorekeeper.web.match.view import MatchView

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table

CLOSED = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


class _Area(HTMLParser):
    text: str | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "textarea":
            self.text = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.text, self.done = None, self.text

    def handle_data(self, data: str) -> None:
        if self.text is not None:
            self.text += data


def text_at(player: Player, path: str, **how: object) -> str:
    """Return what stands in the field that is to be copied."""
    area = _Area()
    area.feed(player.get(path, **how).html)
    assert area.done is not None
    return area.done.strip()


def svg_of(player: Player) -> Svg:
    with player.app.test_request_context():
        table = queries.table_by_key("play", player.key)
        assert table is not None
        match = queries.current_match(table)
        assert match is not None
        return draw(MatchView(table, match))


def size_of(png: bytes) -> tuple[int, int]:
    """Read width and height from the head of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.fixture
def played(app: Flask) -> Player:
    """Los jueves, a deal closed: Ana 6, Beto 3."""
    table = open_table(app, table_name="Los jueves")
    table.close(**CLOSED, sweeps__B="1")
    return table


class TestADealAsText:
    def test_tells_its_sentences_its_sums_and_who_deals_next(self, played: Player) -> None:
        text = text_at(played, "/matches/1/deals/1/text")
        assert text.splitlines() == [
            "Chorizo to 21 · Los jueves",
            "Deal 1 · Ana dealt",
            "",
            "Two of clubs: Ana +4",
            "Sweeps: Ana 0, Beto 1 → Beto +1",
            "Most cards: Ana +1",
            "Most coins: Beto +1",
            "Seven of coins: Ana +1",
            "Prime: Beto +1",
            "",
            "This deal: Ana 6, Beto 3",
            "Total: Ana 6, Beto 3",
            "Next deal: Beto deals",
        ]

    def test_is_plain_whatever_the_names_are(self, app: Flask) -> None:
        table = open_table(app, player__0="<b>Ana</b> & co", player__1='"Beto"')
        table.close(**CLOSED)
        text = text_at(table, "/matches/1/deals/1/text")
        assert '<b>Ana</b> & co 6, "Beto" 2' in text
        assert "&amp;" not in text

    def test_of_an_open_deal_is_not_found(self, played: Player) -> None:
        assert played.get("/matches/1/deals/2/text").status == 404


class TestAMatchAsText:
    def test_tells_each_deal_with_the_running_total(self, played: Player) -> None:
        played.close(2, **CLOSED)
        lines = text_at(played, "/matches/1/text").splitlines()
        assert "Deal 1: Ana +6, Beto +3 (6–3)" in lines
        assert "Deal 2: Ana +6, Beto +2 (12–5)" in lines
        assert lines[-2:] == ["Total: Ana 12, Beto 5", "Next deal: Ana deals"]


@pytest.mark.parametrize("path", ["/matches/1/text", "/matches/1/deals/1/text"])
def test_a_text_carries_the_link_to_watch_only_where_it_is_asked_for(played: Player, path: str) -> None:
    with played.app.app_context():
        table = queries.table_by_key("play", played.key)
        assert table is not None
        keys = (table.owner_key, table.play_key, table.watch_key)
    assert not any(key in text_at(played, path) for key in keys)
    asked = text_at(played, path + "?add=watch")
    assert f"http://localhost/w/{table.watch_key}" in asked
    assert not any(key in asked for key in keys[:2])


class TestThePicture:
    def test_is_a_square_png(self, played: Player) -> None:
        answer = played.client.get(f"/t/{played.key}/matches/1/result.png")
        assert answer.mimetype == "image/png"
        assert size_of(answer.data) == (1080, 1080)

    def test_holds_score_names_game_and_no_key(self, played: Player) -> None:
        svg = svg_of(played)
        for told in ("Los jueves", "Chorizo", ">Ana<", ">Beto<", ">6<", ">3<"):
            assert told in svg.text
        with played.app.app_context():
            table = queries.table_by_key("play", played.key)
            assert table is not None
            assert not any(key in svg.text for key in (table.owner_key, table.play_key, table.watch_key))

    def test_takes_any_name_as_text(self, app: Flask) -> None:
        table = open_table(app, player__0="</text><script>&", player__1="فاطمة")
        table.close(**CLOSED)
        ElementTree.fromstring(svg_of(table).text)
        assert size_of(table.client.get(f"/t/{table.key}/matches/1/result.png").data) == (1080, 1080)

    @pytest.mark.parametrize("deals", [0, 2])
    def test_is_drawn_at_any_time_of_a_match(self, ana: Player, deals: int) -> None:
        for number in range(1, deals + 1):
            ana.close(number, **CLOSED)
        root = ElementTree.fromstring(svg_of(ana).text)
        lines = root.findall("{http://www.w3.org/2000/svg}polyline")
        assert len(lines) == (2 if deals > 1 else 0)
        assert len({line.get("stroke-dasharray") for line in lines}) == len(lines), "not told apart by colour alone"

    def test_finds_room_for_every_side(self, app: Flask) -> None:
        sides = 10
        names = {f"player__{seat}": f"Player number {seat}" for seat in range(sides)}
        table = open_table(app, game="free", shape=f"{sides}x1", **names)
        root = ElementTree.fromstring(svg_of(table).text)
        for box in root.findall("{http://www.w3.org/2000/svg}rect"):
            assert float(box.get("x", 0)) + float(box.get("width", 0)) <= 1080
            assert float(box.get("y", 0)) + float(box.get("height", 0)) <= 1080

    def test_tells_the_day_of_the_phone_and_not_that_of_utc(self, played: Player) -> None:
        days = set()
        for zone in ("Pacific/Pago_Pago", "Pacific/Kiritimati"):
            played.client.set_cookie("zone", zone)
            days.add(text_at(played, "/matches/1/text").splitlines()[0])
        played.client.set_cookie("zone", "tomorrow")
        assert text_at(played, "/matches/1/text")
        assert len(days) == 2, "25 hours apart are never one day"


@pytest.mark.parametrize("path", ["/text", "/result.png"])
def test_watchers_may_share_too_and_a_dead_link_may_not(played: Player, client: FlaskClient, path: str) -> None:
    with played.app.app_context():
        table = queries.table_by_key("play", played.key)
        assert table is not None
        watch = table.watch_key
    assert client.get(f"/w/{watch}/matches/1{path}").status_code == 200
    assert Page(client.get(f"/t/{'x' * 22}/matches/1{path}")).status == 404
