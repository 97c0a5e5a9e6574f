"""Notices that stay until they are closed."""

import pytest

from batchwright.ui.core import desktop
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

pytestmark = pytest.mark.gui


def test_a_notice_with_the_only_copy_of_an_address_stays(window: Window) -> None:
    desktop._offer_copy(window.notices, "No program can open the URL", "http://127.0.0.1:9/x", "Copy URL")
    window.notices.show_notice(Notice(NoticeSeverity.SUCCESS, "Saved"))
    address, saved = window.notices.cards
    assert saved._timer.isActive()
    assert not address._timer.isActive()


def test_a_notice_that_stays_does_not_hide_an_error(window: Window) -> None:
    for severity, stays in ((NoticeSeverity.ERROR, False), (NoticeSeverity.WARNING, True)):
        window.notices.show_notice(Notice(severity, severity.name, stays=stays))
    assert [card.notice.title for card in window.notices.cards] == ["WARNING", "ERROR"]
