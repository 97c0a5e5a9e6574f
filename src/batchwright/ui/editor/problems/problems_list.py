"""The list of problems: icon, rule code, place, message and fix button of each."""

from collections.abc import Callable

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyleOptionViewItem,
    QToolTip,
)
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.ui.editor.core.fix_commands import FIX_ALL_KEYS, FIX_KEYS
from batchwright.ui.editor.core.problem_signs import SEVERITY_ICONS
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_bottom_border, draw_rounded, draw_text
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel

_ROW_HEIGHT_PX = 36
_PREFERRED_ROWS, _MIN_ROWS = 4, 2
"""Preferred and minimum number of visible rows."""
_BATCH_ROWS = 500
"""Number of rows that are laid out at a time, which takes a few milliseconds."""
_COLUMN_X_PX = {"code": 44, "place": 98, "message": 308}


ShownPath = Callable[[NodePath], NodePath]
"""Returns the path of a node as it is shown (`Study.shown_path`)."""


class ProblemsModel(TableModel):
    """The problems in reading order."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: tuple[Problem, ...] = ()
        self._shown_path: ShownPath = lambda path: path

    def place(self, problem: Problem) -> str:
        """The place of a problem."""
        return place_label(self._shown_path(problem.path))

    def show_problems(self, problems: tuple[Problem, ...], shown_path: ShownPath) -> None:
        """Replace the problems; `shown_path` returns the path of a node as it is shown."""
        self.beginResetModel()
        self.problems, self._shown_path = problems, shown_path
        self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self.problems)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        problem = self.problems[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return problem.message
        if role == Qt.ItemDataRole.AccessibleTextRole:
            kinds = {
                Severity.ERROR: _("Error"),
                Severity.UNFILLED: _("To fill in"),
                Severity.ADVICE: _("Hint"),
            }
            return f"{kinds[problem.severity]} {problem.code}. {self.place(problem)}: {problem.message}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and problem.fix is not None:
            return _("{keys} fixes it: {what}").format(keys=FIX_KEYS, what=problem.fix.label)
        return problem.message if role == Qt.ItemDataRole.DisplayRole else None


class _ProblemDelegate(CellDelegate):
    """Paints a problem: icon, rule code, place, message and fix button."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(400), theme().px(_ROW_HEIGHT_PX))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, view = index.model(), option.widget
        if not isinstance(model, ProblemsModel) or not isinstance(view, QListView):
            return
        problem, box = model.problems[index.row()], option.rect
        tokens, px = theme().tokens, theme().px
        if view.currentIndex().row() == index.row():
            painter.fillRect(box, tokens.select)
        draw_bottom_border(painter, box, tokens.border)
        glyph, tone = SEVERITY_ICONS[problem.severity]
        sign = QRect(box.left() + px(18), box.top(), px(16), box.height())
        draw_glyph(painter, glyph, sign, tokens.get(tone), px(16))
        self._paint_texts(painter, box, problem, model.place(problem))
        if problem.fix is not None:
            button = fix_button_rect(box, problem.fix.label)
            is_under = isinstance(view, ProblemsList) and view.is_over_fix(index)
            fill = tokens.hover if is_under else tokens.button
            draw_rounded(painter, button, px(7), fill, tokens.border_button)
            centre = Qt.AlignmentFlag.AlignHCenter
            draw_text(
                painter, button, problem.fix.label, theme().font(TextRole.SMALL_NAME), tokens.text, centre
            )

    def _paint_texts(self, painter: QPainter, box: QRect, problem: Problem, place: str) -> None:
        tokens, px = theme().tokens, theme().px

        def cell(name: str, right: int) -> QRect:
            left = box.left() + px(_COLUMN_X_PX[name])
            return QRect(left, box.top(), max(0, right - left), box.height())

        left = box.left()
        end = (
            fix_button_rect(box, problem.fix.label).left() - px(12)
            if problem.fix is not None
            else box.right()
        )
        draw_text(
            painter, cell("code", left + px(94)), problem.code, theme().font(TextRole.CAPTION), tokens.text2
        )
        place_rect = cell("place", left + px(302))
        draw_text(painter, place_rect, place, theme().font(TextRole.SMALL), tokens.text2)
        draw_text(painter, cell("message", end), problem.message, theme().font(TextRole.SMALL), tokens.text)


class ProblemsList(QListView):
    """The list view. A click on a fix button applies the fix; selecting a row reveals its node."""

    fix_requested = Signal(object)
    fix_all_like_requested = Signal(object)
    """All problems with the rule code of this one are to be fixed."""
    problem_chosen = Signal(object)
    """The node of this problem is to be revealed."""
    focus_requested = Signal(object)
    """Enter: the node of this problem is to be revealed and focused."""

    def __init__(self) -> None:
        super().__init__()
        self.problems_model = ProblemsModel()
        self._pointer = QPoint()
        self.setModel(self.problems_model)
        self.setItemDelegate(_ProblemDelegate(self))
        self.setAccessibleName(_("Problems"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH_ROWS)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().rangeChanged.connect(self._show_current_row)
        theme().on_changed(self.update_height)
        self.update_height()

    def show_problems(self, problems: tuple[Problem, ...], shown_path: ShownPath) -> None:
        """Replace the problems. The same row number stays current."""
        number = self.currentIndex().row()
        self.problems_model.show_problems(problems, shown_path)
        self.update_height()
        if number >= 0 and problems:
            self._select_row(min(number, len(problems) - 1))

    def show_current(self, problem: Problem | None) -> None:
        """Make the row of a problem the current one."""
        if problem in self.problems_model.problems and problem is not self.current():
            self._select_row(self.problems_model.problems.index(problem))

    def current(self) -> Problem | None:
        """The problem of the current row."""
        number = self.currentIndex().row()
        return (
            self.problems_model.problems[number] if 0 <= number < len(self.problems_model.problems) else None
        )

    def update_height(self) -> None:
        """Set the preferred height to all rows up to `_PREFERRED_ROWS`, and the minimum to `_MIN_ROWS`."""
        rows = min(len(self.problems_model.problems), _PREFERRED_ROWS)
        self.setMinimumHeight(theme().px(_ROW_HEIGHT_PX) * min(rows, _MIN_ROWS))
        self.setMaximumHeight(theme().px(_ROW_HEIGHT_PX) * rows)
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def is_over_fix(self, index: Index) -> bool:
        """Whether the pointer is on the fix button of a row."""
        return self.viewport().underMouse() and self._fix_row_at(self._pointer) == index.row()

    def _select_row(self, number: int) -> None:
        index = self.problems_model.index(number, 0)
        select = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, select)
        self.scrollTo(index)

    def _show_current_row(self) -> None:
        """Scroll to the current row once all rows are laid out: before that, those below have no place."""
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def _fix_row_at(self, point: QPoint) -> int | None:
        """The number of the row whose fix button contains a point, or None."""
        index = self.indexAt(point)
        fix = self.problems_model.problems[index.row()].fix if index.isValid() else None
        is_on = fix is not None and fix_button_rect(self.visualRect(index), fix.label).contains(point)
        return index.row() if is_on else None

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or event.button() is not Qt.MouseButton.LeftButton:
            return
        problem = self.problems_model.problems[index.row()]
        if self._fix_row_at(event.position().toPoint()) is not None:
            self.fix_requested.emit(problem)
        else:
            self.problem_chosen.emit(problem)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position().toPoint()
        super().mouseMoveEvent(event)
        self.viewport().update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        signal, problem = self._signal_for(event), self.current()
        if signal is not None:
            if problem is not None:
                signal.emit(problem)
            return
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self.problem_chosen.emit(self.current())

    def _signal_for(self, event: QKeyEvent) -> SignalInstance | None:
        """The signal that a key press emits for the current row."""
        keys = QKeySequence(event.keyCombination())
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            return self.focus_requested
        if keys == QKeySequence(FIX_KEYS):
            return self.fix_requested
        return self.fix_all_like_requested if keys == QKeySequence(FIX_ALL_KEYS) else None

    @override
    def event(self, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._signal_for(event) is not None
        ):
            event.accept()
            return True
        return super().event(event)

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            QToolTip.showText(event.globalPos(), tooltip_text(str(index.data() or "")), self)
            return True
        return super().viewportEvent(event)


def place_label(path: NodePath) -> str:
    """The place of a node, such as `Page 2, row 3, item 1`; the first column of a row is omitted."""
    label = (path._replace(column=None) if not path.column else path).label
    return label[:1].upper() + label[1:]


def fix_button_rect(box: QRect, label: str) -> QRect:
    """The rectangle of the fix button in a row."""
    px = theme().px
    width = QFontMetrics(theme().font(TextRole.SMALL_NAME)).horizontalAdvance(label) + px(24)
    return QRect(box.right() - width - px(14), box.top() + px(4), width, px(28))
