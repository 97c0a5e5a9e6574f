"""Results say which record an answer is about, and show all of it."""

import asyncio
import csv
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.layout.reading import fresh_keys, read
from batchwright.local.projects import DataFile, Project, Remote
from batchwright.records.schema import Field, FieldType, Schema
from batchwright.service.host import Running
from batchwright.tables.formats import Format, Kind
from batchwright.ui.kit.choices import Switch
from batchwright.ui.results import view_model
from batchwright.ui.results.reader import Reader
from batchwright.ui.results.report_dialog import ReportDialog
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.view_model import ResultsViewModel
from batchwright.ui.session import Session
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.view_model import Document, ShellViewModel
from batchwright.ui.shell.window import Window
from batchwright.ui.study import Study
from batchwright.ui.tasks import Tasks
from batchwright.workflows.bring_data import bring_data
from batchwright.workflows.messages import describe
from tests.api.study import DETAILS, LAYOUT
from tests.ui.benches import session_at
from tests.ui.conftest import until
from tests.ui.desks import AnswersForFiles, press
from tests.ui.results.test_stage import answer, settled

pytestmark = pytest.mark.gui

Loop = asyncio.AbstractEventLoop

SCHEMA = Schema(
    strict=False,
    fields={
        "price": Field(FieldType.METADATA),
        "row": Field(FieldType.METADATA),
        "prompt": Field(FieldType.TEXT, "Prompt"),
    },
)
TABLE = 'price,row,prompt\n"61,5",1,How do I keep basil alive?\n"61,5",2,Which wood burns longest?\n'


Steps = Callable[[ResultsStage], Awaitable[None]]
Do = Callable[[Steps, str], None]


async def bring_table(session: Session, study: Study, table: Path) -> None:
    """Open a study whose data is a table, and upload that."""
    bench = await session.bench()
    brought = await bring_data(bench, bench.trail(str(table)), "Cats", SCHEMA, table)
    remote = Remote(bench.workspace_id, brought.dataset.id, brought.job.import_id)
    size = (await asyncio.to_thread(table.stat)).st_size
    data = DataFile(table, size, Format(Kind.CSV))
    project = Project("Cats", read(LAYOUT, fresh_keys()), schema=SCHEMA, details=DETAILS, data=data)
    study.open(project, None, is_saved=False)
    study.set_remote(session.connection.name, remote)


@pytest.fixture
def files() -> AnswersForFiles:
    return AnswersForFiles()


@pytest.fixture
def do(
    loop: Loop,
    running: Running,
    tmp_path: Path,
    window: Window,
    model: ShellViewModel,
    files: AnswersForFiles,
) -> Do:
    """Takes steps at a stage with the answers of one participant to every record of a table."""

    async def flow(steps: Steps, content: str) -> None:
        table = tmp_path / "prompts.csv"
        await asyncio.to_thread(table.write_text, content, encoding="utf-8")
        tasks = Tasks(describe)
        frame = window.frame_with(tasks)
        async with session_at(running, tmp_path) as session:
            study = Study()
            await bring_table(session, study, table)
            await answer(session, study, tasks, 1)
            stage = ResultsStage(frame, ResultsViewModel(study, session, tasks, describe), files)
            window._stack._stages["results"] = Stage("results", "Results", "chart-bar", lambda _frame: stage)
            window.open_with(frame)
            model.set_document(Document("Cats"))
            model.set_stage("results")
            await settled(tasks)
            await steps(stage)
            await tasks.aclose()

    return lambda steps, content: loop.run_until_complete(flow(steps, content))


def test_a_task_is_known_by_what_its_record_says_and_the_reader_shows_all_of_it(do: Do) -> None:
    async def steps(stage: ResultsStage) -> None:
        rows = stage.answers.table.model()
        titles = {str(rows.index(row, 1).data()) for row in range(rows.rowCount())}
        assert titles == {"How do I keep basil alive?", "Which wood burns longest?"}
        stage.answers.table.selectRow(0)
        texts = {label.text() for label in stage.findChildren(Reader)[0].findChildren(QLabel)}
        assert {"price", "61,5", "row", "prompt", str(rows.index(0, 1).data())} <= texts
        sheets = stage.model.answers.sheets
        stage.model.look()
        await settled(stage._frame.tasks)
        assert stage.model.answers.sheets is sheets, "what is known already is not drawn anew"

    do(steps, TABLE)


def test_records_found_while_the_answers_are_fetched_again_are_shown(
    do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(stage: ResultsStage) -> None:
        model = stage.model
        found, read = dict(model._records), view_model._read
        model._records.clear()

        def read_while_they_are_found(*args: Any) -> object:
            made = read(*args)
            model._records.update(found)
            return made

        monkeypatch.setattr(view_model, "_read", read_while_they_are_found)
        model.look()
        await settled(stage._frame.tasks)
        assert all(sheet.is_whole_record for sheet in model.answers.sheets)

    do(steps, TABLE)


@pytest.mark.parametrize(("is_safe", "cell"), [(False, "=1+1"), (True, "'=1+1")])
def test_a_report_is_verbatim_unless_it_is_to_be_safe_for_spreadsheets(
    is_safe: bool, cell: str, do: Do, files: AnswersForFiles, tmp_path: Path
) -> None:
    files.path = tmp_path / "report.csv"

    async def steps(stage: ResultsStage) -> None:
        press(stage, "Report CSV")
        await until(lambda: bool(stage.window().findChildren(ReportDialog)))
        (dialog,) = stage.window().findChildren(ReportDialog)
        (switch,) = dialog.findChildren(Switch)
        assert not switch.isChecked()
        switch.setChecked(is_safe)
        dialog.act.click()
        await settled(stage._frame.tasks)
        (card,) = stage._frame.notices.cards
        assert ("safe for spreadsheets" in card.notice.title) == is_safe
        assert card.notice.line == "report.csv: 3 answers, checked"

    do(steps, "price,row,prompt\n1,1,=1+1\n")
    with files.path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert {row[header.index("prompt")] for row in rows} == {cell}
