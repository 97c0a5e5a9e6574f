"""Every stage shows foreign text as plain text, with a real service that stores it."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from batchwright.api.http.errors import BadRequest
from batchwright.layout.serialization import random_keys, read
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.projects import Project, RemoteBinding
from batchwright.local.recent_studies import Recent
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.service.process import ServiceAddress
from batchwright.ui.collections.stage import build_collections
from batchwright.ui.connections.sign_in import DialogMode, RemoveConnectionDialog, SignInDialog, SignInInput
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage import build as build_data
from batchwright.ui.editor.legacy_instructions import edit_instructions
from batchwright.ui.feedback.stage import FeedbackStage
from batchwright.ui.feedback.stage import build as build_feedback
from batchwright.ui.jobs.stage import build_jobs
from batchwright.ui.results.stage import ResultsStage, build_results
from batchwright.ui.run.stage import RunStage, build_run
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from batchwright.wire.batches import TaskDetails
from batchwright.wire.error_parsing import ErrorKind, ServiceError
from batchwright.workflows.data.upload_dataset import upload_dataset
from batchwright.workflows.messages import describe
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import session_at
from tests.ui.foreign_text import hostile, interpreted_texts, picture
from tests.ui.results.conftest import answer
from tests.ui.window_fixtures import OpenTestWindow, UnloadedImages

pytestmark = pytest.mark.gui
__all__ = ["hostile", "picture"]

W = TypeVar("W", bound=QWidget)
NOT_IN_NAMES = re.compile("[/\x00-\x1f]")
"""The service takes no file with one of these in its name."""


NOW = datetime(2026, 1, 2, tzinfo=UTC)


def key_of(text: str) -> str:
    """The text shortened to a valid field key."""
    return text.replace("\0", "").replace("w" * 300, "w")[:120]


def file_of(folder: Path, text: str) -> Path:
    """Write a file whose name, header and cells are the text, as far as possible."""
    path = folder / f"{NOT_IN_NAMES.sub(' ', key_of(text))}.csv"
    heading, cell = (entry.replace("\0", "").replace('"', '""') for entry in (key_of(text), text))
    path.write_text(f'"{heading}"\n"{cell}"\n"second"\n', encoding="utf-8")
    return path


async def with_data(session: ConnectionSession, study: Study, folder: Path, text: str) -> Path:
    """Open a study that consists of the text, and upload its data."""
    name = key_of(text)
    items = [
        {"type": "dataset_field", "field": name},
        {
            "type": "multiple_choice",
            "description": text,
            "answer_limit": 1,
            "options": [{"label": text, "value": "a"}, {"label": "B", "value": "b"}],
        },
    ]
    pages: list[Any] = [{"rows": [{"columns": [{"items": items}]}]}]
    schema = Schema(strict=True, fields={name: Field(FieldType.TEXT, name)})
    details = TaskDetails(task_name=text, task_introduction=text, task_steps=text)
    study.open(
        Project(text, read(pages, random_keys()), schema=schema, details=details), None, is_saved=False
    )
    path = file_of(folder, text)
    context = await session.context()
    brought = await upload_dataset(context, context.checkpoint(str(path)), text, schema, path)
    study.set_remote(
        session.connection.name,
        RemoteBinding(context.workspace_id, brought.dataset.id, brought.job.import_id),
    )
    return path


async def start(_project: Project) -> None:
    raise AssertionError("no test here begins a study")


def stages(study: Study, session: ConnectionSession) -> dict[str, Callable[[StageContext], QWidget]]:
    answers, collection = AnswersSource(), CollectionSelection()
    return {
        "data": lambda stage_context: build_data(stage_context, study, session, UnloadedImages()),
        "run": lambda stage_context: build_run(
            stage_context, study, session, start, edit_instructions, answers
        ),
        "results": lambda stage_context: build_results(stage_context, study, session, answers),
        "collections": lambda stage_context: build_collections(
            stage_context, study, session, start, answers, collection
        ),
        "feedback": lambda stage_context: build_feedback(stage_context, study, session),
        "jobs": lambda stage_context: build_jobs(stage_context, study, session, collection),
    }


def shown(window: Window, kind: type[W]) -> W:
    """The stage of a class."""
    stage = window.findChild(kind)
    assert isinstance(stage, kind)
    return stage


def shown_texts(window: QWidget) -> str:
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


async def test_every_stage_shows_foreign_text_as_plain_text(
    running: ServiceAddress, tmp_path: Path, window: Window, shell: ShellState, hostile: str
) -> None:
    tasks, study = Tasks(describe), Study()
    stage_context = window.stage_context(tasks)
    failures: list[str] = []
    tasks.failed.connect(lambda _name, message, _error: failures.append(message.what))
    window.resize(1024, 690)

    async def settled() -> None:
        await until(lambda: not tasks.running, 30)

    async with session_at(running, tmp_path) as session:
        path = await with_data(session, study, tmp_path, hostile)
        window._stack._stages |= {
            id: Stage(id, id, "table", build) for id, build in stages(study, session).items()
        }
        window.set_context(stage_context)
        shell.set_document(DocumentTitle(hostile, path=path))
        matches: dict[str, list[str]] = {}

        async def check_stage(where: str) -> None:
            await settled()
            QApplication.processEvents()
            window.grab()
            matches[where] = interpreted_texts(window)
            assert window.width() == 1024, f"{where} makes the window wider"

        shell.set_stage("data")
        await check_stage("data before a file is opened")
        shell.set_stage("run")
        await check_stage("run before the batch is created")
        run = shown(window, RunStage).state
        await answer(session, study, tasks, 2)
        run.remote_list.refresh()
        await check_stage("run")
        assert failures == []
        shell.set_stage("results")
        await check_stage("results")
        assert shown(window, ResultsStage).answers.table.model().rowCount() > 0
        shell.set_stage("data")
        stage = shown(window, DataStage)
        stage.state.open_file(path)
        await until(lambda: stage.state.validation.report is not None, 30)
        await check_stage("data")
        shell.set_stage("feedback")
        await check_stage("feedback")
        feedback = shown(window, FeedbackStage).state
        await feedback.add((path, path.with_suffix(".exe")))
        await check_stage("feedback with files")
        shell.set_stage("jobs")
        await check_stage("jobs")
        await tasks.aclose()
        session.close()
    assert {where: those for where, those in matches.items() if those} == {}


async def test_home_shows_foreign_text_as_plain_text(
    tmp_path: Path, hostile: str, at: OpenTestWindow
) -> None:
    stage = at.show_home()
    await at.settled()
    recents = (Recent(tmp_path / key_of(hostile).replace("/", " "), hostile, NOW),)
    owned = Connection(hostile, "https://example.org", hostile, owner=hostile, email=hostile)
    stage.state.show(recents, (THIS_COMPUTER, owned))
    QApplication.processEvents()
    at.window.grab()
    assert "R&D" in shown_texts(stage)
    assert interpreted_texts(at.window) == []


async def test_dialogs_and_notices_show_messages_of_a_service_as_plain_text(
    hostile: str, at: OpenTestWindow
) -> None:
    error = BadRequest("POST /batches", ServiceError(400, ErrorKind.GENERAL, (hostile,)))
    assert "R&D" in describe(error).what + describe(error).remedy
    at.tasks.report("", error)
    given = SignInInput(hostile, "https://example.org", hostile)
    for dialog in (
        RemoveConnectionDialog(hostile),
        SignInDialog(given, DialogMode.TOKEN),
        Dialog(hostile, hostile, hostile),
    ):
        ModalOverlay(at.window, dialog)
        QApplication.processEvents()
        assert "R&D" in shown_texts(dialog)
        assert interpreted_texts(at.window) == []
        assert dialog.width() <= at.window.width()
        dialog.reject()
