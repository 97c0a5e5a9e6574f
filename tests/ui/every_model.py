"""An instance of every item model class of the window, filled with a text."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, takewhile
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject
from PySide6.QtWidgets import QWidget

import batchwright.ui
from batchwright.analysis.charts import Mark, bar_chart
from batchwright.analysis.statistics.planning.plan_texts import PlanColumn
from batchwright.analysis.store.answer_query import AnswerEntry, AnswerQuery, AnswerRow
from batchwright.analysis.store.answer_store import AnswerRows, AnswerStore
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.data_files.checking import Rejection
from batchwright.data_files.rows import ParsedRecord
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.layout.serialization import random_keys, read
from batchwright.local.id_registry import RegisteredId, RemoteKind
from batchwright.local.job_table import JobRow
from batchwright.local.projects import Project
from batchwright.local.recent_studies import Recent
from batchwright.local.sent_files import SentFile
from batchwright.local.versions import Version, VersionCause
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.data.cells_model import CellsModel
from batchwright.ui.data.dataset.further_imports import ImportsModel
from batchwright.ui.data.dataset.use_existing_dialog import RegisteredDatasetsModel
from batchwright.ui.data.file.check_panel import RejectionsModel
from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.data.schema.schema_dialog import ClearedValuesModel
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.options.model import OptionModel
from batchwright.ui.editor.languages.state import LanguagesState
from batchwright.ui.editor.languages.table import TextsModel
from batchwright.ui.editor.outline.model import OutlineModel
from batchwright.ui.editor.pages.model import PageListModel, PageListRows
from batchwright.ui.feedback.stage import SentModel
from batchwright.ui.home.stage import RecentModel
from batchwright.ui.home.state import RecentStudyRow
from batchwright.ui.jobs.stage import JobsModel
from batchwright.ui.jobs.state import Job, JobFilter
from batchwright.ui.planning.planning_dialog import PlanTableModel
from batchwright.ui.results.answers.answer_columns import GridColumn, columns_for
from batchwright.ui.results.answers.answers_model import AnswersModel
from batchwright.ui.results.charts.chart_view import ChartTableModel
from batchwright.ui.results.statistics.row_table import RowColumn, RowModel
from batchwright.ui.study.study_model import Study
from batchwright.ui.support.stored_data_dialog import StudiesModel
from batchwright.ui.versions.list_model import VersionsModel
from batchwright.ui.widgets.rows.row_list import RowListModel
from batchwright.ui.widgets.rows.values import (
    ListRow,
    MarkedSpan,
    RowButton,
    RowIcon,
    RowSide,
    RowSides,
    RowText,
    SideValue,
    TextMark,
)
from batchwright.ui.widgets.statuses import BATCH, Status, status_of
from batchwright.ui.widgets.tables.table import TextCell
from batchwright.wire.imports import ImportJob
from batchwright.wire.migrations import NulledField
from batchwright.wire.service_data import StoredStudy
from batchwright.workflows.messages import describe
from tests.samples.each_type import BETTER

T = TypeVar("T")
NOW = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass(frozen=True)
class Filled:
    """A model with rows, and a function that removes them."""

    model: QAbstractItemModel
    empty: Callable[[], object]
    parent: QObject | None = None


def subclasses(base: type[T]) -> list[type[T]]:
    """The leaf subclasses of a Qt class that the window defines."""
    for module in pkgutil.walk_packages(batchwright.ui.__path__, "batchwright.ui."):
        importlib.import_module(module.name)
    return sorted(set(_below(base)), key=lambda entry: entry.__qualname__)


def _below(base: type[T]) -> Iterator[type[T]]:
    for entry in base.__subclasses__():
        yield from _below(entry)
        if entry.__module__.startswith("batchwright.ui"):
            yield entry


def filled(kind: type[QAbstractItemModel], text: str) -> Filled:
    """A model whose rows contain the text wherever text of files and services can appear."""
    return MAKERS[kind](text)


def indexes(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[QModelIndex]:
    """The indexes of all cells of a model."""
    parent = QModelIndex() if parent is None else parent
    matches = []
    for row in range(model.rowCount(parent)):
        for column in takewhile(lambda column: model.hasIndex(row, column, parent), count()):  # noqa: B023
            index = model.index(row, column, parent)
            matches += [index, *indexes(model, index)]
    return matches


def _study(text: str) -> Study:
    options = [{"label": text, "value": text}, {"label": "B", "value": "b"}, "odd"]
    item = {**BETTER, "description": text, "options": options}
    pages: list[Any] = [{"rows": [{"columns": [{"items": [item, {"type": text}]}]}]}, {"rows": []}]
    study = Study()
    study.open(Project(text, read(pages, random_keys())), None)
    return study


def _entries(text: str) -> Filled:
    study = _study(text)
    item = next(item for _path, item in study.layout.walk())
    attribute = next(entry for entry in item.known_attributes if entry.name == "options")
    model = OptionModel(NodeForm(study, item.key), attribute)
    model.start_draft()

    def empty() -> None:
        model.discard_draft()
        model.form.set("options", [])
        model.form.show_node(item.key)

    return Filled(model, empty)


def _outline(text: str) -> Filled:
    study, model = _study(text), OutlineModel()
    model.show_layout(study.layout, None)
    names = {page.key: text for page in study.layout.pages}
    problem = _problem(text)
    model.show_names_and_problems(names, {item.key: [problem] for _path, item in study.layout.walk()})
    return Filled(model, lambda: model.show_layout(read([], random_keys()), None))


def _problem(text: str) -> Problem:
    return Problem("LY07", NodePath(0, 0, 0, 0), Severity.ERROR, None, "Wrong: {what}", {"what": text})


def _pages(text: str) -> Filled:
    layout, model = _study(text).layout, PageListModel()
    worst = {0: Severity.ERROR}
    model.show_rows(PageListRows().update(layout.pages, {page.key: text for page in layout.pages}, worst))
    return Filled(model, lambda: model.show_rows([]))


def _rows_of_a_list(text: str) -> Filled:
    spans = tuple(MarkedSpan(at, at + 1, mark) for at, mark in enumerate(TextMark))
    marked = RowText(text, spans=spans)
    sides = RowSides(RowSide(text), RowSide(text), (SideValue(text, text, text),), is_choice=True, chosen=0)
    model = RowListModel[ListRow](lambda row: row)
    model.show_entries(
        [
            ListRow((RowText(text),), icon=RowIcon("check"), is_heading=True),
            ListRow((marked,), icon=RowIcon("check", "err", text), keys="Ctrl+A", description=text),
            ListRow((RowText(text),), is_checked=True, state=text, button=RowButton(text, text)),
            ListRow((RowText(text),), Status("ok", "check", text), (RowText(text, is_right=True),), 66),
            ListRow((RowText(text),), sides=sides),
        ]
    )
    return Filled(model, lambda: model.show_entries(()))


def _jobs(text: str) -> Filled:
    row = JobRow(1, text, "import", {}, text, NOW, None, "failed", {"reason": text}, text, None, None)
    model = JobsModel(lambda _job: 3.0)
    model.set_jobs([Job(row, title=text)], JobFilter())
    return Filled(model, lambda: model.set_jobs([], JobFilter()))


def _sent(text: str) -> Filled:
    model = SentModel(str)
    model.show_files([SentFile(text, 5, text, text, NOW)])
    return Filled(model, lambda: model.show_files([]))


def _answers(text: str) -> Filled:
    columns = columns_for([text], title_field=text, is_for_collection=False)
    question = AnalysedQuestion("q", text, QuestionKind.TEXT)
    entry = AnswerEntry(None, None, text, None, text, text, text, text, text)
    row = AnswerRow(0, text, text, text, text, question, text, (entry,), NOW, 1.5, False, text, {text: text})

    def cell(row: AnswerRow, column: GridColumn) -> TextCell:
        return TextCell(row.fields.get(column.title, row.text))

    model = AnswersModel(cell, Tasks(describe))
    model.show_columns(columns)
    model.show_rows(AnswerRows(AnswerStore(), AnswerQuery(), np.arange(2), 1, 0), 0, (row, row))
    return Filled(model, lambda: model.show_rows(None))


def _cleared_values(text: str) -> Filled:
    nulled = [NulledField(datapoint_id=text, field=text, reason=text)]
    model = ClearedValuesModel(nulled)
    return Filled(model, nulled.clear)


def _imports(text: str) -> Filled:
    jobs = [ImportJob(import_id=text, status=text, filename=text, reason=text)]
    model = ImportsModel(jobs)
    return Filled(model, jobs.clear)


def _registered_ids(text: str) -> Filled:
    datasets = [RegisteredId(text, RemoteKind.DATASET, text, text, first_at=NOW)]
    model = RegisteredDatasetsModel(datasets)
    return Filled(model, datasets.clear)


def _rejections(text: str) -> Filled:
    model = RejectionsModel()
    model.show_rejections([Rejection(2, 0, text, text), Rejection(0, 1, text, text)])
    return Filled(model, lambda: model.show_rejections([]))


def _rows(text: str) -> Filled:
    model = RowsModel()
    long = text * 3
    model.show_file(
        (text, "b"), [ParsedRecord(0, 2, {text: long, "b": "x\ny"}), ParsedRecord(1, 3, [long, text])]
    )
    model.show_rejections({1: Rejection(3, 1, text, text)})
    return Filled(model, lambda: model.show_file((), []))


def _cells(text: str) -> Filled:
    model = CellsModel([], [])
    model.show_cells([text], [[TextCell(text)]])
    return Filled(model, lambda: model.show_cells([text], []))


def _recent(text: str) -> Filled:
    model = RecentModel()
    recent = Recent(Path(text.replace("/", " ")), text, NOW)
    model.set_rows([RecentStudyRow(recent, text, text, text, status_of(BATCH, "READY"), text, "today")])
    return Filled(model, lambda: model.set_rows([]))


def _versions(text: str) -> Filled:
    model = VersionsModel()
    versions = (Version(2, NOW, VersionCause.SAVED, text, 1), Version(1, NOW, VersionCause.SAVED, text, 1))
    model.show_versions(versions, {2: text})
    return Filled(model, lambda: model.show_versions((), {}))


def _chart_table(text: str) -> Filled:
    parent = QWidget()
    model = ChartTableModel(parent)
    model.show_chart(bar_chart(text, [Mark(text, 0.5, 0.4, 0.6, group=text)], 400))
    return Filled(model, lambda: model.show_chart(bar_chart(text, [], 400)), parent)


def _plan(text: str) -> Filled:
    parent = QWidget()
    model = PlanTableModel(parent)
    model.show_columns([PlanColumn(text, [text]), PlanColumn(text, [text])])
    return Filled(model, lambda: model.show_columns([]), parent)


def _stored_studies(text: str) -> Filled:
    parent = QWidget()
    model = StudiesModel(parent)
    model.show_studies([StoredStudy(id=text, name=text, created_at=NOW, last_used_at=NOW)])
    return Filled(model, lambda: model.show_studies([]), parent)


def _translated_texts(text: str) -> Filled:
    study, parent = _study(text), QWidget()
    state = LanguagesState(study)
    state.add_language("de")
    state.translate(0, "de", text)
    model = TextsModel(state, parent)

    def empty() -> None:
        study.open(Project(""), None)
        model.refresh()

    return Filled(model, empty, parent)


def _results(text: str) -> Filled:
    model = RowModel[str]([RowColumn(text, str, str, tooltip=str)])
    model.show_rows([text])
    return Filled(model, lambda: model.show_rows([]))


MAKERS: dict[type[QAbstractItemModel], Callable[[str], Filled]] = {
    AnswersModel: _answers,
    OptionModel: _entries,
    JobsModel: _jobs,
    RegisteredDatasetsModel: _registered_ids,
    ClearedValuesModel: _cleared_values,
    ImportsModel: _imports,
    OutlineModel: _outline,
    PageListModel: _pages,
    RecentModel: _recent,
    RejectionsModel: _rejections,
    RowsModel: _rows,
    CellsModel: _cells,
    SentModel: _sent,
    VersionsModel: _versions,
    ChartTableModel: _chart_table,
    PlanTableModel: _plan,
    StudiesModel: _stored_studies,
    TextsModel: _translated_texts,
    RowModel: _results,
    RowListModel: _rows_of_a_list,
}
"""How each is filled. A class that is missing here fails `test_models.py`."""
