"""The dataset dialogs: operated by keyboard, and their warnings for a live service."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from batchwright.client.context import WorkflowContext
from batchwright.ui.data.dataset.confirm_dialogs import AppendDialog, V3Dialog
from batchwright.ui.data.dataset.dataset_commands import append_records, change_schema, upload_v3
from batchwright.ui.data.dataset.use_existing_dataset import fetch_dataset
from batchwright.ui.data.dataset.use_existing_dialog import UseDatasetDialog
from batchwright.ui.data.schema.schema_dialog import SchemaChangeDialog
from batchwright.ui.data.stage import DataStage
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from tests.ui.conftest import focused, until
from tests.ui.data.conftest import LIVE, checked, opened, wait_for_dialog
from tests.ui.data.dataset.test_append_records import ended, more
from tests.ui.data.dataset.test_change_schema import changed
from tests.ui.data.dataset.test_upload_v3 import sent
from tests.ui.data.dataset.test_use_existing_dataset import prompts

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

Key = Qt.Key


def press(key: Key) -> None:
    """Press a key in the focused widget."""
    QTest.keyClick(focused(), key)


def tab_to(widget: QWidget) -> None:
    """Press Tab until a control has the focus."""
    for _time in range(12):
        if focused() is widget:
            return
        press(Key.Key_Tab)
    pytest.fail(f"no way by Tab to {widget}, but to {focused()}")


async def closed(stage: DataStage, kind: type[Dialog]) -> None:
    """Wait until no dialog of a class is left."""
    await until(lambda: not stage.window().findChildren(kind), 30)


@pytest.mark.usefixtures("uploaded_reviews")
@pytest.mark.endpoint("dataset_schemas.update", "dataset_schemas.get_migration")
async def test_every_dialog_is_operated_by_keyboard(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    work = stage.state.dataset
    await opened(stage, more(tmp_path, 3))
    QTest.keyClick(stage.window(), Key.Key_I, control)
    append = await wait_for_dialog(stage, AppendDialog)
    tab_to(append.cancel_button)
    tab_to(append.accept_button)
    press(Key.Key_Return)
    assert (await ended(stage)).accepted == 3
    await closed(stage, AppendDialog)

    stage.state.schema.set_label("topic", "What it is about")
    await checked(stage.state)
    QTest.keyClick(stage.window(), Key.Key_Y, control)
    schema = await wait_for_dialog(stage, SchemaChangeDialog)
    tab_to(schema.accept_button)
    press(Key.Key_Space)
    assert (await changed(stage)).error is None
    await closed(stage, SchemaChangeDialog)

    current, other = work.remote.binding.dataset_id, (await prompts(context, tmp_path)).id
    QTest.keyClick(stage.window(), Key.Key_Q, control)
    dialog = await wait_for_dialog(stage, UseDatasetDialog)
    assert stage.window().isActiveWindow(), "nothing else was shown for a moment"
    tab_to(dialog.table)
    for key, id, row in ((Key.Key_Down, current, 1), (Key.Key_Up, other, 0)):
        press(key)
        assert dialog.id == id
        assert [index.row() for index in dialog.table.selectionModel().selectedRows()] == [row]
    press(Key.Key_Return)
    await until(lambda: dialog.lookup is not None, 30)
    tab_to(dialog.accept_button)
    press(Key.Key_Return)
    await closed(stage, UseDatasetDialog)
    await until(lambda: work.remote.binding.dataset_id == other, 30)

    stage.context.start(upload_v3)
    send = await wait_for_dialog(stage, V3Dialog)
    tab_to(send.cancel_button)
    press(Key.Key_Escape)
    await closed(stage, V3Dialog)
    assert work.v3_upload is None


@pytest.mark.usefixtures("uploaded_reviews")
async def test_dialogs_for_a_live_service_warn_and_ignore_the_return_key(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, reviews: Path
) -> None:
    """The live connection leads to the shared service."""

    async def warned(stage: DataStage, kind: type[Dialog]) -> Dialog:
        dialog = await wait_for_dialog(stage, kind)
        assert [warning_banner.text for warning_banner in dialog.findChildren(WarningBanner)] == [
            f"This reaches {LIVE.title}. It cannot be undone."
        ]
        QTest.keyClick(dialog, Key.Key_Return)
        await asyncio.sleep(0)
        assert dialog.isVisible()
        return dialog

    work, session = stage.state.dataset, stage.state.session
    matches = await fetch_dataset(session, work.remote.binding.dataset_id or "")
    await session.select(LIVE.name)
    work.attach(matches, uses_schema=False)
    await opened(stage, more(tmp_path, 3))
    stage.context.start(append_records)
    (await warned(stage, AppendDialog)).accept_button.click()
    assert (await ended(stage)).accepted == 3
    stage.state.schema.set_label("topic", "What it is about")
    await checked(stage.state)
    stage.context.start(change_schema)
    (await warned(stage, SchemaChangeDialog)).accept_button.click()
    assert (await changed(stage)).error is None
    await opened(stage, reviews)
    stage.context.start(upload_v3)
    (await warned(stage, V3Dialog)).accept_button.click()
    assert (await sent(stage)).status == "READY"
