"""Every message of the pages, filled in as a table would see it: one person, a pair, long names, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from babel.messages.extract import extract_from_dir
from babel.support import NullTranslations

from scorekeeper.config import ROOT

from ..browser.walk.words import catalogue

METHODS = [("**.py", "python"), ("**.html", "jinja2"), ("**.txt", "jinja2"), ("**.svg", "jinja2")]
PLACEHOLDER = re.compile(r"%\((\w+)\)([sdg])")
LONG = "Maximiliano-Washington de los Santos Paz"
PEOPLE: Mapping[str, Mapping[str, str]] = {
    "one": {"en": "Beto", "es": "Beto"},
    "a woman": {"en": "Ana", "es": "Ana"},
    "a pair": {"en": "Ana and Leo", "es": "Ana y Leo"},
    "a long name": {"en": LONG, "es": LONG},
}
"""Who a sentence may be about."""
NAMED = {"name", "names", "owner", "other", "who", "former", "dealer", "side", "sides", "winner", "author"}
THINGS: Mapping[str, Mapping[str, str]] = {
    "item": {"en": "sweeps", "es": "escobas"},
    "items": {"en": "cards and coins", "es": "cartas y oros"},
    "kind": {"en": "sevens", "es": "sietes"},
    "card": {"en": "7 of coins", "es": "7 de oros"},
    "cards": {"en": "7 of coins, 6 of cups", "es": "7 de oros, 6 de copas"},
    "suit": {"en": "cups", "es": "copas"},
    "game": {"en": "Scopa", "es": "Scopa"},
    "totals": {"en": "18–16", "es": "18–16"},
    "time": {"en": "23:05", "es": "23:05"},
}
"""What else a sentence may speak of; what is not here is shown as its own name in brackets."""
NUMBERS = (0, 1, 2, -5)


@dataclass(frozen=True)
class Message:
    """A message of the pages: where it stands, and what it is in English, for one and for many."""

    place: str
    one: str
    many: str = ""

    def placeholders(self) -> dict[str, str]:
        """Return what is filled in, each with its type."""
        return dict(PLACEHOLDER.findall(self.one) + PLACEHOLDER.findall(self.many))


@cache
def messages() -> tuple[Message, ...]:
    """Return every message once, at the first place that has it."""
    found: dict[str, Message] = {}
    for folder in ("templates", "scorekeeper"):
        for file, _line, message, _comments, _context in extract_from_dir(ROOT / folder, METHODS):
            one, many = (message[0], message[1]) if isinstance(message, tuple) else (message, "")
            place = "/".join(file.split("/")[:-1]) or file
            found.setdefault(one, Message(f"{folder}/{place}", one, many or ""))
    return tuple(found.values())


def said(message: Message, language: str, number: int = 2) -> str:
    """Return the message in a language as it stands, with its placeholders; ``number`` chooses between one and many."""
    translations: NullTranslations = catalogue(language)
    if message.many:
        return str(translations.ungettext(message.one, message.many, number))
    return str(translations.ugettext(message.one))


def filled(message: Message, language: str) -> Iterator[str]:
    """Yield the message with each example that it can be filled in with."""
    kinds = message.placeholders()
    is_of_people = any(name in NAMED for name in kinds)
    numbers = NUMBERS if any(kind in "dg" for kind in kinds.values()) or message.many else (2,)
    seen = set()
    for person in PEOPLE if is_of_people else ("one",):
        for number in numbers:
            if message.many and is_of_people and "num" not in kinds:
                # How many people the name stands for chooses the verb.
                number = 2 if person == "a pair" else 1
            text = said(message, language, number)
            values = {name: _value(name, kind, language, person, number) for name, kind in kinds.items()}
            sentence = text % {**values, "num": number} if PLACEHOLDER.search(text) else text.replace("%%", "%")
            if sentence not in seen:
                seen.add(sentence)
                yield sentence


def _value(name: str, kind: str, language: str, person: str, number: int) -> str | int:
    if kind in "dg":
        return number
    base = language.split("_")[0]
    if name in NAMED:
        return PEOPLE[person][base]
    return THINGS[name][base] if name in THINGS else f"⟨{name}⟩"
