"""What a journal says of people who were forgotten: their renamings hold no name any more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar, cast

from .journal import kinds

Payload = TypeVar("Payload", bound=Mapping[str, Any])


def without_forgotten(kind: str, payload: Payload, forgotten: Collection[int]) -> Payload:
    """Return the payload of an entry as it is read: a renaming of a forgotten player is from "" to "".

    All other payloads are returned as they are.
    """
    if kind != kinds.PLAYER_RENAMED or payload.get("player") not in forgotten:
        return payload
    return cast(Payload, {**payload, "from": "", "to": ""})
