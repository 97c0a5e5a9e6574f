"""Opens a window and prints when it was painted: `start_times.py empty|shell|home FOLDER`.

`empty` is a Qt window without content, `shell` the window of the program, and `home` the moment at which Home
can be used. Prints the monotonic clock and the CPU time, in seconds. `FOLDER` is for files of the program.
"""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path


def empty(_folder: Path) -> None:
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    window.resize(1280, 800)
    window.show()
    app.processEvents()
    report()


def shell(folder: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from batchwright.app.window import program_dependencies
    from batchwright.local.paths import Folders
    from batchwright.ui.application import Application

    folders = Folders(folder / "data", folder / "cache")
    folders.create()
    app = QApplication([])
    program = Application(app, program_dependencies(folders))
    window = program.open_window()
    app.processEvents()
    assert window.isVisible()
    report()


def home(folder: Path) -> None:
    from batchwright.app.window import program_dependencies
    from batchwright.local.paths import Folders
    from batchwright.ui.application import OpenWindow, run

    folders = Folders(folder / "data", folder / "cache")
    folders.create()

    async def on_interactive(opened: OpenWindow) -> None:
        opened.window.repaint()
        assert opened.window.is_showing_stage
        report()

    run(replace(program_dependencies(folders), on_interactive=on_interactive))


def report() -> None:
    """Print the times and end at once: ending the program is not measured."""
    print(time.monotonic(), time.process_time(), flush=True)
    os._exit(0)


if __name__ == "__main__":
    {"empty": empty, "shell": shell, "home": home}[sys.argv[1]](Path(sys.argv[2]))
