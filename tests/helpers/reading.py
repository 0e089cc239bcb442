"""Reads a page as a browser does: its visible words, and its forms with what they would post."""

from __future__ import annotations

from html.parser import HTMLParser

from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

VOID = {"input", "meta", "link", "img", "br", "hr", "path", "polyline", "use"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.forms: list[tuple[dict[str, str | None], MultiDict[str, str]]] = []
        self.inside: MultiDict[str, str] | None = None
        self.silent = 0
        self.select: str | None = None
        self.first_option: str | None = None
        self.buttons: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag in ("script", "style", "title"):
            self.silent += 1
        elif tag == "form":
            self.inside = MultiDict()
            self.forms.append((attributes, self.inside))
        elif tag == "select":
            self.select, self.first_option = attributes.get("name"), None
        elif tag == "option" and self.inside is not None and self.select:
            if self.first_option is None:
                self.first_option = attributes.get("value") or ""
                self.inside[self.select] = self.first_option
            if "selected" in attributes:
                self.inside[self.select] = attributes.get("value") or ""
        elif tag == "input" and self.inside is not None and attributes.get("name"):
            name, value, kind = str(attributes["name"]), attributes.get("value") or "", attributes.get("type") or "text"
            if kind in ("checkbox", "radio"):
                if "checked" in attributes:
                    self.inside.add(name, value if "value" in attributes else "y")
            else:
                self.inside.add(name, value)
        elif tag == "button" and attributes.get("name"):
            self.buttons.append((str(attributes["name"]), attributes.get("value") or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "title"):
            self.silent -= 1
        elif tag == "form":
            self.inside = None
        elif tag == "select":
            self.select = None

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.words.append(data)


def form_of(html: str, id: str) -> MultiDict[str, str]:
    """Return what the form of this id would post unchanged."""
    read = _Reader()
    read.feed(html)
    return next(data for attributes, data in read.forms if attributes.get("id") == id)


def forms_of(html: str) -> list[tuple[str, MultiDict[str, str]]]:
    """Return each form of a page: where it is sent to, and what it would post unchanged."""
    read = _Reader()
    read.feed(html)
    return [(attributes.get("action") or "", data) for attributes, data in read.forms]


class Page:
    """A page that a client received."""

    def __init__(self, response: TestResponse) -> None:
        self.status = response.status_code
        self.location = response.headers.get("Location", "")
        self.cookies = response.headers.getlist("Set-Cookie")
        self.html = response.text
        # As a server closes an answer that it has sent: what is done behind it is done then.
        response.close()
        self._read = _Reader()
        self._read.feed(self.html)

    @property
    def words(self) -> str:
        """The visible words, with single blanks between them."""
        return " ".join(" ".join(self._read.words).split())

    def form(self, id: str = "", action: str = "") -> MultiDict[str, str]:
        """Return what a form would post unchanged; it is named by its id, or the end of its address."""
        for attributes, data in self._read.forms:
            if (id and attributes.get("id") == id) or (action and (attributes.get("action") or "").endswith(action)):
                return data.copy()
        raise AssertionError(f"no form {id}{action} in: {self.words[:400]}")

    def has_form(self, id: str = "", action: str = "") -> bool:
        """Return whether there is such a form."""
        return any(
            (id and attributes.get("id") == id) or (action and (attributes.get("action") or "").endswith(action))
            for attributes, _data in self._read.forms
        )

    def buttons(self, name: str) -> list[str]:
        """Return the values of the buttons of that name."""
        return [value for button, value in self._read.buttons if button == name]
