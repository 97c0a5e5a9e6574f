"""The Results stage, with answers at a real service."""

import asyncio
import csv
import json
import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.api.errors import Unreachable
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.actions import export_disabled_reason, report_disabled_reason
from batchwright.ui.results.commands import download
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.state import ResultsState
from batchwright.ui.run.commands import start_set_up, start_simulation
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.downloads import DownloadKind
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.notices import NoticeSeverity
from batchwright.workflows.messages import describe
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import session_at, upload_study_data
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui
Loop = asyncio.AbstractEventLoop
W = TypeVar("W", bound=QWidget)
Steps = Callable[[ResultsStage], Awaitable[None]]
RunSteps = Callable[[Steps, int], None]


async def settled(tasks: Tasks) -> None:
    """Wait until no task is running."""
    await until(lambda: not tasks.running, 30)


async def answer(session: ConnectionSession, study: Study, tasks: Tasks, participants: int) -> None:
    """Create the batch of a study and let participants answer; without participants, create no batch."""
    if not participants:
        return
    run = RunState(study, session, tasks)
    start_publish(run, run.own)
    await settled(tasks)
    start_set_up(run, 2)
    await settled(tasks)
    start_simulation(run, SimulationOptions(participants, participants))
    await settled(tasks)


@pytest.fixture
def files(tmp_path: Path) -> FakeFileDialogs:
    return FakeFileDialogs()


@pytest.fixture
def run_steps(
    loop: Loop,
    running: ServiceAddress,
    tmp_path: Path,
    window: Window,
    shell: ShellState,
    files: FakeFileDialogs,
) -> RunSteps:
    async def flow(steps: Steps, participants: int) -> None:
        tasks = Tasks(describe)
        stage_context = window.stage_context(tasks)
        async with session_at(running, tmp_path) as session:
            study = Study()
            await upload_study_data(session, study, tmp_path)
            await answer(session, study, tasks, participants)
            stage = ResultsStage(stage_context, ResultsState(study, session, tasks), files)
            window._stack._stages["results"] = Stage("results", "Results", "chart-bar", lambda _frame: stage)
            window.set_context(stage_context)
            shell.set_document(DocumentTitle("Cats"))
            shell.set_stage("results")
            await settled(tasks)
            await steps(stage)
            stage.state.remote.set_active(is_active=False)  # a poll without a running loop would be an error
            await tasks.aclose()

    return lambda steps, participants: loop.run_until_complete(flow(steps, participants))


def shown(stage: ResultsStage) -> list[str]:
    """The texts of the first row."""
    rows = stage.answers.table.model()
    return [str(rows.index(0, column).data()) for column in range(rows.columnCount())]


def has_text(stage: QWidget, text: str) -> bool:
    """Whether a visible widget has this text."""
    return any(
        widget.accessibleName() == text and widget.isVisible() for widget in stage.findChildren(QWidget)
    )


async def matching(stage: ResultsStage, count: int) -> None:
    """Wait until the grid has a number of rows."""
    await until(lambda: stage.answers.table.model().rowCount() == count)


def control(stage: ResultsStage, kind: type[W], name: str) -> W:
    """The control with an accessible name."""
    (found,) = (widget for widget in stage.findChildren(kind) if widget.accessibleName() == name)
    return found


def column_of(stage: ResultsStage, heading: str) -> int:
    """The index of the column with a heading."""
    rows = stage.answers.table.model()
    headings = [rows.headerData(number, Qt.Orientation.Horizontal) for number in range(rows.columnCount())]
    return headings.index(heading)


def texts(stage: ResultsStage, heading: str) -> list[str]:
    """The texts of a column."""
    rows, column = stage.answers.table.model(), column_of(stage, heading)
    return [str(rows.index(row, column).data()) for row in range(rows.rowCount())]


def test_answers_are_shown_one_per_row(run_steps: RunSteps) -> None:
    async def steps(stage: ResultsStage) -> None:
        assert stage.answers.table.model().rowCount() == 12
        assert set(texts(stage, "Question")) >= {"Why?"}
        assert shown(stage)[0].startswith("51b0")
        assert stage.state.answers.overview.summary.answers == 12
        assert "12 answers from 2 participants" in {label.text() for label in stage.findChildren(QLabel)}

    run_steps(steps, 2)


def test_column_widths_follow_the_text_size(run_steps: RunSteps, theme: Theme) -> None:
    async def steps(stage: ResultsStage) -> None:
        table = stage.answers.table
        last = table.model().columnCount() - 1
        before = table.columnWidth(last)
        theme.set_text_size(150)
        assert table.columnWidth(last) == round(before * 1.5)

    run_steps(steps, 2)


def test_filters_reduce_the_rows_of_the_table(run_steps: RunSteps) -> None:
    async def steps(stage: ResultsStage) -> None:
        search = control(stage, QLineEdit, "Search answers")
        search.setText("no answer contains this")
        await matching(stage, 0)
        await until(lambda: has_text(stage, "No matching answers"))
        press(stage, "Show all answers")
        await matching(stage, 12)
        assert search.text() == ""
        control(stage, QComboBox, "Participant").setCurrentIndex(1)
        await matching(stage, 6)
        control(stage, QComboBox, "Question").setCurrentIndex(1)
        await matching(stage, 2)
        overview = stage.state.answers.overview
        assert stage.state.list.query == AnswerQuery(
            questions=(overview.questions[0].id,), participants=(overview.participants[0],)
        )

    run_steps(steps, 2)


def test_selecting_a_row_shows_its_details_until_escape(run_steps: RunSteps) -> None:
    async def steps(stage: ResultsStage) -> None:
        table, reader = stage.answers.table, stage.answers.detail
        assert not reader.isVisible()
        table.setFocus()
        table.selectRow(0)
        await until(lambda: has_text(reader, "Why?"))
        QTest.keyClick(table, Qt.Key.Key_Escape)
        assert not reader.isVisible()
        table.selectRow(0)
        await until(reader.isVisible)
        stage.state.remote.refresh()
        await settled(stage.context.window.tasks)
        assert reader.isVisible(), "a refresh without changes keeps the panel open"
        press(reader, "Close")
        assert not reader.isVisible()
        assert table.hasFocus()

    run_steps(steps, 1)


@pytest.mark.parametrize(
    ("what", "suffix", "text"),
    [
        (DownloadKind.REPORT, "csv", "6 answers, verified"),
        (DownloadKind.EXPORT, "zip", "6 answers, verified"),
        (DownloadKind.ANSWERS, "json", "6 answers"),
    ],
)
def test_every_download_is_complete_and_verified(
    what: DownloadKind, suffix: str, text: str, run_steps: RunSteps, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = tmp_path / f"out.{suffix}"

    async def steps(stage: ResultsStage) -> None:
        stage.context.window.tasks.start("download", lambda: download(stage.context, what))
        await settled(stage.context.window.tasks)
        (card,) = stage.context.window.notices.cards
        assert card.notice.severity is NoticeSeverity.SUCCESS, card.notice.text
        assert card.notice.text == f"out.{suffix}: {text}"
        assert not stage.state.is_downloading

    run_steps(steps, 1)
    assert files.proposed is not None
    assert files.proposed.name == f"Cats {what.name.lower()}.{suffix}"
    if what is DownloadKind.REPORT:
        with files.path.open(encoding="utf-8", newline="") as report:
            assert len(list(csv.reader(report))) == 1 + 2 * 3
    elif what is DownloadKind.EXPORT:
        with zipfile.ZipFile(files.path) as archive:
            assert "responses-by-task.jsonl" in archive.namelist()
    else:
        assert len(json.loads(files.path.read_bytes())) == 6


def test_without_a_batch_the_stage_shows_a_placeholder(run_steps: RunSteps) -> None:
    async def steps(stage: ResultsStage) -> None:
        assert has_text(stage, "No answers yet")
        assert not stage.header.primary.isEnabled()
        for button in (stage.header.primary, stage.header.report_button, stage.header.save_button):
            assert not button.isEnabled()
            assert button.toolTip() == "Create the batch or collection first"
        entries = {entry.text: entry for entry in stage.context.window.actions.palette_entries()}
        assert entries["Download report…"].disabled_reason == "Create the batch or collection first"

    run_steps(steps, 0)


def test_without_answers_the_buttons_say_why_they_are_disabled(run_steps: RunSteps) -> None:
    async def steps(stage: ResultsStage) -> None:
        stage.state.answers.clear(AnswerStore())
        assert report_disabled_reason(stage.context) == "There are no answers yet"
        assert "creates an export once and keeps it" in export_disabled_reason(stage.context)

    run_steps(steps, 1)


def test_the_stage_is_painted_without_a_warning(run_steps: RunSteps) -> None:
    async def steps(stage: ResultsStage) -> None:
        stage.answers.table.selectRow(0)
        picture = QImage(QSize(1200, 800), QImage.Format.Format_RGB32)
        stage.render(picture)
        assert not picture.isNull()

    run_steps(steps, 1)


def test_answers_stay_while_the_service_is_unreachable(
    run_steps: RunSteps, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(stage: ResultsStage) -> None:
        context = await stage.state.session.context()

        async def away(batch_id: str) -> None:
            raise Unreachable("GET", "connection refused", arrived=False)

        monkeypatch.setattr(context.service.batches, "get", away)
        stage.state.remote.refresh()
        await settled(stage.context.window.tasks)
        assert stage.state.remote.error is not None
        assert stage.answers.table.model().rowCount() == 12

    run_steps(steps, 2)


def test_a_deleted_batch_has_no_answers(run_steps: RunSteps, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(stage: ResultsStage) -> None:
        study, name = stage.state.study, stage.state.session.connection.name
        deleted = replace(study.remote(name), batch_id="01900000-0000-7000-8000-000000000000")
        study.set_remote(name, deleted)
        stage.state.remote.refresh()
        await settled(stage.context.window.tasks)
        assert not stage.state.answers.has_answers
        assert has_text(stage, "No answers yet")

    run_steps(steps, 2)
