"""Brakes: how often an address or a host may do what costs something, counted over all processes of a host.

``memory`` is what the processes share, ``counts`` counts in it for the package ``limits``, ``streams`` counts what is
open at once, ``under_way`` what a process answers just now, ``remote`` counts in Redis where several hosts share one,
and ``brake`` is one bound over any of them.
"""
