"""The window with the help: a list of its pages, a search over all of them, and the page."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QDialog, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.help.pages import INDEX, HelpSection, find_sections, help_folder, help_page, help_pages
from batchwright.ui.help.help_view import HelpView
from batchwright.ui.shell.window import available_area
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.accessibility.announcements import announce
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, IconButton
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import ListRow, RowLook, RowStyle, RowText
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label

_SIZE = QSize(1080, 800)
_LIST_STRETCH, _PAGE_STRETCH = 2, 5
_TALL_ROW_PX = 60
_STYLE = RowStyle(RowLook.TILES, left=10, right=10)


@dataclass(frozen=True)
class _Place:
    """A place in the help to which one can return."""

    page: str
    anchor: str = ""
    scrolled: int = 0
    """How far the page was scrolled when it was left; 0 if it starts at the anchor."""


class HelpWindow(QWidget):
    """The help, in a window beside the one that it explains.

    Args:
        host: the window that is explained; the help closes with it.
        open_url: opens a link that leads out of the help.
        change_text_size: changes the size of all texts by steps; 0 resets it.
    """

    def __init__(
        self,
        host: QWidget,
        open_url: Callable[[str], object],
        change_text_size: Callable[[int], object],
    ) -> None:
        super().__init__(host, Qt.WindowType.Window)
        self._host, self._open_url = host, open_url
        self._back_places: list[_Place] = []
        self._forward_places: list[_Place] = []
        self._place = _Place(INDEX)
        self._search = SearchField(_("Search the help"))
        self._search.textChanged.connect(self._show_found)
        self._found = Label("", TextRole.CAPTION, "text2", wraps=True)
        self._list: RowList[HelpSection] = RowList(_("Pages"), self._row_of, _STYLE)
        self._list.entry_chosen.connect(self._open)
        self._list.entry_activated.connect(self._open)
        self._search.returnPressed.connect(self._focus_list)
        self._view = HelpView(help_folder())
        self._view.anchorClicked.connect(self._follow)
        self._back = IconButton("arrow-left", _("Back"))
        self._forward = IconButton("arrow-right", _("Forward"))
        self._build(change_text_size)
        self._show_found("")
        self._show(self._place)

    @property
    def address(self) -> str:
        """Where it is, such as `data.md#checks`."""
        place = self._place
        return f"{place.page}.md#{place.anchor}" if place.anchor else f"{place.page}.md"

    def show_address(self, address: str) -> None:
        """Show a page such as `data.md`, or a section of it such as `data.md#checks`."""
        name, _mark, anchor = address.partition("#")
        place = _Place(name.removesuffix(".md") or self._place.page, anchor)
        if (place.page, place.anchor) == (self._place.page, self._place.anchor):
            self._show(place)
            return
        self._back_places.append(self._left())
        self._forward_places.clear()
        self._show(place)

    def go_back(self) -> None:
        """Show the place from which the present one was reached."""
        if self._back_places:
            self._forward_places.append(self._left())
            self._show(self._back_places.pop())

    def go_forward(self) -> None:
        """Show the place that was left by `go_back`."""
        if self._forward_places:
            self._back_places.append(self._left())
            self._show(self._forward_places.pop())

    def print_page(self) -> None:
        """Ask for a printer and print the page."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # rarely needed

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(help_page(self._place.page).title)
        dialog = QPrintDialog(printer, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._view.print_page(printer))
        QDialog.open(dialog)

    def _build(self, change_text_size: Callable[[int], object]) -> None:
        contents, printing = Button(_("Contents")), Button(_("Print…"))
        commands: tuple[tuple[QAbstractButton | None, Callable[[], object], tuple[str, ...]], ...] = (
            (self._back, self.go_back, ("Alt+Left",)),
            (self._forward, self.go_forward, ("Alt+Right",)),
            (contents, lambda: self.show_address(INDEX), ("Alt+Home",)),
            (printing, self.print_page, ("Ctrl+P",)),
            (None, self._search.setFocus, ("Ctrl+F", "Ctrl+K")),
            (None, lambda: change_text_size(1), ("Ctrl++", "Ctrl+=")),
            (None, lambda: change_text_size(-1), ("Ctrl+-",)),
            (None, lambda: change_text_size(0), ("Ctrl+0",)),
            (None, self.close, ("Ctrl+W", "Escape")),
        )
        for button, command, keys in commands:
            for key in keys:
                QShortcut(QKeySequence(key), self, command)
            if button is not None:
                shortcut = QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
                button.setToolTip(tooltip_text(f"{button.accessibleName() or button.text()}  {shortcut}"))
                button.clicked.connect(command)
        head = row(self._back, self._forward, contents, None, printing, gap=4, margins=(14, 10, 14, 10))
        left = column(self._search, self._found, self._list, gap=10, margins=(14, 14, 8, 12))
        left.setStretch(2, 1)
        body = row(gap=0)
        body.addLayout(left, _LIST_STRETCH)
        body.addWidget(self._view, _PAGE_STRETCH)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), self._search, self._focus_list)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        layout = column(head, Separator(), gap=0, parent=self)
        layout.addLayout(body, 1)
        size = QSize(theme().px(_SIZE.width()), theme().px(_SIZE.height()))
        self.resize(size.boundedTo(available_area(self).size()))

    def _left(self) -> _Place:
        return _Place(self._place.page, self._place.anchor, self._view.verticalScrollBar().value())

    def _show(self, place: _Place) -> None:
        page = help_page(place.page, place.anchor)
        self._place = place
        self._view.show_page(page.html, place.anchor)
        if place.scrolled:
            self._view.verticalScrollBar().setValue(place.scrolled)
        self.setWindowTitle(_("{page} – Batchwright help").format(page=page.title))
        self._back.setEnabled(bool(self._back_places))
        self._forward.setEnabled(bool(self._forward_places))
        self._mark_listed()

    def _open(self, section: HelpSection) -> None:
        self.show_address(section.address)

    def _focus_list(self) -> None:
        """Focus the list, with the page shown or else the first one found, which is opened."""
        if self._list.entries and not self._list.selectionModel().hasSelection():
            self._list.show_current(0)
            self._open(self._list.entries[0])
        self._list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _mark_listed(self) -> None:
        """Mark the page or section in the list, if it is there, and no other one."""
        shown = (self._place.page, self._place.anchor)
        listed = [(section.page, section.anchor) for section in self._list.entries]
        numbers = [listed.index(place) for place in (shown, (self._place.page, "")) if place in listed]
        self._list.show_current(numbers[0] if numbers else -1)

    def _show_found(self, typed: str) -> None:
        """List the sections with all typed words; without any, the pages."""
        is_search = bool(typed.split())
        sections = find_sections(typed) if is_search else [page.sections[0] for page in help_pages()]
        self._list.show_entries(sections)
        self._found.setVisible(is_search)
        count = len(sections)
        found = ngettext("{count} section found", "{count} sections found", count).format(count=count)
        self._found.setText(found if count else _("Nothing was found. Try another word."))
        self._mark_listed()
        if is_search:
            announce(self, self._found.text())

    def _row_of(self, section: HelpSection) -> ListRow:
        """The title, and of a section within a page the title of the page below."""
        texts = (RowText(section.title, TextRole.BODY),)
        if not section.anchor:
            return ListRow(texts)
        page = RowText(help_page(section.page, section.anchor).title, TextRole.CAPTION, "text2")
        return ListRow(texts, details=(page,), height=_TALL_ROW_PX)

    def _follow(self, url: QUrl) -> None:
        address = url.toString()
        if url.isRelative():
            self.show_address(address)
        else:
            self._open_url(address)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the focus back to the window that is explained."""
        super().closeEvent(event)
        self._host.activateWindow()
