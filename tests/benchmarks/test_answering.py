"""How quickly answers of participants are stored durably, and how quickly a page is there (design.md 10).

The figures are kept as properties of the tests; what is asserted are ratios within one run, and sizes.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from itertools import repeat
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.service_work import connection_to, quantile
from tests.service.lives import Life, life, rows_in
from tests.service.researcher import QUESTION, jsonl, page

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

CHROMIUM = Path("/usr/bin/chromium")
PEOPLE = 4
PAGES_EACH = 600
LARGEST_PAGE = 100_000
"""Bytes, of a page with everything that it fetches."""

Record = Callable[[str, object], None]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Life]:
    """A service of its own."""
    with life(tmp_path / "data") as started:
        yield started


def test_answers_are_stored_durably(service: Life, tmp_path: Path, record_property: Record) -> None:
    link = study(service, tasks=PEOPLE * PAGES_EACH, tasks_per_group=PAGES_EACH)
    began = time.perf_counter()
    with ProcessPoolExecutor(PEOPLE) as people:
        times = [
            one for each in people.map(answer_group, repeat(link, PEOPLE), range(PEOPLE)) for one in each
        ]
    seconds = time.perf_counter() - began
    assert rows_in(service.folder, "response") == PEOPLE * PAGES_EACH
    record_property("answers a second", round(len(times) / seconds))
    record_property("median, ms", round(1000 * quantile(times, 0.5), 1))
    record_property("p95, ms", round(1000 * quantile(times, 0.95), 1))
    record_property("bare commits a second", round(1 / bare_commit(tmp_path / "bare.db")))


def answer_group(link: str, person: int) -> list[float]:
    """Answer every page of a group without looking at it; the seconds that each answer took."""
    place = urlsplit(link)
    with closing(connection_to(link)) as connection:
        key = place.query.partition("key=")[2]
        started = post(connection, f"{place.path}/start", {"key": key, "participant": f"{person:024x}"})
        return [answer_page(connection, urlsplit(started).path, step) for step in range(PAGES_EACH)]


def answer_page(connection: HTTPConnection, path: str, step: int) -> float:
    """The seconds that one answer took."""
    began = time.perf_counter()
    post(connection, path, {"step": str(step), "i0": f"The answer to page {step}."})
    return time.perf_counter() - began


def post(connection: HTTPConnection, path: str, fields: dict[str, str]) -> str:
    """A form sent; where it leads to."""
    connection.request("POST", path, urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 303, answer.status
    return answer.headers["Location"]


def bare_commit(path: Path) -> float:
    """The seconds that one row takes to be on the disk, with nothing around it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = FULL")
        store.execute("CREATE TABLE response (number INTEGER PRIMARY KEY, answer TEXT)")
        began = time.perf_counter()
        for number in range(1000):
            store.execute("INSERT INTO response VALUES (?, ?)", (number, "The answer to a page."))
        return (time.perf_counter() - began) / 1000


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed")
def test_a_page_is_small_and_soon_there(service: Life, record_property: Record) -> None:
    link = study(service, tasks=1, tasks_per_group=1)
    place = urlsplit(link)
    with closing(connection_to(link)) as connection:
        start = {"key": place.query.partition("key=")[2], "participant": "a" * 24}
        address = urljoin(link, post(connection, f"{place.path}/start", start))
    with sync_playwright() as playwright:
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=alone)
        seen = [visit(browser, address) for _each in range(20)]
        browser.close()
    times, sizes = [one["ready"] for one in seen], [one["size"] for one in seen]
    record_property("ready, median of 20 first visits, ms", round(quantile(times, 0.5)))
    record_property("bytes, with all that it fetches", max(sizes))
    assert max(sizes) <= LARGEST_PAGE


def visit(browser: Browser, address: str) -> dict[str, float]:
    """What a page costs somebody who has never been there; `ready` is in ms."""
    with browser.new_context() as fresh:
        tab = fresh.new_page()
        tab.goto(address, wait_until="load")
        cost: dict[str, float] = tab.evaluate(
            """() => {
                const [page] = performance.getEntriesByType("navigation")
                const fetched = [page, ...performance.getEntriesByType("resource")]
                const size = fetched.reduce((sum, one) => sum + one.decodedBodySize, 0)
                return { ready: page.loadEventEnd, size }
            }"""
        )
        return cost


def study(service: Life, tasks: int, tasks_per_group: int) -> str:
    """A batch with one question a page; the link that its participants open."""
    researcher = service.researcher
    dataset = str(researcher.dataset()["id"])
    prompts = jsonl(*({"prompt": f"Prompt {number}"} for number in range(tasks)))
    assert researcher.imported(dataset, "prompts.jsonl", prompts)["status"] == "complete"
    shown = {"type": "dataset_field", "field": "prompt"}
    batch = researcher.batch(dataset_id=dataset, batch_items=[page(shown, QUESTION)])["id"]
    researcher.set_up(batch, tasks_per_group=tasks_per_group)
    return str(researcher.ask("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"])
