"""Whether a sentence agrees with those it names: "Ana won", "Ana and Leo won"; "ganó Ana", "ganaron Ana y Leo".

Which words turn on the number of people is learned from the messages that have two forms. Beside a name a message
without two forms has only words of a closed list, so a new verb there needs its two forms or an entry in ``ABOUT_ONE``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache

from .filled import NAMED, Message, messages, said

WORD = re.compile(r"%\(\w+\)[sdg]|[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\w\s]")
OF_A_NAME = {
    "en": {"of", "by", "for", "to", "with", "on", "against", "undo", "accept"},
    "es": {"de", "a", "con", "para", "por", "contra", "pedirle", "pedirles"},
}
"""Words after which a name is not the one who does something, so that what follows says nothing of it."""
BEFORE = {"en": {"that", "and"}, "es": {"y"}}
"""What else may stand before a name without turning on how many it names."""
AFTER = {
    "en": {"bid", "cannot", "corrected", "cut", "dealt", "declared", "noted", "opened", "undid", "went", "the", "and"},
    "es": {"y", "la"},
}
"""What may follow a name without turning on how many it names: in English the past, and "cannot"."""
PARTICLES = {"no", "se", "le", "les", "lo", "los", "ya", "todavía"}
"""Words that may stand between a name and its verb."""
ABOUT_ONE = frozenset(
    {
        # Who deals and who cuts is one player, of a pair too.
        "%(name)s deals",
        "%(name)s deals again",
        "%(name)s dealt",
        "%(name)s cuts",
        "%(cards)s: dealt again, %(name)s deals",
        "Deal %(number)d was dealt by %(name)s",
        "Deal %(number)d: %(name)s deals",
        "Round %(number)d: %(name)s deals",
        "Next deal: %(name)s deals",
        "Another series: %(name)s deals",
        "Rematch: %(name)s deals",
        "This layout is dealt again: %(name)s deals.",
        # A phone is held by one player, and one player takes a seat, leaves it, or has a new name.
        "%(name)s has a phone",
        "%(name)s has the phone that %(former)s had",
        "%(name)s's phone is everybody's now",
        "%(former)s is now called %(name)s",
        "%(former)s is now called %(name)s.",
        "%(name)s plays for %(other)s from deal %(number)d on",
        "It was %(name)s",
        # In Carioca and on the pad nobody has a partner where somebody comes in or leaves, cuts, or goes out.
        "%(name)s comes in with %(points)s from deal %(number)d on",
        "%(name)s leaves before deal %(number)d, and keeps the total",
        "%(name)s has left already.",
        "%(name)s plays already.",
        "%(name)s went out",
        "%(name)s went out at once",
        "%(name)s went out, so nothing can be left: take the cards away.",
        # One person of the table.
        "Forget %(name)s",
        "%(former)s is %(name)s now",
        "%(name)s is a guest now",
        "%(name)s is no guest any more",
        "%(name)s did not go out, so must have cards left.",
        "%(name)s did not cut: the player before the dealer does.",
        "%(name)s cut perfectly: %(points)s",
        # A bid is made by one player, for whom one other may be the partner.
        "%(name)s bid %(points)d.",
        "The partner was %(name)s.",
        # Examples of rules are about a side called A; a game, and nobody's name.
        "%(name)s has",
        "%(name)s declares",
        "%(name)s is played by: %(numbers)s.",
        "%(name)s is not looked at in this game.",
        "A bids %(points)d, has %(made)d card points and %(who)s the last trick.",
        "Nobody at this table is called %(name)s.",
        "To go ahead, write the name of the table: %(name)s",
    }
)
"""Messages with a name that is always of one person, or of a thing."""
ABOUT_SEVERAL = frozenset({"%(names)s agree on this sheet."})


def is_about_people(message: Message) -> bool:
    """Return whether it names people."""
    return any(name in NAMED for name in message.placeholders())


def turns_on_people(message: Message) -> bool:
    """Return whether its two forms are for one person and for several, not for a number of things."""
    return bool(message.many) and is_about_people(message) and "num" not in message.placeholders()


def words_of(text: str) -> list[str]:
    """Return the words, signs and placeholders of a message."""
    return WORD.findall(text)


@cache
def verbs(language: str) -> dict[str, str]:
    """Return the words that turn on how many people there are, as the messages with two forms have them."""
    learned: dict[str, str] = {}
    for message in filter(turns_on_people, messages()):
        one, many = (words_of(said(message, language, number).lower()) for number in (1, 2))
        for change, start, end, first, last in SequenceMatcher(None, one, many, autojunk=False).get_opcodes():
            if change == "replace" and end - start == last - first:
                learned.update(zip(one[start:end], many[first:last], strict=True))
    return learned


def unagreed(message: Message, language: str) -> Iterator[str]:
    """Yield the words beside the names of a message with one form that may turn on how many people it names."""
    if turns_on_people(message) or message.one in ABOUT_ONE | ABOUT_SEVERAL:
        return
    yield from beside_names(said(message, language), language)


def beside_names(text: str, language: str) -> Iterator[str]:
    """Yield the words beside the names in a text that are none of the closed lists."""
    spoken = language.split("_")[0]
    for before, after in neighbours(text, spoken):
        if before.isalpha() and before not in BEFORE[spoken]:
            yield before
        if after.isalpha() and after not in AFTER[spoken]:
            yield after


def neighbours(text: str, spoken: str) -> Iterator[tuple[str, str]]:
    """Yield the words before and after each name that does something, without "no" and the like between them."""
    words = [word.lower() for word in words_of(text)]
    for place, word in enumerate(words):
        if not (word.startswith("%(") and word[2:-2] in NAMED):
            continue
        before = words[place - 1] if place else ""
        following = [after for after in words[place + 1 :] if after not in PARTICLES]
        after = following[0] if following else ""
        if before not in OF_A_NAME[spoken] and after not in ("'", "’"):
            yield before, after


def unchanged(message: Message, language: str) -> Iterator[str]:
    """Yield the verbs beside the names of a message with two forms that its form for several has for one."""
    of_one = set(verbs(language)) - set(verbs(language).values())
    for before, after in neighbours(said(message, language, 2), language.split("_")[0]):
        yield from (word for word in (before, after) if word in of_one)


def wrong_number(sentence: str, language: str, one: str, several: str) -> Iterator[str]:
    """Yield the verbs beside a name that are for another number of people: "ganó Ana y Leo", "ganan Ana"."""
    of_one, of_several = set(verbs(language)), set(verbs(language).values())
    particles = rf"(?:(?:{'|'.join(sorted(PARTICLES))}) )*"
    for name, wrong in ((several, of_one - of_several), (one, of_several - of_one)):
        joined = r"(?! (?:and|y) )" if name == one else ""
        for before, after in re.findall(rf"(\w*) ?\b{name}\b{joined} ?{particles}(\w*)", sentence):
            is_subject = before.lower() not in OF_A_NAME[language.split("_")[0]] | {"y", "and"}
            yield from (word for word in (before, after) if is_subject and word.lower() in wrong)
