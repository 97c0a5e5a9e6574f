"""Prints when the program reached a state: `start_times.py empty|shell|home|analysis FOLDER`.

`empty` is a painted Qt window without content, `shell` the painted window of the program, `home` Home when it
can be used, and `analysis` the libraries of the analysis when they are loaded and have written a file each.
Prints the monotonic clock and the CPU time, in seconds. `FOLDER` is for files.
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
    from batchwright.ui.program.application import Application

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
    from batchwright.ui.program.application import OpenWindow, run

    folders = Folders(folder / "data", folder / "cache")
    folders.create()

    async def on_interactive(opened: OpenWindow) -> None:
        opened.window.repaint()
        assert opened.window.is_showing_stage
        report()

    run(replace(program_dependencies(folders), on_interactive=on_interactive))


def analysis(folder: Path) -> None:
    import duckdb
    import numpy
    import pyreadstat
    import xlsxwriter

    table = duckdb.sql("select range as number, 'text ' || range as text from range(10)")
    table.write_parquet(str(folder / "table.parquet"))
    pyreadstat.write_sav(table.df(), folder / "table.sav")
    xlsxwriter.Workbook(folder / "table.xlsx").close()
    numpy.linalg.inv(numpy.eye(3))
    assert len(pyreadstat.read_sav(folder / "table.sav")[0]) == 10
    report()


def report() -> None:
    """Print the times and end at once: ending the program is not measured."""
    print(time.monotonic(), time.process_time(), flush=True)
    os._exit(0)


if __name__ == "__main__":
    {"empty": empty, "shell": shell, "home": home, "analysis": analysis}[sys.argv[1]](Path(sys.argv[2]))
