"""The command palette (Ctrl+K): all actions, stages and recent studies by name, and the search for them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.core.formatting import number
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import (
    ListRow,
    MarkedSpan,
    RowIcon,
    RowLook,
    RowStyle,
    RowText,
    TextMark,
)
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
    # Folding a letter can give several: “ß” becomes “ss”.
    positions = [position for position, letter in enumerate(text) for _folded in letter.casefold()]
    spans = []
    for term in map(str.casefold, terms):
        at = folded.find(term)
        if at < 0:
            return None
        spans.append((positions[at], positions[at + len(term) - 1] + 1))
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
_STYLE = RowStyle(RowLook.TILES, left=14, right=12, gutter=32)


def result_row(result: Result, terms: Sequence[str]) -> ListRow:
    """The row of a heading or an entry: matches in bold, shortcuts as key caps, or why it is disabled."""
    if isinstance(result, GroupHeading):
        return ListRow((RowText(result.title, TextRole.HEAD, "text2"),), height=_HEAD, is_heading=True)
    is_enabled = not result.disabled_reason
    spans = tuple(MarkedSpan(*span, TextMark.STRONG) for span in matches(result.text, terms) or ())
    title = RowText(result.text, TextRole.BODY, "text" if is_enabled else "text3", spans=spans)
    note = RowText(result.disabled_reason or result.menu, TextRole.CAPTION, "text3")
    icon = RowIcon(result.glyph or "command", "text2" if is_enabled else "text3")
    return ListRow((title, note), height=_ROW, icon=icon, keys=result.shortcut if is_enabled else "")


class CommandPalette(OverlayPanel):
    """A search field and its results. Disabled entries are listed with the reason."""

    help_address = "shortcuts.md"

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
        self._terms: Sequence[str] = ()
        self._list: RowList[Result] = RowList(
            _("Results"),
            lambda result: result_row(result, self._terms),
            _STYLE,
            max_height=_ROW * _MAX_SHOWN + 2 * _HEAD,
        )
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.clicked.connect(lambda index: self._run(self._list.entries[index.row()]))
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
        self._terms = typed.split()
        results = search_commands(self._groups, typed)
        self._list.show_entries(results)
        self._count.setText(result_count_text(results) if typed else "")
        no_results = _("No results for “{text}”. Try a single word, or look in the menus.")
        self._no_results.setText("" if results else no_results.format(text=" ".join(self._terms)))
        self._no_results.setVisible(not results)
        self._list.setVisible(bool(results))
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
                self._run(self._list.current_entry)
                return True
        return False

    def _select_next(self, step: int) -> None:
        """Select the next entry in a direction; 0 selects the first one."""
        entries = [
            number for number, result in enumerate(self._list.entries) if isinstance(result, PaletteEntry)
        ]
        if not entries:
            return
        current = self._list.currentIndex().row()
        at = (entries.index(current) + step) % len(entries) if step and current in entries else 0
        self._list.show_current(entries[at])

    def _run(self, result: Result | None) -> None:
        if isinstance(result, PaletteEntry) and not result.disabled_reason:
            self.accept()
            result.run()


def show_command_palette(host: QWidget, groups: Sequence[CommandGroup]) -> ModalOverlay:
    """Show the command palette over a window."""
    return ModalOverlay(host, CommandPalette(groups))
