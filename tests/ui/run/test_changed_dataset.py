"""Another client gives the batch another dataset: the study takes it with the version of the service."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.api.http.errors import NotFound
from batchwright.api.resources.datasets import Datasets
from batchwright.base.json_values import Json
from batchwright.layout.comparing.merge import MergeSide
from batchwright.layout.editing.edits import AddPage
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.serialization import random_keys, read
from batchwright.schema.parsing import read_schema
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.review.conflict_dialog import ConflictDialog
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.wire.batches import BatchUpdate
from batchwright.wire.datasets import Dataset
from batchwright.wire.error_parsing import read_error
from batchwright.workflows.data.upload_dataset import upload_dataset
from tests.ui.run.conftest import WHY, press, ready, settled
from tests.ui.run.test_update_confirmation import (
    change_question,
    choose_sides,
    click_side,
    close_set_up,
    questions,
    rows_of,
    shown,
)

pytestmark = pytest.mark.gui


SCHEMA = read_schema({"strict": True, "fields": {"prompt": {"type": "text"}, "source": {"type": "text"}}})


def write_records(data: Path, text: str = "prompt,source\nA,x\nB,y\nC,z\n") -> None:
    data.write_text(text, encoding="utf-8")


PAGES: list[Json] = [
    {"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": "prompt"}, WHY]}]}]}
]
"""A page that shows a field that the dataset of the other client may lack."""


async def upload_other(stage: RunStage, data: Path) -> str:
    """Upload three records with another schema; return the id of the dataset."""
    context = await stage.state.session.context()
    write_records(data)
    uploaded = await upload_dataset(context, context.checkpoint(str(data)), "Others", SCHEMA, data)
    return uploaded.dataset.id


async def attach_elsewhere(stage: RunStage, folder: Path) -> str:
    """Another client gives the batch a new dataset; return its id."""
    context = await stage.state.session.context()
    dataset_id = await upload_other(stage, folder / "theirs.csv")
    await context.service.batches.update(stage.state.own_id, BatchUpdate(dataset_id=dataset_id))
    return dataset_id


async def dataset_at_service(stage: RunStage) -> str:
    context = await stage.state.session.context()
    (dataset,) = (await context.service.batches.get(stage.state.own_id)).datasets
    return dataset.id


async def test_their_version_brings_their_dataset_and_undo_brings_back_the_own_one(
    stage: RunStage, tmp_path: Path
) -> None:
    await ready(stage)
    before, schema = stage.state.remote, stage.state.study.schema
    theirs = await attach_elsewhere(stage, tmp_path)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    dialog = await shown(stage, ConflictDialog)
    assert rows_of(dialog)[:2] == ["1 was changed", "Dataset"]
    assert f"before: {before.dataset_id}, after: {theirs}" in rows_of(dialog)[2]
    press(stage, "Use their version")
    press(stage, "Continue")
    await settled(stage)
    remote = stage.state.remote
    assert (remote.dataset_id, remote.has_data, remote.delivered) == (theirs, True, None)
    assert stage.state.study.schema == SCHEMA
    assert stage.state.is_as_sent
    assert not stage.state.schema_differs
    stage.window_context.actions.run(ActionId.RUN_SET_UP)
    await shown(stage, SetUpDialog)
    press(stage, "Create 3 tasks")
    await settled(stage)
    stage.state.study.undo()
    remote = stage.state.remote
    assert (remote.dataset_id, remote.import_id) == (before.dataset_id, before.import_id)
    assert stage.state.study.schema == schema
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await shown(stage, ConflictDialog)
    press(stage, "Cancel")
    await settled(stage)
    assert await dataset_at_service(stage) == theirs


async def test_their_dataset_is_combined_with_a_change_of_the_study(stage: RunStage, tmp_path: Path) -> None:
    await ready(stage)
    theirs = await attach_elsewhere(stage, tmp_path)
    change_question(stage)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await shown(stage, ConflictDialog)
    press(stage, "Combine both versions")
    press(stage, "Continue")
    review = await shown(stage, ReviewDialog)
    assert "Dataset" not in rows_of(review)
    review.accept_button.click()
    await close_set_up(stage)
    assert await dataset_at_service(stage) == theirs
    assert stage.state.remote.dataset_id == theirs
    assert "Why not?" in questions(stage)
    assert stage.state.is_as_sent


@pytest.mark.parametrize("side", MergeSide)
async def test_two_different_datasets_are_decided_by_side(
    stage: RunStage, side: MergeSide, tmp_path: Path
) -> None:
    await ready(stage)
    theirs = await attach_elsewhere(stage, tmp_path)
    mine = await upload_other(stage, tmp_path / "mine.csv")
    connection, remote = stage.state.session.connection.name, stage.state.remote
    stage.state.study.set_remote(connection, replace(remote, dataset_id=mine))
    stage.state.study.set_schema(SCHEMA)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await click_side(await choose_sides(stage), 0, side)
    press(stage, "Combine")
    if side is MergeSide.MINE:
        (await shown(stage, ReviewDialog)).accept_button.click()
    await close_set_up(stage)
    expected = mine if side is MergeSide.MINE else theirs
    assert stage.state.remote.dataset_id == expected
    assert await dataset_at_service(stage) == expected


async def test_a_dataset_without_access_cannot_be_taken_and_the_dialog_says_why(
    stage: RunStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_access(_self: Datasets, _dataset_id: str) -> Dataset:
        raise NotFound("GET /datasets", read_error(404, b"", {}))

    await ready(stage)
    theirs = await attach_elsewhere(stage, tmp_path)
    monkeypatch.setattr(Datasets, "get", no_access)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    dialog = await shown(stage, ConflictDialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any(f"Your token has no access to their dataset {theirs}" in text for text in texts)
    states = {button.text(): button.isEnabled() for button in dialog._group.buttons()}
    assert states == {
        "Use their version": False,
        "Keep my version": True,
        "Keep my version as a new batch": True,
    }
    press(stage, "Cancel")
    await settled(stage)
    monkeypatch.undo()


async def test_a_combined_version_with_problems_is_not_sent(stage: RunStage, tmp_path: Path) -> None:
    await ready(stage)
    data, context = tmp_path / "theirs.csv", await stage.state.session.context()
    data.write_bytes(b"source\nx\n")
    other = read_schema({"strict": True, "fields": {"source": {"type": "text"}}})
    uploaded = await upload_dataset(context, context.checkpoint(str(data)), "Others", other, data)
    batch = await context.service.batches.get(stage.state.own_id)
    theirs = json.loads(json.dumps(batch.batch_items).replace('"prompt"', '"source"'))
    change = BatchUpdate(dataset_id=uploaded.dataset.id, batch_items=theirs)
    await context.service.batches.update(batch.id, change)
    study = stage.state.study
    notified: list[str] = []
    stage.state.notified.connect(lambda title, _text: notified.append(title))
    study.apply(AddPage(read(PAGES, random_keys()).pages, InsertionPoint(None, 1)))
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await shown(stage, ConflictDialog)
    press(stage, "Combine both versions")
    press(stage, "Continue")
    await settled(stage)
    assert stage.window().findChild(ReviewDialog) is None
    assert next_step(stage.state).stage == "layout"
    assert stage.state.remote.dataset_id == uploaded.dataset.id
    assert notified == ["Both versions are combined"]
    assert (await context.service.batches.get(batch.id)).batch_items == theirs
