"""Texts are cut before they are laid out."""

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from batchwright.layout.model import Page
from batchwright.layout.rules.examples import FREE_TEXT, page, with_attributes
from batchwright.layout.serialization import read, sequential_keys
from batchwright.ui.editor.pages.thumbnails import ThumbnailRenderer
from batchwright.ui.theme.foreign import MAX_LAYOUT_CHARACTERS, cut_for_layout
from batchwright.ui.widgets.text import ElidedLabel, Label

pytestmark = pytest.mark.gui


def test_short_texts_stay_as_they_are() -> None:
    assert cut_for_layout("one\ntwo") == "one\ntwo"


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a\n" * 500_000])
def test_long_texts_and_many_lines_are_cut(qtbot: QtBot, text: str) -> None:
    for label in (Label(text, wraps=True), ElidedLabel(text)):
        qtbot.addWidget(label)
        assert len(label.text()) <= MAX_LAYOUT_CHARACTERS + 1
        assert label.text().endswith("…")
        assert label.text().count("\n") <= 500


def test_a_thumbnail_lays_out_the_beginning_of_a_long_question(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    item = with_attributes(FREE_TEXT, description="word " * 200_000)
    (first,) = read([page(item)], sequential_keys()).pages
    assert isinstance(first, Page)
    renderer = ThumbnailRenderer(owner)
    with qtbot.waitSignal(renderer.thumbnail_created):
        renderer.thumbnail(first, 1.0)
    longest = max(len(label.text()) for label in owner.findChildren(QLabel))
    assert 1000 < longest <= 2 * MAX_LAYOUT_CHARACTERS
