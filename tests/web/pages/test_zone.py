"""The time zone of a table, on its owner's pages."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest

from scorekeeper.store import queries

from ...helpers.reading import Page
from ..conftest import Player


def at(player: Player) -> tuple[str, str | None]:
    """Return the owner's key of the table, and its zone."""
    with player.app.app_context():
        table = queries.table_by_key("play", player.key)
        assert table is not None
        return table.owner_key, table.zone


def change(player: Player, zone: str) -> Page:
    return Page(player.client.post(f"/o/{at(player)[0]}/zone", data={"id": str(uuid4()), "zone": zone}))


def test_the_owners_page_says_the_zone_and_the_time_in_it(ana: Player) -> None:
    assert "Not set yet" in Page(ana.client.get(f"/o/{at(ana)[0]}")).words
    change(ana, "America/Montevideo")
    assert re.search(r"America/Montevideo, now \d\d:\d\d", Page(ana.client.get(f"/o/{at(ana)[0]}")).words)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("montevideo", "America/Montevideo"),
        (" buenos  aires ", "America/Argentina/Buenos_Aires"),
    ],
)
def test_a_zone_is_called_by_its_name_or_its_city(ana: Player, typed: str, zone: str) -> None:
    assert change(ana, typed).status == 303
    assert at(ana)[1] == zone


@pytest.mark.parametrize("typed", ["", "../etc/passwd", "x" * 500])
def test_what_is_no_zone_is_refused_and_stays_in_its_field(ana: Player, typed: str) -> None:
    answer = change(ana, typed)
    assert answer.status == 422
    assert "No zone is called so" in answer.words
    assert f'value="{typed[:80]}"' in answer.html
    assert at(ana)[1] is None


def test_the_phones_own_zone_is_offered_first_where_it_is_another(ana: Player) -> None:
    ana.client.set_cookie("zone", "America/Bogota")
    page = Page(ana.client.get(f"/o/{at(ana)[0]}/zone"))
    assert "As this phone: America/Bogota" in page.words
    change(ana, "America/Bogota")
    assert "As this phone" not in Page(ana.client.get(f"/o/{at(ana)[0]}/zone")).words
