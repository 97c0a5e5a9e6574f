"""The dialog about what the service on this computer stores, at a real service."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit

from batchwright.client.context import WorkflowContext
from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import Settings
from batchwright.ui.support.actions import SUPPORT
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.stored_data_dialog import StoredDataDialog
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.text import Label
from tests.policies import WritePolicy
from tests.service.api_helpers import Researcher, page
from tests.service.participant import answer_task_group
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in
from tests.workflows.contexts import context_at

pytestmark = pytest.mark.gui

TEXT = {"type": "free_text", "description": "What do you think?"}
PEOPLE = ("a" * 24, "b" * 24)


@pytest.fixture(scope="module")
def service_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the service."""
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def service(service_folder: Path) -> Iterator[ServiceAddress]:
    """A service of this module alone, since its tests replace everything in it."""
    with ServiceProcess(service_folder) as running:
        yield running


@pytest.fixture
def researcher(service: ServiceAddress) -> Iterator[Researcher]:
    started = Researcher(service)
    stored = started.request("GET", "/local/v1/data", None, 200)["studies"]
    ids = [study["id"] for study in stored]
    started.request("POST", "/local/v1/data/delete-studies", {"study_ids": ids}, 200)
    yield started
    started.close()


def answered(researcher: Researcher, name: str) -> str:
    """The id of a batch that two participants have answered."""
    id = str(
        researcher.batch(name=name, dataset_id=researcher.filled_dataset(1), batch_items=[page(TEXT)])["id"]
    )
    researcher.set_up(id)
    path = f"/local/v1/batches/{id}"
    researcher.request("PUT", f"{path}/annotators-per-task", {"annotators_per_task": 2}, 200)
    link = researcher.request("GET", f"{path}/participation", None, 200)["url"]
    for person in PEOPLE:
        answer_task_group(link, person)
    return id


class SessionAt:
    """A session whose local service is the one of the tests."""

    def __init__(self, at: OpenTestWindow, context: WorkflowContext) -> None:
        self._at, self._context = at, context

    async def local_context(self) -> WorkflowContext:
        return self._context


@pytest.fixture
async def opened(
    service: ServiceAddress, researcher: Researcher, tmp_path: Path
) -> AsyncIterator[tuple[OpenTestWindow, StoredDataDialog]]:
    """The dialog with one study."""
    answered(researcher, "Cats")
    async with AsyncExitStack() as stack:
        context = await stack.enter_async_context(
            context_at(tmp_path, service.url, token=service.token, workspace=service.workspace_id)
        )
        at = await stack.enter_async_context(window_in(tmp_path / "home"))
        folders, session = Folders(tmp_path / "data", tmp_path / "cache"), SessionAt(at, context)
        support = SupportContext(
            at.controller.context,
            folders,
            Settings(tmp_path / "home"),
            ProxyPasswords(),
            at.dialogs,
            lambda: None,
            lambda: session,  # type: ignore[arg-type, return-value]
        )
        at.controller.context.actions.add(support, SUPPORT)
        at.controller.run_action(ActionId.STORED_DATA)
        await until(lambda: bool(at.window.findChildren(StoredDataDialog)))
        (dialog,) = at.window.findChildren(StoredDataDialog)
        await idle(dialog)
        yield at, dialog
        dialog.reject()
        await at.settled()


async def idle(dialog: StoredDataDialog) -> None:
    """Wait until nothing is running and what is stored is known."""
    await until(lambda: dialog.state.data is not None and not dialog.state.activity, 30)


async def confirmed(at: OpenTestWindow, dialog: StoredDataDialog, accept: str) -> str:
    """Accept the question that is shown above the dialog; returns its description."""
    await until(lambda: len(at.window.findChildren(Dialog)) > 1)
    (question,) = [shown for shown in at.window.findChildren(Dialog) if shown is not dialog]
    text, activities = question.accessibleDescription(), list[str]()
    dialog.state.changed.connect(lambda: activities.append(dialog.state.activity))
    press(question, accept)
    await until(lambda: any(activities), 30)
    await idle(dialog)
    return text


@contextmanager
def cancelling(dialog: StoredDataDialog, condition: Callable[[], bool]) -> Iterator[None]:
    """Press Cancel as soon as a condition is met."""

    def cancel() -> None:
        if condition():
            dialog.stop_button.click()

    connection = dialog.state.changed.connect(cancel)
    yield
    dialog.state.changed.disconnect(connection)


def names(dialog: StoredDataDialog) -> list[str]:
    model = dialog.table.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@pytest.fixture
def retention(write_policy: WritePolicy) -> None:
    """A policy by which what is old is deleted."""
    write_policy("[lock]\nretention-days = 400\n")


@pytest.mark.usefixtures("retention")
async def test_studies_are_shown_with_their_size_and_deleted_by_name_or_by_the_policy(
    opened: tuple[OpenTestWindow, StoredDataDialog],
) -> None:
    at, dialog = opened
    texts = [label.text() for label in dialog.findChildren(Label)]
    assert any(text.startswith("What was not used for 400 days is deleted by itself.") for text in texts)
    assert names(dialog) == ["Cats"]
    assert dialog.state.data is not None
    assert dialog.state.data.size > 10_000
    assert not dialog.delete_button.isEnabled()
    dialog.select(0)
    assert dialog.delete_button.isEnabled()
    press(dialog, dialog.delete_button.text())
    text = await confirmed(at, dialog, "Delete")
    assert "“Cats”. Answers: 2; participants: 2." in text
    assert dialog.state.note == "Deleted. Studies: 1; participants: 2; answers: 2; files: 0."
    assert names(dialog) == []


async def test_a_participant_is_deleted_by_id_in_all_studies(
    opened: tuple[OpenTestWindow, StoredDataDialog], researcher: Researcher
) -> None:
    at, dialog = opened
    press(dialog, dialog.participant_button.text())
    await until(lambda: len(at.window.findChildren(Dialog)) > 1)
    (question,) = [shown for shown in at.window.findChildren(Dialog) if shown is not dialog]
    assert not question.accept_button.isEnabled()
    (study,) = question.findChildren(QComboBox)
    assert [study.itemText(place) for place in range(study.count())] == ["All studies", "Cats"]
    question.findChildren(QLineEdit)[0].setText(f" {PEOPLE[0]} ")
    await confirmed(at, dialog, "Delete")
    assert dialog.state.note == "Deleted. Studies: 1; participants: 1; answers: 1; files: 0."
    assert dialog.state.data is not None
    assert [study.answers for study in dialog.state.data.studies] == [1]
    press(dialog, dialog.older_button.text())
    await confirmed(at, dialog, "Delete")
    assert dialog.state.note == "Nothing was found that could be deleted."


@pytest.mark.endpoint("storage.get_backup", "storage.put_backup")
async def test_a_backup_is_saved_and_restored_and_a_damaged_or_cancelled_one_changes_nothing(
    opened: tuple[OpenTestWindow, StoredDataDialog],
    researcher: Researcher,
    service_folder: Path,
    tmp_path: Path,
) -> None:
    at, dialog = opened
    at.dialogs.path, fractions = tmp_path / "backup.zip", list[float | None]()
    dialog.state.changed.connect(lambda: fractions.append(dialog.state.fraction))
    press(dialog, dialog.back_up_button.text())
    await until(lambda: "backup.zip" in dialog.state.note, 30)
    await idle(dialog)
    assert 1.0 in fractions
    assert not [*service_folder.glob("backups/*.zip")], "the service keeps no copy"
    answered(researcher, "Dogs")
    dialog.state.refresh()
    await until(lambda: names(dialog) == ["Dogs", "Cats"], 30)
    with cancelling(dialog, lambda: dialog.state.fraction is not None):
        press(dialog, dialog.restore_button.text())
        await confirmed(at, dialog, "Restore")
    assert dialog.state.note == "The backup was not restored; nothing was changed."
    assert names(dialog) == ["Dogs", "Cats"]
    press(dialog, dialog.restore_button.text())
    text = await confirmed(at, dialog, "Restore")
    assert "“Dogs”, “Cats”. Answers: 4" in text
    assert dialog.state.note == "Restored. Studies: 1; answers: 2."
    assert names(dialog) == ["Cats"]
    at.dialogs.path.write_bytes(b"This is no backup.")
    press(dialog, dialog.restore_button.text())
    await confirmed(at, dialog, "Restore")
    assert dialog.state.has_failed
    assert "The backup is damaged, or is no backup." in dialog.state.note
    assert names(dialog) == ["Cats"]


async def test_what_was_done_is_noted_if_what_is_stored_is_not_counted_afterwards(
    opened: tuple[OpenTestWindow, StoredDataDialog], tmp_path: Path
) -> None:
    at, dialog = opened
    at.dialogs.path = tmp_path / "backup.zip"
    with cancelling(dialog, lambda: dialog.state.activity == "Counting what is stored"):
        press(dialog, dialog.back_up_button.text())
        await until(lambda: bool(dialog.state.note), 30)
        await idle(dialog)
    assert dialog.state.note == f"Saved: {tmp_path / 'backup.zip'}"
    assert dialog.stop_button.isEnabled()


async def test_an_operation_is_cancelled_once_and_what_is_stored_is_shown_afterwards(
    opened: tuple[OpenTestWindow, StoredDataDialog], researcher: Researcher
) -> None:
    _at, dialog = opened
    has_cancelled, may_end = asyncio.Event(), asyncio.Event()

    async def work(_context: WorkflowContext) -> str:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            has_cancelled.set()
            await may_end.wait()
            raise
        return ""

    dialog.state.start("Deleting", work, "Deleted all the same.")
    await until(lambda: bool(dialog.state.activity))
    dialog.stop_button.click()
    await has_cancelled.wait()
    assert not dialog.stop_button.isEnabled()
    dialog.state.cancel()
    answered(researcher, "Dogs")
    may_end.set()
    await until(lambda: names(dialog) == ["Dogs", "Cats"], 30)
    assert dialog.state.note == "Deleted all the same."
