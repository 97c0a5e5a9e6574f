"""The steps of a study are made with its table, and everything that follows is about the result."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import SignalInstance

from batchwright.base.json_values import JsonObject
from batchwright.data_files.conversion.column_edits import RenameColumn
from batchwright.layout.model import Layout
from batchwright.local.projects import project_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.schema.model import FieldType
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.schema.column_fields import with_column_change
from batchwright.ui.data.state import DataState
from tests.ui.conftest import until
from tests.ui.data.conftest import checked
from tests.ui.data.prepare.conftest import PAIRS, SIDES

COMPARED: tuple[str, ...] = (
    "prompt",
    "META_SYSTEM_LEFT",
    "META_SYSTEM_RIGHT",
    "output_left",
    "output_right",
    "META_PAIR_ID",
)


async def opened(data: DataState, path: Path) -> None:
    data.open_file(path)
    await until(lambda: not data.is_reading, 20)
    await checked(data)


async def prepared(data: DataState, *steps: JsonObject) -> None:
    data.change_steps(steps, "Change steps")
    await until(lambda: not data.is_reading, 20)


def record_count(data: DataState) -> int:
    return 0 if data.file.summary is None else data.file.summary.records


def fields(data: DataState) -> list[str]:
    schema = data.study.schema
    return [] if schema is None else [*schema.fields]


async def test_what_is_checked_is_the_prepared_table_and_its_fields_follow(
    data: DataState, outputs: Path
) -> None:
    await opened(data, outputs)
    await prepared(data, PAIRS, SIDES)
    await checked(data)
    assert data.file.summary is not None
    assert data.file.summary.columns == COMPARED
    assert record_count(data) == 12
    assert data.validation.report is not None
    assert data.validation.report.accepted == 12
    assert fields(data) == [*COMPARED]
    schema = data.study.schema
    assert schema is not None
    assert {name: field.type for name, field in schema.fields.items() if "META" in name} == dict.fromkeys(
        [name for name in COMPARED if "META" in name], FieldType.METADATA
    )
    reports = data.file.step_reports
    assert [(report.count, len(report.records)) for report in reports] == [(12, 12)] * 3
    assert outputs.read_text(encoding="utf-8").startswith("prompt,system,output\n")
    assert data.study.data is not None
    others = await data.study.records_files.of(data.study.data)
    assert others == data.file.summary.file


async def test_a_change_of_the_steps_is_undone_and_redone_with_its_fields_and_proposed_layout(
    data: DataState, outputs: Path
) -> None:
    data.study.restore(replace(data.study.content, layout=Layout()), "Remove all")
    await opened(data, outputs)
    before = data.study.content
    await prepared(data, PAIRS)
    after = data.study.content
    assert before.layout != after.layout
    data.study.undo()
    assert data.study.content == before
    await until(lambda: not data.is_reading, 20)
    assert data.file.summary is not None
    assert data.file.summary.columns == ("prompt", "system", "output")
    assert data.study.content == before
    data.study.redo()
    await until(lambda: not data.is_reading, 20)
    assert data.study.content == after
    assert data.file.summary.columns == COMPARED


async def test_columns_that_were_left_out_stay_left_out_of_a_prepared_table(
    data: DataState, outputs: Path
) -> None:
    await opened(data, outputs)
    data.schema.set_type("prompt", None)
    await prepared(data, {"step": "sample", "size": 6, "stratum": "system"})
    assert fields(data) == ["system", "output", "META_STRATUM"]


async def test_a_step_that_cannot_be_made_is_named_and_nothing_is_uploaded_instead(
    data: DataState, outputs: Path
) -> None:
    await opened(data, outputs)
    await prepared(data, {"step": "sample", "size": 6}, {**PAIRS, "system": "model"})
    assert data.file.state is FileState.UNREADABLE
    assert data.file.error is not None
    assert data.file.error.what == "Step 2 (Pairs): There is no column “model”."
    assert data.file.error.remedy == "Change the step in Prepare, move it, switch it off, or remove it."
    assert [report.problem for report in data.file.step_reports] == ["", "", "There is no column “model”."]
    assert data.dataset.upload_source() is None
    await prepared(data, {"step": "sample", "size": 6}, {**PAIRS, "system": "model", "off": True})
    assert record_count(data) == 6


async def test_the_steps_are_made_again_when_the_table_changes(data: DataState, outputs: Path) -> None:
    await opened(data, outputs)
    await prepared(data, PAIRS)
    with outputs.open("a", encoding="utf-8") as file:
        file.write("Question 5?,A,A on 5\nQuestion 5?,B,B on 5\n")
    data.reload_if_changed()
    await until(lambda: not data.is_reading and record_count(data) == 13, 20)


async def test_a_study_is_opened_with_its_steps_and_without_any_it_is_read_as_it_is(
    data: DataState, outputs: Path
) -> None:
    await opened(data, outputs)
    plain = data.study.data
    await prepared(data, PAIRS, SIDES)
    stored = read_project(project_content(data.study.project))
    assert stored.data == data.study.data
    assert stored.data is not None
    assert stored.data.changes.steps == (PAIRS, SIDES)
    data.study.close()
    data.study.open(stored, None)
    await until(lambda: not data.is_reading, 20)
    assert data.file.summary is not None
    assert data.file.summary.columns == COMPARED
    assert data.study.schema == stored.schema
    await prepared(data)
    assert plain is not None
    assert data.study.data is not None
    assert (data.study.data.format, data.study.data.conversion) == (plain.format, None)


async def test_a_change_of_a_column_of_a_prepared_table_is_a_step_and_items_follow(
    data: DataState, outputs: Path
) -> None:
    await opened(data, outputs)
    await prepared(data, PAIRS)
    edit = RenameColumn("output_left", "first")
    content = with_column_change(data.study.content, edit, COMPARED, ())
    data.add_edit(edit, content)
    await until(lambda: not data.is_reading, 20)
    assert data.steps == (PAIRS, {"step": "rename", "column": "output_left", "name": "first"})
    assert data.file.summary is not None
    assert "first" in data.file.summary.columns
    assert "first" in fields(data)
    assert data.edits == ()


async def cancelled(data: DataState, signal: SignalInstance, is_time: Callable[[], bool]) -> None:
    """Cancel the preparation when a signal is emitted and something is true."""

    def cancel() -> None:
        if is_time():
            signal.disconnect(cancel)
            data.file.cancel_preparation()

    signal.connect(cancel)
    await until(lambda: data.file.state is FileState.CANCELLED)


async def test_a_cancelled_preparation_leaves_nothing_and_is_made_on_request(
    data: DataState, outputs: Path
) -> None:
    await opened(data, outputs)
    data.change_steps([PAIRS, SIDES], "Change steps")
    await cancelled(data, data.file.prepared, lambda: len(data.file.step_reports) == 2)
    data.file.retry()
    await cancelled(data, data.file.changed, lambda: data.file.state is FileState.SHOWN)
    assert data.steps == (PAIRS, SIDES)
    assert (data.file.summary, data.file.step_reports, data.dataset.upload_source()) == (None, (), None)
    assert data.file.preparation is None
    data.reload_if_changed()
    assert data.file.state is FileState.CANCELLED, "nothing is made unasked"
    buttons = list[str]()
    data.file.changed.connect(lambda: buttons.append(next_step(data).button))
    data.file.retry()
    await checked(data)
    assert {*buttons} == {"Show the steps"}, "also while rows are written"
    assert record_count(data) == 12
    assert [report.number for report in data.file.step_reports] == [0, 1, 2]
    assert data.file.index is not None
    assert len(data.file.index) == 12
    assert data.dataset.upload_source() is not None


async def test_steps_that_are_undone_and_redone_while_they_are_made_are_made_once(
    data: DataState, outputs: Path
) -> None:
    await opened(data, outputs)
    data.change_steps([PAIRS, SIDES], "Change steps")
    await until(lambda: data.file.state is FileState.SHOWN and bool(data.file.step_reports))
    data.study.undo()
    data.study.redo()
    await until(lambda: not data.is_reading, 20)
    assert [report.number for report in data.file.step_reports] == [0, 1, 2]
    assert data.file.index is not None
    assert len(data.file.index) == 12
