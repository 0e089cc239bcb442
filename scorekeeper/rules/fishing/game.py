"""A fishing game at one table: one deal scored line by line (rules §0 to §4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar

from ...limits import EVIDENCE_STEPS, LINE_STEPS, LINES_STEPS, SHORT_STEPS
from .. import schema
from ..budget import BudgetSpent, current, is_bounded, spend
from ..cards import (
    CODES,
    FULL_PACK,
    MATTA,
    RANKS,
    SUITS,
    cards_of,
    parse_card,
    pile_of,
    rank_of,
    suit_of,
    suit_pile,
    value_of,
)
from ..problems import Problems, check_fields
from ..ruleset import Ending, TableRules
from ..sheet import Line, Sheet
from .checks import check_arithmetic, check_sweeps, last_capturer
from .declarations import HAND_SIZE, Combination, Face, Wild, possible_claims, read_hand
from .evidence import Awarded, Evidence, read_awards, read_cards, read_evidence
from .facts import Declared, Facts
from .features import Count
from .items import Item, Prime, Verdict
from .items import award as gained
from .next_question import next_question, still_matter
from .possible import Constraint, PossibleValues, Vectors, outcomes, placed_by_counts, possible_values, without_weighing
from .primes import Given, as_given
from .rules import FishingRules

DEAL_FIELDS = frozenset(
    {"dealer", "layout", "layout_result", "declarations", "sweeps", "penalties", "last_capturer", "leftover"}
    | {"piles", "rest", "counts", "awards", "as", "accept"}
)


STEPS_OF_A_VERDICT = 10
"""Steps that it takes to judge one way of dealing out."""

MOST_VERDICTS = 50_000
"""Judgements that are remembered, of all tables together."""

_verdicts: dict[tuple[Any, ...], Verdict] = {}
_serial = count()

NOT_LOOKED_AT = PossibleValues(frozenset(), exact=False)


class FishingGame:
    """A fishing game at one table."""

    by_number: ClassVar[bool] = False

    def __init__(self, table: TableRules, rules: FishingRules) -> None:
        self.table = table
        self.rules = rules
        self.sides = table.sides
        self.seats = range(len(table.sides))
        self.items: tuple[Item, ...] = tuple(item for item in rules.items if item.is_on)
        self.by_id = {item.id: item for item in self.items}
        self.combos: tuple[Combination, ...] = tuple(combo for combo in rules.combos if combo.is_on)
        self.combo_points = {combo.id: combo.points for combo in self.combos}
        self.wilds = {
            card: Wild(card, rules.wild_power) for code in rules.wild_cards if (card := parse_card(code)) is not None
        }
        if rules.matta:
            self.wilds[MATTA] = Wild(MATTA, "matta")
        self.penalty_ids = {penalty.id: penalty.how for penalty in rules.penalties}
        self.players = len(table.sides) * table.players_per_side
        dealt = 40 - rules.layout_size
        self.batches = dealt // (rules.hand_size * self.players)
        self.plays = dealt
        self.ending = Ending(target=rules.target, winner=rules.winner)
        self.serial = next(_serial)

    def item_ids(self) -> tuple[str, ...]:
        """Name the items that can have a line at this table, in the order of the sheet."""
        ids = [combo.id for combo in self.combos]
        if self.rules.false_declaration and self.combos:
            ids.append("false_declaration")
        if self.rules.opening.fifteen or self.rules.opening.thirty:
            ids.append("table_sweep")
        if self.rules.opening.flush:
            ids.append("table_flush")
        if self.rules.pts_sweeps:
            ids.append("sweeps")
        ids += [item.id for item in self.items]
        ids += [id for id, how in self.penalty_ids.items() if how != "off"]
        return tuple(ids)

    # ---------------------------------------------------------------- scoring

    def score(self, deal: Mapping[str, Any], number: int = 0) -> Sheet:
        """Score one deal in the contract's shape; raises ``Malformed`` where a type is wrong."""
        problems = Problems()
        sheet = Sheet(self.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS, problems)
        facts = self._read_facts(deal, problems)
        if facts.layout is not None and not problems.fatal:
            redeal = next((rule.who for rule in self.rules.redeals if rule.voids(facts.layout)), None)
            if redeal is not None:
                sheet.redeal = redeal
                return sheet
        opening = self._opening_lines(facts, problems)
        with current().share(EVIDENCE_STEPS):
            evidence = read_evidence(deal, self.sides, self.rules.last_cards, problems)
        accepted = self._accepted(deal.get("accept"), problems)
        if problems.fatal:
            return sheet
        check_sweeps(self, facts, evidence, problems)
        check_arithmetic(self, facts, evidence, accepted, problems)
        given = self._given_in_prime(facts)
        with current().share(EVIDENCE_STEPS):
            read_awards(deal.get("awards"), self.by_id, self.sides, evidence, given, problems)
        if problems.fatal:
            return sheet
        lines = [*self._declaration_lines(facts), *opening]
        if self.rules.pts_sweeps:
            lines.append(self.sweep_line(facts.sweeps))
        with current().share(LINES_STEPS):
            settled, left_open = self._settle_all(evidence, given, facts)
            lines += settled
        with current().share(LINE_STEPS):
            lines += self._penalty_lines(facts, lambda seat: self._made(seat, lines, evidence, given, facts))
        sheet.lines = lines
        sheet.points = tuple(sum(line.points[seat] for line in lines if line.points is not None) for seat in self.seats)
        self._end_at_once(sheet, evidence, given, facts)
        nothing_to_ask = False
        if any(line.points is None for line in lines):
            unsettled = [self.by_id[line.item] for line in lines if line.points is None and line.item in self.by_id]
            try:
                sheet.ask = next_question(unsettled, evidence, given, self.sides)
            except BudgetSpent:
                nothing_to_ask = True
        if is_bounded() and (left_open or nothing_to_ask):
            self._warn_of_budget(left_open, problems)
        return sheet

    def _warn_of_budget(self, left_open: Sequence[str], problems: Problems) -> None:
        if left_open:
            message = f"Too many ways are left to look at: {', '.join(left_open)} stay open until more is known."
        else:
            message = "Too many ways are left to look at to say what to ask next."
        problems.warn("budget_spent", "", message, items=list(left_open))

    def last_capturer(self, deal: Mapping[str, Any]) -> str | None:
        """Tell from finished piles who took the last cards, where the arithmetic tells (rules §6)."""
        problems = Problems()
        facts = self._read_facts(deal, problems)
        # How the cards lie is not told by counts, and counts are work to weigh.
        evidence = read_evidence(deal, self.sides, self.rules.last_cards, problems, accept_counts=False)
        seat = None if problems.fatal else last_capturer(self, facts, evidence)
        return None if seat is None else self.sides[seat]

    def sweep_line(self, made: tuple[int, ...]) -> Line:
        """Give the line of the sweeps made in play."""
        points = tuple(count * self.rules.pts_sweeps for count in made)
        return Line("sweeps", points, "each" if any(points) else "nobody", made, "counted")

    def line_of(self, item: Item, read: tuple[tuple[int, ...], ...]) -> Line:
        """Give the line of an item whose values are all known, from cards shown."""
        return self._line(item, [self.judge(item, read)], "shown")

    def judge(self, item: Item, read: tuple[tuple[int, ...], ...]) -> Verdict:
        """Judge an item, remembering what the same values came to before."""
        key = (self.serial, item.id, read)
        verdict = _verdicts.get(key)
        if verdict is None:
            if len(_verdicts) > MOST_VERDICTS:
                _verdicts.clear()
            verdict = _verdicts[key] = item.judge(*read)
        return verdict

    def _settle_all(self, evidence: Evidence, given: Given, facts: Facts) -> tuple[list[Line], list[str]]:
        """Score every item; give also those that are open because the steps did not suffice.

        Nothing that is quickly weighed waits for what is not: a long look is for what a short one leaves undecided, and
        a prime, the most to weigh, comes last.
        """
        primes_last = sorted(self.items, key=lambda item: isinstance(item, Prime))
        settled: dict[str, tuple[Line, bool]] = {}
        for most in (SHORT_STEPS, LINE_STEPS) if is_bounded() else (LINE_STEPS,):
            for item in primes_last:
                if item.id not in settled or settled[item.id][1]:
                    settled[item.id] = self._settle(item, evidence, given, facts, most)
        lines = [settled[item.id][0] for item in self.items]
        return lines, [item.id for item in self.items if settled[item.id][1]]

    def _settle(self, item: Item, evidence: Evidence, given: Given, facts: Facts, most: int) -> tuple[Line, bool]:
        """Score an item with the strongest evidence that settles it, or leave its line open.

        The evidence is weighed in so many steps a time; whether the line is open for want of them is given with it.
        """
        judged = self._judging(item, facts)
        wanted = item.features(given)
        if not evidence.unplaced:
            read = tuple(tuple(feature.measure(pile) for pile in evidence.piles) for feature in wanted)
            return self._line(item, [judged(read)], "shown"), False
        counted: tuple[Constraint, ...] = tuple(evidence.counts)
        said = tuple(evidence.awards.values())
        award = evidence.awards.get(item.id)
        # What settles under some of what is known settles under all of it, and less is quicker to weigh: what reads the
        # same features comes first, then all but the primes, then everything.
        features = set(wanted)
        stages: list[tuple[str, tuple[Constraint, ...]]] = [("shown", ())]
        if counted:
            alike_counts = tuple(count for count in counted if features & set(count.features(given)))
            stages += [("counted", some) for some in dict.fromkeys((alike_counts, counted)) if some]
        if award is not None:
            stages.append(("said", (*counted, award)))
        if said:
            alike = tuple(award for award in said if features & set(award.features(given)))
            cheap = tuple(award for award in said if not isinstance(award.item, Prime))
            stages += [("said", counted + some) for some in dict.fromkeys((alike, cheap, said)) if some]
        everything, is_proven_open = (*counted, *said), False
        for strength, constraints in stages:
            try:
                # A line that was said needs no steps: it gets few to look for stronger evidence, or its values.
                with current().portion(SHORT_STEPS if award in constraints else most):
                    found = outcomes(
                        evidence.known(given), wanted, constraints, lambda read: item.outcome(judged(read))
                    )
                    spend(STEPS_OF_A_VERDICT * len(found.vectors))
            except BudgetSpent:
                found = without_weighing(evidence.known(given), wanted, constraints) or NOT_LOOKED_AT
            verdicts = [judged(read) for read in found.vectors]
            # Who took it is said: a sample of the ways shows what that comes to as well as all of them.
            known = found.exact or (award in constraints and item.points_follow_winners)
            different = len({item.outcome(verdict) for verdict in verdicts})
            if known and different == 1:
                return self._line(item, verdicts, strength), False
            is_proven_open = is_proven_open or (constraints == everything and different > 1)
            if is_bounded() and different < 2:
                ahead = self._ahead(item, evidence, given, constraints)
                if ahead is not None:
                    return ahead, False
            if award in constraints and item.points_follow_winners and is_bounded():
                break
        if award is not None and item.points_follow_winners:
            return self._as_said(item, award, facts), False
        needs = tuple(CODES[card] for card in still_matter(item, evidence, given))
        return Line(item.id, None, "open", needs=needs), not is_proven_open

    def _ahead(self, item: Item, evidence: Evidence, given: Given, constraints: tuple[Constraint, ...]) -> Line | None:
        """Give the line of a prime that is ahead of all that the others can still have, where that tells it."""
        if not isinstance(item, Prime):
            return None
        known = placed_by_counts(evidence.known(given), constraints)
        ahead = item.surely_ahead(known.piles, known.unplaced, given)
        if ahead is None:
            return None
        at_least = item.at_least(known.piles, given)
        strength = "shown" if known.unplaced == evidence.unplaced else "counted"
        points = gained((ahead,), item.points, len(self.sides))
        return Line(item.id, points, "most", None, strength, at_least=at_least, winners=(ahead,))

    def _as_said(self, item: Item, award: Awarded, facts: Facts) -> Line:
        """Give the line of an item whose taker was said and not contradicted: it needs no weighing."""
        sides = len(self.sides)
        reason, values = item.said(award.winners, sides)
        verdict = Verdict(gained(award.winners, item.points or 0, sides), reason, values or (), award.winners)
        verdict = _strike(verdict, self._barred(item, facts))
        return Line(item.id, verdict.points, verdict.reason, values, "said", winners=verdict.winners)

    def _judging(self, item: Item, facts: Facts) -> Callable[[Vectors], Verdict]:
        """Give the judgement of an item under the faults of the deal."""
        barred = self._barred(item, facts)
        if barred:
            return lambda read: _strike(self.judge(item, read), barred)
        return lambda read: self.judge(item, read)

    def _barred(self, item: Item, facts: Facts) -> list[int]:
        """Give the seats that cannot have an item for a fault of theirs."""
        if item.id == "cards" and self.penalty_ids.get("wrong_capture") == "void_cards":
            return facts.faulted("wrong_capture")
        return []

    def _made(self, seat: int, lines: Sequence[Line], evidence: Evidence, given: Given, facts: Facts) -> int | None:
        """Add up a side's points of some lines; None where an open one can still change them."""
        total = 0
        for line in lines:
            if line.points is not None:
                points: int | None = int(line.points[seat])
            else:
                points = self._certain(seat, self.by_id[line.item], evidence, given, facts)
            if points is None:
                return None
            total += points
        return total

    def _certain(self, seat: int, item: Item, evidence: Evidence, given: Given, facts: Facts) -> int | None:
        """Tell what an open item gives one side, where only what it gives the others is open."""
        judged = self._judging(item, facts)
        constraints: tuple[Constraint, ...] = (*evidence.counts, *evidence.awards.values())
        try:
            with current().portion(LINE_STEPS):
                found = outcomes(
                    evidence.known(given), item.features(given), constraints, lambda read: judged(read).points[seat]
                )
        except BudgetSpent:
            return None
        points = {judged(read).points[seat] for read in found.vectors}
        return points.pop() if found.exact and len(points) == 1 else None

    def _line(self, item: Item, verdicts: Sequence[Verdict], evidence: str | None) -> Line:
        first = verdicts[0]
        reasons = {verdict.reason for verdict in verdicts}
        values: tuple[Any, ...] | None = first.values
        at_least = None
        if len(verdicts) > 1 and any(verdict.values != first.values for verdict in verdicts):
            values = None
            columns = list(zip(*(verdict.values for verdict in verdicts), strict=True))
            if all(isinstance(value, int) for column in columns for value in column):
                at_least = tuple(min(column) for column in columns)
        reason = reasons.pop() if len(reasons) == 1 else "certain"
        winners = first.winners if len({verdict.winners for verdict in verdicts}) == 1 else ()
        return Line(item.id, first.points, reason, values, evidence, at_least=at_least, winners=winners)

    def _end_at_once(self, sheet: Sheet, evidence: Evidence, given: Given, facts: Facts) -> None:
        """Note who won the match at once (cappotto) or lost it (no capture)."""
        for line in sheet.lines:
            if line.winners and line.item in self.by_id and self.by_id[line.item].ends_match:
                sheet.won_by = line.winners[0]
        if self.rules.no_capture_loses and len(self.sides) == 2:
            try:
                with current().portion(LINE_STEPS):
                    found = possible_values(evidence.known(given), (Count(FULL_PACK),), tuple(evidence.counts))
            except BudgetSpent:
                return
            for seat in self.seats:
                empty = {read[0][seat] == 0 for read in found.vectors} == {True}
                other_took = all(read[0][1 - seat] > 0 for read in found.vectors)
                if empty and other_took and not facts.sweeps[seat]:
                    sheet.lost_by = seat

    def _given_in_prime(self, facts: Facts) -> Given:
        if self.rules.matta and self.rules.matta_in_prime == "natural":
            return ()
        return as_given(facts.ranks)

    # ---------------------------------------------------------------- reading

    def _read_facts(self, deal: Mapping[str, Any], problems: Problems) -> Facts:
        dealer_label = schema.side(deal.get("dealer"), "dealer", self.sides, problems)
        dealer = None if dealer_label is None else self.sides.index(dealer_label)
        layout = None
        if deal.get("layout") is not None:
            cards = read_cards(deal["layout"], "layout", problems)
            listed = len(deal["layout"])
            if listed != self.rules.layout_size:
                problems.error(
                    "layout_size",
                    "layout",
                    f"The opening layout has {self.rules.layout_size} cards, not {listed}.",
                    wanted=self.rules.layout_size,
                    cards=listed,
                )
            layout = pile_of(cards)
        said = deal.get("layout_result")
        results = schema.words(
            [said] if isinstance(said, str) else schema.optional_items(said, "layout_result"), "layout_result"
        )
        for number, result in enumerate(results):
            if result not in ("15", "30", "flush3", "flush4"):
                problems.error(
                    "unknown_value",
                    f"layout_result[{number}]",
                    f"{result[:20]!r} is no opening: 15, 30, flush3 or flush4.",
                )
        if {"15", "30"} <= set(results) or {"flush3", "flush4"} <= set(results):
            problems.error(
                "impossible_layout", "layout_result", "An opening is 15 or 30, three or four of a suit: not both."
            )
        ranks: dict[int, int] = {}
        faces = self.read_wild_values(deal.get("as"), "as", problems)
        for card, face in faces.items():
            ranks[card] = face.rank
        if layout is not None and self.rules.matta and layout >> MATTA & 1 and MATTA not in ranks:
            self._give_matta(layout, ranks)
        sweeps = [0] * len(self.sides)
        for label, sweeps_of in schema.by_side(deal.get("sweeps"), "sweeps", self.sides, problems).items():
            made = schema.integer(sweeps_of, f"sweeps.{label}")
            if made < 0:
                problems.error("negative_sweeps", f"sweeps.{label}", "Sweeps cannot be fewer than none.", side=label)
            sweeps[self.sides.index(label)] = max(0, made)
        declared = self._read_declarations(deal.get("declarations"), layout, faces, ranks, problems)
        penalties = []
        for number, entry in enumerate(schema.optional_items(deal.get("penalties"), "penalties")):
            where = f"penalties[{number}]"
            penalty = schema.mapping(entry, where)
            id = schema.text(penalty.get("item"), f"{where}.item")
            label = schema.text(penalty.get("side"), f"{where}.side")
            if id not in self.penalty_ids:
                problems.error(
                    "unknown_penalty", f"{where}.item", f"This game has no penalty {id[:40]!r}.", item=id[:40]
                )
            elif label not in self.sides:
                schema.unknown_side(label, f"{where}.side", problems)
            else:
                penalties.append((id, self.sides.index(label)))
        in_hand = tuple(
            sum(1 for each in declared if each.side == seat and "sweep_in_hand" in each.items) for seat in self.seats
        )
        return Facts(dealer, layout, frozenset(results), tuple(sweeps), declared, ranks, penalties, in_hand=in_hand)

    def _give_matta(self, layout: int, ranks: dict[int, int]) -> None:
        """Let the matta in the layout make 15 or 30 where it can: it keeps that value (rules §9)."""
        if self.rules.matta_in_layout != "on":
            return
        others = value_of(layout & ~(1 << MATTA), self.rules.values)
        for wanted in (15, 30):
            if wanted - others in self.rules.values:
                ranks[MATTA] = self.rules.values.index(wanted - others)

    def read_wild_values(self, value: object, where: str, problems: Problems) -> dict[int, Face]:
        """Read what wild cards count as: {"12O": "5O"}; the suit may be left out."""
        faces = {}
        for code, stands_for in schema.optional_mapping(value, where).items():
            here = f"{where}.{code[:20]}"
            word = schema.text(stands_for, here).upper()
            card = parse_card(code)
            if card is None:
                problems.error("unknown_card", here, f"There is no card {code[:20]!r} in this pack.", card=code[:20])
                continue
            if card not in self.wilds:
                problems.error("not_wild", here, f"{CODES[card]} is not wild at this table.", card=CODES[card])
                continue
            index, suit = (word[:-1], word[-1]) if word[-1:] in SUITS and word else (word, None)
            if not index.isascii() or not index.isdigit() or int(index or 0) not in RANKS:
                problems.error(
                    "unknown_card",
                    here,
                    f"A wild card counts as a card by its index (1 to 7, 10, 11, 12), not {word[:20]!r}.",
                    stands_for=word[:20],
                )
                continue
            face = self.wilds[card].face(RANKS.index(int(index)), None if suit is None else SUITS.index(suit))
            if face is None:
                problems.error(
                    "impossible_wild",
                    here,
                    f"{CODES[card]} may change its rank or its suit, not both.",
                    card=CODES[card],
                )
                continue
            faces[card] = face
        return faces

    def _read_declarations(
        self, value: object, layout: int | None, faces: dict[int, Face], ranks: dict[int, int], problems: Problems
    ) -> list[Declared]:
        entries = schema.optional_items(value, "declarations")
        placed = {card: f"layout[{number}]" for number, card in enumerate(cards_of(layout or 0))}
        declared: list[Declared] = []
        per_batch: dict[tuple[int, int], int] = {}
        for number, entry in enumerate(entries):
            where = f"declarations[{number}]"
            claim = schema.mapping(entry, where)
            side = schema.side(schema.text(claim.get("side"), f"{where}.side"), f"{where}.side", self.sides, problems)
            batch = schema.optional(claim.get("batch"), f"{where}.batch", schema.integer)
            items = None if claim.get("items") is None else schema.words(claim["items"], f"{where}.items")
            if batch is not None and not 1 <= batch <= self.batches:
                problems.error(
                    "unknown_batch",
                    f"{where}.batch",
                    f"This deal has batches 1 to {self.batches}.",
                    batches=self.batches,
                )
            cards = None
            if claim.get("cards") is not None:
                cards = read_cards(claim["cards"], f"{where}.cards", problems, placed)
                if len(claim["cards"]) != HAND_SIZE:
                    problems.error(
                        "declaration_size",
                        f"{where}.cards",
                        f"A declaration shows {HAND_SIZE} cards, not {len(claim['cards'])}.",
                        cards=len(claim["cards"]),
                    )
            if cards is None and items is None:
                problems.error("empty_declaration", where, "A declaration needs its cards, its items or both.")
            for place, id in enumerate(items or ()):
                if id not in self.combo_points:
                    problems.error(
                        "unknown_item",
                        f"{where}.items[{place}]",
                        f"{id[:40]!r} is not declared at this table.",
                        item=id[:40],
                    )
            own = self.read_wild_values(claim.get("as"), f"{where}.as", problems)
            if side is None or problems.fatal:
                continue
            seat = self.sides.index(side)
            if cards is not None and batch is not None:
                key = (seat, batch)
                per_batch[key] = per_batch.get(key, 0) + 1
                if self.rules.hand_size == HAND_SIZE and per_batch[key] == self.table.players_per_side + 1:
                    problems.warn(
                        "many_declarations",
                        where,
                        f"{side} shows more hands in batch {batch} than it has players.",
                        side=side,
                    )
            self._check_kept_values(own, faces, cards, where, problems)
            if cards is None:
                declared.append(self._said(seat, items or [], where, problems))
            elif not problems.fatal:
                declared.append(self._shown(seat, cards, items, {**faces, **own}, ranks, where, problems))
        if self.rules.announcements is not None:
            most = self.rules.announcements * self.table.players_per_side
            for seat in self.seats:
                made = sum(1 for each in declared if each.side == seat)
                if made > most:
                    problems.error(
                        "too_many_declarations",
                        "declarations",
                        f"{self.sides[seat]} may announce {most} times in a deal.",
                        side=self.sides[seat],
                        most=most,
                    )
        return declared

    def _check_kept_values(
        self, own: dict[int, Face], faces: dict[int, Face], cards: list[int] | None, where: str, problems: Problems
    ) -> None:
        for card, face in own.items():
            if cards is not None and card not in cards:
                problems.error(
                    "card_not_declared",
                    f"{where}.as",
                    f"{CODES[card]} is not among the declared cards.",
                    card=CODES[card],
                )
            if card in faces and faces[card].rank != face.rank:
                problems.error(
                    "wild_value_changed",
                    f"{where}.as",
                    f"{CODES[card]} keeps one value for the whole deal.",
                    card=CODES[card],
                )

    def _said(self, seat: int, items: list[str], where: str, problems: Problems) -> Declared:
        """Take a declaration at the table's word, unless no three cards can hold it all."""
        claimed = set(items)
        wilds = tuple(self.wilds.values())
        if not problems.fatal and claimed and not any(claimed <= held for held in possible_claims(self.combos, wilds)):
            problems.error(
                "impossible_claim",
                f"{where}.items",
                f"No three cards hold {', '.join(sorted(claimed))} together.",
                items=sorted(claimed),
            )
        return Declared(seat, None, self._without_replaced(claimed))

    def _without_replaced(self, claimed: set[str]) -> dict[str, int]:
        return {
            combo.id: combo.points for combo in self.combos if combo.id in claimed and combo.replaced_by not in claimed
        }

    def _shown(
        self,
        seat: int,
        cards: list[int],
        items: list[str] | None,
        given: dict[int, Face],
        ranks: dict[int, int],
        where: str,
        problems: Problems,
    ) -> Declared:
        """Score shown cards: all they hold, or of what was claimed only what they hold."""
        if self.rules.matta and MATTA in ranks and MATTA in cards and MATTA not in given:
            given = {**given, MATTA: Face(ranks[MATTA], suit_of(MATTA))}
        reading = read_hand(cards, self.combos, self.wilds, given)
        for card, face in zip(cards, reading.hand, strict=True):
            if card in self.wilds:
                ranks.setdefault(card, face.rank)
        if items is None:
            return Declared(seat, tuple(cards), reading.items)
        held = {combo.id for combo in self.combos if combo.holds(reading.hand)}
        declared = Declared(seat, tuple(cards), self._without_replaced(set(items) & held))
        wrong = {id: self.combo_points[id] for id in dict.fromkeys(items) if id not in held}
        if wrong and self.rules.false_declaration is None:
            problems.error(
                "claim_not_held",
                f"{where}.items",
                f"These cards do not hold {', '.join(wrong)}.",
                items=list(wrong),
            )
        if self.rules.false_declaration == "each_opponent":
            declared.false_items = wrong
        return declared

    def _accepted(self, value: object, problems: Problems) -> frozenset[str]:
        codes = schema.words(schema.optional_items(value, "accept"), "accept")
        for number, code in enumerate(codes):
            if code not in ("pile_modulus", "pile_parity", "leftover_modulus", "leftover_parity"):
                problems.error(
                    "not_acceptable", f"accept[{number}]", f"{code[:40]!r} cannot be accepted.", accept=code[:40]
                )
        return frozenset(codes)

    # ---------------------------------------------------------------- lines of the opening, declarations, penalties

    def _opening_lines(self, facts: Facts, problems: Problems) -> list[Line]:
        opening = self.rules.opening
        results = facts.layout_results
        total = None
        most_of_suit = 0
        if facts.layout is not None:
            ranks = facts.ranks if self.rules.wild_in_layout == "free" or self.rules.matta_in_layout == "on" else {}
            layout = list(cards_of(facts.layout))
            total = sum(self.rules.values[ranks.get(card, rank_of(card))] for card in layout)
            suitless = [
                card
                for card in layout
                if card in ranks and self.rules.wild_power == "rank_free_no_suit" and card != MATTA
            ]
            fixed = pile_of(card for card in layout if card not in suitless)
            most_of_suit = len(suitless) + max((fixed & suit_pile(suit)).bit_count() for suit in range(len(SUITS)))
            shown = {str(total)} & {"15", "30"} | (
                {f"flush{most_of_suit}"} if opening.flush and most_of_suit >= 3 else set()
            )
            concerned = {"15", "30"} | ({"flush3", "flush4"} if opening.flush else set())
            if results and shown != results & concerned:
                problems.warn("layout_contradicted", "layout_result", "The four cards say otherwise; they are scored.")
            evidence = "shown"
        else:
            total = next((int(result) for result in ("15", "30") if result in results), None)
            most_of_suit = next((cards for cards in (3, 4) if f"flush{cards}" in results), 0)
            evidence = "said"
        lines = []
        points = {15: opening.fifteen, 30: opening.thirty}.get(total or 0)
        if points is not None:
            facts.opening_units = (total or 0) // 15
            if points:
                lines.append(("table_sweep", points, {15: "fifteen", 30: "thirty"}[total or 0]))
        if opening.flush and most_of_suit >= 3:
            lines.append(("table_flush", opening.flush[most_of_suit - 3], f"flush{most_of_suit}"))
        if (lines or facts.opening_units) and facts.dealer is None:
            problems.error("dealer_missing", "dealer", "Say who dealt: the opening cards are the dealer's.")
            return []
        return [
            Line(id, self._to(facts.dealer, points), reason, self._to(facts.dealer, points), evidence)
            for id, points, reason in lines
        ]

    def _to(self, seat: int | None, points: int) -> tuple[int, ...]:
        return tuple(points if each == seat else 0 for each in self.seats)

    def _declaration_lines(self, facts: Facts) -> list[Line]:
        lines = []
        for combo in self.combos:
            made = [declared for declared in facts.declared if combo.id in declared.items]
            if made:
                times = tuple(sum(1 for declared in made if declared.side == seat) for seat in self.seats)
                strength = "shown" if all(declared.cards is not None for declared in made) else "said"
                points = tuple(combo.points * count for count in times)
                lines.append(Line(combo.id, points, "declared", times, strength))
        false = [declared for declared in facts.declared if declared.false_items]
        if false:
            values = tuple(
                sum(sum(each.false_items.values()) for each in false if each.side == seat) for seat in self.seats
            )
            points = tuple(sum(values) - values[seat] for seat in self.seats)
            lines.append(Line("false_declaration", points, "false_claim", values, "shown"))
        return lines

    def _penalty_lines(self, facts: Facts, made: Callable[[int], int | None]) -> list[Line]:
        """Score the recorded faults.

        ``four_plus_sweeps`` costs the offender four points and one for every sweep of the deal; ``forfeit`` takes his
        points of the deal and gives them to each side that did not offend; ``void_cards`` bars him from ``cards``
        (see :meth:`_judging`); ``table_trick`` was settled at the table.
        """
        penalties: list[Line] = []
        forfeited: set[int] = set()
        offenders = {side for id, side in facts.penalties if self.penalty_ids[id] == "forfeit"}
        for id, how in self.penalty_ids.items():
            faulted = facts.faulted(id)
            if not faulted:
                continue
            times = tuple(faulted.count(seat) for seat in self.seats)
            if how == "four_plus_sweeps":
                cost = 4 + sum(facts.sweeps) + facts.opening_units
                penalties.append(Line(id, tuple(-cost * count for count in times), id, times, "said"))
            elif how == "forfeit":
                forfeits = {seat: made(seat) for seat in dict.fromkeys(faulted) if seat not in forfeited}
                points = self._forfeited(forfeits, [seat for seat in self.seats if seat not in offenders])
                forfeited.update(forfeits)
                penalties.append(
                    Line(id, None, "open") if points is None else Line(id, points, "forfeit", times, "said")
                )
        return penalties

    def _forfeited(self, forfeits: Mapping[int, int | None], others: Sequence[int]) -> tuple[int, ...] | None:
        """Take the offenders' points and give them to the others; None while some are open."""
        points = [0] * len(self.sides)
        for seat, made in forfeits.items():
            if made is None:
                return None
            points[seat] -= made
            for other in others:
                points[other] += made // len(others) if self.rules.renuncio_share == "split" else made
        return tuple(points)


def _strike(verdict: Verdict, barred: Sequence[int]) -> Verdict:
    """Take an item from a barred winner; nobody gets it instead."""
    if not any(seat in barred for seat in verdict.winners):
        return verdict
    points = tuple(0 if seat in barred else each for seat, each in enumerate(verdict.points))
    return verdict._replace(
        points=points, reason="barred", winners=tuple(s for s in verdict.winners if s not in barred)
    )
