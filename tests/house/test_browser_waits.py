"""Browser tests wait for what a person sees: none sleeps, none reads a page at once after a tap that may change it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .trees import tree_of

BROWSER = Path(__file__).parents[1] / "browser"
WAITING = BROWSER / "waiting.py"
"""The one module that may let time pass, and where every wait is."""
CLOCKS = {"wait_for_timeout", "sleep"}
ACTS = {"tap", "click", "dblclick", "check", "uncheck", "select_option", "go_back", "go_forward", "dispatch_event"}
"""What may change a page, or lead to another one, a moment later."""
READS = {"evaluate", "evaluate_all", "all_inner_texts", "all_text_contents", "all", "is_visible", "is_hidden"}
"""What sees a page as it is at once, and fails where it is just being left. ``count()`` is another."""
WAITS = {"expect", "rest", "stand_still", "tap", "drawn", "read", "until", "happens", "goto", "reload"} | {
    *("waits", "join", "start", "follow", "press", "say", "sweep", "declare", "totals", "fits", "look", "screens")
}
"""What waits, or stands on a page that is at rest: the names of waiting.py and of conftest.py, and Playwright's own."""


def sources() -> list[Path]:
    """Return the modules of the browser tests but the one of the waits."""
    return [path for path in sorted(BROWSER.rglob("*.py")) if path != WAITING]


def calls(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of a statement with the last part of their names, not those of functions defined in it."""
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, (ast.FunctionDef, ast.Lambda)):
            yield from calls(inner)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield node.func.attr, node
        elif isinstance(node.func, ast.Name):
            yield node.func.id, node


def is_act(name: str, call: ast.Call) -> bool:
    """Return whether a call does something with a page and does not wait for what comes of it."""
    if not isinstance(call.func, ast.Attribute):
        return False
    of = call.func.value
    is_ours = isinstance(of, ast.Name) and of.id == "waiting"
    is_key = name == "press" and isinstance(of, ast.Attribute) and of.attr == "keyboard"
    return (name in ACTS and not is_ours) or is_key


def is_read(name: str, call: ast.Call) -> bool:
    """Return whether a call reads a page at once."""
    is_counted = name == "count" and not call.args
    return isinstance(call.func, ast.Attribute) and (name in READS or is_counted)


class Reader:
    """Goes through the statements of a function in their order, and notes reads that come right after an act."""

    def __init__(self) -> None:
        self.acted = False
        self.found: list[int] = []

    def look(self, *nodes: ast.AST | None) -> None:
        """Go through what is called in one statement."""
        for name, call in (each for node in nodes if node is not None for each in calls(node)):
            if is_act(name, call):
                self.acted = True
            elif name in WAITS or name.startswith(("wait_for", "to_", "expect_")):
                self.acted = False
            elif is_read(name, call) and self.acted:
                self.found.append(call.lineno)

    def go_through(self, body: list[ast.stmt]) -> None:
        """Go through a block; what is within a loop comes again."""
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                continue
            if isinstance(statement, (ast.For, ast.While)):
                head = statement.iter if isinstance(statement, ast.For) else statement.test
                self.look(head)
                self.go_through(statement.body)
                if isinstance(statement, ast.While):
                    self.look(head)
                self.go_through(statement.body)
            elif isinstance(statement, ast.If):
                self.look(statement.test)
                before = self.acted
                self.go_through(statement.body)
                after, self.acted = self.acted, before
                self.go_through(statement.orelse)
                self.acted = self.acted or after
            elif isinstance(statement, ast.With):
                heads = [item.context_expr for item in statement.items]
                self.look(*heads)
                self.go_through(statement.body)
                # An answer, a request, an event: the block ends when it is there.
                self.look(*heads)
            elif isinstance(statement, ast.Try):
                self.go_through([*statement.body, *statement.finalbody])
            else:
                self.look(statement)


def hasty(module: ast.Module) -> list[int]:
    """Return the lines that read a page at once, right after something was done with it."""
    found: set[int] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            reader = Reader()
            reader.go_through(node.body)
            found |= set(reader.found)
    return sorted(found)


def test_no_browser_test_waits_for_time() -> None:
    found = [
        f"{path.relative_to(BROWSER)}:{node.lineno}"
        for path in sources()
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Attribute) and node.attr in CLOCKS)
        or (isinstance(node, ast.Constant) and node.value == "networkidle")
    ]
    assert found == [], "waiting.py has what waits for what is seen; a_while is for what must not come"


def test_what_is_waited_for_in_a_page_is_a_function() -> None:
    found = [
        f"{path.relative_to(BROWSER)}:{call.lineno}"
        for path in sources()
        for name, call in calls(tree_of(path))
        if name == "wait_for_function" and not (isinstance(call.args[0], ast.Constant) and "=>" in call.args[0].value)
    ]
    assert found == [], "our pages forbid to evaluate text: an expression fails where it is not true at once"


def test_no_browser_test_reads_a_page_right_after_a_tap() -> None:
    found = [f"{path.relative_to(BROWSER)}:{line}" for path in sources() for line in hasty(tree_of(path))]
    assert found == [], "wait first: expect(…) what is to be seen, or rest(page)"


@pytest.mark.parametrize(
    ("body", "is_hasty"),
    [
        ("link.tap()\n assert rows.count() == 2", True),
        ("link.tap()\n expect(rows).to_have_count(2)\n assert rows.count() == 2", False),
        ("waiting.tap(link)\n return page.evaluate('1')", False),
        ("while not rows.count():\n  link.tap()", True),
        ("if page:\n  link.tap()\n return texts.all_inner_texts()", True),
        ("with drawn(page, '/'):\n  link.tap()\n return texts.all_inner_texts()", False),
        ("page.keyboard.press('Tab')\n return page.evaluate('1')", True),
        ("for one in some:\n  one.is_visible()\n  one.click()", True),
    ],
)
def test_the_check_finds_what_it_is_for(body: str, is_hasty: bool) -> None:
    assert bool(hasty(ast.parse(f"def test(page):\n {body}"))) is is_hasty
