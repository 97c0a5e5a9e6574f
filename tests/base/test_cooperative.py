"""Iterating while yielding the GIL: all items, in order, with regular pauses."""

import time

import pytest

from batchwright.base.cooperative import yielding_gil


def test_all_items_are_yielded_in_order() -> None:
    assert list(yielding_gil(range(1000))) == list(range(1000))
    assert list(yielding_gil([])) == []


def test_the_gil_is_released_once_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    breaths: list[float] = []
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr(time, "sleep", breaths.append)
    assert list(yielding_gil("abc")) == ["a", "b", "c"]
    assert breaths == [0, 0, 0]
