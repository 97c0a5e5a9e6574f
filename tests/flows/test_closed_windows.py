"""Closed windows are deleted and leave no Qt objects."""

import gc
import weakref
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtGui import QPainterPath, QPixmap
from PySide6.QtWidgets import QWidget
from shiboken6 import getAllValidWrappers, isValid

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, project_content
from batchwright.ui.editor.stage import EditorStage
from tests.flows.user_actions import User, run_program, until
from tests.samples.each_type import ALL

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

AGAIN = 2
"""How many windows are opened and closed after a first one."""


def study_of_everything(folder: Path) -> Path:
    """Write a study with an item of each type."""
    file = folder / "study.batchwright"
    layout = read([{"rows": [{"columns": [{"items": list(ALL)}]}]}], random_keys())
    file.write_bytes(project_content(Project("Study", layout)))
    return file


async def opened_and_closed(user: User, study: Path) -> "list[weakref.ref[QWidget]]":
    """Open a window on a study, show all stages, close it; return weak references to its widgets."""
    others = user.program.windows
    window = user.program.open_window([study])
    await until(lambda: window.has_study and window.is_showing_stage, "the study")
    for stage in window.stage_ids:
        window.restore_stage(stage)
        await until(lambda: window.is_showing_stage, stage)
        assert window.stage == stage
    layout = window.findChild(EditorStage)
    assert layout is not None
    await until(lambda: bool(layout.panels.canvas.page_canvas.cards()), "the study")
    parts: list[QWidget] = [window, layout]
    removed = [weakref.ref(part) for part in parts]
    window.close()
    await until(lambda: user.program.windows == others, "the end of the window")
    await until(lambda: not isValid(window), "its deletion")
    return removed


def live_qt_objects() -> Counter[str]:
    """The number of live Qt objects by class, without drawings, which are cached for all windows."""
    gc.collect()
    live = (wrapper for wrapper in getAllValidWrappers() if not isinstance(wrapper, QPixmap | QPainterPath))
    return Counter(type(wrapper).__name__ for wrapper in live)


async def test_closed_windows_are_deleted_with_all_their_objects(tmp_path: Path) -> None:
    study = study_of_everything(tmp_path)
    async with run_program(tmp_path) as user:
        await user.wait_for("Try the sample study")
        await opened_and_closed(user, study)
        after_one = live_qt_objects()
        for _number in range(AGAIN):
            removed = await opened_and_closed(user, study)
            gc.unfreeze()  # objects created in bulk were frozen
            gc.collect()
            assert [part() for part in removed] == [None, None]
        remaining = live_qt_objects() - after_one
        assert not remaining, remaining
