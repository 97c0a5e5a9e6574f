"""How fast a long layout opens, how much memory it needs, and how little it blocks."""

import asyncio
import gc
import json
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.study_files.study_file import read_study
from batchwright.ui.core.interpreter import gc_on_this_thread
from batchwright.ui.study.file.save import load_study
from tests.benchmarks.test_rules import page, quickest
from tests.figures import CheckFigure

HUGE = 50 * 1024 * 1024
"""Bytes of an unrealistically large layout file that must open nevertheless."""


def written(path: Path, pages: int) -> Path:
    path.write_text(json.dumps([page(number) for number in range(pages)]), encoding="utf-8")
    return path


@pytest.mark.quick
@pytest.mark.parametrize("items", [1000, 10_000])
def test_opening_a_layout_takes_a_small_multiple_of_parsing_its_json(
    items: int, tmp_path: Path, figure: CheckFigure
) -> None:
    path = written(tmp_path / "layout.json", items // 10)

    def open_it() -> None:
        project, _file = read_study(path)
        LayoutChecker().check(project.layout)

    def measure() -> tuple[float, float]:
        return quickest(open_it, 3), quickest(lambda: json.loads(path.read_bytes()), 15)

    figure(f"opening {items:,} items, to parsing their JSON", measure, 50)


@pytest.mark.long
def test_a_layout_needs_a_small_multiple_of_the_memory_of_its_json(figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        tracemalloc.start()
        try:
            value = json.loads(json.dumps([page(number) for number in range(1000)]))
            gc.collect()
            bare = tracemalloc.get_traced_memory()[0]
            layout = read(value, sequential_keys())
            checker = LayoutChecker()
            checker.check(layout)
            gc.collect()
            return tracemalloc.get_traced_memory()[0], bare
        finally:
            tracemalloc.stop()

    figure("memory of 10,000 items, to that of their JSON", measure, 3, runs=1, unit="B")


@pytest.mark.long
@pytest.mark.gui
@pytest.mark.timeout(900)
def test_the_event_loop_runs_while_fifty_megabytes_are_opened(
    qapp: object, tmp_path: Path, figure: CheckFigure
) -> None:
    once = written(tmp_path / "one.json", 100).stat().st_size
    path = written(tmp_path / "layout.json", 100 * (HUGE // once + 1))

    def measure() -> tuple[float, float]:
        with gc_on_this_thread():
            _count, bare = asyncio.run(stalls_during(lambda: asyncio.to_thread(count_for, 5.0)))
            pages, gaps = asyncio.run(stalls_during(lambda: pages_of(path)))
        assert pages > 10_000
        return gaps[len(gaps) * 99 // 100], bare[len(bare) * 99 // 100]

    figure("waiting while 50 MB are opened, to while a thread counts", measure, 5, runs=3)


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
