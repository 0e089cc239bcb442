"""An evening at a table with a screen reader: each step is done by keys, and printed with what is spoken on it."""

from __future__ import annotations

import json
import urllib.request
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from tests.helpers.reading import form_of, forms_of

from .desk import LOADED, Desk

FAR = 40
"""So many controls on, and one that was not heard is not there."""


class Missed(Exception):
    """A step of the evening did not find what it looked for."""


class OtherPhone:
    """A phone beside the desk, without a screen."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def open_table(self, *names: str, **fields: str) -> str:
        """Open a table for these players; return its address."""
        page = self._ask(f"/tables/new?{urlencode(fields)}")
        data = form_of(page.read().decode(), "agree")
        for seat, name in enumerate(names):
            data[f"player-{seat}"] = name
        data["step"] = "save"
        self.table = self._ask("/tables/new", urlencode(list(data.items(multi=True))).encode()).geturl()
        return self.table

    def sweeps(self, side: str) -> None:
        """Note a sweep of a side in deal 1."""
        self.push("swept", {"side": [side]})

    def undoes_last(self) -> None:
        """Take the newest entry back."""
        self.push("voided", {"entry": [self._entries()[-1]["id"]]})

    def is_held_by(self, player: str) -> None:
        """Say that a player, by the number of the seat, holds this phone."""
        self._press(f"/t/{self._key}/phone", "/phone", "holder", player)

    def says(self, way: str, side: str) -> None:
        """Answer the closing of deal 1 for a side, by the form of its sheet that is sent this way."""
        self._press(f"/t/{self._key}/matches/1/deals/1", f"/{way}", "side", side)

    def push(self, kind: str, fields: dict[str, list[str]]) -> None:
        """Write an entry of match 1, as its form would."""
        entry = {"id": str(uuid4()), "match": 1, "deal": 1, "kind": kind, "fields": fields}
        (told,) = self._api("entries", {"table": self._key, "entries": [entry]})["answers"]
        assert told["status"] == "written", told

    @property
    def _key(self) -> str:
        return self.table.rpartition("/")[2]

    def _entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._api("entries?match=1")["entries"]
        return found

    def _api(self, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        asked = urllib.request.Request(
            f"{self._server}/api/v1/{path}", json.dumps(body).encode() if body else None, headers
        )
        with self._opener.open(asked) as answer:
            return json.load(answer)

    def _press(self, page: str, way: str, name: str, value: str) -> None:
        """Send a form of a page, whose address ends this way, by one of its buttons."""
        forms = forms_of(self._ask(page).read().decode())
        found = [(action, data) for action, data in forms if action.endswith(way)]
        if not found:
            raise Missed(f"{page} has no form that is sent to {way}")
        ((address, data), *_others) = found
        self._ask(address, urlencode([*data.items(multi=True), (name, value)]).encode())

    def _ask(self, path: str, body: bytes | None = None) -> Any:
        return self._opener.open(urllib.request.Request(self._server + path, body, {"Origin": self._server}))


class Evening:
    """Steps at the desk, printed as they are taken."""

    def __init__(self, desk: Desk, other: OtherPhone, server: str) -> None:
        self.desk, self.other, self.server = desk, other, server
        self.missed: list[str] = []

    def tell(self, done: str, said: list[str]) -> list[str]:
        """Print a step with what was spoken; return that."""
        print(f"{done}\n    {' · '.join(said) or '(silence)'}", flush=True)
        return said

    def goes(self, address: str) -> None:
        """Open an address."""
        self.desk.press("ctrl+l")
        self.desk.write(address)
        said = self.desk.press("Return")
        if not any(one.startswith(LOADED) for one in said):
            said += self.desk.hear(LOADED)
        self.tell(f"opens {address}", said + self.desk.listen())

    def presses(self, *keys: str, times: int = 1) -> None:
        """Press these keys so many times over, each as a step of its own."""
        for _time in range(times):
            for key in keys:
                self.tell(f"[{key}]", self.desk.press(key))

    def writes(self, text: str) -> None:
        """Type a text into the control that has the focus."""
        self.tell(f"writes {text}", self.desk.write(text))

    def to(self, words: str, key: str = "Tab") -> None:
        """Go on by a key until these words are spoken."""
        for number in range(1, FAR):
            said = self.desk.press(key)
            if words in " · ".join(said):
                self.tell(f"[{key}] {number} times, to “{words}”", said)
                return
        raise Missed(f"“{words}” was not heard on {FAR} controls")

    def does(self, words: str, key: str = "Return") -> None:
        """Go to a control and press it."""
        self.to(words)
        self.presses(key)

    def hears(self, what: str, first: float = 5) -> None:
        """Hear what comes by itself, after something that the other phone has done."""
        self.tell(f"(the other phone: {what})", self.desk.listen(first))

    def reads(self, times: int) -> None:
        """Read on by the arrow, line by line."""
        self.presses("Down", times=times)
