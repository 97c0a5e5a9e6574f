"""Home is usable before most of the program is imported."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from dataclasses import replace
from pathlib import Path

from batchwright.app.window import WindowControllers, program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.program.application import run

folders = Folders(Path(sys.argv[1]) / "data", Path(sys.argv[1]) / "cache")
folders.create()
controllers = WindowControllers(folders)

async def usable(opened):
    from PySide6.QtWidgets import QMenu

    from batchwright.ui.home.template_cards import TemplateCard

    menus = [menu.title() for menu in opened.window.menuBar().findChildren(QMenu)]
    print("&File" in menus, opened.window.is_showing_stage)
    print(sorted(name for name in sys.argv[2].split(",") if name in sys.modules))
    cards = [card for card in opened.window.findChildren(TemplateCard) if card.isVisible()]
    cards[0].click()
    study = controllers.controller(opened).study
    study.saved_changed.connect(lambda: end(opened))

def end(opened):
    from PySide6.QtCore import QTimer

    print(opened.context.shell.document.name)
    controllers.controller(opened).study.close()
    QTimer.singleShot(0, opened.window.close)

run(replace(program_dependencies(folders, controllers), on_interactive=usable))
"""
SLOW_TO_IMPORT = (
    "duckdb",
    "httpx",
    "jinja2",
    "keyring",
    "markdown_it",
    "nh3",
    "numpy",
    "pydantic",
    "starlette",
)
OWN_MODULES_FOR_LATER = (
    "batchwright.api.client",
    "batchwright.layout.rules",
    "batchwright.ui.editor.stage",
    "batchwright.wire.batches",
    "batchwright.workflows.messages",
)


def test_home_and_its_menus_are_shown_before_other_modules_are_imported(tmp_path: Path) -> None:
    later = ",".join((*SLOW_TO_IMPORT, *OWN_MODULES_FOR_LATER))
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), later],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=60,
    )
    assert not ran.returncode, ran.stderr
    assert ran.stdout.splitlines() == ["True True", "[]", "Side-by-side preference"], ran.stderr
