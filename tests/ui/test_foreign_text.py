"""Text that comes from a file or a service is shown as it is: no tags, no images, no keys."""

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QTextEdit,
    QToolTip,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from batchwright.layout.reading import fresh_keys, read
from batchwright.local.projects import Project
from batchwright.records.schema import Field, FieldType, Schema
from batchwright.ui.kit.notices import Mood, Notice
from batchwright.ui.kit.text import CutText, literal
from batchwright.ui.layout.preview.option_tiles import BoxTile, RingTile
from batchwright.ui.layout.stage import LayoutStage, build
from batchwright.ui.session import Session
from batchwright.ui.settings import Settings
from batchwright.ui.shell.stages import Frame, Stage
from batchwright.ui.shell.view_model import Connection, Document, Remark, Running, ShellViewModel
from batchwright.ui.shell.window import Window
from batchwright.ui.study import Study
from batchwright.ui.tasks import Tasks
from tests.samples.each_type import ALL
from tests.ui.every_model import MAKERS, filled, indexes
from tests.ui.layout.conftest import settle

pytestmark = pytest.mark.gui

OPENED = 0x20
"""IN_OPEN."""


@pytest.fixture
def picture(tmp_path: Path) -> Iterator[Path]:
    """A file that nobody may open."""
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n")
    if not sys.platform.startswith("linux"):
        yield path
        return
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    assert libc.inotify_add_watch(watch, str(path).encode(), OPENED) >= 0
    yield path
    with pytest.raises(BlockingIOError):  # nothing has happened to it
        os.read(watch, 4096)
    os.close(watch)


@pytest.fixture
def hostile(picture: Path) -> str:
    """A text that Qt would take for HTML and for a key."""
    return f'R&D <b>x</b> <img src="{picture.as_uri()}"> <table><tr><td>1'


def tip_at(widget: QWidget, at: QPoint) -> QLabel | None:
    """The tooltip that a widget shows at a point."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    tips = [one for one in QApplication.topLevelWidgets() if one.inherits("QTipLabel") and one.isVisible()]
    return cast("QLabel", tips[0]) if tips else None


def taken_for_markup(label: QLabel) -> bool:
    """Whether a label shows anything but its text."""
    return label.textFormat() is not Qt.TextFormat.PlainText


def names_a_key(button: QAbstractButton) -> bool:
    """Whether a button has taken `&` for the mark of a key."""
    return "R&D" in button.text() and not button.shortcut().isEmpty()


@pytest.mark.parametrize("kind", sorted(MAKERS, key=str))
def test_a_cell_is_shown_as_it_is(qtbot: QtBot, kind: type[QAbstractItemModel], hostile: str) -> None:
    model = filled(kind, hostile)
    view = QTreeView()
    qtbot.addWidget(view)
    view.setModel(model.model)
    view.resize(1200, 400)
    view.show()
    view.expandAll()
    for index in indexes(model.model):
        at = view.visualRect(index).center()
        said = tip_at(view.viewport(), at) if view.viewport().rect().contains(at) else None
        assert said is None or not taken_for_markup(said), said
    view.grab()
    QToolTip.hideText()


def test_a_tooltip_is_told_in_lines(qtbot: QtBot, hostile: str) -> None:
    text = CutText(hostile * 30)
    qtbot.addWidget(text)
    text.resize(60, 20)
    text.show()
    said = tip_at(text, QPoint(5, 5))
    assert said is not None
    assert not taken_for_markup(said)
    assert said.text().startswith("R&D <b>x</b>")
    assert len(said.text()) < 2100
    assert max(map(len, said.text().splitlines())) <= 90 + len(str(hostile))
    QToolTip.hideText()


class Hostile:
    """A window in which every text that can be foreign is."""

    def __init__(self, text: str, folder: Path) -> None:
        study = Study()
        items = [self._spoiled(item, text) for item in ALL]
        pages: list[Any] = [{"name": text, "rows": [{"columns": [{"items": items}]}]}]
        schema = Schema(strict=True, fields={text: Field(FieldType.TEXT, text), "b": Field(FieldType.TEXT)})
        study.open(Project(text, read(pages, fresh_keys()), schema=schema), None)
        connection = Connection(text, is_live=True, workspace=text)
        self.shell = ShellViewModel(connection)
        self.stages: list[LayoutStage] = []

        def make(frame: Frame) -> QWidget:
            self.stages.append(cast("LayoutStage", build(frame, study, cast("Session", None))))
            return self.stages[0]

        self.window = Window(self.shell, [Stage("layout", "Layout", "layout", make)], Settings(folder))
        self.window.resize(1024, 690)
        self.window.show()
        self.shell.set_document(Document(text))
        self.shell.set_remarks(Remark(text))
        self.shell.set_running(Running(text, 0.5))
        self.shell.set_connections((connection,))
        self.shell.set_stage("layout")
        self.window.open_with(self.window.frame_with(Tasks(lambda error: pytest.fail(str(error)))))
        self.window.notices.tell(Notice(Mood.FAILED, text, text, text))
        settle()

    def _spoiled(self, item: Any, text: str) -> Any:
        if isinstance(item, dict):
            return {
                key: value if key == "type" else self._spoiled(value, text) for key, value in item.items()
            }
        if isinstance(item, list):
            return [self._spoiled(one, text) for one in item]
        return text if isinstance(item, str) else item

    @property
    def items(self) -> list[str]:
        """The keys of all items."""
        return [item.key for _place, item in self.stages[0].model.layout.walk()]


@pytest.fixture
def shown(qapp: QApplication, hostile: str, tmp_path: Path) -> Iterator[Hostile]:
    shown = Hostile(hostile, tmp_path)
    yield shown
    QToolTip.hideText()
    shown.window.end()
    shown.window.deleteLater()


def misread(top: QWidget) -> list[str]:
    """The widgets below one, and their tooltips, that take their text for anything but text."""
    found: list[str] = []
    for widget in [top, *top.findChildren(QWidget)]:
        if isinstance(widget, QLabel) and taken_for_markup(widget):
            found.append(f"label {widget}")
        if isinstance(widget, QAbstractButton) and names_a_key(widget):
            found.append(f"button {widget} {widget.text()}")
        if isinstance(widget, QTextEdit) and "file:" in widget.toHtml():
            found.append(f"text {widget}")
        if widget.toolTip():
            said = tip_at(widget, QPoint(1, 1))
            if said is not None and taken_for_markup(said):
                found.append(f"tooltip of {widget}")
    return found


def test_a_window_shows_foreign_text_as_it_is(shown: Hostile) -> None:
    stage = shown.stages[0]
    for key in shown.items:
        stage.model.reach(key)
        settle()
        assert misread(shown.window) == []
    stage.toggle_outline()
    stage.toggle_problems()
    settle()
    shown.window.grab()
    assert misread(shown.window) == []


def test_the_preview_shows_foreign_text_as_it_is(shown: Hostile) -> None:
    shown.stages[0].show_preview()
    settle()
    shown.window.grab()
    assert misread(shown.window) == []
    tiles = [*shown.window.findChildren(RingTile), *shown.window.findChildren(BoxTile)]
    assert any("R&D" in one.text() for one in tiles)
    assert all(one.accessibleName() == one.text() for one in tiles)


def test_a_menu_shows_every_character(shown: Hostile) -> None:
    shown.window._header._open_connections()
    (menu,) = (one for one in shown.window._header.findChildren(QWidget) if one.inherits("QMenu"))
    assert any("R&&D" in action.text() for action in menu.actions())
    menu.close()


def test_an_ampersand_is_doubled_for_menus() -> None:
    assert literal("R&D\tx") == "R&&D x"
