"""A pytest plugin that records which endpoints of the service the window reaches.

A test that uses the window's own controls names the endpoints it reaches by their operation ids:
`@pytest.mark.endpoint("batches.update", "batches.get")`. It fails unless a task of the window sent them all;
requests that the test sends itself do not count. `--endpoint-report` lists every endpoint of the
specification with the first test that reached it, and prefers tests that name it.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest

from batchwright.service.server.routes import API_ROUTES, STORAGE_ROUTES
from batchwright.ui.core.background_tasks import Tasks

REACHED: Final = "endpoint reached"
"""The user property of a test report with the id of an endpoint; xdist passes it on from its workers."""
NAMED: Final = "endpoint named"
"""The same, for the endpoints that the test names."""

_PARAMETER = re.compile(r"\{(\w+)(:\w+)?\}")
_IS_WINDOW: ContextVar[bool] = ContextVar("is_window", default=False)
"""Whether the current task was started by the window; tasks inherit it from the one that starts them."""


@dataclass(frozen=True)
class Endpoint:
    """An endpoint of the specification; its id is the `operationId` in the OpenAPI description."""

    id: str
    method: str
    path: str

    def matches(self, request: httpx.Request) -> bool:
        """Whether a request is for this endpoint."""
        return request.method == self.method and bool(self._pattern.fullmatch(_path(request)))

    @property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(_PARAMETER.sub("[^/]+", self.path) + "/?")

    def __str__(self) -> str:
        path = _PARAMETER.sub(r"{\1}", self.path)
        return f"{self.method} {path}"


def _path(request: httpx.Request) -> str:
    return request.url.raw_path.decode("ascii").partition("?")[0]


BEYOND_SPECIFICATION: Final = frozenset({"tasks.tasks", "tasks.task_groups"})
"""The public endpoints that only the wire reference lists (section 12)."""

ENDPOINTS: Final = (
    *(
        Endpoint(row.operation_id, row.method, row.path)
        for row in API_ROUTES
        if row.path.startswith("/api/") and row.operation_id not in BEYOND_SPECIFICATION
    ),
    *(
        Endpoint(f"storage.{route.endpoint.__name__}", method, route.path)
        for route in STORAGE_ROUTES
        for method in (route.methods or set()) - {"HEAD"}
    ),
)
"""The endpoints of the specification, and those that stand for its pre-signed URLs."""


class EndpointReport:
    """Collects the endpoints that the passed tests of one run have reached."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, list[str]]] = {NAMED: {}, REACHED: {}}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            for name, value in report.user_properties:
                if name in self.tests:
                    self.tests[name].setdefault(str(value), []).append(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("endpoints reached by the window")
        first = {name: {id: min(tests) for id, tests in ids.items()} for name, ids in self.tests.items()}
        for line in lines(first[REACHED] | first[NAMED]):
            terminalreporter.write_line(line)


def lines(first_test: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the report, one for each endpoint, from the first test by the id of the endpoint."""
    width = max(len(str(endpoint)) for endpoint in ENDPOINTS)
    yield f"{len(first_test)} of {len(ENDPOINTS)} reached"
    for endpoint in ENDPOINTS:
        yield f"{endpoint!s:{width}}  {first_test.get(endpoint.id, 'not reached')}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--endpoint-report",
        action="store_true",
        help="list the endpoints of the specification with the first test that reaches each in the window",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--endpoint-report"):
        config.pluginmanager.register(EndpointReport(), "endpoint-report")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if unknown := named_endpoints(item) - {endpoint.id for endpoint in ENDPOINTS}:
        pytest.fail(f"there is no endpoint {', '.join(sorted(unknown))}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    named = named_endpoints(item)
    if not named and not item.config.getoption("--endpoint-report"):
        return (yield)
    with window_requests() as requests:
        result = yield
    reached = endpoints_of(requests)
    item.user_properties += [(REACHED, id) for id in sorted(reached)]
    item.user_properties += [(NAMED, id) for id in sorted(named)]
    if named - reached:
        pytest.fail(f"the window has not reached {', '.join(sorted(named - reached))}", pytrace=False)
    return result


def named_endpoints(item: pytest.Item) -> set[str]:
    """The ids of the endpoints that a test names."""
    return {id for mark in item.iter_markers("endpoint") for id in mark.args}


def endpoints_of(requests: Iterable[httpx.Request]) -> set[str]:
    """The ids of the endpoints that requests are for."""
    return {endpoint.id for request in requests for endpoint in ENDPOINTS if endpoint.matches(request)}


@contextmanager
def window_requests() -> Iterator[list[httpx.Request]]:
    """Record the requests that tasks of the window send, and the tasks and threads started by them."""
    requests = list[httpx.Request]()
    start, send = Tasks.start, httpx.AsyncClient.send

    def start_marked(tasks: Tasks, name: str, work: Callable[[], Awaitable[object]]) -> None:
        token = _IS_WINDOW.set(True)
        try:
            start(tasks, name, work)
        finally:
            _IS_WINDOW.reset(token)

    async def send_recorded(
        client: httpx.AsyncClient, request: httpx.Request, **options: Any
    ) -> httpx.Response:
        if _IS_WINDOW.get():
            requests.append(request)
        return await send(client, request, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tasks, "start", start_marked)
        patch.setattr(httpx.AsyncClient, "send", send_recorded)
        yield requests
