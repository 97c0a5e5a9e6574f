"""Converting between batch and collection: the copy, what it lacks, and the dialog."""

from typing import Any

import pytest

from batchwright.layout.model import Page
from batchwright.layout.rules.examples import CHOICE, DATASET_FIELD, FREE_TEXT, RICH_TEXT, page
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, RemoteBinding, StudyKind
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.study.checks import checker_for
from batchwright.ui.study.file.conversion import ConversionDialog, converted, losses
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press

WIDE: Any = {"rows": [{"columns": [{"items": [RICH_TEXT, FREE_TEXT]}, {"items": [CHOICE]}]}]}


def study(*pages: Any) -> Project:
    return Project(
        "Study",
        read(pages, random_keys()),
        schema=Schema(strict=True, fields={"prompt": Field(FieldType.TEXT)}),
        remotes={"here": RemoteBinding("w", batch_id="b")},
    )


def test_a_collection_has_the_same_items_in_one_column() -> None:
    batch = study(page(RICH_TEXT, display_position="intro"), WIDE)
    collection = converted(batch)
    assert collection.kind is StudyKind.COLLECTION
    assert (collection.schema, collection.remotes) == (None, {})
    assert [item.kind for _path, item in collection.layout.walk()] == [
        item.kind for _path, item in batch.layout.walk()
    ]
    assert all(isinstance(page, Page) and page.position == "body" for page in collection.layout.pages)
    assert not checker_for(collection).check(collection.layout)
    assert list(losses(batch)) == [
        "1 row has two columns; in the copy they are below each other.",
        "1 page is shown only before or after the records; a collection shows each page once.",
        "The schema and the data file are not part of a collection.",
    ]


def test_nothing_is_lost_on_the_way_to_a_batch() -> None:
    collection = converted(study(WIDE))
    batch = converted(collection)
    assert (batch.kind, batch.layout) == (StudyKind.BATCH, collection.layout)
    assert list(losses(collection)) == []


async def test_the_window_opens_a_copy(at: OpenTestWindow) -> None:
    at.controller.study.open(study(WIDE), None, is_saved=True)
    at.controller.run_action(ActionId.CONVERT)
    await until(lambda: bool(at.window.findChildren(ConversionDialog)))
    press(at.window, "Convert")
    await at.settled()
    assert at.controller.study.is_collection
    assert not at.controller.study.is_saved
    assert at.shell.stage == "layout"


@pytest.mark.parametrize("count", [1, 2])
async def test_a_layout_with_dataset_fields_cannot_be_converted(count: int, at: OpenTestWindow) -> None:
    at.controller.study.open(study(*[page(DATASET_FIELD)] * count), None, is_saved=True)
    at.controller.run_action(ActionId.CONVERT)
    await until(lambda: bool(at.window.findChildren(ConversionDialog)))
    (dialog,) = at.window.findChildren(ConversionDialog)
    assert not dialog.accept_button.isEnabled()
    press(dialog, "Cancel")
    await at.settled()
    assert not at.controller.study.is_collection
