"""The Data stage of a study without a data file: its data is at a service, or missing."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import Connection
from batchwright.local.projects import Project, RemoteBinding
from batchwright.local.secrets import KeyringUnavailable
from batchwright.schema.model import FieldType
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.schema_panel import SchemaPanel
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import NoFilePage
from batchwright.ui.planning.planning_dialog import PlanningDialog
from batchwright.ui.widgets.buttons import Button
from tests.ui.conftest import until
from tests.ui.data.conftest import (
    LIVE,
    buttons,
    find_connection,
    have_ended,
    no_sign_in,
    opened,
    shown,
    wait_for_dialog,
)
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]


def page_text(stage: DataStage) -> str:
    """All texts of the page shown instead of the records."""
    return " ".join(label.text() for label in shown(stage, NoFilePage).findChildren(QLabel))


async def copied(stage: DataStage) -> None:
    """Open a study with the same dataset and no file, like one created from a batch."""
    state = stage.state
    remote = replace(state.dataset.remote.binding, delivered="")
    remotes = {state.session.connection.name: remote}
    state.study.open(Project("A copy", schema=state.study.schema, remotes=remotes), None)
    await until(lambda: state.dataset.remote.dataset is not None, 30)


async def test_a_study_is_planned_before_there_is_any_data(stage: DataStage) -> None:
    stage.context.window.actions.run(ActionId.DATA_PLAN)
    dialog = await wait_for_dialog(stage, PlanningDialog)
    await until(lambda: dialog.state.is_current)
    dialog.accept_button.click()
    await until(lambda: have_ended(stage.context.window.tasks))


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_study_without_file_shows_its_dataset_and_the_possible_actions(
    stage: DataStage,
    context: WorkflowContext,
) -> None:
    await copied(stage)
    assert "The study has a dataset on this computer" in page_text(stage)
    assert "“Cats” has 100 records" in page_text(stage)
    assert next_step(stage.state).button == "Lay out the pages"
    assert {"Choose the file", "Use another dataset", "Append records"} <= buttons(stage).keys()
    assert shown(stage, SchemaPanel).isVisible()


@pytest.mark.usefixtures("uploaded_reviews")
async def test_the_user_can_confirm_that_the_dataset_was_created_from_the_file(
    stage: DataStage, context: WorkflowContext, reviews: Path
) -> None:
    state = stage.state
    await copied(stage)
    await opened(stage, reviews)
    assert "Was it created from this file?" in next_step(state).text
    assert "Upload again" in buttons(stage)
    buttons(stage)["Keep the dataset"].click()
    assert state.dataset.is_uploaded
    assert "100 records are in the dataset on this computer" in next_step(state).text
    assert "Upload again" not in buttons(stage)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_another_file_is_offered_for_upload(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("prompt,picture,topic\nWhich?,https://example.org/1.png,cats\n", encoding="utf-8")

    await copied(stage)
    await opened(stage, other)
    assert next_step(stage.state).button == "Upload 1 record"


class SignedOut(FakeConnectionPool):
    """A connection pool that requires sign-in."""

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        raise NotSignedIn(connection.name)


class TokenPrompts:
    """Counts the prompts for a token, and cancels them."""

    def __init__(self) -> None:
        self.times = 0

    async def __call__(self, _connection: Connection, _no_ring: KeyringUnavailable | None = None, /) -> bool:
        self.times += 1
        return False


@pytest.fixture
def token_prompts() -> TokenPrompts:
    return TokenPrompts()


@pytest.fixture
def session(request: pytest.FixtureRequest, pool: FakeConnectionPool) -> ConnectionSession:
    """A session that is signed out if the test uses `token_prompts`."""
    if "token_prompts" in request.fixturenames:
        return ConnectionSession(SignedOut(), find_connection, request.getfixturevalue("token_prompts"))
    return ConnectionSession(pool, find_connection, no_sign_in)


async def test_showing_the_stage_does_not_prompt_for_a_token(
    stage: DataStage,
    session: ConnectionSession,
    token_prompts: TokenPrompts,
    tasks: Tasks,
) -> None:
    remote = stage.state.dataset.remote
    await session.select(LIVE.name)
    stage.state.study.open(Project("Cats", remotes={LIVE.name: RemoteBinding("w1", "d1", "i1")}), None)
    await until(lambda: remote.needs_sign_in, 30)
    assert "Sign in to see the dataset." in page_text(stage)
    assert token_prompts.times == 0
    buttons(stage)["Sign in"].click()
    await until(lambda: token_prompts.times == 1, 30)
    await until(lambda: have_ended(tasks), 30)
    assert remote.needs_sign_in
    await tasks.aclose()


async def test_a_schema_created_without_a_file_is_kept_when_a_file_is_opened(
    stage: DataStage, reviews: Path, tasks: Tasks
) -> None:
    state = stage.state
    assert not shown(stage, SchemaPanel).isVisible()
    assert "No file yet? Add fields manually" in buttons(stage)
    state.schema.add_field("answer", FieldType.TEXT, "The answer")
    assert shown(stage, SchemaPanel).isVisible()
    await opened(stage, reviews)
    assert state.study.schema is not None
    assert list(state.study.schema.fields) == ["prompt", "picture", "topic", "answer"]
    assert state.study.schema.fields["answer"].label == "The answer"
    assert "the file has no column “answer”" in next_step(state).text
    await tasks.aclose()


def undo(stage: DataStage) -> Button:
    """The undo button of the latest notice."""
    matches = stage.window().findChildren(Button)
    (button,) = (match for match in matches if match.isVisible() and match.text() == "Undo")
    return button


async def test_undo_of_an_excluded_field_does_not_change_another_study(
    stage: DataStage, tasks: Tasks
) -> None:
    state = stage.state
    state.schema.add_field("answer", FieldType.TEXT, "The answer")
    state.schema.add_field("source", FieldType.METADATA, "")
    shown(stage, SchemaPanel)._set_type("answer", None)
    state.study.open(replace(state.study.project, name="Second"), None)
    before = state.study.schema
    undo(stage).click()
    assert state.study.schema == before
    await tasks.aclose()


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_refresh_without_changes_keeps_the_widgets(
    stage: DataStage, context: WorkflowContext, tasks: Tasks
) -> None:
    state = stage.state
    await copied(stage)
    choose = buttons(stage)["Choose the file"]
    choose.setFocus()
    state.schema.set_label("topic", "What it is about")
    state.dataset.remote.refresh()
    await until(lambda: have_ended(tasks), 30)
    assert buttons(stage)["Choose the file"] is choose
    assert choose.hasFocus()


async def test_removing_a_field_without_column_can_be_undone(
    stage: DataStage, reviews: Path, tasks: Tasks
) -> None:
    state = stage.state
    await opened(stage, reviews)
    state.schema.add_field("answer", FieldType.TEXT, "The answer")
    state.schema.add_field("source", FieldType.METADATA, "")
    remote = state.study.schema
    shown(stage, SchemaPanel)._set_type("answer", None)
    assert state.study.schema is not None
    assert "answer" not in state.study.schema.fields
    undo(stage).click()
    assert state.study.schema == remote
    fields = state.study.schema.fields
    assert list(fields) == ["prompt", "picture", "topic", "answer", "source"]
    shown(stage, SchemaPanel)._set_type("topic", None)
    assert "topic" in {part.name for part in state.columns}
    await tasks.aclose()
