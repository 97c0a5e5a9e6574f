"""The Collections stage through its own buttons, at a real service."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from batchwright.api.http.errors import FeatureOff
from batchwright.api.resources.collections import Collections
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.published_content import ContentComparison
from batchwright.client.resource_content import layout_of
from batchwright.layout.collection_pages import to_collection_items
from batchwright.layout.model import Layout
from batchwright.local.projects import StudyKind
from batchwright.ui.collections import state as state_module
from batchwright.ui.collections.actions import can_publish
from batchwright.ui.collections.collection_panel import CollectionPanel
from batchwright.ui.collections.dialogs import CopyDialog
from batchwright.ui.collections.next_step import next_step
from batchwright.ui.collections.stage import CollectionList
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.review.conflict_dialog import ConflictDialog
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.dialogs.dialog import WarningBanner
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.wire.base import to_payload
from batchwright.wire.batches import TaskDetails
from batchwright.wire.collections import Collection, CollectionCreate, CollectionReplace, PageWrite
from batchwright.wire.error_parsing import read_error
from batchwright.wire.pagination import Listing
from batchwright.wire.service_data import StudiesToDelete
from tests.api.studies import DETAILS
from tests.ui.collections.collections_stage import StageFixture, kitchen, rename_question, save
from tests.ui.conftest import until
from tests.ui.spoken_rows import spoken_rows

pytestmark = pytest.mark.gui


def feature_off() -> FeatureOff:
    body = json.dumps({"error": {"status": 403, "title": "Forbidden", "detail": "Not enabled."}}).encode()
    return FeatureOff("GET /collections", read_error(403, body, {}))


def listed(fixture: StageFixture) -> list[str]:
    """The names in the list, from above."""
    view = fixture.stage.findChildren(RowList)[0]
    return [collection.name for collection in view.entries]


def shows(fixture: StageFixture, text: str) -> bool:
    """Whether a visible line has this text."""
    return any(label.text() == text and label.isVisible() for label in fixture.stage.findChildren(QLabel))


def comparison(fixture: StageFixture) -> ContentComparison | None:
    return fixture.state.comparison


async def create(fixture: StageFixture, name: str, repeats: int = 1) -> str:
    """Create a collection as another client, with the pages of the kitchen repeated; returns its id."""
    context = await fixture.session.context()
    items = to_collection_items(kitchen().layout, {})
    pages = tuple(PageWrite.model_validate(page) for page in items) * repeats
    request = CollectionCreate(
        name=name, workspace_id=context.workspace_id, task_details=DETAILS, collection_items=pages
    )
    return (await context.service.collections.create(request)).id


@pytest.mark.spec("C-03")
@pytest.mark.endpoint("collections.list_all", "collections.create", "collections.get", "collections.replace")
async def test_a_collection_is_created_changed_and_saved_with_its_ids(at: StageFixture) -> None:
    assert next_step(at.state).action == ActionId.COLLECTIONS_PUBLISH
    await at.press_and_wait("Create collection")
    created, remote = at.state.own, at.state.remote
    assert created is not None
    assert (created.name, remote.collection_id, len(remote.ids)) == ("Kitchen", created.id, 5)
    assert comparison(at) is ContentComparison.UP_TO_DATE
    assert shows(at, created.id)
    rename_question(at, "What do you bake?")
    assert comparison(at) is ContentComparison.STUDY_CHANGED
    await save(at)
    saved = at.state.own
    assert saved is not None
    assert saved.id == created.id
    assert at.state.remote.ids == remote.ids
    assert comparison(at) is ContentComparison.UP_TO_DATE
    context = await at.session.context()
    stored = await context.service.collections.get(created.id)
    assert stored.collection_items is not None
    (_text, question) = stored.collection_items[0].page_items
    assert question.model_extra is not None
    assert question.model_extra["description"] == "What do you bake?"


async def test_a_collection_without_a_title_is_named_before_it_is_created(at: StageFixture) -> None:
    study = at.study
    study.set_details(study.details.model_copy(update={"task_name": ""}), "Untitled study")
    await at.settled()
    assert "participants would read “Untitled study”" in next_step(at.state).text
    assert not can_publish(at.stage.context)
    at.press("Name the collection…")
    dialog = await at.dialog(DetailsDialog)
    dialog.findChildren(QLineEdit)[1].setText("Your kitchen")
    dialog.accept_button.click()
    await at.settled()
    assert can_publish(at.stage.context)
    await at.press_and_wait("Create collection")
    assert at.state.own is not None
    study.set_details(study.details.model_copy(update={"task_name": ""}))
    assert next_step(at.state).action == ActionId.COLLECTIONS_DETAILS


@pytest.mark.endpoint("collections.responses", "exports.start_of_collection", "exports.get_of_collection")
async def test_participants_answer_and_the_export_is_saved(at: StageFixture, tmp_path: Path) -> None:
    await at.press_and_wait("Create collection")
    await at.press_and_wait("Open as participant")
    (address,) = at.opened
    assert "/participate/" in address
    for expected in (4, 4):
        at.press("Simulated participants")
        await at.dialog(SimulationDialog)
        at.stage.window().findChildren(SimulationDialog)[0]._participants.setValue(2)
        await at.press_and_wait("Let 2 participants answer")
        await until_answers(at, expected)
    at.files.path = tmp_path / "kitchen.zip"
    await at.press_and_wait("Export…")
    assert at.files.proposed is not None
    assert at.files.proposed.name == "Kitchen export.zip"
    with ZipFile(tmp_path / "kitchen.zip") as archive:
        assert archive.read("responses.jsonl").count(b"\n") == 2
    (card,) = at.stage.context.downloads.notices.cards
    assert card.notice.text == "kitchen.zip: 4 answers, verified"
    await at.press_and_wait("See answers")
    assert at.stage.answers_source.other is None


async def until_answers(fixture: StageFixture, count: int) -> None:
    """Until the number of answers is shown."""
    async with asyncio.timeout(20):
        while fixture.state.answers != count:  # noqa: ASYNC110 - Qt state sets no event
            await asyncio.sleep(0.01)


async def test_a_thread_reads_many_pages_once(at: StageFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    readers: list[threading.Thread] = []

    def read(collection: Collection) -> Layout:
        readers.append(threading.current_thread())
        return layout_of(collection)

    id = await create(at, "Long", repeats=200)
    at.stage.context.state.remote_list.refresh()
    await at.settled()
    monkeypatch.setattr(state_module, "layout_of", read)
    at.state.choose(id)
    await at.settled()
    layout = at.state.shown_layout
    assert layout is not None
    assert len(layout.pages) == 400
    at.state.changed.emit()
    assert at.state.shown_layout is layout
    assert threading.main_thread() not in readers
    assert shows(at, "400")


async def test_another_collection_is_opened_as_a_study_and_saved_back(at: StageFixture) -> None:
    id = await create(at, "Garden")
    at.stage.context.state.remote_list.refresh()
    await at.settled()
    assert "Garden" in listed(at)
    at.state.choose(id)
    await at.settled()
    await at.press_and_wait("Open as a study")
    assert (at.study.project.name, at.study.project.kind) == ("Garden", StudyKind.COLLECTION)
    await at.settled()
    assert comparison(at) is ContentComparison.UP_TO_DATE
    ids = at.state.remote.ids
    rename_question(at, "What do you grow?")
    await save(at)
    assert (at.state.own_id, at.state.remote.ids) == (id, ids)


async def test_a_collection_is_copied(at: StageFixture) -> None:
    await at.press_and_wait("Create collection")
    own = at.state.own_id
    (copy,) = [at.part(CollectionPanel).head.copy]
    copy.click()
    dialog = await at.dialog(CopyDialog)
    (name,) = dialog.findChildren(QLineEdit)
    assert name.text() == "Kitchen (Copy)"
    dialog.accept_button.click()
    await at.settled()
    assert listed(at)[:2] == ["Kitchen", "Kitchen (Copy)"]
    chosen = at.state.chosen
    assert chosen is not None
    assert (chosen.name, chosen.id != own, at.state.own_id) == ("Kitchen (Copy)", True, own)
    assert not next_step(at.state).button
    at.part(CollectionPanel).id.copy.click()
    assert QGuiApplication.clipboard().text() == chosen.id


async def cancelled(fixture: StageFixture) -> None:
    await fixture.press_and_wait("Cancel")
    assert (await stored(fixture), fixture.study.project.name) == ("Theirs", "Kitchen")


async def overwritten(fixture: StageFixture) -> None:
    fixture.press("Keep my version")
    fixture.press("Continue")
    await fixture.dialog(ReviewDialog)
    await fixture.press_and_wait("Overwrite the change")
    assert (await stored(fixture), fixture.study.project.name) == ("Kitchen", "Kitchen")


async def loaded(fixture: StageFixture) -> None:
    fixture.press("Use their version")
    await fixture.press_and_wait("Continue")
    assert (await stored(fixture), fixture.study.project.name) == ("Theirs", "Theirs")
    assert comparison(fixture) is ContentComparison.UP_TO_DATE
    fixture.study.undo()
    assert (fixture.study.project.name, "Mine?" in questions(fixture)) == ("Kitchen", True)
    assert comparison(fixture) is ContentComparison.REMOTE_CHANGED
    fixture.press("Save to the service")
    await fixture.dialog(ConflictDialog)
    await fixture.press_and_wait("Cancel")
    fixture.study.redo()
    assert comparison(fixture) is ContentComparison.UP_TO_DATE


async def combined(fixture: StageFixture) -> None:
    fixture.press("Combine both versions")
    fixture.press("Continue")
    dialog = await fixture.dialog(ReviewDialog)
    assert "Mine?" in questions(fixture)
    dialog.accept_button.click()
    await fixture.settled()
    assert (await stored(fixture), fixture.study.project.name) == ("Theirs", "Theirs")
    assert comparison(fixture) is ContentComparison.UP_TO_DATE


async def saved_as_new(fixture: StageFixture) -> None:
    before = fixture.state.own_id
    fixture.press("Keep my version as a new collection")
    await fixture.press_and_wait("Continue")
    assert fixture.state.own_id != before
    assert (await stored(fixture), comparison(fixture)) == ("Kitchen", ContentComparison.UP_TO_DATE)


async def stored(fixture: StageFixture) -> str:
    """The name of the collection at the service."""
    context = await fixture.session.context()
    return (await context.service.collections.get(fixture.state.own_id)).name


def questions(fixture: StageFixture) -> list[str]:
    return [item.description for _path, item in fixture.study.layout.instructions()]


@pytest.mark.parametrize("choice", [cancelled, overwritten, loaded, combined, saved_as_new])
async def test_a_change_by_another_client_is_not_overwritten_unasked(
    at: StageFixture, choice: Callable[[StageFixture], Awaitable[None]]
) -> None:
    await at.press_and_wait("Create collection")
    id, context = at.state.own_id, await at.session.context()
    pages = (await context.service.collections.get(id)).collection_items or ()
    theirs = tuple(PageWrite.model_validate(to_payload(page)) for page in pages)
    replacement = CollectionReplace(name="Theirs", task_details=DETAILS, collection_items=theirs)
    await context.service.collections.replace(id, replacement)
    rename_question(at, "Mine?")
    at.press("Save to the service")
    dialog = await at.dialog(ConflictDialog)
    assert not dialog.accept_button.isEnabled()
    await choice(at)


async def test_a_task_without_a_name_has_none_after_changes_were_combined(at: StageFixture) -> None:
    at.study.set_details(TaskDetails(task_name="", task_introduction="", task_steps=""))
    await at.press_and_wait("Create collection")
    id, context = at.state.own_id, await at.session.context()
    current = await context.service.collections.get(id)
    assert current.task_details is not None
    assert current.task_details.task_name == "Kitchen"
    theirs = TaskDetails(task_name="Kitchen", task_introduction="Welcome.", task_steps="")
    pages = tuple(PageWrite.model_validate(to_payload(page)) for page in current.collection_items or ())
    replacement = CollectionReplace(name="Kitchen", task_details=theirs, collection_items=pages)
    await context.service.collections.replace(id, replacement)
    rename_question(at, "Mine?")
    at.press("Save to the service")
    await at.dialog(ConflictDialog)
    at.press("Combine both versions")
    at.press("Continue")
    review = await at.dialog(ReviewDialog)
    details = at.study.details
    assert (details.task_name, details.task_introduction) == ("", "Welcome.")
    review.cancel_button.click()
    await at.settled()


async def test_the_changes_and_the_answers_they_affect_are_shown_before_saving(at: StageFixture) -> None:
    await at.press_and_wait("Create collection")
    at.press("Simulated participants")
    await at.dialog(SimulationDialog)
    await at.press_and_wait("Let 10 participants answer")
    rename_question(at, "What do you bake?")
    at.press("Save to the service")
    dialog = await at.dialog(ReviewDialog)
    await until(lambda: spoken_rows(dialog.changes)[1].endswith(", 10 answers"), 30)
    heading, node, *others = spoken_rows(dialog.changes)
    assert ", Page 1, item 2 · " in node
    assert [heading, *others] == [
        "1 will change",
        "Question, before: What do you cook most?, after: What do you bake?",
        "2 items stay as they are",
    ]
    (banner,) = dialog.findChildren(WarningBanner)
    assert banner.text.startswith(
        "“Kitchen” has 20 answers. 10 of them are to questions that change or are removed."
    )
    assert dialog.cancel_button.hasFocus()
    dialog.accept_button.click()
    await at.settled()
    assert comparison(at) is ContentComparison.UP_TO_DATE


async def test_name_and_task_details_are_edited_and_saved(at: StageFixture) -> None:
    at.part(CollectionPanel).details.edit.click()
    dialog = await at.dialog(DetailsDialog)
    assert any(label.text() == "Name of the collection" for label in dialog.findChildren(QLabel))
    name, task = dialog.findChildren(QLineEdit)
    name.setText("Kitchens")
    task.setText("Cook")
    dialog.accept_button.click()
    await at.settled()
    await at.press_and_wait("Create collection")
    own = at.state.own
    assert own is not None
    assert own.task_details is not None
    assert (own.name, own.task_details.task_name) == ("Kitchens", "Cook")


async def test_the_study_is_shown_again_after_another_collection(at: StageFixture) -> None:
    assert at.state.shows_draft
    id = await create(at, "Garden")
    at.stage.window_context.actions.run(ActionId.COLLECTIONS_REFRESH)
    await at.settled()
    at.state.choose(id)
    await at.settled()
    assert next_step(at.state).text.startswith("“Kitchen”: ")
    await at.press_and_wait("Back to the study")
    assert at.state.shows_draft
    assert shows(at, "Kitchen")


@pytest.fixture
def failing_list(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the service fail to list the collections."""

    async def failing(_self: Collections, _workspace_id: str) -> Listing[Collection]:
        raise error

    monkeypatch.setattr(Collections, "list", failing)


@pytest.mark.usefixtures("failing_list")  # before the stage is built
@pytest.mark.parametrize("project", [None])
@pytest.mark.parametrize(
    ("error", "title", "button"),
    [
        (feature_off(), "The workspace does not have this feature", "Refresh"),
        (NotSignedIn("Lab"), "Sign in to see the collections", "Sign in"),
    ],
)
async def test_the_reason_for_a_missing_list_is_shown(
    at: StageFixture, error: Exception, title: str, button: str
) -> None:
    assert any(
        label.text().startswith(title) and label.isVisible() for label in at.stage.findChildren(QLabel)
    )
    assert at.button(button).isVisible()


def test_thousands_of_collections_are_listed(qtbot: QtBot, theme: Theme) -> None:
    collections = [Collection(id=f"c{n}", name=f"Survey {n:05}", item_count=n) for n in range(5000)]
    shown = CollectionList()
    qtbot.addWidget(shown)
    shown.resize(300, 500)
    shown.show()
    shown.show_resources(collections, "c7", "c4999", is_loading=False)
    texts = spoken_rows(shown.findChildren(RowList)[0])
    assert len(texts) == 5000
    assert texts[0].startswith("Survey 04999, This study")


def test_an_empty_list_explains_itself(qtbot: QtBot, theme: Theme) -> None:
    shown = CollectionList()
    qtbot.addWidget(shown)
    shown.show()
    shown.show_resources((), "", "", is_loading=False)
    texts = [label.text() for label in shown.findChildren(QLabel) if label.isVisible()]
    assert "Collections of the workspace appear here." in texts


async def test_at_a_live_service_the_id_leads_to_the_platform(
    at: StageFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at.press_and_wait("Create collection")
    monkeypatch.setattr(ConnectionSession, "is_live", True)
    at.stage.show_state()
    assert next_step(at.state).text.endswith("Next: use its id in a study on the platform.")
    texts = [label.text() for label in at.part(CollectionPanel).id.findChildren(QLabel)]
    assert at.state.own_id in texts
    assert any(text.startswith("Next on the platform: ") for text in texts)
    assert at.stage._participate.isHidden()
    assert at.stage._simulate.isHidden()
    at.part(CollectionPanel).id.copy.click()
    assert QGuiApplication.clipboard().text() == at.state.own_id
    monkeypatch.undo()


async def test_a_study_with_errors_is_not_created_and_leads_to_the_layout(at: StageFixture) -> None:
    rename_question(at, "")
    assert at.state.problem_counts
    step = next_step(at.state)
    assert (step.stage, step.action) == ("layout", ActionId.LAYOUT_NEXT_PROBLEM)
    assert not at.stage.window_context.actions.qaction(ActionId.COLLECTIONS_PUBLISH).isEnabled()


@pytest.mark.parametrize("project", [None])
async def test_without_a_study_the_workspace_is_listed_and_searched(at: StageFixture) -> None:
    for name in ("Shed", "Attic"):
        await create(at, name)
    at.stage.window_context.actions.run(ActionId.COLLECTIONS_REFRESH)
    await at.settled()
    assert listed(at)[:2] == ["Attic", "Shed"]
    chosen = at.state.chosen
    assert chosen is not None
    assert chosen.name == "Attic"
    (search,) = at.part(CollectionList).findChildren(QLineEdit)
    search.setText("she")
    assert listed(at) == ["Shed"]
    assert shows(at, f"1 of {len(at.state.resources)} collections")


async def test_the_state_of_the_study_is_known_beside_another_collection_of_a_list_without_pages(
    at: StageFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hosted service may list collections without their pages (wire reference, 10.1)."""
    await at.press_and_wait("Create collection")
    list_all = Collections.list

    async def list_without_pages(collections: Collections, workspace_id: str) -> Listing[Collection]:
        listing = await list_all(collections, workspace_id)
        without_pages = (entry.model_copy(update={"collection_items": None}) for entry in listing.results)
        return listing.model_copy(update={"results": tuple(without_pages)})

    monkeypatch.setattr(Collections, "list", list_without_pages)
    garden = await create(at, "Garden")
    at.state.refresh()
    await at.settled()
    at.state.choose(garden)
    await at.settled()
    assert next_step(at.state).text.startswith("“Kitchen”: The collection is saved at the service.")


async def test_a_collection_that_another_client_deletes_is_not_shown_any_more(at: StageFixture) -> None:
    garden = await create(at, "Garden")
    at.state.refresh()
    await at.settled()
    at.state.choose(garden)
    await at.settled()
    assert not shows(at, "No collection selected")
    context = await at.session.context()
    await context.service.local.delete_studies(StudiesToDelete(study_ids=(garden,)))
    at.state.refresh()
    await at.settled()
    assert at.state.chosen is None
    assert shows(at, "No collection selected")


@pytest.mark.parametrize("project", [None])
async def test_the_collection_shown_stays_shown_when_another_client_creates_one(at: StageFixture) -> None:
    """Otherwise, a button would apply to another collection than the one that the user has just read."""
    shed = await create(at, "Shed")
    at.stage.window_context.actions.run(ActionId.COLLECTIONS_REFRESH)
    await at.settled()
    assert at.state.shown_id == shed
    attic = await create(at, "Attic")
    at.state.refresh()
    await at.settled()
    assert listed(at)[:2] == ["Attic", "Shed"]
    assert at.state.shown_id == shed
    context = await at.session.context()
    await context.service.local.delete_studies(StudiesToDelete(study_ids=(shed,)))
    at.state.refresh()
    await at.settled()
    assert at.state.shown_id == attic


async def test_a_deleted_collection_can_be_created_again(at: StageFixture) -> None:
    name = at.session.connection.name
    lost = replace(at.study.remote(name), collection_id="01900000-0000-7000-8000-000000000000")
    at.study.set_remote(name, lost)
    at.stage.window_context.actions.run(ActionId.COLLECTIONS_REFRESH)
    await at.settled()
    assert "The collection of this study is not on this computer." in next_step(at.state).text
    await at.press_and_wait("Create here")
    assert at.state.own is not None
