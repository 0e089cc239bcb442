"""A thumb's way through the app, from an empty table to a settled sheet.

Everything is found by its role and name, in the words of the phone's language, as a person or a screen reader finds it:
a page may be drawn anew as long as it keeps these. What was told is kept in the engine's shape, beside the page, so
that the sheet can be held against the engine's own answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from playwright.sync_api import Locator, Page, Response, expect

from scorekeeper import rules

from ..conftest import Phone
from ..waiting import tap
from .deals import Setup
from .words import Words

NAMES = ("Ana", "Beto", "Cata", "Leo", "Mara", "Nico", "Olga", "Pepe", "Rosa", "Saul")
Deal: TypeAlias = dict[str, Any]


def plainly(text: str) -> str:
    """Return a pattern of just this text; the browser reads patterns too, and knows no escaped space."""
    return re.sub(r"[.*+?^${}()|[\]\\]", r"\\\g<0>", text)


def named(name: str) -> re.Pattern[str]:
    """Return the pattern of a choice: a tick may be drawn before its name, and a mark of evidence behind it."""
    return re.compile(rf"^(✓ )?{plainly(name)}(?! \+)(?!\w|,)")


def numbers_in(text: str) -> list[int]:
    """Return the whole numbers of a text, in their order."""
    return [int(number) for number in re.findall(r"-?\d+", text.replace("−", "-"))]


def awarded(taker: str | list[str]) -> list[str]:
    """Return the sides that an item is told to belong to."""
    return [taker] if isinstance(taker, str) else taker


class Walk:
    """One match on one phone."""

    def __init__(self, phone: Phone, setup: Setup, language: str = "en", names: tuple[str, ...] = NAMES) -> None:
        self.phone, self.setup, self.words = phone, setup, Words(language)
        self.players = names[: setup.sides * setup.per_side]
        self.sides: dict[str, str] = {}
        """What the page calls each side."""
        self.closed: list[Deal] = []
        """The deals of this match, as they were told."""
        self.told: Deal = {}
        """What was told of the deal in play."""

    @property
    def page(self) -> Page:
        return self.phone.page

    # ---------------------------------------------------------------- finding

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str)).first

    def of_deal(self, english: str, **values: Any) -> str:
        """Return words about a deal, as this game says them: some games have rounds."""
        if self.setup.family in ("rummy", "free"):
            english = english.replace("deal", "round").replace("Deal", "Round")
        return self.words.say(english, **values)

    def group(self, name: str) -> Locator:
        """Return the part of a form under this heading, which may have a hint behind it."""
        return self.page.get_by_role("group", name=re.compile(rf"^{plainly(name)}(?!\w)"))

    def fold(self, summary: str) -> Locator:
        """Return the part that unfolds under these words, unfolded."""
        words = self.page.get_by_text(summary, exact=True)
        fold = self.page.get_by_role("group").filter(has=words).last
        if fold.get_attribute("open") is None:
            words.locator("visible=true").first.tap()
        return fold

    def field(self, where: Locator | Page, name: str) -> Locator:
        """Return the field of this name into which something is typed; a phone may offer digits for it."""
        return where.get_by_role("textbox", name=name, exact=True).or_(
            where.get_by_role("spinbutton", name=name, exact=True)
        )

    def choice(self, where: Locator, name: str) -> Locator:
        """Return one of several choices."""
        name_of_choice = named(name)
        return (
            where.get_by_role("radio", name=name_of_choice)
            .or_(where.get_by_role("checkbox", name=name_of_choice))
            .first
        )

    def choose(self, where: Locator, name: str) -> None:
        self.choice(where, name).tap()

    def tick(self, where: Locator, cards: list[str]) -> None:
        for card in cards:
            where.get_by_role("checkbox", name=self._card(card)).tap()

    def _card(self, code: str) -> re.Pattern[str]:
        """Return the pattern of a card's name, behind which may stand what it is worth and whose it is."""
        return re.compile(rf"^{plainly(self.words.card(self.setup.game, self.setup.preset, code))}(?:,|$)")

    def look(self, at: str) -> None:
        """Look at the screen, as somebody does who stops here."""
        self.phone.look(f"{self.setup}-{at}")

    # ---------------------------------------------------------------- the table

    def start(self) -> None:
        """Open a table and start its match."""
        say = self.words.say
        self.page.goto("/tables/new")
        if self.page.locator("html").get_attribute("lang") != self.words.language.replace("_", "-"):
            tap(self.button(self.words.own_name))
        expect(self.page.get_by_role("heading", name=say("New table"))).to_be_visible()
        if not self.page.get_by_role("combobox", name=say("Game"), exact=True).is_visible():
            self.page.get_by_text(say("Change"), exact=True).tap()
        self._pick(say("Game"), self.words.game(self.setup.game))
        self._pick(say("Rules"), self.words.preset(self.setup.game, self.setup.preset))
        line_up = self.group(say("Who plays")).get_by_role(
            "radio", name=named(self.words.line_up(self.setup.sides, self.setup.per_side))
        )
        if not line_up.is_checked():
            with self._drawn_anew(line_up):
                line_up.tap()
        for seat, name in enumerate(self.players, 1):
            self.field(self.page, say("Player %(number)d", number=seat)).fill(name)
        expect(self.field(self.page, say("Player %(number)d", number=len(self.players) + 1))).to_have_count(0)
        self.look("start")
        tap(self.button(say("Start")))
        self._at_the_board()
        self.sides = dict(zip(self.setup.labels, self._score_names(), strict=True))
        for seat, name in enumerate(self.players):
            assert name in self.sides[self.setup.labels[seat % self.setup.sides]]
        self.look("board")

    def _pick(self, field: str, value: str) -> None:
        """Choose from a list; where something else was chosen the form is drawn anew."""
        choice = self.page.get_by_role("combobox", name=field, exact=True)
        if not choice.count() or choice.locator("option:checked").inner_text() == value:
            return
        with self._drawn_anew(choice):
            choice.select_option(label=value)

    @contextmanager
    def _drawn_anew(self, part: Locator) -> Iterator[None]:
        """Wait until what was done within has put a new form in the place of the one with this part."""
        drawn = part.element_handle()
        yield
        self.page.wait_for_function("part => !part.isConnected", arg=drawn)
        self.phone.rest()

    def _at_the_board(self) -> None:
        """Wait for the page of the deal in play, and note who deals."""
        expect(self.page.get_by_role("link", name=self.of_deal("Close the deal"), exact=True)).to_be_visible()
        self.phone.rest()
        self.told = {"dealer": self._dealer()}

    def _score(self) -> Locator:
        return self.page.get_by_role("list", name=self.words.say("Score")).get_by_role("listitem")

    def _score_names(self) -> list[str]:
        return [text.split("\n")[0].strip() for text in self._score().all_inner_texts()]

    def totals(self) -> list[int]:
        """Return the score on the page, in the order of the seats: the best may stand first."""
        return [numbers[0] for numbers in self._numbers()]

    def _numbers(self) -> list[list[int]]:
        """Return the numbers that stand beside each side's name in the score, in the order of the seats."""
        of_name = {text.split("\n")[0].strip(): numbers_in(text) for text in self._score().all_inner_texts()}
        return [of_name[name] for name in self.sides.values()]

    def _dealer(self) -> str:
        """Return the side that deals, as the page says; the free pad does not, and it is nobody's business."""
        if self.setup.family == "free":
            return self.setup.labels[len(self.closed) % len(self.setup.labels)]
        (seat,) = (
            seat
            for seat, name in enumerate(self.players)
            if self.page.get_by_text(re.compile(rf"· {plainly(self.words.say('%(name)s deals', name=name))}")).count()
        )
        return self.setup.labels[seat % self.setup.sides]

    # ---------------------------------------------------------------- while the deal is played

    def sweep(self, side: str) -> None:
        noted = self._noted()
        before = noted.count()
        sweeps = self.told.setdefault("sweeps", {})
        so_far = sweeps.get(side, 0)
        self._sweep_button(side, so_far).tap()
        expect(noted).to_have_count(before + 1)
        expect(self._sweep_button(side, so_far + 1)).to_be_visible()
        sweeps[side] = so_far + 1

    def _sweep_button(self, side: str, so_far: int) -> Locator:
        """Return the zone of a side that has so many sweeps in this deal, as it says itself."""
        name = "%(item)s for %(name)s: adds 1. So far %(num)d."
        item = self.words.sweep(self.setup.game)
        return self.button(self.words.say(name, item=item, name=self.sides[side], num=so_far))

    def _noted(self) -> Locator:
        """Return what the page says was noted in this deal, a line each."""
        return self.page.get_by_role("list", name=self.of_deal("Noted in this deal")).get_by_role("listitem")

    def declare(self, side: str, *cards: str) -> None:
        """Declare a hand of three cards; the page says before what it is worth."""
        say = self.words.say
        before = self._noted().count()
        tap(self.page.get_by_role("link", name=say("Declare"), exact=True))
        self.choose(self.group(say("Who declares?")), self.sides[side])
        self.tick(self.group(say("Cards")), list(cards))
        told = {**self.told, "declarations": [*self.told.get("declarations", []), {"side": side, "cards": list(cards)}]}
        more = self._points_of(told, side) - self._points_of(self.told, side)
        self.look("declare")
        # The name of the side follows, for those who do not see the colour.
        self.page.get_by_role("button", name=re.compile(rf"^{say('Declare %(points)d', points=more)}\b")).tap()
        expect(self._noted()).to_have_count(before + 1)
        self.phone.rest()
        self.told = told

    def _points_of(self, deal: Deal, side: str) -> int:
        points: int = self.setup.score(deal)["points"].get(side, 0)
        return points

    def opening(self, result: str = "", cards: tuple[str, ...] = ()) -> None:
        """Note the opening layout: by what it is, or by its four cards."""
        say = self.words.say
        before = self._noted().count()
        tap(self.page.get_by_role("link", name=say("Opening"), exact=True))
        expect(self.page.get_by_role("heading", level=1)).to_have_text(say("The four opening cards"))
        if result:
            self.look("opening")
            self.button(self.words.opening(result)).tap()
            self.told["layout_result"] = result
        else:
            self.tick(self.page.get_by_role("group", name=say("Cards"), exact=True), list(cards))
            self.look("opening")
            self.button(say("Note it")).tap()
            self.told["layout"] = list(cards)
        expect(self._noted()).to_have_count(before + 1)

    # ---------------------------------------------------------------- closing it

    def close(self, deal: Deal) -> None:
        """Tell a whole deal: what was noted in play on the board, the rest on the page that closes it."""
        if "layout" in deal:
            self.opening(cards=tuple(deal["layout"]))
        for side, number in deal.get("sweeps", {}).items():
            for _ in range(number - self.told.get("sweeps", {}).get(side, 0)):
                self.sweep(side)
        tap(self.page.get_by_role("link", name=self.of_deal("Close the deal"), exact=True))
        number = len(self.closed) + 1
        expect(
            self.page.get_by_role("heading", name=self.of_deal("Close deal %(number)d", number=number))
        ).to_be_visible()
        self.phone.rest()
        if self.setup.family == "fishing":
            self._tell_in_the_grid(deal)
        elif self.setup.family in ("rummy", "free"):
            self._tell_the_round(deal)
        else:
            self._answer_questions(deal)

    def _tell_in_the_grid(self, deal: Deal) -> None:
        """Tell what a deal has, until the page saves it by itself, as it does once nothing is open."""
        self.told.setdefault("sweeps", {})
        counts = [(side, kind, number) for side, of in deal.get("counts", {}).items() for kind, number in of.items()]
        is_saved = (
            any(self.count(*count) for count in counts)
            or ("piles" in deal and self.show(deal["piles"], deal.get("as", {})))
            or any(self.say(item, taker) for item, taker in deal.get("awards", {}).items())
        )
        if not is_saved:
            self.save()

    def _saves(self, field: Locator, value: str, tell: Callable[[], None]) -> bool:
        """Tell a value with a field; return whether nothing is open then, so that the deal is saved by itself."""
        name = str(field.get_attribute("name"))

        def answers(response: Response) -> bool:
            # What was tapped just before may be answered meanwhile.
            return parse_qs(response.request.post_data or "").get(name) == [value]

        with self.page.expect_response(answers) as answer:
            tell()
        is_saved = "hx-redirect" in answer.value.headers
        if not is_saved:
            self.phone.rest()
        return is_saved

    def say(self, item: str, taker: str | list[str] | None) -> bool:
        """Say who won an item; return whether that saved the deal."""
        self._unfold_the_rare(item)
        row = self.group(self.words.item(self.setup.game, item))
        names = [self.words.say("nobody")] if taker is None else [self.sides[side] for side in awarded(taker)]
        awards = self.told.setdefault("awards", {})
        awards[item] = taker
        if len(awards) == 3:
            self.look("said")
        # Those who are level are ticked one by one.
        saved = [
            self._saves(choice, choice.input_value(), choice.tap)
            for choice in (self.choice(row, name) for name in names)
        ]
        return saved[-1]

    def _unfold_the_rare(self, item: str) -> None:
        """Open the rare items, if this is one of them."""
        if item in [row.item for row in self.setup.needs.folded]:
            self._unfold(self.phone.page.locator("#rare-rows"))

    def _unfold(self, row: Locator) -> None:
        """Open the row of an item, by tapping its name; ``row`` is a fold, or has one."""
        fold = row if row.evaluate("row => row.localName === 'details'") else row.get_by_role("group").first
        if fold.get_attribute("open") is None:
            fold.locator("> summary").tap()

    def count(self, side: str, kind: str, number: int) -> bool:
        """Type how many cards of a kind a side has, in the row that asks for them; return whether that saved it."""
        needs = self.setup.needs
        row = next(row for row in needs.rows if kind in row.counts)
        if row.item == "prime" and needs.best:
            # Its row leads to the slots; a number that was counted for it has a fold of its own.
            item = self.words.item_in_a_sentence(self.setup.game, row.item)
            inside = self.fold(self.words.say("Cards for the %(item)s", item=item))
        else:
            self._unfold_the_rare(row.item)
            inside = self.group(self.words.item(self.setup.game, row.item))
            self._unfold(inside)
        kinds = [each for each in row.counts if row is next(other for other in needs.rows if each in other.counts)]
        fields = self.field(inside, self.sides[side])
        expect(fields).to_have_count(len(kinds))
        field = fields.nth(kinds.index(kind))
        self.told.setdefault("counts", {}).setdefault(side, {})[kind] = number

        def tell() -> None:
            field.fill(str(number))
            # By the keyboard, which needs no field: the page may be on its way to the sheet by then.
            self.page.keyboard.press("Tab")

        return self._saves(field, str(number), tell)

    def show(self, piles: dict[str, list[str]], wilds: dict[str, str]) -> bool:
        """Tap the cards of every side but the last, whose are all the others; return whether that saved the deal."""
        say = self.words.say
        for card, value in wilds.items():
            self.fold(say("Wild cards count as …"))
            self.page.get_by_role("combobox", name=self._card(card)).select_option(label=value)
        self.page.get_by_text(say("Show"), exact=True).tap()
        tabs = self.group(say("Whose cards?"))
        *shown, last = self.setup.labels
        for side in shown:
            self.choose(tabs, self.sides[side])
            self.tick(self.page.get_by_role("group", name=self.sides[side], exact=True), piles[side])
        self.look("cards")
        self.told |= {"piles": piles, **({"as": wilds} if wilds else {})}
        rest = self.page.get_by_role("radio", name=say("The rest is %(name)s's", name=self.sides[last]), exact=True)
        return self._saves(rest, rest.input_value(), rest.tap)

    def _answer_questions(self, deal: Deal) -> None:
        """Answer the questions of a game that is told in numbers and names."""
        say = self.words.say
        for name, heading in SIDES.items():
            if name in deal:
                self.choose(self.group(say(heading)), self.sides[deal[name]])
        if "bid" in deal:
            who, how_much = CALL if "partner" in deal else BID
            self.choose(self.group(say(who)), self.sides[deal["bid"]["side"]])
            self.field(self.page, say(how_much)).fill(str(deal["bid"]["points"]))
        if "trump" in deal:
            self.choose(self.group(say("Trumps")), self.words.suit(self.setup.game, self.setup.preset, deal["trump"]))
        for marriage in deal.get("marriages", []):
            suit = self.words.suit(self.setup.game, self.setup.preset, marriage["suit"])
            asked = say("Who had the marriage in trumps?") if "bid" in deal else say("Marriage in %(suit)s", suit=suit)
            self.choose(self.group(asked), self.sides[marriage["side"]])
        for name, heading in NUMBERS.items():
            if name in deal:
                where = self.group(say(heading))
                for side, number in deal[name].items():
                    self._number(where, side, number)
        if "piles" in deal:
            self.page.get_by_text(say("Show"), exact=True).tap()
            cards = self.page.locator("#the-cards")
            for side, pile in deal["piles"].items():
                self.choose(self.group(say("Whose cards?")), self.sides[side])
                self.tick(cards.get_by_role("group", name=self.sides[side], exact=True), pile)
        self.told |= {name: fact for name, fact in deal.items() if name != "dealer"}
        if "piles" in deal:
            # The cards lie over the page, and have the button that saves the deal.
            self.look("cards")
            cards.get_by_role("button", name=say("Save"), exact=True).tap()
        else:
            self.save()

    def _tell_the_round(self, deal: Deal) -> None:
        """Tell who went out and what the others have left, or the points of the pad: on the keys of the page."""
        say = self.words.say
        if "went_out" in deal:
            out = say("%(name)s went out", name=self.sides[deal["went_out"]])
            self.page.get_by_role("radio", name=out, exact=True).tap()
        for side, ranks in deal.get("left", {}).items():
            self._select_hand(side)
            self.button(say("Cards")).tap()
            for rank in ranks:
                self.button(say("joker") if rank == "X" else rank).tap()
        for side, number in deal.get("steals", {}).items():
            self._select_hand(side)
            for _steal in range(number):
                self.button(say("one steal more")).tap()
        for side, number in deal.get("points", {}).items():
            self._select_hand(side)
            for digit in str(abs(number)):
                self.button(digit).tap()
            if number < 0:
                self.button(say("+ or −")).tap()
        self.told |= {name: fact for name, fact in deal.items() if name != "dealer"}
        self.save()

    def _select_hand(self, side: str) -> None:
        self.group(self.sides[side]).first.get_by_role("button").first.tap()

    def _number(self, where: Locator, side: str, number: int) -> None:
        """Type a number; one below nought by its button, as a phone's number pad has no minus."""
        self.field(where, self.sides[side]).fill(str(abs(number)))
        if number < 0:
            where.get_by_role(
                "button", name=self.words.say("change the sign for %(name)s", name=self.sides[side])
            ).tap()

    def save(self) -> None:
        self.look("closing")
        self.button(self.of_deal("Save the deal")).tap()

    # ---------------------------------------------------------------- the sheet

    def _sheet(self) -> Locator:
        number = len(self.closed) + 1
        heading = re.compile(rf"^{plainly(self.of_deal('Deal %(number)d', number=number))}\b")
        return self.page.get_by_role("heading", name=heading, level=1)

    def points(self) -> list[int]:
        """Return what the sheet says that this deal brought each side."""
        gains = [numbers[1:] for numbers in self._numbers()]
        if all(gains):
            # Each total has beside it what this deal added, and no sum is drawn below the lines.
            return [gain for (gain,) in gains]
        words = self.page.get_by_text(re.compile(rf"^\s*{plainly(self.of_deal('This deal'))}:")).inner_text()
        found = [re.search(rf"{plainly(name)} (-?\d+)", words) for name in self.sides.values()]
        return [int(match[1]) if match else 0 for match in found]

    def settle(self) -> None:
        """Hold the sheet against the engine's answer to what was told; then the deal is behind us."""
        expect(self._sheet()).to_be_visible()
        self.phone.rest()
        self.look("sheet")
        self.closed.append(self.told)
        match = rules.match({**self.setup.request, "deals": self.closed})
        answer = match["sheets"][-1]
        assert answer["status"] == "complete", answer
        assert self.points() == list(answer["points"].values()), self.told
        assert self.totals() == list(match["totals"].values()), self.closed

    def next_deal(self) -> None:
        """Go on: to the next deal, or to a rematch where the match is over."""
        say = self.words.say
        words = plainly(say("Deal %(number)d: %(name)s deals", number=len(self.closed) + 1, name="@"))
        next_deal = self.page.get_by_role("link", name=re.compile(rf"^{words.replace('@', '.+')}$"))
        if next_deal.count():
            next_deal.tap()
        else:
            self.button(re.compile(rf"^{plainly(say('Rematch: %(name)s deals', name='').split(':')[0])}")).tap()
            self.closed.clear()
        self._at_the_board()


CALL = ("Who called?", "For how many card points?")
BID = ("Who bid?", "How much?")
"""Who plays for how much, as the form asks it."""
SIDES = {
    "partner": "Who was the partner?",
    "last_trick": "Who took the last trick?",
}
"""Facts that are one side's name, and what the form asks."""
NUMBERS = {"card_points": "Card points", "points": "Points"}
"""Facts that are a number for each side, and what the form asks."""
