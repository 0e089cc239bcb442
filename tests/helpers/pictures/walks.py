"""Board, closing and sheet of every game, preset and line-up, as a walk sees them that plays a deal of it."""

from __future__ import annotations

from random import Random

from scorekeeper.web.base.i18n import LANGUAGES

from ...browser.walk.deals import Setup, every_setup, in_card_points, of_carioca, on_the_pad, on_trust
from ...browser.walk.deals import a_deal as any_deal
from ...browser.walk.walk import Deal, Walk
from .studio import PICTURES, Picture, Studio

TAKEN = ("start", "board", "opening", "declare", "said", "closing", "sheet")
"""Where a walk stops and looks, and a picture is taken."""


def a_deal(setup: Setup, told: Deal) -> Deal:
    """Return a deal to be told in the shortest way that its game has; ``told`` is what was noted before."""
    random = Random(str(setup))
    match setup.family:
        case "fishing":
            return on_trust(setup, told)
        case "tricks":
            return any_deal(setup, told["dealer"], random, in_card_points)
        case "rummy":
            return of_carioca(setup, told["dealer"], 1)
    return on_the_pad(setup, told["dealer"], random)


def walk_of(setup: Setup, language: str) -> Picture:
    """Return what takes the pictures of a walk."""

    def taking(studio: Studio) -> None:
        phone = studio.phone()
        walk = Walk(phone, setup, language)

        def look(at: str) -> None:
            if at in TAKEN:
                studio.take(phone, f"{setup}-{language}-{at}")

        walk.look = look  # type: ignore[method-assign]
        walk.start()
        if setup.family == "fishing" and setup.needs.sweeps:
            walk.sweep("A")
        walk.close(a_deal(setup, walk.told))
        walk.settle()

    return taking


for number, setup in enumerate(every_setup()):
    PICTURES[str(setup)] = walk_of(setup, sorted(LANGUAGES)[number % len(LANGUAGES)])
