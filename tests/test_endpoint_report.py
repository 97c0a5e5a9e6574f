"""Window tests reach every endpoint of the specification, and the report of them is correct."""

import re
from pathlib import Path

import httpx
import pytest

from tests import endpoint_report
from tests.endpoint_report import BEYOND_SPECIFICATION, ENDPOINTS

TESTS = Path(__file__).parent
_NAMED = re.compile(r"@pytest\.mark\.endpoint\(([^)]*)\)")

SAMPLE = """
    import asyncio

    import httpx
    import pytest

    from batchwright.ui.core.background_tasks import Tasks

    async def flow(path: str, own_path: str) -> None:
        '''Send a request as a task of the window, and another one as the test.'''
        transport = httpx.MockTransport(lambda request: httpx.Response(200))
        async with httpx.AsyncClient(base_url="http://localhost", transport=transport) as client:
            tasks = Tasks(lambda error: error)
            tasks.start("request", lambda: asyncio.create_task(client.get(path)))
            while tasks.running:
                await asyncio.sleep(0)
            await client.get(own_path)

    ME, BATCHES = "/api/v1/users/me/", "/api/v1/data-collection/batches?workspace_id=w"

    @pytest.mark.endpoint("account.me")
    def test_that_reaches_it() -> None:
        asyncio.run(flow(ME, BATCHES))

    @pytest.mark.endpoint("account.me")
    def test_that_reaches_it_only_itself() -> None:
        asyncio.run(flow(BATCHES, ME))

    @pytest.mark.endpoint("account.you")
    def test_of_an_unknown_endpoint() -> None:
        ...

    def test_that_names_none() -> None:
        asyncio.run(flow("/api/v1/data-collection/batches/b1/status", ME))
"""


def test_window_tests_name_every_endpoint() -> None:
    sources = (
        path.read_text("utf-8") for folder in ("ui", "flows") for path in (TESTS / folder).rglob("*.py")
    )
    named = {id for source in sources for ids in _NAMED.findall(source) for id in re.findall(r'"(.+?)"', ids)}
    assert named == {endpoint.id for endpoint in ENDPOINTS}


def test_every_endpoint_is_listed_once() -> None:
    ids = [endpoint.id for endpoint in ENDPOINTS]
    assert len(set(ids)) == len(ids)
    assert not BEYOND_SPECIFICATION & set(ids)


def test_only_requests_of_the_window_count(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers = endpoint(*ids)\n")
    pytester.syspathinsert(TESTS.parent)
    pytester.makepyfile(SAMPLE)
    result = pytester.runpytest("-p", "tests.endpoint_report", "--endpoint-report")
    result.assert_outcomes(passed=2, failed=1, errors=1)
    result.stdout.fnmatch_lines(
        ["*there is no endpoint account.you", "*the window has not reached account.me"]
    )
    result.stdout.fnmatch_lines(
        [
            f"2 of {len(ENDPOINTS)} reached",
            "GET /api/v1/users/me * test_*.py::test_that_reaches_it",
            "POST /api/v1/researchers/participants * not reached",
            "GET */batches/{batch_id}/status * test_*.py::test_that_names_none",
        ]
    )


@pytest.mark.parametrize(
    ("path", "id"),
    [
        ("/api/v1/data-collection/batches/b/export", ""),
        ("/api/v1/data-collection/batches/b/export/e", "exports.get"),
        ("/api/v1/data-collection/batches/b/report/", "responses.report"),
        ("/api/v1/submissions/signals/upload-url/a%20b.csv?workspace_id=w", "feedback.upload_url"),
        ("/storage/exports/e/a.zip?signature=s", "storage.get_export"),
        ("/local/v1/batches/b/progress", ""),
    ],
)
def test_a_request_is_for_one_endpoint_at_most(path: str, id: str) -> None:
    request = httpx.Request("GET", f"http://localhost{path}")
    assert endpoint_report.endpoints_of([request]) == ({id} if id else set())
