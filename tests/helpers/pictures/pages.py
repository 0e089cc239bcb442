"""Every page and every state of it that a table sees, as the pictures of the design have them, and some more."""

from __future__ import annotations

from .studio import NARROW, PLAYERS, SHORT, SIDEWAYS, TABLET, TELEVISION, UPRIGHT, Studio, picture

DEAL = "/matches/1/deals/5"
CLOSE = f"{DEAL}/close"
SIX = ("Ana", "Beto", "Leo", "Cata", "Guillermo", "Maximiliano")
LONG = ("Guillermo", "Margarita", "Washington", "María José")
PILE = ("1O", "2O", "4O", "5O", "6O", "7O", "12O", "1C", "3C", "4C", "6C", "10C", "1E", "2E", "5E", "7E", "3B", "5B")


@picture
def home_first(studio: Studio) -> None:
    phone = studio.phone()
    phone.page.goto("/")
    studio.take(phone, "01-home-first", UPRIGHT, NARROW)
    studio.spanish(phone, "01-home-first")


@picture
def home_tables(studio: Studio) -> None:
    phone = studio.at()
    phone.page.goto("/")
    studio.take(phone, "02-home-tables", UPRIGHT, NARROW)
    studio.spanish(phone, "02-home-tables")


@picture
def new_table(studio: Studio) -> None:
    phone = studio.phone()
    phone.page.goto("/tables/new")
    studio.take(phone, "03-new-table", UPRIGHT, NARROW, whole=True)
    studio.spanish(phone, "03-new-table")
    phone.page.locator("[name='shape'][value='2x2']").tap()
    phone.page.locator("#player-3").wait_for()
    for seat, name in enumerate(PLAYERS):
        phone.page.fill(f"#player-{seat}", name)
    studio.take(phone, "03-new-pairs")
    phone.page.fill("#player-3", "Ana")
    phone.page.get_by_role("button", name="Start").first.tap()
    studio.take(phone, "03-new-refused")


@picture
def board_two(studio: Studio) -> None:
    phone = studio.at()
    studio.take(phone, "04-board-two", UPRIGHT, SHORT, NARROW)
    studio.take(phone, "25-landscape", SIDEWAYS)
    studio.take(phone, "36-tablet", TABLET, themes=("light",))
    studio.take(phone, "34-board", forced=True)
    studio.spanish(phone, "04-board-two", UPRIGHT, NARROW)


@picture
def menu(studio: Studio) -> None:
    phone = studio.at()
    phone.page.locator(".menu > summary").tap()
    studio.take(phone, "36-menu", UPRIGHT, NARROW, SIDEWAYS)


@picture
def this_table(studio: Studio) -> None:
    phone = studio.at("/table")
    studio.take(phone, "45-this-table", UPRIGHT, NARROW, whole=True)
    studio.spanish(phone, "45-this-table")


@picture
def faces(studio: Studio) -> None:
    studio.take(studio.at("/faces"), "24-faces", UPRIGHT, NARROW)


@picture
def television(studio: Studio) -> None:
    phone = studio.at("/board")
    studio.take(phone, "23-tv", TELEVISION)
    studio.spanish(phone, "23-tv", TELEVISION)


@picture
def board_after_a_tap(studio: Studio) -> None:
    phone = studio.phone()
    phone.start("Ana", "Beto")
    phone.sweep("A")
    studio.take(phone, "06-board-undo")


@picture
def board_four(studio: Studio) -> None:
    phone = studio.phone()
    phone.start(*PLAYERS, shape="4x1")
    phone.sweep("A")
    phone.sweep("C")
    studio.take(phone, "05-board-four", UPRIGHT, NARROW, SIDEWAYS)
    phone.follow("Close the deal")
    phone.say("coins", "C")
    studio.take(phone, "28-close-four", UPRIGHT, NARROW)


@picture
def board_six_and_carioca(studio: Studio) -> None:
    phone = studio.phone()
    table = phone.start(*SIX, game="carioca", shape="6x1")
    studio.take(phone, "29-board-six", UPRIGHT, NARROW, SIDEWAYS)
    phone.page.goto(f"{table}/board")
    studio.take(phone, "29-tv-six", TELEVISION)
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    studio.take(phone, "42-close-carioca", UPRIGHT, NARROW, whole=True)


@picture
def brisca(studio: Studio) -> None:
    phone = studio.phone()
    table = phone.start("Ana", "Beto", game="brisca")
    studio.take(phone, "42-board-brisca", UPRIGHT, SIDEWAYS)
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    studio.take(phone, "42-close-brisca", UPRIGHT, NARROW)


@picture
def free_pad(studio: Studio) -> None:
    phone = studio.phone()
    table = phone.start("Ana", "Beto", game="free")
    phone.page.locator("form.pad [value='5']").first.tap()
    phone.page.locator(".pill[data-side='A']", has_text="+5").wait_for()
    studio.take(phone, "42-board-pad", UPRIGHT, NARROW, SIDEWAYS)
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    studio.take(phone, "42-close-pad")


@picture
def long_names(studio: Studio) -> None:
    phone = studio.phone()
    table = phone.start(*LONG, shape="2x2")
    studio.take(phone, "30-board-long", UPRIGHT, NARROW)
    phone.page.goto(f"{table}/faces")
    studio.take(phone, "30-faces-long")
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    studio.take(phone, "30-close-long", UPRIGHT, NARROW)


@picture
def closing_empty(studio: Studio) -> None:
    phone = studio.at(CLOSE)
    studio.take(phone, "07-close-empty", UPRIGHT, NARROW, SIDEWAYS)
    studio.take(phone, "07-close-all", whole=True, themes=("light",))
    studio.spanish(phone, "07-close-empty", UPRIGHT, NARROW)


@picture
def closing_half(studio: Studio) -> None:
    phone = studio.at(CLOSE)
    for item, taker in (("cards", "B"), ("coins", "nobody"), ("seven_of_coins", "A")):
        phone.say(item, taker)
    studio.take(phone, "08-close-half")
    studio.take(phone, "34-close", forced=True)
    phone.say("two_of_clubs", "A")
    studio.take(phone, "09-close-last")


@picture
def closing_counts(studio: Studio) -> None:
    phone = studio.at(CLOSE)
    phone.page.locator("#row-cards .opener > summary").tap()
    phone.page.locator(".keypad .key").first.wait_for()
    studio.take(phone, "10-close-counts", UPRIGHT, NARROW)
    phone.count("cards", "A", 23)
    phone.count("coins", "A", 12)
    studio.take(phone, "10-close-refused")


@picture
def closing_help(studio: Studio) -> None:
    phone = studio.at(CLOSE)
    phone.page.get_by_text("Help me count").last.tap()
    phone.page.locator(".question").wait_for()
    studio.take(phone, "37-close-help", UPRIGHT, NARROW)


@picture
def cards_shown(studio: Studio) -> None:
    phone = studio.at(CLOSE)
    phone.page.locator("#show-cards > summary").tap()
    for card in PILE:
        phone.page.locator(f"[name='pile-A'][value='{card}']").tap()
    studio.take(phone, "11-cards-right", UPRIGHT, NARROW)
    studio.take(phone, "34-cards", forced=True)
    phone.page.locator("[name='pile-A'][value='3O']").tap()
    studio.take(phone, "11-cards-wrong")


@picture
def prime_with_the_cards(studio: Studio) -> None:
    phone = studio.at(CLOSE)
    phone.page.locator("#row-prime").get_by_text("with the cards").tap()
    phone.page.wait_for_timeout(1000)
    studio.take(phone, "12-setenta-empty", UPRIGHT, NARROW)
    for card in ("7 of coins", "6 of cups", "6 of swords", "5 of clubs", "2 of coins"):
        with phone.page.expect_response("**/close"):
            phone.page.get_by_role("radio", name=card, exact=True).locator("visible=true").tap()
        if card.startswith("6 of swords"):
            studio.take(phone, "12-setenta-half")
    studio.take(phone, "13-setenta-done", whole=True)


@picture
def sheet(studio: Studio) -> None:
    phone = studio.at("/matches/1/deals/4")
    studio.take(phone, "14-sheet", UPRIGHT, NARROW)
    studio.take(phone, "14-sheet-all", whole=True, themes=("light",))
    studio.spanish(phone, "14-sheet")
    phone.page.goto(f"{studio.table}/matches/1/deals/4?saved=1")
    studio.take(phone, "14-sheet-saved")
    phone.page.goto(f"{studio.table}/matches/1/deals/2")
    studio.take(phone, "35-sheet-old")
    phone.page.goto(f"{studio.table}/matches/1/deals/4/prime")
    studio.take(phone, "14-prime-of-deal")


@picture
def winner(studio: Studio) -> None:
    phone = studio.phone()
    table = phone.start("Ana", "Beto")
    for deal in (1, 2, 3):
        phone.page.goto(f"{table}/matches/1/deals/{deal}/close")
        phone.page.wait_for_load_state("networkidle")
        phone.page.locator("[name='others'][value='A']").first.tap()
        phone.wait_for_sheet()
    studio.take(phone, "15-winner", UPRIGHT, NARROW)
    studio.take(phone, "15-winner-all", whole=True, themes=("light",))
    phone.page.goto(table)
    studio.take(phone, "15-board-won", UPRIGHT, SIDEWAYS)
    studio.spanish(phone, "15-board-won")
    phone.page.goto(f"{table}/board")
    studio.take(phone, "23-tv-won", TELEVISION)
    phone.page.goto(f"{table}/matches/1/picture")
    studio.take(phone, "38-picture")
    phone.page.goto(f"{table}/matches/1/text")
    studio.take(phone, "38-text", themes=("light",))


@picture
def corrected(studio: Studio) -> None:
    phone = studio.phone()
    table = phone.start("Ana", "Beto")
    for deal in (1, 2):
        phone.page.goto(f"{table}/matches/1/deals/{deal}/close")
        phone.page.wait_for_load_state("networkidle")
        phone.say("cards", "AB"[deal - 1])
        phone.page.locator("[name='others'][value='B']").first.tap()
        phone.wait_for_sheet()
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    phone.say("coins", "A")
    studio.take(phone, "35-correcting")
    phone.press("Save the correction")
    phone.wait_for_sheet()
    studio.take(phone, "35-sheet-corrected")


@picture
def dispute(studio: Studio) -> None:
    phone, other = studio.phone(), studio.phone()
    table = phone.start("Ana", "Beto")
    phone.page.goto(f"{table}/phone")
    phone.press("Ana")
    other.join(table, "Beto")
    for each in (phone, other):
        each.page.goto(f"{table}/matches/1/deals/1/close")
        each.page.wait_for_load_state("networkidle")
        for item in ("cards", "coins", "seven_of_coins", "two_of_clubs"):
            each.say(item, "A")
    for each, taker in ((phone, "A"), (other, "B")):
        each.page.locator(f"[name='award-prime'][value='{taker}']").tap()
        each.page.wait_for_url("**saved=1*")
    studio.take(other, "16-dispute", UPRIGHT, NARROW)
    studio.take(other, "16-dispute-all", whole=True, themes=("light",))
    studio.spanish(other, "16-dispute")
    other.press("Ask")
    other.page.wait_for_timeout(1000)
    studio.take(other, "17-dispute-waiting")
    phone.page.goto(f"{table}/matches/1/deals/1/versions")
    studio.take(phone, "17-dispute-asked")
    phone.page.goto(table)
    studio.take(phone, "17-board-asked")


@picture
def history(studio: Studio) -> None:
    for name, path in (("18-history", "/history"), ("19-player", "/players/1"), ("20-match", "/matches/1")):
        phone = studio.at(path)
        studio.take(phone, name, UPRIGHT, NARROW)
        studio.take(phone, f"{name}-all", whole=True, themes=("light",))
        studio.spanish(phone, name)


@picture
def journal(studio: Studio) -> None:
    phone = studio.at("/matches/1/journal")
    studio.take(phone, "20-journal")
    studio.spanish(phone, "20-journal")


@picture
def prime_referee(studio: Studio) -> None:
    phone = studio.phone()
    phone.page.goto("/prime")
    studio.take(phone, "21-prime-empty", UPRIGHT, NARROW)
    cards = ("pile-A=7O", "pile-A=6C", "pile-A=6E", "pile-A=5B", "pile-B=7C", "pile-B=2O", "pile-B=7E", "pile-B=7B")
    phone.page.goto(f"/prime?{'&'.join(cards)}")
    studio.take(phone, "21-prime", whole=True)
    studio.spanish(phone, "21-prime")


@picture
def captures(studio: Studio) -> None:
    phone = studio.phone()
    phone.page.goto("/captures?game=scopa&layout=5O&layout=2C&layout=7C&card=7E")
    studio.take(phone, "22-captures", UPRIGHT, NARROW)
    studio.spanish(phone, "22-captures")
    studio.take(studio.at("/matches/1/captures?layout=5O&layout=2C&card=11E"), "22-captures-of-match")


@picture
def declaring(studio: Studio) -> None:
    phone = studio.at(f"{DEAL}/declare")
    studio.take(phone, "26-declare-empty", UPRIGHT, NARROW)
    phone.page.locator("[name='side'][value='A']").tap()
    for card in ("1B", "2B", "3B"):
        phone.page.locator(f"[name='cards'][value='{card}']").tap()
    studio.take(phone, "26-declare")


@picture
def opening(studio: Studio) -> None:
    phone = studio.at(f"{DEAL}/layout")
    for card in ("1O", "3C", "4E", "7B"):
        phone.page.locator(f"[name='cards'][value='{card}']").tap()
    studio.take(phone, "27-opening")


@picture
def pages_of_a_table(studio: Studio) -> None:
    for name, path in (("39-share", "/share"), ("39-owner", "/owner"), ("39-phone", "/phone"), ("39-new-match", "")):
        phone = studio.at(path or "/matches/new")
        studio.take(phone, name)
        studio.take(phone, f"{name}-all", whole=True, themes=("light",))
        studio.spanish(phone, name)


@picture
def single_pages(studio: Studio) -> None:
    for name, path in (
        ("40-rules", "/rules"),
        ("40-rules-of-cirulla", "/rules/cirulla"),
        ("40-forget", "/forget"),
        ("41-offline", "/offline"),
        ("41-not-found", "/nothing-here"),
    ):
        phone = studio.phone()
        phone.page.goto(path)
        studio.take(phone, name)


@picture
def no_signal(studio: Studio) -> None:
    phone = studio.phone()
    table = phone.start("Ana", "Beto")
    phone.page.context.set_offline(True)
    phone.sweep("A")
    phone.page.locator("#waiting").wait_for()
    studio.take(phone, "43-waiting")
    phone.page.locator("#waiting > summary").tap()
    studio.take(phone, "43-waiting-open")
    phone.page.context.set_offline(False)
    phone.page.goto(f"{table}/matches/1/deals/1/close")


@picture
def double_size(studio: Studio) -> None:
    for name, path in (
        ("board", ""),
        ("close", CLOSE),
        ("sheet", "/matches/1/deals/4"),
        ("history", "/history"),
        ("match", "/matches/1"),
        ("declare", f"{DEAL}/declare"),
        ("faces", "/faces"),
    ):
        studio.take(studio.at(path, large=True), f"33-200-{name}", whole=True, themes=("light",))
    phone = studio.phone(large=True)
    for name, path in (("home", "/"), ("new-table", "/tables/new"), ("prime", "/prime"), ("captures", "/captures")):
        phone.page.goto(path)
        studio.take(phone, f"33-200-{name}", whole=True, themes=("light",))


@picture
def forced_colours(studio: Studio) -> None:
    for name, path in (("sheet", "/matches/1/deals/4"), ("history", "/history"), ("faces", "/faces")):
        studio.take(studio.at(path), f"34-{name}", forced=True, themes=("dark",))
