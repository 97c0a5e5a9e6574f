"""The download banner: the current step, the progress and the rate."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from batchwright.client.job_monitoring.transfer_rate import UNKNOWN
from batchwright.client.remote_study import remote_batch
from batchwright.ui.study.download_banners import DownloadBanner
from batchwright.ui.study.downloads import DownloadKind, DownloadOperation
from batchwright.ui.theme import Theme

pytestmark = pytest.mark.gui
EXPORT = DownloadOperation(
    "download", "Export", kind=DownloadKind.EXPORT, path=Path("answers.zip"), of=remote_batch("b1")
)


@pytest.mark.parametrize(
    ("operation", "text"),
    [
        (EXPORT, "The service is creating the export for answers.zip"),
        (replace(EXPORT, kind=DownloadKind.REPORT), "The service is creating the report for answers.zip"),
        (replace(EXPORT, done=1000), "Downloading answers.zip, 1.0 kB"),
        (
            replace(EXPORT, done=1000, total=4000, rate=UNKNOWN.after(0, 1.0).after(1000, 2.0)),
            "Downloading answers.zip, 1.0 kB of 4.0 kB, 1.0 kB a second, 3 s left",
        ),
    ],
)
def test_the_download_banner_shows_progress_and_remaining_time(
    operation: DownloadOperation, text: str, qtbot: QtBot, theme: Theme
) -> None:
    banner = DownloadBanner()
    qtbot.addWidget(banner)
    banner.resize(1000, 60)
    banner.show_download(operation)
    assert text in [label.text() for label in banner.findChildren(QLabel)]
    banner.show_download(None)
    assert banner.isHidden()
