"""Names and one-sentence labels of games, items, options and presets, by language: data and look-ups only (rules §1).

Native words stand where a language has none of its own: escoba (a sweep), setenta (the prime), matta (the wild seven of
cups), verdulera (three of a kind). Ids that nobody has named yet are shown with spaces.
"""

from __future__ import annotations

Words = dict[str, str]

LANGUAGES = ("es", "en")


def _plain(id: str) -> Words:
    return dict.fromkeys(LANGUAGES, id.replace("_", " "))


def _two(pair: tuple[str, str] | None, id: str) -> Words:
    return _plain(id) if pair is None else dict(zip(LANGUAGES, pair, strict=True))


GAMES: dict[str, tuple[Words, tuple[str, str]]] = {
    "chorizo": (
        {"es": "Chorizo", "en": "Chorizo", "it": "Chorizo"},
        ("La escoba uruguaya con flor, escalera y chorizo.", "Uruguay's escoba, with flushes, runs and chorizos."),
    ),
    "baciga": (
        {"es": "Báciga", "en": "Báciga", "it": "Báciga"},
        ("Chorizo con báciga en lugar de nueve y miseria.", "Chorizo with báciga instead of nine and misery."),
    ),
    "escoba": (
        {"es": "Escoba", "en": "Escoba", "it": "Escoba"},
        ("La escoba de quince de España.", "Spain's game of fifteens."),
    ),
    "la_escoba": (
        {"es": "La escoba", "en": "La escoba", "it": "La escoba"},
        (
            "Con setenta, últimas y renuncios; también chilena.",
            "With setenta, last-hand call and renuncios; also Chilean.",
        ),
    ),
    "escova": (
        {"es": "Escova", "en": "Escova", "it": "Escova", "pt": "Escova"},
        ("La escoba brasileña a 31.", "Brazil's fifteens, to 31."),
    ),
    "escopa": (
        {"es": "Escopa", "en": "Escopa", "it": "Escopa", "pt": "Escopa"},
        ("Brasil: también 30 y 45, cada quince una escopa.", "Brazil: 30 and 45 too, a sweep for each fifteen."),
    ),
    "scopa": (
        {"es": "Scopa", "en": "Scopa", "it": "Scopa"},
        ("Se levanta la igual o la suma; primiera italiana.", "Take the equal or the sum; Italian primiera."),
    ),
    "scopa_d_assi": (
        {"es": "Scopa d'Assi", "en": "Scopa d'Assi", "it": "Scopa d'Assi"},
        ("Scopa en la que el as levanta toda la mesa.", "Scopa in which an ace takes the whole table."),
    ),
    "scopone": (
        {"es": "Scopone", "en": "Scopone", "it": "Scopone"},
        ("Scopa en parejas con nueve cartas.", "Scopa in pairs with nine cards each."),
    ),
    "scopone_scientifico": (
        {"es": "Scopone scientifico", "en": "Scopone Scientifico", "it": "Scopone scientifico"},
        ("En parejas, diez cartas y mesa vacía.", "In pairs, ten cards each and an empty table."),
    ),
    "scopa_di_quindici": (
        {"es": "Scopa di quindici", "en": "Scopa di Quindici", "it": "Scopa di quindici"},
        ("Scopa en la que se suma quince.", "Scopa in which captures make fifteen."),
    ),
    "cirulla": (
        {"es": "Cirulla", "en": "Cirulla", "it": "Cirulla"},
        ("La de Génova, con matta, golpes y quinces.", "Genoa's game, with the matta, knocks and fifteens."),
    ),
    "cirullone": (
        {"es": "Cirullone", "en": "Cirullone", "it": "Cirullone"},
        ("Cirulla en parejas con nueve cartas, a 101.", "Cirulla in pairs with nine cards each, to 101."),
    ),
    "chkobba": (
        {"es": "Chkobba", "en": "Chkobba", "it": "Chkobba", "fr": "Chkobba"},
        ("La de Túnez, con barmila y la dama de ocho.", "Tunisia's game, with barmila and a queen worth eight."),
    ),
    "brisca": (
        {"es": "Brisca", "en": "Brisca", "it": "Briscola", "pt": "Bisca"},
        ("Bazas y triunfo; 120 puntos en cartas.", "Tricks and trumps; 120 card points."),
    ),
    "carioca": (
        {"es": "Carioca", "en": "Carioca", "it": "Carioca"},
        (
            "Ocho rondas de tríos y escalas; gana el que suma menos.",
            "Eight rounds of trios and straights; lowest wins.",
        ),
    ),
    "free": (
        {"es": "Otro juego", "en": "Another game", "it": "Altro gioco"},
        ("Un anotador simple para cualquier juego.", "A plain pad for any game."),
    ),
}

ITEMS: dict[str, Words] = {
    "cards": {"es": "cartas", "en": "most cards", "it": "carte", "pt": "cartas"},
    "coins": {"es": "oros", "en": "most coins", "it": "denari", "pt": "ouros"},
    "seven_of_coins": {"es": "siete de oros", "en": "seven of coins", "it": "settebello", "pt": "sete belo"},
    "two_of_clubs": {"es": "dos de bastos", "en": "two of clubs", "it": "due di bastoni", "pt": "dois de paus"},
    "prime": {"es": "setenta", "en": "prime", "it": "primiera", "pt": "setenta"},
    "sweeps": {"es": "escobas", "en": "sweeps", "it": "scope", "pt": "escovas"},
    "sevens": {"es": "mayoría de sietes", "en": "most sevens", "it": "sette", "pt": "setes"},
    "all_sevens": {"es": "los cuatro sietes", "en": "all four sevens", "it": "quattro sette", "pt": "quatro setes"},
    "all_coins": {"es": "todos los oros", "en": "every coin", "it": "tutti i denari", "pt": "todos os ouros"},
    "few_cards": {
        "es": "los demás con menos de diez cartas",
        "en": "opponents under ten cards",
        "it": "meno di dieci carte",
        "pt": "menos de dez cartas",
    },
    "figures": {"es": "figuras", "en": "most figures", "it": "figure", "pt": "figuras"},
    "flush": {"es": "flor", "en": "flush", "it": "fiore", "pt": "flor"},
    "run": {"es": "escalera", "en": "run", "it": "scala", "pt": "sequência"},
    "three_for_nine": {"es": "tres de nueve", "en": "nine for three", "it": "nove per tre", "pt": "nove por três"},
    "misery": {"es": "dos de miseria", "en": "misery for two", "it": "miseria", "pt": "miséria"},
    "three_of_a_kind": {"es": "tres iguales", "en": "three of a kind", "it": "tris", "pt": "trinca"},
    "baciga": {"es": "báciga", "en": "báciga", "it": "báciga", "pt": "báciga"},
    "baciga_pairs": {"es": "báciga y pares", "en": "báciga with a pair", "it": "báciga e coppia", "pt": "báciga e par"},
    "sweep_in_hand": {"es": "escoba en mano", "en": "sweep in hand", "it": "scopa in mano", "pt": "escopa na mão"},
    "table_sweep": {
        "es": "escoba de mano",
        "en": "opening sweep",
        "it": "scopa d'apertura",
        "pt": "escopa de mesa",
    },
    "table_flush": {"es": "flor en la mesa", "en": "table flush", "it": "fiore in tavola", "pt": "flor na mesa"},
    "one_of_coins": {"es": "uno de oros", "en": "one of coins", "it": "asso di denari", "pt": "ás de ouros"},
    "twelve_of_coins": {"es": "doce de oros", "en": "king of coins", "it": "re di denari", "pt": "rei de ouros"},
    "one_of_swords": {"es": "uno de espadas", "en": "one of swords", "it": "asso di spade", "pt": "ás de espadas"},
    "one_of_clubs": {"es": "uno de bastos", "en": "one of clubs", "it": "asso di bastoni", "pt": "ás de paus"},
    "seven_of_swords": {
        "es": "siete de espadas",
        "en": "seven of swords",
        "it": "sette di spade",
        "pt": "sete de espadas",
    },
    "grande": {"es": "la grande", "en": "grande (court coins)", "it": "la grande"},
    "piccola": {"es": "la piccola", "en": "piccola (low coins)", "it": "la piccola"},
    "cappotto": {"es": "cappotto", "en": "cappotto (all coins)", "it": "cappotto"},
    "low_hand": {"es": "nueve o menos", "en": "nine or less", "it": "bussata"},
    "barmila": {"es": "barmila", "en": "barmila (sevens, then sixes)", "it": "barmila", "fr": "barmila"},
    "fifty_cards": {"es": "todas las cartas", "en": "every card", "it": "tutte le carte", "pt": "todas as cartas"},
    "twenty_in_suit": {
        "es": "veinte en palo",
        "en": "twenty in a suit",
        "it": "venti nel seme",
        "pt": "vinte no naipe",
    },
    "false_declaration": {
        "es": "declaración falsa",
        "en": "false call",
        "it": "dichiarazione falsa",
        "pt": "declaração falsa",
    },
    "renuncio": {"es": "renuncio", "en": "renuncio (missed fifteen)", "it": "rinuncia", "pt": "renúncia"},
    "wrong_capture": {"es": "baza equivocada", "en": "wrong capture", "it": "presa sbagliata", "pt": "baza errada"},
    "card_points": {
        "es": "puntos en cartas",
        "en": "card points",
        "it": "punti delle carte",
        "pt": "pontos das cartas",
    },
    "game_point": {"es": "la mano", "en": "the deal", "it": "la smazzata", "pt": "a mão"},
    "over_hundred": {"es": "más de cien", "en": "over a hundred", "it": "oltre cento", "pt": "mais de cem"},
    "marriage": {"es": "boda", "en": "marriage", "it": "mariaggio", "pt": "casamento"},
    "last_trick": {"es": "última baza", "en": "last trick", "it": "ultima presa", "pt": "última vaza"},
    "three_killed": {"es": "muerte al tres", "en": "the three killed", "it": "tre ucciso", "pt": "três morto"},
    "bid": {"es": "el remate", "en": "the bid", "it": "la chiamata", "pt": "o lance"},
    "hand_cards": {"es": "cartas en mano", "en": "cards left", "it": "carte in mano", "pt": "cartas na mão"},
    "went_out": {"es": "se fue", "en": "went out", "it": "ha chiuso", "pt": "bateu"},
    "out_at_once": {"es": "se fue de una", "en": "out at once", "it": "chiuso in un colpo", "pt": "bateu de uma vez"},
    "perfect_cut": {"es": "corte perfecto", "en": "perfect cut", "it": "taglio perfetto", "pt": "corte perfeito"},
    "steal": {"es": "robo", "en": "steal", "it": "furto", "pt": "roubo"},
    "points": {"es": "puntos", "en": "points", "it": "punti", "pt": "pontos"},
}

SCOPA_GAMES = ("scopa", "scopa_d_assi", "scopone", "scopone_scientifico", "scopa_di_quindici", "cirulla", "cirullone")

OWN_WORDS: dict[tuple[str, str], Words] = {
    ("chorizo", "three_of_a_kind"): {"es": "chorizo", "en": "chorizo", "it": "chorizo", "pt": "chorizo"},
    ("baciga", "three_of_a_kind"): {"es": "chorizo", "en": "chorizo", "it": "chorizo", "pt": "chorizo"},
    ("la_escoba", "three_of_a_kind"): {"es": "verdulera", "en": "verdulera", "it": "tris", "pt": "trinca"},
    ("escopa", "sweeps"): {"es": "escopas", "en": "escopas", "it": "scope", "pt": "escopas"},
    ("escova", "sweeps"): {"es": "escovas", "en": "escovas", "it": "scope", "pt": "escovas"},
    ("chkobba", "sweeps"): {"es": "chkobbas", "en": "chkobbas", "it": "scope", "fr": "chkobbas"},
    ("chkobba", "cards"): {"es": "karta", "en": "karta (most cards)", "it": "carte", "fr": "karta"},
    ("chkobba", "coins"): {"es": "dinari", "en": "dinari (diamonds)", "it": "denari", "fr": "dinari"},
    ("chkobba", "seven_of_coins"): {
        "es": "sab'a l-hayaa",
        "en": "sab'a l-hayaa (seven of diamonds)",
        "it": "settebello",
        "fr": "sab'a l-hayaa",
    },
    **{(game, "sweeps"): {"es": "scope", "en": "scope", "it": "scope"} for game in SCOPA_GAMES},
    **{(game, "coins"): {"es": "oros", "en": "most coins", "it": "denari"} for game in SCOPA_GAMES},
    **{(game, "seven_of_coins"): {"es": "settebello", "en": "settebello", "it": "settebello"} for game in SCOPA_GAMES},
    **{(game, "prime"): {"es": "primiera", "en": "primiera", "it": "primiera"} for game in SCOPA_GAMES},
}

PRESETS: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "flores": (("Flores", "Flores"), ("Como se juega en Flores, Uruguay.", "As played in Flores, Uruguay.")),
    "catsatcards": (
        ("CatsAtCards", "CatsAtCards"),
        ("El mejor sin empatar cobra; levantar es optativo.", "The best untied side scores; capturing is optional."),
    ),
    "montevideo": (
        ("Montevideo", "Montevideo"),
        (
            "Ases, doce y siete de espadas valen, con comodines: nuestra reunión de lo que se cuenta allí.",
            "Aces, king and seven of swords score, with wild cards: our bundle of what is told there.",
        ),
    ),
    "capagorry": (
        ("Capagorry", "Capagorry"),
        (
            "Según J. Capagorry (1979), con báciga y comodines.",
            "After J. Capagorry (1979), with báciga and wild cards.",
        ),
    ),
    "escoba": (("Escoba", "Escoba"), ("Las reglas de España.", "The rules of Spain.")),
    "la_escoba": (("La escoba", "La escoba"), ("Las reglas de siempre.", "The usual rules.")),
    "chile": (
        ("Chilena", "Chile"),
        ("Escoba en mano 3, en mesa 4, y hay que tapar.", "Sweep in hand 3, on the table 4, and sweeps to be covered."),
    ),
    "desescoba": (("Desescoba", "Desescoba"), ("Gana el que hace menos puntos.", "The fewest points win.")),
    "verdulera": (
        ("Verdulera", "Verdulera"),
        ("Con flor, veinte en palo y verdulera, a 20.", "With flush, twenty in a suit and verdulera, to 20."),
    ),
    "escova": (("Escova", "Escova"), ("Las reglas de Brasil.", "The rules of Brazil.")),
    "escopa": (("Escopa", "Escopa"), ("Las reglas de Brasil.", "The rules of Brazil.")),
    "scopa": (("Scopa", "Scopa"), ("Las reglas de Italia.", "The rules of Italy.")),
    "scopa_d_assi": (("Scopa d'Assi", "Scopa d'Assi"), ("Con el as que barre.", "With the ace that takes all.")),
    "scopone": (("Scopone", "Scopone"), ("Nueve cartas cada uno.", "Nine cards each.")),
    "scopone_scientifico": (("Scientifico", "Scientifico"), ("Diez cartas cada uno.", "Ten cards each.")),
    "scopa_di_quindici": (("Quindici", "Quindici"), ("Sumando quince.", "Adding to fifteen.")),
    "cirulla": (("Cirulla", "Cirulla"), ("Las reglas de Génova, a 51.", "The rules of Genoa, to 51.")),
    "cirullone": (("Cirullone", "Cirullone"), ("Nueve cartas, a 101.", "Nine cards each, to 101.")),
    "chkobba": (("Chkobba", "Chkobba"), ("Las reglas de Túnez.", "The rules of Tunisia.")),
    "brisca": (
        ("Brisca", "Brisca"),
        ("Más de la mitad de los puntos gana la mano.", "More than half the points win the deal."),
    ),
    "mexican": (("Mexicana", "Mexican"), ("Gana el que no pasa de once.", "Who stays at eleven or under scores.")),
    "scoperta": (("Scoperta", "Scoperta"), ("Con las cartas a la vista.", "With the hands face up.")),
    "mariaje": (("Mariaje", "Mariaje"), ("Rey y caballo de un palo suman.", "King and knight of a suit add points.")),
    "cinquecento": (("Cinquecento", "Cinquecento"), ("Mariaje hasta sumar 500.", "Mariaje up to 500.")),
    "chiamata": (("Chiamata", "Chiamata"), ("Cinco, con compañero llamado.", "Five players, a partner is called.")),
    "chiamata_buia": (
        ("Chiamata buia", "Chiamata buia"),
        ("El triunfo se nombra tras la primera baza.", "Trumps are named after the first trick."),
    ),
    "chiamata_a_punti": (
        ("Chiamata a punti", "Chiamata a punti"),
        ("Se rematan sólo los puntos.", "Only the points are bid."),
    ),
    "rematada": (("Rematada", "Rematada"), ("Uno remata contra dos.", "One bids against two.")),
    "muerte_al_tres": (
        ("Muerte al tres", "Death to the three"),
        ("El as de triunfo que mata al tres gana.", "The ace of trumps that kills the three wins."),
    ),
    "carioca": (("Carioca", "Carioca"), ("Como en lo de Perla.", "As at Perla's table.")),
    "free": (("Otro juego", "Another game"), ("Anotador simple.", "A plain pad.")),
}

OPTIONS: dict[str, tuple[str, str]] = {
    "target": ("¿A cuántos puntos termina la partida?", "How many points end the match?"),
    "sides": ("¿Juega cada uno por su lado o en equipos?", "Does everyone play alone, or in teams?"),
    "winner": ("¿Gana el que tiene más o el que tiene menos?", "Does the highest total win, or the lowest?"),
    "tie_rule": ("Si empatan los que van primero, ¿quién cobra?", "When the leaders are tied, who scores?"),
    "declaration_time": ("¿Cuándo se canta?", "When are hands declared?"),
    "false_declaration": ("¿Qué pasa si alguien canta lo que no tiene?", "What does a false call cost?"),
    "obligation": ("¿Es obligatorio levantar?", "Must a card that can capture do so?"),
    "low_combos": ("¿Nueve y miseria, o báciga?", "Nine and misery, or báciga?"),
    "pts_three_of_a_kind": ("¿Cuánto valen tres iguales?", "How much are three of a kind?"),
    "pts_sweep_in_hand": (
        "¿Cuánto vale la escoba en mano (15 con tres cartas)?",
        "How much is fifteen in three hand cards?",
    ),
    "pts_seven_of_coins": ("¿Cuánto vale el siete de oros?", "How much is the seven of coins?"),
    "pts_two_of_clubs": ("¿Cuánto vale el dos de bastos?", "How much is the two of clubs?"),
    "pts_one_of_coins": ("¿Cuánto vale el uno de oros?", "How much is the one of coins?"),
    "pts_twelve_of_coins": ("¿Cuánto vale el doce de oros?", "How much is the king of coins?"),
    "pts_one_of_swords": ("¿Cuánto vale el uno de espadas?", "How much is the one of swords?"),
    "pts_one_of_clubs": ("¿Cuánto vale el uno de bastos?", "How much is the one of clubs?"),
    "pts_seven_of_swords": ("¿Cuánto vale el siete de espadas?", "How much is the seven of swords?"),
    "pts_all_sevens": ("¿Cuánto valen los cuatro sietes (multa)?", "How much are all four sevens?"),
    "wild_cards": ("¿Qué cartas son comodín?", "Which cards are wild?"),
    "wild_power": ("¿Qué puede cambiar un comodín?", "What may a wild card change?"),
    "wild_in_layout": ("¿Y un comodín en la mesa al empezar?", "And a wild card in the opening layout?"),
    "wild_on_table": ("¿Cuánto vale un comodín que está en la mesa?", "What does a wild card on the table count?"),
    "prime_method": ("¿Cómo se cuenta la setenta?", "How is the prime counted?"),
    "prime_suits_required": ("¿Hacen falta los cuatro palos para la setenta?", "Does a prime need all four suits?"),
    "last_cards": ("¿De quién son las últimas cartas?", "Whose are the last cards on the table?"),
    "pts_baciga_pairs": ("¿Cuánto vale la báciga con pares?", "How much is báciga with a pair?"),
    "table_flush": ("¿Vale la flor en la mesa (3 o 4)?", "Does a flush in the opening layout score (3 or 4)?"),
    "pts_table_sweep": ("¿Cuánto vale la mesa que suma quince?", "How much is an opening layout of fifteen?"),
    "table_sweep_30": ("¿Y la mesa que suma treinta?", "And an opening layout of thirty?"),
    "table_sweep": ("¿Levanta el que da si la mesa suma 15 o 30?", "Does the dealer take an opening 15 or 30?"),
    "renuncio_mode": ("¿Cómo se castiga el renuncio?", "How is a missed fifteen punished?"),
    "renuncio_share": ("¿Cómo se reparten los puntos del renuncio?", "How are the points of a renuncio shared?"),
    "table_trick_sweep": ("¿La baza de mesa que limpia es escoba?", "Is a table trick that clears the table a sweep?"),
    "wrong_capture_mode": ("¿Qué cuesta levantar mal?", "What does a wrong capture cost?"),
    "end_check": ("¿Se revisa lo que queda en la mesa al final?", "Is the last layout checked at the end?"),
    "three_player_tie_to_third": (
        "Entre tres, si dos empatan, ¿cobra el tercero?",
        "With three players, do two tied ahead leave the point to the third?",
    ),
    "prime_needs_pip": (
        "¿Es coja la setenta con un palo sólo de figuras?",
        "Does each suit of a prime need a card from 1 to 7?",
    ),
    "prime_needs_seven": ("¿Hace falta un siete para la setenta?", "Does a prime need a seven?"),
    "prime_void_if_all_sevens": (
        "¿Se anula la setenta si alguien tiene los cuatro sietes?",
        "Is there no prime when somebody has all four sevens?",
    ),
    "pts_figures": ("¿Cuánto vale tener más figuras?", "How much are most figures?"),
    "pts_few_cards": (
        "¿Cuánto vale dejar a los demás con menos de diez cartas?",
        "How much is leaving everyone else under ten cards?",
    ),
    "all_coins_stack": (
        "Todos los oros: ¿en lugar de la mayoría o además?",
        "Every coin: instead of the majority, or on top?",
    ),
    "all_sevens_stack": (
        "Los cuatro sietes: ¿en lugar de la mayoría o además?",
        "All four sevens: instead of the majority, or on top?",
    ),
    "sweep_must_be_covered": ("¿Hay que tapar la escoba para que valga?", "Must a sweep be covered to count?"),
    "no_capture_loses": ("¿Pierde la partida el que no levanta nada?", "Does a side without a capture lose the match?"),
    "call_ultimas": ("¿Hay que decir «últimas»?", "Must the dealer call the last hand?"),
    "mano16_rule": ("¿Vale la escoba por 16 de mano?", "Is the hand of sixteen played?"),
    "pts_flush": ("¿Cuánto vale la flor?", "How much is a flush?"),
    "pts_twenty_in_suit": ("¿Cuánto vale veinte en palo (12 y 11)?", "How much are king and knight of a suit?"),
    "pts_sweeps": ("¿Cuánto vale cada escova?", "How much is each sweep?"),
    "fifty_cards_at": ("¿Desde cuántas cartas se cobran dos?", "From how many cards on are two points scored?"),
    "redeal_kings": (
        "¿Con cuántos reyes en la mesa se reparte de nuevo?",
        "How many kings in the layout void the deal?",
    ),
    "last_play_sweep": ("¿Vale barrer con la última carta?", "Does a sweep with the very last card score?"),
    "ace_on_ace_sweep": ("¿Es scopa levantar un as solo con un as?", "Is an ace taking a lone ace a sweep?"),
    "low_and_three": ("Tres iguales que suman nueve o menos: ¿10 o 13?", "Three of a kind of nine or less: 10 or 13?"),
    "matta_in_prime": ("¿Qué vale la matta en la primiera?", "What does the matta count in the primiera?"),
    "matta_in_layout": ("¿Vale la matta en la mesa al empezar?", "May the matta in the layout make 15 or 30?"),
    "ace_sweep_scores": ("¿Es scopa cuando el as levanta todo?", "Does an ace that takes all score a sweep?"),
    "redeal_aces": ("¿Se reparte de nuevo con dos ases en la mesa?", "Do two aces in the layout void the deal?"),
    "cappotto_wins": ("¿Gana la partida tener todos los oros?", "Do all ten coins win the match?"),
    "cirullone_max_announcements": ("¿Cuántas veces puede anunciar cada uno?", "How often may a player announce?"),
    "figure_values": ("¿Cuánto valen la dama y la sota?", "What do queen and jack count?"),
    "redeal_same_rank": (
        "¿Se reparte de nuevo con tres iguales en la mesa?",
        "Do three alike in the layout void the deal?",
    ),
    "pack": ("¿Con cuántas cartas?", "How many cards in the pack?"),
    "match_to": ("¿A cuántas manos ganadas?", "How many game points win the match?"),
    "match_mode": ("¿Cómo se gana la partida?", "How is the match won?"),
    "trump_method": ("¿Cómo se elige el triunfo?", "How are trumps chosen?"),
    "pts_over_hundred": ("¿Cuánto vale ganar con más de cien?", "How much is winning with over a hundred?"),
    "value_table": ("¿Cuánto vale cada carta?", "What is each card worth?"),
    "partners_show_cards": (
        "¿Los compañeros se muestran las tres primeras?",
        "May partners show each other the first three?",
    ),
    "mexican_limit": ("¿Hasta cuántos puntos se cobra?", "Up to how many points does one score?"),
    "mariaje_match": ("¿Por manos o hasta sumar 500?", "By deals, or up to 500?"),
    "rematada_score": ("¿Se cobra lo rematado o lo hecho?", "Is the bid scored, or what was made?"),
    "chiamata_scores": ("¿Cómo cobra el que llama?", "How does the caller score?"),
    "rematada_target": ("¿A cuántos puntos termina la rematada?", "How many points end it?"),
    "card_values": ("¿Cuánto vale cada carta que queda?", "What does each card left cost?"),
    "low_cards": ("¿Las cartas bajas valen lo suyo o cinco?", "Do low cards count their face, or five?"),
    "pts_perfect_cut": ("¿Cuánto descuenta el corte perfecto?", "What does a perfect cut take off?"),
    "pts_steal": ("¿Cuánto cuesta cada robo?", "What does each steal cost?"),
    "pts_out_at_once": ("¿Cuánto descuenta irse de una?", "What does going out at once take off?"),
    "rounds": ("¿Cuántas rondas?", "How many rounds?"),
    "end": ("¿Cómo termina la partida?", "How does the match end?"),
    "tie": ("¿Y si empatan?", "And if they tie?"),
    "round_sum": ("¿Suman siempre lo mismo los puntos de una ronda?", "Do a round's points always add up to the same?"),
}

VALUES: dict[str, tuple[str, str]] = {
    "solo": ("cada uno por su lado", "everyone alone"),
    "teams": ("en equipos", "in teams"),
    "highest": ("gana el que más", "the highest wins"),
    "lowest": ("gana el que menos", "the lowest wins"),
    "each_unless_all": ("cada uno, salvo que empaten todos", "each, unless all are tied"),
    "best_untied": ("el mejor que no empata", "the best that is not tied"),
    "nobody": ("nadie", "nobody"),
    "each": ("cada uno", "each"),
    "own_turn": ("cada uno en su turno", "at one's own turn"),
    "before_first_turn": ("antes de empezar", "before the first turn"),
    "each_opponent": ("el valor va a cada contrario", "its value goes to each opponent"),
    "off": ("no", "no"),
    "on": ("sí", "yes"),
    "none": ("ninguna", "none"),
    "card": ("la carta que levanta, levanta", "a card that can take must take"),
    "free": ("optativo", "optional"),
    "rank_only": ("sólo la igual", "the equal only"),
    "hand": ("si algo levanta, hay que jugarlo", "if any card can take, one must"),
    "nine_and_misery": ("nueve y miseria", "nine and misery"),
    "baciga": ("báciga", "báciga"),
    "1O+12O": ("uno y doce de oros", "one and king of coins"),
    "7O+12O": ("siete y doce de oros", "seven and king of coins"),
    "rank_free_no_suit": ("cualquier valor, sin palo", "any rank, no suit"),
    "rank_or_suit": ("el valor o el palo, no los dos", "rank or suit, not both"),
    "natural": ("lo que dice la carta", "as printed"),
    "redeal": ("se reparte de nuevo", "deal again"),
    "face": ("por su número", "face value"),
    "sevens_count": ("más sietes", "most sevens"),
    "italian": ("21-18-16", "21-18-16"),
    "half_ace": ("as cinco y medio", "ace five and a half"),
    "seventy": ("sobre setenta", "out of seventy"),
    "last_capturer": ("del último que levantó", "who captured last"),
    "two_sweeps": ("dos escobas", "two sweeps"),
    "15_and_30": ("sí, 15 y 30", "yes, 15 and 30"),
    "forfeit": ("pierde los puntos de la mano", "he loses the deal's points"),
    "table_trick": ("otro levanta la baza", "another takes it from the table"),
    "each_other_full": ("enteros a cada uno", "in full to each"),
    "split": ("repartidos", "shared out"),
    "four_plus_sweeps": ("cuatro y las escobas de todos", "four plus everyone's sweeps"),
    "as_renuncio": ("como un renuncio", "as a renuncio"),
    "void_cards": ("no cobra cartas", "no point for cards"),
    "instead": ("en lugar de la mayoría", "instead of the majority"),
    "added": ("además de la mayoría", "on top of the majority"),
    "plus_one": ("uno más que la mayoría", "one more than the majority"),
    "max": ("diez", "ten"),
    "sum": ("trece", "thirteen"),
    "assigned": ("lo que se le dio", "as assigned"),
    "queen8_jack9": ("dama ocho, sota nueve", "queen eight, jack nine"),
    "jack8_queen9": ("sota ocho, dama nueve", "jack eight, queen nine"),
    "game_points": ("por manos ganadas", "by game points"),
    "cycle_victories": ("cuatro manos, más ganadas", "four deals, most won"),
    "cycle_points": ("cuatro manos, más puntos", "four deals, most card points"),
    "turned": ("la carta que se da vuelta", "the card turned up"),
    "fixed_cycle": ("oros, copas, espadas, bastos", "coins, cups, swords, clubs"),
    "standard": ("los de siempre", "the usual ones"),
    "seven_ten": ("el siete vale diez", "the seven counts ten"),
    "jack_knight_swapped": ("sota tres, caballo dos", "jack three, knight two"),
    "deal_wins": ("por manos", "by deals"),
    "sum_to_500": ("hasta 500", "up to 500"),
    "bid": ("lo rematado", "the bid"),
    "made": ("lo hecho", "what was made"),
    "two_one": ("dos y uno", "two and one"),
    "manual": ("a mano", "by hand"),
    "five": ("cinco", "five"),
    "target": ("al llegar a los puntos", "at the target"),
    "rounds": ("tras tantas rondas", "after so many rounds"),
    "extra_round": ("una ronda más", "another round"),
    "shared": ("comparten", "they share it"),
    "True": ("sí", "yes"),
    "False": ("no", "no"),
    "None": ("según los jugadores", "by the players"),
}

OWN_VALUES: dict[tuple[str, str], tuple[str, str]] = {
    ("low_cards", "face"): ("lo que dicen", "their face"),
    ("obligation", "free"): ("optativo", "optional"),
    ("wild_on_table", "free"): ("lo que diga quien la levanta", "what the capturer says"),
    ("wild_in_layout", "free"): ("lo que diga el que da", "what the dealer says"),
    ("pts_few_cards", "1"): ("1, al de más cartas", "1, to the side with most cards"),
    ("prime_suits_required", "0"): ("no", "no"),
    ("prime_suits_required", "4"): ("sí, los cuatro", "yes, all four"),
    ("match_mode", "manual"): ("a mano", "by hand"),
}


def game_name(game: str) -> Words:
    """Give a game's names by language."""
    return GAMES[game][0] if game in GAMES else _plain(game)


def game_note(game: str) -> Words:
    """Give one sentence about a game by language."""
    return _two(GAMES[game][1] if game in GAMES else None, game)


def item_name(game: str, item: str) -> Words:
    """Give an item's names by language, in the game's own words where it has any."""
    return OWN_WORDS.get((game, item)) or ITEMS.get(item) or _plain(item)


def preset_name(preset: str) -> Words:
    """Give a preset's names by language."""
    return _two(PRESETS[preset][0] if preset in PRESETS else None, preset)


def preset_note(preset: str) -> Words:
    """Give one sentence about a preset by language."""
    return _two(PRESETS[preset][1] if preset in PRESETS else None, preset)


def option_label(option: str) -> Words:
    """Give the sentence that says what an option decides, by language."""
    return _two(OPTIONS.get(option), option)


def value_label(option: str, value: object) -> Words:
    """Give a short label of an option's value by language; a number is its digits."""
    word = str(value)
    pair = OWN_VALUES.get((option, word)) or VALUES.get(word)
    return dict.fromkeys(LANGUAGES, word) if pair is None and not isinstance(value, str) else _two(pair, word)
