"""The app in WebKitGTK and in Firefox. Collected only where it is asked for: ``make test-browsers``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..helpers.serving import serving

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave these files unread where their mark is not asked for: they need browsers that no other test needs."""
    return None if config.option.markexpr == "engines" else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.engines)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on a database of its own; yields its address."""
    with serving(tmp_path_factory.mktemp("instance")) as address:
        yield address


@pytest.fixture(scope="session")
def started() -> Iterator[ExitStack]:
    """What is put away when the last test is done."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="session")
def engines(started: ExitStack, tmp_path_factory: pytest.TempPathFactory) -> dict[str, WebDriver]:
    """The engines that were started, each once."""
    return {}


@pytest.fixture(params=["webkit", "firefox"])
def engine(request: pytest.FixtureRequest) -> str:
    """The name of the engine."""
    return str(request.param)


@pytest.fixture
def driver(
    engine: str, engines: dict[str, WebDriver], started: ExitStack, tmp_path_factory: pytest.TempPathFactory
) -> WebDriver:
    """The engine, started when it is first asked for."""
    from .driving import ENGINES

    if engine not in engines:
        engines[engine] = started.enter_context(ENGINES[engine](tmp_path_factory.mktemp(engine)))
    return engines[engine]
