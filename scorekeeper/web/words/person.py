"""Words that turn on who speaks, and to how many: whose a thing is, and what others are asked to do."""

from __future__ import annotations

from flask_babel import ngettext

from .names import people


def mine(speaker: str) -> str:
    """Return whose a version is in the words of those whose it is: "mine" of one person, "ours" of several."""
    return ngettext("mine", "ours", people(speaker))


def ask_to_accept(asked: str, speaker: str) -> str:
    """Return what a side's phone offers: to ask others that they accept what this side has entered."""
    return ngettext(
        "Ask %(names)s to accept %(mine)s",
        "Ask %(names)s to accept %(mine)s",
        people(asked),
        names=asked,
        mine=mine(speaker),
    )


def how_many(kind: str, noun: str, name: str) -> str:
    """Return the question how many a side has of a kind; ``noun`` is the kind in words.

    Cards and figures have a question of their own: in some languages "how many" has their gender.
    """
    if kind == "cards":
        return ngettext(
            "How many cards does %(name)s have?", "How many cards do %(name)s have?", people(name), name=name
        )
    if kind == "figures":
        return ngettext(
            "How many figures does %(name)s have?", "How many figures do %(name)s have?", people(name), name=name
        )
    return ngettext(
        "How many %(kind)s does %(name)s have?",
        "How many %(kind)s do %(name)s have?",
        people(name),
        kind=noun,
        name=name,
    )
