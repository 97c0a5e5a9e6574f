"""The Collections stage through its own buttons, at a real service."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from zipfile import ZipFile

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from batchwright.api.collections import Collections
from batchwright.api.errors import FeatureOff
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.published_content import ContentComparison
from batchwright.layout.collection_pages import items_of, to_collection_items
from batchwright.layout.edits import SetAttributes
from batchwright.layout.model import Page
from batchwright.local.projects import StudyKind
from batchwright.service.process import ServiceAddress
from batchwright.ui.collections.dialogs import CopyDialog
from batchwright.ui.collections.next_step import next_step
from batchwright.ui.collections.stage import CollectionList
from batchwright.ui.review.conflict_dialog import ConflictDialog
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.dialogs import WarningBanner
from batchwright.wire.base import to_payload
from batchwright.wire.collections import Collection, CollectionCreate, CollectionReplace, PageWrite
from batchwright.wire.error_parsing import read_error
from batchwright.wire.pagination import Listing
from tests.api.studies import DETAILS
from tests.ui.collections.collections_stage import Desk, Do, kitchen, on_stage
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


async def save(desk: Desk) -> None:
    """Save the study to its collection after the review."""
    desk.press("Save to the service")
    (await desk.dialog(ReviewDialog)).accept_button.click()
    await desk.settled()


def feature_off() -> FeatureOff:
    body = json.dumps({"error": {"status": 403, "title": "Forbidden", "detail": "Not enabled."}}).encode()
    return FeatureOff("GET /collections", read_error(403, body, {}))


def rename_question(desk: Desk, text: str) -> None:
    """Change the first question in the study."""
    page = desk.study.layout.pages[0]
    assert isinstance(page, Page)
    desk.study.apply(SetAttributes(items_of(page)[1].key, {"description": text}))


def listed(desk: Desk) -> list[str]:
    """The names in the list, from above."""
    view = desk.stage.findChildren(QListView)[0]
    model = view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def shows(desk: Desk, text: str) -> bool:
    """Whether a visible line has this text."""
    return any(label.text() == text and label.isVisible() for label in desk.stage.findChildren(QLabel))


def comparison(desk: Desk) -> ContentComparison:
    return desk.state.comparison


async def create(desk: Desk, name: str) -> str:
    """Create a collection as another client; returns its id."""
    context = await desk.session.context()
    items = to_collection_items(kitchen().layout, {})
    pages = tuple(PageWrite.model_validate(page) for page in items)
    request = CollectionCreate(
        name=name, workspace_id=context.workspace_id, task_details=DETAILS, collection_items=pages
    )
    return (await context.service.collections.create(request)).id


@pytest.mark.spec("C-03")
def test_a_collection_is_created_changed_and_saved_with_its_ids(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        assert next_step(desk.state).action == "collections.publish"
        await desk.done("Create collection")
        created, remote = desk.state.own, desk.state.remote
        assert created is not None
        assert (created.name, remote.collection_id, len(remote.ids)) == ("Kitchen", created.id, 5)
        assert comparison(desk) is ContentComparison.UP_TO_DATE
        assert shows(desk, created.id)
        rename_question(desk, "What do you bake?")
        assert comparison(desk) is ContentComparison.STUDY_CHANGED
        await save(desk)
        saved = desk.state.own
        assert saved is not None
        assert saved.id == created.id
        assert desk.state.remote.ids == remote.ids
        assert comparison(desk) is ContentComparison.UP_TO_DATE
        context = await desk.session.context()
        stored = await context.service.collections.get(created.id)
        assert stored.collection_items is not None
        (_text, question) = stored.collection_items[0].page_items
        assert question.model_extra is not None
        assert question.model_extra["description"] == "What do you bake?"

    do(steps)


def test_participants_answer_and_the_export_is_saved(do: Do, tmp_path: Path) -> None:
    async def steps(desk: Desk) -> None:
        await desk.done("Create collection")
        await desk.done("Open as participant")
        (address,) = desk.opened
        assert "/participate/" in address
        for said in (4, 4):
            desk.press("Simulated participants")
            await desk.dialog(SimulationDialog)
            desk.stage.window().findChildren(SimulationDialog)[0]._participants.setValue(2)
            await desk.done("Let 2 participants answer")
            await until_answers(desk, said)
        desk.files.path = tmp_path / "kitchen.zip"
        await desk.done("Export…")
        assert desk.files.proposed is not None
        assert desk.files.proposed.name == "Kitchen export.zip"
        with ZipFile(tmp_path / "kitchen.zip") as archive:
            assert archive.read("responses.jsonl").count(b"\n") == 2
        (card,) = desk.stage.context.downloads.toasts.cards
        assert card.toast.text == "kitchen.zip: 4 answers, verified"
        await desk.done("See answers")
        assert desk.stage._answers_source.other is None

    do(steps)


async def until_answers(desk: Desk, count: int) -> None:
    """Until the number of answers is shown."""
    async with asyncio.timeout(20):
        while desk.state.answers != count:  # noqa: ASYNC110 - Qt state sets no event
            await asyncio.sleep(0.01)


def test_another_collection_is_opened_as_a_study_and_saved_back(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        id = await create(desk, "Garden")
        desk.stage.context.state.remote_collections.refresh()
        await desk.settled()
        assert "Garden" in listed(desk)
        desk.state.choose(id)
        await desk.settled()
        await desk.done("Open as a study")
        assert (desk.study.project.name, desk.study.project.kind) == ("Garden", StudyKind.COLLECTION)
        await desk.settled()
        assert comparison(desk) is ContentComparison.UP_TO_DATE
        ids = desk.state.remote.ids
        rename_question(desk, "What do you grow?")
        await save(desk)
        assert (desk.state.own_id, desk.state.remote.ids) == (id, ids)

    do(steps)


def test_a_collection_is_copied(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        await desk.done("Create collection")
        own = desk.state.own_id
        (copy,) = [desk.stage._panel.head.copy]
        copy.click()
        dialog = await desk.dialog(CopyDialog)
        (name,) = dialog.findChildren(QLineEdit)
        assert name.text() == "Kitchen (Copy)"
        dialog.accept_button.click()
        await desk.settled()
        assert listed(desk)[:2] == ["Kitchen", "Kitchen (Copy)"]
        chosen = desk.state.chosen
        assert chosen is not None
        assert (chosen.name, chosen.id != own, desk.state.own_id) == ("Kitchen (Copy)", True, own)
        assert not next_step(desk.state).button
        desk.stage._panel.id.copy.click()
        assert QGuiApplication.clipboard().text() == chosen.id

    do(steps)


async def cancelled(desk: Desk) -> None:
    await desk.done("Cancel")
    assert (await stored(desk), desk.study.project.name) == ("Theirs", "Kitchen")


async def overwritten(desk: Desk) -> None:
    desk.press("Keep my version")
    desk.press("Continue")
    await desk.dialog(ReviewDialog)
    await desk.done("Overwrite the change")
    assert (await stored(desk), desk.study.project.name) == ("Kitchen", "Kitchen")


async def loaded(desk: Desk) -> None:
    desk.press("Use their version")
    await desk.done("Continue")
    assert (await stored(desk), desk.study.project.name) == ("Theirs", "Theirs")
    assert comparison(desk) is ContentComparison.UP_TO_DATE
    desk.study.undo()
    assert (desk.study.project.name, "Mine?" in questions(desk)) == ("Kitchen", True)


async def combined(desk: Desk) -> None:
    desk.press("Combine both versions")
    desk.press("Continue")
    dialog = await desk.dialog(ReviewDialog)
    assert "Mine?" in questions(desk)
    dialog.accept_button.click()
    await desk.settled()
    assert (await stored(desk), desk.study.project.name) == ("Theirs", "Theirs")
    assert comparison(desk) is ContentComparison.UP_TO_DATE


async def kept_as_new(desk: Desk) -> None:
    before = desk.state.own_id
    desk.press("Keep my version as a new collection")
    await desk.done("Continue")
    assert desk.state.own_id != before
    assert (await stored(desk), comparison(desk)) == ("Kitchen", ContentComparison.UP_TO_DATE)


async def stored(desk: Desk) -> str:
    """The name of the collection at the service."""
    context = await desk.session.context()
    return (await context.service.collections.get(desk.state.own_id)).name


def questions(desk: Desk) -> list[str]:
    return [item.description for _path, item in desk.study.layout.instructions()]


@pytest.mark.parametrize("choice", [cancelled, overwritten, loaded, combined, kept_as_new])
def test_a_change_by_another_client_is_not_overwritten_unasked(
    choice: Callable[[Desk], Awaitable[None]], do: Do
) -> None:
    async def steps(desk: Desk) -> None:
        await desk.done("Create collection")
        id, context = desk.state.own_id, await desk.session.context()
        pages = (await context.service.collections.get(id)).collection_items or ()
        theirs = tuple(PageWrite.model_validate(to_payload(page)) for page in pages)
        replacement = CollectionReplace(name="Theirs", task_details=DETAILS, collection_items=theirs)
        await context.service.collections.replace(id, replacement)
        rename_question(desk, "Mine?")
        desk.press("Save to the service")
        dialog = await desk.dialog(ConflictDialog)
        assert not dialog.accept_button.isEnabled()
        await choice(desk)

    do(steps)


def test_the_changes_and_the_answers_they_affect_are_shown_before_saving(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        await desk.done("Create collection")
        desk.press("Simulated participants")
        await desk.dialog(SimulationDialog)
        await desk.done("Let 10 participants answer")
        rename_question(desk, "What do you bake?")
        desk.press("Save to the service")
        dialog = await desk.dialog(ReviewDialog)
        model = dialog.changes.changes
        await until(lambda: str(model.index(1, 0).data()).endswith(", 10 answers"), 30)
        assert [model.index(row, 0).data() for row in (0, 2, 3)] == [
            "1 will change",
            "Question, before: What do you cook most?. After: What do you bake?",
            "2 items stay as they are",
        ]
        (banner,) = dialog.findChildren(WarningBanner)
        assert banner.text.startswith(
            "“Kitchen” has 20 answers. 10 of them are to questions that change or are removed."
        )
        assert dialog.cancel_button.hasFocus()
        dialog.accept_button.click()
        await desk.settled()
        assert comparison(desk) is ContentComparison.UP_TO_DATE

    do(steps)


def test_name_and_task_details_are_edited_and_saved(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        desk.stage._panel.details.edit.click()
        dialog = await desk.dialog(DetailsDialog)
        assert any(label.text() == "Name of the collection" for label in dialog.findChildren(QLabel))
        name, task = dialog.findChildren(QLineEdit)
        name.setText("Kitchens")
        task.setText("Cook")
        dialog.accept_button.click()
        await desk.settled()
        await desk.done("Create collection")
        own = desk.state.own
        assert own is not None
        assert own.task_details is not None
        assert (own.name, own.task_details.task_name) == ("Kitchens", "Cook")

    do(steps)


def test_the_study_is_shown_again_after_another_collection(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        assert desk.state.shows_draft
        id = await create(desk, "Garden")
        desk.stage._window_context.actions.run("collections.refresh")
        await desk.settled()
        desk.state.choose(id)
        await desk.settled()
        assert next_step(desk.state).sentence.startswith("“Kitchen”: ")
        await desk.done("Back to the study")
        assert desk.state.shows_draft
        assert shows(desk, "Kitchen")

    do(steps)


@pytest.mark.parametrize(
    ("error", "title", "button"),
    [
        (feature_off(), "The workspace does not have this feature", "Refresh"),
        (NotSignedIn("Lab"), "Sign in to see the collections", "Sign in"),
    ],
)
def test_why_there_are_no_collections_is_shown(
    error: Exception, title: str, button: str, do_without_study: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(_self: Collections, _workspace_id: str) -> Listing[Collection]:
        raise error

    async def steps(desk: Desk) -> None:
        assert any(
            label.text().startswith(title) and label.isVisible() for label in desk.stage.findChildren(QLabel)
        )
        assert desk.button(button).isVisible()

    monkeypatch.setattr(Collections, "list", failing)
    do_without_study(steps)


def test_thousands_of_collections_are_listed_at_once(qtbot: QtBot, theme: Theme) -> None:
    collections = [Collection(id=f"c{n}", name=f"Survey {n:05}", item_count=n) for n in range(5000)]
    shown = CollectionList()
    qtbot.addWidget(shown)
    shown.resize(300, 500)
    shown.show()
    started = perf_counter()
    shown.show_resources(collections, "c7", "c4999", is_loading=False)
    assert perf_counter() - started < 1
    model = shown.findChildren(QListView)[0].model()
    assert (model.rowCount(), model.index(0, 0).data()) == (5000, "Survey 04999")
    assert "This study" in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_an_empty_list_says_what_will_be_there(qtbot: QtBot, theme: Theme) -> None:
    shown = CollectionList()
    qtbot.addWidget(shown)
    shown.show()
    shown.show_resources((), "", "", is_loading=False)
    texts = [label.text() for label in shown.findChildren(QLabel) if label.isVisible()]
    assert "Collections of the workspace appear here." in texts


def test_a_study_with_errors_is_not_created_and_leads_to_the_layout(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        rename_question(desk, "")
        assert desk.state.problem_counts
        step = next_step(desk.state)
        assert (step.stage, step.action) == ("layout", "next_problem")
        assert not desk.stage._window_context.actions.qaction("collections.publish").isEnabled()

    do(steps)


def test_without_a_study_the_workspace_is_listed_and_searched(do_without_study: Do) -> None:
    async def steps(desk: Desk) -> None:
        for name in ("Shed", "Attic"):
            await create(desk, name)
        desk.stage._window_context.actions.run("collections.refresh")
        await desk.settled()
        assert listed(desk)[:2] == ["Attic", "Shed"]
        chosen = desk.state.chosen
        assert chosen is not None
        assert chosen.name == "Attic"
        (search,) = desk.stage._list.findChildren(QLineEdit)
        search.setText("she")
        assert listed(desk) == ["Shed"]
        assert shows(desk, f"1 of {len(desk.state.collections)} collections")

    do_without_study(steps)


def test_a_deleted_collection_can_be_created_again(
    loop: asyncio.AbstractEventLoop,
    running: ServiceAddress,
    tmp_path: Path,
    window: Window,
    model: ShellState,
) -> None:
    async def steps(desk: Desk) -> None:
        name = desk.session.connection.name
        lost = replace(desk.study.remote(name), collection_id="01900000-0000-7000-8000-000000000000")
        desk.study.set_remote(name, lost)
        desk.stage._window_context.actions.run("collections.refresh")
        await desk.settled()
        assert "no longer at the service" in next_step(desk.state).sentence
        await desk.done("Create collection")
        assert desk.state.own is not None

    on_stage(loop, running, tmp_path, window, model, steps, kitchen())
