"""Nothing that the program writes contains a part of the token or the signature of a URL."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest

from batchwright.base.json_values import to_json
from batchwright.base.logging import start_logging
from batchwright.client.context import WorkflowContext
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.wire.base import ResponseBody
from batchwright.workflows.messages import describe
from tests.api.requests import TOKEN, download, retries
from tests.fakes.failing_server import BAD_GATEWAY, INVALID_JSON, SERVER_ERROR, FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse
from tests.secrecy import Signatures, files_below, fragments, texts_with_secret
from tests.workflows.contexts import context_at
from tests.workflows.whole_flow import Flow


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """The log output of every library at its most verbose level."""
    with caplog.at_level(logging.DEBUG):
        for name in ("httpx", "httpcore", "asyncio", "keyring"):
            caplog.set_level(logging.DEBUG, logger=name)
        yield caplog


async def test_a_complete_study_writes_no_secret_anywhere(
    running: ServiceAddress,
    tmp_path: Path,
    signatures: Signatures,
    everything_logged: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    flow = Flow(running, tmp_path)
    assert await flow.resume(running.url, retries()) == ""
    assert len(signatures) >= 4, "files were uploaded and downloaded"
    out, err = capfd.readouterr()
    with_database = open_database(tmp_path)
    exported = to_json(IdRegistry(with_database).exported()).encode()
    with_database.close()
    texts = {
        **files_below(tmp_path),
        "log": everything_logged.text.encode(),
        "output": f"{out}{err}".encode(),
        "messages": "\n".join(flow.messages).encode(),
        "register": exported,
    }
    assert "httpx" in everything_logged.text
    assert texts_with_secret(fragments(running.token), texts) == []
    assert texts_with_secret({signature.encode() for signature in signatures}, texts) == []


@pytest.mark.parametrize(
    "stumble", [ServerFailure.RESET_AFTER, ServerFailure.CUT, SERVER_ERROR, BAD_GATEWAY, INVALID_JSON]
)
async def test_every_error_is_reported_without_a_secret(
    stumble: ServerFailure | FakeResponse,
    tmp_path: Path,
    everything_logged: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    signed = "X-Signature=signed-canary-3Kd8"
    (tmp_path / "up.csv").write_bytes(b"a\n1\n")
    messages: list[str] = []

    def calls(server: FailingServer) -> tuple[Callable[[WorkflowContext], Awaitable[object]], ...]:
        address = f"{server.url}/raw?{signed}"
        return (
            lambda context: context.service.account.check(),
            lambda context: context.service.transfers.upload(tmp_path / "up.csv", address),
            lambda context: download(context.service, address, tmp_path / "down.zip"),
        )

    start_logging("program", tmp_path / "logs")
    with FailingServer([stumble] * 40) as server:
        for call in calls(server):
            try:
                async with context_at(tmp_path, server.url, retry_policy=retries(2)) as context:
                    await call(context)
            except Exception as error:
                Tasks(describe)._uncaught(type(error), error, error.__traceback__)
                messages += [str(describe(error)), repr(error), repr(vars(error))]
    assert messages
    out, err = capfd.readouterr()
    assert "Traceback" in err
    texts = {
        **files_below(tmp_path),
        "log": everything_logged.text.encode(),
        "output": f"{out}{err}".encode(),
        "messages": "\n".join(messages).encode(),
    }
    assert texts_with_secret(fragments(TOKEN) | fragments("signed-canary-3Kd8"), texts) == []


async def test_an_unexpected_error_is_reported_without_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    signed = "https://storage.example.org/up?X-Signature=signed-canary-3Kd8"

    async def fail(client: httpx.AsyncClient, request: httpx.Request, **_rest: object) -> None:
        raise RuntimeError(f"no way to {signed}")

    monkeypatch.setattr(httpx.AsyncClient, "send", fail)
    start_logging("program", tmp_path / "logs")
    with pytest.raises(RuntimeError) as caught:
        async with context_at(tmp_path, "http://127.0.0.1:9") as context:
            await context.service.account.check()
    Tasks(describe)._uncaught(caught.type, caught.value, caught.tb)
    output = str(describe(caught.value))
    log = (tmp_path / "logs" / "program.log").read_bytes()
    texts = {"output": capfd.readouterr().err.encode(), "messages": output.encode(), "log": log}
    assert all(b"https://storage.example.org/up?..." in text for text in texts.values())
    assert texts_with_secret(fragments(TOKEN) | fragments("signed-canary-3Kd8"), texts) == []


def responses_with_url() -> list[type[ResponseBody]]:
    """The response models that contain a pre-signed URL."""
    kinds = list(ResponseBody.__subclasses__())
    for kind in kinds:
        kinds += kind.__subclasses__()
    return [kind for kind in kinds if {"url", "upload_url"} & kind.model_fields.keys()]


@pytest.mark.parametrize("kind", responses_with_url())
def test_the_repr_of_a_response_contains_no_pre_signed_url(kind: type[ResponseBody]) -> None:
    address = "https://storage.example.org/up?X-Signature=signed-canary-3Kd8"
    names = {"url", "upload_url"} & kind.model_fields.keys()
    answer = kind.model_validate({**dict.fromkeys(names, address), "status": "complete"})
    assert "signed-canary" not in repr(answer)


async def test_the_debug_mode_of_asyncio_logs_no_secret(
    running: ServiceAddress, tmp_path: Path, everything_logged: pytest.LogCaptureFixture
) -> None:
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        asyncio.get_running_loop().set_debug(True)
        asyncio.get_running_loop().slow_callback_duration = 0.0
        await context.service.account.check()
    assert "Executing" in everything_logged.text
    assert texts_with_secret(fragments(running.token), {"log": everything_logged.text.encode()}) == []
