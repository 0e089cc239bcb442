"""The rules change in the middle of a match: options are proposed, and valid once every side has said yes."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...names import FORGOTTEN
from ...store.agreement import author_of
from ...store.journal import kinds
from ...store.journal.replay import MatchState
from ...store.voices import OF_RULES, about_rules
from ..base.access import LINKS
from ..base.entry_form import new_id
from ..base.htmx import page
from ..deal_entry.incoming import posted_entry
from ..deal_entry.rules_proposals import RulesAnswerEntry, RulesProposalEntry, RulesRefusalEntry
from ..deal_entry.saving import save
from ..match.author import side_of_phone, speaker
from ..match.match_form import MatchForm, agree, changed_options, form_of_rules
from ..match.view import MatchView, match_at

bp = Blueprint("house_rules", __name__, url_prefix=f"{LINKS}/matches/<int:number>/rules")


@bp.route("/change", methods=["GET", "POST"])
def change(key: str, number: int) -> BaseResponse:
    """Propose other options for the deals to come."""
    match = match_at(key, number)
    if match.standing.is_over:
        abort(409, description=_("This match is over: nothing more can be noted in it."))
    # The form has a name at every seat; nobody sees those.
    names = {number: name or f"{FORGOTTEN} {number}" for number, name in match.plain_names.items()}
    form = form_of_rules(match.setup, names, request.form if request.method == "POST" else None)
    if request.method == "GET" or request.form.get("step") == "refresh":
        return _change_page(match, form)
    agreed = agree(form)
    if agreed is None:
        return _change_page(match, form, 422)
    options = changed_options(match.setup, form, agreed)
    if not options:
        return _change_page(match, form, 422, [_("These are the rules of now: change one of them.")])
    entry = RulesProposalEntry(match, posted_entry(), options)

    def draw(status: int, refused: list[str]) -> BaseResponse:
        form.id.data = new_id()
        return _change_page(match, form, status, refused)

    return save(entry, url_for("house_rules.proposed", key=key, number=number), draw)


def _change_page(
    match: MatchView, form: MatchForm, status: int = 200, refused: list[str] | None = None
) -> BaseResponse:
    return page("house_rules/change.html", "house_rules/_form.html", status, match=match, form=form, refused=refused)


@bp.get("/proposed")
def proposed(key: str, number: int) -> BaseResponse:
    """Show what is proposed, and who has said yes."""
    return _proposed(match_at(key, number))


def _proposed(match: MatchView, status: int = 200, refused: list[str] | None = None) -> BaseResponse:
    mine, by, matter = side_of_phone(match), speaker(match), about_rules(match.standing.state)
    may_speak = [label for label in match.sides if match.voices.may_speak(by, label, matter)]
    speaking = [mine] if mine in may_speak else may_speak
    context: dict[str, Any] = {"match": match, "mine": mine, "speaking": speaking, "refused": refused}
    context["was_declined"] = _was_declined(match.standing.state)
    return page("house_rules/proposed.html", None, status, **context)


def _was_declined(state: MatchState) -> bool:
    """Return whether the last word about other rules is a no, and not of the side that takes its proposal back."""
    said = [entry for entry in state.entries if entry.kind in OF_RULES or entry.kind == kinds.RULES_CHANGED]
    if not said or said[-1].kind != kinds.RULES_DECLINED:
        return False
    proposed = next(entry for entry in said if entry.id == said[-1].payload["asked"])
    return said[-1].payload["side"] != author_of(proposed).side


@bp.post("/accept")
def accept(key: str, number: int) -> BaseResponse:
    """Note that a side says yes to what is proposed."""
    return _answer(RulesAnswerEntry, key, number)


@bp.post("/decline")
def decline(key: str, number: int) -> BaseResponse:
    """Note that a side says no to what is proposed."""
    return _answer(RulesRefusalEntry, key, number)


def _answer(entry_class: type[RulesAnswerEntry], key: str, number: int) -> BaseResponse:
    match = match_at(key, number)
    entry = entry_class(match, posted_entry())
    address = url_for("house_rules.proposed", key=key, number=number)
    return save(entry, address, lambda status, why: _proposed(match, status, why))
