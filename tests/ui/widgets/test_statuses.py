"""Status badges."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.statuses import BATCH, IMPORT, StatusBadge, status_of

pytestmark = pytest.mark.gui


def test_an_unknown_status_is_shown_verbatim(qtbot: QtBot) -> None:
    assert status_of(IMPORT, "partial").label == "Partial"
    pill = StatusBadge(status_of(BATCH, "HIBERNATING"))
    qtbot.addWidget(pill)
    assert pill.text() == "HIBERNATING"
