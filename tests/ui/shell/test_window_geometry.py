"""The geometry of the window fits its screen: at the first start, restored, and on a small screen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window

pytestmark = pytest.mark.gui

PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication, Qt
from PySide6.QtWidgets import QApplication, QLabel
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import ConnectionLabel, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme.style import install

QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
app = QApplication([])
install(Theme(ColorSchemePreference.LIGHT, 100))
model = ShellState(ConnectionLabel("This computer", is_live=False))
stages = [Stage("home", "Home", "house", lambda frame: QLabel("home"))]
window = Window(model, stages, Settings(Path(sys.argv[1])))
window.show()
app.processEvents()
place, there = window.geometry(), app.primaryScreen().availableGeometry()
print(there.contains(place), *place.getRect(), *window.minimumSize().toTuple())
window.force_close()
"""


def shown(profile: Path, width: int, height: int, scale: str = "1") -> tuple[bool, list[int]]:
    """Start the program on a screen; return whether the window is inside, its geometry and minimum size."""
    screen = {"name": "screen", "x": 0, "y": 0, "width": width, "height": height}
    config = profile / "screen.json"
    config.write_text(json.dumps({"screens": [{**screen, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}))
    platform = f"offscreen:configfile={config.as_posix().removeprefix(config.drive)}"
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(profile)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "QT_QPA_PLATFORM": platform, "QT_SCALE_FACTOR": scale},
    )
    is_inside, *numbers = ran.stdout.split()
    return is_inside == "True", [int(number) for number in numbers]


def test_on_a_large_screen_the_window_has_its_default_size(tmp_path: Path) -> None:
    is_inside, (_x, _y, *size) = shown(tmp_path, 1920, 1200)
    assert is_inside
    assert size == [1440, 900, 1024, 640]


@pytest.mark.parametrize(
    ("width", "height", "scale"), [(1440, 900, "1"), (1440, 900, "2"), (1366, 768, "1.5")]
)
def test_on_a_small_screen_the_window_is_fully_visible(
    tmp_path: Path, width: int, height: int, scale: str
) -> None:
    is_inside, (_x, _y, wide, high, least_wide, least_high) = shown(tmp_path, width, height, scale)
    assert is_inside
    assert (wide, high) >= (least_wide, least_high)
    assert wide > 0.9 * width / float(scale)


def test_a_restored_geometry_is_moved_onto_the_current_screen(tmp_path: Path) -> None:
    assert shown(tmp_path, 3000, 2000)[0]
    is_inside, (_x, _y, wide, high, *_least) = shown(tmp_path, 1100, 700)
    assert is_inside
    assert (wide, high) > (1000, 600)


def test_a_window_outside_its_screen_is_moved_back_when_the_screen_changes(
    qtbot: QtBot, shell: ShellState, stages: list[Stage], tmp_path: Path
) -> None:
    window = Window(shell, stages, Settings(tmp_path))
    window.show()
    qtbot.waitExposed(window)
    available = window.screen().availableGeometry()
    window.setGeometry(QRect(available.right() - 100, available.bottom() - 100, 1200, 800))
    window.screen().availableGeometryChanged.emit(available)
    assert available.contains(window.geometry())
    assert window.size().toTuple() == (1200, 800)
    window.force_close()
    window.deleteLater()
