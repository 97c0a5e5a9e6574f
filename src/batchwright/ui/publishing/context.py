"""The dependencies of the commands of a stage whose resources are batches or collections."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic

from PySide6.QtWidgets import QWidget

from batchwright.local.projects import Project
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.publishing.publishable import D, R
from batchwright.ui.publishing.state import PublishingState
from batchwright.ui.study.answers_source import OtherSource

OpenStudy = Callable[[Project], Awaitable[object]]
"""Opens another study in place of the current one, after the user has agreed to close that."""


@dataclass(frozen=True)
class PublishingContext(Generic[R, D]):
    """The dependencies of the commands of such a stage."""

    state: PublishingState[R, D, Any]
    host: QWidget
    """The parent of dialogs."""
    open_study: OpenStudy
    open_url: Callable[[str], object]
    run_action: Callable[[ActionId], object]
    """Runs another action by its id, if it is enabled."""
    show_answers: Callable[[OtherSource | None], object]
    """Shows the answers of another resource in Results, or with None those of the study."""

    @property
    def live(self) -> str:
        """The title of the current connection if it is to a live service; empty in a rehearsal."""
        return self.state.live
