"""The Collections stage in a window, at a real service, with a study that is a collection."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import QAbstractButton, QWidget

from batchwright.base.json_values import Json
from batchwright.layout.collection_pages import items_of, layout_from_collection
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Page
from batchwright.layout.serialization import random_keys
from batchwright.local.projects import Project, StudyKind
from batchwright.service.process import ServiceAddress
from batchwright.ui.collections.stage import CollectionsStage
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.workflows.messages import describe
from tests.api.studies import DETAILS
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import session_at
from tests.ui.window_fixtures import FakeFileDialogs

W = TypeVar("W", bound=QWidget)

COOKING: Json = {"type": "free_text", "description": "What do you cook most?"}
STOVE: Json = {
    "type": "multiple_choice",
    "description": "Gas or electric?",
    "answer_limit": 1,
    "options": [{"label": "Gas", "value": "gas"}, {"label": "Electric", "value": "electric"}],
}
TEXT: Json = {"type": "rich_text", "content": "Your **kitchen**", "content_format": "markdown"}
PAGES: tuple[Json, ...] = ({"page_items": [TEXT, COOKING]}, {"page_items": [STOVE]})


def kitchen(name: str = "Kitchen") -> Project:
    """A study with two pages, which is not at the service."""
    layout = layout_from_collection(PAGES, random_keys())
    return Project(name, layout, details=DETAILS, kind=StudyKind.COLLECTION)


@dataclass
class StageFixture:
    """The stage with everything that its commands use."""

    stage: CollectionsStage
    study: Study
    files: FakeFileDialogs
    tasks: Tasks
    session: ConnectionSession
    opened: list[str] = field(default_factory=list)
    """The addresses opened in the browser."""

    @property
    def state(self) -> CollectionsState:
        return self.stage.state

    def button(self, text: str) -> QAbstractButton:
        """The one visible button with a text."""
        buttons = self.stage.window().findChildren(QAbstractButton)
        (button,) = [button for button in buttons if button.text() == text and button.isVisible()]
        return button

    def press(self, text: str) -> None:
        button = self.button(text)
        assert button.isEnabled(), f"{text}: {button.toolTip()}"
        button.click()

    async def settled(self) -> None:
        """Until nothing runs any more."""
        await until(lambda: not self.tasks.running, 30)

    async def press_and_wait(self, text: str) -> None:
        """Press a button, and wait until what it starts has ended."""
        self.press(text)
        await self.settled()

    async def dialog(self, kind: type[W]) -> W:
        """The dialog of a kind, once it is shown."""
        await until(lambda: self.stage.window().findChild(kind) is not None)
        dialog = self.stage.window().findChild(kind)
        assert isinstance(dialog, kind)
        return dialog


async def save(fixture: StageFixture) -> None:
    """Save the study to its collection after the review."""
    fixture.press("Save to the service")
    (await fixture.dialog(ReviewDialog)).accept_button.click()
    await fixture.settled()


def rename_question(fixture: StageFixture, text: str) -> None:
    """Change the first question in the study."""
    page = fixture.study.layout.pages[0]
    assert isinstance(page, Page)
    fixture.study.apply(SetAttributes(items_of(page)[1].key, {"description": text}))


Steps = Callable[[StageFixture], Awaitable[None]]
Do = Callable[[Steps], None]


def on_stage(
    loop: asyncio.AbstractEventLoop,
    running: ServiceAddress,
    folder: Path,
    window: Window,
    shell: ShellState,
    steps: Steps,
    project: Project | None,
) -> None:
    """Do some steps on the stage, with a study open or none."""

    async def flow() -> None:
        async with session_at(running, folder) as session:
            await with_stage(session, window, shell, steps, project)

    loop.run_until_complete(flow())


async def with_stage(
    session: ConnectionSession, window: Window, shell: ShellState, steps: Steps, project: Project | None
) -> None:
    """Show the stage of a session, and do some steps."""
    tasks, study, files, opened = Tasks(describe), Study(), FakeFileDialogs(), list[str]()

    async def open_study(project: Project) -> None:
        study.open(project, None, is_saved=False)

    if project is not None:
        study.open(project, None, is_saved=False)
        shell.set_document(DocumentTitle(project.name))
    stage_context = window.stage_context(tasks)
    state = CollectionsState(study, session, tasks)
    stage = CollectionsStage(stage_context, state, open_study, files, opened.append)
    window._stack._stages["collections"] = Stage("collections", "Collections", "cards", lambda _frame: stage)
    window.set_context(stage_context)
    shell.set_stage("collections")
    fixture = StageFixture(stage, study, files, tasks, session, opened)
    await fixture.settled()
    try:
        await steps(fixture)
    finally:
        await tasks.aclose()
