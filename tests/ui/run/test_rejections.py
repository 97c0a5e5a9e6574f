"""An update rejected with several issues: each is a problem of its item."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from batchwright.base.json_values import Json
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.editor.stage import EditorStage, build
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.study.study_model import Study
from tests.api.studies import LAYOUT, QUESTIONS
from tests.ui.conftest import until
from tests.ui.run.conftest import press, ready, settled, update
from tests.ui.window_fixtures import UnloadedImages, library_in

pytestmark = pytest.mark.gui


def page(*fields: str) -> Json:
    """A page with these fields and a question."""
    shown: list[Json] = [{"type": "dataset_field", "field": field} for field in fields]
    return {"rows": [{"columns": [{"items": [*shown, QUESTIONS[1]]}]}]}


@pytest.fixture
def stages(
    stages: list[Stage], uploaded_study: Study, session: ConnectionSession, tmp_path: Path
) -> list[Stage]:
    def create_editor(context: StageContext) -> QWidget:
        return build(context, uploaded_study, session, library_in(tmp_path, context), UnloadedImages())

    return [*stages, Stage("layout", "Layout", "layout", create_editor)]


async def test_each_issue_of_a_rejected_update_is_shown_until_its_item_changes(stage: RunStage) -> None:
    await ready(stage)
    state, window = stage.state, stage.window()
    study, batch = state.study, state.own
    layout = read([*LAYOUT, page("ghost", "prompt", "spook")], random_keys())
    # Without a schema the fields cannot be checked here.
    study.open(replace(study.project, layout=layout, schema=None), None)
    await settled(stage)
    assert not study.problems
    await update(stage)
    await settled(stage)
    rejected_paths = [NodePath(1, 0, 0, 0), NodePath(1, 0, 0, 2)]
    assert [problem.path for problem in study.problems] == rejected_paths
    assert all("field" in problem.message for problem in study.problems)
    assert state.refused == 2
    assert state.own == batch
    assert next_step(state).stage == "layout"
    press(stage, "Go to next problem")
    await until(lambda: window.findChild(EditorStage) is not None)
    shown = window.findChild(EditorStage)
    assert isinstance(shown, EditorStage)
    chosen = [study.layout.at(place).key for place in rejected_paths]
    await until(lambda: shown.state.selection.keys == (chosen[0],))
    for key in chosen:
        study.apply(SetAttributes(key, {"field": "prompt"}))
    assert state.refused == 0
