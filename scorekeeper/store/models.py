"""The rows of the database.

The primary key of every row begins with the id of its table, so that no table can read another's rows.
"""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime
from typing import Any, NotRequired, TypedDict

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Date,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    select,
    true,
)
from sqlalchemy.orm import Mapped, mapped_column

from ..rules import contract
from .db import Base, db
from .digests import hash_of
from .seals import unseal

KEY_LENGTH = 22
HASH_LENGTH = 43
SEALED_LENGTH = 160
"""Characters of a sealed key, which has 120."""
LINKS = ("owner", "play", "watch")
"""The kinds of links of a table that are shown to somebody."""
NAME_LENGTH = 40
MOVED_LENGTH = 500
"""Characters of the address to which a table has moved."""
ZONE_LENGTH = 40
"""Characters of the name of a time zone; the longest one has 32."""
WHO_LENGTH = 120
"""Characters that name who played on a side: those of a side of ten need 39."""
LINE_UP_LENGTH = 240
"""Characters that name all sides of a match (``history_rows``)."""


def new_key() -> str:
    """Return an unguessable key of 128 random bits, in letters that an address may hold."""
    return secrets.token_urlsafe(16)


def now() -> datetime:
    """Return the present moment in UTC, with its time zone."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite does not store the time zone, so it is added when a row is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment with its time zone."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def whole_second(moment: datetime) -> datetime:
    """Return a moment without the fraction of its second: what a table's file can hold."""
    return moment.replace(microsecond=0)


def this_second() -> datetime:
    """Return the present moment in UTC, in whole seconds."""
    return whole_second(now())


def this_month() -> date:
    """Return the first day of the present month, in UTC."""
    return now().date().replace(day=1)


class UtcSecond(UtcDateTime):
    """A moment in UTC, in whole seconds."""

    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment to store."""
        return None if value is None else whole_second(value)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment that was stored."""
        read = super().process_result_value(value, dialect)
        return None if read is None else whole_second(read)


BigId = BigInteger().with_variant(Integer, "sqlite")


class LostKey(Exception):
    """No secret of the app opens the seal of a link: it still opens its table, and cannot be shown.

    The message is the kind of the link.
    """


class Table(Base):
    """A group's shared notebook: players and matches. Each of its keys gives access to what the key allows.

    A key is known where this request has opened the table by it, or made it; the others are in ``links``, sealed.
    """

    __tablename__ = "tables"

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    last_match: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """The highest number of all matches of the table: no other match gets the number of a deleted one."""
    created_at: Mapped[datetime] = mapped_column(UtcSecond, default=this_second)
    language: Mapped[str | None] = mapped_column(String(8))
    """The language of the phone that opened it; what a chat shows of its links is written in it."""
    zone: Mapped[str | None] = mapped_column(String(ZONE_LENGTH))
    """The IANA name of the table's time zone; its evenings and years are reckoned in it, in UTC while it is None."""
    imported_at: Mapped[datetime | None] = mapped_column(UtcSecond)
    """When its matches came from a file; None if they were played here."""
    imported_entries: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """The number of entries that came from a file."""
    moved_to: Mapped[str | None] = mapped_column(String(MOVED_LENGTH))
    """The address to which the table has moved; from then on it is only read."""
    deletions: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """How many times a match was deleted: a phone that has heard of fewer asks which of its stored pages are to go."""
    opened_in: Mapped[date | None] = mapped_column(Date, default=this_month)
    """The first day of the month in which somebody has opened it last (``expiry``)."""
    expires_on: Mapped[date | None] = mapped_column(Date)
    """The day on which it will be deleted unless somebody opens it; None while that is not near."""

    __table_args__ = (
        Index("ix_tables_opened_in", "opened_in"),
        # Without it SQLite would give a deleted table's id to the next new table.
        {"sqlite_autoincrement": True},
    )

    @property
    def owner_key(self) -> str:
        """The key of the owner link. Raises ``LostKey``."""
        return self.key_of("owner")

    @property
    def play_key(self) -> str:
        """The key of the link to play. Raises ``LostKey``."""
        return self.key_of("play")

    @property
    def watch_key(self) -> str:
        """The key of the link to watch. Raises ``LostKey``."""
        return self.key_of("watch")

    def key_of(self, link: str) -> str:
        """Return the key of one of the table's ``LINKS``; one that is not known is read and unsealed.

        Raises ``LostKey``.
        """
        known = self._known_keys()
        if link not in known:
            known[link] = self._unsealed(link)
        return known[link]

    def can_show(self, link: str) -> bool:
        """Return whether the key of one of the table's links can be shown; a lost one still opens the table."""
        try:
            self.key_of(link)
        except LostKey:
            return False
        return True

    def know_key(self, link: str, key: str) -> None:
        """Note the key of one of the table's links, by which this request has opened it, or which it has made."""
        self._known_keys()[link] = key

    def knows(self, link: str, key: str) -> bool:
        """Return whether this is known to be the key of one of the table's links."""
        return self._known_keys().get(link) == key

    def forget_key(self, link: str) -> None:
        """Note that the key of one of the table's links may be another one by now."""
        self._known_keys().pop(link, None)
        vars(self).pop("known_owner", None)

    @property
    def owner_hash(self) -> str | None:
        """The hash of the owner link as it was when this request opened the table; None if it is not known."""
        known: str | None = vars(self).get("known_owner")
        return known

    def know_owner(self, owner_hash: str | None) -> None:
        """Note the hash of the owner link, with which the table was opened."""
        vars(self)["known_owner"] = owner_hash

    def _known_keys(self) -> dict[str, str]:
        known: dict[str, str] = vars(self).setdefault("known_keys", {})
        return known

    def _unsealed(self, link: str) -> str:
        row = db.session.execute(
            select(Link.hash, Link.sealed).where(Link.table_id == self.id, Link.kind == link)
        ).first()
        key = None if row is None or row.sealed is None else unseal(row.sealed)
        # A seal that belongs to another link shows nothing.
        if row is None or key is None or hash_of(link, key) != row.hash:
            raise LostKey(link)
        return key


class Moment(Base):
    """The moment of a table: a number that every write at the table moves on (``moments``). No row counts as 0.

    It has no foreign key: to check one, a writer would wait at the end of its transaction for those who lock the table.
    """

    __tablename__ = "moments"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigId)


class DailyWork(Base):
    """Work that the processes of all hosts together do once a day."""

    __tablename__ = "daily_work"

    work: Mapped[str] = mapped_column(String(16), primary_key=True)
    done_on: Mapped[date] = mapped_column(Date)
    """The day on which it was begun last."""


class Link(Base):
    """A link of a table, or the form that has opened it: what leads from a key to the table."""

    __tablename__ = "links"

    hash: Mapped[str] = mapped_column(String(HASH_LENGTH), primary_key=True)
    """The hash of kind and key (``digests.hash_of``)."""
    kind: Mapped[str] = mapped_column(String(8))
    """One of ``LINKS``, or ``form``: the same form posted again returns the table."""
    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"))
    sealed: Mapped[str | None] = mapped_column(String(SEALED_LENGTH))
    """The key, sealed under the app's secret (``seals``); None for a form, which nobody sees again."""

    __table_args__ = (Index("ix_links_table_id", "table_id", "kind"),)


class Player(Base):
    """A person who plays at the table. The number never changes, the name may."""

    __tablename__ = "players"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    """"" once a person who was forgotten can no longer be brought back."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    guest: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """True if the person is only a guest of the table."""
    into: Mapped[int | None] = mapped_column(Integer)
    """The number of the player whom this one turned out to be; None while both are two."""
    forgotten_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the person was forgotten: no page shows the name from then on."""


_IS_FORGOTTEN = Player.forgotten_at.is_not(None)
Index(
    "ix_players_forgotten",
    Player.table_id,
    Player.forgotten_at,
    sqlite_where=_IS_FORGOTTEN,
    postgresql_where=_IS_FORGOTTEN,
)


class Match(Base):
    """One match. Matches are numbered from 1 at each table; ``head`` is the seq of the newest entry."""

    __tablename__ = "matches"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    head: Mapped[int] = mapped_column(Integer, default=0)
    setup: Mapped[dict[str, Any]] = mapped_column(JSON, deferred=True)
    """The set-up from the entry ``match_started``, as ``Setup.as_json`` writes it. It never changes."""
    taken_up: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """The count of matches started or taken up at the table by then: the highest is the match being played.

    0 for a result from paper, and for nothing else.
    """
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the owner deleted it. It is hidden from then on, restorable for a day, and then deleted for good."""
    created_at: Mapped[datetime] = mapped_column(UtcSecond, default=this_second)

    __table_args__ = (Index("ix_matches_taken_up", "table_id", "taken_up", "number"),)


_IS_DELETED = Match.deleted_at.is_not(None)
Index("ix_matches_deleted", Match.table_id, Match.deleted_at, sqlite_where=_IS_DELETED, postgresql_where=_IS_DELETED)


class Entry(Base):
    """An entry of the journal. Rows are only added.

    One thing changes them: renamings lose the name of who was forgotten (``forgotten``).
    """

    __tablename__ = "entries"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    """A UUID from the form or the phone that wrote the entry: an entry sent twice is stored once."""
    match: Mapped[int] = mapped_column(Integer)
    seq: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(24))
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    author: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    device: Mapped[str | None] = mapped_column(String(KEY_LENGTH))
    """The mark that the phone has at this table (``digests.mark_at``)."""
    created_at: Mapped[datetime] = mapped_column(UtcSecond, default=this_second)

    __table_args__ = (
        UniqueConstraint("table_id", "match", "seq"),
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
    )


_IS_RENAMING = Entry.kind == "player_renamed"
Index(
    "ix_entries_player_renamed",
    Entry.table_id,
    Entry.match,
    Entry.seq,
    sqlite_where=_IS_RENAMING,
    postgresql_where=_IS_RENAMING,
)


class Phone(Base):
    """A phone that has written at a table, by a number that goes along where its mark must not."""

    __tablename__ = "phones"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    mark: Mapped[str] = mapped_column(String(KEY_LENGTH))
    """The mark of the phone at this table."""

    __table_args__ = (UniqueConstraint("table_id", "mark"),)


class HeardPhone(Base):
    """When a phone was last used at a table, and when its open page last listened by itself.

    It decides for some minutes who speaks for a side, and is not part of the notebook.
    """

    __tablename__ = "heard_phones"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    device: Mapped[str] = mapped_column(String(KEY_LENGTH), primary_key=True)
    """The mark of the phone at this table."""
    used_at: Mapped[datetime] = mapped_column(UtcDateTime)
    listened_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Stint(TypedDict):
    """The deals that a player played for a side: the places from ``first`` to ``last`` in the course of the match.

    ``points`` are the side's in these deals, ``ahead`` is their difference from the mean of the other sides.
    """

    player: int
    first: int
    last: int
    points: contract.Number
    ahead: float


class SummarySide(TypedDict):
    """A side in a summary: its label, the numbers of its last players, and its team name if it has one.

    It has ``stints`` if a deal was played by other players.
    """

    label: str
    players: list[int]
    name: NotRequired[str]
    stints: NotRequired[list[Stint]]


class MatchSummary(Base):
    """The row of a match in the history. It follows from the journal: ``scorekeeper rebuild`` makes it again."""

    __tablename__ = "match_summaries"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    match: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(40))
    status: Mapped[str] = mapped_column(String(8))
    """``playing``, ``won`` or ``ended`` (stopped before anybody won)."""
    sides: Mapped[list[SummarySide]] = mapped_column(JSON)
    totals: Mapped[dict[str, contract.Number]] = mapped_column(JSON)
    course: Mapped[list[dict[str, contract.Number]]] = mapped_column(JSON)
    """The totals after each deal, for a sparkline."""
    winners: Mapped[list[str]] = mapped_column(JSON)
    deals: Mapped[int] = mapped_column(Integer)
    started_at: Mapped[datetime] = mapped_column(UtcSecond)
    ended_at: Mapped[datetime | None] = mapped_column(UtcSecond)
    counted_at: Mapped[datetime] = mapped_column(UtcSecond)
    """The moment that puts it in an evening: its end, and its start while it goes on."""
    evening: Mapped[date] = mapped_column(Date)
    """The day on which its evening began, in the table's zone (``evenings``)."""
    doubt_deal: Mapped[int | None] = mapped_column(Integer)
    """The newest deal in doubt; None if there is none."""
    doubt_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the last statement about a deal in doubt was made: long after that it counts as dropped."""
    doubt_decides: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """True if another side, or none, could win with other versions of the deals in doubt."""

    __table_args__ = (
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
        Index("ix_match_summaries_evening", "table_id", "evening", "match"),
        Index("ix_match_summaries_counted_at", "table_id", "counted_at"),
        Index("ix_match_summaries_game", "table_id", "game", "evening", "match"),
        Index("ix_match_summaries_status", "table_id", "status", "evening", "match"),
        Index("ix_match_summaries_game_status", "table_id", "game", "status", "evening", "match"),
    )


_MAY_TURN = MatchSummary.doubt_decides == true()
Index(
    "ix_match_summaries_doubt",
    MatchSummary.table_id,
    MatchSummary.evening,
    MatchSummary.match,
    sqlite_where=_MAY_TURN,
    postgresql_where=_MAY_TURN,
)


_WAS_IN_DOUBT = MatchSummary.doubt_at.is_not(None)
Index(
    "ix_match_summaries_doubt_at",
    MatchSummary.table_id,
    MatchSummary.doubt_at,
    sqlite_where=_WAS_IN_DOUBT,
    postgresql_where=_WAS_IN_DOUBT,
)


class Seat(Base):
    """Who played in a match: a row for each player, and for each side of several. It follows from the summary.

    It has all by which a match is looked for. Those of a deleted match stay as long as that can be brought back, with
    the status "".
    """

    __tablename__ = "seats"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    who: Mapped[str] = mapped_column(String(WHO_LENGTH), primary_key=True)
    """The number of a player, or those of partners, the lowest first, with ``-`` between them."""
    match: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    evening: Mapped[date] = mapped_column(Date)
    game: Mapped[str] = mapped_column(String(40))
    status: Mapped[str] = mapped_column(String(8))

    __table_args__ = (
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
        Index("ix_seats_evening", "table_id", "who", "evening", "match"),
        Index("ix_seats_game", "table_id", "who", "game", "evening", "match"),
        Index("ix_seats_status", "table_id", "who", "status", "evening", "match"),
        Index("ix_seats_game_status", "table_id", "who", "game", "status", "evening", "match"),
        Index("ix_seats_match", "table_id", "match"),
    )


class LineUp(Base):
    """The results of a player, or of partners, in the matches of a line-up, game and span. It follows from summaries.

    A row each for all matches, for those of a year and for those of a month, and each of these again for all line-ups
    together: a ranking reads some rows, however many matches there are.
    """

    __tablename__ = "line_ups"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    span: Mapped[str] = mapped_column(String(7), primary_key=True)
    """"" for all matches, else a year or a month of their evenings: ``2026``, ``2026-05``."""
    sides: Mapped[str] = mapped_column(String(LINE_UP_LENGTH), primary_key=True)
    """All sides, each as in ``who``, between ``|``; "" for all line-ups together."""
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    who: Mapped[str] = mapped_column(String(WHO_LENGTH), primary_key=True)
    matches: Mapped[int] = mapped_column(Integer)
    played: Mapped[int] = mapped_column(Integer)
    """The matches that somebody has won, but for those of which a doubt decides who."""
    won: Mapped[int] = mapped_column(Integer)
    ahead: Mapped[int] = mapped_column(BigInteger)
    """The difference in points from the mean of the others, in parts of a point (``history_rows.PARTS``)."""

    __table_args__ = (Index("ix_line_ups_who", "table_id", "who", "span", "sides"),)


class Import(Base):
    """A table's file that is being checked and written, piece by piece; any process goes on with it."""

    __tablename__ = "imports"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    """The id of the form that brought the file: the same form posted again goes on with the same import."""
    address: Mapped[str] = mapped_column(String(64))
    """A digest of the network address that it came from; "" for the command line."""
    touched_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    head: Mapped[dict[str, Any]] = mapped_column(JSON)
    """The file without its matches."""
    matches: Mapped[int] = mapped_column(Integer)
    """The number of matches in the file."""
    table_id: Mapped[int | None] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"))
    """The table that is made of it, of which nobody knows a key before all is written; or that gets this part."""
    adds: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """True if it is a further part of a table that is there."""
    problem: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    """Why the file was refused: ``code``, ``at`` and ``message``."""
    done_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When its last match was written, or it was refused."""

    __table_args__ = (Index("ix_imports_table_id", "table_id"), Index("ix_imports_touched_at", "touched_at"))


class ImportMatch(Base):
    """A match of a file that waits to be checked or written."""

    __tablename__ = "import_matches"

    import_id: Mapped[str] = mapped_column(ForeignKey(Import.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    text: Mapped[str] = mapped_column(Text)
    """The match as the file has it, in JSON."""
    checked: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """The number of its closings that the engine has accepted; -1 once all of it holds, -2 once it is written."""
