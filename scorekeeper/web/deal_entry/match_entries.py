"""Entries about a match as a whole: an entry taken back, its end, taken up again, a line about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from flask import abort
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import StringField
from wtforms.validators import Length, Optional

from ...limits import NOTE_LENGTH
from ...store import commands, queries
from ...store.journal import kinds
from ...store.journal.entries import NewEntry, NoSuchEntry, reported_in
from ..base.entry_form import EntryForm, build_form, trimmed, visible
from ..match.view import MatchView
from .incoming import IncomingEntry, as_fields, refusal, speaking_for


class VoidEntry(IncomingEntry):
    """One entry taken back, by its id."""

    kind = kinds.VOIDED

    typed: ClassVar = {"entry": ""}

    def reported_payload(self) -> kinds.AnyPayload:
        return {"entry": self.fields.get("entry", "")}

    def draft(self, **written_by: Any) -> commands.Draft:
        try:
            with speaking_for(self.match):
                return commands.draft_undo(
                    self.match.row, self.fields.get("entry", ""), id=self.reported.id, **written_by
                )
        except NoSuchEntry:
            abort(409, description=_("That entry is not in this match. Load the page again."))

    def write(self, **written_by: Any) -> None:
        # Judged at each try: an entry that was voided meanwhile is not voided twice.
        commands.write(self.match.row, lambda: self.draft(**written_by))


class EndEntry(IncomingEntry):
    """A match stopped before anybody has won it: the leader wins, or nobody does."""

    kind = kinds.MATCH_ENDED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"leader": "yes"} if payload.get("leader") is True else {})

    def reported_payload(self) -> kinds.AnyPayload:
        return {"leader": True} if self.fields.get("leader") == "yes" else {}


class ResumedEntry(IncomingEntry):
    """The match is the one being played again, after another one."""

    kind = kinds.MATCH_RESUMED

    def reported_payload(self) -> kinds.AnyPayload:
        return {}

    def entries(self) -> list[NewEntry]:
        """Return nothing if it is the one being played already."""
        current = queries.current_match(self.match.table)
        if current is not None and current.number == self.match.number:
            return []
        return super().entries()


class MatchNoteForm(EntryForm):
    """A line about the match, and what it is played for; both may be empty."""

    note = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NOTE_LENGTH)])
    stakes = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NOTE_LENGTH)])


class MatchNoteEntry(IncomingEntry):
    """The table writes a line about the match, or what it is played for."""

    kind = kinds.MATCH_NOTED

    typed: ClassVar = {"note": "", "stakes": ""}

    def read(self) -> None:
        about = self.match.standing.state.about
        filled = {name: about.payload[name] for name in ("note", "stakes")} if about is not None else {}
        self.form = build_form(MatchNoteForm, {}, self.reported.fields, filled)
        self.is_valid = self.reported.fields is not None and self.form.validate()

    def reported_payload(self) -> kinds.AnyPayload:
        return {"note": self.form.note.data or "", "stakes": self.form.stakes.data or ""}

    def check(self) -> None:
        if not self.is_valid:
            raise refusal(self.match, self.form)

    def entries(self) -> list[NewEntry]:
        """Return nothing if it says so already."""
        new, about = super().entries(), self.match.standing.state.about
        is_said = about is not None and reported_in(about.payload) == self.reported_payload()
        return [] if is_said else new
