"""Marks of views: a view is marked above its function, and what deals with every request asks for the mark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app, request

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Any])


class Mark:
    """A mark, which is put on a view by writing it above the view: ``@for_watchers``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, view: ViewFunction) -> ViewFunction:
        setattr(view, self._name, True)
        return view

    def is_here(self) -> bool:
        """Return whether the view of this request has the mark; an address without a view has none."""
        return hasattr(current_app.view_functions.get(request.endpoint or ""), self._name)


for_watchers = Mark("for_watchers")
"""The watch link may open the view, too."""

for_moved = Mark("for_moved")
"""The view opens at a table that has moved, too; those for watchers do by themselves."""

takes_file = Mark("takes_file")
"""The file of a table may be posted to the view."""

leaves_zone = Mark("leaves_zone")
"""Posts to the view give a table no zone: all parts of a file are of one table, with a zone or without."""
