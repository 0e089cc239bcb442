"""Every game there is, by id.

A game is a file beside this one (or a value in the file of its family) and a line below. Its words are in the files of
:mod:`..glossary`, its scored deals in ``tests/rules/cases``, its rules in ``docs/rules.md``; tests name what is
missing. An item of a new kind is a class in :mod:`..fishing.items`, and needs a second opinion in
``tests/helpers/oracle.py``.
"""

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
