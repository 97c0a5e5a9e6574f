"""How fast participants' answers are stored durably, and how fast a page loads.

The figures are recorded as properties of the tests; assertions concern ratios within one run, and sizes.
"""

import os
import re
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import repeat
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.service_work import quantile
from tests.service.api_helpers import QUESTION, jsonl, page
from tests.service.kill_helpers import ServiceRun, rows_in, service_run

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

CHROMIUM = Path("/usr/bin/chromium")
PEOPLE = 4
PAGES_EACH = 600
LARGEST_PAGE = 100_000
"""Maximum bytes of a page with everything that it loads."""

Record = Callable[[str, object], None]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceRun]:
    """A service for one test."""
    with service_run(tmp_path / "data") as started:
        yield started


def test_answers_are_stored_durably(service: ServiceRun, tmp_path: Path, record_property: Record) -> None:
    link = study(service, tasks=PEOPLE * PAGES_EACH, tasks_per_group=PAGES_EACH)
    started = time.perf_counter()
    with ProcessPoolExecutor(PEOPLE) as people:
        times = [
            duration
            for group in people.map(answer_group, repeat(link, PEOPLE), range(PEOPLE))
            for duration in group
        ]
    seconds = time.perf_counter() - started
    assert rows_in(service.folder, "response") == PEOPLE * PAGES_EACH
    record_property("answers a second", round(len(times) / seconds))
    record_property("median, ms", round(1000 * quantile(times, 0.5), 1))
    record_property("p95, ms", round(1000 * quantile(times, 0.95), 1))
    record_property("bare commits a second", round(1 / bare_commit(tmp_path / "bare.db")))


def answer_group(link: str, person: int) -> list[float]:
    """Answer every page of a group; returns the seconds per answer.

    Uses bare sockets, because otherwise the cost of the client would dominate.
    """
    url_parts = urlsplit(link)
    with socket.create_connection((url_parts.hostname, url_parts.port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        start = {"key": url_parts.query.partition("key=")[2], "participant": f"{person:024x}"}
        url_path = post(connection, f"{url_parts.path}/start", start)
        return [answer_page(connection, url_path, step) for step in range(PAGES_EACH)]


def answer_page(connection: socket.socket, path: str, step: int) -> float:
    """Answer a page; returns the seconds it took."""
    started = time.perf_counter()
    post(connection, path, {"step": str(step), "i0": f"The answer to page {step}."})
    return time.perf_counter() - started


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


def bare_commit(path: Path) -> float:
    """The seconds needed to commit one row to the disk with SQLite alone."""
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = FULL")
        store.execute("CREATE TABLE response (number INTEGER PRIMARY KEY, answer TEXT)")
        started = time.perf_counter()
        for number in range(1000):
            store.execute("INSERT INTO response VALUES (?, ?)", (number, "The answer to a page."))
        return (time.perf_counter() - started) / 1000


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed")
def test_a_page_is_small_and_loads_fast(service: ServiceRun, record_property: Record) -> None:
    link = study(service, tasks=1, tasks_per_group=1)
    place = urlsplit(link)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        start = {"key": place.query.partition("key=")[2], "participant": "a" * 24}
        address = urljoin(link, post(connection, f"{place.path}/start", start))
    with sync_playwright() as playwright:
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=alone)
        visits = [visit(browser, address) for _each in range(20)]
        browser.close()
    times, sizes = (
        [page_visit["ready"] for page_visit in visits],
        [page_visit["size"] for page_visit in visits],
    )
    record_property("ready, median of 20 first visits, ms", round(quantile(times, 0.5)))
    record_property("bytes, with all that it fetches", max(sizes))
    assert max(sizes) <= LARGEST_PAGE


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
