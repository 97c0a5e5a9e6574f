"""A token is rejected during an operation: the user signs in once, and the operation resumes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLineEdit

from batchwright.api.http.errors import ClientClosed, Unauthorized
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.connections import THIS_COMPUTER, Connection, Connections
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.ui.connections.controller import ConnectionsController
from batchwright.ui.connections.sign_in import SignInDialog
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.feedback.state import AT_ONCE, FeedbackFileState, FeedbackState
from batchwright.ui.shell.window import Window
from batchwright.wire.datasets import Dataset
from batchwright.workflows.answers.download_verified import download_verified_report
from batchwright.workflows.data.append import AppendProgress, append_file
from batchwright.workflows.data.change_schema import change_schema
from batchwright.workflows.data.upload_dataset import UploadObserver, UploadResult
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset
from batchwright.workflows.messages import describe
from batchwright.workflows.send_feedback import send_feedback
from tests.api.studies import CSV, SCHEMA, set_up
from tests.ui.hosted import WORKSPACE, Hosted, hosted, never, upload_study_data
from tests.workflows.contexts import until

WIDER: dict[str, Any] = {"strict": True, "fields": {**SCHEMA["fields"], "note": {"type": "text"}}}


@pytest.fixture
async def at(running: ServiceAddress, accounts: Path, tmp_path: Path) -> AsyncIterator[Hosted]:
    """A session whose token is valid."""
    async with hosted(running, accounts, tmp_path) as at:
        at.expire()
        await at.renew()
        yield at


@pytest.fixture
async def expired(running: ServiceAddress, accounts: Path, tmp_path: Path) -> AsyncIterator[Hosted]:
    """A session whose token has expired."""
    async with hosted(running, accounts, tmp_path) as at:
        await at.renew()
        at.expire()
        yield at


async def waited_for(at: Hosted, count: int) -> None:
    """Wait until `count` operations wait for the sign-in."""
    await until(lambda: [value.waiting for value in at.session._prompt._open.values()] == [count])


async def job_outcomes(at: Hosted, kind: JobKind) -> Sequence[str | None]:
    rows = (await at.pool.job_watcher()).rows
    return [row.outcome for row in rows.latest() if row.kind == kind]


@pytest.mark.parametrize("when", ["on_created", "on_progress", "on_sent"])
async def test_an_upload_resumes_after_sign_in_and_creates_one_dataset(at: Hosted, when: str) -> None:
    created = list[str]()
    is_expired = False

    def expire(*_values: object) -> None:
        nonlocal is_expired
        if not is_expired:
            is_expired = True
            at.expire()

    observer = replace(
        UploadObserver(on_created=lambda dataset: created.append(dataset.id)), **{when: expire}
    )
    uploaded = await at.upload(observer=observer)
    assert (uploaded.accepted, at.prompts) == (2, ["Lab"])
    assert set(created) <= {uploaded.dataset.id}
    assert await job_outcomes(at, JobKind.UPLOAD) == [JobOutcome.DONE]
    assert await job_outcomes(at, JobKind.IMPORT) == [JobOutcome.DONE]


async def test_an_append_resumes_after_the_accepted_records(at: Hosted) -> None:
    dataset_id = (await at.upload()).dataset.id
    more = at.folder / "more.jsonl"
    more.write_text("".join(f'{{"prompt": "Later {n}"}}\n' for n in range(2500)))

    def on_progress(appended: AppendProgress) -> None:
        if appended.sent == 1000:
            at.expire()

    async def work(context: WorkflowContext, waits: RecoveryHooks | None) -> AppendProgress:
        return await append_file(context, dataset_id, more, on_progress=on_progress, hooks=waits)

    appended = await at.session.run(work, never)
    assert (appended.accepted, appended.sent, at.prompts) == (2500, 2500, ["Lab"])
    assert await job_outcomes(at, JobKind.APPEND) == [JobOutcome.DONE]


async def test_a_v3_upload_resumes_with_the_same_dataset(at: Hosted) -> None:
    table, created = at.folder / "reviews.csv", set[str]()
    table.write_text("review\nNice mug\n", encoding="utf-8")

    def expire(dataset: Dataset) -> None:
        if not created:
            at.expire()
        created.add(dataset.id)

    async def work(context: WorkflowContext, waits: RecoveryHooks | None) -> Dataset:
        return await upload_v3_dataset(
            context, context.checkpoint("v3"), "Reviews", table, UploadObserver(on_created=expire), waits
        )

    dataset = await at.session.run(work, never)
    assert (created, at.prompts) == ({dataset.id}, ["Lab"])
    assert await job_outcomes(at, JobKind.UPLOAD) == [JobOutcome.DONE]


async def test_a_schema_change_resumes_after_sign_in(at: Hosted) -> None:
    dataset_id = (await at.upload()).dataset.id
    at.expire()
    changed = await at.session.run(
        lambda context, _waits: change_schema(context, dataset_id, read_schema(WIDER), "Prompts"), never
    )
    assert changed.migration is not None
    assert at.prompts == ["Lab"]


def send(at: Hosted, name: str) -> Awaitable[object]:
    file = at.folder / name
    file.write_text("Thank you.", encoding="utf-8")

    async def work(context: WorkflowContext, waits: RecoveryHooks | None) -> None:
        files = await at.session.sent_files()
        await send_feedback(context, files, file, lambda _done, _all: None, waits)

    return at.session.run(work, never)


async def test_files_sent_at_the_same_time_share_one_prompt(at: Hosted) -> None:
    await at.session.context()
    at.expire()
    await asyncio.gather(*(send(at, f"{number}.txt") for number in range(4)))
    assert at.prompts == ["Lab"]
    assert await job_outcomes(at, JobKind.UPLOAD) == [JobOutcome.DONE] * 4


async def test_after_a_cancelled_prompt_all_waiting_transfers_fail(at: Hosted) -> None:
    await at.session.context()
    at.is_cancelled = True
    at.while_prompting = lambda: waited_for(at, 3)
    at.expire()
    sent = await asyncio.gather(*(send(at, f"{n}.txt") for n in range(3)), return_exceptions=True)
    assert [type(entry) for entry in sent] == [Unauthorized] * 3
    assert at.prompts == ["Lab"]


async def test_cancelling_one_file_keeps_the_prompt_for_the_others(at: Hosted) -> None:
    await at.session.context()
    at.expire()
    first, second = (asyncio.ensure_future(send(at, name)) for name in ("a.txt", "b.txt"))
    has_thought = asyncio.Event()
    at.while_prompting = has_thought.wait
    await waited_for(at, 2)
    first.cancel()
    with suppress(asyncio.CancelledError):
        await first
    has_thought.set()
    await second
    assert at.prompts == ["Lab"]


async def test_the_prompt_closes_when_nothing_waits_for_it(at: Hosted) -> None:
    await at.session.context()
    at.expire()
    is_prompted, is_ended = asyncio.Event(), asyncio.Event()

    async def think() -> None:
        is_prompted.set()
        try:
            await asyncio.Event().wait()
        finally:
            is_ended.set()

    at.while_prompting = think
    sending = asyncio.ensure_future(send(at, "a.txt"))
    await is_prompted.wait()
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert is_ended.is_set()


async def test_a_token_entered_meanwhile_is_used_without_a_prompt(at: Hosted) -> None:
    async def renewed(context: WorkflowContext, waits: RecoveryHooks | None) -> UploadResult:
        if not is_renewed.is_set():
            is_renewed.set()
            at.expire()
            await at.renew()
        return await upload_study_data(context, at.folder, waits, UploadObserver())

    is_renewed = asyncio.Event()
    assert (await at.session.run(renewed, never)).accepted == 2
    assert at.prompts == []


async def test_the_prompt_is_for_the_connection_the_operation_started_with(at: Hosted) -> None:
    def sign_out(*_values: object) -> None:
        if at.session.is_live:
            at.session.set_connection(THIS_COMPUTER)
            at.expire()

    uploaded = await at.upload(observer=UploadObserver(on_created=sign_out))
    assert (uploaded.accepted, at.prompts) == (2, ["Lab"])
    assert at.session.connection is THIS_COMPUTER


@pytest.mark.parametrize("change", [{"url": "https://lab.example.org"}, {"workspace_id": "d" * 24}])
async def test_an_operation_fails_when_its_connection_was_changed(at: Hosted, change: Any) -> None:
    def elsewhere(*_values: object) -> None:
        at.lab = replace(at.lab, **change)
        at.expire()

    with pytest.raises(Unauthorized):
        await at.upload(observer=UploadObserver(on_created=elsewhere))
    assert at.prompts == []


@pytest.mark.parametrize("when", ["on_created", "on_sent"])
async def test_after_signing_out_nothing_prompts_for_a_token(at: Hosted, when: str) -> None:
    leaving = list[asyncio.Task[None]]()

    def sign_out(*_values: object) -> None:
        leaving.append(asyncio.create_task(at.pool.sign_out("Lab")))

    observer = replace(UploadObserver(), **{when: sign_out})
    with pytest.raises((ClientClosed, JobUnreachable)):
        await at.upload(observer=observer)
    await asyncio.gather(*leaving)
    assert at.prompts == []


async def test_a_completed_download_is_not_repeated_after_sign_in(at: Hosted) -> None:
    data, report = at.folder / "prompts.csv", at.folder / "report.csv"
    data.write_text(CSV, encoding="utf-8")
    batch = await set_up((await at.session.context()).service, WORKSPACE, data)

    def on_progress(_done: int, _total: int | None) -> None:
        at.expire()

    delivered = await at.session.run(
        lambda context, waits: download_verified_report(context, batch.id, report, on_progress, waits),
        never,
    )
    assert delivered.passed
    assert at.prompts == ["Lab"]
    assert await job_outcomes(at, JobKind.DOWNLOAD) == [JobOutcome.DONE]


@pytest.mark.gui
async def test_the_window_shows_the_sign_in_dialog_and_the_operation_resumes(
    expired: Hosted, window: Window
) -> None:
    connections = Connections(expired.folder)
    connections.add(expired.lab)
    connecting = ConnectionsController(window, connections, expired.pool)
    expired.session = ConnectionSession(expired.pool, connecting.connection, connecting.sign_in)
    await expired.session.select("Lab")
    sending = asyncio.gather(send(expired, "a.txt"), send(expired, "b.txt"))
    await until(
        lambda: any(sign_in_dialog.isVisible() for sign_in_dialog in window.findChildren(SignInDialog))
    )
    (dialog,) = window.findChildren(SignInDialog)
    token = dialog.findChild(QLineEdit, "token")
    assert token is not None
    token.setText(expired.next_token)
    dialog.accept_button.click()
    await sending
    assert not any(sign_in_dialog.isVisible() for sign_in_dialog in window.findChildren(SignInDialog))


@pytest.mark.gui
@pytest.mark.parametrize("is_cancelled", [True, False])
async def test_queued_files_are_sent_to_their_connection_or_fail_together(
    expired: Hosted, is_cancelled: bool
) -> None:
    tasks = Tasks(describe)
    state = FeedbackState(expired.session, tasks)
    expired.is_cancelled, expired.while_prompting = is_cancelled, lambda: waited_for(expired, AT_ONCE)
    files = [expired.folder / f"{number}.txt" for number in range(5)]
    for file in files:
        file.write_text("Thank you.", encoding="utf-8")
    state.send(await state.add(files))
    expired.session.set_connection(THIS_COMPUTER)
    ended = FeedbackFileState.FAILED if is_cancelled else FeedbackFileState.SENT
    await until(lambda: state.count(ended) == len(files))
    assert expired.prompts == ["Lab"]
    assert {sent.connection for sent in state.history} == (set() if is_cancelled else {"Lab"})
    await tasks.aclose()


@pytest.mark.gui
async def test_a_cancelled_prompt_of_one_connection_does_not_affect_another(expired: Hosted) -> None:
    clinic = replace(expired.lab, name="Clinic")
    places = {item.name: item for item in (expired.lab, clinic)}

    async def find(name: str) -> Connection:
        return places[name]

    await expired.pool.sign_in(clinic.name, expired.next_token, is_stored=False)
    expired.session = ConnectionSession(expired.pool, find, expired.prompt)
    tasks = Tasks(describe)
    state = FeedbackState(expired.session, tasks)
    expired.is_cancelled, expired.while_prompting = True, lambda: waited_for(expired, AT_ONCE)
    for place in places.values():
        await expired.session.select(place.name)
        files = [expired.folder / f"{place.name}-{number}.txt" for number in range(AT_ONCE + 1)]
        for file in files:
            file.write_text("Thank you.", encoding="utf-8")
        state.send(await state.add(files))
    await until(lambda: not state.count(FeedbackFileState.WAITING, FeedbackFileState.SENDING))
    ended = [(entry.connection, entry.state) for entry in state.files]
    assert ended == [("Lab", FeedbackFileState.FAILED)] * 3 + [("Clinic", FeedbackFileState.SENT)] * 3
    await tasks.aclose()
