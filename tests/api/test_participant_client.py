"""Participant pages as the client parses them, and invalid pages."""

import asyncio
import json

import pytest

from batchwright.api.errors import NotFound, UnexpectedResponse
from batchwright.api.participant_client import (
    NoPage,
    OpenPage,
    ParticipantClient,
    SubmissionFinished,
    read_page,
)
from tests.api.requests import retries
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import RawRequest, Reply
from tests.fakes.stumbling_server import Stumble, StumblingServer

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
<form><ul><li>no fault</li></ul></form>
<script type="application/json" id="page-data">{SCRIPT}</script></main>"""


def begin(url: str) -> OpenPage | NoPage:
    """Start with the link of a study."""

    async def starting() -> OpenPage | NoPage:
        async with ParticipantClient(retries()) as pages:
            return await pages.start(f"{url}/participate/b?key=k", "51b0" + "0" * 20)

    return asyncio.run(starting())


def test_a_page_says_its_state_what_it_asks_and_what_is_wrong() -> None:
    page = read_page(PAGE)
    assert (page.state, page.data, page.problems) == ("page", DATA, ("Please & answer.",))


@pytest.mark.parametrize(
    "html", ["", "<p>Hotel Wi-Fi</p>", '<script id="page-data">{</script>', "<main>", "<![x["]
)
def test_what_is_no_participant_page_says_nothing(html: str) -> None:
    page = read_page(html)
    assert (page.state, page.data, page.problems) == ("", None, ())


def test_starting_sends_key_and_participant_and_no_one_else_is_named() -> None:
    with EchoServer(Reply(200, PAGE.encode(), {"Set-Cookie": "who=me"})) as server:
        assert isinstance(begin(server.url), OpenPage)
        (request,) = server.requests
    assert request.call == "POST /participate/b/start"
    assert b'name="key"\r\n\r\nk\r\n' in request.body
    assert b'name="participant"\r\n\r\n51b0' in request.body
    assert request.header(b"authorization") is None


def test_the_way_on_is_followed_without_cookies() -> None:
    def lead(request: RawRequest) -> Reply:
        if request.line.startswith(b"POST"):
            return Reply(303, b"", {"Location": "/participate/b/s", "Set-Cookie": "who=me"})
        return Reply(200, PAGE.encode())

    with StumblingServer([], lead) as server:
        step = begin(server.url)
        assert isinstance(step, OpenPage)
        assert step.address == f"{server.url}/participate/b/s"
        assert [request.header(b"cookie") for request in server.arrived] == [None, None]


def test_a_page_of_answers_is_sent_with_its_step_first_and_files_last() -> None:
    class File:
        name = "proof.txt"
        content_type = "text/plain"
        content = b"bytes"

    step = OpenPage("", "s", None, None, 3, 5, 0, ())

    async def answering(url: str) -> OpenPage | SubmissionFinished:
        async with ParticipantClient(retries()) as pages:
            there = OpenPage(f"{url}/p", *list(vars(step).values())[1:])
            return await pages.answer(there, [("i0", "a"), ("i0", "b")], [("i1", File())])

    with EchoServer(Reply(200, b'<main data-state="finished">')) as server:
        assert asyncio.run(answering(server.url)) == SubmissionFinished()
        body = server.requests[0].body
    order = [body.index(part) for part in (b'name="step"\r\n\r\n3', b"\r\na\r\n", b"\r\nb\r\n", b"proof.txt")]
    assert order == sorted(order)


@pytest.mark.parametrize("state", list(NoPage))
def test_when_there_is_nothing_to_do_the_reason_is_reported(state: NoPage) -> None:
    with EchoServer(Reply(200, f'<main data-state="{state.value}">'.encode())) as server:
        assert begin(server.url) is state


@pytest.mark.parametrize(
    "reply",
    [
        Reply(303, b"", {"Location": "https://elsewhere.example.org/"}),
        Reply(303, b"", {"Location": "/round-and-round"}),
        Reply(302, b"", {"Location": "/participate/b/s"}),
        Reply(200, b"<p>Hotel Wi-Fi</p>"),
        Reply(200, b'<main data-state="page">'),
        Reply(200, b'<main data-state="finished">'),
        Reply(200, b'<main data-state="page"><script id="page-data">{"step": "0"}</script>'),
    ],
)
def test_what_is_no_page_of_a_study_is_called_nonsense(reply: Reply) -> None:
    with EchoServer(reply) as server, pytest.raises(UnexpectedResponse):
        begin(server.url)


def test_a_link_that_is_not_right_is_not_found() -> None:
    with EchoServer(Reply(404, b'<main data-state="unknown">')) as server, pytest.raises(NotFound):
        begin(server.url)


@pytest.mark.parametrize("stumble", [Stumble.RESET_BEFORE, Stumble.RESET_AFTER, Stumble.CUT])
def test_a_start_whose_response_was_lost_is_repeated(stumble: Stumble) -> None:
    with StumblingServer([stumble], lambda _request: Reply(200, PAGE.encode())) as server:
        assert isinstance(begin(server.url), OpenPage)
