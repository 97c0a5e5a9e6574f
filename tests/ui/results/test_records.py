"""Results say which record an answer is about, and show all of it."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.layout.reading import fresh_keys, read
from batchwright.local.projects import DataFile, Project, Remote
from batchwright.records.schema import Field, FieldType, Schema
from batchwright.service.host import Running
from batchwright.tables.formats import Format, Kind
from batchwright.ui.results.reader import Reader
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
from tests.ui.desks import AnswersForFiles
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


async def bring_table(session: Session, study: Study, table: Path) -> None:
    """Open a study whose data is a table, and upload that."""
    bench = await session.bench()
    brought = await bring_data(bench, bench.trail(str(table)), "Cats", SCHEMA, table)
    remote = Remote(bench.workspace_id, brought.dataset.id, brought.job.import_id)
    data = DataFile(table, len(TABLE.encode()), Format(Kind.CSV))
    project = Project("Cats", read(LAYOUT, fresh_keys()), schema=SCHEMA, details=DETAILS, data=data)
    study.open(project, None, is_saved=False)
    study.set_remote(session.connection.name, remote)


def test_a_task_is_known_by_what_its_record_says_and_the_reader_shows_all_of_it(
    loop: Loop, running: Running, tmp_path: Path, window: Window, model: ShellViewModel
) -> None:
    table = tmp_path / "prompts.csv"
    table.write_text(TABLE, encoding="utf-8")

    async def flow() -> None:
        tasks = Tasks(describe)
        frame = window.frame_with(tasks)
        async with session_at(running, tmp_path) as session:
            study = Study()
            await bring_table(session, study, table)
            await answer(session, study, tasks, 1)
            results = ResultsViewModel(study, session, tasks, describe)
            stage = ResultsStage(frame, results, AnswersForFiles())
            window._stack._stages["results"] = Stage("results", "Results", "chart-bar", lambda _frame: stage)
            window.open_with(frame)
            model.set_document(Document("Cats"))
            model.set_stage("results")
            await settled(tasks)
            rows = stage.answers.table.model()
            titles = {str(rows.index(row, 1).data()) for row in range(rows.rowCount())}
            assert titles == {"How do I keep basil alive?", "Which wood burns longest?"}
            stage.answers.table.selectRow(0)
            texts = {label.text() for label in stage.findChildren(Reader)[0].findChildren(QLabel)}
            assert {"price", "61,5", "row", "prompt", str(rows.index(0, 1).data())} <= texts
            sheets = results.answers.sheets
            results.look()
            await settled(tasks)
            assert results.answers.sheets is sheets, "what is known already is not drawn anew"
            await tasks.aclose()

    loop.run_until_complete(flow())
