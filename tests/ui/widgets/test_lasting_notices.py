"""Notices that stay until they are closed."""

import pytest

from batchwright.ui.core import desktop
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.notices import Toast, ToastSeverity

pytestmark = pytest.mark.gui


def test_a_notice_with_the_only_copy_of_an_address_stays(window: Window) -> None:
    desktop._offer_copy(window.toasts, "No program can open the URL", "http://127.0.0.1:9/x", "Copy URL")
    window.toasts.show_toast(Toast(ToastSeverity.SUCCESS, "Saved"))
    address, saved = window.toasts.cards
    assert saved._timer.isActive()
    assert not address._timer.isActive()


def test_a_notice_that_stays_does_not_hide_an_error(window: Window) -> None:
    for severity, stays in ((ToastSeverity.ERROR, False), (ToastSeverity.WARNING, True)):
        window.toasts.show_toast(Toast(severity, severity.name, stays=stays))
    assert [card.toast.title for card in window.toasts.cards] == ["WARNING", "ERROR"]
