"""Styles that a slow phone can follow.

Where a rule has ``:has(…)`` before the last part, a browser looks after each tap again at every element that the last
part may name, wherever it stands: so it names it by a class, an id or an attribute. One ``> *`` is the whole page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.assets import BUNDLES

ROOT = Path(__file__).parents[2]
SELECTORS = re.compile(r"([^{}]+)\{")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAMED = re.compile(r"[.#\[]")
FEW = {"main", "h1", "bdi", "small", "b"}
"""Elements of which a page has few."""
STYLES = (*BUNDLES["css/pages.css"], *BUNDLES["css/more.css"])


def split(text: str, separators: str) -> list[str]:
    """Split a selector where no bracket is open."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter in separators:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def without_conditions(part: str) -> str:
    """Return a part without what it must have or must not be: that names no element by itself."""
    while (found := re.search(r":(?:has|not)\(", part)) is not None:
        depth, end = 1, found.end()
        while depth:
            depth += (part[end] == "(") - (part[end] == ")")
            end += 1
        part = part[: found.start()] + part[end:]
    return part


def subjects(style: str) -> Iterator[tuple[str, str]]:
    """Yield the element that each rule behind a ``:has`` styles, with the rule."""
    for selectors in SELECTORS.findall(COMMENT.sub("", style)):
        for selector in split(selectors, ","):
            *before, last = split(selector, " >+~") or [""]
            if any(":has(" in part for part in before) and not selector.startswith("@"):
                yield without_conditions(last), selector


def test_what_a_tap_may_change_is_named() -> None:
    for subject, selector in subjects("".join((ROOT / "static" / name).read_text() for name in STYLES)):
        choices = split(subject[len(":is(") : -1], ",") if subject.startswith(":is(") else [subject]
        assert all(NAMED.search(choice) or choice.partition(":")[0] in FEW for choice in choices), selector


@pytest.mark.parametrize(
    ("rule", "named"),
    [
        (".a:has(.b) > *", "*"),
        ("body:has(.b) .c:not(.d)", ".c"),
        (":is(.a, .b:has(:checked)) .c", ".c"),
        (".a .b:has(.c)", None),
    ],
)
def test_the_element_that_a_rule_styles_is_found(rule: str, named: str | None) -> None:
    assert next((subject for subject, _rule in subjects(rule + " { color: red; }")), None) == named
