"""The list in which a side is chosen for each change that two versions have made at the same place."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.comparing.merge import ConflictIdentity, MergeSide
from batchwright.ui.core.formatting import number
from batchwright.ui.review.changes_list import text_height
from batchwright.ui.review.conflicts import ConflictRow
from batchwright.ui.review.fitted_list import FittedList
from batchwright.ui.review.rows import ValueRow
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.check_controls import ring
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.accessibility import announce
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel, exists
from batchwright.ui.widgets.text import Label, breakable
from batchwright.ui.widgets.toggles import SegmentedControl

Sides = dict[ConflictIdentity | str, MergeSide]
"""The sides chosen for conflicts, by identity; for a conflict about a text, by the name of the text."""

_MAX_HEIGHT_PX = 480
_TITLE_PX, _HEAD_PX, _CAPTION_PX = 26, 26, 18
_GAP_PX, _PADDING_PX = 8, 10
_BELOW_PX = 14
"""Space below a conflict."""
_MIN_FILTERED = 8
"""From this number of conflicts on, they can be searched."""
_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop)


class ConflictModel(TableModel):
    """The conflicts that match the filter, and the sides chosen for all of them."""

    decided = Signal()
    """A side was chosen for some of them."""

    def __init__(self, rows: Sequence[ConflictRow], sides: Sides) -> None:
        super().__init__()
        self.all_rows, self.rows, self.sides = rows, rows, sides

    @property
    def undecided(self) -> int:
        """The number of conflicts without a side, also of those that do not match the filter."""
        return len(self.all_rows) - len(self.sides)

    def choose(self, row: int, side: MergeSide) -> None:
        """Choose a side for a conflict of the list."""
        self.sides[self.rows[row].identity] = side
        self.dataChanged.emit(self.index(row, 0), self.index(row, 0))
        self.decided.emit()

    def choose_all(self, side: MergeSide) -> None:
        """Choose a side for all conflicts of the list."""
        self.sides.update((entry.identity, side) for entry in self.rows)
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, 0))
        self.decided.emit()

    def show_matching(self, text: str, *, is_undecided: bool) -> None:
        """List the conflicts that contain a text, or only those of them that are undecided now."""
        searched = text.casefold()
        self.beginResetModel()
        self.rows = [
            entry
            for entry in self.all_rows
            if searched in entry.searched_text and not (is_undecided and entry.identity in self.sides)
        ]
        self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self.rows)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        entry = self.rows[row]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            values = (_spoken(value) for value in entry.values)
            parts = (entry.title, entry.place, *values, self._choice_text(entry))
            return ", ".join(part for part in parts if part)
        return None

    def _choice_text(self, entry: ConflictRow) -> str:
        side = self.sides.get(entry.identity)
        return _("no side chosen") if side is None else side_text(side)


def side_text(side: MergeSide) -> str:
    """The text for screen readers that says which side is chosen."""
    return _("my side chosen") if side is MergeSide.MINE else _("their side chosen")


class _ConflictDelegate(CellDelegate):
    """Paints a conflict: its title, and below it both sides with a radio button each."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = option.widget
        if not isinstance(view, ConflictList) or not exists(index):
            return QSize(theme().px(200), theme().px(_TITLE_PX))
        width = view.viewport().width()
        return QSize(width, view.row_height(index.row(), width))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, px = index.model(), theme().px
        if not isinstance(model, ConflictModel):
            return
        entry, box = model.rows[index.row()], option.rect.adjusted(0, 0, 0, -px(_BELOW_PX))
        _paint_title(painter, QRect(box.x(), box.y(), box.width(), px(_TITLE_PX)), entry)
        chosen = model.sides.get(entry.identity)
        has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        for side, area in _sides_of(box.adjusted(0, px(_TITLE_PX), 0, 0)).items():
            _paint_side(painter, area, entry, side, is_chosen=chosen is side, has_focus=has_focus)


class ConflictList(FittedList):
    """The list view: a click on a side chooses it, as do the arrow keys left and right."""

    def __init__(self, model: ConflictModel) -> None:
        super().__init__(_("Changes at the same place"), model, max_height=_MAX_HEIGHT_PX)
        self._model = model
        self.setItemDelegate(_ConflictDelegate(self))
        self.setAccessibleDescription(_("Press Left for your side, Right for theirs"))
        self.update_height()

    @override
    def row_height(self, row: int, width: int) -> int:
        px, available = theme().px, _value_width(width)
        values = sum(_value_height(value, available) for value in self._model.rows[row].values)
        return px(_TITLE_PX) + px(_HEAD_PX) + values + px(_PADDING_PX) + px(_BELOW_PX)

    def side_area(self, row: int, side: MergeSide) -> QRect:
        """The area of one side of a conflict in the viewport."""
        px, box = theme().px, self.visualRect(self._model.index(row, 0))
        return _sides_of(box.adjusted(0, px(_TITLE_PX), 0, -px(_BELOW_PX)))[side]

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        side = self._side_at(index, event.position().toPoint())
        if side is not None and event.button() is Qt.MouseButton.LeftButton:
            self._model.choose(index.row(), side)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        side = {Qt.Key.Key_Left: MergeSide.MINE, Qt.Key.Key_Right: MergeSide.THEIRS}.get(Qt.Key(event.key()))
        if side is None:
            super().keyPressEvent(event)
        elif self.currentIndex().isValid():
            self._model.choose(self.currentIndex().row(), side)
            announce(self, side_text(side))

    def _side_at(self, index: QModelIndex, position: QPoint) -> MergeSide | None:
        if not index.isValid():
            return None
        sides = (side for side in MergeSide if self.side_area(index.row(), side).contains(position))
        return next(sides, None)


class ConflictChooser(QWidget):
    """The list with what decides many conflicts: a search, a filter, and a button for each side."""

    def __init__(self, rows: Sequence[ConflictRow], sides: Sides) -> None:
        super().__init__()
        self.model = ConflictModel(rows, sides)
        self.list = ConflictList(self.model)
        self._search = SearchField(_("Search these changes"))
        self._filter = SegmentedControl(
            _("Changes shown"), [("all", _("All"), ""), ("undecided", _("Undecided"), "")]
        )
        self._count = Label("", TextRole.SMALL, "text2", tabular=True)
        layout = column(gap=10, parent=self)
        if len(rows) >= _MIN_FILTERED:
            head = row(gap=10)
            head.addWidget(self._search, 1)
            head.add(self._filter)
            layout.add(head)
        if len(rows) > 1:
            layout.add(row(self._count, None, *self._all_buttons(), gap=8))
        layout.add(self.list)
        self._search.textChanged.connect(self._narrow)
        self._filter.chosen.connect(self._narrow)
        self.model.decided.connect(self._update_count)
        self._update_count()

    def _all_buttons(self) -> tuple[Button, Button]:
        mine = Button(_("All mine"), height=ButtonSize.SMALL)
        theirs = Button(_("All theirs"), height=ButtonSize.SMALL)
        mine.setAccessibleDescription(_("Chooses your side for all changes in the list"))
        theirs.setAccessibleDescription(_("Chooses their side for all changes in the list"))
        mine.clicked.connect(lambda: self.model.choose_all(MergeSide.MINE))
        theirs.clicked.connect(lambda: self.model.choose_all(MergeSide.THEIRS))
        return mine, theirs

    def _narrow(self) -> None:
        self.model.show_matching(self._search.text().strip(), is_undecided=self._filter.current != "all")

    def _update_count(self) -> None:
        total = len(self.model.all_rows)
        text = _("{decided} of {total} decided")
        self._count.setText(text.format(decided=number(total - self.model.undecided), total=number(total)))


def _spoken(value: ValueRow) -> str:
    both = _("mine: {mine}, theirs: {theirs}").format(mine=value.before, theirs=value.after)
    return f"{value.title}, {both}" if value.title else both


def _sides_of(box: QRect) -> Mapping[MergeSide, QRect]:
    """The areas of both sides: mine left, theirs right."""
    width = (box.width() - theme().px(_GAP_PX) - 4) // 2
    return {
        MergeSide.MINE: QRect(box.x() + 2, box.y(), width, box.height()),
        MergeSide.THEIRS: QRect(box.right() - 1 - width, box.y(), width, box.height()),
    }


def _value_width(width: int) -> int:
    """The width of the text of each side in a list of a width."""
    px = theme().px
    return max(px(60), (width - px(_GAP_PX) - 4) // 2 - 2 * px(_PADDING_PX))


def _value_height(value: ValueRow, width: int) -> int:
    px = theme().px
    caption = px(_CAPTION_PX) if value.title else 0
    return caption + max(text_height(value.before, width), text_height(value.after, width)) + px(4)


def _paint_title(painter: QPainter, box: QRect, entry: ConflictRow) -> None:
    tokens, px = theme().tokens, theme().px
    name, small = theme().font(TextRole.SMALL_STRONG), theme().font(TextRole.SMALL)
    place_width = min(
        QFontMetrics(small).horizontalAdvance(sanitize_line(entry.place)) + px(2), box.width() // 2
    )
    title = box.adjusted(2, 0, -place_width - px(12) if entry.place else 0, 0)
    draw_text(painter, title, entry.title, name, tokens.text)
    place = QRect(box.right() - place_width, box.y(), place_width, box.height())
    draw_text(painter, place, entry.place, small, tokens.text3, Qt.AlignmentFlag.AlignRight)


def _paint_side(
    painter: QPainter, area: QRect, entry: ConflictRow, side: MergeSide, *, is_chosen: bool, has_focus: bool
) -> None:
    tokens, px, is_mine = theme().tokens, theme().px, side is MergeSide.MINE
    border = tokens.accent if is_chosen else tokens.border_strong if has_focus else tokens.border
    fill = tokens.accent_soft if is_chosen else tokens.input
    draw_rounded(painter, area, px(8), fill, border, 2 if is_chosen or has_focus else 1)
    inner = area.adjusted(px(_PADDING_PX), 0, -px(_PADDING_PX), 0)
    mark = QRectF(inner.x(), inner.y() + (px(_HEAD_PX) - px(16)) / 2 + px(2), px(16), px(16))
    ring(theme(), painter, mark, is_on=is_chosen, colour=tokens.accent)
    head = QRect(inner.x() + px(24), inner.y() + px(2), inner.width() - px(24), px(_HEAD_PX))
    label = _("Mine") if is_mine else _("Theirs")
    draw_text(painter, head, label, theme().font(TextRole.SMALL_NAME), tokens.text)
    top, small = inner.y() + px(_HEAD_PX) + px(2), theme().font(TextRole.SMALL)
    for value in entry.values:
        height = _value_height(value, inner.width())
        caption = px(_CAPTION_PX) if value.title else 0
        if value.title:
            box = QRect(inner.x(), top, inner.width(), caption)
            draw_text(painter, box, value.title, theme().font(TextRole.CAPTION), tokens.text2)
        painter.save()
        text = QRect(inner.x(), top + caption, inner.width(), height - caption)
        painter.setClipRect(text)
        painter.setFont(small)
        painter.setPen(tokens.text)
        painter.drawText(text, _WRAP, breakable(sanitize(value.before if is_mine else value.after)))
        painter.restore()
        top += height
