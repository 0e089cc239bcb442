"""What the notebook holds. Every row but a table's own is keyed by its table first: no table needs another's rows."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    String,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from ..names import drawn
from .db import Base

KEY_LENGTH = 22
NAME_LENGTH = 40


def new_key() -> str:
    """Return an unguessable key of 128 random bits, safe in an address."""
    return secrets.token_urlsafe(16)


def now() -> datetime:
    """Return the time, in UTC and aware of it."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC on every database (SQLite forgets the zone)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Put the zone back."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Name(TypeDecorator[str]):
    """What people call a table or a player; drawn cleaned, also where it was kept before names were."""

    impl = String(NAME_LENGTH)
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Leave out what nobody can see."""
        return None if value is None else drawn(value)


BigId = BigInteger().with_variant(Integer, "sqlite")


class Table(Base):
    """A group's shared notebook. Whoever holds a key may do what that key allows; there are no accounts."""

    __tablename__ = "tables"
    # Without it SQLite would hand a deleted table's id to the next one.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str] = mapped_column(Name)
    owner_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    play_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    watch_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    form_id: Mapped[str] = mapped_column(String(36), unique=True)
    """Made by the form that asked for the table: a repeated post is the same table."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Player(Base):
    """Someone who plays at the table, by number; the name may change, the number never does."""

    __tablename__ = "players"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Name)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Match(Base):
    """One match, the ``number``-th of its table.

    ``head`` is the seq of its newest entry: the version that a form is drawn from.
    """

    __tablename__ = "matches"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    head: Mapped[int] = mapped_column(Integer, default=0)
    setup: Mapped[dict[str, Any]] = mapped_column(JSON, deferred=True)
    """What ``match_started`` fixed for good, as ``journal.Setup`` writes it."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Entry(Base):
    """Something that happened, as it was told. Rows are only ever added."""

    __tablename__ = "entries"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    """A UUID made by whoever wrote the entry, a form included."""
    match: Mapped[int] = mapped_column(Integer)
    seq: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(24))
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    author: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    device: Mapped[str | None] = mapped_column(String(KEY_LENGTH))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    __table_args__ = (
        UniqueConstraint("table_id", "match", "seq"),
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
    )


class MatchSummary(Base):
    """What history shows of a match, projected from its journal; ``scorekeeper rebuild`` makes it again."""

    __tablename__ = "match_summaries"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    match: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(40))
    status: Mapped[str] = mapped_column(String(8))
    """``playing``, ``won`` or ``ended`` (stopped before anybody won)."""
    sides: Mapped[list[Any]] = mapped_column(JSON)
    totals: Mapped[dict[str, Any]] = mapped_column(JSON)
    course: Mapped[list[Any]] = mapped_column(JSON)
    """The totals after each deal, for a sparkline."""
    winners: Mapped[list[Any]] = mapped_column(JSON)
    deals: Mapped[int] = mapped_column(Integer)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
    )
