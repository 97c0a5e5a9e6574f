"""Notices cover no buttons, with any number of notices and in a small window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from batchwright.ui.theme import Theme
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from tests.ui.editor.conftest import settle
from tests.ui.test_foreign_text import ForeignTextWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def shown(qapp: QApplication, tmp_path: Path) -> Iterator[ForeignTextWindow]:
    """Show a window of 1024 by 700 pixels with a layout that has problems."""
    shown = ForeignTextWindow("Reviews", tmp_path)
    shown.window.resize(1024, 700)
    shown.window.notices.cards[0].dismissed.emit()
    settle()
    yield shown
    shown.window.force_close()
    shown.window.deleteLater()


def box_in(window: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())


def covered(shown: ForeignTextWindow) -> list[str]:
    """The buttons of the problems panel and the header that cannot be clicked."""
    window, panels = shown.window, shown.stages[0].panels
    buttons = [
        button
        for part in (panels.problems, panels.header)
        for button in part.findChildren(QAbstractButton)
        if button.isVisible()
    ]
    assert {"Fix all", "Go to next problem"} <= {button.text() for button in buttons}
    return [
        button.text()
        for button in buttons
        if not window.rect().contains(box_in(window, button))
        or window.childAt(box_in(window, button).center()) is not button
    ]


@pytest.mark.parametrize("size", [100, 200])
@pytest.mark.parametrize("count", [1, 3])
def test_notices_cover_no_button_in_a_small_window(
    shown: ForeignTextWindow, theme: Theme, count: int, size: int
) -> None:
    theme.set_text_size(size)
    for number in range(count):
        title = f"“Study {number}” was not saved when Batchwright closed"
        shown.window.notices.show_notice(
            Notice(NoticeSeverity.ERROR, title, "It was never saved.", "Open", second_label="Discard")
        )
    settle()
    assert covered(shown) == []
    notices = shown.window.notices
    place = box_in(shown.window, notices)
    assert shown.window.rect().contains(place)
    in_view = [card for card in notices.cards if card.isVisible()]
    assert all(place.contains(box_in(shown.window, card)) for card in in_view)
    texts = [button.text() for button in notices.findChildren(QAbstractButton) if button.isVisible()]
    if not in_view:
        assert any(text.startswith("“Study") for text in texts), "the newest one is named"
    if earlier := count - max(1, len(in_view)):
        assert any(f"{earlier} earlier" in text for text in texts)


def test_notices_without_space_are_shown_on_request(shown: ForeignTextWindow, theme: Theme) -> None:
    theme.set_text_size(200)
    shown.window.notices.show_notice(
        Notice(NoticeSeverity.ERROR, "Upload stopped", "It broke at 61 %.", "Retry")
    )
    settle()
    (card,) = shown.window.notices.cards
    assert not card.isVisible()
    assert shown.window.notices.focus_next()
    settle()
    assert card.isVisible()
