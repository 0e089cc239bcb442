"""Who holds this phone: two phones join a table, say it by one tap, and read their names in the journal."""

from __future__ import annotations

import pytest

from .conftest import Phone

pytestmark = pytest.mark.whole


def test_a_form_that_is_open_goes_on_while_phones_join(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.say("cards", "A")
    other.join(table, "Beto")
    for item in ("coins", "seven_of_coins", "two_of_clubs"):
        phone.say(item, "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
