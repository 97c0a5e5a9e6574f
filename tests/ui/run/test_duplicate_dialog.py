"""A batch is duplicated in the Run stage: named, with its dataset or without, and opened as a study."""

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QRadioButton

from batchwright.local.connections import Connection
from batchwright.ui.run.dialogs import DuplicateDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import WarningBanner
from batchwright.wire.batches import Batch
from tests.ui.conftest import focused, until
from tests.ui.run.test_stage import Do, do, press, ready, settled

pytestmark = pytest.mark.gui

__all__ = ["do"]


async def open_dialog(stage: RunStage) -> DuplicateDialog:
    """The dialog, as the button beside the batch brings it."""
    press(stage, "Duplicate")
    await until(lambda: bool(shown(stage)))
    (dialog,) = shown(stage)
    return dialog


def shown(stage: RunStage) -> list[DuplicateDialog]:
    return [
        duplicate_dialog
        for duplicate_dialog in stage.window().findChildren(DuplicateDialog)
        if duplicate_dialog.isVisible()
    ]


def field(dialog: DuplicateDialog) -> QLineEdit:
    one = dialog.findChild(QLineEdit, "name")
    assert one is not None
    return one


def shown_batch(stage: RunStage) -> Batch:
    batch = stage.model.chosen
    assert batch is not None
    return batch


@pytest.mark.spec("U-01", "U-02")
def test_a_copy_shares_the_dataset_is_selected_and_opens_as_a_study(do: Do) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        model = stage.model
        original = shown_batch(stage)
        dialog = await open_dialog(stage)
        assert focused() is field(dialog)
        assert field(dialog).text() == "Cats (Copy)"
        dialog.accept_button.click()
        await settled(stage)
        copy = shown_batch(stage)
        assert copy.id != original.id
        assert (copy.name, copy.status, copy.total_task_count) == ("Cats (Copy)", "UNINITIALISED", 0)
        assert [dataset.id for dataset in copy.datasets] == [dataset.id for dataset in original.datasets]
        assert {batch.id for batch in model.batches} >= {copy.id, original.id}
        assert next_step(model).sentence.startswith("“Cats (Copy)”: ")
        press(stage, "Open as a study")
        await settled(stage)
        assert model.study.project.name == "Cats (Copy)"
        assert model.remote.batch_id == copy.id
        assert model.is_as_sent

    do(steps)


@pytest.mark.spec("U-03")
def test_a_copy_without_the_dataset_is_named_and_needs_data_of_its_own(do: Do) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        dialog = await open_dialog(stage)
        field(dialog).setText("  ")
        assert (dialog.accept_button.isEnabled(), dialog.accept_button.toolTip()) == (
            False,
            "Enter a name for the copy first",
        )
        field(dialog).setText(" Dogs ")
        (_shared, without) = dialog.findChildren(QRadioButton)
        assert "other records" in without.accessibleDescription()
        without.click()
        dialog.accept_button.click()
        await settled(stage)
        assert (shown_batch(stage).name, shown_batch(stage).datasets) == ("Dogs", ())

        again = await open_dialog(stage)
        assert not [
            radio_button for radio_button in again.findChildren(QRadioButton) if radio_button.isVisible()
        ]
        assert any("has no dataset" in line.text() for line in again.findChildren(QLabel))
        press(stage, "Cancel")
        await settled(stage)
        assert shown_batch(stage).name == "Dogs"

    do(steps)


def test_a_copy_at_a_live_service_is_warned_of(do: Do) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        batch = shown_batch(stage)
        stage.model.session._connection = Connection("Lab", "https://lab.example.org", "w1")
        stage.model.store_batch(batch)
        stage.model.choose(batch.id)
        dialog = await open_dialog(stage)
        assert dialog.accept_button.kind is ButtonKind.LIVE
        assert dialog.findChildren(WarningBanner)[0].text == "This reaches Lab. It cannot be undone."
        press(stage, "Cancel")

    do(steps)
