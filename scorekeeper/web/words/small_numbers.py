"""Small numbers as words: "two fifteens", "in three days"."""

from __future__ import annotations

from flask_babel import gettext as _


def numbers_in_words() -> list[str]:
    """Return the numbers from one to fourteen in words: there are no more fifteens in a pack."""
    return _("one two three four five six seven eight nine ten eleven twelve thirteen fourteen").split()


def small_number(number: int) -> str:
    """Return a number from two to fourteen as a word, any other in figures; "one" has a gender, so it is none."""
    words = numbers_in_words()
    return words[number - 1] if 2 <= number <= len(words) else str(number)
