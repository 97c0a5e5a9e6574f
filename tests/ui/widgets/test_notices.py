"""Notices: stacking, actions, topics and focus."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPropertyAnimation, QRect, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from batchwright.ui.theme import Theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.notices import Notice, NoticeManager, NoticeSeverity
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Surface

pytestmark = pytest.mark.gui


def notice_manager_in(surface: Surface) -> NoticeManager:
    """The notices at the bottom of a surface, with nothing above them."""
    surface.resize(900, 720)
    notices = NoticeManager()
    column(None, notices, gap=0, parent=surface)
    QApplication.processEvents()
    return notices


def shown(notices: NoticeManager) -> list[str]:
    """The titles of the visible notices, from the top."""
    return [card.notice.title for card in notices.cards if card.isVisible()]


def earlier_notices_button(surface: Surface) -> Button:
    """The button that shows the earlier notices."""
    notices = surface.findChildren(NoticeManager)[0]
    return next(
        button for button in notices.findChildren(Button, options=Qt.FindChildOption.FindDirectChildrenOnly)
    )


def show_eight_notices(notices: NoticeManager, severity: NoticeSeverity = NoticeSeverity.ERROR) -> None:
    for number in range(8):
        notices.show_notice(Notice(severity, f"Upload {number} stopped", "It broke at 61 %.", "Retry"))


def test_the_newest_notices_are_shown_and_earlier_ones_counted(surface: Surface) -> None:
    notices = notice_manager_in(surface)
    surface.show()
    show_eight_notices(notices)
    assert shown(notices) == ["Upload 5 stopped", "Upload 6 stopped", "Upload 7 stopped"]
    assert earlier_notices_button(surface).text() == "5 earlier notices"
    notices.cards[-1].dismissed.emit()
    assert shown(notices) == ["Upload 4 stopped", "Upload 5 stopped", "Upload 6 stopped"]


def test_a_button_has_the_title_of_the_newest_notice_where_none_fits(surface: Surface) -> None:
    notices = notice_manager_in(surface)
    surface.resize(900, 440)
    surface.show()
    notices.show_notice(Notice(NoticeSeverity.ERROR, "The answers were not saved", "The disk is full."))
    button = earlier_notices_button(surface)
    assert (shown(notices), button.text()) == ([], "The answers were not saved")
    margin = surface.width() - button.geometry().right() - 1
    notices.cards[-1].dismissed.emit()
    notices.show_notice(Notice(NoticeSeverity.ERROR, 50 * "A long title "))
    assert button.x() >= margin > 0
    notices.cards[-1].dismissed.emit()
    notices.show_notice(Notice(NoticeSeverity.ERROR, "The answers were not saved", "The disk is full."))
    notices.show_notice(Notice(NoticeSeverity.ERROR, f"A {'very ' * 50}long title"))
    assert button.text().startswith("A very very")
    assert button.text().endswith("…, and 1 earlier notice")
    assert 0 < button.x() < button.geometry().right() < surface.width()
    button.click()
    assert len(shown(notices)) == 2
    assert button.text() == "Show fewer"


def test_earlier_notices_are_shown_in_a_scrollable_list(surface: Surface) -> None:
    notices = notice_manager_in(surface)
    surface.show()
    show_eight_notices(notices)
    earlier_notices_button(surface).click()
    assert len(shown(notices)) == 8
    notices.cards[0].findChildren(Button)[0].setFocus()
    area = surface.findChildren(VerticalScrollArea)[0]
    first = QRect(notices.cards[0].mapTo(area, QPoint()), notices.cards[0].size())
    assert area.rect().contains(first)
    QApplication.processEvents()
    notices_box = QRect(area.mapTo(surface, QPoint()), area.size())
    assert surface.rect().contains(notices_box)
    earlier_notices_button(surface).click()
    assert len(shown(notices)) == 3


def test_a_focused_notice_is_not_hidden_by_newer_ones(surface: Surface) -> None:
    notices = notice_manager_in(surface)
    surface.show()
    surface.activateWindow()
    notices.show_notice(Notice(NoticeSeverity.ERROR, "Upload stopped", "It broke at 61 %.", "Retry"))
    assert notices.focus_next()
    show_eight_notices(notices)
    assert "Upload stopped" in shown(notices)


def test_notices_shown_at_once_do_not_overlap(
    qtbot: QtBot, surface: Surface, monkeypatch: pytest.MonkeyPatch, theme: Theme
) -> None:
    monkeypatch.setattr(theme, "ms", lambda milliseconds: milliseconds)
    notices = notice_manager_in(surface)
    surface.show()
    for title in ("“Survey” was not saved", "The service did not start", "No room on the disk"):
        notices.show_notice(Notice(NoticeSeverity.ERROR, title, "Your changes until then are saved.", "Open"))
    cards = notices.cards
    stopped = QPropertyAnimation.State.Stopped
    qtbot.waitUntil(
        lambda: all(
            property_animation.state() is stopped
            for property_animation in surface.findChildren(QPropertyAnimation)
        )
    )
    boxes = [card.geometry() for card in cards]
    assert not any(above.intersects(below) for above, below in pairwise(boxes))


def test_the_button_of_a_notice_runs_its_action_and_closes_it(surface: Surface) -> None:
    pressed = []
    notices = notice_manager_in(surface)
    notices.show_notice(
        Notice(NoticeSeverity.SUCCESS, "Setup finished", "398 tasks", "Open", lambda: pressed.append("open"))
    )
    notices.cards[0].findChildren(Button)[0].click()
    assert pressed == ["open"]
    assert notices.cards == ()


def test_a_notice_replaces_an_earlier_one_with_its_topic(surface: Surface) -> None:
    notices = notice_manager_in(surface)
    surface.show()
    notices.show_notice(Notice(NoticeSeverity.ERROR, "Upload stopped"))
    for name in ("a.xlsx", "b.xlsx"):
        notices.show_notice(Notice(NoticeSeverity.ERROR, f"{name} is a spreadsheet", topic="open"))
    assert shown(notices) == ["Upload stopped", "b.xlsx is a spreadsheet"]
    notices.dismiss(("open",))
    assert shown(notices) == ["Upload stopped"]


def test_a_closing_notice_does_not_run_its_action_again(surface: Surface) -> None:
    opened: list[str] = []
    notices = notice_manager_in(surface)
    surface.show()
    notice = Notice(
        NoticeSeverity.ERROR,
        "Study not saved",
        action_label="Open",
        action=lambda: opened.append("it"),
        second_label="Discard",
        second_action=lambda: opened.append("nothing"),
    )
    notices.show_notice(notice)
    action, second_action = notices.cards[0].findChildren(Button)[:2]
    for button in (action, action, second_action):
        button.click()
    assert opened == ["it"]


def test_notices_take_space_from_the_widgets_above_them(surface: Surface) -> None:
    notices = notice_manager_in(surface)
    assert notices.height() == 0
    notices.show_notice(Notice(NoticeSeverity.ERROR, "Upload stopped"))
    QApplication.processEvents()
    assert notices.geometry().bottom() == surface.rect().bottom()
    assert 0 < notices.height() < surface.height() // 3
    assert notices.cards[0].mapTo(surface, QPoint()).y() > notices.y()
