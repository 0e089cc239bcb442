"""The steps of the evening: start, board, declaring, a refusal, sheet, dispute, winner, prime and captures."""

from __future__ import annotations

from .evening import Evening, Missed


def play(evening: Evening) -> None:
    """Play the evening from the first page to a won match."""
    for part in (start, board, declaring, closing, sheet, disputed, reopened, winning, primes, captures):
        print(f"\n== {part.__name__}", flush=True)
        try:
            part(evening)
        except Missed as missed:
            evening.missed.append(f"{part.__name__}: {missed}")
            print(missed, flush=True)


def start(evening: Evening) -> None:
    """Open a table by its form, which is empty at first."""
    evening.does("Escoba de quince")
    evening.hears("nothing: the form has come")
    evening.to("Jugador 1")
    evening.writes("Ana")
    evening.to("Jugador 2")
    evening.writes("Beto")
    evening.does("Empezar")
    evening.hears("nothing: the table has come")


def board(evening: Evening) -> None:
    """Sweep on the board, hear the other phone's sweeps and its undo, undo one's own, and look into the menu."""
    evening.goes(evening.other.open_table("Ana", "Beto", game="chorizo"))
    evening.other.is_held_by("2")
    evening.does("Ana")
    evening.hears("nothing: the board has come")
    evening.does("de Ana, suma 1")
    evening.hears("nothing: the sweep is noted")
    for _sweep in range(3):
        evening.other.sweeps("B")
        evening.hears("a sweep of Beto")
    evening.other.undoes_last()
    evening.hears("the last one is undone")
    evening.does("deshacer")
    evening.hears("nothing: the sweep is undone")
    evening.presses("ctrl+Home")
    evening.reads(14)
    evening.does("Más")
    evening.presses("Tab", "Tab", "Escape")


def declaring(evening: Evening) -> None:
    """Declare three cards for Ana, by the key that leads a reader from check box to check box."""
    evening.goes(evening.other.table)
    evening.does("Cantar")
    evening.hears("nothing: the page has come")
    evening.does("¿Quién canta?", key="space")
    evening.to("1 de oros")
    evening.presses("space", "x", "space", "x", "space")
    evening.hears("nothing: the declaration is worked out")
    evening.does("Cantar 8")
    evening.hears("nothing: the board has come")


def closing(evening: Evening) -> None:
    """Count wrongly and hear the refusal, count rightly, and save by giving Ana all that is left."""
    evening.goes(evening.other.table)
    evening.does("Cerrar")
    evening.hears("nothing: the form has come")
    evening.does("Cartas")
    evening.to("Ana")
    evening.writes("51")
    evening.hears("nothing: the count is judged")
    evening.presses("shift+Tab", "Tab", "BackSpace", "BackSpace")
    evening.writes("22")
    evening.hears("nothing: the count is judged")
    evening.does("Todos los demás renglones: Ana")
    evening.hears("nothing: the sheet has come")


def sheet(evening: Evening) -> None:
    """Read the sheet line by line; whoever has closed the deal has said yes."""
    evening.presses("ctrl+Home")
    evening.reads(24)


def disputed(evening: Evening) -> None:
    """Hear on the sheet that Beto disputes it, and that he says yes after all."""
    evening.other.says("dispute", side="B")
    evening.hears("Beto disputes the deal")
    evening.other.says("accept", side="B")
    evening.hears("Beto says yes")


def reopened(evening: Evening) -> None:
    """Hear that Beto proposes to open what both have agreed to, and refuse."""
    evening.other.says("reopen", side="B")
    evening.hears("Beto asks to open the deal again")
    evening.does("No, queda como está")
    evening.hears("nothing: the sheet has come again")


def winning(evening: Evening) -> None:
    """Hear on the board how the other phone ends the match."""
    evening.goes(evening.other.table)
    evening.other.push("match_ended", {"leader": ["yes"]})
    evening.hears("the match is ended")
    evening.presses("ctrl+Home")
    evening.reads(12)


def primes(evening: Evening) -> None:
    """Lay out a card of coins and one of cups."""
    evening.goes(f"{evening.server}/prime")
    evening.to("Yo, oros")
    evening.to("7 de oros")
    evening.presses("space")
    evening.hears("nothing: the prime is counted")
    evening.to("Yo, oros", key="shift+Tab")
    evening.to("Yo, copas", key="Down")
    evening.presses("space")
    evening.to("6 de copas")
    evening.presses("space")
    evening.hears("nothing: the prime is counted")


def captures(evening: Evening) -> None:
    """Ask what a card can take."""
    evening.goes(f"{evening.server}/captures?layout=5O&layout=3C")
    evening.to("En la mesa")
    evening.to("Se juega", key="Down")
    evening.presses("space")
    evening.to("1 de oros")
    evening.presses(*["x"] * 6, "space")
    evening.hears("nothing: the answer has come")
