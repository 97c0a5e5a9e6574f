"""Files dropped on the layout are passed to the window, which opens studies and data files."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QUrl
from PySide6.QtWidgets import QWidget

from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.shell.state import ShellState
from tests.ui.editor.interaction import SimulatedDrag

pytestmark = pytest.mark.gui


def test_every_panel_passes_dropped_files_to_the_window(stage: EditorStage, shell: ShellState) -> None:
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("/data/a.csv")])
    drop_widgets = [
        widget for widget in stage.findChildren(QWidget) if widget.acceptDrops() and widget.isVisible()
    ]
    assert drop_widgets
    for part in drop_widgets:
        shell.set_hint("")
        SimulatedDrag(part, files).over(QPoint(5, 5))
        assert shell.hint == "Drop to open “a.csv”", part
