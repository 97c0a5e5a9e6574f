"""A first layout is proposed from the table of a new study, with a notice, and can be undone or replaced."""

from pathlib import Path

import pytest

from batchwright.layout.editing.edits import AddPage
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.item_types.dataset_field import DatasetField
from batchwright.layout.model import Layout, Page
from batchwright.local.projects import Project
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.notices import NoticeCard
from tests.ui.conftest import until
from tests.ui.data.conftest import checked, opened

pytestmark = pytest.mark.gui

EMPTY = Layout((Page("first", {}),))


@pytest.fixture
def study(study: Study) -> Study:
    """A new study: its only page is empty."""
    study.open(Project("Cats", EMPTY), None)
    return study


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.csv"
    path.write_text("prompt,gpt-4,claude\nWhy?,So.,Thus.\nHow?,Well.,Ill.\n")
    return path


def shown_fields(study: Study) -> list[str]:
    return [item.field for _path, item in study.layout.items(DatasetField)]


def notices(stage: DataStage) -> tuple[NoticeCard, ...]:
    window = stage.window()
    assert isinstance(window, Window)
    return window.notices.cards


def text_of_notice(stage: DataStage) -> str:
    (card,) = notices(stage)
    return card.accessibleDescription()


def click(stage: DataStage, text: str) -> None:
    (card,) = notices(stage)
    next(button for button in card.findChildren(Button) if button.text() == text).click()


async def proposed(stage: DataStage, path: Path) -> None:
    await opened(stage, path)
    await until(lambda: bool(notices(stage)))


async def test_opening_a_table_proposes_a_layout_and_names_what_tells_the_systems(
    stage: DataStage, study: Study, answers: Path
) -> None:
    await proposed(stage, answers)
    assert shown_fields(study) == ["prompt", "gpt-4", "claude"]
    assert study.schema is not None
    assert study.schema.fields["gpt-4"].label == "Response A"
    text = text_of_notice(stage)
    assert "Participants compare “Response A”, “Response B”" in text
    assert "“gpt-4”, “claude” are named after systems" in text


async def test_the_proposal_is_one_step_that_undo_takes_back_with_its_notice(
    stage: DataStage, study: Study, answers: Path
) -> None:
    await proposed(stage, answers)
    study.undo()
    assert study.layout == EMPTY
    assert study.schema is not None
    await until(lambda: not notices(stage))
    study.redo()
    assert shown_fields(study) == ["prompt", "gpt-4", "claude"]


async def test_another_proposal_replaces_the_first_and_undo_in_the_notice_restores_the_empty_page(
    stage: DataStage, study: Study, answers: Path
) -> None:
    await proposed(stage, answers)
    first = study.layout
    click(stage, "Another")
    assert study.layout != first
    assert "Participants compare" not in text_of_notice(stage)
    click(stage, "Undo")
    assert study.layout == EMPTY


async def test_a_step_of_the_preparation_does_not_replace_the_chosen_proposal_by_the_best(
    stage: DataStage, study: Study, answers: Path
) -> None:
    await proposed(stage, answers)
    click(stage, "Another")
    chosen = text_of_notice(stage)
    before = study.layout
    stage.state.change_steps([{"step": "sample", "size": 1}], "Add step")
    await until(lambda: study.layout != before)
    await checked(stage.state)
    assert text_of_notice(stage) == chosen


async def test_a_layout_that_the_user_has_started_is_kept(
    stage: DataStage, study: Study, answers: Path
) -> None:
    study.apply(AddPage((Page("second", {}),), InsertionPoint(None, 1)))
    before = study.layout
    await opened(stage, answers)
    assert study.layout == before
    assert not notices(stage)


async def test_a_proposal_that_nobody_has_changed_follows_the_next_table(
    data: DataState, stage: DataStage, study: Study, answers: Path, tmp_path: Path
) -> None:
    await proposed(stage, answers)
    texts = tmp_path / "texts.csv"
    texts.write_text("sentence\nA cat.\nA dog.\n")
    data.open_file(texts)
    await until(lambda: shown_fields(study) == ["sentence"])
    await checked(data)


async def test_a_proposal_that_was_undone_is_not_made_again_when_the_file_is_read_again(
    data: DataState, stage: DataStage, study: Study, answers: Path
) -> None:
    await proposed(stage, answers)
    study.undo()
    data.file.retry()
    await until(lambda: data.file.profile is not None)
    await checked(data)
    assert study.layout == EMPTY
