"""RunStates and delegates handle indexes of rows that are being removed or no longer exist."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from batchwright.ui.data.file.check_panel import RejectionsModel, _RejectionPainter
from batchwright.ui.editor.inspector.options.delegate import OptionDelegate
from batchwright.ui.editor.inspector.options.model import OptionModel
from batchwright.ui.editor.outline import outline
from batchwright.ui.editor.outline.model import OutlineModel
from batchwright.ui.editor.pages.model import PageListModel
from batchwright.ui.editor.pages.thumbnails import PageDelegate
from batchwright.ui.home.stage import RecentModel
from batchwright.ui.widgets.rows.delegate import ROW_ROLE, RowDelegate
from batchwright.ui.widgets.rows.row_list import RowListModel
from batchwright.ui.widgets.rows.values import RowLook, RowStyle
from batchwright.ui.widgets.tables.models import CellDelegate, TableModel
from batchwright.ui.widgets.tables.table import CellModel, CellPainter, CellRole, Table
from tests.ui.every_model import MAKERS, Filled, filled, indexes, subclasses

pytestmark = pytest.mark.gui

Role = Qt.ItemDataRole
ROLES = [*Role, CellRole.CELL, ROW_ROLE, Role.UserRole + 2]
MODELS = sorted(MAKERS, key=lambda kind: kind.__qualname__)

Index = QModelIndex | QPersistentModelIndex


def query_index(model: QAbstractItemModel, requested: Iterable[Index]) -> None:
    """Query everything that a view or screen reader queries about each index and the headers."""
    for index in requested:
        for role in ROLES:
            model.data(index, role)
        model.flags(index)
        index.parent()
        model.rowCount(index)
        model.columnCount(index)
        model.index(index.row(), index.column(), index)
        model.buddy(index)
        model.span(index)
    for section in range(-1, model.columnCount() + 2):
        for orientation in Qt.Orientation:
            for role in ROLES:
                model.headerData(section, orientation, role)


def beyond(model: QAbstractItemModel) -> list[QModelIndex]:
    """Indexes that were never in a model."""
    return [model.createIndex(row, column, 7) for row, column in ((0, 99), (99, 0), (99, 99))]


def query_during_removal(filled: Filled) -> list[Index]:
    """Remove the rows, querying each of them before, during and after; return their indexes."""
    model = filled.model
    before: list[Index] = [*indexes(model), *beyond(model), QModelIndex()]
    before += [QPersistentModelIndex(index) for index in indexes(model)]
    assert before[0].isValid()
    changes = [
        model.rowsAboutToBeRemoved,
        model.rowsRemoved,
        model.modelAboutToBeReset,
        model.modelReset,
        model.dataChanged,
    ]
    errors: list[Exception] = []

    def query() -> None:
        try:
            query_index(model, before)
        except Exception as error:  # an exception in a slot would be lost
            errors.append(error)

    for change in changes:
        change.connect(query)
    query()
    filled.empty()
    query()
    assert not errors, errors
    return before


def test_every_model_class_has_a_test_instance() -> None:
    assert set(subclasses(QAbstractItemModel)) - {TableModel, CellModel} == set(MAKERS)


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_answers_queries_while_rows_are_removed(kind: type[QAbstractItemModel]) -> None:
    query_during_removal(filled(kind, "text"))


@pytest.mark.parametrize("kind", MODELS)
def test_a_removed_row_can_be_neither_edited_nor_selected(kind: type[QAbstractItemModel]) -> None:
    created = filled(kind, "text")
    for index in query_during_removal(created):
        assert not created.model.setData(index, "x")
        assert not created.model.flags(index)


def test_a_discarded_draft_option_is_removed_while_it_is_queried() -> None:
    model = filled(OptionModel, "text").model
    assert isinstance(model, OptionModel)
    query_during_removal(Filled(model, model.discard_draft))


def view_for(delegate: type[CellDelegate], model: QAbstractItemModel) -> QAbstractItemView:
    if issubclass(delegate, CellPainter):
        return Table("Table", model)
    view = QTreeView() if delegate is outline._OutlineDelegate else QListView()
    view.setModel(model)
    return view


CreateModel = Callable[[Any], QStyledItemDelegate]
DELEGATES: dict[type[CellDelegate], tuple[type[QAbstractItemModel], CreateModel]] = {
    CellPainter: (RecentModel, CellPainter),
    _RejectionPainter: (RejectionsModel, _RejectionPainter),
    OptionDelegate: (OptionModel, OptionDelegate),
    PageDelegate: (PageListModel, lambda view: PageDelegate(view, lambda _key: False)),
    outline._OutlineDelegate: (OutlineModel, outline._OutlineDelegate),
    RowDelegate: (RowListModel, lambda view: RowDelegate(RowStyle(RowLook.TILES, 10, 10), view)),
}


def test_every_delegate_class_has_a_test_instance() -> None:
    assert set(subclasses(QStyledItemDelegate)) == {CellDelegate, *DELEGATES}


def paint_and_edit(delegate: QStyledItemDelegate, view: QWidget, requested: Iterable[Index]) -> None:
    """Paint and edit each of these indexes as a view does."""
    image = QImage(400, 60, QImage.Format.Format_ARGB32)
    for index in requested:
        option = QStyleOptionViewItem()
        option.initFrom(view)
        option.widget = view
        option.rect = image.rect()
        option.decorationSize = QSize(16, 16)
        painter = QPainter(image)
        try:
            delegate.paint(painter, option, index)
        finally:
            painter.end()
        delegate.sizeHint(option, index)
        editor = QLineEdit(view)
        delegate.setEditorData(editor, index)
        delegate.setModelData(editor, index.model(), index)
        delegate.updateEditorGeometry(editor, option, index)
        created = delegate.createEditor(view, option, index)
        for field in (editor, created):
            if field is not None:
                field.deleteLater()


@pytest.mark.parametrize("kind", sorted(DELEGATES, key=str))
def test_a_delegate_ignores_removed_rows(qapp: QApplication, kind: type[CellDelegate]) -> None:
    model_kind, create_delegate = DELEGATES[kind]
    created = filled(model_kind, "text")
    view = view_for(kind, created.model)
    delegate = create_delegate(view)
    paint_and_edit(delegate, view, indexes(created.model))
    paint_and_edit(delegate, view, query_during_removal(created))
