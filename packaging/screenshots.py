"""Makes the pictures of the README anew: the real window, the sample study, the local service.

python packaging/screenshots.py [FOLDER]     light and dark; into resources/screenshots without a folder
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOOKS = ("light", "dark")
STAGES = ("home", "data", "layout", "run", "results", "feedback", "jobs")
SETTLED = 1.5
"""Seconds that a stage is given to show all it has."""


def main() -> None:
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        take(sys.argv[2], Path(sys.argv[3]))
        return
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    for look in LOOKS:
        environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
        subprocess.run([sys.executable, __file__, "--one", look, str(folder)], env=environment, check=True)


def take(look: str, folder: Path) -> None:
    """Take every picture of one look, on a profile that goes afterwards."""
    from batchwright.bootstrap.window import Desks, parts_of
    from batchwright.local.folders import Folders
    from batchwright.ui.program import Opened, run
    from batchwright.ui.settings import Settings
    from batchwright.ui.theme import Look

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folders = Folders(data=Path(name) / "data", cache=Path(name) / "cache")
        folders.make()
        Settings(folders.data).look = Look(look)
        desks = Desks(folders)

        async def opened(opened: Opened) -> None:
            async def walk() -> None:
                try:
                    await photograph(opened, desks, look, folder)
                finally:
                    desks.desk(opened).study.close()
                    opened.window.close()

            await desks.opened(opened)
            opened.frame.tasks.start("take pictures", walk)

        run(replace(parts_of(folders, desks), opened=opened))


async def photograph(opened, desks, look: str, folder: Path) -> None:
    desk = desks.desk(opened)
    await desk.session.bench()
    desk.try_sample()
    while not desk.study.is_open:  # noqa: ASYNC110 - Qt state sets no event
        await asyncio.sleep(0.05)
    for stage in (id for id in STAGES if id in opened.window.stage_ids):
        opened.frame.shell.set_stage(stage)
        await asyncio.sleep(SETTLED)
        opened.window.grab().save(str(folder / f"{stage}-{look}.png"))


if __name__ == "__main__":
    main()
