"""Names as people write them: what nobody can see is left out, and what a script needs stays."""

from __future__ import annotations

import pytest

from scorekeeper.names import NAMELESS, clean, drawn, same


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ana \n Inés ", "Ana Inés"),
        ("Ana\u200b", "Ana"),
        ("Ana\u202e", "Ana"),
        ("\u2068Ana\u2069\u200f", "Ana"),
        ("A\x00n\x01a\x1b\x7f", "Ana"),
        ("Ana\ufffe\ue000\U000f0000", "Ana"),
        ("Ana\ud800", "Ana"),
        ("Ana\u3164\uffa0\u115f\u1160\u2800\u034f", "Ana"),
        ("A\u200dna", "Ana"),
        ("Ana\ufe0f", "Ana"),
        ("Ine\u0301s", "Inés"),
        ("\u3164", ""),
        ("\u200b\u2060", ""),
    ],
)
def test_what_nobody_can_see_is_left_out(typed: str, kept: str) -> None:
    assert clean(typed) == kept


@pytest.mark.parametrize(
    "name",
    [
        "O’Neill-Núñez Jr.",
        "Ñandú",
        "Łukasz",
        "Дарья",
        "אבי",
        "李小龙",
        "가영",
        "می\u200cخواهم",
        "क्\u200dष",
        "ശ്രീ\u200cമതി",
        "ന്\u200d",
        "👩\u200d🚀",
        "👨\u200d👩\u200d👧",
        "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3",
        "葛\U000e0100",
    ],
)
def test_what_a_script_or_a_picture_needs_stays(name: str) -> None:
    assert clean(name) == name
    assert clean(clean(name)) == name


@pytest.mark.parametrize("other", ["ana", " ANA ", "Ana\u200b", "A\u200dna", "Ana\u3164", "Ana\ufe0f", "\u202eAna"])
def test_two_names_that_read_alike_are_one(other: str) -> None:
    assert same(other) == same("Ana")


def test_a_name_kept_long_ago_in_which_nothing_can_be_seen_is_drawn_all_the_same() -> None:
    assert drawn("\u200b") == drawn("\u0301") == NAMELESS


@pytest.mark.parametrize(
    "typed", ["\u0301\u200d\u094d\u200dé", "\u0958\u0345\u00ad\u094d\u200c", "\u0327\ufe0f\u094d\u200c?"]
)
def test_a_cleaned_name_is_clean(typed: str) -> None:
    assert clean(clean(typed)) == clean(typed)
    assert drawn(drawn(typed)) == drawn(typed)
