"""A phone at a table: it reads pages and posts their forms, so that what it writes is what pages write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from flask import Flask
from werkzeug.datastructures import MultiDict

from ..helpers.reading import Page

Facts = Mapping[str, Any]
Fields = Mapping[str, Any]
NOBODY = "nobody"


def filled(form: MultiDict[str, str], fields: Fields) -> MultiDict[str, str]:
    """Return a form with fields filled in; a list ticks several, None leaves a field out."""
    data = MultiDict(form)
    for name, value in fields.items():
        data.poplist(name)
        if value is not None:
            data.setlist(name, [str(one) for one in value] if isinstance(value, list) else [str(value)])
    return data


def closing_fields(facts: Facts) -> dict[str, Any]:
    """Return what the closing form of a fishing game is filled with to tell these facts."""
    fields: dict[str, Any] = {}
    for item, told in facts.get("awards", {}).items():
        fields[f"award-{item}"] = NOBODY if told is None else "+".join(told) if isinstance(told, list) else told
    for label, counts in facts.get("counts", {}).items():
        fields.update({f"count-{kind}-{label}": number for kind, number in counts.items()})
    fields.update({f"sweeps-{label}": number for label, number in facts.get("sweeps", {}).items()})
    fields.update({f"pile-{label}": list(cards) for label, cards in facts.get("piles", {}).items()})
    if facts.get("leftover"):
        fields["pile-left"] = list(facts["leftover"])
    for name, field in (("rest", "rest"), ("last_capturer", "last_capturer"), ("layout_result", "opening")):
        if facts.get(name):
            fields[field] = facts[name]
    if facts.get("layout"):
        fields["layout"] = list(facts["layout"])
    if facts.get("declarations"):
        fields["declaration"] = [json.dumps(one, sort_keys=True) for one in facts["declarations"]]
    if facts.get("penalties"):
        fields["penalty"] = [f"{one['item']}:{one['side']}" for one in facts["penalties"]]
    fields.update({f"as-{card}": given.rstrip("OCEB") for card, given in facts.get("as", {}).items()})
    if facts.get("accept"):
        fields["accept"] = list(facts["accept"])
    return fields


class Phone:
    """Somebody's phone, with its cookie."""

    def __init__(self, app: Flask) -> None:
        self.app, self.client = app, app.test_client()

    @property
    def cookie(self) -> str:
        """The cookie as it stands."""
        found = self.client.get_cookie("scorekeeper")
        return found.value if found else ""

    def get(self, path: str) -> Page:
        """Open a page."""
        return Page(self.client.get(path))

    def form(self, path: str, id: str = "", action: str = "", **fields: Any) -> MultiDict[str, str]:
        """Open a page and fill in one of its forms; ``award__cards`` is the field ``award-cards``."""
        named = {name.replace("__", "-"): value for name, value in fields.items()}
        return filled(self.get(path).form(id, action), named)

    def post(self, path: str, data: Any, expect: int | None = 303, **how: Any) -> Page:
        """Post a form; anything but the expected status is a fault of this script."""
        page = Page(self.client.post(path, data=data, **how))
        if expect is not None and page.status != expect:
            faults = re.findall(r'class="error"[^>]*>([^<]*)', page.html)
            raise AssertionError(f"{path}: {page.status} {faults or page.words[:300]} {dict(data)}")
        return page

    def agreed(self, path: str, names: list[str], options: Fields | None = None, **chosen: Any) -> MultiDict[str, str]:
        """Fill in the form of a new match (or table): the game first, as what else is asked follows from it."""
        form = self.form(path, "agree")
        if chosen:
            picked = {name: value for name, value in chosen.items() if name in ("game", "preset", "shape")}
            drawn = self.post(path, filled(form, {**picked, "step": "refresh"}), 200)
            form = drawn.form("agree")
        fields: dict[str, Any] = {f"player-{seat}": name for seat, name in enumerate(names)}
        for option, value in (options or {}).items():
            fields[f"opt-{option}"] = value
        others = {name: value for name, value in chosen.items() if name not in ("game", "preset", "shape")}
        return filled(form, {**fields, **others, "step": "save"})


class Evening:
    """A table and the phone that opened it; ``match`` is the match being played."""

    def __init__(self, phone: Phone, key: str) -> None:
        self.phone, self.key, self.match = phone, key, 1

    @classmethod
    def opened(
        cls, phone: Phone, names: list[str], options: Fields | None = None, table_name: str = "", **chosen: Any
    ) -> Evening:
        """Open a table with its first match."""
        form = phone.agreed("/tables/new", names, options, table_name=table_name, **chosen)
        page = phone.post("/tables/new", form)
        evening = cls(phone, page.location.removeprefix("/t/"))
        # The page that says once where the owner's page is.
        phone.get(page.location)
        return evening

    def by(self, phone: Phone) -> Evening:
        """Return the same table and match on another phone."""
        other = Evening(phone, self.key)
        other.match = self.match
        return other

    def path(self, rest: str = "") -> str:
        """Return an address below the table's link."""
        return f"/t/{self.key}{rest}"

    def of(self, rest: str = "") -> str:
        """Return an address of the match."""
        return self.path(f"/matches/{self.match}{rest}")

    def deal(self, number: int, rest: str = "") -> str:
        """Return an address of a deal."""
        return self.of(f"/deals/{number}{rest}")

    def start(self, names: list[str], options: Fields | None = None, **chosen: Any) -> None:
        """Start another match at the table."""
        self.phone.post(
            self.path("/matches/new"), self.phone.agreed(self.path("/matches/new"), names, options, **chosen)
        )
        self.match += 1

    def rematch(self) -> None:
        """Start the match again that is over."""
        self.phone.post(self.of("/rematch"), self.phone.form(self.path(), action=self.of("/rematch")))
        self.match += 1

    def end(self) -> None:
        """Stop the match."""
        self.phone.post(self.of("/end"), self.phone.form(self.path(), action=self.of("/end")))

    def sweep(self, deal: int, side: str, count: int = 1) -> str:
        """Tap a sweep; return the id of its entry."""
        form = self.phone.form(self.path(), action=self.deal(deal, "/sweep"), side=side)
        self.phone.post(self.deal(deal, "/sweep"), filled(form, {"count": count} if count > 1 else {}))
        return str(form["id"])

    def undo(self, entry: str, expect: int = 303) -> None:
        """Take an entry back."""
        form = self.phone.form(self.path("/phone"), action="/phone")
        self.phone.post(self.of(f"/undo/{entry}"), form, expect)

    def declare(self, deal: int, side: str, *cards: str, expect: int | None = 303, **fields: Any) -> Page:
        """Declare a hand."""
        path = self.deal(deal, "/declare")
        form = self.phone.form(path, "declare", side=side, cards=list(cards), step="save", **fields)
        return self.phone.post(path, form, expect)

    def layout(self, deal: int, *cards: str, told: str = "") -> None:
        """Note the opening cards, or what they come to."""
        path = self.deal(deal, "/layout")
        fields: dict[str, Any] = {"told": told} if told else {"cards": list(cards), "step": "save"}
        self.phone.post(path, self.phone.form(path, "layout", **fields))

    def penalty(self, deal: int, item: str, side: str) -> None:
        """Note a penalty."""
        path = self.deal(deal, "/penalty")
        self.phone.post(path, self.phone.form(path, action=path, penalty=f"{item}:{side}"))

    def closing(self, deal: int, facts: Facts | None = None, **fields: Any) -> MultiDict[str, str]:
        """Fill in the closing form of a deal; that the others have no card is said with who has all."""
        sure = {"sure": facts["rest"]} if facts and "rest" in facts else {}
        told = {
            **sure,
            **closing_fields(facts or {}),
            **{name.replace("__", "-"): value for name, value in fields.items()},
        }
        return filled(self.phone.get(self.deal(deal, "/close")).form("closing"), {**told, "step": "save"})

    def close(self, deal: int, facts: Facts | None = None, expect: int | None = 303, **fields: Any) -> Page:
        """Close (or correct) a deal."""
        return self.phone.post(self.deal(deal, "/close"), self.closing(deal, facts, **fields), expect)

    def say(self, deal: int, what: str, side: str, expect: int = 303, **fields: Any) -> str:
        """Say something about a closed deal on its sheet (``/accept``, ``/dispute`` …); return the entry's id."""
        path = self.deal(deal, what)
        form = self.phone.form(self.deal(deal), action=path, side=side, **fields)
        self.phone.post(path, form, expect)
        return str(form["id"])

    def speak_for(self, side: str) -> None:
        """Say which side this phone is with."""
        self.phone.post(self.of("/speaks"), self.phone.form(self.path("/phone"), action="/phone", side=side))
