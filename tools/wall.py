"""Make the files of ``tests/wall/v1`` anew: ``.venv/bin/python -m tools.wall``. After 1.0 nobody ever does.

A phone plays an evening of each family through the pages: corrections, a dispute, changed seats, lines of the table's
own, a result from paper. The table's file is saved as it is then. Another phone taps without signal, and its queue is
saved as it is sent. Beside them is what every later version must come to: the totals and the sheets, after the import
and after the push.
"""

from __future__ import annotations

import json
import re
import tempfile
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from werkzeug.datastructures import MultiDict

from scorekeeper.app import create_app
from scorekeeper.store.db import migrate_database
from tests.helpers.wall import QUEUE, RESULTS, TABLE, push, results_of
from tests.web.conftest import ON_TRUST, Player, agreed, join, open_table, with_fields

OWN = {"own_name-0": "napola", "own_points-0": "3", "own_how-0": "one", "own_name-1": "Re bello", "own_points-1": "2"}
OWN |= {"own_how-1": "count"}
PRIME = {
    f"best__{side}__{suit}": rank
    for side, ranks in (("A", "7762"), ("B", "6577"))
    for suit, rank in zip("OCEB", ranks, strict=True)
}
THEN = "2025-05-03"
"""The day of the evening in the file: no clock is before it."""


def main() -> None:
    """Play, and write the three files."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": folder, "SECRET_KEY": "s" * 40, "WTF_CSRF_ENABLED": False, "TESTING": True})
        migrate_database(app)
        ana = open_table(app, **{"opt-target": "41"})
        beto = join(app, ana, 2)
        play_chorizo(ana, beto)
        play_scopa(ana)
        play_escoba(ana)
        play_brisca(ana)
        play_carioca(ana)
        type_result(ana)
        play_pad(ana)
        file = of_then(ana.get("/table.json").html)
        imported = results_of(app, ana.key)
        queue = queue_of(ana)
        answers = push(app.test_client(use_cookies=False), ana.key, queue)
        assert set(answers) == {"written"}, answers
        results = {"imported": imported, "pushed": results_of(app, ana.key)}
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_text(file)
    QUEUE.write_text(of_then(as_text(queue)))
    RESULTS.write_text(as_text(results))
    print(f"{TABLE}: {len(file)} bytes; {QUEUE}: {len(queue)} entries; {RESULTS}")


def as_text(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def of_then(text: str) -> str:
    return text.replace(f"{datetime.now(UTC):%Y-%m-%d}T", f"{THEN}T")


def begin(phone: Player, **fields: Any) -> int:
    """Start the next match, and return its number."""
    path = f"/t/{phone.key}/matches/new"
    answer = phone.client.post(
        path, data=agreed(phone.client, path, **{"player__0": "Ana", "player__1": "Beto", **fields})
    )
    assert answer.status_code == 303, re.findall(r'class="error"[^<]*<[^<]*', answer.text)
    return int(re.search(r'data-deal="(\d+)', phone.get().html)[1])  # type: ignore[index]


def closed(phone: Player, deal: int, match: int, **fields: Any) -> None:
    answer = phone.close(deal, match, **fields)
    assert answer.status == 303, (match, deal, answer.words)


def say(phone: Player, what: str, side: str, deal: int, **more: Any) -> str:
    """Say something about the closing that counts, and return the id of the entry."""
    state = phone.standing().state.closed_deal(deal)
    assert state is not None
    assert state.closed is not None
    told = {"id": str(uuid4()), "entry": state.closed.id, "side": side, **more}
    assert phone.post(f"{phone.deal(deal)}/{what}", told).status == 303, what
    return str(told["id"])


def undo(phone: Player, match: int) -> None:
    last = phone.entries(match)[-1].id
    assert phone.post(f"/matches/{match}/undo/{last}", {"id": str(uuid4())}).status == 303


def play_chorizo(ana: Player, beto: Player) -> None:
    """Sweeps, one taken back; declared cards; a correction; a dispute that is settled; a deal that is agreed."""
    assert ana.hold(1).status == 303
    trust = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
    for side in "AAB":
        ana.sweep(side)
    undo(ana, 1)
    ana.declare("B", "1C", "2C", "3C")
    closed(ana, 1, 1, **trust)
    closed(ana, 1, 1, **{**trust, "award__coins": "A"})
    say(beto, "accept", "B", 1)
    piles = {"pile__A": ["7O", "1O", "2O", "2B", "7C", "6C"], "count__cards__A": "21", "count__coins__A": "6"}
    closed(ana, 2, 1, **{**piles, "award__prime": "A"})
    say(beto, "dispute", "B", 2, line="prime")
    assert beto.close(2, 1, **{**piles, "award__prime": "B"}).status == 303
    asked = beto.entries()[-1]
    say(ana, "proposal/accept", "A", 2, asked=asked.id)
    closed(ana, 3, 1, **PRIME, **{name: value for name, value in trust.items() if name != "award__prime"})


def play_scopa(ana: Player) -> None:
    """Lines of the table's own, and a match that the table stops."""
    match = begin(ana, game="scopa", **OWN)
    said = {"award__cards": "A", "award__coins": "B", "award__seven_of_coins": "A", "award__prime": "B"}
    closed(ana, 1, match, **said, award__own_1="A", **{"own_2-B": "2"})
    closed(ana, 2, match, count__cards__A="25", count__coins__A="4", others="A")
    assert ana.stop(match, leader=True).status == 303


def play_escoba(ana: Player) -> None:
    """Two pairs, and a player who takes the seat of another."""
    match = begin(ana, game="escoba", shape="2x2", player__2="Cata", player__3="Dani")
    ana.sweep("B", 1, match)
    counted = {"count__cards__A": "23", "count__coins__A": "5", "count__sevens__A": "3", "award__seven_of_coins": "A"}
    closed(ana, 1, match, **counted)
    form = ana.get(f"/matches/{match}/people").form(action="/substitute")
    path = f"/matches/{match}/deals/2/substitute"
    assert ana.post(path, {**form, "newcomer": "Eva", "seat": "1"}).status == 303
    closed(ana, 2, match, **counted)


def play_brisca(ana: Player) -> None:
    """Points of cards, and one deal told by who won."""
    match = begin(ana, game="brisca")
    closed(ana, 1, match, **{"card_points-A": "70", "trump": "C"})
    closed(ana, 2, match, **{"card_points-B": "101"})
    closed(ana, 3, match, winner="B")


def play_carioca(ana: Player) -> None:
    """Three players, cards left in hands, and points that the table adds."""
    match = begin(ana, game="carioca", shape="3x1", player__2="Cata")
    closed(ana, 1, match, **{"went_out": "A", "left_points-B": "25", "left_points-C": "41"})
    form = ana.get(f"/matches/{match}/deals/2/adjust").form(action="/adjust")
    told = with_fields(form, {"side": "C", "points": "20", "reason": "Cards shown"})
    assert ana.post(f"/matches/{match}/deals/2/adjust", told).status == 303
    closed(ana, 2, match, **{"went_out": "C", "left_points-A": "10", "left_points-B": "5"})


def type_result(ana: Player) -> None:
    """A result from paper."""
    path = "/matches/paper"
    form = ana.post(
        path, with_fields(ana.get(path).form("paper"), {"game": "brisca", "shape": "2x1", "step": "refresh"})
    )
    told = {"day": THEN, "player-0": "Ana", "player-1": "Beto", "points-0": "3", "points-1": "1", "step": "save"}
    assert ana.post(path, with_fields(form.form("paper"), told)).status == 303


def play_pad(ana: Player) -> None:
    """Three players of whom one leaves, and one who comes in later."""
    match = begin(ana, game="free", shape="3x1", player__2="Cata", game_name="Truco")
    closed(ana, 1, match, **{"points-A": "12", "points-B": "-3", "points-C": "0"})
    table = ana.client
    entered = tapped("entered", match, 2, newcomer="Dora", points="4")
    left = tapped("left", match, 2, side="B")
    assert push(table, ana.key, [entered, left]) == ["written", "written"]
    closed(ana, 2, match, **{"points-A": "1", "points-C": "7", "points-D": "5"})


def tapped(kind: str, match: int, deal: int, **fields: str | list[str]) -> dict[str, Any]:
    """Return an entry as a phone's queue keeps it."""
    values = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"id": str(uuid4()), "match": match, "kind": kind, "deal": deal, "fields": values, "at": at}


def form_of(form: MultiDict[str, str], kind: str, match: int, deal: int, **fields: Any) -> dict[str, Any]:
    """Return a drawn form, filled in, as a phone's queue keeps it."""
    told = with_fields(form, {name.replace("__", "-"): value for name, value in fields.items()})
    kept = {name: values for name, values in told.lists() if name not in ("id", "seq", "csrf_token")}
    return {**tapped(kind, match, deal, **kept), "drawn_from": int(form["seq"])}


def queue_of(ana: Player) -> list[dict[str, Any]]:
    """Return what a phone without signal has tapped: in a chorizo, and on the pad that is being played."""
    sweeps = [tapped("swept", 1, 4, side="B") for _tap in range(2)]
    closing = form_of(ana.closing(4, 1), "deal_closed", 1, 4, **ON_TRUST, **{"sweeps-B": "2"})
    closing["counted"] = [sweep["id"] for sweep in sweeps]
    next_deal = tapped("swept", 1, 5, side="A")
    pad = 7
    points = form_of(ana.closing(3, pad), "deal_closed", pad, 3, **{"points-A": "2", "points-C": "0", "points-D": "9"})
    return [
        *sweeps,
        closing,
        next_deal,
        tapped("voided", 1, 5, entry=next_deal["id"]),
        points,
        tapped("adjusted", pad, 4, side="A", points="5", reason="A head start"),
        tapped("match_noted", pad, 4, note="At the club", stakes=""),
    ]


if __name__ == "__main__":
    main()
