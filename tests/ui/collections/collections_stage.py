"""The Collections stage in a window, at a real service, with a study that is a collection."""

from dataclasses import dataclass, field
from typing import TypeVar

from PySide6.QtWidgets import QAbstractButton, QWidget

from batchwright.base.json_values import Json
from batchwright.layout.collection_pages import items_of, layout_from_collection
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Page
from batchwright.layout.serialization import random_keys
from batchwright.local.projects import Project, StudyKind
from batchwright.ui.collections.stage import CollectionsStage
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.study.study_model import Study
from tests.api.studies import DETAILS
from tests.ui.conftest import until
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

    def part(self, kind: type[W]) -> W:
        """The only widget of a class in the stage."""
        (part,) = self.stage.findChildren(kind)
        return part

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
