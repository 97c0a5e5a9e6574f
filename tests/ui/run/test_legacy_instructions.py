"""The instructions of a legacy batch: shown, edited and saved in the Run stage."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from batchwright.api.http.errors import Gone, Unreachable
from batchwright.api.resources.instructions import Instructions as Calls
from batchwright.api.resources.instructions import LegacyInstructions
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import FreeText
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.editor.inspector.large_editor import LargeEditor
from batchwright.ui.editor.inspector.options.table import OptionTable
from batchwright.ui.editor.legacy_instructions import InstructionsDialog, LegacyInstructionsState
from batchwright.ui.review.conflict_dialog import ConflictDialog
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.run.batch_panel import BatchPanel
from batchwright.ui.run.remote_batches import is_legacy
from batchwright.ui.run.stage import RunStage
from batchwright.ui.widgets.dialogs.dialog import WarningBanner
from batchwright.ui.widgets.fields import TextArea
from batchwright.wire.base import to_payload
from batchwright.wire.batches import Batch, BatchCreate, BatchUpdate
from batchwright.wire.error_parsing import read_error
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from tests.api.studies import DETAILS, LAYOUT
from tests.ui.conftest import focused, until
from tests.ui.run.conftest import WHICH, WHY, find_in_window, press, settled
from tests.ui.run.test_update_confirmation import rows_of
from tests.ui.spoken_rows import spoken_rows

pytestmark = pytest.mark.gui


async def legacy_batch(stage: RunStage) -> tuple[str, tuple[InstructionRecord, ...]]:
    """Create a legacy batch and select it; return its id and its instructions."""
    context = await stage.state.session.context()
    request = BatchCreate(name="Old", workspace_id=context.workspace_id, task_details=DETAILS)
    batch = await context.service.batches.create(request)
    instructions = InstructionsWrite.model_validate({"instructions": [WHY, WHICH]})
    written = await context.service.instructions.replace(batch.id, instructions)
    await stage.state.remote_list.fetch_now()
    stage.state.choose(batch.id)
    return batch.id, written.records


async def fetch_instructions(stage: RunStage, batch_id: str) -> tuple[InstructionRecord, ...]:
    """The instructions stored by the service."""
    context = await stage.state.session.context()
    return (await context.service.instructions.list(batch_id)).records


async def open_dialog(stage: RunStage) -> InstructionsDialog:
    stage.window_context.actions.run(ActionId.RUN_INSTRUCTIONS)
    await until(lambda: stage.window().findChild(InstructionsDialog) is not None, 30)
    dialog = stage.window().findChild(InstructionsDialog)
    assert isinstance(dialog, InstructionsDialog)
    return dialog


async def open_review(stage: RunStage) -> ReviewDialog:
    """The review of the changes, once it is shown."""
    await until(lambda: stage.window().findChild(ReviewDialog) is not None, 30)
    review = stage.window().findChild(ReviewDialog)
    assert isinstance(review, ReviewDialog)
    return review


def review_rows(review: ReviewDialog) -> list[str]:
    return spoken_rows(review.changes)


async def save(stage: RunStage, text: str = "Save instructions") -> None:
    """Save the instructions, and send what the review shows."""
    await until(lambda: stage.window().findChild(ReviewDialog) is None, 30)
    press(stage, text)
    (await open_review(stage)).accept_button.click()
    await settled(stage)


def dialog_text(dialog: InstructionsDialog) -> str:
    return "\n".join(line.text() for line in dialog.findChildren(QLabel) if line.isVisible())


def record(number: int, **attributes: Json) -> InstructionRecord:
    return InstructionRecord.model_validate({"id": f"00000000-0000-7000-8000-{number:012}", **attributes})


def test_edited_instructions_keep_ids_and_convert_values_to_text() -> None:
    options: Json = [{"label": "One", "value": 1}, {"label": "Yes", "value": True}]
    old = record(1, **{**WHICH, "options": options}), record(2, **WHY), record(3, **WHY)
    instructions = LegacyInstructionsState(old)
    assert instructions.disabled_reason == "No changes yet"
    instructions.remove(instructions.items[1].key)
    key = instructions.add(FreeText)
    assert instructions.disabled_reason == "Fix the marked problems first"
    instructions.study.apply(SetAttributes(key, {"description": "What else?"}))
    assert instructions.disabled_reason == ""
    first, second, new = instructions.to_request().instructions
    assert (first.id, second.id, new.id) == (old[0].id, old[2].id, None)
    assert to_payload(first)["options"] == [{"label": "One", "value": "1"}, {"label": "Yes", "value": "true"}]
    for item in instructions.items:
        instructions.remove(item.key)
    assert instructions.disabled_reason == ""
    assert not instructions.to_request().instructions
    assert LegacyInstructionsState(()).disabled_reason == "No changes yet"


def test_a_batch_listed_without_its_layout_is_not_legacy() -> None:
    assert is_legacy(Batch(id="b", status="READY", batch_items=None))
    assert not is_legacy(Batch(id="b", status="READY"))
    assert not is_legacy(Batch(id="b", status="READY", batch_items=[]))


@pytest.mark.spec("H-07")
@pytest.mark.endpoint("instructions.replace")
async def test_instructions_are_shown_with_their_end_date_and_edited_by_keyboard(stage: RunStage) -> None:
    batch, (why, which) = await legacy_batch(stage)
    dialog = await open_dialog(stage)
    assert "2026-09-01" in dialog_text(dialog)
    assert "batch_items" in dialog_text(dialog)
    first = dialog.sections[0].header
    assert focused() is first
    assert (first.text(), first.accessibleDescription()) == ("1. Free text", "Why?")
    QTest.keyClick(first, Qt.Key.Key_Space)
    area = dialog.sections[0].findChild(TextArea)
    assert isinstance(area, TextArea)
    area.setFocus()
    QTest.keyClicks(area, "Say ")
    assert first.accessibleDescription() == "Say Why?"
    press(stage, "Save instructions")
    review = await open_review(stage)
    texts = review_rows(review)
    assert texts[0] == "1 will change"
    assert texts[1].startswith("Free text, “Say Why?”, Instruction 1 · ")
    assert texts[2:] == ["Question, before: Why?, after: Say Why?", "1 item stays as it is"]
    review.cancel_button.click()
    await until(dialog.accept_button.isEnabled, 30)
    assert await fetch_instructions(stage, batch) == (why, which)
    await save(stage)
    stored = await fetch_instructions(stage, batch)
    assert [(entry.id, entry.description) for entry in stored] == [
        (why.id, "Say Why?"),
        (which.id, "Which?"),
    ]


async def test_instructions_are_added_and_removed(stage: RunStage) -> None:
    batch, (_why, which) = await legacy_batch(stage)
    dialog = await open_dialog(stage)
    press(stage, "Edit")
    dialog.sections[0].header.click()
    press(stage, "Remove")
    assert [section.header.text() for section in dialog.sections] == ["1. Multiple choice"]
    assert focused() is dialog.sections[0].header
    dialog._rebuild(dialog.instructions.add(FreeText))
    assert dialog.sections[1].header.isChecked()
    assert not dialog.accept_button.isEnabled()
    assert dialog.accept_button.toolTip() == "Fix the marked problems first"
    new = dialog.sections[1]
    assert "Fill it in" in new.header.accessibleDescription()
    area = focused()
    assert area is new.findChild(TextArea)
    QTest.keyClicks(area, "What else?")
    assert new.header.accessibleDescription() == "What else?"
    await save(stage)
    stored = await fetch_instructions(stage, batch)
    assert stored[0].id == which.id
    assert [entry.description for entry in stored] == ["Which?", "What else?"]


@pytest.mark.endpoint("instructions.list_all", "instructions.create")
async def test_instructions_added_with_the_menu_are_appended_to_the_existing_ones(stage: RunStage) -> None:
    batch, existing = await legacy_batch(stage)
    dialog = await open_dialog(stage)
    menu = dialog._add_button.menu()
    next(action for action in menu.actions() if action.text() == "Free text").trigger()
    QTest.keyClicks(focused(), "What else?")
    await save(stage)
    stored = await fetch_instructions(stage, batch)
    assert stored[:2] == existing
    assert [entry.description for entry in stored[2:]] == ["What else?"]


async def test_all_instructions_can_be_removed(stage: RunStage) -> None:
    batch, _records = await legacy_batch(stage)
    dialog = await open_dialog(stage)
    for item in dialog.instructions.items:
        dialog._remove(item.key)
    await save(stage, "Remove all instructions")
    assert await fetch_instructions(stage, batch) == ()


async def test_enter_in_a_field_of_the_form_does_not_accept_the_dialog(stage: RunStage) -> None:
    await legacy_batch(stage)
    dialog = await open_dialog(stage)
    choice = dialog.sections[1]
    choice.header.click()
    area = choice.findChild(TextArea)
    assert isinstance(area, TextArea)
    area.setFocus()
    QTest.keyClick(area, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: bool(stage.window().findChildren(LargeEditor)))
    large = focused()
    assert large is not area
    QTest.keyClicks(large, " Now?")
    QTest.keyClick(large, Qt.Key.Key_Escape)
    assert choice.header.accessibleDescription() == "Which? Now?"
    assert dialog.isVisible()
    table = choice.findChild(OptionTable)
    assert isinstance(table, OptionTable)
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Return):
        QTest.keyClick(focused(), key)
    assert (dialog.accept_button.text(), dialog.isVisible()) == ("Save instructions", True)
    press(stage, "Cancel")


async def test_instructions_rejected_by_the_service_are_reported_in_the_dialog(stage: RunStage) -> None:
    batch, _records = await legacy_batch(stage)
    context = await stage.state.session.context()
    layout = BatchUpdate(dataset_id=stage.state.remote.dataset_id, batch_items=LAYOUT)
    await context.service.batches.update(batch, layout)
    dialog = await open_dialog(stage)
    dialog.instructions.remove(dialog.instructions.items[0].key)
    press(stage, "Save instructions")
    (await open_review(stage)).accept_button.click()
    await until(lambda: bool(dialog.findChildren(WarningBanner)), 30)
    (line,) = dialog.findChildren(WarningBanner)
    assert "batch_items" in line.text
    assert dialog.accept_button.isEnabled()
    press(stage, "Cancel")
    await settled(stage)


@pytest.mark.spec("H-07")
async def test_a_service_without_instructions_is_reported(
    stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deleted(_self: Calls, batch_id: str) -> LegacyInstructions:
        raise Gone("GET /instructions", read_error(410, b"", {}), f"instructions of batch {batch_id}")

    failed: list[str] = []

    def record_failure(_name: str, text: TaskMessage, _error: Exception) -> None:
        failed.append(f"{text.what} {text.remedy}")

    stage.window_context.tasks.failed.connect(record_failure)
    await legacy_batch(stage)
    monkeypatch.setattr(Calls, "list", deleted)
    stage.window_context.actions.run(ActionId.RUN_INSTRUCTIONS)
    await settled(stage)
    (messages,) = failed
    assert "no longer offers this" in messages
    assert "layout" in messages


async def test_a_batch_with_a_layout_refers_to_the_layout_for_its_questions(stage: RunStage) -> None:
    (offer,) = (
        entry
        for entry in stage.window_context.actions.palette_entries()
        if "instructions of a legacy" in entry.text
    )
    assert "Questions are in the layout" in offer.disabled_reason
    assert not find_in_window(stage, BatchPanel).legacy.isVisible()
    await legacy_batch(stage)
    assert find_in_window(stage, BatchPanel).legacy.isVisible()
    assert not find_in_window(stage, BatchPanel).head.open.isVisible()
    assert not stage.window_context.actions.qaction(ActionId.RUN_OPEN_BATCH).isEnabled()
    assert find_in_window(stage, BatchPanel).legacy.convert.isVisible()


async def change_elsewhere(stage: RunStage, batch_id: str, *instructions: JsonObject) -> None:
    """Another client replaces the instructions of the batch."""
    context, records = await stage.state.session.context(), await fetch_instructions(stage, batch_id)
    kept = [{"id": record.id, **entry} for record, entry in zip(records, instructions, strict=False)]
    request = {"instructions": [*kept, *instructions[len(kept) :]]}
    await context.service.instructions.replace(batch_id, InstructionsWrite.model_validate(request))


async def conflict(stage: RunStage, *theirs: JsonObject, mine: JsonObject) -> str:
    """Change the first instruction, and save after another client has changed them; return the batch's id."""
    batch_id, _records = await legacy_batch(stage)
    dialog = await open_dialog(stage)
    instructions = dialog.instructions
    instructions.study.apply(SetAttributes(instructions.items[0].key, mine))
    await change_elsewhere(stage, batch_id, *theirs)
    press(stage, "Save instructions")
    await until(lambda: stage.window().findChild(ConflictDialog) is not None, 30)
    return batch_id


async def descriptions(stage: RunStage, batch_id: str) -> list[str]:
    return [record.description for record in await fetch_instructions(stage, batch_id)]


MINE: JsonObject = {"description": "Why, really?"}
THEIR_WHICH: JsonObject = {**WHICH, "description": "Which one?"}


async def test_changes_of_another_client_are_shown_and_combined_with_the_own_ones(stage: RunStage) -> None:
    batch_id = await conflict(stage, WHY, THEIR_WHICH, mine=MINE)
    rows = rows_of(find_in_window(stage, ConflictDialog))
    assert rows[0] == "1 was changed"
    assert rows[1].startswith("Multiple choice, “Which one?”, Instruction 2 · ")
    assert rows[2] == "Question, before: Which?, after: Which one?"
    before = await fetch_instructions(stage, batch_id)
    press(stage, "Combine both versions")
    press(stage, "Continue")
    review = await open_review(stage)
    assert review_rows(review)[2] == "Question, before: Why?, after: Why, really?"
    assert await fetch_instructions(stage, batch_id) == before
    review.accept_button.click()
    await settled(stage)
    after = await fetch_instructions(stage, batch_id)
    assert [record.id for record in after] == [record.id for record in before]
    assert [record.description for record in after] == ["Why, really?", "Which one?"]


async def test_their_instructions_are_taken_into_the_dialog_and_edited_further(stage: RunStage) -> None:
    batch_id = await conflict(stage, {**WHY, "description": "Theirs?"}, THEIR_WHICH, mine=MINE)
    press(stage, "Use their version")
    press(stage, "Continue")
    dialog = find_in_window(stage, InstructionsDialog)
    await until(lambda: dialog.accept_button.toolTip() == "No changes yet", 30)
    texts = [section.header.accessibleDescription() for section in dialog.sections]
    assert texts == ["Theirs?", "Which one?"]
    dialog.instructions.remove(dialog.instructions.items[1].key)
    await save(stage)
    assert await descriptions(stage, batch_id) == ["Theirs?"]


async def test_the_own_instructions_overwrite_others_only_after_the_review(stage: RunStage) -> None:
    batch_id = await conflict(stage, {**WHY, "description": "Theirs?"}, mine=MINE)
    find_in_window(stage, ConflictDialog).cancel_button.click()
    await until(lambda: stage.window().findChild(ConflictDialog) is None, 30)
    assert await descriptions(stage, batch_id) == ["Theirs?"]
    dialog = find_in_window(stage, InstructionsDialog)
    await until(dialog.accept_button.isEnabled, 30)
    press(stage, "Save instructions")
    await until(lambda: stage.window().findChild(ConflictDialog) is not None, 30)
    press(stage, "Keep my version")
    press(stage, "Continue")
    review = await open_review(stage)
    assert "Question, before: Theirs?, after: Why, really?" in review_rows(review)
    review.accept_button.click()
    await settled(stage)
    assert await descriptions(stage, batch_id) == ["Why, really?", "Which?"]


async def test_the_own_instructions_are_kept_as_a_new_batch(stage: RunStage) -> None:
    batch_id = await conflict(stage, {**WHY, "description": "Theirs?"}, THEIR_WHICH, mine=MINE)
    press(stage, "Keep my version as a new batch")
    press(stage, "Continue")
    await settled(stage)
    assert await descriptions(stage, batch_id) == ["Theirs?", "Which one?"]
    copy = stage.state.chosen
    assert copy is not None
    assert (copy.name, copy.id != batch_id) == ("Old (Copy)", True)
    assert await descriptions(stage, copy.id) == ["Why, really?", "Which?"]


async def test_instructions_that_a_lost_request_has_saved_are_not_saved_again(
    stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id, _records = await legacy_batch(stage)
    dialog = await open_dialog(stage)
    dialog._rebuild(dialog.instructions.add(FreeText))
    changed, *_others, added = (item.key for item in dialog.instructions.items)
    dialog.instructions.study.apply(SetAttributes(changed, MINE))
    dialog.instructions.study.apply(SetAttributes(added, {"description": "What else?"}))
    replace = Calls.replace

    async def lose_response(self: Calls, id: str, instructions: InstructionsWrite) -> LegacyInstructions:
        await replace(self, id, instructions)
        raise Unreachable("PUT", "no connection", arrived=True)

    monkeypatch.setattr(Calls, "replace", lose_response)
    press(stage, "Save instructions")
    (await open_review(stage)).accept_button.click()
    await until(lambda: bool(dialog.findChildren(WarningBanner)), 30)
    monkeypatch.undo()
    before = await fetch_instructions(stage, batch_id)
    press(stage, "Save instructions")
    await settled(stage)
    assert stage.window().findChild(InstructionsDialog) is None
    assert await fetch_instructions(stage, batch_id) == before
    assert len(before) == 3
