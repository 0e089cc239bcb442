"""What a process keeps at hand is bounded by what it weighs, and is never an older version."""

from __future__ import annotations

from scorekeeper.store.lru import LruCache


def test_only_the_newest_version_is_kept() -> None:
    recent: LruCache[str] = LruCache(10)
    recent.put("match", "as of 1", version=1)
    recent.put("match", "as of 2", version=2)
    recent.put("match", "as of 1, late", version=1)
    assert recent.get("match", version=2) == "as of 2"
    assert recent.get("match", version=1) is None
    assert recent.weight == 1


def test_the_values_together_do_not_exceed_the_limit() -> None:
    recent: LruCache[str] = LruCache(10)
    for number in range(100):
        recent.put(number, "x", weight=4)
    assert recent.weight == 8
    assert [number for number in range(100) if recent.get(number)] == [98, 99]


def test_what_weighs_too_much_by_itself_is_not_kept() -> None:
    recent: LruCache[str] = LruCache(10)
    recent.put("a", "small", version=1)
    recent.put("a", "huge", version=2, weight=11)
    assert recent.get("a", version=2) is None
    assert recent.weight == 0


def test_what_weighs_all_of_it_by_itself_or_together_is_kept() -> None:
    recent: LruCache[str] = LruCache(10)
    recent.put("a", "large", weight=10)
    assert recent.get("a") == "large"
    for number in (1, 2):
        recent.put(number, "half", weight=5)
    assert [recent.get(name) for name in ("a", 1, 2)] == [None, "half", "half"]
