"""The Results stage, with answers at a real service."""

import csv
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.api.http.errors import Unreachable
from batchwright.ui.results.actions import export_disabled_reason, report_disabled_reason
from batchwright.ui.results.commands import download
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.study.downloads import DownloadKind
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.notices import NoticeSeverity
from tests.ui.conftest import until
from tests.ui.results.conftest import control, has_text, matching, settled, shown, texts
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("participants", [2])
async def test_answers_are_shown_one_per_row(stage: ResultsStage) -> None:
    assert stage.answers.table.model().rowCount() == 12
    assert set(texts(stage, "Question")) >= {"Why?"}
    assert shown(stage)[0].startswith("51b0")
    assert stage.state.answers.overview.summary.answers == 12
    assert "12 answers from 2 participants" in {label.text() for label in stage.findChildren(QLabel)}


@pytest.mark.parametrize("participants", [2])
async def test_column_widths_follow_the_text_size(stage: ResultsStage, theme: Theme) -> None:
    table = stage.answers.table
    last = table.model().columnCount() - 1
    before = table.columnWidth(last)
    theme.set_text_size(150)
    assert table.columnWidth(last) == round(before * 1.5)


@pytest.mark.parametrize("participants", [2])
async def test_filters_reduce_the_rows_of_the_table(stage: ResultsStage) -> None:
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
    assert stage.state.grid.query == AnswerQuery(
        questions=(overview.questions[0].id,), participants=(overview.participants[0],)
    )


async def test_selecting_a_row_shows_its_details_until_escape(stage: ResultsStage) -> None:
    table, reader = stage.answers.table, stage.answers.detail
    assert not reader.isVisible()
    table.setFocus()
    table.selectRow(0)
    await until(lambda: has_text(reader, "Why?"))
    QTest.keyClick(table, Qt.Key.Key_Escape)
    assert not reader.isVisible()
    table.selectRow(0)
    await until(reader.isVisible)
    stage.state.answers.refresh()
    await settled(stage.context.window.tasks)
    assert reader.isVisible(), "a refresh without changes keeps the panel open"
    press(reader, "Close")
    assert not reader.isVisible()
    assert table.hasFocus()


@pytest.mark.parametrize(
    ("what", "suffix", "text"),
    [
        (DownloadKind.REPORT, "csv", "6 answers, verified"),
        (DownloadKind.EXPORT, "zip", "6 answers, verified"),
        (DownloadKind.ANSWERS, "json", "6 answers"),
    ],
)
async def test_every_download_is_complete_and_verified(
    stage: ResultsStage, what: DownloadKind, suffix: str, text: str, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = tmp_path / f"out.{suffix}"
    stage.context.window.tasks.start("download", lambda: download(stage.context, what))
    await settled(stage.context.window.tasks)
    (card,) = stage.context.window.notices.cards
    assert card.notice.severity is NoticeSeverity.SUCCESS, card.notice.text
    assert card.notice.text == f"out.{suffix}: {text}"
    assert not stage.state.is_downloading
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


@pytest.mark.parametrize("participants", [0])
async def test_without_a_batch_the_stage_shows_a_placeholder(stage: ResultsStage) -> None:
    assert has_text(stage, "No answers yet")
    assert not stage.header.primary.isEnabled()
    for button in (stage.header.primary, stage.header.report_button, stage.header.save_button):
        assert not button.isEnabled()
        assert button.toolTip() == "Create the batch or collection first"
    entries = {entry.text: entry for entry in stage.context.window.actions.palette_entries()}
    assert entries["Download report…"].disabled_reason == "Create the batch or collection first"


async def test_without_answers_the_buttons_say_why_they_are_disabled(stage: ResultsStage) -> None:
    stage.state.answers.clear_answers(AnswerStore())
    assert report_disabled_reason(stage.context) == "There are no answers yet"
    assert "creates an export once and keeps it" in export_disabled_reason(stage.context)


async def test_the_stage_is_painted_without_a_warning(stage: ResultsStage) -> None:
    stage.answers.table.selectRow(0)
    picture = QImage(QSize(1200, 800), QImage.Format.Format_RGB32)
    stage.render(picture)
    assert not picture.isNull()


@pytest.mark.parametrize("participants", [2])
async def test_answers_stay_while_the_service_is_unreachable(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = await stage.state.session.context()

    async def away(batch_id: str) -> None:
        raise Unreachable("GET", "connection refused", arrived=False)

    monkeypatch.setattr(context.service.batches, "get", away)
    stage.state.answers.refresh()
    await settled(stage.context.window.tasks)
    assert stage.state.answers.error is not None
    assert stage.answers.table.model().rowCount() == 12


@pytest.mark.parametrize("participants", [2])
async def test_a_deleted_batch_has_no_answers(stage: ResultsStage, monkeypatch: pytest.MonkeyPatch) -> None:
    study, name = stage.state.study, stage.state.session.connection.name
    deleted = replace(study.remote(name), batch_id="01900000-0000-7000-8000-000000000000")
    study.set_remote(name, deleted)
    stage.state.answers.refresh()
    await settled(stage.context.window.tasks)
    assert not stage.state.answers.has_answers
    assert has_text(stage, "No answers yet")
