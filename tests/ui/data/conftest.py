"""A study without data, its view model, and files to open."""

import asyncio
import csv
import multiprocessing
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLabel, QLineEdit, QWidget

from batchwright.app.headless import headless_context
from batchwright.client.context import WorkflowContext
from batchwright.data_files import checking, partition, process_job, profiling
from batchwright.layout.model import Layout, Page, Row
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.projects import Project
from batchwright.local.secrets import KeyringUnavailable
from batchwright.prepare import prepared_file
from batchwright.schema.model import FieldType
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.web_images import WebImages
from batchwright.ui.data.dataset.dataset_commands import start_append
from batchwright.ui.data.dataset.operation_panel import OperationPanel
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.file.check_panel import RejectionsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.workflows.messages import describe
from tests.ui.conftest import labelled, until
from tests.ui.fake_connection_pool import FakeConnectionPool
from tests.ui.window_fixtures import UnloadedImages

W = TypeVar("W", bound=QWidget)
D = TypeVar("D", bound=Dialog)
HEADER = ("prompt", "picture", "topic")
LIVE = Connection("api.example.org", "https://api.example.org", "w1")


async def find_connection(name: str) -> Connection:
    return LIVE if name == LIVE.name else THIS_COMPUTER


async def no_sign_in(_connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
    return False


@pytest.fixture(scope="package", autouse=True)
def fork_server() -> Iterator[None]:
    """Start worker processes as forks of one that has imported the program, where the platform can.

    A new process that imports the program takes longer than most tests.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        yield
        return
    context = multiprocessing.get_context("forkserver")
    modules = (profiling, checking, partition, prepared_file)
    context.set_forkserver_preload(
        ["__main__", "pydantic.type_adapter", *(module.__name__ for module in modules)]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process_job, "get_context", lambda _method: context)
        yield


@pytest.fixture
def pool() -> FakeConnectionPool:
    return FakeConnectionPool()


@pytest.fixture
def study(loop: asyncio.AbstractEventLoop) -> Study:
    """A study whose layout has a row without content, so that none is proposed from a table."""
    study = Study()
    study.open(Project("Cats", Layout((Page("page", {}, (Row("row", {}, ()),)),))), None)
    return study


@pytest.fixture
def session(pool: FakeConnectionPool) -> ConnectionSession:
    return ConnectionSession(pool, find_connection, no_sign_in)


@pytest.fixture
def data(study: Study, session: ConnectionSession, tasks: Tasks) -> DataState:
    return DataState(study, session, tasks, describe)


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    """100 records; the fourth has no prompt, the eighth a picture that is not https."""
    path = tmp_path / "reviews.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for number in range(100):
            prompt = "" if number == 3 else f"Which cat is number {number}?"
            scheme = "http" if number == 7 else "https"
            end = "" if number % 5 == 4 else ".png"
            address = f"{scheme}://example.org/{number}{end}"
            writer.writerow((prompt, address, ("cats", "dogs")[number % 2]))
    return path


async def checked(data: DataState) -> None:
    """Wait until the validation has ended."""
    await until(lambda: data.validation.report is not None or data.validation.error is not None, 20)


@pytest.fixture
def service(running: ServiceAddress, tmp_path: Path) -> tuple[ServiceAddress, Path]:
    """The shared service and the folder for the data of the program."""
    return running, tmp_path


@pytest.fixture
def stages(request: pytest.FixtureRequest) -> list[Stage]:
    """The stages of the window that contains the Data stage."""
    return [
        Stage(
            "data",
            "Data",
            "table",
            lambda stage_context: request.getfixturevalue("create_stage")(stage_context),
        ),
        Stage("layout", "Layout", "layout", labelled("the layout")),
    ]


@pytest.fixture
def images() -> WebImages:
    """Images of the web, none of which is loaded."""
    return UnloadedImages()


@pytest.fixture
def create_stage(data: DataState, images: WebImages) -> Callable[..., DataStage]:
    return lambda stage_context: DataStage(stage_context, data, images)


@pytest.fixture
def stage(window: Window, shell: ShellState, create_stage: object, tasks: Tasks) -> DataStage:
    """The Data stage, in a window."""
    shell.set_document(DocumentTitle("Cats"))
    window.resize(1440, 900)
    window.set_context(window.stage_context(tasks))
    shell.set_stage("data")
    stage = window.findChild(DataStage)
    assert isinstance(stage, DataStage)
    return stage


@pytest.fixture
async def context(
    pool: FakeConnectionPool, service: tuple[ServiceAddress, Path], tasks: Tasks
) -> AsyncIterator[WorkflowContext]:
    """The workflow context of the real service, which the stage uses."""
    async with headless_context(*service, lambda _sentence: None) as context:
        pool.workflow_context = context
        yield context
        await tasks.aclose()


@pytest.fixture
async def uploaded_reviews(stage: DataStage, context: WorkflowContext, reviews: Path) -> None:
    """Upload 100 records with the stage."""
    await opened(stage, reviews)
    start_upload(stage.state.dataset)
    await until(lambda: stage.state.dataset.is_uploaded, 30)
    await until(lambda: stage.state.dataset.remote.accepts_records, 30)
    await asyncio.sleep(0)


def have_ended(tasks: Tasks) -> bool:
    """Whether no task is running except the views of the records, which end with their file.

    They start by themselves when the records have been shown for a while.
    """
    return all(name.startswith("record views") for name in tasks.running)


async def wait_for_dialog(stage: DataStage, kind: type[D], act: str = "") -> D:
    """Wait for a dialog of a class whose button has this text."""
    matches: list[D] = []

    def is_reached() -> bool:
        shown = [widget for widget in stage.window().findChildren(kind) if widget.isVisible()]
        matches[:] = [entry for entry in shown if act in entry.accept_button.text()]
        return bool(matches)

    await until(is_reached, 30)
    return matches[0]


def operation_panel(stage: DataStage) -> OperationPanel:
    """The panel of the latest upload or other operation."""
    return next(panel for panel in stage.findChildren(OperationPanel) if panel.isVisibleTo(stage))


def operation_text(stage: DataStage) -> str:
    """The text of that panel."""
    panel = operation_panel(stage)
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def shown(stage: DataStage, kind: type[W]) -> W:
    """The only widget of a class in the stage."""
    part = stage.findChild(kind)
    assert isinstance(part, kind)
    return part


def buttons(stage: DataStage) -> dict[str, Button]:
    """The visible buttons by their texts."""
    return {button.text(): button for button in stage.findChildren(Button) if button.isVisible()}


async def opened(stage: DataStage, path: Path) -> None:
    """Open a file, and wait until its records are counted and validated."""
    stage.state.open_file(path)
    await checked(stage.state)
    await until(lambda: not stage.state.is_reading, 20)


async def wait_for_record_count(stage: DataStage, records: int) -> None:
    """Wait until the fetched dataset has this number of records."""

    def is_fully_visible() -> bool:
        dataset = stage.state.dataset.remote.dataset
        return dataset is not None and dataset.total_datapoint_count == records

    await until(is_fully_visible, 30)


def append_current_file(stage: DataStage) -> None:
    """Append the open file to the dataset, without the dialog."""
    work = stage.state.dataset
    dataset, rows = work.remote.dataset, work.records_to_append()
    assert dataset is not None
    assert rows is not None
    start_append(work, dataset, rows)


async def with_rejections(stage: DataStage, reviews: Path) -> None:
    """Open the file with a schema that rejects two of its records."""
    await opened(stage, reviews)
    stage.state.schema.set_type("picture", FieldType.IMAGE_URL)
    stage.state.schema.set_strict(is_strict=True)
    await checked(stage.state)
    await until(lambda: shown(stage, RejectionsTable).model().rowCount() == 2, 20)


def drop(on: QWidget, *paths: Path) -> None:
    """Drop files as the desktop does, which offers to move them."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    either = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    what = (either, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    entering, dropping = QDragEnterEvent(QPoint(9, 9), *what), QDropEvent(QPoint(9, 9), *what)
    for event in (entering, dropping):
        QApplication.sendEvent(on, event)
        assert event.isAccepted()
        assert event.dropAction() is Qt.DropAction.CopyAction, "the file stays where it is"


async def answer(stage: DataStage, path: Path | None) -> None:
    """Choose a path in the file dialog, or cancel it."""

    def file_dialogs() -> list[QFileDialog]:
        dialogs = stage.window().findChildren(QFileDialog)
        return [dialog for dialog in dialogs if dialog.isVisible()]

    await until(lambda: bool(file_dialogs()))
    (dialog,) = file_dialogs()
    if path is None:
        dialog.reject()
        return
    field, box = dialog.findChild(QLineEdit, "fileNameEdit"), dialog.findChild(QDialogButtonBox)
    assert field is not None
    assert box is not None
    field.setText(str(path))
    next(
        button for button in box.buttons() if box.buttonRole(button) == QDialogButtonBox.ButtonRole.AcceptRole
    ).click()
