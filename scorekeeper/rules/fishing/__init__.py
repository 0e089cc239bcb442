"""Games in which a played card captures cards of the table: chorizo, báciga, escoba, scopa, cirulla, chkobba.

From the bottom up: what scores and why (``ties``, ``primes``, ``features``, ``items``); what is known of a deal
(``evidence``) and what the cards nobody showed can still be (``ways``, ``outlook``); which question is worth asking
(``question_cost``, ``question_order``, ``question_groups``, ``next_question``); checks, declarations
and captures; and ``game``, which scores a deal.
"""
