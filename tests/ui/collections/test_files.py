"""A collection in a JSON or YAML file, which contains no ids of a service: it is created there only once."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtWidgets import QRadioButton

from batchwright.base.database import StorageUnavailable
from batchwright.base.json_texts.yaml_values import parse_yaml
from batchwright.base.json_values import is_object
from batchwright.local.projects import Project
from batchwright.local.recent_studies import Recents
from batchwright.local.study_files.collection_file import collection_content
from batchwright.local.study_files.file_bindings import FileBindings
from batchwright.local.study_files.study_file import StudyFile
from batchwright.ui.collections.dialogs import ExistingCollectionDialog
from batchwright.ui.collections.next_step import next_step
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.review.rows import NodeRow
from batchwright.ui.study.file.file_commands import StudyFileCommands
from batchwright.ui.study.file.study_dialogs import RewriteDialog
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.wire.batches import TaskDetails
from batchwright.wire.collections import Collection
from tests.ui.collections.collections_stage import StageFixture, kitchen, rename_question, save
from tests.ui.collections.test_stage import create
from tests.ui.conftest import until
from tests.ui.window_fixtures import SingleWindow

pytestmark = pytest.mark.gui


@dataclass
class FileFixture:
    """The stage, and the file commands of its window."""

    stage: StageFixture
    commands: StudyFileCommands
    path: Path
    name: str

    async def open(self) -> None:
        await self.commands.open(self.path)
        self.stage.stage.window_context.shell.set_stage("collections")
        await self.stage.settled()

    async def reopen(self) -> None:
        """Close the study and open its file again."""
        self.stage.study.close()
        await self.open()

    async def collections(self) -> list[Collection]:
        """The collections at the service that have the name in the file."""
        context = await self.stage.session.context()
        listed = await context.service.collections.list(context.workspace_id)
        return [collection for collection in listed.results if collection.name == self.name]


def buttons(dialog: Dialog) -> list[QRadioButton]:
    return dialog.findChildren(QRadioButton)


def choices(dialog: Dialog) -> list[str]:
    return [button.text() for button in buttons(dialog)]


@pytest.fixture
def project() -> None:
    """No study is open before the file is."""


@pytest.fixture(params=["json", "yaml"])
async def at(request: pytest.FixtureRequest, at: StageFixture, tmp_path: Path) -> FileFixture:
    """The stage with a file; its collection has the name of the test, and no other test uses it."""
    name = request.node.name
    path = tmp_path / f"{name}.{request.param}"
    path.write_bytes(collection_content(kitchen(name), {}, as_yaml=request.param == "yaml"))
    commands = StudyFileCommands(
        at.stage.window_context,
        at.study,
        Recents(tmp_path),
        at.files,
        SingleWindow(),
        at.session.file_bindings,
    )
    opened = FileFixture(at, commands, path, name)
    await opened.open()
    return opened


async def test_a_saved_file_still_belongs_to_its_collection(at: FileFixture) -> None:
    before = at.path.read_bytes()
    await at.stage.press_and_wait("Create collection")
    created, ids = at.stage.state.own_id, set(at.stage.state.remote.ids.values())
    assert at.stage.study.is_saved  # the file does not contain the id
    await at.stage.settled()
    assert at.path.read_bytes() == before
    await at.reopen()
    assert (at.stage.state.own_id, set(at.stage.state.remote.ids.values())) == (created, ids)
    assert next_step(at.stage.state).text.startswith("The collection is saved at the service.")
    rename_question(at.stage, "What do you bake?")
    await save(at.stage)
    (only,) = await at.collections()
    assert only.id == created
    assert set(at.stage.state.remote.ids.values()) == ids


async def test_a_moved_file_can_update_its_collection(at: FileFixture) -> None:
    await at.stage.press_and_wait("Create collection")
    created, ids = at.stage.state.own_id, set(at.stage.state.remote.ids.values())
    await at.commands.save()
    at.path = at.path.rename(at.path.with_name(f"moved{at.path.suffix}"))
    await at.reopen()
    assert next_step(at.stage.state).text == "The pages are ready. Next: create the collection."
    rename_question(at.stage, "What do you bake?")
    at.stage.press("Create collection")
    dialog = await at.stage.dialog(ExistingCollectionDialog)
    assert choices(dialog) == [f"Update “{at.stage.study.project.name}”", "Create another collection"]
    dialog.accept_button.click()
    review = await at.stage.dialog(ReviewDialog)
    places = [row.place for row in review.changes.entries if isinstance(row, NodeRow)]
    assert [place.split(" · ")[0] for place in places] == ["Page 1, item 2"]
    review.accept_button.click()
    await at.stage.settled()
    (only,) = await at.collections()
    assert (only.id, at.stage.state.own_id) == (created, created)
    assert set(at.stage.state.remote.ids.values()) == ids


async def test_another_collection_is_created_if_that_is_chosen(at: FileFixture) -> None:
    existing = await create(at.stage, at.stage.study.project.name)
    at.stage.press("Create collection")
    dialog = await at.stage.dialog(ExistingCollectionDialog)
    buttons(dialog)[-1].click()
    dialog.accept_button.click()
    await at.stage.settled()
    assert at.stage.state.own_id != existing
    assert {collection.id for collection in await at.collections()} == {existing, at.stage.state.own_id}


@pytest.mark.parametrize("kind", [ExistingCollectionDialog, ReviewDialog])
async def test_a_study_stays_without_a_collection_if_a_question_is_cancelled(
    at: FileFixture, kind: type[Dialog]
) -> None:
    rename_question(at.stage, "What do you bake?")
    existing = await create(at.stage, at.stage.study.project.name)
    before = await at.collections()
    at.stage.press("Create collection")
    dialog = await at.stage.dialog(ExistingCollectionDialog)
    if kind is ReviewDialog:
        dialog.accept_button.click()
    await at.stage.dialog(kind)
    await at.stage.press_and_wait("Cancel")
    assert await at.collections() == before
    assert (at.stage.state.own_id, at.stage.state.shows_draft) == ("", True)
    assert at.stage.state.remote.collection_id is None
    assert [collection.id for collection in before] == [existing]


async def test_the_user_is_informed_if_the_id_cannot_be_stored(
    at: FileFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_bindings: FileBindings, _project: Project, _file: StudyFile) -> None:
        raise StorageUnavailable("the disk is full")

    await at.stage.press_and_wait("Create collection")
    monkeypatch.setattr(FileBindings, "store", fail)
    assert await at.commands.save()
    (card,) = at.stage.stage.window_context.notices.cards
    assert card.notice.title == "The id of the collection was not stored"


async def test_a_file_whose_text_cannot_be_changed_in_place_is_written_anew_after_a_question(
    at: FileFixture, tmp_path: Path
) -> None:
    at.path = tmp_path / "by hand.yaml"
    pages = "collection_items: [{order: 0, page_items: [{order: 0, type: free_text, description: A?}]}]\n"
    at.path.write_text(f"# Made by hand\nname: Bread\n{pages}")
    await at.open()
    at.stage.study.set_details(TaskDetails(task_name="Bake", task_introduction="", task_steps=""))
    before = at.path.read_text()
    for press in ("cancel", "export"):
        saving = asyncio.create_task(at.commands.save())
        dialog = await at.stage.dialog(RewriteDialog)
        (dialog.cancel_button if press == "cancel" else dialog.accept_button).click()
        assert not await saving
        assert at.path.read_text() == before
        assert not at.stage.study.is_saved
        await until(lambda: at.stage.stage.window().findChild(RewriteDialog) is None)
    saving = asyncio.create_task(at.commands.save())
    await at.stage.dialog(RewriteDialog)
    at.stage.press("Save anyway")
    assert await saving
    saved = parse_yaml(at.path.read_bytes())
    assert is_object(saved)
    assert saved["name"] == "Bread"
    assert saved["task_details"] == {"task_name": "Bake", "task_introduction": "", "task_steps": ""}
    assert "Made by hand" not in at.path.read_text()
    at.stage.study.set_name("Rolls")
    assert await at.commands.save()
