"""Changing name, task details and dataset of a batch that belongs to no open study: dialog and command."""

from collections.abc import Mapping

from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.text import is_blank
from batchwright.client.published_content import editable_details
from batchwright.ui.core.operations import OperationRun
from batchwright.ui.publishing.publish import fetch_existing
from batchwright.ui.publishing.state import ResourceChange
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.state import RunState
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.long_texts import fill
from batchwright.wire.batches import Batch, BatchUpdate
from batchwright.wire.ids import is_uuid
from batchwright.workflows.publishing.edit_batch import edit_batch


class EditBatchDialog(Dialog):
    """Asks for name, task details and dataset of a batch.

    Args:
        batch: the batch as the service has it now.
        live: name of the live service; empty for the service on this computer.
    """

    help_address = "run.md#create-the-batch"

    def __init__(self, batch: Batch, live: str) -> None:
        super().__init__(
            _("Edit “{name}”").format(name=batch.name),
            _("Only what you change is sent. Questions are changed by opening the batch as a study."),
            _("Save"),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
            width=WIDE,
        )
        self.changes = BatchUpdate()
        """The fields that were changed, apart from task details, once the dialog was accepted."""
        self.details: Mapping[str, str] = {}
        """The task details that were changed, by the name of their field."""
        details = editable_details(batch.task_details)
        texts = {"name": batch.name, "dataset_id": _dataset_id(batch), **details.model_dump()}
        fields = {
            "name": InputField(_("Name of the batch"), QLineEdit(), hint=_("Only your workspace sees it.")),
            "task_name": InputField(_("Name of the task"), QLineEdit()),
            "task_introduction": InputField(_("Introduction"), TextArea(4)),
            "task_steps": InputField(_("Steps"), TextArea(4)),
            "dataset_id": InputField(
                _("Dataset id"),
                QLineEdit(),
                hint=_("Existing tasks stay until the batch is set up again. A dataset cannot be removed."),
            ),
        }
        self._texts = {name: fill(field, texts[name]) for name, field in fields.items()}
        self._shown = {name: entered() for name, entered in self._texts.items()}
        """The texts as first shown: a field cannot hold every character of a text from a service."""
        for name, field in fields.items():
            field.control.setObjectName(name)
            if isinstance(field.control, QLineEdit | TextArea):
                field.control.textChanged.connect(self._refresh)
        self.add(*fields.values())
        self.warn_if_live(live)
        self._refresh()

    @override
    def accept(self) -> None:
        fields, self.details = self._entered()
        self.changes = BatchUpdate.model_validate(fields)
        super().accept()

    def _entered(self) -> tuple[dict[str, str], dict[str, str]]:
        """The fields of the batch that were changed, and its task details that were changed."""
        texts = {name: entered() for name, entered in self._texts.items()}
        details = {name: text for name, text in texts.items() if text != self._shown[name]}
        names = {"name", "dataset_id"} & details.keys()
        return {name: details.pop(name).strip() for name in names}, details

    def _refresh(self) -> None:
        self.accept_button.set_disabled_reason(self._disabled_reason())

    def _disabled_reason(self) -> str:
        fields, details = self._entered()
        if not (fields or details):
            return _("No changes yet")
        if "name" in fields and is_blank(fields["name"]):
            return _("Enter a name for the batch first")
        if details and is_blank(self._texts["task_name"]()):
            return _("Enter a name for the task first")
        if "dataset_id" in fields and not is_uuid(fields["dataset_id"]):
            return _("Enter the complete id of a dataset, as 01234567-89ab-cdef-0123-456789abcdef")
        return ""


async def edit_shown_batch(context: RunContext) -> None:
    """Ask for name, task details and dataset of the batch shown, and send what was changed."""
    existing = await fetch_existing(context.state, context.state.shown_id)
    if existing is None:
        return
    dialog = EditBatchDialog(existing.resource, context.live)
    if await dialog.ask(context.host):
        start_edit(context.state, existing.resource, dialog.changes, dialog.details)


def start_edit(
    state: RunState, batch: Batch, changes: BatchUpdate, details: Mapping[str, str] | None = None
) -> None:
    """Change fields of a batch, and the given ones of its task details."""

    async def work(run: OperationRun) -> Batch:
        changed = await edit_batch(run.context, batch.id, changes, details)
        state.notified.emit(_("Batch changed"), changed.name)
        return changed

    operation = ResourceChange("edit", _("Changing the batch"), resource_id=batch.id)
    state.operations.start(operation, work, state.store)


def _dataset_id(batch: Batch) -> str:
    return batch.datasets[0].id if batch.datasets else ""
