"""Steps are made with another file, too, if it has the columns that they start from."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.ui.data.file.replace_file import ReplaceDialog
from batchwright.ui.data.stage import DataStage
from tests.ui.conftest import until
from tests.ui.data.conftest import drop, opened, wait_for_dialog
from tests.ui.data.prepare.conftest import PAIRS

pytestmark = pytest.mark.gui
KEPT = "The steps in Prepare are kept: the new file has the columns that they start from."
REMOVED = "The steps in Prepare are removed: the new file lacks columns that they start from."


async def replaced(stage: DataStage, path: Path, sentence: str) -> None:
    """Replace the file, and confirm that after reading a sentence."""
    drop(stage, path)
    dialog = await wait_for_dialog(stage, ReplaceDialog)
    assert sentence in [label.text() for label in dialog.findChildren(QLabel)]
    dialog.accept()
    await until(lambda: stage.state.file.path == path and not stage.state.is_reading)


async def test_steps_are_kept_for_a_file_with_the_same_columns_and_removed_for_another(
    stage: DataStage, outputs: Path, tmp_path: Path
) -> None:
    newer, other, state = tmp_path / "newer.csv", tmp_path / "other.csv", stage.state
    newer.write_text("prompt,system,output,length\nWhy?,A,Because,7\nWhy?,B,So,2\n", "utf-8")
    other.write_text("prompt,topic\nWhy?,cats\n", "utf-8")
    await opened(stage, outputs)
    state.change_steps([PAIRS], "Change steps")
    await until(lambda: not state.is_reading)
    schema = state.study.schema
    await replaced(stage, newer, KEPT)
    assert [*state.steps] == [PAIRS]
    assert state.file.summary is not None
    assert state.file.summary.records == 1
    assert state.study.schema == schema
    await replaced(stage, other, REMOVED)
    assert [*state.steps] == []
    assert state.study.schema is not None
    assert [*state.study.schema.fields] == ["prompt", "topic"]
