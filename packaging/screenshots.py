"""Makes the pictures of the README anew: the real window, the sample study, the local service.

python packaging/screenshots.py [FOLDER]     every stage, light and dark; without a folder those of the README
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOOKS = ("light", "dark")
SHOWN = ("data-light.png", "layout-light.png", "run-light.png", "results-dark.png")
"""The pictures of the README."""
SETTLED = 1.5
"""Seconds that a stage is given to show all it has."""
LONGEST = 60
"""Seconds that any step of the main job may take."""


def main() -> None:
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        take(sys.argv[2], Path(sys.argv[3]))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for look in LOOKS:
            environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
            command = [sys.executable, __file__, "--one", look, str(folder)]
            subprocess.run(command, env=environment, check=True)
        if folder == Path(temporary):
            for name in SHOWN:
                shutil.copy(folder / name, ROOT / "resources" / "help" / "pictures" / name)


def take(look: str, folder: Path) -> None:
    """Take every picture of one look, on a profile that goes afterwards."""
    from batchwright.app.window import WindowControllers, program_dependencies
    from batchwright.local.paths import Folders
    from batchwright.ui.application import OpenWindow, run
    from batchwright.ui.core.settings import Settings
    from batchwright.ui.theme import ColorSchemePreference

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folders = Folders(data=Path(name) / "data", cache=Path(name) / "cache")
        folders.make()
        Settings(folders.data).look = ColorSchemePreference(look)
        desks = WindowControllers(folders)

        async def opened(opened: OpenWindow) -> None:
            async def walk() -> None:
                try:
                    await photograph(opened, desks, look, folder)
                finally:
                    desks.desk(opened).study.close()
                    opened.window.close()

            await desks.opened(opened)
            opened.frame.tasks.start("take pictures", walk)

        run(replace(program_dependencies(folders, desks), opened=opened))


async def photograph(opened, desks, look: str, folder: Path) -> None:
    """Go through the main job, and take each stage when it has something to show."""
    from PySide6.QtWidgets import QDialog, QWidget

    from batchwright.ui.run.commands import start_simulation
    from batchwright.ui.run.dialogs import SimulationOptions

    desk, window, shell = desks.desk(opened), opened.window, opened.frame.shell

    async def take(stage: str) -> None:
        shell.set_stage(stage)
        await asyncio.sleep(SETTLED)
        for card in window.notices.cards:
            card.hide()
        if (focused := window.focusWidget()) is not None:
            focused.clearFocus()
        window.grab().save(str(folder / f"{stage}-{look}.png"))

    async def done(condition) -> None:
        async with asyncio.timeout(LONGEST):
            while not condition():  # noqa: ASYNC110 - Qt state sets no event
                await asyncio.sleep(0.05)

    def stage(name: str):
        return next(one for one in window.findChildren(QWidget) if type(one).__name__ == f"{name}Stage")

    window.resize(1440, 900)
    await desk.session.context()
    await take("home")
    desk.run_action("try_sample")
    await done(lambda: desk.study.is_open)
    shell.set_stage("data")
    data = stage("Data").model
    await done(lambda: data.checks.report is not None)
    data.dataset.upload()
    await done(lambda: data.dataset.is_uploaded)
    await take("data")
    shell.set_stage("layout")
    stage("Layout").selection.show_page(desk.study.layout.pages[1].key)
    await take("layout")
    shell.set_stage("run")
    run = stage("Run").model
    opened.frame.actions.run("run.publish")
    await done(lambda: any(dialog.isVisible() for dialog in window.findChildren(QDialog)))
    next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()).accept()
    await done(lambda: run.batch is not None and run.batch.status == "READY" and run.operation is None)
    start_simulation(run, SimulationOptions(16))
    await done(lambda: run.operation is not None)
    await done(lambda: run.operation is None)
    for name in ("run", "results", "feedback", "jobs"):
        await take(name)


if __name__ == "__main__":
    main()
