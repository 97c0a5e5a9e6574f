"""Takes the pictures of help and README: the real window with the sample study on the local service.

python packaging/screenshots.py [FOLDER]     every stage, light and dark; without a folder those of the help

Beside the pictures, it writes the texts that the window shows in them: a test compares them with those of
today. They are the same on any computer, as pixels are not. The window is in English, or in the language of
the variable BATCHWRIGHT_LANGUAGE.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from batchwright.ui.program.application import OpenWindow
    from batchwright.ui.program.window_controller import WindowController

os.environ.setdefault("BATCHWRIGHT_LANGUAGE", "en")

ROOT = Path(__file__).resolve().parents[1]
COLOR_SCHEMES = ("light", "dark")
SHOWN = (
    "data-light.png",
    "layout-light.png",
    "run-light.png",
    "results-dark.png",
    "results-questions-light.png",
)
"""The pictures of the help; the README shows some of them."""
PICTURES = ROOT / "resources" / "help" / "pictures"
TEXTS = "texts.json"
_CHANGING = re.compile(r"\w+…\w+|“[^”]*”|[\d.,:]*\d(\s[AP]M)?")
"""Ids, names, numbers and times in texts."""
_MOST_CHARACTERS = 60
"""Longer texts are explanations of results, which depend on the answers."""
LOADING_S = 1.5
"""Seconds that a stage is given to load before it is captured."""
TIMEOUT_S = 60


def main() -> None:
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        capture_scheme(sys.argv[2], Path(sys.argv[3]))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for scheme in COLOR_SCHEMES:
            environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
            command = [sys.executable, __file__, "--one", scheme, str(folder)]
            subprocess.run(command, env=environment, check=True)
        if folder == Path(temporary):
            for name in SHOWN:
                shutil.copy(folder / name, PICTURES / name)
            shutil.copy(folder / TEXTS, PICTURES / TEXTS)


def capture_scheme(scheme: str, folder: Path) -> None:
    """Take every screenshot of one colour scheme, on a temporary profile."""
    from batchwright.app.window import WindowControllers, program_dependencies
    from batchwright.local.paths import Folders
    from batchwright.ui.core.settings import Settings
    from batchwright.ui.program.application import OpenWindow, run
    from batchwright.ui.theme import ColorSchemePreference

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folders = Folders(data=Path(name) / "data", cache=Path(name) / "cache")
        folders.create()
        Settings(folders.data).color_scheme = ColorSchemePreference(scheme)
        controllers = WindowControllers(folders)

        async def on_opened(opened: OpenWindow) -> None:
            async def capture_and_close() -> None:
                controller = controllers.controller(opened)
                try:
                    await capture_stages(opened, controller, scheme, folder)
                finally:
                    controller.study.close()
                    opened.window.close()

            await controllers.on_opened(opened)
            opened.context.tasks.start("screenshots", capture_and_close)

        run(replace(program_dependencies(folders, controllers), on_opened=on_opened))


def shown_texts(window: "QWidget") -> list[str]:
    """The texts of the labels and buttons of the stage, with … for what differs each time."""
    from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

    from batchwright.ui.shell.stages import StageStack

    (stages,) = window.findChildren(StageStack)
    widgets = (widget for widget in stages.findChildren(QWidget) if widget.isVisible())
    labels = (widget for widget in widgets if isinstance(widget, QLabel | QAbstractButton))
    texts = (label.text() or label.accessibleName() for label in labels)
    return sorted({_CHANGING.sub("…", text) for text in texts if 0 < len(text) <= _MOST_CHARACTERS})


async def capture_stages(
    opened: "OpenWindow", controller: "WindowController", scheme: str, folder: Path
) -> None:
    """Go through a study, and capture each stage when it has something to show."""
    from PySide6.QtWidgets import QDialog

    from batchwright.analysis.statistics.comparisons.system_results import SystemFields
    from batchwright.ui.core.action_ids import ActionId
    from batchwright.ui.data.dataset.upload import start_upload
    from batchwright.ui.data.records.records_bar import RecordsBar
    from batchwright.ui.data.stage import DataStage
    from batchwright.ui.editor.stage import EditorStage
    from batchwright.ui.results.stage import ResultsStage
    from batchwright.ui.results.statistics.section_titles import Section
    from batchwright.ui.run.commands import start_simulation
    from batchwright.ui.run.stage import RunStage
    from batchwright.workflows.rehearsal.simulate import SimulationOptions

    window, shell = opened.window, opened.context.shell
    texts = dict[str, list[str]]()

    async def capture(stage: str, section: str = "") -> None:
        shell.set_stage(stage)
        await asyncio.sleep(LOADING_S)
        for card in window.notices.cards:
            card.hide()
        if (focused := window.focusWidget()) is not None:
            focused.clearFocus()
        window.grab().save(str(folder / f"{stage}{section}-{scheme}.png"))
        if any(name.startswith(f"{stage}{section}-{shade}.") for name in SHOWN for shade in COLOR_SCHEMES):
            texts[f"{stage}{section}"] = shown_texts(window)

    async def until(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not condition():  # noqa: ASYNC110 - Qt state sets no event
                await asyncio.sleep(0.05)

    async def show(stage: str) -> None:
        shell.set_stage(stage)
        await until(lambda: window.is_showing_stage)

    window.resize(1440, 900)
    await controller.session.context()
    await capture("home")
    controller.run_action(ActionId.TRY_SAMPLE)
    await until(lambda: controller.study.is_open)
    await show("data")
    data = window.findChildren(DataStage)[0].state
    await until(lambda: data.validation.report is not None)
    start_upload(data.dataset)
    (bar,) = window.findChildren(RecordsBar)
    await until(lambda: data.dataset.is_uploaded and bar.conspicuous.isVisible())
    await capture("data")
    await show("layout")
    window.findChildren(EditorStage)[0].state.selection.show_page(controller.study.layout.pages[1].key)
    await capture("layout")
    await show("run")
    run = window.findChildren(RunStage)[0].state
    opened.context.actions.run(ActionId.RUN_PUBLISH)
    await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(QDialog)))
    next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()).accept()
    await until(lambda: run.own is not None and run.own.status == "READY" and run.operation is None)
    start_simulation(run, SimulationOptions(participants=66, per_task=3))
    await until(lambda: run.operation is not None)
    await until(lambda: run.operation is None)
    await capture("run")
    await show("results")
    results = window.findChildren(ResultsStage)[0]
    await until(lambda: bool(results.state.records.found))
    await capture("results")
    results.show_section(Section.COMPARISONS)
    await until(lambda: results.analysis.is_current)
    results.analysis.change(systems=SystemFields("model_a", "model_b"))
    for section in (Section.QUESTIONS, Section.AGREEMENT, Section.COMPARISONS, Section.PARTICIPANTS):
        results.show_section(section)
        await until(lambda: results.analysis.is_current)
        await capture("results", f"-{section}")
    await capture("feedback")
    await capture("jobs")
    text = json.dumps(texts, ensure_ascii=False, indent=1)
    (folder / TEXTS).write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
