"""Every game there is, by id. Adding a game is one value more here."""

from __future__ import annotations

from ..ruleset import RuleSet
from .brisca import BRISCA
from .carioca import CARIOCA
from .chorizo import BACIGA, CHORIZO
from .cirulla import CIRULLA, CIRULLONE
from .escoba import ESCOBA, ESCOPA, ESCOVA, LA_ESCOBA
from .free import FREE
from .scopa import CHKOBBA, SCOPA, SCOPA_D_ASSI, SCOPA_DI_QUINDICI, SCOPONE, SCOPONE_SCIENTIFICO

GAMES: dict[str, RuleSet] = {
    rules.id: rules
    for rules in (
        CHORIZO,
        BACIGA,
        ESCOBA,
        LA_ESCOBA,
        ESCOVA,
        ESCOPA,
        SCOPA,
        SCOPA_D_ASSI,
        SCOPONE,
        SCOPONE_SCIENTIFICO,
        SCOPA_DI_QUINDICI,
        CIRULLA,
        CIRULLONE,
        CHKOBBA,
        BRISCA,
        CARIOCA,
        FREE,
    )
}
