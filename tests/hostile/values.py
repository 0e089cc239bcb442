"""Values that no honest phone sends, and where they are put."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

NUMBERS = (
    "-1",
    "0",
    "41",
    "100001",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "9" * 30,
    "1e9",
    "0x10",
    "1.5",
    "+1",
    " 1 ",
    "NaN",
    "²",
    "٣",
    "1_0",
)
TEXTS = (
    "",
    " ",
    "\0",
    "A\0",
    "\x01\x1b[31m",
    "Ana\u202e",
    "\u200b",
    "\u3164",
    "\ufffe",
    "e\u0301" * 30,
    "😀" * 20,
    "漢字" * 15,
    "x" * 41,
    "x" * 3000,
    '"><script>alert(1)</script>',
    "{{ 7 * 7 }}{% raw %}",
    "%s%n%00",
    "../../etc/passwd",
    "' OR 1=1 --",
    "null",
    "true",
    "nobody",
    "A+B",
    "A+A+A",
    "Z",
    "a",
    "7O",
    "7o",
    "12B",
    "8O",
    "7O 7O",
    "X",
    "K 5 A",
    "cards",
    "sum15",
    "\ud800",
)
JSON_TEXTS = (
    "[" * 3000,
    "{}",
    "[]",
    "7",
    '{"side":"A"}',
    '{"side":"A","items":7}',
    '{"side":"A","cards":{"a":1}}',
    r'{"side":"\ud800","cards":["1B","2B","3B"]}',
    '{"side":["A"],"items":["flush"]}',
    '{"side":"A","cards":["1B","2B","3B"],"as":[]}',
    '{"side":"A","cards":["1B","2B","3B"],"batch":1e400}',
    '{"side":"A","cards":[["1B"],null,7],"items":[{}]}',
)
LISTS = (["1O"] * 60, ["1O", "1O"], ["7O", "zz", ""], ["flush"] * 60, ["{}"] * 45, ["A", "B"])
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    -0.0,
    1e308,
    10**19,
    2**31,
    2**63,
    [],
    {},
    [[]],
    [None],
    [7],
    ["7O"],
    ["7O", "7O"],
    ["1O"] * 150,
    ["A", "A"],
    {"A": None},
    {"A": []},
    {"A": {"cards": -1}},
    {"Z": ["7O"]},
    {"\ud800": "\ud800"},
    {"A": "1"},
    [[[[[[[[[[[[]]]]]]]]]]]],
    {"a": {"a": {"a": {"a": {"a": {}}}}}},
)
HEADERS = (
    {"HX-Request": "true"},
    {"HX-Request": "true", "HX-Target": "verdict"},
    {"HX-Request": "true", "HX-History-Restore-Request": "true"},
    {"Accept-Language": "es;q=0.1,\xff;q=9"},
    {"Accept-Language": ",".join(["x"] * 500)},
    {"Accept-Encoding": "br;q=-1, gzip;q=abc"},
    {"If-None-Match": '"' * 100},
    {"Range": "bytes=0-0,1-1,2-2"},
    {"Last-Event-ID": "\x7f" * 50},
    {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://[", "Referer": "http://]"},
    {"Authorization": "Bearer \xff"},
    {"Cookie": "scorekeeper=" + "." * 200 + "; language=zz"},
    {"X-Forwarded-For": "1.2.3.4", "X-Forwarded-Host": "evil.example"},
    {"X-HTTP-Method-Override": "DELETE"},
)


def a_text(random: Random) -> str:
    """Return a hostile text of a form or an address."""
    return random.choice(random.choice((NUMBERS, TEXTS, JSON_TEXTS)))


def a_field(random: Random) -> str | list[str]:
    """Return what stands in a field of a form: a text, or more of them than the field has."""
    return random.choice(LISTS) if random.random() < 0.15 else a_text(random)


def a_value(random: Random) -> Any:
    """Return a hostile value of JSON."""
    return random.choice(VALUES) if random.random() < 0.6 else a_text(random)


OF_A_KIND: dict[type, tuple[Any, ...]] = {
    bool: (True, False),
    int: (0, -1, 3, 40, 41, 120, 100_001, 2**31, 2**63, 10**19),
    str: ("", "A", "B", "Z", "a", "7O", "7o", "12B", "8O", "O", "K", "free", "none", "flush", "x" * 3000, "A\0", "²"),
    list: ([], ["A"], ["7O"], ["7O", "7O"], ["1O"] * 150, ["flush"] * 60, ["zz"], ["1O", "2O", "3O", "4O"]),
    dict: ({}, {"A": 0}, {"A": 1, "B": 39}, {"Z": 1}, {"A": ["7O"]}, {"7O": "1O"}),
}
"""Hostile values of the kind that is asked for: they get past whoever only looks at the kind."""


def one_like(value: Any, random: Random) -> Any:
    """Return a hostile value in the place of one, more often than not of its kind."""
    alike = OF_A_KIND.get(type(value))
    return random.choice(alike) if alike and random.random() < 0.7 else a_value(random)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where each value inside a value of JSON stands."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield (*path, name)
        yield from places(one, (*path, name))


def with_one_changed(body: Any, random: Random) -> tuple[Any, str]:
    """Return a body in which one value is another one, or its name is; and which, in words."""
    changed = deepcopy(body)
    *path, last = random.choice(list(places(changed)))
    inside = changed
    for name in path:
        inside = inside[name]
    where = ".".join(str(name) for name in (*path, last))
    if isinstance(inside, dict) and random.random() < 0.1:
        name = random.choice(TEXTS)
        inside[name] = inside.pop(last)
        return changed, f"{where} is called {name!r}"
    inside[last] = one_like(inside[last], random)
    return changed, f"{where} is {inside[last]!r}"
