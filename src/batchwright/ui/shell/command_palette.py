"""The command palette (Ctrl+K): all actions, stages and recent studies by name, and the search for them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QLineEdit, QListView, QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.core.formatting import number
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel
from batchwright.ui.widgets.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label


@dataclass(frozen=True)
class CommandGroup:
    """Entries under one heading, for example actions or recent studies."""

    title: str
    entries: Callable[[], Iterable[PaletteEntry]]


@dataclass(frozen=True)
class GroupHeading:
    """The heading of a group."""

    title: str


Result = GroupHeading | PaletteEntry
Spans = tuple[tuple[int, int], ...]


def matches(text: str, terms: Sequence[str]) -> Spans | None:
    """The sorted (start, end) spans of all terms in a text; None if one is missing."""
    folded = text.casefold()
    if len(folded) != len(text):  # folding can change the length, which would shift the spans
        folded = text.lower() if len(text.lower()) == len(text) else text
    spans = []
    for term in terms:
        at = folded.find(term.casefold())
        if at < 0:
            return None
        spans.append((at, at + len(term)))
    return tuple(sorted(spans))


def search_commands(groups: Iterable[CommandGroup], typed: str) -> list[Result]:
    """Groups and their entries that contain all typed words.

    Those that start with the first word come first.
    """
    terms = typed.split()
    results: list[Result] = []
    for group in groups:
        entries = [
            entry for entry in group.entries() if matches(f"{entry.text} {entry.menu}", terms) is not None
        ]
        if entries:
            results += [GroupHeading(group.title), *sorted(entries, key=lambda entry: _rank(entry, terms))]
    return results


def _rank(entry: PaletteEntry, terms: Sequence[str]) -> tuple[bool, bool]:
    starts = bool(terms) and entry.text.casefold().startswith(terms[0].casefold())
    return bool(entry.disabled_reason), not starts


def result_count_text(results: Iterable[Result]) -> str:
    """The number of entries found, as text."""
    count = sum(isinstance(result, PaletteEntry) for result in results)
    return _("{count} found").format(count=number(count))


_WIDTH = 640
_INPUT, _ROW, _HEAD = 58, 40, 34
_MAX_SHOWN = 8
ENTRY_ROLE = Qt.ItemDataRole.UserRole


class _ResultModel(TableModel):
    """The search results and their headings."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.results: list[Result] = []

    def set_results(self, results: list[Result]) -> None:
        self.beginResetModel()
        self.results = results
        self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self.results)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        result = self.results[row]
        if role == ENTRY_ROLE:
            return result
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return result.title if isinstance(result, GroupHeading) else result.text
        if role in {Qt.ItemDataRole.AccessibleDescriptionRole, Qt.ItemDataRole.ToolTipRole}:
            return None if isinstance(result, GroupHeading) else result.disabled_reason or result.shortcut
        return None

    @override
    def cell_flags(self, row: int, column: int) -> Qt.ItemFlag:
        is_heading = isinstance(self.results[row], GroupHeading)
        return Qt.ItemFlag.NoItemFlags if is_heading else super().cell_flags(row, column)


class _ResultDelegate(CellDelegate):
    """Paints headings and entries, with matches in bold and shortcuts as key caps."""

    search_terms: Sequence[str] = ()

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_heading = isinstance(index.data(ENTRY_ROLE), GroupHeading)
        return QSize(100, theme().px(_HEAD if is_heading else _ROW))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        result, px, box = index.data(ENTRY_ROLE), theme().px, option.rect
        if isinstance(result, GroupHeading):
            text = box.adjusted(px(16), px(6), 0, 0)
            draw_text(painter, text, result.title, theme().font(TextRole.HEAD), theme().tokens.text2)
        elif isinstance(result, PaletteEntry):
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_entry(painter, box, result, chosen=chosen)

    def _paint_entry(self, painter: QPainter, box: QRect, entry: PaletteEntry, *, chosen: bool) -> None:
        tokens, px = theme().tokens, theme().px
        if chosen:
            draw_rounded(painter, box.adjusted(px(2), px(2), -px(2), -px(2)), px(7), tokens.accent_soft)
        colour = tokens.text3 if entry.disabled_reason else tokens.text
        glyph = QRect(box.x() + px(14), box.y(), px(18), box.height())
        icon_colour = (
            tokens.text3 if entry.disabled_reason else (tokens.accent_text if chosen else tokens.text2)
        )
        draw_glyph(painter, entry.glyph or "command", glyph, icon_colour, px(18))
        left = self._paint_text(painter, box.adjusted(px(46), 0, 0, 0), entry.text, colour)
        note = QRect(left + px(9), box.y() + 1, box.right() - left - px(20), box.height())
        draw_text(
            painter, note, entry.disabled_reason or entry.menu, theme().font(TextRole.CAPTION), tokens.text3
        )
        if entry.shortcut and not entry.disabled_reason:
            paint_keys(painter, box.adjusted(0, 0, -px(12), 0), entry.shortcut)

    def _paint_text(self, painter: QPainter, box: QRect, text: str, colour: QColor) -> int:
        """Paint the text with matches in bold; returns its right end."""
        spans = matches(text, self.search_terms) or ()
        left, at = box.x(), 0
        pieces: list[tuple[str, QFont]] = []
        for start, end in spans:
            start = max(start, at)
            pieces += [
                (text[at:start], theme().font(TextRole.BODY)),
                (text[start:end], theme().font(TextRole.STRONG)),
            ]
            at = max(at, end)
        pieces.append((text[at:], theme().font(TextRole.BODY)))
        for piece, font in pieces:
            width = QFontMetrics(font).horizontalAdvance(piece)
            draw_text(painter, QRect(left, box.y(), width + 2, box.height()), piece, font, colour)
            left += width
        return left


def paint_keys(painter: QPainter, box: QRect, keys: str) -> None:
    """Paint a shortcut as key caps, aligned right."""
    tokens, px, font = theme().tokens, theme().px, theme().font(TextRole.LABEL)
    right = box.right()
    for key in reversed([key_name for key_name in keys.replace("++", "+\0").split("+") if key_name]):
        text = key.replace("\0", "+")
        width = max(px(22), QFontMetrics(font).horizontalAdvance(text) + px(14))
        cap = QRect(right - width, box.center().y() - px(11), width, px(22))
        draw_rounded(painter, cap, px(5), tokens.surface, tokens.border_button)
        draw_text(painter, cap, text, font, tokens.text2, Qt.AlignmentFlag.AlignHCenter)
        right -= width + px(5)


class CommandPalette(OverlayPanel):
    """A search field and its results. Disabled entries are listed with the reason."""

    closes_on_outside_click = True

    def __init__(self, groups: Sequence[CommandGroup]) -> None:
        super().__init__(_("Find anything"), _WIDTH)
        self._groups = groups
        self._field = QLineEdit()
        self._field.setFrame(False)
        self._field.setFont(theme().font(TextRole.COMMAND_SEARCH))
        self._field.setPlaceholderText(_("Find anything"))
        self._field.setAccessibleName(_("Find anything"))
        self._field.textChanged.connect(self.show_results)
        self._field.installEventFilter(self)
        self._count = Label("", TextRole.SMALL, "text2", tabular=True)
        self._results, self._delegate = _ResultModel(self), _ResultDelegate(self)
        self._list = QListView()
        self._list.setModel(self._results)
        self._list.setItemDelegate(self._delegate)
        self._list.setAccessibleName(_("Results"))
        self._list.setFrameShape(QListView.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.viewport().setAutoFillBackground(False)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.clicked.connect(self._run)
        px = theme().px
        self._field.setFixedHeight(px(_INPUT))
        keys = Label(_("Enter to run  ·  Arrows to choose  ·  Esc to close"), TextRole.CAPTION, "text2")
        top = row(Glyph("magnifying-glass", "text2", 20), gap=12, margins=(20, 0, 20, 0))
        top.addWidget(self._field, 1)
        top.add(self._count)
        footer = row(keys, None, margins=(20, 8, 20, 8))
        self._no_results = Label("", TextRole.BODY, "text2", wraps=True)
        self._no_results.setContentsMargins(px(14), px(10), px(14), px(10))
        middle = column(self._list, self._no_results, gap=0, margins=(6, 4, 6, 4))
        column(top, Separator(), middle, Separator(), footer, gap=0, parent=self)
        self.show_results("")

    def show_results(self, typed: str) -> None:
        """Show the entries that contain all typed words."""
        self._delegate.search_terms = typed.split()
        self._results.set_results(search_commands(self._groups, typed))
        self._count.setText(result_count_text(self._results.results) if typed else "")
        heights = [_HEAD if isinstance(result, GroupHeading) else _ROW for result in self._results.results]
        shown = min(sum(heights), _ROW * _MAX_SHOWN + 2 * _HEAD)
        self._list.setFixedHeight(theme().px(max(_ROW, shown)) + 2)
        no_results = _("No results for “{text}”. Try a single word, or look in the menus.")
        self._no_results.setText(
            "" if self._results.results else no_results.format(text=" ".join(typed.split()))
        )
        self._no_results.setVisible(not self._results.results)
        self._list.setVisible(bool(self._results.results))
        self._select_next(0)

    @override
    def geometry_in(self, host: QRect) -> QRect:
        middle = super().geometry_in(host)
        return QRect(middle.x(), host.height() // 6, middle.width(), middle.height())

    @override
    def set_initial_focus(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
            if event.key() in steps:
                self._select_next(steps[Qt.Key(event.key())])
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._run(self._list.currentIndex())
                return True
        return False

    def _select_next(self, step: int) -> None:
        """Select the next entry in a direction; 0 selects the first one."""
        results = self._results.results
        entries = [number for number, result in enumerate(results) if isinstance(result, PaletteEntry)]
        if not entries:
            return
        current = self._list.currentIndex().row()
        at = (entries.index(current) + step) % len(entries) if step and current in entries else 0
        self._list.setCurrentIndex(self._results.index(entries[at], 0))

    def _run(self, index: QModelIndex) -> None:
        result = index.data(ENTRY_ROLE) if index.isValid() else None
        if isinstance(result, PaletteEntry) and not result.disabled_reason:
            self.accept()
            result.run()


def show_command_palette(host: QWidget, groups: Sequence[CommandGroup]) -> ModalOverlay:
    """Show the command palette over a window."""
    return ModalOverlay(host, CommandPalette(groups))
