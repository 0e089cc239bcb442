"""The bounds that docs/contract.md promises, written out: a bound that is compared with itself holds at any value."""

from __future__ import annotations

from pathlib import Path

from scorekeeper import limits
from scorekeeper.rules import schema

PAGE = Path(__file__).parents[2] / "docs" / "contract.md"
PROMISED = {
    "MOST_ITEMS": (200, "Lists may have 200 entries"),
    "NAME_LETTERS": (40, "labels 40 letters"),
    "MOST_DEALS": (200, "matches 200 deals"),
    "DEEPEST": (16, "objects may be nested 16 deep"),
    "REQUEST_BYTES": (262_144, "An HTTP request may have 256 KiB"),
    "ENGINE_BYTES": (1_000_000, "one on the command line a million bytes"),
    "ANSWER_BYTES": (2_000_000, "an HTTP answer two million"),
    "MOST_PROBLEMS": (50, "The engine reports all problems at once, up to 50."),
    "MOST_CAPTURES": (200, "At most 200 sets are listed"),
}


def test_the_contract_says_the_bounds_and_they_are_those() -> None:
    words = " ".join(PAGE.read_text(encoding="utf-8").split())
    for name, (bound, said) in PROMISED.items():
        assert said in words, name
        assert getattr(limits, name) == bound, name
    assert "words 200 letters" in words
    assert schema.MAX_TEXT == 200


def test_what_a_deal_has_room_for_is_as_much_as_it_was() -> None:
    """What an earlier version took and stored is taken by every later one: these may grow, and never shrink."""
    assert limits.DEAL_NOTES >= 150
    assert limits.MATCH_ENTRIES >= 2_000
    assert limits.MATCH_DEALS >= 200
    assert limits.TABLE_MATCHES >= 5_000
    assert limits.PUSHED_ENTRIES == 50, "phones of every version send so many at once"
