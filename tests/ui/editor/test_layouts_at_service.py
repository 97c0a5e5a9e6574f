"""Layouts created in the editor are accepted by the service, and the same when opened again.

A layout that the service refuses is marked in the editor before it is sent.
"""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest

from batchwright.api.http.errors import BadRequest
from batchwright.base.json_values import Json
from batchwright.client.batch_content import DesiredBatch
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Layout
from batchwright.layout.rules import Severity
from batchwright.layout.serialization import random_keys, read, write
from batchwright.local.projects import Project
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.inspector.forms import ServerIdView
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.widgets.text import ElidedLabel
from batchwright.wire.datasets import DatasetCreate
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.create_batch import create_batch
from batchwright.workflows.publishing.open_as_study import study_from_batch
from tests.api.studies import DETAILS
from tests.api.test_layouts import MALFORMED, MEDIA
from tests.samples.each_type import BETTER, DURATION, HTML, IMAGE, INVALID_VALUES, UPLOAD, WHY
from tests.ui.editor.conftest import settle
from tests.ui.editor.interaction import LEFT
from tests.workflows.contexts import context_at

pytestmark = pytest.mark.gui

EXPECTED_ITEMS: dict[str, dict[str, Any]] = {
    "Image": IMAGE,
    "Rich text": {**HTML, "content_format": "html"},
    "Free text": WHY,
    "Free text with unit": DURATION,
    "Multiple choice": BETTER,
    "Choice with free text": INVALID_VALUES,
    "File upload": UPLOAD,
    **{key: {"type": "dataset_field", "field": key} for key in MEDIA["fields"] if key != "hidden"},
}
"""The parts of the editor, with what is made of each."""


def open_layout(stage: EditorStage, pages: list[Json]) -> None:
    """Open a study with this layout and data with fields of every type."""
    layout = read(pages, random_keys()) if pages else Layout()
    stage.state.study.open(Project("Study", layout, schema=read_schema(MEDIA)), None)
    settle()


def add(stage: EditorStage, title: str) -> str:
    """Click a palette item; return the key of the new item."""
    (shown,) = [row for row in stage.panels.palette_panel.rows() if row.item.label.title == title]
    QTest.mouseClick(shown, LEFT)
    settle()
    (key,) = stage.state.keys
    assert stage.panels.canvas.page_canvas.card_of(key) is not None
    return key


def insert(stage: EditorStage, title: str) -> str:
    """Click a palette item and fill in its required attributes; return its key."""
    key = add(stage, title)
    stage.state.apply(
        SetAttributes(key, {name: value for name, value in EXPECTED_ITEMS[title].items() if name != "type"})
    )
    settle()
    return key


async def sent(running: ServiceAddress, folder: Path, layout: Layout) -> Project:
    """Create a batch with a layout; return the layout of the study opened from that batch."""

    async with context_at(
        folder, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        request = DatasetCreate(name="Media", workspace_id=context.workspace_id, schema=MEDIA)
        dataset = await context.service.datasets.create(request)
        study = DesiredBatch("Study", DETAILS, layout, dataset.id)
        batch = await create_batch(context, context.checkpoint("sent"), study)
        return await study_from_batch(context, batch.id)


def shown_at(stage: EditorStage, key: str) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the card of an item."""
    sheet = stage.panels.canvas.page_canvas
    card = sheet.card_of(key)
    assert card is not None
    corner = card.mapTo(sheet, card.rect().topLeft())
    return corner.x(), corner.y(), corner.x() + card.width(), corner.y() + card.height()


@pytest.mark.spec("L-06", "L-07", "L-08")
async def test_every_palette_item_is_accepted_by_the_service(
    stage: EditorStage, running: ServiceAddress, tmp_path: Path
) -> None:
    open_layout(stage, [])
    titles = [shown.item.label.title for shown in stage.panels.palette_panel.rows()]
    assert sorted(titles) == sorted(EXPECTED_ITEMS)
    for title in titles:
        insert(stage, title)
    assert not stage.state.error_count()
    project = await sent(running, tmp_path, stage.state.layout)
    batch_items: Any = write(project.layout)
    assert batch_items == [{"rows": [{"columns": [{"items": [EXPECTED_ITEMS[title]]}]} for title in titles]}]


async def test_the_inspector_shows_the_ids_of_the_batch(
    stage: EditorStage, running: ServiceAddress, tmp_path: Path
) -> None:
    open_layout(stage, [])
    insert(stage, "Free text")
    project = await sent(running, tmp_path, stage.state.layout)
    ((connection, remote),) = project.remotes.items()
    stage.state.study.set_connection(connection)
    stage.state.study.open(project, None)
    (key,) = [item.key for _path, item in project.layout.walk()]
    stage.state.reveal(key)
    settle()
    line = stage.panels.inspector.findChild(ServerIdView)
    assert line is not None
    assert remote.ids[key] in [label.text() for label in line.findChildren(ElidedLabel)]


@pytest.mark.spec("L-10")
def test_only_fields_that_can_be_shown_are_offered(stage: EditorStage) -> None:
    open_layout(stage, [])
    offered = [row.item.field for row in stage.panels.palette_panel.rows() if row.item.field]
    assert offered == ["text", "image_url", "audio_url", "video_url"]


@pytest.mark.spec("L-01", "L-03")
async def test_items_are_shown_sent_and_opened_in_their_order(
    stage: EditorStage, running: ServiceAddress, tmp_path: Path
) -> None:
    open_layout(stage, [])
    hello = insert(stage, "Rich text")
    commands.add_page(stage.state)
    top, left, right, last = (insert(stage, title) for title in ("text", "Image", "audio_url", "Free text"))
    stage.state.select((right,))
    commands.move(stage.state, Direction.RIGHT)
    settle()
    project = await sent(running, tmp_path, stage.state.layout)
    assert write(project.layout) == write(stage.state.layout)
    assert [item.text("type") for _path, item in project.layout.walk()] == [
        "rich_text", "dataset_field", "image", "dataset_field", "free_text",
    ]  # fmt: skip
    places = [place for place, _item in project.layout.walk()]
    assert places == [(0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 2, 0, 0)]
    boxes = {key: shown_at(stage, key) for key in (top, left, right, last)}
    assert stage.panels.canvas.page_canvas.card_of(hello) is None, "it is on the page before"
    assert boxes[top][3] <= boxes[left][1] == boxes[right][1]
    assert boxes[left][2] <= boxes[right][0]
    assert max(boxes[left][3], boxes[right][3]) <= boxes[last][1]


@pytest.mark.spec("L-04", "L-05")
async def test_a_malformed_layout_is_reported_by_the_editor_and_rejected_by_the_service(
    stage: EditorStage, running: ServiceAddress, tmp_path: Path
) -> None:
    for _id, pages in MALFORMED.values():
        open_layout(stage, pages)
        (problem,) = stage.state.study.problems
        assert (problem.severity, stage.panels.header.primary.text()) == (
            Severity.ERROR,
            "Go to next problem",
        )
        with pytest.raises(BadRequest, match="batch_items") as caught:
            await sent(running, tmp_path, stage.state.layout)
        assert f"{problem.path.label}: {problem.message}" in describe(caught.value).what
