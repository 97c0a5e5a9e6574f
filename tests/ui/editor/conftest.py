"""An open study, the state of the editor, and the Layout stage in a window."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from batchwright.layout.model import Layout
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.editor.core.selection import SelectionModel
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.stage import EditorStage, build
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from tests.layout.builders import picture, sketch
from tests.ui.conftest import activate_window
from tests.ui.window_fixtures import UnloadedImages, library_in

SCHEMA = Schema(
    strict=True,
    fields={
        "prompt": Field(FieldType.TEXT, "Prompt"),
        "answer": Field(FieldType.TEXT),
        "group": Field(FieldType.TASK_GROUP_ID),
    },
)

StateFactory = Callable[[str], EditorState]


def study_of(layout: Layout) -> Study:
    """An open study with this layout and a schema."""
    study = Study()
    study.open(Project("Study", layout=layout, schema=SCHEMA), None)
    return study


@pytest.fixture
def state_factory(qapp: QApplication) -> StateFactory:
    """A function that creates the editor state of a drawn layout."""

    def create(drawing: str) -> EditorState:
        return EditorState(study_of(sketch(drawing)), SelectionModel(), QGuiApplication.clipboard())

    return create


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path, shell: ShellState) -> Iterator[EditorStage]:
    """Show the stage of the study `ab / c|d // e` in a window."""
    with editor_window(study_of(sketch("ab / c|d // e")), tmp_path, shell) as stage:
        yield stage


@contextmanager
def editor_window(study: Study, folder: Path, shell: ShellState) -> Iterator[EditorStage]:
    """Show the stage of a study in a window; the session is not used."""
    tasks = Tasks(lambda error: pytest.fail(str(error)))
    shown: list[EditorStage] = []

    def create(context: StageContext) -> EditorStage:
        library = library_in(folder, context)
        shown.append(
            cast(
                "EditorStage",
                build(context, study, cast("ConnectionSession", None), library, UnloadedImages()),
            )
        )
        return shown[0]

    window = Window(shell, [Stage("layout", "Layout", "layout", create)], Settings(folder))
    window.resize(1440, 900)
    window.show()
    activate_window(window)
    shell.set_document(DocumentTitle("Study"))
    shell.set_stage("layout")
    window.set_context(window.stage_context(tasks))
    settle()
    yield shown[0]
    window.force_close()
    window.deleteLater()


def settle() -> None:
    """Process all pending events and paints."""
    for _ in range(10):
        QApplication.processEvents()


def selected(stage: EditorStage) -> list[str]:
    """The keys of the selected nodes."""
    return list(stage.state.keys)


def drawing(stage: EditorStage) -> str:
    """The layout as letters."""
    return picture(stage.state.layout)
