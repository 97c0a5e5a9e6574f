"""How fast a long layout opens, how much memory it needs, and how little it blocks."""

import asyncio
import gc
import json
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.validator import LayoutChecker
from batchwright.local.study_file import read_study
from batchwright.ui.core.interpreter import gc_on_this_thread
from batchwright.ui.study.save import load_study
from tests.benchmarks.test_rules import page, quickest

pytestmark = pytest.mark.long

HUGE = 50 * 1024 * 1024
"""Bytes of an unrealistically large layout file that must open nevertheless."""

Record = Callable[[str, object], None]


def written(path: Path, pages: int) -> Path:
    path.write_text(json.dumps([page(number) for number in range(pages)]), encoding="utf-8")
    return path


@pytest.mark.parametrize(("items", "most"), [(1000, 0.2), (10_000, 1.0)])
def test_opening_a_layout_takes_a_small_multiple_of_parsing_its_json(
    items: int, most: float, tmp_path: Path, record_property: Record
) -> None:
    path = written(tmp_path / "layout.json", items // 10)
    bare = quickest(lambda: json.loads(path.read_bytes()))

    def open_it() -> None:
        project, _file = read_study(path)
        LayoutChecker().check(project.layout)

    total = quickest(open_it)
    record_property("items", items)
    record_property("opened, ms", round(total * 1000, 1))
    record_property("bare JSON, ms", round(bare * 1000, 1))
    assert total < 50 * bare
    assert total < most


def test_a_layout_needs_a_small_multiple_of_the_memory_of_its_json(record_property: Record) -> None:
    tracemalloc.start()
    try:
        value = json.loads(json.dumps([page(number) for number in range(1000)]))
        gc.collect()
        bare = tracemalloc.get_traced_memory()[0]
        layout = read(value, sequential_keys())
        checker = LayoutChecker()
        checker.check(layout)
        gc.collect()
        total = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    record_property("JSON of 10,000 items, MB", round(bare / 1e6, 1))
    record_property("with layout and checks, MB", round(total / 1e6, 1))
    assert total < 3 * bare


@pytest.mark.gui
@pytest.mark.timeout(300)
def test_the_event_loop_runs_while_fifty_megabytes_are_opened(
    qapp: object, tmp_path: Path, record_property: Record
) -> None:
    once = written(tmp_path / "one.json", 100).stat().st_size
    path = written(tmp_path / "layout.json", 100 * (HUGE // once + 1))

    with gc_on_this_thread():
        _count, bare = asyncio.run(stalls_during(lambda: asyncio.to_thread(count_for, 5.0)))
        pages, gaps = asyncio.run(stalls_during(lambda: pages_of(path)))
    record_property("MB", round(path.stat().st_size / 1e6))
    record_property("seconds", round(sum(gaps), 1))
    record_property("longest stall, ms", round(gaps[-1] * 1000, 1))
    record_property("longest stall while a thread counts, ms", round(bare[-1] * 1000, 1))
    record_property("99th percentile, ms", round(gaps[len(gaps) * 99 // 100] * 1000, 1))
    assert pages > 10_000
    assert gaps[len(gaps) * 99 // 100] < 0.05 + bare[-1]
    assert gaps[-1] < 0.15 + bare[-1]


async def pages_of(path: Path) -> int:
    """Open a layout file as the window does; returns the number of its pages."""
    return len((await load_study(path)).project.layout.pages)


def count_for(seconds: float) -> int:
    """Run Python code in a thread, to measure how much any such work delays the event loop."""
    end, count = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        count += 1
    return count


async def stalls_during(work: Callable[[], Awaitable[int]]) -> tuple[int, list[float]]:
    """The result of a function, and the sorted times between two ticks of the event loop meanwhile."""
    gaps: list[float] = []
    working = asyncio.ensure_future(work())
    last = time.perf_counter()
    while not working.done():
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        gaps.append(now - last)
        last = now
    return working.result(), sorted(gaps)
