"""The callouts of the first start."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from batchwright.ui.core.settings import Settings
from batchwright.ui.editor.palette.palette import PalettePanel
from batchwright.ui.home.first_run import FirstRunPage
from batchwright.ui.shell.callouts import CalloutId, new_callout, offer_callouts
from batchwright.ui.widgets.callout import Callout
from tests.policies import WritePolicy
from tests.ui.conftest import focused
from tests.ui.window_fixtures import window_in

pytestmark = pytest.mark.gui


def test_only_the_first_start_without_a_policy_offers_callouts(
    settings: Settings, tmp_path: Path, write_policy: WritePolicy
) -> None:
    offer_callouts(settings)
    assert settings.callouts == tuple(CalloutId)
    settings.callouts = (CalloutId.RUN,)
    offer_callouts(settings)
    assert settings.callouts == (CalloutId.RUN,)
    write_policy("[preset]\nupdate-check = true\n")
    managed = Settings(tmp_path / "managed")
    offer_callouts(managed)
    assert not managed.callouts


async def test_a_callout_leaves_the_focus_alone_and_is_gone_for_good_after_escape(tmp_path: Path) -> None:
    offer_callouts(Settings(tmp_path / "data"))
    async with window_in(tmp_path) as at:
        (callout,) = at.show_home().findChildren(Callout)
        assert callout.isVisible()
        assert not callout.isAncestorOf(focused())
        QTest.keyClick(focused(), Qt.Key.Key_Escape)
        assert not callout.isVisible()
        callout.show()
        assert not callout.isVisible()
        assert not FirstRunPage(at.controller).findChildren(Callout)


def test_a_callout_is_not_used_up_before_its_place_is_seen(settings: Settings, qtbot: QtBot) -> None:
    offer_callouts(settings)
    palette = PalettePanel()
    qtbot.addWidget(palette)
    callout = new_callout(CalloutId.LAYOUT, settings, palette)
    assert callout is not None
    palette.add_callout(callout)
    assert not callout.isVisible()
    palette.show_narrow(is_narrow=True)
    palette.show()
    assert CalloutId.LAYOUT in settings.callouts
    palette.show_narrow(is_narrow=False)
    assert callout.isVisible()
    assert CalloutId.LAYOUT not in settings.callouts
