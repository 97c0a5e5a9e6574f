"""Thumbnails: accurate, rendered for visible pages only, and again when a page changes."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Page
from batchwright.layout.nodes import Level
from batchwright.layout.serialization import random_keys, read, write
from batchwright.local.projects import Project
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.pages.thumbnails import THUMBNAIL_SIZE, ThumbnailRenderer
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.theme import ColorSchemePreference, Theme
from tests.layout.builders import sketch
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def page(drawing: str) -> Page:
    first = sketch(drawing).pages[0]
    assert isinstance(first, Page)
    return first


def rendered(qtbot: QtBot, pictures: ThumbnailRenderer, page: Page) -> QImage:
    """Wait for the thumbnail of a page, and return it."""
    if pictures.thumbnail(page, 1.0) is None or pictures.is_busy:
        with qtbot.waitSignal(pictures.thumbnail_created):
            pictures.thumbnail(page, 1.0)
    picture = pictures.thumbnail(page, 1.0)
    assert picture is not None
    return picture.toImage()


def is_split(image: QImage, y: int) -> bool:
    """Whether the page is visible between the columns at this height."""
    middle, inside = image.pixelColor(image.width() // 2, y), image.pixelColor(image.width() // 4, y)
    return middle.lightness() > inside.lightness()


def test_a_thumbnail_shows_the_positions_of_the_items(qtbot: QtBot, owner: QWidget) -> None:
    pictures = ThumbnailRenderer(owner)
    image = rendered(qtbot, pictures, page("a|b / c"))
    assert image.size() == THUMBNAIL_SIZE
    assert is_split(image, 12)
    assert not is_split(image, 28)
    assert image.pixelColor(48, 70).lightness() > image.pixelColor(48, 28).lightness()


def test_the_old_thumbnail_is_shown_until_a_changed_page_is_rendered(qtbot: QtBot, owner: QWidget) -> None:
    pictures = ThumbnailRenderer(owner)
    before, after = page("a / b"), page("a / bcd")
    first = rendered(qtbot, pictures, before)
    old = pictures.thumbnail(after, 1.0)
    assert old is not None
    assert old.toImage() == first
    with qtbot.waitSignal(pictures.thumbnail_created):
        pictures.thumbnail(after, 1.0)
    new = pictures.thumbnail(after, 1.0)
    assert new is not None
    assert new.toImage() != first


def test_only_the_visible_part_of_a_long_page_is_rendered(qtbot: QtBot, owner: QWidget) -> None:
    pictures = ThumbnailRenderer(owner)
    letters = "".join(chr(0x4E00 + number) for number in range(100))
    rendered(qtbot, pictures, page(" / ".join(letters)))
    assert 0 < len(owner.findChildren(ItemCard)) <= 8
    rendered(qtbot, pictures, page(letters))
    assert 0 < len(owner.findChildren(ItemCard)) <= 8


def test_another_theme_renders_all_thumbnails_again(qtbot: QtBot, owner: QWidget, theme: Theme) -> None:
    pictures = ThumbnailRenderer(owner)
    light = rendered(qtbot, pictures, page("a"))
    theme.set_color_scheme(ColorSchemePreference.DARK)
    assert pictures.thumbnail(page("a"), 1.0) is None
    assert rendered(qtbot, pictures, page("a")) != light


def test_only_visible_pages_have_thumbnails(qtbot: QtBot, stage: EditorStage) -> None:
    layout = sketch(" // ".join(chr(0x4E00 + number) for number in range(40)))
    stage.state.study.open(Project("Long", layout=layout), None)
    settle()
    pages = stage.panels.pages
    pictures = pages.page_delegate.renderer
    qtbot.waitUntil(lambda: not pictures.is_busy)
    visible_rows = pages.viewport().height() // pages.sizeHintForRow(0) + 2
    of_the_study_before = 2
    assert 0 < pictures.count <= visible_rows + of_the_study_before
    stage.state.selection.show_page(layout.pages[39].key)
    settle()
    qtbot.waitUntil(lambda: not pictures.is_busy)
    assert pictures.count <= 2 * visible_rows


def test_an_edit_renders_the_thumbnail_of_its_page_again(qtbot: QtBot, stage: EditorStage) -> None:
    pictures = stage.panels.pages.page_delegate.renderer
    settle()
    qtbot.waitUntil(lambda: not pictures.is_busy)
    with qtbot.waitSignal(pictures.thumbnail_created) as messages:
        stage.state.apply(SetAttributes("a", {"description": "Why?"}))
    assert messages.args == ["pa"]


def test_intro_and_outro_pages_show_their_position_and_name(stage: EditorStage) -> None:
    stage.state.apply(SetAttributes("pa", {"display_position": "intro"}))
    stage.state.apply(SetAttributes("pe", {"display_position": "outro"}))
    stage.state.study.set_page_name("pa", "Welcome")
    settle()
    rows = stage.panels.pages.pages_model
    assert rows.index(0, 0).data() == "Page 1 Welcome"
    assert rows.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Page 1 Welcome, Intro"
    assert rows.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Page 2 Outro"
    row = rows.row_at(0)
    assert row is not None
    assert (row.position, row.position_label) == ("intro", "Intro")


ODD: list[Json] = [
    {"rows": []},
    {"rows": [7, None, {"columns": "none"}]},
    {"rows": [{"columns": []} for _ in range(300)]},
    {"rows": [{"columns": [{"items": []}, 3, {"items": [{"type": "rich_text"}]}]}]},
    {"rows": [{"columns": [{"items": [4, {"type": "video_narration"}, {"type": 7}, {"no": "type"}]}]}]},
    {"rows": [{"columns": [{"items": [{"type": "multiple_choice", "options": 3, "description": None}]}]}]},
    {"rows": [{"columns": [{"items": [{"type": "rich_text", "content": "x\n\n" * 5000}]}]}]},
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_every_page_has_a_thumbnail_an_outline_and_insertion_points(
    qtbot: QtBot, stage: EditorStage, odd: Json
) -> None:
    layout = read([odd, ODD[4]], random_keys())
    stage.state.study.open(Project("Odd", layout=layout), None)
    stage.toggle_outline()
    settle()
    stage.panels.outline.expandAll()
    settle()
    pictures = stage.panels.pages.page_delegate.renderer
    qtbot.waitUntil(lambda: not pictures.is_busy)
    pages = [page for page in layout.pages if isinstance(page, Page)]
    assert len(pages) == 2
    assert all(pictures.thumbnail(page, 1.0) is not None for page in pages)
    assert 0 < len(stage.panels.pages.findChildren(ItemCard)) <= 16  # of the page rendered last
    canvas = stage.panels.canvas
    canvas.start_drop()
    assert canvas.page_canvas.page_geometry().indicator_at(QPoint(200, 40), Level.ITEM) is not None
    canvas.end_drop()
    assert write(stage.state.layout) == [odd, ODD[4]]
