"""Participant pages as the client parses them, and invalid pages."""

import json

import pytest

from batchwright.api.http.errors import NotFound, UnexpectedResponse
from batchwright.api.participant_client import (
    NoPage,
    OpenPage,
    ParticipantClient,
    SubmissionFinished,
    read_page,
)
from tests.api.requests import retries
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse, RawRequest

DATA = {
    "submission_id": "65a9f0c1d2e3f40516273849",
    "task_id": None,
    "record": None,
    "step": 0,
    "steps": 1,
    "page": 0,
    "instructions": [{"type": "free_text", "description": "</script><main data-state='finished'>"}],
}
SCRIPT = json.dumps(DATA).replace("<", "\\u003c")
PAGE = f"""<main data-state="page">
<div id="faults"><ul><li><a href="#i0">Please &amp; answer.</a></li></ul></div>
<form><ul><li>no problem</li></ul></form>
<script type="application/json" id="page-data">{SCRIPT}</script></main>"""


async def start(url: str) -> OpenPage | NoPage:
    """Start with the participation link of a study."""

    async with ParticipantClient(retries()) as pages:
        return await pages.start(f"{url}/participate/b?key=k", "51b0" + "0" * 20)


def test_a_page_is_parsed_into_state_data_and_problems() -> None:
    page = read_page(PAGE)
    assert (page.state, page.data, page.problems) == ("page", DATA, ("Please & answer.",))


@pytest.mark.parametrize(
    "html", ["", "<p>Hotel Wi-Fi</p>", '<script id="page-data">{</script>', "<main>", "<![x["]
)
def test_html_without_a_participant_page_has_no_state(html: str) -> None:
    page = read_page(html)
    assert (page.state, page.data, page.problems) == ("", None, ())


async def test_a_start_sends_the_key_and_the_participant_and_no_token() -> None:
    with EchoServer(FakeResponse(200, PAGE.encode(), {"Set-Cookie": "who=me"})) as server:
        assert isinstance(await start(server.url), OpenPage)
        (request,) = server.requests
    assert request.call == "POST /participate/b/start"
    assert b'name="key"\r\n\r\nk\r\n' in request.body
    assert b'name="participant"\r\n\r\n51b0' in request.body
    assert request.header(b"authorization") is None


async def test_redirects_are_followed_without_cookies() -> None:
    def redirect(request: RawRequest) -> FakeResponse:
        if request.line.startswith(b"POST"):
            return FakeResponse(303, b"", {"Location": "/participate/b/s", "Set-Cookie": "who=me"})
        return FakeResponse(200, PAGE.encode())

    with FailingServer([], redirect) as server:
        page = await start(server.url)
        assert isinstance(page, OpenPage)
        assert page.address == f"{server.url}/participate/b/s"
        assert [request.header(b"cookie") for request in server.arrived] == [None, None]


async def test_answers_are_sent_with_the_step_first_and_files_last() -> None:
    class File:
        name = "proof.txt"
        content_type = "text/plain"
        content = b"bytes"

    async def run(url: str) -> OpenPage | SubmissionFinished:
        page = OpenPage(f"{url}/p", "s", None, None, 3, 5, 0, ())
        async with ParticipantClient(retries()) as pages:
            return await pages.answer(page, [("i0", "a"), ("i0", "b")], [("i1", File())])

    with EchoServer(FakeResponse(200, b'<main data-state="finished">')) as server:
        assert await run(server.url) == SubmissionFinished()
        body = server.requests[0].body
    order = [body.index(part) for part in (b'name="step"\r\n\r\n3', b"\r\na\r\n", b"\r\nb\r\n", b"proof.txt")]
    assert order == sorted(order)


@pytest.mark.parametrize("state", list(NoPage))
async def test_a_start_without_a_page_returns_the_reason(state: NoPage) -> None:
    with EchoServer(FakeResponse(200, f'<main data-state="{state.value}">'.encode())) as server:
        assert await start(server.url) is state


@pytest.mark.parametrize(
    "reply",
    [
        FakeResponse(303, b"", {"Location": "https://elsewhere.example.org/"}),
        FakeResponse(303, b"", {"Location": "mailto:me@a.example"}),
        FakeResponse(303, b"", {"Location": "http://xn--/"}),
        FakeResponse(303, b"", {"Location": "//1[@//x"}),
        FakeResponse(303, b"", {"Location": "/round-and-round"}),
        FakeResponse(302, b"", {"Location": "/participate/b/s"}),
        FakeResponse(200, b"<p>Hotel Wi-Fi</p>"),
        FakeResponse(200, b'<main data-state="page">'),
        FakeResponse(200, b'<main data-state="finished">'),
        FakeResponse(200, b'<main data-state="page"><script id="page-data">{"step": "0"}</script>'),
    ],
)
async def test_a_response_that_is_not_a_participant_page_is_unexpected(reply: FakeResponse) -> None:
    with EchoServer(reply) as server, pytest.raises(UnexpectedResponse):
        await start(server.url)


async def test_an_unknown_link_is_not_found() -> None:
    with EchoServer(FakeResponse(404, b'<main data-state="unknown">')) as server, pytest.raises(NotFound):
        await start(server.url)


@pytest.mark.parametrize(
    "stumble", [ServerFailure.RESET_BEFORE, ServerFailure.RESET_AFTER, ServerFailure.CUT]
)
async def test_a_start_whose_response_was_lost_is_repeated(stumble: ServerFailure) -> None:
    with FailingServer([stumble], lambda _request: FakeResponse(200, PAGE.encode())) as server:
        assert isinstance(await start(server.url), OpenPage)
