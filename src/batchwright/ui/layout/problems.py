"""The problems below the page: closed it counts them, open it leads to each (look.md 7)."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)
from typing_extensions import override

from batchwright.layout.rules.problems import Problem, Severity
from batchwright.ui.icons import draw_glyph
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, IconButton, Kind
from batchwright.ui.kit.panels import Edge, Ground
from batchwright.ui.kit.statuses import Pill, Status
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import line_below, rounded, write
from batchwright.words import _, ngettext

Index = QModelIndex | QPersistentModelIndex
_ROW = 36
_MOST_ROWS = 4
_AT = {"code": 44, "place": 98, "sentence": 308}


class ProblemsModel(QAbstractListModel):
    """The problems in reading order."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: tuple[Problem, ...] = ()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show other problems."""
        self.beginResetModel()
        self.problems = tuple(problems)
        self.endResetModel()

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.problems)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        problem = self.problems[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return problem.sentence
        if role == Qt.ItemDataRole.AccessibleTextRole:
            kind = _("Error") if problem.severity is Severity.ERROR else _("Hint")
            return f"{kind} {problem.code}. {place_words(problem)}: {problem.sentence}"
        return problem.sentence if role == Qt.ItemDataRole.DisplayRole else None


class _Rows(QStyledItemDelegate):
    """Paints a problem: sign, code, place, sentence, and the button that mends it."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(400), theme().px(_ROW))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, view = index.model(), option.widget
        if not isinstance(model, ProblemsModel) or not isinstance(view, QListView):
            return
        problem, box = model.problems[index.row()], option.rect
        tokens, px = theme().tokens, theme().px
        if view.currentIndex().row() == index.row():
            painter.fillRect(box, tokens.select)
        line_below(painter, box, tokens.border)
        is_error = problem.severity is Severity.ERROR
        tone = tokens.err if is_error else tokens.warn
        sign = QRect(box.left() + px(18), box.top(), px(16), box.height())
        draw_glyph(painter, "warning-circle-fill" if is_error else "warning-fill", sign, tone, px(16))
        self._paint_words(painter, box, problem)
        if problem.fix is not None:
            button = fix_rect(box, problem.fix.label)
            rounded(painter, button, px(7), tokens.button, tokens.border_button)
            centre = Qt.AlignmentFlag.AlignHCenter
            write(painter, button, problem.fix.label, theme().font(Role.SMALL_NAME), tokens.text, centre)

    def _paint_words(self, painter: QPainter, box: QRect, problem: Problem) -> None:
        tokens, px = theme().tokens, theme().px

        def cell(name: str, right: int) -> QRect:
            left = box.left() + px(_AT[name])
            return QRect(left, box.top(), max(0, right - left), box.height())

        left = box.left()
        end = fix_rect(box, problem.fix.label).left() - px(12) if problem.fix is not None else box.right()
        write(painter, cell("code", left + px(94)), problem.code, theme().font(Role.CAPTION), tokens.text2)
        place = cell("place", left + px(302))
        write(painter, place, place_words(problem), theme().font(Role.SMALL), tokens.text2)
        write(painter, cell("sentence", end), problem.sentence, theme().font(Role.SMALL), tokens.text)


class _List(QListView):
    """The rows; a click on a mend does it, anything else goes to the place."""

    fix_wanted = Signal(object)
    reached = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.rows = ProblemsModel()
        self.setModel(self.rows)
        self.setItemDelegate(_Rows(self))
        self.setAccessibleName(_("Problems"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setAutoFillBackground(False)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        at = event.position().toPoint()
        index = self.indexAt(at)
        if not index.isValid():
            return
        problem = self.rows.problems[index.row()]
        if problem.fix is not None and fix_rect(self.visualRect(index), problem.fix.label).contains(at):
            self.fix_wanted.emit(problem)
        else:
            self.reached.emit(problem)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = self.currentIndex().row()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and number >= 0:
            self.reached.emit(self.rows.problems[number])
        else:
            super().keyPressEvent(event)

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            QToolTip.showText(event.globalPos(), str(index.data() or ""), self)
            return True
        return super().viewportEvent(event)


class ProblemsPanel(Ground):
    """A head that counts, and below it, when it is open, the list."""

    fix_wanted = Signal(object)
    reached = Signal(object)
    next_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.TOP, parent)
        self.setAccessibleName(_("Problems"))
        self._problems: tuple[Problem, ...] = ()
        self._is_open = False
        self._sign = Glyph("check-circle-fill", "ok", 16)
        self._count = Text("", Role.SMALL_STRONG)
        self._errors = Pill(Status("err", "warning-circle-fill", ""))
        self._hints = Pill(Status("warn", "warning-fill", ""))
        self._sentence = CutText("", Role.SMALL, "text2")
        self._next = Button(_("Next problem"), Kind.QUIET, keys="F8", height=Height.SMALL)
        self._next.clicked.connect(self.next_wanted)
        self._fold = IconButton("caret-up", _("Show problems"), keys="Shift+F8", glyph_size=14)
        self._fold.clicked.connect(self.toggle)
        head = row(self._sign, self._count, self._errors, self._hints, margins=(18, 6, 14, 6))
        head.addWidget(self._sentence, 1)
        head.put(self._next, self._fold)
        self._list = _List()
        self._list.fix_wanted.connect(self.fix_wanted)
        self._list.reached.connect(self.reached)
        whole = column(gap=0, parent=self)
        whole.addLayout(head)
        whole.addWidget(self._list)
        self.show_problems(())

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show other problems."""
        if tuple(problems) != self._problems:
            self._problems = tuple(problems)
            self._list.rows.show_problems(problems)
        self._refresh()

    def show_chosen(self, problem: Problem | None) -> None:
        """Mark the problem that was gone to."""
        if problem in self._problems:
            index = self._list.rows.index(self._problems.index(problem))
            select = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self._list.selectionModel().setCurrentIndex(index, select)
            self._list.scrollTo(index)

    @property
    def is_open(self) -> bool:
        """Whether the list is shown."""
        return self._is_open

    def toggle(self) -> None:
        """Open the list, or close it."""
        self._is_open = not self._is_open
        self._refresh()

    def _refresh(self) -> None:
        errors = sum(problem.severity is Severity.ERROR for problem in self._problems)
        hints = len(self._problems) - errors
        is_open = self._is_open and bool(self._problems)
        error_words = ngettext("{count} error", "{count} errors", errors).format(count=errors)
        hint_words = ngettext("{count} hint", "{count} hints", hints).format(count=hints)
        self._errors.show_status(Status("err", "warning-circle-fill", error_words))
        self._hints.show_status(Status("warn", "warning-fill", hint_words))
        self._errors.setVisible(is_open and errors > 0)
        self._hints.setVisible(is_open and hints > 0)
        self._sign.setVisible(not is_open)
        worst = ("warning-circle-fill", "err") if errors else ("warning-fill", "warn")
        self._sign.show_glyph(*(worst if self._problems else ("check-circle-fill", "ok")))
        said = ", ".join(word for word, count in ((error_words, errors), (hint_words, hints)) if count)
        self._count.setText(_("Problems") if is_open else said or _("No problems"))
        self._sentence.setText("" if is_open else self._first_sentence())
        self._list.setVisible(is_open)
        rows = min(len(self._problems), _MOST_ROWS)
        self._list.setFixedHeight(theme().px(_ROW) * rows if is_open else 0)
        self._next.setEnabled(bool(self._problems))
        self._fold.setEnabled(bool(self._problems))
        self._fold.setProperty("glyph", "caret-down" if is_open else "caret-up")
        self._fold.set_name(_("Hide problems") if is_open else _("Show problems"), "Shift+F8")

    def _first_sentence(self) -> str:
        if not self._problems:
            return _("The service would accept this layout.")
        first = next((one for one in self._problems if one.severity is Severity.ERROR), self._problems[0])
        place = place_words(first)
        return f"{place}: {first.sentence}" if place else first.sentence


def place_words(problem: Problem) -> str:
    """`Page 2, row 3, item 1`: the place, without the column where that says nothing."""
    place = problem.place
    words = (place._replace(column=None) if not place.column else place).in_words
    return words[:1].upper() + words[1:]


def fix_rect(box: QRect, label: str) -> QRect:
    """Where in a row the button that mends it stands."""
    px = theme().px
    wide = QFontMetrics(theme().font(Role.SMALL_NAME)).horizontalAdvance(label) + px(24)
    return QRect(box.right() - wide - px(14), box.top() + px(4), wide, px(28))
