"""Small numbers as words: "two fifteens", "in three days"."""

from __future__ import annotations

from flask_babel import gettext as _


def numbers_in_words() -> list[str]:
    """Return the numbers from one to fourteen in words: there are no more fifteens in a pack."""
    return _("one two three four five six seven eight nine ten eleven twelve thirteen fourteen").split()


def small_number(number: int, most: int = 14) -> str:
    """Return a number from two to ``most`` as a word, any other in figures; "one" has a gender, so it is none."""
    return numbers_in_words()[number - 1] if 2 <= number <= most else str(number)
