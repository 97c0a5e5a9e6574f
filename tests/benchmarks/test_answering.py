"""How fast participants' answers are stored durably, and how fast a page loads.

Storing waits for the disk, and loading for the browser, so both are measured by the clock.
"""

import os
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import repeat
from pathlib import Path
from statistics import mean, median
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.bare_loop import loop_seconds
from tests.figures import CheckFigure
from tests.service.api_helpers import QUESTION, jsonl, page
from tests.service.kill_helpers import ServiceRun, rows_in, service_run

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

CHROMIUM = Path("/usr/bin/chromium")
PEOPLE = 4
PAGES_EACH = 600
COMMITS = 2000
BARE_NUMBERS = 30_000
"""How many numbers a bare loop adds up in the time in which a form is parsed, checked and answered.

On a disk that commits a row in 0.2 ms, that is most of the time of an answer.
"""
LARGEST_PAGE = 100_000
"""Maximum bytes of a page with everything that it loads."""

EMPTY_PAGE = "data:text/html,<p>Empty"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceRun]:
    """A service for one test."""
    with service_run(tmp_path / "data") as started:
        yield started


def test_answers_are_stored_durably(service: ServiceRun, tmp_path: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        link = study(service, tasks=PEOPLE * PAGES_EACH, tasks_per_group=PAGES_EACH)
        before = rows_in(service.folder, "response")
        bare = [bare_answer(tmp_path / f"before {before}.db")]
        started = time.perf_counter()
        with ProcessPoolExecutor(PEOPLE) as people:
            list(people.map(answer_group, repeat(link, PEOPLE), range(PEOPLE)))
        seconds = time.perf_counter() - started
        assert rows_in(service.folder, "response") - before == PEOPLE * PAGES_EACH
        bare.append(bare_answer(tmp_path / f"after {before}.db"))
        return seconds / (PEOPLE * PAGES_EACH), mean(bare)

    figure("storing an answer, to a commit and a bare loop", measure, 2, runs=3)


def answer_group(link: str, person: int) -> None:
    """Answer every page of a group.

    Uses bare sockets, because otherwise the cost of the client would dominate.
    """
    url_parts = urlsplit(link)
    with socket.create_connection((url_parts.hostname, url_parts.port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        start = {"key": url_parts.query.partition("key=")[2], "participant": f"{person:024x}"}
        url_path = post(connection, f"{url_parts.path}/start", start)
        for step in range(PAGES_EACH):
            fields = {"step": str(step), "page": "0", "i0": f"The answer to page {step}."}
            post(connection, url_path, fields)


def post(connection: socket.socket, path: str, fields: dict[str, str]) -> str:
    """Post a form; returns the path of the redirect."""
    body = urlencode(fields).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{connection.getpeername()[1]}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall(head.encode() + body)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 303"), answer
    location = re.search(rb"location: (\S+)", answer, re.IGNORECASE)
    assert location
    return urlsplit(location[1].decode()).path


def bare_answer(path: Path) -> float:
    """The seconds of a commit of one row to the disk, with SQLite alone, and of a bare loop."""
    loop = min(loop_seconds(time.perf_counter, BARE_NUMBERS) for _run in range(5))
    return bare_commit(path) + loop


def bare_commit(path: Path) -> float:
    """The seconds of a commit of one row to the disk, with SQLite alone."""
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = FULL")
        store.execute("CREATE TABLE response (number INTEGER PRIMARY KEY, answer TEXT)")
        started = time.perf_counter()
        for number in range(COMMITS):
            store.execute("INSERT INTO response VALUES (?, ?)", (number, "The answer to a page."))
        return (time.perf_counter() - started) / COMMITS


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed")
def test_a_page_is_small_and_loads_fast(service: ServiceRun, figure: CheckFigure) -> None:
    link = study(service, tasks=1, tasks_per_group=1)
    place = urlsplit(link)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        start = {"key": place.query.partition("key=")[2], "participant": "a" * 24}
        address = urljoin(link, post(connection, f"{place.path}/start", start))
    with sync_playwright() as playwright:
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=alone)

        def measure() -> tuple[float, float]:
            visits = [(visit(browser, address), visit(browser, EMPTY_PAGE)) for _each in range(10)]
            assert max(page["size"] for page, _empty in visits) <= LARGEST_PAGE
            page, empty = (median(visit["ready"] for visit in column) for column in zip(*visits, strict=True))
            return page / 1000, empty / 1000

        figure("first visit of a page, to an empty one", measure, 20)
        browser.close()


def visit(browser: Browser, address: str) -> dict[str, float]:
    """What a page costs a first-time visitor; `ready` is in ms."""
    with browser.new_context() as fresh:
        tab = fresh.new_page()
        tab.goto(address, wait_until="load")
        cost: dict[str, float] = tab.evaluate(
            """() => {
                const [page] = performance.getEntriesByType("navigation")
                const fetched = [page, ...performance.getEntriesByType("resource")]
                const size = fetched.reduce((sum, entry) => sum + entry.decodedBodySize, 0)
                return { ready: page.loadEventEnd, size }
            }"""
        )
        return cost


def study(service: ServiceRun, tasks: int, tasks_per_group: int) -> str:
    """Create a batch with one question per page; returns its participation link."""
    researcher = service.researcher
    dataset = str(researcher.dataset()["id"])
    prompts = jsonl(*({"prompt": f"Prompt {number}"} for number in range(tasks)))
    assert researcher.imported(dataset, "prompts.jsonl", prompts)["status"] == "complete"
    shown = {"type": "dataset_field", "field": "prompt"}
    batch = researcher.batch(dataset_id=dataset, batch_items=[page(shown, QUESTION)])["id"]
    researcher.set_up(batch, tasks_per_group=tasks_per_group)
    return str(researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"])
