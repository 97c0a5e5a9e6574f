"""Notifications about the dataset while another stage is shown."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.client.context import WorkflowContext
from batchwright.ui.data.dataset.dataset_commands import start_schema_change
from batchwright.ui.data.dataset.upload import start_v3_upload
from batchwright.ui.data.stage import DataStage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.notices import NoticeCard
from tests.ui.conftest import until
from tests.ui.data.conftest import append_current_file, checked, opened
from tests.ui.data.dataset.test_append_records import more

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]


async def notice(stage: DataStage, text: str) -> NoticeCard:
    """Wait for the notice with this text."""

    def has_notice() -> list[NoticeCard]:
        cards = stage.window().findChildren(NoticeCard)
        return [card for card in cards if any(text in label.text() for label in card.findChildren(QLabel))]

    await until(lambda: bool(has_notice()), 30)
    return has_notice()[0]


@pytest.mark.usefixtures("uploaded_reviews")
async def test_the_status_bar_shows_an_append_and_a_notice_its_result(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, shell: ShellState
) -> None:
    observed: list[str] = []

    def record_activity() -> None:
        observed.append(shell.activity.text if shell.activity else "")

    shell.activity_changed.connect(record_activity)
    await opened(stage, more(tmp_path, 3))
    shell.set_stage("layout")
    append_current_file(stage)
    card = await notice(stage, "3 records appended")
    assert (observed[0], observed[-1], shell.activity) == ("Appending more.jsonl", "", None)
    card.findChildren(Button)[0].click()
    assert shell.stage == "data"


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_schema_change_and_an_unreadable_v3_file_are_notified(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, shell: ShellState
) -> None:
    observed: list[str] = []

    def record_activity() -> None:
        observed.append(shell.activity.text if shell.activity else "")

    stage.state.schema.set_label("topic", "What it is about")
    await checked(stage.state)
    shell.activity_changed.connect(record_activity)
    shell.set_stage("layout")
    start_schema_change(stage.state.dataset)
    await notice(stage, "Schema changed")
    assert (observed[0], observed[-1]) == ("Changing the dataset's schema", "")
    path = tmp_path / "twice.csv"
    path.write_text("review,review\nNice mug,g1\n")
    start_v3_upload(stage.state.dataset, path)
    await notice(stage, "The file was not read")
    assert observed[-2:] == ["Sending twice.csv", ""]
