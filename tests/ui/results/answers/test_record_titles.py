"""Results show the record of each answer in full."""

import asyncio
import csv
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.analysis.store.answer_query import AnswerRow
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.api.http.errors import Unreachable
from batchwright.base.resources import resource
from batchwright.client.checkpoint import file_sha256
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.serialization import random_keys, read
from batchwright.local.connections import Connection
from batchwright.local.projects import DataFile, Project, RemoteBinding
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.answers import records as record_search
from batchwright.ui.results.commands import SaveReportDialog
from batchwright.ui.results.save.save_dialog import SaveDialog
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.study.data_fingerprint import current_data
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.toggles import Switch
from batchwright.workflows.answers.answered_layouts import AnsweredLayouts
from batchwright.workflows.answers.download_results import download_export
from batchwright.workflows.data.find_records import find_records_in_report
from batchwright.workflows.data.upload_dataset import upload_dataset
from tests.analysis.answers import record
from tests.api.studies import DETAILS, LAYOUT
from tests.ui.conftest import until
from tests.ui.results.conftest import settled, texts
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui

SCHEMA = Schema(
    strict=False,
    fields={
        "price": Field(FieldType.METADATA),
        "row": Field(FieldType.METADATA),
        "prompt": Field(FieldType.TEXT, "Prompt"),
    },
)
REPEATING = Schema(
    strict=False, fields={"price": Field(FieldType.METADATA), "prompt": Field(FieldType.TEXT, "Prompt")}
)
WITHOUT_METADATA = Schema(
    strict=False,
    fields={name: Field(FieldType.TEXT, name.title()) for name in ("price", "row", "prompt")},
)
TABLE = 'price,row,prompt\n"61,5",1,How do I keep basil alive?\n"61,5",2,Which wood burns longest?\n'


async def upload_table(session: ConnectionSession, study: Study, table: Path, schema: Schema) -> None:
    """Open a study with this table as its data, and upload it."""
    context = await session.context()
    brought = await upload_dataset(context, context.checkpoint(str(table)), "Cats", schema, table)
    remote = RemoteBinding(context.workspace_id, brought.dataset.id, brought.job.import_id)
    size = (await asyncio.to_thread(table.stat)).st_size
    data = DataFile(table, size, Format(FormatKind.CSV))
    project = Project("Cats", read(LAYOUT, random_keys()), schema=schema, details=DETAILS, data=data)
    study.open(project, None, is_saved=False)
    study.set_remote(session.connection.name, remote)


@pytest.fixture
def content() -> str:
    return TABLE


@pytest.fixture
def schema() -> Schema:
    return SCHEMA


@pytest.fixture
async def uploaded_study(session: ConnectionSession, tmp_path: Path, content: str, schema: Schema) -> Study:
    """A study whose data is a table; the participant answers about each of its records."""
    table, study = tmp_path / "prompts.csv", Study()
    await asyncio.to_thread(table.write_text, content, encoding="utf-8")
    await upload_table(session, study, table, schema)
    return study


def read_texts(stage: ResultsStage) -> set[str]:
    """The texts of the detail panel."""
    reader = stage.answers.detail
    assert reader.isVisible()
    return {label.text() for label in reader.findChildren(QLabel) if label.isVisible()}


async def reads(stage: ResultsStage, texts: set[str]) -> None:
    """Wait until the detail panel shows all of these texts."""
    await until(lambda: texts <= read_texts(stage))


async def prompts_by_task(stage: ResultsStage, folder: Path) -> dict[str, str]:
    """The prompt of the record of each task, from the export."""
    assert stage.state.source.remote_study is not None
    archive = folder / "export.zip"
    await download_export(await stage.state.session.context(), stage.state.source.remote_study, archive)

    def read_archive() -> dict[str, str]:
        with zipfile.ZipFile(archive) as members:
            lines = members.read("responses-by-task.jsonl").decode().splitlines()
        return {line["task_id"]: line["datapoint"]["prompt"] for line in map(json.loads, lines)}

    return await asyncio.to_thread(read_archive)


async def test_a_task_is_titled_by_its_record_and_the_detail_panel_shows_the_record(
    stage: ResultsStage,
) -> None:
    titles = texts(stage, "Task")
    assert set(titles) == {"How do I keep basil alive?", "Which wood burns longest?"}
    stage.answers.table.selectRow(0)
    await reads(stage, {"price", "61,5", "row", "prompt", titles[0]})
    shown = stage.state.grid.rows
    stage.state.answers.refresh()
    await settled(stage.context.window.tasks)
    assert stage.state.grid.rows is shown, "the same answers are not shown again"


@pytest.mark.parametrize("content", [TABLE.replace("?", 40 * "unbroken")])
async def test_a_long_word_in_a_record_is_wrapped_so_that_nothing_is_cut_off(stage: ResultsStage) -> None:
    stage.answers.table.selectRow(0)
    area = stage.answers.detail.findChild(VerticalScrollArea)
    assert area is not None
    content = area.widget()
    assert content is not None
    await until(lambda: any(label.text() == "prompt" for label in content.findChildren(QLabel)))
    await until(lambda: content.minimumSizeHint().width() <= area.viewport().width())


@pytest.mark.parametrize("schema", [REPEATING, WITHOUT_METADATA])
async def test_a_record_not_identified_by_metadata_is_read_from_the_report(
    stage: ResultsStage, schema: Schema, tmp_path: Path
) -> None:
    prompts = await prompts_by_task(stage, tmp_path)
    assert len(prompts) == 2
    assert stage.state.grid.rows is not None
    for row, shown in enumerate(stage.state.grid.rows.rows(0, 6)):
        title = stage.state.answers.title_of(shown.task)
        assert title in (prompts[shown.task], shown.fields.get("row"))
        stage.answers.table.selectRow(row)
        await reads(stage, {*schema.fields, "61,5", prompts[shown.task]})
        assert not any("found" in text or "Loading the record" in text for text in read_texts(stage))
    jobs = await stage.state.session.job_watcher()
    rows = await asyncio.to_thread(jobs.rows.latest)
    assert "report.csv" not in {job.title for job in rows}, "a download for display is not a job"


@pytest.mark.parametrize("change", ["in the file", "in the study"])
async def test_records_are_those_that_participants_saw_if_the_data_was_changed_since(
    stage: ResultsStage, change: str
) -> None:
    study, connection = stage.state.study, stage.state.session.connection.name
    data = study.data
    assert data is not None
    content = current_data(study, await asyncio.to_thread(file_sha256, data.path))
    assert content is not None
    study.set_remote(connection, replace(study.remote(connection), delivered=content.stored))
    changed = TABLE.replace("basil", "thyme")
    if change == "in the file":
        await asyncio.to_thread(data.path.write_text, changed, encoding="utf-8")
    else:
        other = data.path.with_name("other.csv")
        await asyncio.to_thread(other.write_text, changed, encoding="utf-8")
        study.set_data(replace(data, path=other))
    stage.state.answers.clear_answers(AnswerStore())
    stage.state.answers.clear()
    stage.state.answers.refresh()
    await settled(stage.context.window.tasks)
    prompts = {record["prompt"] for record in stage.state.records.found.values()}
    assert prompts == {"How do I keep basil alive?", "Which wood burns longest?"}


@pytest.fixture
def rejected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The reports that the service was asked for; it returns none."""
    rejected = list[str]()

    async def refuse(*_args: object) -> dict[str, dict[str, str]]:
        rejected.append("GET report")
        raise Unreachable("GET report", "no network", arrived=False)

    monkeypatch.setattr(record_search, "find_records_in_report", refuse)
    return rejected


@pytest.mark.usefixtures("rejected")  # before the stage is built
@pytest.mark.parametrize("schema", [REPEATING])
async def test_if_the_report_cannot_be_fetched_the_metadata_is_shown(
    stage: ResultsStage, rejected: list[str]
) -> None:
    for row in (0, 1):
        stage.answers.table.selectRow(row)
        await until(lambda: any("Only its metadata is known" in text for text in read_texts(stage)))
        assert {"price", "61,5"} <= read_texts(stage)
    assert len(rejected) == 1
    assert not stage.context.window.notices.cards


@pytest.mark.parametrize("schema", [REPEATING])
async def test_a_report_fetched_for_another_study_is_discarded(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_fetched, may_come = asyncio.Event(), asyncio.Event()

    async def come_late(*args: Any) -> dict[str, dict[str, str]]:
        matches = await find_records_in_report(*args)
        assert matches
        is_fetched.set()
        await may_come.wait()
        return matches

    monkeypatch.setattr(record_search, "find_records_in_report", come_late)
    stage.state.answers.clear_answers(AnswerStore())
    stage.state.answers.clear()
    stage.state.answers.refresh()
    await until(lambda: stage.answers.table.model().rowCount() > 0)
    stage.answers.table.selectRow(0)
    await is_fetched.wait()
    stage.state.study.open(Project("Dogs", read(LAYOUT, random_keys())), None, is_saved=False)
    await until(lambda: not stage.answers.detail.isVisible())
    may_come.set()
    await settled(stage.context.window.tasks)
    assert not stage.state.records.found


@pytest.mark.parametrize("schema", [REPEATING])
async def test_results_are_saved_with_the_records_that_are_being_looked_up(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_fetched, may_come = asyncio.Event(), asyncio.Event()

    async def come_late(*args: Any) -> dict[str, dict[str, str]]:
        is_fetched.set()
        await may_come.wait()
        return await find_records_in_report(*args)

    monkeypatch.setattr(record_search, "find_records_in_report", come_late)
    stage.state.answers.clear_answers(AnswerStore())
    stage.state.answers.clear()
    stage.state.answers.refresh()
    await is_fetched.wait()
    window, shell = stage.context.window.window, stage.context.window.shell
    stage.context.window.actions.run(ActionId.RESULTS_SAVE)
    await until(lambda: shell.activity == ActivityStatus("Loading the records"))
    may_come.set()
    await until(lambda: bool(window.findChildren(SaveDialog)), 30)
    (dialog,) = window.findChildren(SaveDialog)
    assert "prompt" in dialog._summary.fields
    assert shell.activity is None
    press(dialog, "Cancel")
    await settled(stage.context.window.tasks)


def test_only_answers_to_the_tasks_that_are_searched_for_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    store, rows_of, read = AnswerStore(), AnswerStore.rows_of, list[int]()

    def counted(store: AnswerStore, numbers: Sequence[int]) -> tuple[AnswerRow, ...]:
        read.extend(numbers)
        return rows_of(store, numbers)

    monkeypatch.setattr(AnswerStore, "rows_of", counted)
    store.append(record("p", f"t{task}", "reason", "x") for task in range(4))
    for tasks in (set[str](), {"t2"}):
        found = record_search._answers_without_record(store, tasks, AnsweredLayouts())
        assert {answer.task_id for answer in found} == tasks
    assert read == [2]


@pytest.mark.parametrize(("is_safe", "cell"), [(False, "=1+1"), (True, "'=1+1")])
@pytest.mark.parametrize("content", ["price,row,prompt\n1,1,=1+1\n"], ids=["formula"])
async def test_a_report_is_verbatim_unless_formulas_are_escaped(
    stage: ResultsStage, is_safe: bool, cell: str, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = tmp_path / "report.csv"
    press(stage, "Report CSV")
    await until(lambda: bool(stage.window().findChildren(SaveReportDialog)))
    (dialog,) = stage.window().findChildren(SaveReportDialog)
    (switch,) = dialog.findChildren(Switch)
    assert switch.isChecked()
    switch.setChecked(is_safe)
    dialog.accept_button.click()
    await settled(stage.context.window.tasks)
    (card,) = stage.context.window.notices.cards
    assert ("safe for spreadsheets" in card.notice.title) == is_safe
    assert card.notice.text == "report.csv: 3 answers, verified"
    with files.path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert {row[header.index("prompt")] for row in rows} == {cell}


def read_sample(name: str) -> str:
    return resource("samples", "preference", name).read_text(encoding="utf-8")


@pytest.mark.parametrize("content", [read_sample("records.csv")], ids=["sample"])
@pytest.mark.parametrize("schema", [read_schema(json.loads(read_sample("schema.json")))], ids=["sample"])
async def test_records_of_the_sample_are_titled_by_their_prompt(stage: ResultsStage, content: str) -> None:
    prompts = {record["prompt"] for record in csv.DictReader(io.StringIO(content))}
    titles = texts(stage, "Task")
    assert titles
    assert set(titles) <= prompts


async def test_records_are_titled_without_the_data_file(stage: ResultsStage) -> None:
    study = stage.state.study
    assert study.data is not None
    await asyncio.to_thread(study.data.path.unlink)
    stage.state.answers.clear_answers(AnswerStore())
    stage.state.answers.clear()
    stage.state.answers.refresh()
    await settled(stage.context.window.tasks)
    titles = set(texts(stage, "Task"))
    assert titles == {"How do I keep basil alive?", "Which wood burns longest?"}


@pytest.mark.parametrize("schema", [REPEATING])
async def test_records_at_a_hosted_service_are_titled_by_their_text(
    stage: ResultsStage, running: ServiceAddress
) -> None:
    hosted = Connection("api.example.org", running.url, running.workspace_id)
    study, session = stage.state.study, stage.state.session
    here = study.remote(session.connection.name)
    study.set_remote(hosted.name, here)
    session.set_connection(hosted)
    assert session.is_live
    assert study.data is not None
    await asyncio.to_thread(study.data.path.unlink)
    stage.state.answers.refresh()
    await settled(stage.context.window.tasks)
    titles = set(texts(stage, "Task"))
    assert titles == {"How do I keep basil alive?", "Which wood burns longest?"}
