"""Two hosts on one PostgreSQL: neither keeps anything that the other would miss."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ..helpers.databases import Postgres
from ..helpers.serving import serving
from .conftest import Phone

SECRET = "the same on every host, as README says"


@pytest.fixture
def hosts(postgres_server: Postgres, tmp_path: Path) -> Iterator[list[str]]:
    """Two servers, each with a folder of its own, on one database; their addresses."""
    with ExitStack() as stack:
        url = stack.enter_context(postgres_server.database())
        folders = [tmp_path / "one", tmp_path / "other"]
        for folder in folders:
            folder.mkdir()
        settings = {"DATABASE_URL": url, "SECRET_KEY": SECRET}
        yield [stack.enter_context(serving(folder, **settings)) for folder in folders]


@pytest.fixture
def phones(
    browser: Browser, browser_context_args: dict[str, Any], hosts: list[str], server: str
) -> Iterator[list[Phone]]:
    """A phone at each host."""
    contexts = [browser.new_context(**{**browser_context_args, "base_url": host}) for host in hosts]
    phones = [Phone(context.new_page()) for context in contexts]
    yield phones
    for context in contexts:
        context.close()
    assert [phone.errors for phone in phones] == [[], []]


def test_an_entry_posted_to_one_host_appears_on_the_page_open_at_the_other(
    phones: list[Phone], hosts: list[str]
) -> None:
    here, there = phones
    table = here.open_table("Ana", "Beto").removeprefix(hosts[0])
    there.join(table)
    with there.page.expect_response(lambda answer: "/live?" in answer.url and answer.status == 200):
        there.page.goto(table)
    here.sweep("B")
    expect(there.page.locator(".log")).to_contain_text("Beto")
    expect(there.page.locator(".sweep[value='B'] .dots i")).to_have_count(1)
    there.sweep("A")
    expect(here.page.locator(".log li")).to_have_count(2)
