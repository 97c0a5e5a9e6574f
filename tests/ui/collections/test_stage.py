"""The Collections stage through its own buttons, at a real service."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from zipfile import ZipFile

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from batchwright.api.collections import Collections
from batchwright.api.errors import FeatureOff
from batchwright.base.json_values import Json
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.published_content import ContentComparison
from batchwright.layout.collection_pages import layout_from_collection, to_collection_items
from batchwright.layout.model import Layout
from batchwright.local.projects import StudyKind
from batchwright.service.process import ServiceAddress
from batchwright.ui.collections import state as state_module
from batchwright.ui.collections.actions import can_publish
from batchwright.ui.collections.dialogs import CopyDialog
from batchwright.ui.collections.next_step import next_step
from batchwright.ui.collections.stage import CollectionList
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.review.conflict_dialog import ConflictDialog
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.dialogs import WarningBanner
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.wire.base import to_payload
from batchwright.wire.batches import TaskDetails
from batchwright.wire.collections import Collection, CollectionCreate, CollectionReplace, PageWrite
from batchwright.wire.error_parsing import read_error
from batchwright.wire.pagination import Listing
from tests.api.studies import DETAILS
from tests.ui.collections.collections_stage import Do, StageFixture, kitchen, on_stage, rename_question, save
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
def test_a_collection_is_created_changed_and_saved_with_its_ids(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        assert next_step(fixture.state).action == ActionId.COLLECTIONS_PUBLISH
        await fixture.press_and_wait("Create collection")
        created, remote = fixture.state.own, fixture.state.remote
        assert created is not None
        assert (created.name, remote.collection_id, len(remote.ids)) == ("Kitchen", created.id, 5)
        assert comparison(fixture) is ContentComparison.UP_TO_DATE
        assert shows(fixture, created.id)
        rename_question(fixture, "What do you bake?")
        assert comparison(fixture) is ContentComparison.STUDY_CHANGED
        await save(fixture)
        saved = fixture.state.own
        assert saved is not None
        assert saved.id == created.id
        assert fixture.state.remote.ids == remote.ids
        assert comparison(fixture) is ContentComparison.UP_TO_DATE
        context = await fixture.session.context()
        stored = await context.service.collections.get(created.id)
        assert stored.collection_items is not None
        (_text, question) = stored.collection_items[0].page_items
        assert question.model_extra is not None
        assert question.model_extra["description"] == "What do you bake?"

    do(steps)


def test_a_collection_without_a_title_is_named_before_it_is_created(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        study = fixture.study
        study.set_details(study.details.model_copy(update={"task_name": ""}), "Untitled study")
        await fixture.settled()
        assert "participants would read “Untitled study”" in next_step(fixture.state).text
        assert not can_publish(fixture.stage.context)
        fixture.press("Name the collection…")
        dialog = await fixture.dialog(DetailsDialog)
        dialog.findChildren(QLineEdit)[1].setText("Your kitchen")
        dialog.accept_button.click()
        await fixture.settled()
        assert can_publish(fixture.stage.context)
        await fixture.press_and_wait("Create collection")
        assert fixture.state.own is not None
        study.set_details(study.details.model_copy(update={"task_name": ""}))
        assert next_step(fixture.state).action == ActionId.COLLECTIONS_DETAILS

    do(steps)


@pytest.mark.endpoint("collections.responses", "exports.start_of_collection", "exports.get_of_collection")
def test_participants_answer_and_the_export_is_saved(do: Do, tmp_path: Path) -> None:
    async def steps(fixture: StageFixture) -> None:
        await fixture.press_and_wait("Create collection")
        await fixture.press_and_wait("Open as participant")
        (address,) = fixture.opened
        assert "/participate/" in address
        for expected in (4, 4):
            fixture.press("Simulated participants")
            await fixture.dialog(SimulationDialog)
            fixture.stage.window().findChildren(SimulationDialog)[0]._participants.setValue(2)
            await fixture.press_and_wait("Let 2 participants answer")
            await until_answers(fixture, expected)
        fixture.files.path = tmp_path / "kitchen.zip"
        await fixture.press_and_wait("Export…")
        assert fixture.files.proposed is not None
        assert fixture.files.proposed.name == "Kitchen export.zip"
        with ZipFile(tmp_path / "kitchen.zip") as archive:
            assert archive.read("responses.jsonl").count(b"\n") == 2
        (card,) = fixture.stage.context.downloads.notices.cards
        assert card.notice.text == "kitchen.zip: 4 answers, verified"
        await fixture.press_and_wait("See answers")
        assert fixture.stage.answers_source.other is None

    do(steps)


async def until_answers(fixture: StageFixture, count: int) -> None:
    """Until the number of answers is shown."""
    async with asyncio.timeout(20):
        while fixture.state.answers != count:  # noqa: ASYNC110 - Qt state sets no event
            await asyncio.sleep(0.01)


def test_a_thread_reads_many_pages_once(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    readers: list[threading.Thread] = []

    def read(pages: Iterable[Json], keys: Iterator[str]) -> Layout:
        readers.append(threading.current_thread())
        return layout_from_collection(pages, keys)

    async def steps(fixture: StageFixture) -> None:
        id = await create(fixture, "Long", repeats=200)
        fixture.stage.context.state.remote_list.refresh()
        await fixture.settled()
        monkeypatch.setattr(state_module, "layout_from_collection", read)
        fixture.state.choose(id)
        await fixture.settled()
        layout = fixture.state.shown_layout
        assert layout is not None
        assert len(layout.pages) == 400
        fixture.state.changed.emit()
        assert fixture.state.shown_layout is layout
        assert threading.main_thread() not in readers
        assert shows(fixture, "400")

    do(steps)


def test_another_collection_is_opened_as_a_study_and_saved_back(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        id = await create(fixture, "Garden")
        fixture.stage.context.state.remote_list.refresh()
        await fixture.settled()
        assert "Garden" in listed(fixture)
        fixture.state.choose(id)
        await fixture.settled()
        await fixture.press_and_wait("Open as a study")
        assert (fixture.study.project.name, fixture.study.project.kind) == ("Garden", StudyKind.COLLECTION)
        await fixture.settled()
        assert comparison(fixture) is ContentComparison.UP_TO_DATE
        ids = fixture.state.remote.ids
        rename_question(fixture, "What do you grow?")
        await save(fixture)
        assert (fixture.state.own_id, fixture.state.remote.ids) == (id, ids)

    do(steps)


def test_a_collection_is_copied(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        await fixture.press_and_wait("Create collection")
        own = fixture.state.own_id
        (copy,) = [fixture.stage._panel.head.copy]
        copy.click()
        dialog = await fixture.dialog(CopyDialog)
        (name,) = dialog.findChildren(QLineEdit)
        assert name.text() == "Kitchen (Copy)"
        dialog.accept_button.click()
        await fixture.settled()
        assert listed(fixture)[:2] == ["Kitchen", "Kitchen (Copy)"]
        chosen = fixture.state.chosen
        assert chosen is not None
        assert (chosen.name, chosen.id != own, fixture.state.own_id) == ("Kitchen (Copy)", True, own)
        assert not next_step(fixture.state).button
        fixture.stage._panel.id.copy.click()
        assert QGuiApplication.clipboard().text() == chosen.id

    do(steps)


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
def test_a_change_by_another_client_is_not_overwritten_unasked(
    choice: Callable[[StageFixture], Awaitable[None]], do: Do
) -> None:
    async def steps(fixture: StageFixture) -> None:
        await fixture.press_and_wait("Create collection")
        id, context = fixture.state.own_id, await fixture.session.context()
        pages = (await context.service.collections.get(id)).collection_items or ()
        theirs = tuple(PageWrite.model_validate(to_payload(page)) for page in pages)
        replacement = CollectionReplace(name="Theirs", task_details=DETAILS, collection_items=theirs)
        await context.service.collections.replace(id, replacement)
        rename_question(fixture, "Mine?")
        fixture.press("Save to the service")
        dialog = await fixture.dialog(ConflictDialog)
        assert not dialog.accept_button.isEnabled()
        await choice(fixture)

    do(steps)


def test_a_task_without_a_name_has_none_after_changes_were_combined(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        fixture.study.set_details(TaskDetails(task_name="", task_introduction="", task_steps=""))
        await fixture.press_and_wait("Create collection")
        id, context = fixture.state.own_id, await fixture.session.context()
        current = await context.service.collections.get(id)
        assert current.task_details is not None
        assert current.task_details.task_name == "Kitchen"
        theirs = TaskDetails(task_name="Kitchen", task_introduction="Welcome.", task_steps="")
        pages = tuple(PageWrite.model_validate(to_payload(page)) for page in current.collection_items or ())
        replacement = CollectionReplace(name="Kitchen", task_details=theirs, collection_items=pages)
        await context.service.collections.replace(id, replacement)
        rename_question(fixture, "Mine?")
        fixture.press("Save to the service")
        await fixture.dialog(ConflictDialog)
        fixture.press("Combine both versions")
        fixture.press("Continue")
        review = await fixture.dialog(ReviewDialog)
        details = fixture.study.details
        assert (details.task_name, details.task_introduction) == ("", "Welcome.")
        review.cancel_button.click()
        await fixture.settled()

    do(steps)


def test_the_changes_and_the_answers_they_affect_are_shown_before_saving(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        await fixture.press_and_wait("Create collection")
        fixture.press("Simulated participants")
        await fixture.dialog(SimulationDialog)
        await fixture.press_and_wait("Let 10 participants answer")
        rename_question(fixture, "What do you bake?")
        fixture.press("Save to the service")
        dialog = await fixture.dialog(ReviewDialog)
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
        await fixture.settled()
        assert comparison(fixture) is ContentComparison.UP_TO_DATE

    do(steps)


def test_name_and_task_details_are_edited_and_saved(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        fixture.stage._panel.details.edit.click()
        dialog = await fixture.dialog(DetailsDialog)
        assert any(label.text() == "Name of the collection" for label in dialog.findChildren(QLabel))
        name, task = dialog.findChildren(QLineEdit)
        name.setText("Kitchens")
        task.setText("Cook")
        dialog.accept_button.click()
        await fixture.settled()
        await fixture.press_and_wait("Create collection")
        own = fixture.state.own
        assert own is not None
        assert own.task_details is not None
        assert (own.name, own.task_details.task_name) == ("Kitchens", "Cook")

    do(steps)


def test_the_study_is_shown_again_after_another_collection(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        assert fixture.state.shows_draft
        id = await create(fixture, "Garden")
        fixture.stage.window_context.actions.run(ActionId.COLLECTIONS_REFRESH)
        await fixture.settled()
        fixture.state.choose(id)
        await fixture.settled()
        assert next_step(fixture.state).text.startswith("“Kitchen”: ")
        await fixture.press_and_wait("Back to the study")
        assert fixture.state.shows_draft
        assert shows(fixture, "Kitchen")

    do(steps)


@pytest.mark.parametrize(
    ("error", "title", "button"),
    [
        (feature_off(), "The workspace does not have this feature", "Refresh"),
        (NotSignedIn("Lab"), "Sign in to see the collections", "Sign in"),
    ],
)
def test_the_reason_for_a_missing_list_is_shown(
    error: Exception, title: str, button: str, do_without_study: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(_self: Collections, _workspace_id: str) -> Listing[Collection]:
        raise error

    async def steps(fixture: StageFixture) -> None:
        assert any(
            label.text().startswith(title) and label.isVisible()
            for label in fixture.stage.findChildren(QLabel)
        )
        assert fixture.button(button).isVisible()

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


def test_at_a_live_service_the_id_leads_to_the_platform(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(fixture: StageFixture) -> None:
        await fixture.press_and_wait("Create collection")
        monkeypatch.setattr(ConnectionSession, "is_live", True)
        fixture.stage.show_state()
        assert next_step(fixture.state).text.endswith("Next: use its id in a study on the platform.")
        texts = [label.text() for label in fixture.stage._panel.id.findChildren(QLabel)]
        assert fixture.state.own_id in texts
        assert any(text.startswith("Next on the platform: ") for text in texts)
        assert fixture.stage._participate.isHidden()
        assert fixture.stage._simulate.isHidden()
        fixture.stage._panel.id.copy.click()
        assert QGuiApplication.clipboard().text() == fixture.state.own_id
        monkeypatch.undo()

    do(steps)


def test_a_study_with_errors_is_not_created_and_leads_to_the_layout(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        rename_question(fixture, "")
        assert fixture.state.problem_counts
        step = next_step(fixture.state)
        assert (step.stage, step.action) == ("layout", ActionId.LAYOUT_NEXT_PROBLEM)
        assert not fixture.stage.window_context.actions.qaction(ActionId.COLLECTIONS_PUBLISH).isEnabled()

    do(steps)


def test_without_a_study_the_workspace_is_listed_and_searched(do_without_study: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        for name in ("Shed", "Attic"):
            await create(fixture, name)
        fixture.stage.window_context.actions.run(ActionId.COLLECTIONS_REFRESH)
        await fixture.settled()
        assert listed(fixture)[:2] == ["Attic", "Shed"]
        chosen = fixture.state.chosen
        assert chosen is not None
        assert chosen.name == "Attic"
        (search,) = fixture.stage._list.findChildren(QLineEdit)
        search.setText("she")
        assert listed(fixture) == ["Shed"]
        assert shows(fixture, f"1 of {len(fixture.state.resources)} collections")

    do_without_study(steps)


def test_a_deleted_collection_can_be_created_again(
    loop: asyncio.AbstractEventLoop,
    running: ServiceAddress,
    tmp_path: Path,
    window: Window,
    shell: ShellState,
) -> None:
    async def steps(fixture: StageFixture) -> None:
        name = fixture.session.connection.name
        lost = replace(fixture.study.remote(name), collection_id="01900000-0000-7000-8000-000000000000")
        fixture.study.set_remote(name, lost)
        fixture.stage.window_context.actions.run(ActionId.COLLECTIONS_REFRESH)
        await fixture.settled()
        assert "The collection of this study is not on this computer." in next_step(fixture.state).text
        await fixture.press_and_wait("Create here")
        assert fixture.state.own is not None

    on_stage(loop, running, tmp_path, window, shell, steps, kitchen())
