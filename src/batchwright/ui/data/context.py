"""The dependencies of the commands of the Data stage."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec

from batchwright.base.i18n import _
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

P = ParamSpec("P")


@dataclass(frozen=True)
class DataContext:
    """The window, the state of the stage, the file dialogs of the system, and media from the web."""

    window: StageContext
    state: DataState
    files: FileChooser
    media: PreviewMedia

    @property
    def live(self) -> str:
        """The title of the current connection if it is to a live service; empty in a rehearsal."""
        session = self.state.session
        return session.connection.title if session.is_live else ""

    def start(
        self,
        command: Callable[Concatenate["DataContext", P], Awaitable[object]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Run a command in the background, unless it is running already; its errors are shown."""
        self.window.tasks.start(f"data {command.__name__}", lambda: command(self, *args, **kwargs))

    def notify(self, severity: NoticeSeverity, title: str, text: str) -> None:
        """Show a short message in the window."""
        self.window.notices.show_notice(Notice(severity, title, text))

    def notify_with_undo(self, title: str, text: str, undo: Callable[[], object]) -> None:
        """Show a short message about a change, with a button that undoes it."""
        self.window.notices.show_notice(Notice(NoticeSeverity.SUCCESS, title, text, _("Undo"), undo))

    def notify_if_prepared(self) -> bool:
        """Whether the records are made by steps, so that their values are not those of the file."""
        is_prepared = bool(self.state.steps)
        if is_prepared:
            text = _(
                "Switch the steps in Prepare off, change the value, and switch them on again. "
                "They are made with the new value then."
            )
            self.notify(NoticeSeverity.WARNING, _("These records are made by the steps in Prepare"), text)
        return is_prepared

    def notify_if_busy(self) -> bool:
        """Whether a dataset operation is running, which a new file would cancel; notifies the user if so."""
        reason = self.state.dataset.busy_reason
        if reason is not None:
            self.notify(NoticeSeverity.WARNING, reason.what, reason.remedy)
        return reason is not None
