"""The line below the head: what is waited for, and how far and how fast a file comes."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from batchwright.client.remote_study import remote_batch
from batchwright.client.transfer_rate import UNKNOWN
from batchwright.ui.study.download_banners import DownloadBanner
from batchwright.ui.study.downloads import DownloadKind, DownloadOperation
from batchwright.ui.theme import Theme

pytestmark = pytest.mark.gui
EXPORT = DownloadOperation(
    "download", "Export", kind=DownloadKind.EXPORT, path=Path("answers.zip"), of=remote_batch("b1")
)


@pytest.mark.parametrize(
    ("fetching", "said"),
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
def test_the_line_states_how_far_a_file_is_and_how_long_it_takes(
    fetching: DownloadOperation, said: str, qtbot: QtBot, theme: Theme
) -> None:
    line = DownloadBanner()
    qtbot.addWidget(line)
    line.resize(1000, 60)
    line.show_download(fetching)
    assert said in [label.text() for label in line.findChildren(QLabel)]
    line.show_download(None)
    assert line.isHidden()
