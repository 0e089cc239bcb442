"""What the QR codes say: each the address of its own link. The one to watch must never let anybody write."""

from __future__ import annotations

import re

from scorekeeper.store import queries
from scorekeeper.store.models import Table

from ...helpers.codes import Squares, drawn_in_png, drawn_in_svg, squares_of
from ..conftest import Player

LINKS = {"owner": "o", "play": "t", "watch": "w"}


def key_of(player: Player, link: str) -> str:
    with player.app.app_context():
        table = queries.table_by_play_key(player.key)
        assert isinstance(table, Table)
        return str(getattr(table, f"{link}_key"))


def squares_of_link(player: Player, link: str) -> Squares:
    """Return the squares of the whole address of a link, written out here."""
    return squares_of(f"http://localhost/{LINKS[link]}/{key_of(player, link)}")


def codes_on(html: str) -> list[str]:
    """Return the addresses of the codes on a page, in their order."""
    return re.findall(r'<p class="qr"><img src="([^"]+)"', html)


def test_each_code_of_the_owner_says_its_own_link(ana: Player) -> None:
    codes = f"/o/{key_of(ana, 'owner')}/qr"
    for link in LINKS:
        assert drawn_in_svg(ana.client.get(f"{codes}/{link}.svg").text) == squares_of_link(ana, link), link
        assert drawn_in_png(ana.client.get(f"{codes}/{link}.png").data) == squares_of_link(ana, link), link


def test_the_owners_page_shows_beside_each_address_its_code_and_saves_the_same(ana: Player) -> None:
    html = ana.client.get(f"/o/{key_of(ana, 'owner')}").text
    shown = list(dict.fromkeys(re.findall(r"http://localhost/([otw])/", html)))
    codes = [drawn_in_svg(ana.client.get(path).text) for path in codes_on(html)]
    saved = [drawn_in_png(ana.client.get(path).data) for path in re.findall(r'href="([^"]+\.png)" download', html)]
    links = [next(link for link, letter in LINKS.items() if letter == found) for found in shown]
    assert sorted(links) == sorted(LINKS)
    assert codes == saved == [squares_of_link(ana, link) for link in links]


def test_the_page_of_the_links_shows_the_code_to_play_and_the_code_to_watch(ana: Player) -> None:
    codes = [drawn_in_svg(ana.client.get(path).text) for path in codes_on(ana.get("/share").html)]
    assert codes == [squares_of_link(ana, "play"), squares_of_link(ana, "watch")]


def test_a_watcher_is_drawn_the_code_to_watch_and_none_to_play(ana: Player) -> None:
    key = key_of(ana, "watch")
    watcher = ana.app.test_client()
    assert drawn_in_svg(watcher.get(f"/w/{key}/watch.svg").text) == squares_of_link(ana, "watch")
    assert watcher.get(f"/w/{key}/qr.svg").status_code == 403
