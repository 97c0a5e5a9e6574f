"""How long heavy input delays others: the window's event loop, and other requests."""

import http.client
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from batchwright.base.json_values import Json
from batchwright.base.limits import LARGEST_BODY, LONGEST_RICH_TEXT, MAX_ITEMS, MIB
from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme.style import install
from tests.benchmarks.bare_loop import loop_seconds
from tests.desktop.window_process import WindowDriver
from tests.figures import CheckFigure
from tests.service.api_helpers import QUESTION, page
from tests.service.kill_helpers import ServiceRun, service_run

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

TIMES_USUAL = 10
"""Maximum time relative to opening a page with one item, 5 ms: about 50 ms."""
TIMES_SHORT = 3
"""Maximum time with texts of a million characters relative to short ones; it was 6 for the preview."""
WAIT_LOOPS = 160
"""How many bare loops another request may wait."""
LEAST_S = 1.0
"""Minimum seconds of each measurement."""

CHOICE: dict[str, Json] = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 1,
    "options": [{"label": "Yes", "value": "yes"}, {"label": "No", "value": "no"}],
}

MISTYPED: dict[str, Json] = {**CHOICE, "type": "multiple_chioce"}


def rich_text(content: str, written_as: str = "markdown") -> dict[str, Json]:
    """A rich text item."""
    return {"type": "rich_text", "content": content, "content_format": written_as}


def rows(count: int) -> dict[str, Json]:
    """A page with a choice in each of this number of rows."""
    return {"rows": [{"columns": [{"items": [CHOICE]}]}] * count}


WIDE_TABLE = "\n".join(["|" + "a|" * 300, "|" + "-|" * 300, *["|" + "b|" * 300] * 20])
PAGES: dict[str, Json] = {
    "200 items below each other": page(*[CHOICE] * 200),
    "200 rows": rows(200),
    "3,000 items": page(*[CHOICE] * 3000),
    "nested quotes": page(rich_text("> " * 40 + "x")),
    "a wide table": page(rich_text(WIDE_TABLE)),
    "3 MB of one word": page(rich_text("w" * 3_000_000)),
}


LONG = "語" * 1_000_000
"""A text of a million letters, each of which is a place to break the line: the slowest to lay out."""


def pages_with(text: str) -> list[Json]:
    """A page for each part of an item that can have a long text."""

    def choice(type: str, **option: str) -> Json:
        options: list[Json] = [{"label": "Yes", "value": "yes", "heading": "Why?", **option}]
        options.append({"label": "No", "value": "no", "heading": "Why?"})
        return page({**CHOICE, "type": type, "options": options})

    return [
        page({**QUESTION, "description": text}),
        page({**QUESTION, "helper_text": text}),
        choice("multiple_choice", label=text),
        choice("multiple_choice_with_free_text", label=text),
        choice("multiple_choice_with_free_text", heading=text),
        page({"type": "image", "url": "https://a.example/b.png", "caption": text}),
        page(rich_text(text)),
    ]


SHORT_S = 0.4
"""Seconds of each measurement of a single reaction."""


@pytest.fixture
def long_texts(qapp: QApplication, tmp_path: Path) -> Iterator[WindowDriver]:
    """A window with pages of short texts, and with pages of a text of a million characters each."""
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    layout: Layout = read([*pages_with("Why?"), *pages_with(LONG)], sequential_keys())
    opened = WindowDriver(layout, tmp_path)
    longest_iteration(LEAST_S)
    yield opened
    opened.end()
    longest_iteration(LEAST_S)


@pytest.fixture
def window(qapp: QApplication, tmp_path: Path) -> Iterator[WindowDriver]:
    """A window with a short page and the heavy ones."""
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    layout: Layout = read([page(QUESTION), *PAGES.values(), page(QUESTION)], sequential_keys())
    opened = WindowDriver(layout, tmp_path)
    longest_iteration(LEAST_S)
    yield opened
    opened.end()
    longest_iteration(LEAST_S)


def longest_iteration(seconds: float) -> float:
    """The longest iteration of the event loop, in seconds of CPU time."""
    longest, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        started = time.thread_time()
        QApplication.processEvents()
        longest = max(longest, time.thread_time() - started)
        time.sleep(0.001)
    return longest


@pytest.mark.gui
@pytest.mark.parametrize("name", PAGES)
def test_no_page_blocks_the_window(window: WindowDriver, figure: CheckFigure, name: str) -> None:
    heavy, last = 1 + list(PAGES).index(name), 1 + len(PAGES)

    def opening() -> tuple[float, float]:
        usual = min(iteration_after_turning(window, last), iteration_after_turning(window, 0))
        return iteration_after_turning(window, heavy), usual

    def leaving() -> tuple[float, float]:
        iteration_after_turning(window, heavy)
        left = iteration_after_turning(window, 0)
        return left, min(iteration_after_turning(window, last), iteration_after_turning(window, 0))

    figure(f"longest stall, opening {name}, to a page with one item", opening, TIMES_USUAL)
    figure(f"longest stall, leaving {name}, to a page with one item", leaving, TIMES_USUAL)


def iteration_after_turning(window: WindowDriver, number: int) -> float:
    """The longest iteration of the event loop after another page is selected."""
    window.show_page(number)
    return longest_iteration(LEAST_S)


def shown_item(window: WindowDriver) -> Item:
    """The only item of the shown page."""
    number = window.page()
    assert number is not None
    shown = Layout((window.stage.state.layout.pages[number],))
    return next(node for _path, node in shown.walk() if isinstance(node, Item))


def select_item(window: WindowDriver) -> float:
    """The longest iteration when the item of the page is selected and its form is shown."""
    item = shown_item(window)
    return longest_after(lambda: window.select(item.key))


def show_preview(window: WindowDriver) -> float:
    """The longest iteration when the preview of the page is shown."""
    stall = longest_after(window.stage.show_preview)
    longest_after(window.stage.close_preview)
    return stall


@pytest.mark.gui
@pytest.mark.parametrize(
    ("name", "reaction"),
    [("selecting an item", select_item), ("a preview", show_preview)],
)
def test_no_text_of_a_million_characters_blocks_the_window(
    long_texts: WindowDriver,
    figure: CheckFigure,
    name: str,
    reaction: Callable[[WindowDriver], float],
) -> None:
    def longest(pages: range) -> float:
        return max(on_page(number) for number in pages)

    def on_page(number: int) -> float:
        long_texts.show_page(number)
        long_texts.select()
        longest_iteration(SHORT_S)
        return reaction(long_texts)

    count = len(pages_with(""))

    def measured() -> tuple[float, float]:
        usual = longest(range(count))
        return longest(range(count, 2 * count)), usual

    figure(f"longest stall, {name} with a text of 1 MB, to short texts", measured, TIMES_SHORT)


def longest_after(action: Callable[[], object]) -> float:
    """The longest iteration of the event loop from an action on, in seconds of CPU time."""
    QTimer.singleShot(0, action)
    return longest_iteration(SHORT_S)


def layout_body(*pages: Json) -> bytes:
    """The body of a request that sets the layout of a batch."""
    return json.dumps({"batch_items": pages}).encode()


BODIES: dict[str, Callable[[], bytes]] = {
    "an error at the end of a large body": lambda: (
        b'{"name": "' + b"a" * (LARGEST_BODY - MIB) + b'", "x": NaN}'
    ),
    "many values and an error at the end": lambda: b"[" + b"1," * 990_000 + b"NaN]",
    "as many items as there may be": lambda: layout_body(page(*[CHOICE] * MAX_ITEMS)),
    "as many mistyped items": lambda: layout_body(page(*[MISTYPED] * MAX_ITEMS)),
    "nested emphasis": lambda: layout_body(page(*[rich_text("*a " * (LONGEST_RICH_TEXT // 3 - 1))] * 20)),
}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceRun]:
    """A service for one test."""
    with service_run(tmp_path / "data") as started:
        yield started


def send(service: ServiceRun, method: str, path: str, body: bytes = b"") -> int:
    """Send a request; returns the status of the response."""
    place = urlsplit(service.running.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=600)
    headers = {"Authorization": f"Token {service.running.token}", "Content-Type": "application/json"}
    connection.request(method, f"/api/v1{path}", body, headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def longest_wait(service: ServiceRun, is_running: Callable[[], bool]) -> float:
    """The longest that a light request waits, for at least a second and while `is_running` returns True."""
    longest, end = 0.0, time.perf_counter() + LEAST_S
    while is_running() or time.perf_counter() < end:
        started = time.perf_counter()
        assert send(service, "GET", "/users/me/") == 200
        longest = max(longest, time.perf_counter() - started)
    return longest


@pytest.mark.parametrize("name", BODIES)
def test_no_body_delays_another_request(service: ServiceRun, figure: CheckFigure, name: str) -> None:
    body = BODIES[name]()
    path = f"/data-collection/batches/{service.researcher.batch()['id']}"

    def measure() -> tuple[float, float]:
        heavy = threading.Thread(target=send, args=(service, "PATCH", path, body))
        heavy.start()
        wait = longest_wait(service, heavy.is_alive)
        heavy.join()
        return wait, min(loop_seconds(time.perf_counter) for _run in range(5))

    figure(f"wait beside {name}, to a bare loop", measure, WAIT_LOOPS)
