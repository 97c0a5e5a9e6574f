"""The list of matches: a check box, the place, and the match in its context."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyleOptionButton,
    QStyleOptionViewItem,
)
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.nodes import NodePath
from batchwright.layout.searching.study_texts import StudyText, TextSource
from batchwright.layout.searching.text_search import Match
from batchwright.ui.editor.find.state import FindState
from batchwright.ui.editor.problems.problems_list import place_label
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.check_controls import paint_box
from batchwright.ui.theme.drawing import draw_bottom_border, draw_rounded, draw_text
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel

_ROW_HEIGHT_PX = 34
_CHECK_WIDTH_PX, _PLACE_WIDTH_PX = 44, 270
_AFTER_WIDTH_PX = 60
"""Minimum width of the text after a match, in pixels at 100 %."""
_BATCH_ROWS = 2000
"""Number of rows that are laid out at a time, which takes about 10 ms."""
_CONTEXT_BEFORE, _CONTEXT_AFTER = 36, 200
"""Maximum number of characters of the context before and after a match."""
_MAX_SHOWN = 120
"""Maximum number of characters of a match, and of its replacement."""


class Context(NamedTuple):
    """A match in its context, on one line."""

    before: str
    matched: str
    after: str


def context_of(match: Match) -> Context:
    """The match with the beginning and the end of its text, shortened."""
    text, start, end = match.text.text, match.start, match.end
    before = text[max(0, start - _CONTEXT_BEFORE) : start]
    after = text[end : end + _CONTEXT_AFTER]
    return Context(
        ("…" if start > _CONTEXT_BEFORE else "") + _line(before),
        _shortened(match.matched),
        _line(after) + ("…" if end + _CONTEXT_AFTER < len(text) else ""),
    )


def place_of(text: StudyText, path: NodePath) -> str:
    """Where a text is, such as `Page 2, row 1, item 3: option 2, label`.

    `path` is the path of its page or item as it is shown.
    """
    title = _(text.title)
    match text.location.source:
        case TextSource.STUDY_NAME:
            return _("Study name")
        case TextSource.TASK_DETAILS:
            return _("Task details: {title}").format(title=title)
        case TextSource.FIELD_LABEL:
            return _("Field “{name}”: {title}").format(name=text.location.key, title=title)
        case TextSource.PAGE_NAME | TextSource.ITEM:
            label = place_label(path)
    entry = text.location.attribute.entry
    if entry is not None:
        title = _("{entry} {number}, {title}").format(
            entry=_(text.entry_title), number=entry + 1, title=title
        )
    return _("{place}: {title}").format(place=label, title=title)


def _line(text: str) -> str:
    return sanitize_line(text.replace("\n", " "))


def _shortened(text: str) -> str:
    return _line(text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…")


class MatchesModel(TableModel):
    """The matches in reading order."""

    def __init__(self, state: FindState) -> None:
        super().__init__()
        self._state = state
        self.matches: Sequence[Match] = ()

    def show_matches(self, matches: Sequence[Match]) -> None:
        """Replace the matches."""
        self.beginResetModel()
        self.matches = matches
        self.endResetModel()

    def is_included(self, row: int) -> bool:
        """Whether the match of a row is to be replaced."""
        return self._state.is_included(self.matches[row])

    def place(self, row: int) -> str:
        """Where the match of a row is."""
        text = self.matches[row].text
        return place_of(text, self._state.shown_path(text.path))

    def replacement(self, row: int) -> str | None:
        """The text in place of the match, None while no replacement is entered."""
        text = self._state.replacement_of(self.matches[row])
        return None if text is None else _shortened(text)

    @override
    def row_count(self) -> int:
        return len(self.matches)

    @override
    def cell_flags(self, row: int, column: int) -> Qt.ItemFlag:
        return super().cell_flags(row, column) | Qt.ItemFlag.ItemIsUserCheckable

    @override
    def value(self, row: int, column: int, role: int) -> object:
        match = self.matches[row]
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if self.is_included(row) else Qt.CheckState.Unchecked
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        context, place = context_of(match), self.place(row)
        line = "".join(context)
        if role == Qt.ItemDataRole.DisplayRole:
            return line
        replacement = self.replacement(row)
        text = _("{place}: “{match}” in “{line}”").format(place=place, match=context.matched, line=line)
        if replacement is None:
            return text
        if not self.is_included(row):
            return _("{text}, not replaced").format(text=text)
        return _("{text}, replaced by “{replacement}”").format(text=text, replacement=replacement)


class _MatchDelegate(CellDelegate):
    """Paints a match: check box, place, and the match in its context with its replacement."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(300), theme().px(_ROW_HEIGHT_PX))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, view = index.model(), option.widget
        if not isinstance(model, MatchesModel) or not isinstance(view, MatchesList):
            return
        row, box = index.row(), option.rect
        tokens, px = theme().tokens, theme().px
        is_included = model.is_included(row)
        if view.currentIndex().row() == row:
            painter.fillRect(box, tokens.select)
        draw_bottom_border(painter, box, tokens.border)
        check = QStyleOptionButton()
        check.rect = check_rect(box)
        check.state = QStyle.StateFlag.State_Enabled
        check.state |= QStyle.StateFlag.State_On if is_included else QStyle.StateFlag.State_Off
        paint_box(theme(), check, painter, None)
        place_width = min(px(_PLACE_WIDTH_PX), box.width() * 2 // 5)
        place = QRect(box.x() + px(_CHECK_WIDTH_PX), box.y(), place_width, box.height())
        tone = tokens.text2 if is_included else tokens.text3
        draw_text(painter, place, model.place(row), theme().font(TextRole.SMALL), tone)
        left = place.right() + px(14)
        line = QRect(left, box.y(), box.right() - left - px(12), box.height())
        self._paint_context(painter, line, model, row, is_included=is_included)

    def _paint_context(
        self, painter: QPainter, box: QRect, model: MatchesModel, row: int, *, is_included: bool
    ) -> None:
        tokens, font = theme().tokens, theme().font(TextRole.SMALL)
        context, replacement = context_of(model.matches[row]), model.replacement(row)
        tone = tokens.text if is_included else tokens.text3
        is_replaced = replacement is not None and is_included
        metrics = QFontMetrics(font)
        around = metrics.horizontalAdvance(context.matched + (replacement or "")) + theme().px(
            _AFTER_WIDTH_PX
        )
        before_width = max(box.width() // 3, box.width() - around)
        before = metrics.elidedText(context.before, Qt.TextElideMode.ElideLeft, before_width)
        segments: list[tuple[str, QColor, QColor | None, bool]] = [
            (before, tone, None, False),
            (
                context.matched,
                tokens.err if is_replaced else tokens.text,
                tokens.err_soft if is_replaced else tokens.accent_soft,
                is_replaced,
            ),
            (replacement or "", tokens.ok, tokens.ok_soft, False) if is_replaced else ("", tone, None, False),
            (context.after, tone, None, False),
        ]
        x = box.x()
        for text, colour, fill, is_struck in segments:
            if not text or x >= box.right():
                continue
            width = min(metrics.horizontalAdvance(text), box.right() - x)
            piece = QRect(x, box.y(), width + 1, box.height())
            if fill is not None:
                inset = (box.height() - metrics.height()) // 2 - 1
                draw_rounded(painter, piece.adjusted(0, inset, 0, -inset), theme().px(3), fill)
            draw_text(painter, piece, text, font, colour)
            if is_struck:
                painter.fillRect(x, box.center().y() + 1, width, max(1, theme().px(1)), colour)
            x += width


def check_rect(box: QRect) -> QRect:
    """The rectangle of the check box in a row."""
    return QRect(box.x() + theme().px(12), box.y(), theme().px(22), box.height())


class MatchesList(QListView):
    """The list view. Space or a click on the check box includes or excludes a match."""

    match_chosen = Signal(object)
    """A row became the current one: its place is to be shown."""
    match_activated = Signal(object)
    """Enter or a double click: the place is to be edited."""

    def __init__(self, state: FindState) -> None:
        super().__init__()
        self._state = state
        self.matches_model = MatchesModel(state)
        self.setModel(self.matches_model)
        self.setItemDelegate(_MatchDelegate(self))
        self.setAccessibleName(_("Matches"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH_ROWS)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.viewport().setAutoFillBackground(False)
        theme().on_changed(self.doItemsLayout)

    def show_matches(self, matches: Sequence[Match]) -> None:
        """Replace the matches. The same row number stays current."""
        number = self.currentIndex().row()
        self.matches_model.show_matches(matches)
        if number >= 0 and matches:
            self.setCurrentIndex(self.matches_model.index(min(number, len(matches) - 1), 0))

    def current(self) -> Match | None:
        """The match of the current row."""
        number = self.currentIndex().row()
        return self.matches_model.matches[number] if 0 <= number < self.matches_model.row_count() else None

    def focus_first(self) -> None:
        """Focus the list, with a current row."""
        if not self.currentIndex().isValid() and self.matches_model.row_count():
            self.setCurrentIndex(self.matches_model.index(0, 0))
            self._choose()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _row_of_check_at(self, point: QPoint) -> int | None:
        index = self.indexAt(point)
        return index.row() if index.isValid() and check_rect(self.visualRect(index)).contains(point) else None

    def _toggle(self, row: int) -> None:
        match = self.matches_model.matches[row]
        self._state.include(match, is_included=not self._state.is_included(match))

    def _choose(self) -> None:
        if (match := self.current()) is not None:
            self.match_chosen.emit(match)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        row = self._row_of_check_at(event.position().toPoint())
        if row is not None:
            self._toggle(row)
            return
        super().mousePressEvent(event)
        if self.indexAt(event.position().toPoint()).isValid():
            self._choose()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self._row_of_check_at(event.position().toPoint())
        if row is not None:
            self._toggle(row)
        elif (match := self.current()) is not None:
            self.match_activated.emit(match)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match, before = self.current(), self.currentIndex()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if match is not None:
                self.match_activated.emit(match)
        elif event.key() == Qt.Key.Key_Space:
            if match is not None:
                self._toggle(before.row())
        else:
            super().keyPressEvent(event)
            if self.currentIndex() != before:
                self._choose()
