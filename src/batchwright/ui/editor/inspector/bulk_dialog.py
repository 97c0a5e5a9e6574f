"""The dialog in which all options or units of an item are edited as lines of text."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.editor.inspector.form import capitalized
from batchwright.ui.editor.inspector.options.model import OptionModel
from batchwright.ui.editor.inspector.options.text_format import count_lines, format_options
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.overlays import ModalOverlay

_LINES = 9


class BulkDialog(Dialog):
    """Dialog with one line per option, as `label = value`. The layout changes only when the dialog is
    accepted.
    """

    def __init__(self, model: OptionModel) -> None:
        what = capitalized(_(model.attribute.title))
        super().__init__(
            _("{what} as text").format(what=what),
            _("One line each: label = value. Lines can be moved, removed and pasted from a spreadsheet."),
            _("Take these lines"),
        )
        self._model = model
        self.area = TextArea(_LINES)
        self.area.setLineWrapMode(TextArea.LineWrapMode.NoWrap)
        self.area.setPlaceholderText(_("Very good = 5"))
        self.area.setPlainText(format_options(model.options))
        self.area.installEventFilter(self)
        hint = _(
            'A number, true and false are values of their own kind; in quotes they are text: "1". '
            "A line without a value gets one from its label. Headings and rules stay with their lines."
        )
        self._field = InputField(what, self.area, hint=hint)
        self.add(self._field)
        self.area.textChanged.connect(self._refresh_count)
        self.accepted.connect(self._on_accepted)
        self._refresh_count()

    def _refresh_count(self) -> None:
        count = count_lines(self.area.toPlainText())
        self.accept_button.setText(
            _("Take {count} lines").format(count=count) if count != 1 else _("Take 1 line")
        )
        self.accept_button.set_disabled_reason("" if count else _("Write at least one line"))

    def _on_accepted(self) -> None:
        self._model.set_lines(self.area.toPlainText())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+Enter accepts the dialog; Enter alone inserts a line break."""
        if watched is self.area and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                if self.accept_button.isEnabled():
                    self.accept()
                return True
        return super().eventFilter(watched, event)


def edit_as_text(model: OptionModel, host: QWidget) -> None:
    """Open the dialog over the window of `host`."""
    model.form.end_typing()
    ModalOverlay(host, BulkDialog(model))
