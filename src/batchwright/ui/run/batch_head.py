"""The header of the batch shown: name, status and buttons."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import abbreviated_id, short_datetime
from batchwright.ui.run.next_step import RunAction, next_step
from batchwright.ui.run.remote_batches import is_legacy
from batchwright.ui.run.state import RunState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.statuses import BATCH, DRAFT, StatusBadge, status_of
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.batches import Batch

_NAME = 160
"""Minimum width of the name in pixels at 100 %; below it, the buttons show icons only."""


class BatchHead(QWidget):
    """Name and status on the left, buttons on the right; the buttons show icons only if space is short."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._pill = ElidedLabel("", TextRole.TITLE), StatusBadge(DRAFT)
        self.open = Button(_("Open as a study"), glyph="pencil-simple")
        self.duplicate = Button(_("Duplicate"), ButtonKind.QUIET, glyph="copy")
        self.sync = Button(_("Sync"), glyph="arrows-clockwise")
        self._buttons = (self.duplicate, self.open, self.sync)
        self._made = Label("", TextRole.SMALL, "text2", tabular=True)
        line = row(self._name, self._pill, None, *self._buttons, gap=10)
        column(line, self._made, gap=2, parent=self)

    def show_batch(self, model: RunState) -> None:
        """Show the batch."""
        batch, is_own = model.chosen, model.shows_own
        self._name.setText(batch.name if batch else model.name)
        self._pill.show_status(status_of(BATCH, batch.status) if batch else DRAFT)
        self._pill.setVisible(batch is not None or not model.is_unseen)
        self._made.setText(_made(batch))
        self._made.setVisible(batch is not None)
        self.open.setVisible(batch is not None and not is_own)
        self.open.set_disabled_reason(_no_layout() if batch is not None and is_legacy(batch) else "")
        self.duplicate.setVisible(batch is not None)
        self.duplicate.set_disabled_reason(model.operation.title if model.operation else "")
        self.sync.setVisible(batch is not None and is_own and next_step(model).act is not RunAction.SYNC)
        self.sync.set_disabled_reason(model.sync.reason_not)

    def _fold(self) -> None:
        shown = [one for one in self._buttons if not one.isHidden()]
        gap = theme().px(10)
        taken = sum(one.full_width + gap for one in shown) + self._pill.sizeHint().width() + gap
        is_narrow = self.width() - taken < theme().px(_NAME)
        for button in self._buttons:
            button.set_collapsed(is_collapsed=is_narrow)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self._fold()
        return super().event(event)


def _no_layout() -> str:
    return _("It has no layout that can be edited as a study")


def _made(batch: Batch | None) -> str:
    """The creation time of a batch, and its id."""
    if batch is None:
        return ""
    if batch.created_at is None:
        return abbreviated_id(batch.id)
    return _("Created {when}  ·  {id}").format(
        when=short_datetime(batch.created_at), id=abbreviated_id(batch.id)
    )
