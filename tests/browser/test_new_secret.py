"""By thumb: a phone over a new secret of the server, and the owner whose server has lost it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ..helpers.serving import Server
from .axe import faults
from .conftest import Phone
from .playing import from_this_table


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server of this test alone."""
    with Server(tmp_path) as server:
        yield server


@pytest.fixture
def ana(browser: Browser, browser_context_args: dict[str, Any], own: Server) -> Iterator[Phone]:
    """A phone at that server."""
    context = browser.new_context(**{**browser_context_args, "base_url": own.address})
    yield Phone(context.new_page())
    context.close()


def test_a_form_that_is_open_while_the_secret_rotates_is_saved(
    ana: Phone, own: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana.open_table("Ana", "Beto")
    from_this_table(ana, "Owner of the table")
    ana.page.locator("#names input[name='name']").fill("Los jueves")
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(own.folder))
    subprocess.run([sys.executable, "-m", "scorekeeper.cli", "rotate-secret"], check=True)
    ana.press("Rename")
    expect(ana.page.locator(".notice")).to_contain_text("Los jueves")
    assert "/w/" in ana.page.locator("#link-watch").input_value()
    assert ana.errors == []


def test_the_owner_of_a_table_whose_secret_is_lost_makes_new_links(ana: Phone, own: Server) -> None:
    table = ana.open_table("Ana", "Beto")
    from_this_table(ana, "Owner of the table")
    owner = ana.page.locator("#link-owner").input_value()
    own.stop()
    (own.folder / "secret_key").unlink()
    own.start()

    ana.page.goto(owner)
    ana.page.goto("/")
    expect(ana.page.get_by_text("The link to play cannot be shown any more.")).to_be_visible()
    ana.page.get_by_role("link", name="A new link to play").tap()
    expect(ana.page.get_by_role("heading", name="Links that cannot be shown")).to_be_visible()
    assert faults(ana.page) == []
    for kind in ("play", "watch"):
        ana.page.get_by_role("link", name=f"A new link to {kind}").tap()
        ana.press("Make the new link")
        expect(ana.page.locator(f"#link-{kind}")).to_be_visible()
    expect(ana.page.locator("#lost-links")).to_have_count(0)
    new = ana.page.locator("#link-play").input_value()
    assert new != table
    ana.page.goto(new)
    expect(ana.page.get_by_role("list", name="Score")).to_be_visible()
    assert ana.errors == []
