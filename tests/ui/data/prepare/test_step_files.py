"""The steps of a study are saved as the file that the command line reads, and opened from it."""

import json
from pathlib import Path

from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.data.prepare.step_files import open_steps, save_steps
from batchwright.ui.data.stage import DataStage
from tests.ui.conftest import until
from tests.ui.data.conftest import answer, have_ended, opened
from tests.ui.data.prepare.conftest import PAIRS, SIDES


async def test_steps_are_saved_and_opened_as_json_files(
    stage: DataStage, outputs: Path, tmp_path: Path, tasks: Tasks
) -> None:
    target, state = tmp_path / "steps.json", stage.state
    await opened(stage, outputs)
    target.write_text(json.dumps([PAIRS, SIDES]), "utf-8")
    stage.context.start(open_steps)
    await answer(stage, target)
    await until(lambda: state.steps == (PAIRS, SIDES) and not state.is_reading)
    stage.context.start(save_steps)
    await answer(stage, tmp_path / "saved.json")
    await until(lambda: (tmp_path / "saved.json").exists() and have_ended(tasks))
    assert json.loads((tmp_path / "saved.json").read_bytes()) == [PAIRS, SIDES]
    target.write_text('[{"step": "shuffle"}]', "utf-8")
    stage.context.start(open_steps)
    await answer(stage, target)
    await until(lambda: have_ended(tasks))
    assert state.steps == (PAIRS, SIDES)
