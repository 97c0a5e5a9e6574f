"""A separate program that opens windows with drawn layouts in the Layout stage, controlled by tests.

Run as `python -m tests.desktop.window_process`. Each line on standard input is a JSON array: the name of a
method and its arguments. Each result is one line of JSON, also during a drag.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSocketNotifier
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from batchwright.layout.model import Layout
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.editor.canvas.rows import DragHandle
from batchwright.ui.editor.outline.model import OutlineModel
from batchwright.ui.editor.pages.thumbnails import thumbnail_rect
from batchwright.ui.editor.stage import EditorStage, build
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ConnectionLabel, DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import ColorSchemePreference, Theme, theme
from batchwright.ui.theme.style import install
from batchwright.ui.widgets.accessibility.accessible_interfaces import install_interfaces
from batchwright.workflows.messages import describe
from tests.layout.builders import picture, sketch
from tests.ui.window_fixtures import UnloadedImages, library_in

SCHEMA = Schema(strict=True, fields={"prompt": Field(FieldType.TEXT), "run": Field(FieldType.TEXT)})

Rect = list[int]
"""Left, top, width and height in screen pixels."""


_WINDOW_RECT = QRect(0, 0, 1280, 800)


class WindowDriver:
    """Controls and inspects a window."""

    def __init__(self, layout: Layout, folder: Path, geometry: QRect = _WINDOW_RECT) -> None:
        study = Study()
        study.open(Project("Study", layout=layout, schema=SCHEMA), None)
        self._folder = folder
        self._second_driver: WindowDriver | None = None
        self._shell = ShellState(ConnectionLabel("This computer", is_live=False))
        self._dropped: list[list[str]] = []
        self._shell.files_dropped.connect(lambda paths: self._dropped.append([str(path) for path in paths]))
        self._stages: list[EditorStage] = []

        def create(stage_context: StageContext) -> QWidget:
            self._stages.append(
                cast(
                    "EditorStage",
                    build(
                        stage_context,
                        study,
                        cast("ConnectionSession", None),
                        library_in(folder, stage_context),
                        UnloadedImages(),
                    ),
                )
            )
            return self._stages[0]

        self._window = Window(self._shell, [Stage("layout", "Layout", "layout", create)], Settings(folder))
        self._window.setGeometry(geometry)
        self._window.show()
        self._shell.set_document(DocumentTitle("Study"))
        self._shell.set_stage("layout")
        self._window.set_context(self._window.stage_context(Tasks(describe)))
        self._window.activateWindow()
        self._window.raise_()

    @property
    def stage(self) -> EditorStage:
        """The stage, for tests in the same process."""
        return self._stages[0]

    def is_ready(self) -> bool:
        """Whether the window is active."""
        return self._window.isActiveWindow()

    def open_second_window(self, drawing: str) -> bool:
        """Shrink this window, and open a second one that covers its right half."""
        self._window.setGeometry(10, 30, 1024, 690)
        self._second_driver = WindowDriver(sketch(drawing), self._folder, QRect(405, 170, 1024, 690))
        return True

    def call_second_window(self, name: str, *arguments: Any) -> Any:
        """Call a method of the driver of the second window."""
        return getattr(self._second_driver, name)(*arguments)

    def select(self, *keys: str) -> bool:
        """Select nodes."""
        self.stage.state.selection.select(keys)
        return True

    def show_page(self, number: int) -> bool:
        """Show a page."""
        self.stage.state.selection.show_page(self.stage.state.layout.pages[number].key)
        return True

    def show_outline(self, *expanded_keys: str) -> bool:
        """Show the outline with these nodes expanded."""
        self.stage.toggle_outline()
        QApplication.processEvents()
        outline = self.stage.panels.outline
        for key in expanded_keys:
            outline.expand(self._in_outline(key))
        return True

    def outline_row(self, key: str) -> Rect:
        """The rectangle of a node in the outline."""
        outline = self.stage.panels.outline
        return _rect(outline.visualRect(self._in_outline(key)), outline.viewport())

    def thumbnails_are_rendered(self) -> bool:
        """Whether the visible thumbnails are rendered."""
        return not self.stage.panels.pages.page_delegate.renderer.is_busy

    def drawing(self) -> str:
        """The layout as letters."""
        return picture(self.stage.state.layout)

    def types(self) -> list[str]:
        """The types of all items in reading order."""
        return [item.text("type") for _path, item in self.stage.state.layout.walk()]

    def page(self) -> int | None:
        """The index of the shown page."""
        return self.stage.state.page_index

    def hint(self) -> str:
        """The hint in the status bar."""
        return self._shell.hint

    def dropped(self) -> list[list[str]]:
        """The files dropped on the window."""
        return self._dropped

    def rejection_hint(self) -> str:
        """The text of the hint beside the pointer, empty if it is hidden."""
        hint = self.stage.panels.rejected_hint
        return hint.text() if hint.isVisible() else ""

    def rejection_hint_rect(self) -> Rect:
        """The rectangle of the hint beside the pointer."""
        return _widget_rect(self.stage.panels.rejected_hint)

    def has_drop_indicator(self) -> bool:
        """Whether a drop indicator is shown."""
        return self.stage.panels.canvas.page_canvas.drop_indicator.indicator is not None

    def drop_indicator_rect(self) -> Rect:
        """The rectangle of the drop indicator; a line has no height."""
        indicator_layer = self.stage.panels.canvas.page_canvas.drop_indicator
        return (
            []
            if indicator_layer.indicator is None
            else _rect(indicator_layer.indicator.rect, indicator_layer)
        )

    def drop_indicator_colour(self) -> str:
        """The colour of the drop indicator."""
        return theme().tokens.accent_text.name()

    def canvas_scroll(self) -> list[int]:
        """The value and the maximum of the scroll bar of the canvas."""
        area = cast("QScrollArea", self.stage.panels.canvas.findChild(QScrollArea))
        bar = area.verticalScrollBar()
        return [bar.value(), bar.maximum()]

    def node(self, key: str) -> Rect:
        """The rectangle of the item, column or row with this key."""
        widget = self.stage.panels.canvas.page_canvas.widget_of(key)
        return [] if widget is None else _widget_rect(widget)

    def drag_handle(self, key: str) -> Rect:
        """The rectangle of the drag handle of a row or column."""
        handles = self.stage.panels.canvas.page_canvas.findChildren(DragHandle)
        return next((_widget_rect(drag_handle) for drag_handle in handles if drag_handle.key == key), [])

    def palette_row(self, name: str) -> Rect:
        """The rectangle of the palette item with this name."""
        rows = self.stage.panels.palette_panel.rows()
        return next((_widget_rect(row) for row in rows if row.item.label.title == name), [])

    def thumbnail(self, number: int) -> Rect:
        """The rectangle of the thumbnail of a page in the page list."""
        pages = self.stage.panels.pages
        rect = thumbnail_rect(pages.visualRect(pages.model().index(number, 0)))
        return _rect(rect, pages.viewport())

    def page_list(self) -> Rect:
        """The rectangle of the page list."""
        return _widget_rect(self.stage.panels.pages.viewport())

    def page_list_scroll(self) -> list[int]:
        """The value and the maximum of the scroll bar of the page list."""
        bar = self.stage.panels.pages.verticalScrollBar()
        return [bar.value(), bar.maximum()]

    def canvas(self) -> Rect:
        """The rectangle of the canvas."""
        return _widget_rect(self.stage.panels.canvas)

    def take_screenshot(self, path: str) -> bool:
        """Save a screenshot, including what follows the pointer."""
        return self._window.screen().grabWindow(0).save(path)

    def end(self) -> None:
        """Close the window, and the second one."""
        if self._second_driver is not None:
            self._second_driver.end()
        self._window.force_close()
        self._window.deleteLater()

    def _in_outline(self, key: str) -> QModelIndex:
        model = cast("OutlineModel", self.stage.panels.outline.model())
        return model.index_of(key)

    def undo(self) -> str:
        """Undo the latest edit; return the resulting layout."""
        self.stage.state.study.undo()
        return self.drawing()


def _widget_rect(widget: QWidget) -> Rect:
    return _rect(widget.rect(), widget)


def _rect(rect: QRect, widget: QWidget) -> Rect:
    at = widget.mapToGlobal(QPoint(rect.left(), rect.top()))
    return [at.x(), at.y(), rect.width(), rect.height()]


class CommandHandler:
    """Opens and closes windows, and calls methods of the driver of the open window."""

    def __init__(self) -> None:
        self._driver: WindowDriver | None = None

    def run(self, name: str, *arguments: Any) -> Any:
        """Call a method of this class, or else of the driver of the window."""
        return getattr(self if hasattr(CommandHandler, name) else self._driver, name)(*arguments)

    def open(self, drawing: str, folder: str, scheme: str) -> bool:
        """Open a window with a drawn layout."""
        theme().set_color_scheme(ColorSchemePreference(scheme))
        self._driver = WindowDriver(sketch(drawing), Path(folder))
        return True

    def close(self) -> bool:
        """Close the window."""
        if self._driver is not None:
            self._driver.end()
            self._driver = None
        return True

    def windows(self) -> int:
        """The number of windows, including closed ones that are not deleted yet."""
        return sum(isinstance(widget, Window) for widget in QApplication.topLevelWidgets())


def _command_reader(host: CommandHandler) -> Callable[[], None]:
    """A function that runs the commands on standard input, and ends the program when it is closed."""
    buffer = bytearray()

    def read() -> None:
        received = os.read(sys.stdin.fileno(), 65536)
        if not received:
            QApplication.exit(0)
            return
        buffer.extend(received)
        *lines, rest = bytes(buffer).split(b"\n")
        buffer[:] = rest
        for line in lines:
            print(json.dumps(host.run(*json.loads(line))), flush=True)

    return read


def main() -> int:
    """Run commands until standard input ends."""
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    install_interfaces()
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    host = CommandHandler()
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(_command_reader(host))
    code = app.exec()
    host.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
