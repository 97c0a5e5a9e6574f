"""The panel of a dataset operation: progress, then the result."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import DatasetOperation
from batchwright.ui.data.dataset.operation_text import status_text
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.id_label import CopyIdButton
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.statuses import Status, StatusBadge
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT, _TALL_HEIGHT = 58, 76
"""Height in pixels at 100 % with one line, and with a second line for what to do."""


class OperationPanel(Surface):
    """Title, status, counts and message of the latest operation with a key, with buttons."""

    action_requested = Signal()

    def __init__(self, controller: DatasetController, key: str, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        set_help_address(self, "data.md#upload")
        self._controller, self._key = controller, key
        self._title = Label("", TextRole.SECTION)
        self._badge = StatusBadge(statuses.QUEUED)
        self._accepted = StatusBadge(Status("ok", "check-circle-fill", ""))
        self._rejected = StatusBadge(Status("err", "x-circle-fill", ""))
        self._text = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._remedy = ElidedLabel("", TextRole.SMALL, "text2")
        self._copy_id = CopyIdButton(_("Copy the dataset id"))
        self._bar = ProgressBar(_("Progress"))
        self._percent = Label("", TextRole.SMALL_NAME, tabular=True)
        self._action = Button("", height=ButtonSize.NOTICE)
        self._action.clicked.connect(self.action_requested)
        self._stop = Button(_("Stop"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._stop.clicked.connect(lambda: controller.operations.cancel(key))
        self._close = Button(_("Hide"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._close.clicked.connect(lambda: controller.hide(key))
        line = row(self._title, self._badge, self._accepted, self._rejected, None, gap=8)
        line.add(self._copy_id, self._bar, self._percent, self._action, self._stop, self._close)
        column(line, self._text, self._remedy, None, gap=0, margins=(24, 6, 12, 7), parent=self)
        theme().on_changed(self._update_size)
        controller.operations.changed.connect(self.show_latest)
        self.show_latest()

    def show_latest(self) -> None:
        """Show the state of the latest operation."""
        operation = self._controller.operations.get(self._key)
        self.setVisible(isinstance(operation, DatasetOperation))
        if not isinstance(operation, DatasetOperation):
            return
        line = status_text(operation)
        self.setAccessibleName(sanitize_line(line.title))
        self._title.setText(line.title)
        self._badge.show_status(line.status)
        self._text.setText(line.text)
        self._text.set_tone("text" if operation.error else "text2")
        self._remedy.setText(line.remedy)
        self._remedy.setVisible(bool(line.remedy))
        self.setToolTip(tooltip_text(f"{line.text}\n{line.remedy}".strip()))
        _show_count(self._accepted, "ok", "check-circle-fill", _("{count} accepted"), line.accepted)
        _show_count(self._rejected, "err", "x-circle-fill", _("{count} rejected"), line.rejected)
        self._copy_id.set_id(line.dataset_id)
        self._action.setText(line.action)
        self._action.setVisible(bool(line.action))
        self._stop.setText(line.stop_label or _("Stop"))
        self._stop.setVisible(operation.is_running)
        self._close.setVisible(not operation.is_running)
        self._show_bar(operation)
        self._update_size()

    def _show_bar(self, operation: DatasetOperation) -> None:
        fraction = operation.fraction if operation.is_running else None
        self._bar.setVisible(operation.is_running)
        self._percent.setVisible(fraction is not None)
        if fraction is None:
            self._bar.show_indeterminate()
        else:
            self._bar.show_fraction(fraction)
            self._percent.setText(per_cent(fraction))

    def _update_size(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT if self._remedy.isHidden() else _TALL_HEIGHT))
        self._bar.setFixedWidth(theme().px(120))


def _show_count(pill: StatusBadge, tone: str, glyph: str, text: str, count: int) -> None:
    pill.show_status(Status(tone, glyph, text.format(count=number(count))))
    pill.setVisible(bool(count))
