"""Foreign text, from a file or a service, is shown as plain text: no markup, no images, no mnemonics."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QAbstractItemModel, QPoint
from PySide6.QtWidgets import (
    QApplication,
    QToolTip,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.editor.item_types.choice import CheckTile, RadioTile
from batchwright.ui.editor.stage import EditorStage, build
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import (
    ConnectionLabel,
    DocumentTitle,
    ShellState,
    StatusMessage,
)
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.text import ElidedLabel, literal
from tests.samples.each_type import ALL
from tests.ui.editor.conftest import settle
from tests.ui.every_model import MAKERS, filled, indexes
from tests.ui.foreign_text import hostile, interpreted_texts, is_rendered_as_markup, picture, tip_at
from tests.ui.window_fixtures import UnloadedImages, library_in

pytestmark = pytest.mark.gui

__all__ = ["hostile", "picture"]


@pytest.mark.parametrize("kind", sorted(MAKERS, key=str))
def test_every_model_shows_foreign_text_as_plain_text(
    qtbot: QtBot, kind: type[QAbstractItemModel], hostile: str
) -> None:
    rows = filled(kind, hostile)
    view = QTreeView()
    qtbot.addWidget(view)
    view.setModel(rows.model)
    view.resize(1200, 400)
    view.show()
    view.expandAll()
    for index in indexes(rows.model):
        at = view.visualRect(index).center()
        text = tip_at(view.viewport(), at) if view.viewport().rect().contains(at) else None
        assert text is None or not is_rendered_as_markup(text), text
    view.grab()
    QToolTip.hideText()


def test_a_tooltip_shows_plain_text_wrapped_in_lines(qtbot: QtBot, hostile: str) -> None:
    text = ElidedLabel(hostile * 30)
    qtbot.addWidget(text)
    text.resize(60, 20)
    text.show()
    output = tip_at(text, QPoint(5, 5))
    assert output is not None
    assert not is_rendered_as_markup(output)
    assert output.text().startswith("R&D \N{REPLACEMENT CHARACTER}fdp")
    assert "<b>x</b>" in output.text()
    assert len(output.text()) < 2100
    assert max(map(len, output.text().splitlines())) <= 90
    QToolTip.hideText()


def test_line_breaks_do_not_change_the_height_of_a_label(qtbot: QtBot) -> None:
    single_line, with_breaks = ElidedLabel("a b"), ElidedLabel("a\nb\u2028c")
    for text in (single_line, with_breaks):
        qtbot.addWidget(text)
    assert with_breaks.sizeHint().height() == single_line.sizeHint().height()


class ForeignTextWindow:
    """A window in which every text that can be foreign is the hostile text."""

    def __init__(self, text: str, folder: Path) -> None:
        study = Study()
        items = [self._with_foreign_text(item, text) for item in ALL]
        pages: list[Any] = [{"name": text, "rows": [{"columns": [{"items": items}]}]}]
        schema = Schema(strict=True, fields={text: Field(FieldType.TEXT, text), "b": Field(FieldType.TEXT)})
        study.open(Project(text, read(pages, random_keys()), schema=schema), None)
        connection = ConnectionLabel(text, is_live=True, workspace=text)
        self.shell = ShellState(connection)
        self.stages: list[EditorStage] = []

        def create(stage_context: StageContext) -> QWidget:
            self.stages.append(
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
            return self.stages[0]

        self.window = Window(self.shell, [Stage("layout", "Layout", "layout", create)], Settings(folder))
        self.window.resize(1024, 690)
        self.window.show()
        self.shell.set_document(DocumentTitle(text))
        self.shell.set_status_messages(StatusMessage(text))
        self.shell.set_activity(ActivityStatus(text, 0.5))
        self.shell.set_connections((connection,))
        self.shell.set_stage("layout")
        self.window.set_context(self.window.stage_context(Tasks(lambda error: pytest.fail(str(error)))))
        self.window.notices.show_notice(Notice(NoticeSeverity.ERROR, text, text, text))
        settle()

    def _with_foreign_text(self, item: Any, text: str) -> Any:
        if isinstance(item, dict):
            return {
                key: value if key == "type" else self._with_foreign_text(value, text)
                for key, value in item.items()
            }
        if isinstance(item, list):
            return [self._with_foreign_text(entry, text) for entry in item]
        return text if isinstance(item, str) else item

    @property
    def items(self) -> list[str]:
        """The keys of all items."""
        return [item.key for _path, item in self.stages[0].state.layout.walk()]


@pytest.fixture
def shown(qapp: QApplication, hostile: str, tmp_path: Path) -> Iterator[ForeignTextWindow]:
    shown = ForeignTextWindow(hostile, tmp_path)
    yield shown
    QToolTip.hideText()
    shown.window.force_close()
    shown.window.deleteLater()


def test_the_editor_shows_foreign_text_as_plain_text(shown: ForeignTextWindow) -> None:
    stage = shown.stages[0]
    for key in shown.items:
        stage.state.reveal(key)
        settle()
        assert interpreted_texts(shown.window) == []
    stage.toggle_outline()
    stage.toggle_problems()
    settle()
    shown.window.grab()
    assert interpreted_texts(shown.window) == []


def test_the_preview_shows_foreign_text_as_plain_text(shown: ForeignTextWindow) -> None:
    shown.stages[0].show_preview()
    settle()
    shown.window.grab()
    assert interpreted_texts(shown.window) == []
    tiles = [*shown.window.findChildren(RadioTile), *shown.window.findChildren(CheckTile)]
    assert any("R&D" in tile.text() for tile in tiles)
    assert all(tile.accessibleName() == tile.text() for tile in tiles)


def test_a_menu_shows_ampersands(shown: ForeignTextWindow) -> None:
    shown.window._header._open_connections()
    (menu,) = (widget for widget in shown.window._header.findChildren(QWidget) if widget.inherits("QMenu"))
    assert any("R&&D" in action.text() for action in menu.actions())
    menu.close()


def test_ampersands_are_doubled_for_menus() -> None:
    assert literal("R&D\tx") == "R&&D x"


def test_the_window_title_is_a_single_line(shown: ForeignTextWindow) -> None:
    shown.shell.set_document(DocumentTitle("x", path=Path("/data [*]/a\nb\0\u202e[*].batchwright")))
    title = shown.window.windowTitle()
    assert title.startswith("a b\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[*][*]")
    assert "data [*][*])" in title


@pytest.mark.parametrize(
    ("text", "sanitized"),
    [
        ("a\u202eb\u2066c", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"),
        ("a\0b\x1bc\x7f", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c\N{REPLACEMENT CHARACTER}"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("\u05d0\u200f \u0627\u200e", "\u05d0\u200f \u0627\u200e"),
        ("a\ud83db", "a\N{REPLACEMENT CHARACTER}b"),
    ],
)
def test_control_and_direction_characters_are_replaced(text: str, sanitized: str) -> None:
    assert sanitize(text) == sanitized
    assert sanitize_line(text) == sanitized.replace("\n", " ")
