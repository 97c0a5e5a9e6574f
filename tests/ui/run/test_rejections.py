"""An update that the service refuses with several issues: each shown at its item, and the way leads there."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.base.json_values import Json
from batchwright.layout.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.ui.editor.stage import EditorStage, build
from batchwright.ui.run.next_step import RunAction, next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.shell.stages import Stage
from tests.api.studies import LAYOUT, QUESTIONS
from tests.ui.conftest import until
from tests.ui.run.test_stage import Do, do, press, ready, settled, update
from tests.ui.window_fixtures import library_in

pytestmark = pytest.mark.gui

__all__ = ["do"]


def page(*fields: str) -> Json:
    """A page with these fields and a question."""
    shown: list[Json] = [{"type": "dataset_field", "field": field} for field in fields]
    return {"rows": [{"columns": [{"items": [*shown, QUESTIONS[1]]}]}]}


def test_each_issue_of_an_update_is_shown_at_its_item_until_that_is_changed(do: Do, tmp_path: Path) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        model, window = stage.model, stage.window()
        study, batch = model.study, model.batch
        layout = read([*LAYOUT, page("ghost", "prompt", "spook")], random_keys())
        # Without a schema nothing is known here of fields.
        study.open(replace(study.project, layout=layout, schema=None), None)
        await settled(stage)
        assert not study.problems
        await update(stage)
        await settled(stage)
        at_fault = [NodePath(1, 0, 0, 0), NodePath(1, 0, 0, 2)]
        assert [problem.path for problem in study.problems] == at_fault
        assert all("field" in problem.message for problem in study.problems)
        assert model.refused == 2
        assert model.batch == batch
        assert next_step(model).act is RunAction.LAYOUT
        stack = stage.window()._stack  # type: ignore[attr-defined]
        stack._stages["layout"] = Stage(
            "layout",
            "Layout",
            "layout",
            lambda stage_context: build(
                stage_context, study, model.session, library_in(tmp_path, stage_context)
            ),
        )
        press(stage, "Go to next problem")
        await until(lambda: window.findChild(EditorStage) is not None)
        shown = window.findChild(EditorStage)
        assert isinstance(shown, EditorStage)
        chosen = [study.layout.at(place).key for place in at_fault]
        await until(lambda: shown.model.selection.keys == (chosen[0],))
        for key in chosen:
            study.apply(SetAttributes(key, {"field": "prompt"}))
        assert model.refused == 0

    do(steps)
