"""A program of its own: windows with the Layout stage on drawn layouts; it tells where things are.

Run as `python -m tests.desktop.window_process`. Each line on standard input is a question with its
arguments, as a JSON array; each answer is one line of JSON. It also answers while a drag is going on.
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
from batchwright.ui.widgets.accessible import install_interfaces
from batchwright.workflows.messages import describe
from tests.layout.builders import picture, sketch
from tests.ui.window_fixtures import library_in

SCHEMA = Schema(strict=True, fields={"prompt": Field(FieldType.TEXT), "answer": Field(FieldType.TEXT)})

Corners = list[int]
"""Left, top, width and height, in pixels of the screen."""


_FIRST = QRect(0, 0, 1280, 800)


class Witness:
    """Answers questions about the window."""

    def __init__(self, layout: Layout, folder: Path, corners: QRect = _FIRST) -> None:
        study = Study()
        study.open(Project("Study", layout=layout, schema=SCHEMA), None)
        self._folder = folder
        self._other: Witness | None = None
        self._shell = ShellState(ConnectionLabel("This computer", is_live=False))
        self._dropped: list[list[str]] = []
        self._shell.files_dropped.connect(lambda paths: self._dropped.append([str(path) for path in paths]))
        self._stages: list[EditorStage] = []

        def make(stage_context: StageContext) -> QWidget:
            self._stages.append(
                cast(
                    "EditorStage",
                    build(
                        stage_context,
                        study,
                        cast("ConnectionSession", None),
                        library_in(folder, stage_context),
                    ),
                )
            )
            return self._stages[0]

        self._window = Window(self._shell, [Stage("layout", "Layout", "layout", make)], Settings(folder))
        self._window.setGeometry(corners)
        self._window.show()
        self._shell.set_document(DocumentTitle("Study"))
        self._shell.set_stage("layout")
        self._window.set_context(self._window.stage_context(Tasks(describe)))
        self._window.activateWindow()
        self._window.raise_()

    @property
    def stage(self) -> EditorStage:
        """The stage itself, for tests in the same process."""
        return self._stages[0]

    def is_ready(self) -> bool:
        """Whether the window is in front, so that it gets keys."""
        return self._window.isActiveWindow()

    def beside(self, drawing: str) -> bool:
        """Make this window small, and open another one that covers its right half."""
        self._window.setGeometry(10, 30, 1024, 690)
        self._other = Witness(sketch(drawing), self._folder, QRect(405, 170, 1024, 690))
        return True

    def other(self, name: str, *arguments: Any) -> Any:
        """What the other window answers."""
        return getattr(self._other, name)(*arguments)

    def select(self, *keys: str) -> bool:
        """Select entries."""
        self.stage.model.selection.select(keys)
        return True

    def show_page(self, number: int) -> bool:
        """Bring a page into view."""
        self.stage.model.selection.show_page(self.stage.model.layout.pages[number].key)
        return True

    def show_outline(self, *open_ones: str) -> bool:
        """Show the outline, with these entries open."""
        self.stage.toggle_outline()
        QApplication.processEvents()
        outline = self.stage.panels.outline
        for key in open_ones:
            outline.expand(self._in_outline(key))
        return True

    def outline_row(self, key: str) -> Corners:
        """Where an entry is in the outline."""
        outline = self.stage.panels.outline
        return _rect(outline.visualRect(self._in_outline(key)), outline.viewport())

    def has_pictures(self) -> bool:
        """Whether the pages in view of the list have their true pictures."""
        return not self.stage.panels.pages.page_delegate.renderer.is_busy

    def drawing(self) -> str:
        """The layout as letters."""
        return picture(self.stage.model.layout)

    def types(self) -> list[str]:
        """The types of all items, in reading order."""
        return [item.text("type") for _path, item in self.stage.model.layout.walk()]

    def page(self) -> int | None:
        """The page in view, counted from zero."""
        return self.stage.model.page_index

    def hint(self) -> str:
        """What the status line says, or else nothing."""
        return self._shell.hint

    def dropped(self) -> list[list[str]]:
        """The files that were dropped on the window."""
        return self._dropped

    def refusal(self) -> str:
        """What stands beside the pointer; empty when nothing does."""
        hint = self.stage.panels.rejected_hint
        return hint.text() if hint.isVisible() else ""

    def refusal_corners(self) -> Corners:
        """Where the refusal stands."""
        return _corners(self.stage.panels.rejected_hint)

    def marked(self) -> bool:
        """Whether a landing line is shown."""
        return self.stage.panels.canvas.page_canvas.drop_indicator.indicator is not None

    def mark_line(self) -> Corners:
        """Where the landing line is; it has no height."""
        mark = self.stage.panels.canvas.page_canvas.drop_indicator
        return [] if mark.indicator is None else _rect(mark.indicator.rect, mark)

    def mark_colour(self) -> str:
        """The colour of the landing line."""
        return theme().tokens.accent_text.name()

    def scrolled(self) -> list[int]:
        """How far the canvas is scrolled, and how far it could be."""
        area = cast("QScrollArea", self.stage.panels.canvas.findChild(QScrollArea))
        bar = area.verticalScrollBar()
        return [bar.value(), bar.maximum()]

    def entry(self, key: str) -> Corners:
        """Where the item, column or row with this key is."""
        widget = self.stage.panels.canvas.page_canvas.widget_of(key)
        return [] if widget is None else _corners(widget)

    def grip(self, key: str) -> Corners:
        """Where the dots are by which a row is taken."""
        grips = self.stage.panels.canvas.page_canvas.findChildren(DragHandle)
        return next((_corners(grip) for grip in grips if grip.key == key), [])

    def part(self, name: str) -> Corners:
        """Where the part with this name is."""
        rows = self.stage.panels.palette_panel.rows()
        return next((_corners(row) for row in rows if row.item.label.title == name), [])

    def picture_of(self, number: int) -> Corners:
        """Where the small picture of a page is in the page list."""
        pages = self.stage.panels.pages
        rect = thumbnail_rect(pages.visualRect(pages.model().index(number, 0)))
        return _rect(rect, pages.viewport())

    def page_list(self) -> Corners:
        """Where the list of pages is."""
        return _corners(self.stage.panels.pages.viewport())

    def pages_scrolled(self) -> list[int]:
        """How far the list of pages is scrolled, and how far it could be."""
        bar = self.stage.panels.pages.verticalScrollBar()
        return [bar.value(), bar.maximum()]

    def canvas(self) -> Corners:
        """Where the canvas is."""
        return _corners(self.stage.panels.canvas)

    def shoot(self, path: str) -> bool:
        """Take a picture of the screen, with what follows the pointer."""
        return self._window.screen().grabWindow(0).save(path)

    def end(self) -> None:
        """Close the window, and the other one."""
        if self._other is not None:
            self._other.end()
        self._window.force_close()
        self._window.deleteLater()

    def _in_outline(self, key: str) -> QModelIndex:
        model = cast("OutlineModel", self.stage.panels.outline.model())
        return model.index_of(key)

    def undo(self) -> str:
        """Undo; the layout after it."""
        self.stage.model.study.undo()
        return self.drawing()


def _corners(widget: QWidget) -> Corners:
    return _rect(widget.rect(), widget)


def _rect(rect: QRect, widget: QWidget) -> Corners:
    at = widget.mapToGlobal(QPoint(rect.left(), rect.top()))
    return [at.x(), at.y(), rect.width(), rect.height()]


class Host:
    """Opens and closes windows, and answers the questions about the one that is open."""

    def __init__(self) -> None:
        self._witness: Witness | None = None

    def answer(self, name: str, *arguments: Any) -> Any:
        """What this, or else the window, answers to a question."""
        return getattr(self if hasattr(Host, name) else self._witness, name)(*arguments)

    def open(self, drawing: str, folder: str, look: str) -> bool:
        """Open a window on a drawn layout."""
        theme().set_color_scheme(ColorSchemePreference(look))
        self._witness = Witness(sketch(drawing), Path(folder))
        return True

    def close(self) -> bool:
        """Close what is open."""
        if self._witness is not None:
            self._witness.end()
            self._witness = None
        return True

    def windows(self) -> int:
        """How many windows there are, closed ones that have not ended included."""
        return sum(isinstance(widget, Window) for widget in QApplication.topLevelWidgets())


def _answer_with(host: Host) -> Callable[[], None]:
    """Reads what has come on standard input and answers each line; ends the program when input ends."""
    waiting = bytearray()

    def read() -> None:
        came = os.read(sys.stdin.fileno(), 65536)
        if not came:
            QApplication.exit(0)
            return
        waiting.extend(came)
        *lines, rest = bytes(waiting).split(b"\n")
        waiting[:] = rest
        for line in lines:
            print(json.dumps(host.answer(*json.loads(line))), flush=True)

    return read


def main() -> int:
    """Answer until standard input ends."""
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    install_interfaces()
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    host = Host()
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(_answer_with(host))
    code = app.exec()
    host.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
