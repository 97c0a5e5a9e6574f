"""The Jobs stage in a narrow window and with large text: hidden columns move to a second line."""

import pytest
from PySide6.QtCore import QSize

from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.ui.jobs.stage import JobsModel, JobsStage
from batchwright.ui.jobs.state import JobFilter
from batchwright.ui.theme import Theme
from tests.ui.conftest import until
from tests.ui.jobs.test_stage import job

pytestmark = pytest.mark.gui


def first_row_text(rows: JobsModel) -> list[str]:
    """The texts of the first row."""
    return [str(rows.index(0, column).data()) for column in range(rows.columnCount())]


def test_hidden_columns_are_shown_on_a_second_line() -> None:
    rows = JobsModel(lambda _job: 5)
    rows.set_jobs([job(is_monitored=True)], JobFilter())
    assert first_row_text(rows)[2:] == ["868 accepted, 32 rejected", first_row_text(rows)[3], "in 5 s"]
    start = first_row_text(rows)[3]
    rows.set_collapsed(is_collapsed=True)
    assert first_row_text(rows)[0] == f"Import cats.csv, Prolific · {start}"
    assert first_row_text(rows)[2] == "868 accepted, 32 rejected, Next check: in 5 s"
    rows.set_jobs([job(is_monitored=True, poll_failure=PollFailure.SIGNED_OUT)], JobFilter())
    assert first_row_text(rows)[2].endswith("Next check: when signed in")
    rows.set_jobs([job("done", "complete")], JobFilter())
    assert first_row_text(rows)[2] == "868 accepted, 32 rejected"


async def test_a_column_keeps_the_width_set_by_the_user(stage: JobsStage, theme: Theme) -> None:
    stage.window().resize(QSize(1440, 900))
    await until(lambda: not stage.table.isColumnHidden(4))
    wide = stage.table.columnWidth(0)
    stage.table.setColumnWidth(1, 222)
    stage.window().resize(QSize(1200, 800))
    await until(lambda: stage.table.columnWidth(0) < wide)
    stage.table.setColumnWidth(0, 333)
    before = stage.width()
    stage.window().resize(QSize(1300, 850))
    await until(lambda: stage.width() > before)
    assert (stage.table.columnWidth(0), stage.table.columnWidth(1)) == (333, 222)
    theme.set_text_size(125)
    assert stage.table.columnWidth(1) == theme.px(150)


async def test_header_and_columns_adapt_to_width_and_text_size(stage: JobsStage, theme: Theme) -> None:
    stage.window().resize(QSize(1440, 900))
    await until(lambda: not stage.table.isColumnHidden(4))
    assert abs(stage.poll_button.geometry().center().y() - stage.kind.geometry().center().y()) <= 2
    theme.set_text_size(150)
    stage.window().resize(QSize(1024, 700))
    await until(lambda: stage.table.isColumnHidden(4))
    await until(lambda: stage.search.width() >= theme.px(160))
    text_width = stage.kind.fontMetrics().horizontalAdvance(stage.kind.currentText())
    assert stage.kind.width() > text_width + theme.px(24)
    assert stage.table.columnWidth(2) > theme.px(150)
