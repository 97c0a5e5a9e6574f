"""What the Data stage asks about the fields of the study's schema."""

from functools import partial

from batchwright.base.i18n import _
from batchwright.schema.model import Schema
from batchwright.ui.data.field_dialog import FieldDialog
from batchwright.ui.data.label_dialog import LabelDialog
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.notices import Toast, ToastSeverity


class SchemaCommands:
    """Each question is a task of the window, and ends in another schema or in nothing."""

    def __init__(self, context: StageContext, model: DataState) -> None:
        self._frame, self._model = context, model

    def add_field(self) -> None:
        """Ask for a field that no column has, and put it into the schema."""
        dialog, choices = FieldDialog(self._model.study.schema), self._model.schema

        async def ask() -> None:
            if await dialog.ask(self._frame.host):
                choices.add_field(dialog.name, dialog.type, dialog.label)

        self._frame.tasks.start("data field", ask)

    def ask_label(self, name: str) -> None:
        """Ask what participants are to read as the name of a field."""
        info = next((info for info in self._model.columns if info.name == name), None)
        if info is not None:
            dialog = LabelDialog(info)

            async def ask() -> None:
                if await dialog.ask(self._frame.host):
                    self._model.schema.set_label(name, dialog.label)

            self._frame.tasks.start("data label", ask)

    def offer_back(self, name: str, before: Schema) -> None:
        """Offer a field again that was left out of a schema, and that no column would bring back."""
        gone = _("“{name}” is no field any more").format(name=name)
        line = _("No column in view brings it back.")
        put_back = partial(self._put_back, self._model.study.opening, name, before)
        self._frame.notices.tell(Toast(ToastSeverity.DONE, gone, line, _("Undo"), put_back))

    def _put_back(self, opening: int, name: str, before: Schema) -> None:
        """Have a field again, unless another study was opened by then."""
        if opening == self._model.study.opening:
            self._model.schema.restore_field(name, before)
