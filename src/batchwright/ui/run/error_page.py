"""The page shown if the batches of the workspace could not be fetched."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.connections.signed_out import SignInPlaceholder
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.run.state import RunState
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.placeholders import EmptyState


class BatchesUnavailablePage(QWidget):
    """The error, what to do about it, and buttons."""

    refresh_pressed = Signal()
    home_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[TaskMessage, bool, bool] | None = None
        self._place = column(gap=0, parent=self)

    def show_error(self, model: RunState, error: TaskMessage) -> None:
        """Show the error of the last fetch."""
        shown = error, model.remote_batches.needs_sign_in, model.remote.batch_id is not None
        if shown != self._shown:
            self._shown = shown
            clear(self._place)
            self._place.add(self._state(model, error))

    def _state(self, model: RunState, error: TaskMessage) -> EmptyState:
        if model.remote_batches.needs_sign_in:
            has_batch = model.remote.batch_id is not None
            line = _("Sign in to see the batch") if has_batch else _("Sign in to see the batches")
            signed_out = SignInPlaceholder(line, error.what)
            signed_out.sign_in_button.clicked.connect(self.refresh_pressed)
            signed_out.home_button.clicked.connect(self.home_pressed)
            return signed_out
        again, home = Button(_("Refresh"), glyph="arrow-clockwise"), Button(_("Go to connections"))
        again.clicked.connect(self.refresh_pressed)
        home.clicked.connect(self.home_pressed)
        return EmptyState("warning-circle-fill", error.what, error.remedy, again, home, tone="err")
