"""The Feedback stage: files are dropped or chosen, checked, sent, and listed with their state."""

import asyncio
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel

from batchwright.api.client import ApiClient, connect
from batchwright.api.files.file_streams import OnProgress, TransferResult
from batchwright.api.http.errors import UnexpectedResponse
from batchwright.base.database import StorageUnavailable
from batchwright.client.job_monitoring.transfer_rate import UNKNOWN
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.sent_files import SentFile, SentFiles
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.feedback import stage as stage_module
from batchwright.ui.feedback.commands import send_files
from batchwright.ui.feedback.labels import detail_text, progress_text, subtitle
from batchwright.ui.feedback.stage import FeedbackStage
from batchwright.ui.feedback.state import FeedbackFile, FeedbackFileState, FeedbackState
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.wire.feedback import MAX_BYTES
from tests.api.requests import retries
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import LAB, FakeConnectionPool

pytestmark = pytest.mark.gui


def write_files(folder: Path, name: str, size: int = 2000) -> Path:
    path = folder / name
    path.write_bytes(b"x" * size)
    return path


def drop(stage: FeedbackStage, *urls: QUrl) -> bool:
    """Drop files as the desktop does; return whether the stage accepts them."""
    mime = QMimeData()
    mime.setUrls(list(urls))
    copy, button, plain = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    entering = QDragEnterEvent(QPointF(50, 50).toPoint(), copy, mime, button, plain)
    QApplication.sendEvent(stage, entering)
    if entering.isAccepted():
        QApplication.sendEvent(stage, QDropEvent(QPointF(50, 50), copy, mime, button, plain))
    return entering.isAccepted()


def states(stage: FeedbackStage) -> list[FeedbackFileState]:
    """The states that the rows show."""
    return [row._shown.state for row in stage.files._rows.values() if row._shown is not None]


def sparse(path: Path, size: int) -> None:
    """Create a sparse file of this size."""
    with path.open("wb") as file:
        file.truncate(size)


def written(stage: FeedbackStage) -> str:
    """All texts of the stage."""
    return "\n".join(label.text() for label in stage.findChildren(QLabel))


def is_upload_in_status_line(stage: FeedbackStage) -> bool:
    """Whether the status bar shows an upload."""
    return stage.context.window.shell.activity is not None


def named(stage: FeedbackStage, name: str) -> QAbstractButton:
    buttons = stage.window().findChildren(QAbstractButton)
    return next(
        button
        for button in buttons
        if name in (button.text(), button.accessibleName()) and not button.isHidden()
    )


@pytest.mark.spec("F-05", "F-06")
@pytest.mark.endpoint("feedback.upload_url", "storage.put_feedback")
async def test_dropped_files_are_checked_sent_and_listed_with_their_state(
    stage: FeedbackStage, tmp_path: Path
) -> None:
    paths = [write_files(tmp_path, name) for name in ("a.csv", "b.JSON", "clip.mp4", "d.pdf")]
    (tmp_path / "folder.csv").mkdir()
    assert drop(stage, *(QUrl.fromLocalFile(str(path)) for path in (*paths, tmp_path / "folder.csv")))
    await until(lambda: states(stage).count(FeedbackFileState.SENT) == 3, 30)
    assert states(stage) == [
        FeedbackFileState.SENT,
        FeedbackFileState.SENT,
        FeedbackFileState.REFUSED,
        FeedbackFileState.SENT,
        FeedbackFileState.REFUSED,
    ]
    assert subtitle(stage.state) == "5 files. 2 need attention."
    assert {sent.name for sent in stage.state.history} == {"a.csv", "b.JSON", "d.pdf"}
    assert stage.sent.rowCount() == 3
    named(stage, "Clear finished").click()
    assert not stage.files.isVisible()


@pytest.mark.parametrize("is_live", [False, True])
async def test_files_dropped_while_others_are_checked_are_sent_too(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_live: bool
) -> None:
    if is_live:
        monkeypatch.setattr(stage.state.session, "_connection", LAB)
    for name in ("a.csv", "b.csv"):
        assert drop(stage, QUrl.fromLocalFile(str(write_files(tmp_path, name))))
    for _drop in range(2 if is_live else 0):
        await until(lambda: stage.window().findChild(Dialog) is not None, 30)
        (dialog, *_others) = stage.window().findChildren(Dialog)
        dialog.accept_button.click()
        await until(lambda dialog=dialog: dialog not in stage.window().findChildren(Dialog), 30)  # type: ignore[misc]
    await until(lambda: states(stage) == [FeedbackFileState.SENT] * 2, 30)


async def test_the_file_dialog_has_one_filter_for_all_files(stage: FeedbackStage) -> None:
    stage.context.window.actions.run(ActionId.FEEDBACK_CHOOSE)
    await until(lambda: bool(stage.window().findChildren(QFileDialog)))
    (dialog,) = stage.window().findChildren(QFileDialog)
    offered = [kind.partition(" (")[0] for kind in dialog.nameFilters()]
    dialog.reject()
    assert offered == ["Feedback files", "All files"]


async def test_dropped_text_and_urls_are_rejected(stage: FeedbackStage) -> None:
    assert not drop(stage, QUrl("https://example.org/a.csv"))
    assert not drop(stage)


async def test_two_files_are_sent_at_a_time_and_a_file_can_be_cancelled(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = await stage.state.session.context()
    upload, may_go = context.service.transfers.upload, asyncio.Event()

    async def slow(path: Path, url: str, **further: object) -> TransferResult:
        await may_go.wait()
        return await upload(path, url)

    monkeypatch.setattr(context.service.transfers, "upload", slow)
    paths = [write_files(tmp_path, f"{number}.csv") for number in range(4)]
    stage.state.send(await stage.state.add(paths))
    await until(lambda: stage.state.count(FeedbackFileState.SENDING) == 2, 30)
    assert stage.state.count(FeedbackFileState.WAITING) == 2
    assert subtitle(stage.state) == "4 files. 2 uploading, 2 waiting."
    assert is_upload_in_status_line(stage)
    named(stage, "Cancel 0.csv").click()
    named(stage, "Cancel 3.csv").click()
    await until(lambda: states(stage)[2] is FeedbackFileState.SENDING, 30)
    assert states(stage) == [
        FeedbackFileState.CANCELLED,
        FeedbackFileState.SENDING,
        FeedbackFileState.SENDING,
        FeedbackFileState.CANCELLED,
    ]
    may_go.set()
    await until(lambda: stage.state.count(FeedbackFileState.SENT) == 2, 30)
    assert not is_upload_in_status_line(stage)
    named(stage, "Retry 0.csv").click()
    await until(lambda: stage.state.count(FeedbackFileState.SENT) == 3, 30)


async def test_a_row_is_drawn_only_when_its_own_file_has_changed(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[FeedbackFile]()

    def record(file: FeedbackFile) -> str:
        drawn.append(file)
        return progress_text(file)

    monkeypatch.setattr(stage_module, "progress_text", record)
    paths = [write_files(tmp_path, f"{number}.csv", 10) for number in range(40)]
    stage.state.send(await stage.state.add(paths))
    await until(lambda: states(stage) == [FeedbackFileState.SENT] * len(paths), 60)
    assert len(drawn) <= 10 * len(paths)


async def test_the_rows_of_many_files_are_created_in_slices(stage: FeedbackStage) -> None:
    files = [
        FeedbackFile(number, Path(f"{number}.csv"), 10, FeedbackFileState.REFUSED) for number in range(90)
    ]
    rows = stage.files._rows
    stage.files.show_files(files)
    assert len(rows) <= 20
    await until(lambda: list(rows) == list(range(90)), 30)
    stage.files.show_files(files[40:])
    assert list(rows) == list(range(40, 90))


async def test_a_file_cancelled_after_its_last_byte_is_not_said_to_be_lost(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = await stage.state.session.context()
    upload, has_arrived, never = context.service.transfers.upload, asyncio.Event(), asyncio.Event()

    async def upload_without_end(path: Path, url: str, *, on_progress: OnProgress) -> TransferResult:
        result = await upload(path, url, on_progress=on_progress)
        has_arrived.set()
        await never.wait()
        return result

    monkeypatch.setattr(context.service.transfers, "upload", upload_without_end)
    stage.state.send(await stage.state.add([write_files(tmp_path, "a.csv")]))
    await has_arrived.wait()
    stage.state.cancel(stage.state.files[0].number)
    assert states(stage)[0] is FeedbackFileState.CANCELLED
    assert progress_text(stage.state.files[0]) == "It may have arrived: all of it had been sent"
    waiting = FeedbackFile(3, tmp_path / "c.csv", 10, FeedbackFileState.CANCELLED)
    assert progress_text(waiting) == "Nothing was kept"
    await until(lambda: not stage.context.window.tasks.running, 30)


async def test_a_failure_is_reported_at_the_file_and_can_be_retried(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = await stage.state.session.context()

    async def away(path: Path, url: str, **further: object) -> TransferResult:
        raise UnexpectedResponse("PUT", "not from a service")

    with monkeypatch.context() as patch:
        patch.setattr(context.service.transfers, "upload", away)
        stage.state.send(await stage.state.add([write_files(tmp_path, "a.csv")]))
        await until(lambda: states(stage) == [FeedbackFileState.FAILED], 30)
        assert stage.state.files[0].reason
    named(stage, "Retry a.csv").setFocus()
    named(stage, "Retry a.csv").click()
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused.accessibleName() == "a.csv"
    await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)


async def test_a_file_deleted_before_its_transfer_is_reported(stage: FeedbackStage, tmp_path: Path) -> None:
    path = write_files(tmp_path, "a.csv")
    numbers = await stage.state.add([path])
    path.unlink()
    stage.state.send(numbers)
    await until(lambda: states(stage) == [FeedbackFileState.FAILED], 30)
    assert "“a.csv” was not found" in written(stage)
    write_files(tmp_path, "a.csv")
    named(stage, "Retry a.csv").click()
    await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)


async def test_the_size_of_a_file_that_grew_before_its_transfer_is_shown(
    stage: FeedbackStage, tmp_path: Path
) -> None:
    numbers = await stage.state.add([write_files(tmp_path, "a.csv", 2000)])
    write_files(tmp_path, "a.csv", 5_000_000)
    shown = list[tuple[str, float]]()
    stage.state.changed.connect(
        lambda: shown.extend((progress_text(file), file.fraction) for file in stage.state.files)
    )
    stage.state.send(numbers)
    await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)
    assert max(fraction for _text, fraction in shown) <= 1
    assert not any("of 2.0 kB" in text for text, _fraction in shown)
    assert "CSV, 5.0 MB" in written(stage)


@pytest.mark.spec("K-10")
async def test_a_too_large_or_missing_file_is_rejected_before_sending(
    stage: FeedbackStage, tmp_path: Path
) -> None:
    too_large, deleted = tmp_path / "too_large.csv", tmp_path / "gone.csv"
    sparse(too_large, MAX_BYTES + 1)
    drop(stage, *(QUrl.fromLocalFile(str(path)) for path in (too_large, deleted)))
    await until(lambda: len(states(stage)) == 2, 30)
    assert states(stage) == [FeedbackFileState.REFUSED] * 2
    text = written(stage)
    assert "The file is larger than 5 GB. Split it, and send the parts." in text
    assert "It cannot be read: No such file or directory." in text
    assert not stage.state.history
    named(stage, "Remove too_large.csv from the list").click()
    assert len(states(stage)) == 1


@contextmanager
def service_replaced(stage: FeedbackStage, service: ApiClient) -> Iterator[None]:
    """Send to another service in the block."""
    session = stage.state.session
    pool = cast("FakeConnectionPool", session._pool)
    assert pool.workflow_context is not None
    other = replace(pool, workflow_context=replace(pool.workflow_context, service=service))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session._authenticator, "_pool", other)
        yield


async def test_a_file_is_sent_when_the_service_responds_again(stage: FeedbackStage, tmp_path: Path) -> None:
    await stage.state.session.context()
    numbers = await stage.state.add([write_files(tmp_path, "a.csv")])
    async with connect("http://127.0.0.1:9", "a-token-of-nobody", retry_policy=retries()) as nobody:
        with service_replaced(stage, nobody):
            stage.state.send(numbers)
            await until(lambda: stage.state.files[0].is_offline, 30)
        await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)


async def test_a_rejected_token_is_reported(
    stage: FeedbackStage, tmp_path: Path, running: ServiceAddress
) -> None:
    await stage.state.session.context()
    numbers = await stage.state.add([write_files(tmp_path, "a.csv")])
    async with connect(running.url, "a-token-of-nobody", retry_policy=retries()) as rejecting:
        with service_replaced(stage, rejecting):
            stage.state.send(numbers)
            await until(lambda: states(stage) == [FeedbackFileState.FAILED], 30)
    assert "The token was not accepted." in written(stage)
    assert subtitle(stage.state) == "1 file. 1 needs attention."
    named(stage, "Retry a.csv").click()
    await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)


async def test_sent_files_are_listed_with_time_and_connection(stage: FeedbackStage, tmp_path: Path) -> None:
    stage.state.send(await stage.state.add([write_files(tmp_path, "a.csv"), write_files(tmp_path, "b.pdf")]))
    await until(lambda: states(stage) == [FeedbackFileState.SENT, FeedbackFileState.SENT], 30)
    later = FeedbackState(stage.state.session, stage.context.window.tasks)
    later.read_history()
    await until(lambda: not later.is_loading, 30)
    assert {sent.name for sent in later.history} == {"a.csv", "b.pdf"}
    rows = [stage.sent.index(row, 2).data() for row in range(stage.sent.rowCount())]
    assert rows == ["This computer, " + later.history[0].workspace_id] * 2
    lab = replace(LAB, label="Our lab")
    stage.state.session.update_connections([THIS_COMPUTER, lab])
    stage.sent.show_files([replace(later.history[0], connection=lab.name)])
    assert stage.sent.index(0, 2).data() == "Our lab, " + later.history[0].workspace_id
    stage.sent.show_files(stage.state.history)
    button = stage._copy_workspace
    assert not button.isVisible()
    stage.table.setCurrentIndex(stage.sent.index(1, 0))
    assert button.isVisible()
    assert stage.table.visualRect(stage.sent.index(1, 2)).contains(button.geometry())
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == later.history[1].workspace_id


async def test_the_same_file_can_be_sent_twice(stage: FeedbackStage, tmp_path: Path) -> None:
    path = write_files(tmp_path, "a.csv")
    stage.state.send(await stage.state.add([path, path]))
    await until(lambda: states(stage) == [FeedbackFileState.SENT, FeedbackFileState.SENT], 30)
    assert len(stage.state.history) == 2


async def test_sending_to_a_live_service_asks_for_confirmation(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Connection("Prolific", "https://api.example.org", "workspace", is_local=False)
    monkeypatch.setattr(stage.state.session, "_connection", live)
    for answer, expected in (("Cancel", []), ("Send 1 file", [FeedbackFileState.SENT])):
        drop(stage, QUrl.fromLocalFile(str(write_files(tmp_path, "a.csv"))))
        await until(lambda: stage.window().findChild(Dialog) is not None, 30)
        dialog = stage.window().findChild(Dialog)
        assert dialog is not None
        shown = [label.text() for label in dialog.findChildren(QLabel)]
        assert {"Send 1 file to Prolific?", "a.csv"} <= set(shown)
        named(stage, answer).click()
        await until(lambda expected=expected: states(stage) == expected, 30)  # type: ignore[misc]
        await until(lambda: stage.window().findChild(Dialog) is None, 30)


async def test_an_unreadable_history_shows_an_error_and_can_be_retried(
    stage: FeedbackStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = await stage.state.session.sent_files()

    def fail_to_read() -> list[SentFile]:
        raise OSError(5, "Input/output error", "batchwright.db")

    with monkeypatch.context() as patch:
        patch.setattr(files, "latest", fail_to_read)
        stage.state.read_history()
        await until(lambda: stage.state.error is not None, 30)
    named(stage, "Retry").click()
    await until(lambda: stage.state.error is None, 30)


def test_rate_and_remaining_time_are_shown_when_they_are_known() -> None:
    entry = FeedbackFile(1, Path("a.csv"), 2_400_000_000, FeedbackFileState.SENDING)
    assert progress_text(entry) == "Starting"
    entry = replace(entry, done=1_500_000_000)
    assert progress_text(entry) == "1.5 GB of 2.4 GB"
    rate = UNKNOWN.after(0, 10.0).after(1_500_000_000, 50.0)
    assert progress_text(replace(entry, rate=rate)) == "1.5 GB of 2.4 GB, 37.5 MB a second, 24 s left"
    assert detail_text(entry) == "CSV, 2.4 GB"
    assert detail_text(FeedbackFile(1, Path("clip.mp4"), 10, FeedbackFileState.REFUSED)) == "MP4, 10 bytes"
    assert (
        detail_text(FeedbackFile(1, Path("clip"), 10, FeedbackFileState.REFUSED)) == "No extension, 10 bytes"
    )


async def test_a_file_that_was_sent_is_not_sent_again_if_that_cannot_be_recorded(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise StorageUnavailable("database or disk is full")

    monkeypatch.setattr(SentFiles, "add", fail)
    stage.state.send(await stage.state.add([write_files(tmp_path, "a.csv")]))
    await until(lambda: stage.state.operations.current is None, 30)
    assert states(stage) == [FeedbackFileState.SENT]
    assert [sent.name for sent in stage.state.history] == ["a.csv"]


async def test_files_are_sent_to_the_connection_that_was_current_when_they_were_dropped(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise they would reach a live service without a confirmation."""
    enqueue, session = SentFiles.enqueue, stage.state.session
    has_started, may_go = threading.Event(), threading.Event()

    def enqueue_slowly(files: SentFiles, values: Iterable[tuple[str, Path, int]], window: str) -> list[int]:
        has_started.set()
        may_go.wait(30)
        return enqueue(files, values, window)

    monkeypatch.setattr(SentFiles, "enqueue", enqueue_slowly)
    drop(stage, QUrl.fromLocalFile(str(write_files(tmp_path, "a.csv"))))
    await until(has_started.is_set, 30)
    session.set_connection(LAB)
    may_go.set()
    await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)
    assert [file.connection for file in stage.state.files] == [THIS_COMPUTER.name]


async def test_the_notice_about_sent_files_names_the_connection_that_they_were_sent_to(
    stage: FeedbackStage, tmp_path: Path
) -> None:
    context = await stage.state.session.context()
    may_go, upload = asyncio.Event(), context.service.transfers.upload

    async def upload_later(path: Path, url: str, **further: object) -> TransferResult:
        await may_go.wait()
        return await upload(path, url)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(context.service.transfers, "upload", upload_later)
        await send_files(stage.context, [write_files(tmp_path, name) for name in ("a.csv", "b.csv")])
        await until(lambda: states(stage) == [FeedbackFileState.SENDING] * 2, 30)
        stage.hide()
        stage.state.session.set_connection(LAB)
        may_go.set()
        await until(lambda: stage.context.window.notices.cards != (), 30)
    (card,) = stage.context.window.notices.cards
    texts = [label.text() for label in card.findChildren(QLabel)]
    assert "2 feedback files sent" in texts
    assert THIS_COMPUTER.title in texts


@pytest.mark.parametrize("is_removed", [True, False])
async def test_a_file_cancelled_while_it_is_queued_is_not_sent(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_removed: bool
) -> None:
    has_started, may_go = threading.Event(), threading.Event()
    enqueue, dequeued = SentFiles.enqueue, list[int]()

    def enqueue_slowly(files: SentFiles, values: Iterable[tuple[str, Path, int]], window: str) -> list[int]:
        has_started.set()
        may_go.wait(30)
        return enqueue(files, values, window)

    def dequeue(_files: SentFiles, row_ids: Iterable[int]) -> None:
        dequeued.extend(row_ids)

    monkeypatch.setattr(SentFiles, "enqueue", enqueue_slowly)
    monkeypatch.setattr(SentFiles, "dequeue", dequeue)
    drop(stage, QUrl.fromLocalFile(str(write_files(tmp_path, "a.csv"))))
    await until(has_started.is_set, 30)
    stage.state.cancel(stage.state.files[0].number)
    if is_removed:
        stage.state.clear_finished()
    may_go.set()
    await until(lambda: not stage.context.window.tasks.running, 30)
    assert states(stage) == ([] if is_removed else [FeedbackFileState.CANCELLED])
    assert stage.context.window.notices.cards == ()
    assert stage.state.history == ()
    assert len(dequeued) == 1
