"""Words in French: what games and items are called."""

from __future__ import annotations

from .language import Language

FRENCH = Language(
    games={
        "chkobba": "Chkobba",
    },
    items={
        "barmila": "barmila",
    },
    own_items={
        ("chkobba", "sweeps"): "chkobbas",
        ("chkobba", "cards"): "karta",
        ("chkobba", "coins"): "dinari",
        ("chkobba", "seven_of_coins"): "sab'a l-hayaa",
    },
)
