"""A second opinion on partly known deals: every way to give out the unplaced cards is tried, without the engine.

What is known of a deal is a list of pieces: a card shown in a pile, a best card laid out for the prime, a count, a
card of which the owner was said, an award. ``Deal`` tries all completions, so it takes deals with few unplaced cards;
``results`` finds the possible points of one item with any number of them, by merging completions that are alike in
all that the item and the pieces look at. Both let the oracle score whole piles.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from . import oracle
from .asking import COUNTED
from .simulator import PACK, rank

SHOWN, COUNTED_, SAID = "shown", "counted", "said"
STRENGTHS = (SHOWN, COUNTED_, SAID)
FIELDS = ("piles", "best", "counts", "told", "awards")
"""The fields of a deal that hold evidence, the strongest first."""
STRENGTH = {"piles": SHOWN, "best": SHOWN, "counts": COUNTED_, "told": SAID, "awards": SAID}
NOT_OF_THE_END = {"sweeps", "table_sweep", "table_flush", "renuncio", "wrong_capture"}
"""Lines of the oracle that no pile decides."""
NOBODY = "nobody"
"""Who has a card that lies in no pile; no side of these tests is called so."""

Number = float | None
Points = tuple[float, ...]


class TooMany(Exception):
    """There are more ways than a test has time for."""


class Piece(NamedTuple):
    """One piece of evidence: its field, the side or item, the card, suit or kind, and what is said."""

    field: str
    of: str
    about: str
    value: Any = None

    @property
    def strength(self) -> str:
        """Return whether it is shown, counted or said."""
        return STRENGTH[self.field]


@dataclass(frozen=True)
class Table:
    """A table: the game, its sides, and every option with its value; the ranks that wild cards were given."""

    game: str
    sides: tuple[str, ...]
    options: Mapping[str, Any]
    given: tuple[tuple[str, int], ...] = ()
    """Wild cards and the ranks they were given."""
    penalties: tuple[tuple[str, str], ...] = ()
    """Item and side of each fault."""

    @property
    def method(self) -> str:
        """Return how the prime is valued."""
        return str(self.options.get("prime_method", "italian"))

    def rank(self, card: str) -> int:
        """Return the rank that a card has in a prime."""
        return rank(card) if self.options.get("matta_in_prime") == "natural" else dict(self.given).get(card, rank(card))

    def worth(self, card: str) -> float:
        """Return what a card is worth in a prime."""
        return oracle.PRIME_VALUES[self.method](self.rank(card))

    def score(self, piles: Mapping[str, list[str]]) -> dict[str, Points]:
        """Return the points of the end items of whole piles, by item."""
        deal: dict[str, Any] = {"piles": piles, "sweeps": {}}
        if self.given:
            deal["as"] = {card: str(index) for card, index in self.given}
        if self.penalties:
            deal["penalties"] = [{"item": item, "side": side} for item, side in self.penalties]
        lines = oracle.score({"game": self.game, "sides": list(self.sides), "deal": deal}, dict(self.options))
        return {
            item: tuple(points[side] for side in self.sides)
            for item, points in lines.items()
            if item not in NOT_OF_THE_END
        }

    def takers(self, piles: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
        """Return who takes each item, by the piles alone: faults take points away, but not the item."""
        lines = (self if not self.penalties else Table(self.game, self.sides, self.options, self.given)).score(piles)
        taken = {
            item: frozenset(side for side, each in zip(self.sides, points, strict=True) if each)
            for item, points in lines.items()
        }
        if "cappotto" in taken:
            taken["cappotto"] = frozenset(side for side in self.sides if set(oracle.COINS) <= set(piles[side]))
        return taken

    def values(self, item: str, piles: Mapping[str, list[str]]) -> tuple[Number, ...]:
        """Return what an item compares."""
        return tuple(self._value(item, pile, piles) for pile in (piles[side] for side in self.sides))

    def _value(self, item: str, pile: list[str], piles: Mapping[str, list[str]]) -> Number:
        if item in oracle.SPECIAL:
            return int(oracle.SPECIAL[item] in pile)
        if item == "piccola":
            return next((length for length, card in enumerate(oracle.COINS) if card not in pile), len(oracle.COINS))
        if item == "grande":
            return sum(card in pile for card in ("10O", "11O", "12O"))
        if item == "barmila":
            sevens = [sum(map(COUNTED["sevens"], piles[side])) for side in self.sides]
            return sum(map(COUNTED["sevens" if sevens.count(max(sevens)) == 1 else "sixes"], pile))
        if item == "prime":
            return self._prime(pile)
        return sum(map(COUNTED[counted_for(item)], pile))

    def _prime(self, pile: list[str]) -> Number:
        if self.method == "sevens_count":
            return sum(self.rank(card) == 7 for card in pile)
        pips = all(any(card[-1] == suit and self.rank(card) <= 7 for card in pile) for suit in "OCEB")
        competes = (
            len({card[-1] for card in pile}) >= self.options.get("prime_suits_required", 4)
            and (pips or not self.options.get("prime_needs_pip"))
            and (any(self.rank(card) == 7 for card in pile) or not self.options.get("prime_needs_seven"))
        )
        best = (max((self.worth(card) for card in pile if card[-1] == suit), default=0) for suit in "OCEB")
        return sum(best) if competes else None

    def best_cards(self, pile: Iterable[str]) -> frozenset[str]:
        """Return the cards of a prime: the best of each suit, of equal ones the higher; the sevens where they count."""
        if self.method == "sevens_count":
            return frozenset(card for card in pile if self.rank(card) == 7)
        suits = ([card for card in pile if card[-1] == suit] for suit in "OCEB")
        return frozenset(max(cards, key=lambda card: (self.worth(card), rank(card))) for cards in suits if cards)


KIND = {
    **dict.fromkeys(("cards", "few_cards", "fifty_cards"), "cards"),
    **dict.fromkeys(("coins", "all_coins", "cappotto"), "coins"),
    **dict.fromkeys(("sevens", "all_sevens"), "sevens"),
    "figures": "figures",
}
"""What is counted for an item."""


def counted_for(item: str) -> str:
    """Return what is counted for an item; raises ``LookupError`` for one that nobody has told of here."""
    if item not in KIND:
        raise LookupError(f"The second opinion does not know what {item} counts: name it in KIND (second_opinion.py).")
    return KIND[item]


# ---------------------------------------------------------------- the pieces


def pieces_of(deal: Mapping[str, Any], table: Table) -> list[Piece]:
    """Return the evidence of a deal as pieces; the cards of ``rest`` and the leftover are pieces of ``piles``."""
    found = [Piece("piles", side, card) for side, cards in deal.get("piles", {}).items() for card in cards]
    to_nobody = table.options.get("last_cards") == "nobody" or ("last_capturer" in deal and not deal["last_capturer"])
    for card in deal.get("leftover", []):
        found.append(Piece("piles", NOBODY if to_nobody else deal["last_capturer"], card))
    for side, suits in deal.get("best", {}).items():
        found += [Piece("best", side, suit, best) for suit, best in suits.items()]
    if deal.get("rest"):
        placed = {piece.about for piece in found if piece.field == "piles"} | {
            f"{piece.value}{piece.about}" for piece in found if piece.field == "best"
        }
        placed |= {card for cards in deal.get("told", {}).values() for card in cards}
        found += [Piece("piles", deal["rest"], card) for card in PACK if card not in placed]
    for side, counts in deal.get("counts", {}).items():
        found += [Piece("counts", side, kind, number) for kind, number in counts.items()]
    found += [Piece("told", side, card) for side, cards in deal.get("told", {}).items() for card in cards]
    for item, taken in deal.get("awards", {}).items():
        winners = frozenset([] if taken is None else [taken] if isinstance(taken, str) else taken)
        found.append(Piece("awards", item, "", winners))
    return found


def deal_of(pieces: Iterable[Piece]) -> dict[str, Any]:
    """Return the deal that has just these pieces."""
    deal: dict[str, Any] = {}
    for piece in pieces:
        part = deal.setdefault(piece.field, {})
        if piece.field == "awards":
            part[piece.of] = sorted(piece.value) if piece.value else None
        elif piece.field in ("piles", "told"):
            part.setdefault(piece.of, []).append(piece.about)
        else:
            part.setdefault(piece.of, {})[piece.about] = piece.value
    return deal


def has_nobodys(deal: Mapping[str, Any], table: Table) -> bool:
    """Return whether an unplaced card may lie in no pile: the leftover is nobody's, and was not listed."""
    to_nobody = table.options.get("last_cards") == "nobody" or ("last_capturer" in deal and not deal["last_capturer"])
    return to_nobody and deal.get("leftover") is None


@dataclass
class Known:
    """What some pieces say of the cards: who may have each one, and what else must be true of the piles."""

    table: Table
    owners: dict[str, list[str]]
    any_of: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    """Sides that have one of these cards at least."""
    counts: list[tuple[str, str, int]] = field(default_factory=list)
    awards: list[tuple[str, frozenset[str]]] = field(default_factory=list)


def known(table: Table, pieces: Iterable[Piece], nobodys: bool = False) -> Known:
    """Return what the pieces say; a card that nobody can have is left with no owners."""
    able = [*table.sides, NOBODY] if nobodys else [*table.sides]
    found = Known(table, dict.fromkeys(PACK, able))

    def only(card: str, owners: Collection[str], also: Collection[str] = ()) -> None:
        found.owners[card] = [side for side in (*found.owners[card], *also) if side in owners]

    for piece in pieces:
        if piece.field == "counts":
            found.counts.append((piece.of, piece.about, piece.value))
        elif piece.field == "awards":
            found.awards.append((piece.of, piece.value))
        elif piece.field != "best":
            only(piece.about, [piece.of], [NOBODY] if piece.of == NOBODY else [])
        else:
            others = [side for side in (*table.sides, NOBODY) if side != piece.of]
            of_suit = [card for card in PACK if card[-1] == piece.about]
            if piece.value is None:
                better = of_suit
            elif piece.value == "figure":
                better = [card for card in of_suit if rank(card) <= 7]
                found.any_of.append((piece.of, frozenset(of_suit) - frozenset(better)))
            else:
                laid = f"{piece.value}{piece.about}"
                only(laid, [piece.of])
                better = [card for card in of_suit if table.worth(card) > table.worth(laid)]
            for card in better:
                only(card, others)
    return found


# ---------------------------------------------------------------- every completion


class Way(NamedTuple):
    """A completion that agrees with the cards: the piles, the points and takers of each item, what it agrees with."""

    piles: dict[str, list[str]]
    points: dict[str, Points]
    agrees: dict[Piece, bool]


class Deal:
    """A partly known deal and all its completions."""

    def __init__(self, table: Table, pieces: Sequence[Piece], nobodys: bool = False, most: int = 5000) -> None:
        self.table, self.pieces, self.nobodys = table, list(pieces), nobodys
        shown = known(table, [piece for piece in pieces if piece.strength == SHOWN], nobodys)
        self.loose = [card for card in PACK if len(shown.owners[card]) != 1]
        size = 1
        for card in self.loose:
            size *= len(shown.owners[card])
        if size > most:
            raise TooMany(size)
        self.weaker = [piece for piece in pieces if piece.strength != SHOWN]
        self.ways = [self._way(owner) for owner in _completions(shown)]

    def _way(self, owner: Mapping[str, str]) -> Way:
        piles = piles_of(self.table, owner)
        takers = self.table.takers(piles) if any(piece.field == "awards" for piece in self.weaker) else {}
        agrees = {piece: _agrees(piece, owner, piles, takers) for piece in self.weaker}
        return Way(piles, self.results(piles), agrees)

    def results(self, piles: dict[str, list[str]]) -> dict[str, Points]:
        """Return the outcome of each item: its points, and the side of cappotto."""
        points = self.table.score(piles)
        if "cappotto" in points:
            points["cappotto"] = tuple(float(set(oracle.COINS) <= set(piles[side])) for side in self.table.sides)
        return points

    def under(self, pieces: Collection[Piece]) -> list[Way]:
        """Return the completions that agree with the cards and with these weaker pieces."""
        checked = [piece for piece in self.weaker if piece in pieces]
        return [way for way in self.ways if all(way.agrees[piece] for piece in checked)]

    @cached_property
    def all(self) -> list[Way]:
        """The completions that agree with everything."""
        return self.under(self.weaker)

    @property
    def is_possible(self) -> bool:
        """Whether anything agrees with everything."""
        return bool(self.all)

    def possible(self, item: str, ways: Iterable[Way] | None = None) -> set[Points]:
        """Return the possible outcomes of an item."""
        return {way.points[item] for way in (self.all if ways is None else ways)}

    @cached_property
    def items(self) -> list[str]:
        """The items that have a line."""
        return list(self.all[0].points)

    def points(self, item: str) -> Points | None:
        """Return the points of a settled line, None of an open one."""
        found = self.possible(item)
        return found.pop() if len(found) == 1 else None

    def evidence(self, item: str) -> str | None:
        """Return the weakest evidence that a settled line needs, None where it is open."""
        for number, strength in enumerate(STRENGTHS):
            strong = {piece for piece in self.weaker if piece.strength in STRENGTHS[: number + 1]}
            if len(self.possible(item, self.under(strong))) == 1:
                return strength
        return None

    def bounds(self, item: str) -> list[list[Number]]:
        """Return the least and the most value of each side; None as the least: perhaps it cannot compete."""
        columns = zip(*(self.table.values(item, way.piles) for way in self.all), strict=True)
        found: list[list[Number]] = []
        for column in columns:
            numbers = [value for value in column if value is not None]
            least = None if None in column else min(numbers)
            found.append([least, max(numbers, default=None)])
        return found

    def best_cards(self) -> dict[str, set[str]]:
        """Return the best cards that are certain."""
        return {
            side: set.intersection(*(set(self.table.best_cards(way.piles[side])) for way in self.all))
            for side in self.table.sides
        }

    def answers(self, question: Mapping[str, Any], known: Sequence[Way] | None = None) -> dict[Any, list[Way]]:
        """Return the completions, or those of ``known``, by the answer that they give to a question."""
        found: dict[Any, list[Way]] = {}
        for way in self.all if known is None else known:
            if "card" in question:
                answer: Any = next((side for side, pile in way.piles.items() if question["card"] in pile), NOBODY)
            elif "count" in question:
                answer = sum(map(COUNTED[question["count"]], way.piles[question["side"]]))
            else:
                answer = tuple(card in way.piles[question["side"]] for card in question["cards"])
            found.setdefault(answer, []).append(way)
        return found

    def helped(self, question: Mapping[str, Any]) -> set[str]:
        """Return the items whose possible results shrink under some answer to a question."""
        return self._helped(question, self.all)

    def _helped(self, question: Mapping[str, Any], known: Sequence[Way]) -> set[str]:
        answers = self.answers(question, known).values()
        return {
            item
            for item in self.items
            if any(self.possible(item, ways) != self.possible(item, known) for ways in answers)
        }

    def nearer(self, question: Mapping[str, Any]) -> set[str]:
        """Return the items whose possible results shrink under some answer, after the answer to another question."""
        cards = [{"card": card} for card in self.loose]
        counts = [{"count": kind, "side": side} for kind in COUNTED for side in self.table.sides]
        others = (ways for other in (*cards, *counts) for ways in self.answers(other).values())
        return set().union(*(self._helped(question, ways) for ways in others))

    def moves(self, question: Mapping[str, Any], item: str) -> bool:
        """Return whether what an item compares can depend on the answer to a question."""
        answers = self.answers(question).values()
        return len({frozenset(self.table.values(item, way.piles) for way in ways) for ways in answers}) > 1


def piles_of(table: Table, owner: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the piles, from the owner of each card."""
    piles: dict[str, list[str]] = {side: [] for side in table.sides}
    for card, side in owner.items():
        if side in piles:
            piles[side].append(card)
    return piles


def _completions(found: Known) -> Iterator[dict[str, str]]:
    for owners in product(*found.owners.values()):
        owner = dict(zip(found.owners, owners, strict=True))
        if all(any(owner[card] == side for card in cards) for side, cards in found.any_of):
            yield owner


def _agrees(
    piece: Piece, owner: Mapping[str, str], piles: Mapping[str, list[str]], takers: Mapping[str, frozenset[str]]
) -> bool:
    if piece.field == "counts":
        return bool(sum(map(COUNTED[piece.about], piles[piece.of])) == piece.value)
    if piece.field == "told":
        return owner[piece.about] == piece.of
    return takers.get(piece.of) == piece.value


# ---------------------------------------------------------------- one item, however many cards are unplaced

State = tuple[Any, ...]


@dataclass(frozen=True)
class Look:
    """What has to be remembered of the cards given out so far: where it begins, and what a card and a suit change."""

    start: Any
    take: Callable[[Any, str, str], Any]
    close: Callable[[Any], Any] = lambda state: state
    measure: Callable[[Any], tuple[float, Any]] = lambda state: (0.0, state)
    """A number and a rest: of states with the same rest only the least number matters."""


def _numbers(sides: Sequence[str], cards: Collection[str], at_most: int | None = None) -> Look:
    """Remember how many of some cards each of these sides has."""
    wanted = frozenset(cards)

    def take(state: tuple[int, ...], card: str, side: str) -> tuple[int, ...] | None:
        if card not in wanted or side not in sides:
            return state
        place = sides.index(side)
        more = (*state[:place], state[place] + 1, *state[place + 1 :])
        return None if at_most is not None and more[place] > at_most else more

    return Look((0,) * len(sides), take)


def _owners(cards: Collection[str]) -> Look:
    """Remember who has each of some cards."""
    wanted = frozenset(cards)
    return Look((), lambda state, card, side: (*state, side) if card in wanted else state)


def _primes(table: Table) -> Look:
    """Remember of each side its sum, its suits, those with a pip, its sevens, and the best of the suit at hand."""
    options = table.options
    suits, pips = options.get("prime_suits_required", 4), options.get("prime_needs_pip")
    pips = pips or options.get("three_player_tie_to_third")
    sevens = options.get("prime_needs_seven") or options.get("prime_void_if_all_sevens")
    sides = table.sides

    def take(state: Any, card: str, side: str) -> Any:
        if side not in sides:
            return state
        place = sides.index(side)
        total, held, with_pip, of_seven, best, pip = state[place]
        worth = table.worth(card)
        mine = (
            total,
            held,
            with_pip,
            of_seven + (1 if sevens and table.rank(card) == 7 else 0),
            worth if best is None else max(best, worth),
            pip or bool(pips and table.rank(card) <= 7),
        )
        return (*state[:place], mine, *state[place + 1 :])

    def close(state: Any) -> Any:
        return tuple(
            (
                total + (best or 0),
                held + (1 if suits and best is not None else 0),
                with_pip + pip,
                of_seven,
                None,
                False,
            )
            for total, held, with_pip, of_seven, best, pip in state
        )

    return Look(((0.0, 0, 0, 0, None, False),) * len(sides), take, close)


def _duel(table: Table) -> Look:
    """Remember of two sides the same, but of their sums only how far they are apart, and whether the first has any."""
    both = _primes(table)

    def close(state: Any) -> Any:
        (ahead, *mine), (has_any, *others) = state
        (gain, *mine), (loss, *others) = both.close(((0, *mine), (0, *others)))
        return ((ahead + gain - loss, *mine), (has_any or gain > 0, *others))

    def measure(state: Any) -> tuple[float, Any]:
        (ahead, *mine), others = state
        return ahead, (*mine, others)

    # Where everything else is alike, the rival has the best chance where it is least behind.
    return Look(((0.0, 0, 0, 0, None, False), (False, 0, 0, 0, None, False)), both.take, close, measure)


def looks_of(item: str, table: Table) -> list[Look]:
    """Return what an item looks at."""
    if item in oracle.SPECIAL:
        return [_owners([oracle.SPECIAL[item]])]
    if item == "grande":
        return [_owners(["10O", "11O", "12O"])]
    if item == "piccola":
        return [_owners(oracle.COINS[:6])]
    if item == "barmila":
        return [_numbers(table.sides, [card for card in PACK if COUNTED[kind](card)]) for kind in ("sevens", "sixes")]
    if item == "prime" and table.method != "sevens_count":
        return [_primes(table)]
    if item == "prime":
        return [_numbers(table.sides, [card for card in PACK if table.rank(card) == 7])]
    kind = counted_for(item)
    return [_numbers(table.sides, [card for card in PACK if COUNTED[kind](card)])]


def results(
    table: Table, pieces: Sequence[Piece], item: str, nobodys: bool = False, most: int = 20_000, until: int = 10**9
) -> set[Points]:
    """Return the possible outcomes of an item for any number of unplaced cards; stop at ``until`` of them."""
    reached: set[Points] = set()
    for piles in _representatives(table, pieces, looks_of(item, table), nobodys, most):
        if item == "cappotto":
            taken = table.takers(piles)[item]
            reached.add(tuple(float(side in taken) for side in table.sides))
        else:
            reached.add(table.score(piles)[item])
        if len(reached) >= until:
            break
    return reached


def settles(
    table: Table, pieces: Sequence[Piece], item: str, points: Points, nobodys: bool = False, most: int = 20_000
) -> bool:
    """Return whether pieces leave an item only these points.

    A prime that one side takes is tried against one rival after the other, which takes far fewer states.
    """
    winners = [side for side, each in zip(table.sides, points, strict=True) if each]
    special = ("three_player_tie_to_third", "prime_void_if_all_sevens")
    plain = table.options.get("tie_rule", "nobody") != "best_untied" and not any(map(table.options.get, special))
    if item != "prime" or table.method == "sevens_count" or len(winners) != 1 or not plain:
        return results(table, pieces, item, nobodys, most, until=2) == {points}
    (ahead,) = winners
    for rival in table.sides:
        if rival == ahead:
            continue
        two = Table(table.game, (ahead, rival), table.options, table.given)
        for piles in _representatives(table, pieces, [_duel(two)], nobodys, most):
            best, other = two.values(item, piles)
            if not best or (other is not None and other >= best):
                return False
    return True


def _representatives(
    table: Table, pieces: Sequence[Piece], looks: list[Look], nobodys: bool, most: int
) -> Iterator[dict[str, list[str]]]:
    """Yield piles that agree with the pieces, one for each way in which all completions can look."""
    found = known(table, pieces, nobodys)
    looks = list(looks)
    for awarded in dict.fromkeys(awarded for awarded, _ in found.awards):
        looks += looks_of(awarded, table)
    wanted: list[tuple[int, int]] = []
    for side, kind, number in found.counts:
        wanted.append((len(looks), number))
        looks.append(_numbers([side], [card for card in PACK if COUNTED[kind](card)], number))
    clauses = []
    for side, cards in found.any_of:
        clauses.append(len(looks))
        looks.append(_any_of(side, cards))
    for state, owners in _reach(found, looks, most).items():
        if any(state[place] != (number,) for place, number in wanted) or not all(state[place] for place in clauses):
            continue
        piles = piles_of(table, dict(zip(PACK, owners, strict=True)))
        taken = table.takers(piles) if found.awards else {}
        if all(taken.get(awarded) == winners for awarded, winners in found.awards):
            yield piles


def _any_of(side: str, cards: Collection[str]) -> Look:
    return Look(False, lambda state, card, owner: state or (owner == side and card in cards))


def _reach(found: Known, looks: Sequence[Look], most: int) -> dict[State, tuple[str, ...]]:
    """Return every state that some completion leads to, each with one completion that does."""
    reached: dict[State, tuple[str, ...]] = {tuple(look.start for look in looks): ()}
    for number, card in enumerate(PACK):
        further: dict[State, tuple[str, ...]] = {}
        for state, owners in reached.items():
            for side in found.owners[card]:
                then = tuple(look.take(each, card, side) for look, each in zip(looks, state, strict=True))
                if None not in then:
                    further.setdefault(then, (*owners, side))
        if number % 10 == 9:
            least: dict[State, tuple[float, State, tuple[str, ...]]] = {}
            for state, owners in further.items():
                closed = tuple(look.close(each) for look, each in zip(looks, state, strict=True))
                measured = [look.measure(each) for look, each in zip(looks, closed, strict=True)]
                here, alike = sum(each for each, _ in measured), tuple(rest for _, rest in measured)
                if alike not in least or here < least[alike][0]:
                    least[alike] = (here, closed, owners)
            further = {state: owners for _, state, owners in least.values()}
        if len(further) > most:
            raise TooMany(len(further))
        reached = further
    return reached


# ---------------------------------------------------------------- what an answer says otherwise


class Difference(NamedTuple):
    """A difference between an answer and this opinion."""

    about: str
    item: str
    engine: Any
    here: Any


ABOUT_THE_PLAY = {
    *("pile_modulus", "pile_parity", "leftover_modulus", "leftover_parity", "pile_of_one", "leftover_high"),
    *("missed_fifteen", "missed_pair", "last_capturer_contradicted"),
}


def faults_of(answer: Mapping[str, Any]) -> list[Any]:
    """Return the problems of a deal, but for warnings about how it was played or that the budget was spent."""
    let_pass = {*ABOUT_THE_PLAY, "budget_spent"}
    return [each for each in answer["problems"] if each["severity"] == "error" or each["code"] not in let_pass]


def differences(answer: Mapping[str, Any], deal: Deal) -> list[Difference]:
    """Return what an answer about a deal says otherwise; what a spent budget left open is not looked at."""
    faults = faults_of(answer)
    found = [Difference("problems", "", faults, [])] if faults or answer["status"] == "invalid" else []
    if answer["status"] == "invalid":
        return found
    spent = {item for each in answer["problems"] if each["code"] == "budget_spent" for item in each["facts"]["items"]}
    lines = {line["item"]: line for line in answer["lines"] if line["item"] in deal.items}
    if set(lines) != set(deal.items):
        found.append(Difference("lines", "", set(lines), set(deal.items)))
    for item, line in lines.items():
        if item not in spent:
            found += _of_a_line(line, deal)
    undecided = {item for item in lines if lines[item]["points"] is None}
    if not any(each["code"] == "budget_spent" for each in answer["problems"]):
        found += _of_the_question(answer, undecided, deal)
    return found


def as_points(item: str, points: Points | None) -> Points | None:
    """Return the points on the sheet for an outcome of an item."""
    return tuple(0 for _ in points) if points is not None and item == "cappotto" else points


def _of_a_line(line: Mapping[str, Any], deal: Deal) -> Iterator[Difference]:
    item, sides = line["item"], deal.table.sides
    points = None if line["points"] is None else tuple(line["points"][side] for side in sides)
    wanted = as_points(item, deal.points(item))
    if points != wanted:
        yield Difference("points", item, points, wanted)
        return
    if len(sides) == 2 or {"values", "bounds"} & set(line):
        yield from _of_values(line, deal, points)
    elif item == "prime":
        return  # The engine's steps ran out on the way, as they may with more sides.
    if item == "prime":
        best = {side: sorted(cards) for side, cards in deal.best_cards().items()}
        cards = {side: sorted(line["cards"].get(side, [])) for side in sides} if "cards" in line else None
        if cards != best:
            yield Difference("cards", item, cards, best)
    if points is None:
        if not line["needs"] or not set(line["needs"]) <= set(deal.loose):
            yield Difference("needs", item, line["needs"], deal.loose)
        return
    if line["evidence"] != deal.evidence(item):
        yield Difference("evidence", item, line["evidence"], deal.evidence(item))
    yield from _of_a_reason(line, deal)


def _of_values(line: Mapping[str, Any], deal: Deal, points: Points | None) -> Iterator[Difference]:
    item, sides = line["item"], deal.table.sides
    bounds = deal.bounds(item)
    certain = [least for least, most in bounds] if all(least == most for least, most in bounds) else None
    engine = [line["values"][side] for side in sides] if "values" in line else None
    if engine != certain and not (points is None and engine is None):
        yield Difference("values", item, engine, certain)
    engine_bounds = [list(line["bounds"][side]) for side in sides] if "bounds" in line else None
    if certain is None and engine_bounds != bounds:
        yield Difference("bounds", item, engine_bounds, bounds)
    if certain is not None and engine_bounds is not None:
        yield Difference("bounds", item, engine_bounds, None)


def _of_a_reason(line: Mapping[str, Any], deal: Deal) -> Iterator[Difference]:
    item = line["item"]
    if not deal.loose:
        return
    if "because" not in line:
        yield Difference("because", item, None, "missing")
        return
    pieces = pieces_of(line["because"], deal.table)
    if not set(pieces) <= set(deal.pieces):
        yield Difference("because", item, line["because"], "what nobody said")
        return
    strengths = [STRENGTHS.index(piece.strength) for piece in pieces]
    if STRENGTHS[max(strengths, default=0)] != line["evidence"]:
        yield Difference("because", item, line["because"], line["evidence"])
    try:
        points = next(iter(deal.possible(item)))
        # By itself the reason says nothing of a leftover, unless it lists one.
        lying = line["because"].get("leftover", [])
        nobodys = deal.nobodys or (deal.table.options.get("last_cards") == "nobody" and not lying)
        if not settles(deal.table, pieces, item, points, nobodys, MOST_STATES):
            yield Difference("because", item, line["because"], "it does not settle the line")
            return
        # With more sides or pieces the engine's steps may run out before everything was tried.
        is_short = len(deal.table.sides) == 2 and len(pieces) <= MOST_STRUCK
        for piece in pieces if is_short else ():
            if piece.about in lying:
                # Without the leftover any card may be nobody's, which is another deal.
                continue
            fewer = [other for other in pieces if other != piece]
            if settles(deal.table, fewer, item, points, nobodys, MOST_STATES):
                yield Difference("because", item, line["because"], f"{piece} is not needed")
                return
    except TooMany:
        TOO_MANY.append(item)


MOST_STATES = 3_000
"""States beyond which a reason is not tried; many take seconds."""
MOST_STRUCK = 8
"""How many pieces of a reason are struck, one at a time, to see whether they are needed."""

TOO_MANY: list[str] = []
"""The items with a reason that could not be tried."""


def _of_the_question(answer: Mapping[str, Any], undecided: Collection[str], deal: Deal) -> Iterator[Difference]:
    for field_ in ("ask", "ask_group"):
        question = answer.get(field_)
        if question is None:
            if field_ == "ask" and undecided:
                yield Difference("ask", "", None, sorted(undecided))
            continue
        if not undecided:
            yield Difference(field_, "", question, None)
            continue
        if len(deal.answers(question)) < 2:
            yield Difference(field_, "", question, "the answer is implied")
        named, helped = set(question["settles"]), deal.helped(question) & set(undecided)
        if len(deal.table.sides) > 2:
            # The engine's steps may run out for an item; then it is named if its values can change.
            helped |= {item for item in named & set(undecided) if deal.moves(question, item)}
        # What helps by itself comes first, then what helps together with one more answer.
        nearer = set() if helped else deal.nearer(question) & set(undecided)
        if named != helped if helped else not named or not named <= nearer:
            yield Difference("settles" if field_ == "ask" else "group settles", "", question, sorted(helped or nearer))
