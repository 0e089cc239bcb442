"""Between two matches: partners changed round, and who comes in for the loser while the winner stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from flask_babel import gettext as _
from flask_babel import ngettext
from wtforms import StringField
from wtforms.validators import Length, Optional

from ...limits import TYPED_NAME, WAITING_PLAYERS
from ...names import clean, is_visible, same
from ...store import ranking
from ...store.journal.match_setup import Side
from ...store.models import NAME_LENGTH
from ..base.entry_form import EntryForm
from ..words.names import join_names
from .view import MatchView


class Pairing(NamedTuple):
    """One way to make two pairs of four players."""

    partner: int
    """The partner of the player in the first seat, by number."""
    names: tuple[str, str]
    met: int
    """How often these pairs have played against each other."""


def changes_partners(match: MatchView) -> bool:
    """Return whether partners can be changed round: two pairs play."""
    return len(match.setup.sides) == 2 and match.setup.players_per_side == 2


def pairings(match: MatchView) -> list[Pairing]:
    """Return the three ways to make two pairs, those that have met least first; none if no two pairs play."""
    if not changes_partners(match):
        return []
    met = ranking.meetings(match.table, match.merged)
    ways = []
    for partner in match.setup.seats[1:]:
        seats = with_partner(match.setup.seats, partner) or []
        pairs = (tuple(seats[0::2]), tuple(seats[1::2]))
        key = frozenset(tuple(sorted(pair)) for pair in pairs)
        first, second = (str(join_names(match.players[player] for player in pair)) for pair in pairs)
        ways.append(Pairing(partner, (first, second), met.get(key, 0)))
    return sorted(ways, key=lambda pairing: pairing.met)


def with_partner(seats: Sequence[int], partner: int) -> list[int] | None:
    """Return four players with this partner opposite the first; None if that player cannot be the partner."""
    if len(seats) != 4 or partner not in seats[1:]:
        return None
    others = [player for player in seats[1:] if player != partner]
    return [seats[0], others[0], partner, others[1]]


def loser_of(match: MatchView) -> Side | None:
    """Return the side that lost a match of two sides; None in any other match."""
    winners = match.standing.winners
    losers = [side for side in match.setup.sides if side.label not in winners]
    return losers[0] if len(match.setup.sides) == 2 and len(winners) == 1 and len(losers) == 1 else None


class WaitingForm(EntryForm):
    """Who waits for a seat, in their order, with commas between the names."""

    waiting = StringField(validators=[Optional(), Length(max=TYPED_NAME)])

    def names(self, known: Iterable[str]) -> list[str]:
        """Return the names, cleaned; of too many only one more than there may be. A known name may have commas."""
        parts = [part for part in (self.waiting.data or "").split(",") if clean(part)]
        commas = {same(name): name.count(",") for name in known if "," in name}
        names: list[str] = []
        while parts and len(names) <= WAITING_PLAYERS:
            whole = [most + 1 for name, most in commas.items() if same(",".join(parts[: most + 1])) == name]
            length = max(whole, default=1)
            names.append(clean(",".join(parts[:length])))
            del parts[:length]
        return names

    def refusal(self, names: Sequence[str], seated: Sequence[str], needed: int) -> str:
        """Return why these cannot wait, where ``needed`` of them come in now; "" if they can."""
        known, playing = [same(name) for name in names], {same(name) for name in seated}
        if len(names) > WAITING_PLAYERS:
            return _("No more than %(most)d can wait.", most=WAITING_PLAYERS)
        if len(names) < needed:
            return ngettext("Say who comes in.", "Say which %(num)d come in.", needed)
        if any(len(name) > NAME_LENGTH or not is_visible(name) for name in names):
            return _("One of these is no name: use letters, and a comma between two names.")
        if len(set(known)) < len(known):
            return _("Two who wait have the same name. Add an initial.")
        twice = [name for name in names if same(name) in playing]
        return _("%(name)s plays already.", name=twice[0]) if twice else ""
