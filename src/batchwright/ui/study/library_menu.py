"""The menu of a template or block: rename, export and remove."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from batchwright.base.i18n import _
from batchwright.local.library import LibraryEntry
from batchwright.ui.study.library import LibraryCommands
from batchwright.ui.theme.glyphs import icon


def open_library_menu(host: QWidget, at: QPoint, library: LibraryCommands, entry: LibraryEntry) -> None:
    """Open the menu at a global position. A damaged file can only be removed."""
    menu = QMenu(host)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def add(glyph: str, text: str, command: Callable[[LibraryEntry], Coroutine[Any, Any, None]]) -> None:
        action = menu.addAction(icon(glyph), text)
        action.triggered.connect(lambda: library.run(command, entry))

    if not entry.error:
        add("pencil-simple", _("Rename…"), library.rename)
        add("download-simple", _("Export…"), library.export)
        menu.addSeparator()
    add("trash", _("Remove"), library.remove)
    menu.popup(at)
